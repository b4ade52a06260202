/* The tree of accessible objects of a running GTK program, read over D-Bus in one sweep, for tests that look at a window a thousand times.
 *
 * accessible-tree — reads lines "BUS PATH" from the standard input; answers each with a line for each object that is shown at or below that
 * one, parents before their children, and an empty line:
 *   DEPTH PATH ROLE STATES HAS-TEXT X Y WIDTH HEIGHT NAME
 * separated by tabs; the place in its window, 0 0 0 0 where it has none; the name escaped as in C.
 *
 * libatspi asks for each property of each object by a call of its own and waits for it: seconds for a window with a table. Here one call
 * brings the properties of all objects (the program's Cache, which is for that: whatever was a child of what was asked for its children). Its
 * parents are not those of GetChildren, so children and places are asked for: at once of all that were there the last time, since waiting for
 * an answer takes far longer than giving it, then of each level of the tree that is new. What is not shown is left out with all below it.
 *
 * It speaks D-Bus by libdbus: a thousand calls a sweep by GDBus cost more than what the program does to answer them. */
#include <dbus/dbus.h>
#include <glib.h>
#include <stdio.h>

#define ACCESSIBLE "org.a11y.atspi.Accessible"
#define COMPONENT "org.a11y.atspi.Component"
#define COORD_TYPE_WINDOW 1
#define TIME_LIMIT_MS 30000

/* As the cache knows it. */
typedef struct
{
  char *path, *name;
  gint32 n_children;
  guint32 role;
  guint64 states;
  gboolean has_text;
} Item;

/* What an object answered in this sweep. */
typedef struct
{
  char *path;
  gboolean has_children; /* it was asked for them */
  GStrv children;        /* paths; NULL: it has none */
  gint32 place[4];
  gboolean shown;
  DBusPendingCall *asked_place, *asked_children; /* NULL: not asked for, or answered */
} Answer;

typedef struct
{
  const char *bus, *top;
  GHashTable *items;   /* path → Item */
  GHashTable *answers; /* path → Answer */
  GHashTable *last;    /* what was there in the last sweep: path → whether it was shown; what was not is not asked for its children */
} Program;

typedef struct
{
  const char *path; /* of an Answer */
  guint depth;
} Node;

static DBusConnection *connection;

static void
item_free (gpointer data)
{
  Item *self = data;

  g_free (self->path);
  g_free (self->name);
  g_free (self);
}

static void
answer_free (gpointer data)
{
  Answer *self = data;

  g_free (self->path);
  g_strfreev (self->children);
  g_free (self);
}

/* --- calls -------------------------------------------------------------------------------------------------------- */

static DBusPendingCall *
call (const char *bus, const char *path, const char *interface, const char *method, const guint32 *argument)
{
  DBusMessage *message = dbus_message_new_method_call (bus, path, interface, method);
  DBusPendingCall *pending = NULL;

  if (argument != NULL)
    dbus_message_append_args (message, DBUS_TYPE_UINT32, argument, DBUS_TYPE_INVALID);
  dbus_connection_send_with_reply (connection, message, &pending, TIME_LIMIT_MS);
  dbus_message_unref (message);
  return pending;
}

/* The answer, which the caller frees; NULL: the object went away, or has no such interface. */
static DBusMessage *
answered (DBusPendingCall **pending)
{
  DBusMessage *answer = NULL;

  if (*pending == NULL)
    return NULL;
  dbus_pending_call_block (*pending);
  answer = dbus_pending_call_steal_reply (*pending);
  dbus_pending_call_unref (*pending);
  *pending = NULL;
  if (answer != NULL && dbus_message_get_type (answer) != DBUS_MESSAGE_TYPE_METHOD_RETURN)
    g_clear_pointer (&answer, dbus_message_unref);
  return answer;
}

/* What the iterator is at, which goes on; the value as its type has it. */
static void
take (DBusMessageIter *at, void *value)
{
  dbus_message_iter_get_basic (at, value);
  dbus_message_iter_next (at);
}

/* The path of a reference, (so). */
static const char *
take_reference (DBusMessageIter *at)
{
  DBusMessageIter reference;
  const char *bus, *path;

  dbus_message_iter_recurse (at, &reference);
  take (&reference, &bus);
  take (&reference, &path);
  dbus_message_iter_next (at);
  return path;
}

static gboolean
is_at_end (DBusMessageIter *at)
{
  return dbus_message_iter_get_arg_type (at) == DBUS_TYPE_INVALID;
}

/* --- the cache ---------------------------------------------------------------------------------------------------- */

