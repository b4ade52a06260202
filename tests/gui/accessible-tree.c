/* The tree of accessible objects of a running GTK program, read over D-Bus in one sweep, for tests that look at a window a thousand times.
 *
 * accessible-tree — reads lines "BUS PATH" from the standard input; answers each with a line for each object that is shown at or below that
 * one, parents before their children, and an empty line:
 *   DEPTH PATH ROLE STATES HAS-TEXT X Y WIDTH HEIGHT NAME
 * separated by tabs; the place in its window, 0 0 0 0 where it has none; the name escaped as in C.
 *
 * libatspi asks for each property of each object by a call of its own and waits for it: seconds for a window with a table. Here one call
 * brings the properties of all objects (the program's Cache, which is for that: whatever was a child of what was asked for its children). Its
 * parents are not those of GetChildren, so children and places are asked for: at once of all that were shown the last time, since waiting for
 * an answer takes far longer than giving it, then of each level of the tree that is new. What is not shown is left out with all below it. */
#include <gio/gio.h>
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
  GStrv children; /* paths; NULL: it has none */
  gint32 place[4];
  gboolean shown;
} Answer;

typedef struct
{
  const char *bus;
  GHashTable *items;   /* path → Item */
  GHashTable *answers; /* path → Answer */
} Program;

typedef struct
{
  const char *path; /* of an Answer */
  guint depth;
} Node;

static GDBusConnection *connection;

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

/* --- the cache ---------------------------------------------------------------------------------------------------- */

static Item *
read_item (GVariant *variant)
{
  Item *self = g_new0 (Item, 1);
  g_autoptr (GVariant) interfaces = NULL, states = NULL;
  g_autofree const char **names = NULL;
  guint32 low = 0, high = 0;

  g_variant_get (variant, "((so)(so)(so)ii@assus@au)", NULL, &self->path, NULL, NULL, NULL, NULL, NULL, &self->n_children, &interfaces,
                 &self->name, &self->role, NULL, &states);
  names = g_variant_get_strv (interfaces, NULL);
  self->has_text = g_strv_contains (names, "org.a11y.atspi.Text");
  g_variant_get_child (states, 0, "u", &low);
  g_variant_get_child (states, 1, "u", &high);
  self->states = (guint64) high << 32 | low;
  return self;
}

static void
read_cache (Program *self)
{
  g_autoptr (GVariant) answer = g_dbus_connection_call_sync (connection, self->bus, "/org/a11y/atspi/cache", "org.a11y.atspi.Cache", "GetItems",
                                                             NULL, NULL, G_DBUS_CALL_FLAGS_NONE, TIME_LIMIT_MS, NULL, NULL);
  g_autoptr (GVariant) list = answer != NULL ? g_variant_get_child_value (answer, 0) : NULL;

  g_hash_table_remove_all (self->items);
  for (gsize i = 0; list != NULL && i < g_variant_n_children (list); i++)
    {
      g_autoptr (GVariant) one = g_variant_get_child_value (list, i);
      Item *item = read_item (one);

      g_hash_table_replace (self->items, item->path, item);
    }
}

/* --- children and places ------------------------------------------------------------------------------------------ */

typedef struct
{
  Answer *answer;
  guint *left;
} Question;

/* NULL: it went away, or has no such interface. */
static GVariant *
answered (GAsyncResult *result, Question *question)
{
  --*question->left;
  return g_dbus_connection_call_finish (connection, result, NULL);
}

static void
on_children (GObject *source, GAsyncResult *result, gpointer data)
{
  Question *question = data;
  g_autoptr (GVariant) answer = answered (result, question);
  g_autoptr (GVariantIter) children = NULL;
  g_autoptr (GStrvBuilder) paths = g_strv_builder_new ();
  const char *path;

  if (answer == NULL)
    return;
  g_variant_get (answer, "(a(so))", &children);
  while (g_variant_iter_next (children, "(&s&o)", NULL, &path))
    g_strv_builder_add (paths, path);
  question->answer->children = g_strv_builder_end (paths);
}

static void
on_place (GObject *source, GAsyncResult *result, gpointer data)
{
  Question *question = data;
  Answer *self = question->answer;
  g_autoptr (GVariant) answer = answered (result, question);

  if (answer != NULL)
    g_variant_get (answer, "((iiii))", &self->place[0], &self->place[1], &self->place[2], &self->place[3]);
  /* GTK 4.8 does not tell what is showing, but what is not drawn has no size. */
  self->shown = answer == NULL || (self->place[2] > 0 && self->place[3] > 0);
}

static void
call (const Program *self, Question *question, const char *interface, const char *method, GVariant *arguments, GAsyncReadyCallback answer)
{
  ++*question->left;
  g_dbus_connection_call (connection, self->bus, question->answer->path, interface, method, arguments, NULL, G_DBUS_CALL_FLAGS_NONE,
                          TIME_LIMIT_MS, NULL, answer, question);
}

