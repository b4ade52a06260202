#include "stacks/tree.h"

WpFrameKind
wp_module_frame_kind (const char *file)
{
  static const struct
  {
    const char *module;
    WpFrameKind kind;
  } others[] = {
    { WP_MODULE_PROCESS, WP_FRAME_PROCESS }, { WP_MODULE_DISK, WP_FRAME_DISK }, { WP_MODULE_QUEUE, WP_FRAME_QUEUE },
    { WP_MODULE_NETWORK, WP_FRAME_NET }, { WP_MODULE_CPU, WP_FRAME_RUNNABLE },
    { WP_MODULE_INTERRUPT, WP_FRAME_HARDWARE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    if (g_str_equal (file, others[i].module))
      return others[i].kind;
  if (strstr (file, "[kernel") != NULL || strstr (file, "[guest.kernel") != NULL || strstr (file, "vmlinux") != NULL || strstr (file, ".ko") != NULL
      || g_str_equal (file, "kernel"))
    return WP_FRAME_OF_KERNEL;
  if (strstr (file, ".so") != NULL || strstr (file, ".dylib") != NULL || strstr (file, ".dll") != NULL || g_str_equal (file, "[vdso]"))
    return WP_FRAME_OF_LIBRARY;
  return WP_FRAME_OF_PROGRAM;
}

WpTree *
wp_tree_alloc (void)
{
  WpTree *self = g_new0 (WpTree, 1);

  self->strings = wp_strings_new ();
  wp_array_resize (&self->nodes, 1);
  return self;
}

static void
find_depth (WpTree *tree)
{
  g_autofree guint32 *depth = g_new0 (guint32, tree->nodes.len);

  for (WpId n = 1; n < tree->nodes.len; n++)
    {
      depth[n] = depth[tree->nodes.data[n].parent] + 1;
      tree->depth = MAX (tree->depth, depth[n]);
    }
}

static int
compare_nodes (const void *a, const void *b, void *data)
{
  const WpTree *tree = data;
  const WpNode *x = &tree->nodes.data[*(const WpId *) a], *y = &tree->nodes.data[*(const WpId *) b];

  if (x->total != y->total)
    return x->total > y->total ? -1 : 1;
  return strcmp (wp_strings_get (tree->strings, x->name), wp_strings_get (tree->strings, y->name));
}

/* Links every node's children, longest first: all nodes are sorted once, then hung on in reverse. */
static void
link_children (WpTree *tree)
{
  g_autofree WpId *order = g_new (WpId, tree->nodes.len);

  for (WpId n = 0; n < tree->nodes.len; n++)
    order[n] = n;
  g_qsort_with_data (order + 1, tree->nodes.len - 1, sizeof *order, (GCompareDataFunc) compare_nodes, tree);
  for (guint32 i = tree->nodes.len; i-- > 1;)
    {
      WpNode *node = &tree->nodes.data[order[i]], *parent = &tree->nodes.data[node->parent];

      if (node->total == 0)
        continue;
      node->next = parent->first_child;
      parent->first_child = order[i];
    }
}

void
wp_tree_link (WpTree *self)
{
  find_depth (self);
  link_children (self);
}

void
wp_tree_free (WpTree *self)
{
  if (self == NULL)
    return;
  wp_strings_free (self->strings);
  wp_array_clear (&self->nodes);
  wp_array_clear (&self->sources);
  wp_array_clear (&self->hidden);
  g_free (self);
}

static void
append_name (GString *out, const char *name)
{
  for (; *name != '\0'; name++)
    g_string_append_c (out, *name == ';' ? ':' : *name == '\n' || *name == '\r' ? ' ' : *name);
}

guint64
wp_tree_folded_size (const WpTree *self)
{
  g_autofree guint64 *lengths = g_new0 (guint64, self->nodes.len + 1);
  guint64 sum = 0;

  for (WpId n = 1; n < self->nodes.len; n++) /* parents come before their children */
    {
      const WpNode *node = &self->nodes.data[n];

      lengths[n] = lengths[node->parent] + strlen (wp_strings_get (self->strings, node->name)) + 1;
      sum += node->self != 0 ? lengths[n] + 21 : 0;
    }
  return sum;
}

void
wp_tree_folded (const WpTree *self, GString *out)
{
  WpIdArray path = { 0 };

  for (WpId n = 1; n < self->nodes.len; n++)
    {
      if (self->nodes.data[n].self == 0)
        continue;
      path.len = 0;
      for (WpId at = n; at != 0; at = self->nodes.data[at].parent)
        wp_array_push (&path, self->nodes.data[at].name);
      for (guint32 i = path.len; i-- > 0;)
        {
          append_name (out, wp_strings_get (self->strings, path.data[i]));
          g_string_append_c (out, i > 0 ? ';' : ' ');
        }
      g_string_append_printf (out, "%" G_GINT64_FORMAT "\n", self->nodes.data[n].self);
    }
  wp_array_clear (&path);
}