/* ((so)(so)(so)iiassusau): itself, its program, its parent, where it is in it, children, interfaces, name, role, description, states. */
static Item *
read_item (DBusMessageIter *list)
{
  Item *self = g_new0 (Item, 1);
  DBusMessageIter it, parts;
  const char *text;
  gint32 index;
  guint32 word;

  dbus_message_iter_recurse (list, &it);
  self->path = g_strdup (take_reference (&it));
  take_reference (&it);
  take_reference (&it);
  take (&it, &index);
  take (&it, &self->n_children);
  for (dbus_message_iter_recurse (&it, &parts); !is_at_end (&parts);)
    {
      take (&parts, &text);
      self->has_text |= g_str_equal (text, "org.a11y.atspi.Text");
    }
  dbus_message_iter_next (&it);
  take (&it, &text);
  self->name = g_strdup (text);
  take (&it, &self->role);
  take (&it, &text);
  dbus_message_iter_recurse (&it, &parts);
  for (guint shift = 0; !is_at_end (&parts) && shift < 64; shift += 32)
    {
      take (&parts, &word);
      self->states |= (guint64) word << shift;
    }
  return self;
}

static void
read_cache (Program *self)
{
  DBusPendingCall *pending = call (self->bus, "/org/a11y/atspi/cache", "org.a11y.atspi.Cache", "GetItems", NULL);
  DBusMessage *answer = answered (&pending);
  DBusMessageIter it, list;

  g_hash_table_remove_all (self->items);
  if (answer == NULL)
    return;
  dbus_message_iter_init (answer, &it);
  for (dbus_message_iter_recurse (&it, &list); !is_at_end (&list); dbus_message_iter_next (&list))
    {
      Item *item = read_item (&list);

      g_hash_table_replace (self->items, item->path, item);
    }
  dbus_message_unref (answer);
}

/* --- children and places ------------------------------------------------------------------------------------------ */

static void
read_children (Answer *self)
{
  DBusMessage *answer = answered (&self->asked_children);
  g_autoptr (GStrvBuilder) paths = g_strv_builder_new ();
  DBusMessageIter it, list;

  if (answer == NULL)
    return;
  dbus_message_iter_init (answer, &it);
  for (dbus_message_iter_recurse (&it, &list); !is_at_end (&list);)
    g_strv_builder_add (paths, take_reference (&list));
  self->children = g_strv_builder_end (paths);
  dbus_message_unref (answer);
}

/* GTK 4.8 does not tell what is showing, but what is not drawn has no size. */
static void
read_place (Answer *self)
{
  DBusMessage *answer = answered (&self->asked_place);
  DBusMessageIter it, place;

  if (answer != NULL)
    {
      dbus_message_iter_init (answer, &it);
      dbus_message_iter_recurse (&it, &place);
      for (guint i = 0; i < G_N_ELEMENTS (self->place) && !is_at_end (&place); i++)
        take (&place, &self->place[i]);
      dbus_message_unref (answer);
      self->shown = self->place[2] > 0 && self->place[3] > 0;
    }
  else
    self->shown = TRUE;
}

/* GTK says that the top, which is the program, has no children. */
static void
ask_children (Program *self, Answer *answer)
{
  const Item *item = g_hash_table_lookup (self->items, answer->path);

  answer->has_children = TRUE;
  if (item == NULL || item->n_children > 0 || g_str_equal (answer->path, self->top))
    answer->asked_children = call (self->bus, answer->path, ACCESSIBLE, "GetChildren", NULL);
}

static Answer *
ask_place (Program *self, const char *path)
{
  guint32 in_window = COORD_TYPE_WINDOW;
  Answer *answer = g_new0 (Answer, 1);

  answer->path = g_strdup (path);
  g_hash_table_replace (self->answers, answer->path, answer);
  answer->asked_place = call (self->bus, path, COMPONENT, "GetExtents", &in_window);
  return answer;
}

/* Asks for the places of these paths, or what was asked for that already for its children; at once for both, but what was not shown the last time. */
static void
ask (Program *self, const GPtrArray *paths)
{
  g_autoptr (GPtrArray) asked = g_ptr_array_new ();

  for (guint i = 0; i < paths->len; i++)
    {
      const char *path = paths->pdata[i];
      Answer *answer = g_hash_table_lookup (self->answers, path);
      gpointer was_shown = GINT_TO_POINTER (TRUE);

      if (answer == NULL)
        {
          answer = ask_place (self, path);
          g_hash_table_lookup_extended (self->last, path, NULL, &was_shown);
        }
      if (was_shown != NULL)
        ask_children (self, answer);
      g_ptr_array_add (asked, answer);
    }
  for (guint i = 0; i < asked->len; i++)
    {
      Answer *answer = asked->pdata[i];

      if (answer->asked_place != NULL)
        read_place (answer);
      if (answer->asked_children != NULL)
        read_children (answer);
    }
}