/* Asks for the children and places of these paths. GTK says that the top, which is the program, has no children. */
static void
ask (Program *self, GPtrArray *paths, const char *top)
{
  g_autofree Question *questions = g_new (Question, paths->len + 1);
  guint left = 0;

  for (guint i = 0; i < paths->len; i++)
    {
      Answer *answer;
      const Item *item = g_hash_table_lookup (self->items, paths->pdata[i]);

      if (g_hash_table_contains (self->answers, paths->pdata[i]))
        continue;
      answer = g_new0 (Answer, 1);
      answer->path = g_strdup (paths->pdata[i]);
      g_hash_table_replace (self->answers, answer->path, answer);
      questions[i] = (Question) { answer, &left };
      call (self, &questions[i], COMPONENT, "GetExtents", g_variant_new ("(u)", COORD_TYPE_WINDOW), on_place);
      if (item == NULL || item->n_children > 0 || g_str_equal (answer->path, top))
        call (self, &questions[i], ACCESSIBLE, "GetChildren", NULL, on_children);
    }
  while (left > 0)
    g_main_context_iteration (NULL, TRUE);
}

/* Asks for what is new among what is shown from the top on, until nothing is; returns all of it, parents before their children. */
static GArray *
walk (Program *self, const char *top)
{
  GArray *order = g_array_new (FALSE, FALSE, sizeof (Node));
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (Node));
  g_autoptr (GPtrArray) new = g_ptr_array_new ();

  do
    {
      ask (self, new, top);
      g_ptr_array_set_size (new, 0);
      g_array_set_size (order, 0);
      g_array_append_val (stack, ((Node) { top, 0 }));
      while (stack->len > 0)
        {
          Node node = g_array_index (stack, Node, stack->len - 1);
          const Answer *answer = g_hash_table_lookup (self->answers, node.path);

          g_array_set_size (stack, stack->len - 1);
          if (answer == NULL)
            g_ptr_array_add (new, (char *) node.path);
          else if (answer->shown || node.depth == 0)
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

/* What is shown, and its children: what is to be asked for next time. */
static void
remember (const Program *self, const GArray *order, GPtrArray *last)
{
  g_ptr_array_set_size (last, 0);
  if (order->len > 0)
    g_ptr_array_add (last, g_strdup (g_array_index (order, Node, 0).path));
  for (guint i = 0; i < order->len; i++)
    {
      const Answer *answer = g_hash_table_lookup (self->answers, g_array_index (order, Node, i).path);

      for (char **child = answer->children; child != NULL && *child != NULL; child++)
        g_ptr_array_add (last, g_strdup (*child));
    }
}

/* `last`: what was shown before, with the children that were not, which would be asked for level by level otherwise; replaced by what is now. */
static void
sweep (const char *bus, const char *top, GPtrArray *last)
{
  Program program = { bus, g_hash_table_new_full (g_str_hash, g_str_equal, NULL, item_free),
                      g_hash_table_new_full (g_str_hash, g_str_equal, NULL, answer_free) };
  GArray *order;
  gboolean known = TRUE;

  read_cache (&program);
  ask (&program, last, top);
  order = walk (&program, top);
  for (guint i = 0; i < order->len; i++)
    known = known && g_hash_table_contains (program.items, g_array_index (order, Node, i).path);
  if (!known)
    read_cache (&program);
  for (guint i = 0; i < order->len; i++)
    tell (&program, &g_array_index (order, Node, i));
  printf ("\n");
  fflush (stdout);
  remember (&program, order, last);
  g_array_unref (order);
  g_hash_table_unref (program.answers);
  g_hash_table_unref (program.items);
}

static GDBusConnection *
connect_to_bus (GError **error)
{
  g_autoptr (GDBusConnection) session = g_bus_get_sync (G_BUS_TYPE_SESSION, NULL, error);
  g_autoptr (GVariant) answer = NULL;
  const char *address;

  if (session != NULL)
    answer = g_dbus_connection_call_sync (session, "org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress", NULL, NULL,
                                          G_DBUS_CALL_FLAGS_NONE, TIME_LIMIT_MS, NULL, error);
  if (answer == NULL)
    return NULL;
  g_variant_get (answer, "(&s)", &address);
  return g_dbus_connection_new_for_address_sync (address,
                                                 G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT
                                                   | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION,
                                                 NULL, NULL, error);
}

int
main (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) last = g_ptr_array_new_with_free_func (g_free);
  char bus[64], path[256];

  connection = connect_to_bus (&error);
  if (connection == NULL)
    {
      fprintf (stderr, "accessible-tree: %s\n", error->message);
      return 1;
    }
  while (scanf ("%63s %255s", bus, path) == 2)
    sweep (bus, path, last);
  g_object_unref (connection);
  return 0;
}
