/* The tree of accessible objects of a running GTK program, read over D-Bus in one sweep, for tests that look at a window a thousand times.
 *
 * accessible-tree — reads lines "BUS PATH" from the standard input; answers each with a line for each object that is shown at or below that
 * one, parents before their children, and an empty line:
 *   DEPTH PATH ROLE STATES HAS-TEXT X Y WIDTH HEIGHT NAME
 * separated by tabs; the place in its window, 0 0 0 0 where it has none; the name escaped as in C.
 *
 * libatspi asks for each property of each object by a call of its own and waits for it: seconds for a window with a table. Here one call
 * brings the properties of all objects (the program's Cache, which is for that: whatever was a child of what was asked for its children). Its
 * parents are not those of GetChildren, so children and places are asked for, of a whole level of the tree at once; what is not shown is left
 * out with all below it. */
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

typedef struct
{
  char *path;
  guint depth;
  gint32 place[4];
  gboolean shown;
  GPtrArray *below; /* Node */
} Node;

typedef struct
{
  const char *bus;
  GHashTable *items; /* path → Item */
} Program;

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
node_free (gpointer data)
{
  Node *self = data;

  g_free (self->path);
  g_ptr_array_unref (self->below);
  g_free (self);
}

static Node *
node_new (const char *path, guint depth)
{
  Node *self = g_new0 (Node, 1);

  self->path = g_strdup (path);
  self->depth = depth;
  self->below = g_ptr_array_new_with_free_func (node_free);
  return self;
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

/* --- a level of the tree ------------------------------------------------------------------------------------------ */

typedef struct
{
  Node *node;
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
  const char *path;

  if (answer == NULL)
    return;
  g_variant_get (answer, "(a(so))", &children);
  while (g_variant_iter_next (children, "(&s&o)", NULL, &path))
    g_ptr_array_add (question->node->below, node_new (path, question->node->depth + 1));
}

static void
on_place (GObject *source, GAsyncResult *result, gpointer data)
{
  Question *question = data;
  Node *node = question->node;
  g_autoptr (GVariant) answer = answered (result, question);

  if (answer != NULL)
    g_variant_get (answer, "((iiii))", &node->place[0], &node->place[1], &node->place[2], &node->place[3]);
  /* GTK 4.8 does not tell what is showing, but what is not drawn has no size. */
  node->shown = answer == NULL || (node->place[2] > 0 && node->place[3] > 0);
}

static void
ask (const Program *self, GPtrArray *nodes, const char *interface, const char *method, GVariant *arguments, GAsyncReadyCallback answer)
{
  g_autofree Question *questions = g_new (Question, nodes->len + 1);
  g_autoptr (GVariant) sunk = arguments != NULL ? g_variant_ref_sink (arguments) : NULL;
  guint left = nodes->len;

  for (guint i = 0; i < nodes->len; i++)
    {
      questions[i] = (Question) { nodes->pdata[i], &left };
      g_dbus_connection_call (connection, self->bus, questions[i].node->path, interface, method, sunk, NULL, G_DBUS_CALL_FLAGS_NONE,
                              TIME_LIMIT_MS, NULL, answer, &questions[i]);
    }
  while (left > 0)
    g_main_context_iteration (NULL, TRUE);
}

/* GTK counts no windows below the program. */
static gboolean
may_have_children (const Program *self, const Node *node)
{
  const Item *item = g_hash_table_lookup (self->items, node->path);

  return item == NULL || item->n_children > 0 || node->depth == 0;
}

static GPtrArray *
next_level (const Program *self, GPtrArray *level)
{
  g_autoptr (GPtrArray) parents = g_ptr_array_new (), under = g_ptr_array_new ();
  GPtrArray *next = g_ptr_array_new ();

  for (guint i = 0; i < level->len; i++)
    if (may_have_children (self, level->pdata[i]))
      g_ptr_array_add (parents, level->pdata[i]);
  ask (self, parents, ACCESSIBLE, "GetChildren", NULL, on_children);
  for (guint i = 0; i < parents->len; i++)
    g_ptr_array_extend (under, ((Node *) parents->pdata[i])->below, NULL, NULL);
  ask (self, under, COMPONENT, "GetExtents", g_variant_new ("(u)", COORD_TYPE_WINDOW), on_place);
  for (guint i = 0; i < under->len; i++)
    if (((Node *) under->pdata[i])->shown)
      g_ptr_array_add (next, under->pdata[i]);
  return next;
}

/* --- what is told ------------------------------------------------------------------------------------------------- */

static void
tell (const Program *self, const Node *node)
{
  const Item *item = g_hash_table_lookup (self->items, node->path);
  g_autofree char *name = g_strescape (item != NULL ? item->name : "", NULL);

  printf ("%u\t%s\t%u\t%" G_GUINT64_FORMAT "\t%d", node->depth, node->path, item != NULL ? item->role : 0, item != NULL ? item->states : 0,
          item != NULL && item->has_text);
  for (guint i = 0; i < G_N_ELEMENTS (node->place); i++)
    printf ("\t%d", node->place[i]);
  printf ("\t%s\n", name);
}

/* Parents before their children. */
static void
tell_all (Program *self, Node *top)
{
  g_autoptr (GPtrArray) stack = g_ptr_array_new (), order = g_ptr_array_new ();
  gboolean known = TRUE;

  g_ptr_array_add (stack, top);
  while (stack->len > 0)
    {
      Node *node = g_ptr_array_steal_index (stack, stack->len - 1);

      g_ptr_array_add (order, node);
      known = known && g_hash_table_contains (self->items, node->path);
      for (guint i = node->below->len; i > 0; i--)
        if (((Node *) node->below->pdata[i - 1])->shown)
          g_ptr_array_add (stack, node->below->pdata[i - 1]);
    }
  if (!known)
    read_cache (self);
  for (guint i = 0; i < order->len; i++)
    tell (self, order->pdata[i]);
  printf ("\n");
  fflush (stdout);
}

static void
sweep (const char *bus, const char *path)
{
  Program program = { bus, g_hash_table_new_full (g_str_hash, g_str_equal, NULL, item_free) };
  Node *top = node_new (path, 0);
  GPtrArray *level = g_ptr_array_new ();

  read_cache (&program);
  g_ptr_array_add (level, top);
  while (level->len > 0)
    {
      GPtrArray *next = next_level (&program, level);

      g_ptr_array_unref (level);
      level = next;
    }
  tell_all (&program, top);
  g_ptr_array_unref (level);
  node_free (top);
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
  char bus[64], path[256];

  connection = connect_to_bus (&error);
  if (connection == NULL)
    {
      fprintf (stderr, "accessible-tree: %s\n", error->message);
      return 1;
    }
  while (scanf ("%63s %255s", bus, path) == 2)
    sweep (bus, path);
  g_object_unref (connection);
  return 0;
}