/* Asks for what is new among what is shown from the top on, until nothing is; returns all of it, parents before their children. */
static GArray *
walk (Program *self)
{
  GArray *order = g_array_new (FALSE, FALSE, sizeof (Node));
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (Node));
  g_autoptr (GPtrArray) new = g_ptr_array_new ();

  do
    {
      ask (self, new);
      g_ptr_array_set_size (new, 0);
      g_array_set_size (order, 0);
      g_array_append_val (stack, ((Node) { self->top, 0 }));
      while (stack->len > 0)
        {
          Node node = g_array_index (stack, Node, stack->len - 1);
          const Answer *answer = g_hash_table_lookup (self->answers, node.path);
          gboolean shown = answer != NULL && (answer->shown || node.depth == 0);

          g_array_set_size (stack, stack->len - 1);
          if (answer == NULL || (shown && !answer->has_children))
            g_ptr_array_add (new, (char *) node.path);
          else if (shown)
            {
              g_array_append_val (order, node);
              for (guint i = answer->children != NULL ? g_strv_length (answer->children) : 0; i > 0; i--)
                g_array_append_val (stack, ((Node) { answer->children[i - 1], node.depth + 1 }));
            }
        }
    }
  while (new->len > 0);
  return order;
}

/* --- what is told ------------------------------------------------------------------------------------------------- */

static void
tell (const Program *self, const Node *node)
{
  const Item *item = g_hash_table_lookup (self->items, node->path);
  const Answer *answer = g_hash_table_lookup (self->answers, node->path);
  g_autofree char *name = g_strescape (item != NULL ? item->name : "", NULL);

  printf ("%u\t%s\t%u\t%" G_GUINT64_FORMAT "\t%d", node->depth, node->path, item != NULL ? item->role : 0, item != NULL ? item->states : 0,
          item != NULL && item->has_text);
  for (guint i = 0; i < G_N_ELEMENTS (answer->place); i++)
    printf ("\t%d", answer->place[i]);
  printf ("\t%s\n", name);
}

/* What is shown, and its children, which would be asked for level by level otherwise: what is to be asked for next time. */
static void
remember (const Program *self, const GArray *order)
{
  g_hash_table_remove_all (self->last);
  g_hash_table_replace (self->last, g_strdup (self->top), GINT_TO_POINTER (TRUE));
  for (guint i = 0; i < order->len; i++)
    {
      const Answer *answer = g_hash_table_lookup (self->answers, g_array_index (order, Node, i).path);

      for (char **child = answer->children; child != NULL && *child != NULL; child++)
        {
          const Answer *its = g_hash_table_lookup (self->answers, *child);

          g_hash_table_replace (self->last, g_strdup (*child), GINT_TO_POINTER (its->shown));
        }
    }
}

static void
ask_last (Program *self)
{
  g_autoptr (GPtrArray) paths = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer path;

  g_hash_table_iter_init (&iter, self->last);
  while (g_hash_table_iter_next (&iter, &path, NULL))
    g_ptr_array_add (paths, path);
  ask (self, paths);
}

/* `last`: see Program. */
static void
sweep (const char *bus, const char *top, GHashTable *last)
{
  Program program = { bus, top, g_hash_table_new_full (g_str_hash, g_str_equal, NULL, item_free),
                      g_hash_table_new_full (g_str_hash, g_str_equal, NULL, answer_free), last };
  GArray *order;
  gboolean known = TRUE;

  read_cache (&program);
  ask_last (&program);
  order = walk (&program);
  for (guint i = 0; i < order->len; i++)
    known = known && g_hash_table_contains (program.items, g_array_index (order, Node, i).path);
  if (!known)
    read_cache (&program);
  for (guint i = 0; i < order->len; i++)
    tell (&program, &g_array_index (order, Node, i));
  printf ("\n");
  fflush (stdout);
  remember (&program, order);
  g_array_unref (order);
  g_hash_table_unref (program.answers);
  g_hash_table_unref (program.items);
}

/* The accessibility bus, whose address the session's bus knows; NULL with an error. */
static DBusConnection *
connect_to_bus (DBusError *error)
{
  DBusConnection *session = dbus_bus_get (DBUS_BUS_SESSION, error), *bus = NULL;
  DBusMessage *message, *answer = NULL;
  const char *address;

  if (session == NULL)
    return NULL;
  message = dbus_message_new_method_call ("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress");
  answer = dbus_connection_send_with_reply_and_block (session, message, TIME_LIMIT_MS, error);
  dbus_message_unref (message);
  if (answer != NULL && dbus_message_get_args (answer, error, DBUS_TYPE_STRING, &address, DBUS_TYPE_INVALID))
    bus = dbus_connection_open_private (address, error);
  if (bus != NULL && !dbus_bus_register (bus, error))
    {
      dbus_connection_close (bus);
      g_clear_pointer (&bus, dbus_connection_unref);
    }
  g_clear_pointer (&answer, dbus_message_unref);
  dbus_connection_unref (session);
  return bus;
}

int
main (void)
{
  DBusError error = DBUS_ERROR_INIT;
  g_autoptr (GHashTable) last = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  char bus[64], path[256];

  connection = connect_to_bus (&error);
  if (connection == NULL)
    {
      fprintf (stderr, "accessible-tree: %s\n", error.message);
      dbus_error_free (&error);
      return 1;
    }
  while (scanf ("%63s %255s", bus, path) == 2)
    sweep (bus, path, last);
  dbus_connection_close (connection);
  dbus_connection_unref (connection);
  return 0;
}
