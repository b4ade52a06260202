/* Flame graph as rows of boxes, and what a box says. */
#include "plots/plots-private.h"

#include "base/hash.h"
#include "view/layout.h"

#include <math.h>

/* --- flame graph ------------------------------------------------------------------------------------------------------- */

/* Amounts that are no whole numbers, as normalized ones, are widths all the same: this many to one. */
#define FINE 1e6

typedef struct
{
  WpPlots *kinds;
  WpTree *tree;
  GHashTable *children; /* parent << 32 | name -> node */
  GHashTable *names;    /* frame (WpValue) -> string of the tree */
  WpIdArray stack;      /* names, root first */
  double scale;
} TraceTree;

static WpId
child_of (TraceTree *t, WpId parent, WpId name)
{
  guint64 key = (guint64) parent << 32 | name;
  WpId node = GPOINTER_TO_UINT (g_hash_table_lookup (t->children, &key));

  if (node == 0)
    {
      node = t->tree->nodes.len;
      wp_array_push (&t->tree->nodes, ((WpNode) { .name = name, .parent = parent, .kind = WP_FRAME_RUN }));
      g_hash_table_insert (t->children, g_memdup2 (&key, sizeof key), GUINT_TO_POINTER (node));
    }
  return node;
}

/* "main test.c:45": what tells the frames of a trace apart. */
static void
append_frame (const WpValues *values, WpValue frame, GString *name)
{
  WpValue function = wp_value_get (values, frame, "function"), source = wp_value_get (values, frame, "source");
  WpValue line = wp_value_get (values, frame, "line");

  function = function != 0 ? function : wp_value_get (values, frame, "func");
  wp_value_str (values, function != 0 ? function : frame, name);
  if (*wp_value_string (values, source) == '/')
    {
      g_autofree char *file = g_path_get_basename (wp_value_string (values, source));

      g_string_append_printf (name, "  %s:", file);
      wp_value_str (values, line, name);
    }
}

/* Newer programs write traces outermost first. */
static gboolean
is_newer (const WpValues *values, WpValue trace)
{
  return wp_value_count (values, trace) > 0 && wp_value_get (values, wp_value_item (values, trace, 0), "func") != 0;
}

void
wp_plot_append_trace (const WpPlots *self, WpValue trace, GString *text)
{
  const WpValues *values = self->profile->values;
  guint32 n = wp_value_count (values, trace);

  for (guint32 i = 0; i < n; i++)
    {
      if (text->len > 0)
        g_string_append_c (text, '\n');
      append_frame (values, wp_value_item (values, trace, is_newer (values, trace) ? n - 1 - i : i), text);
    }
}

static WpId
name_of (TraceTree *t, WpValue frame)
{
  gpointer known = g_hash_table_lookup (t->names, GUINT_TO_POINTER (frame));
  g_autoptr (GString) name = NULL;
  WpId id;

  if (known != NULL)
    return GPOINTER_TO_UINT (known);
  name = g_string_new (NULL);
  append_frame (t->kinds->profile->values, frame, name);
  id = wp_strings_intern (t->tree->strings, name->len > 0 ? name->str : "?");
  g_hash_table_insert (t->names, GUINT_TO_POINTER (frame), GUINT_TO_POINTER (id));
  return id;
}

/* Newer programs leave the innermost frame to the uid. */
static void
find_stack (TraceTree *t, guint32 resource, gboolean inverted)
{
  const WpProfile *p = t->kinds->profile;
  WpValue trace = wp_profile_trace (p, resource);
  guint32 n = wp_value_count (p->values, trace);
  gboolean newer = is_newer (p->values, trace);

  t->stack.len = 0;
  if (newer && inverted)
    wp_array_push (&t->stack, name_of (t, wp_profile_field (p, resource, "uid")));
  for (guint32 i = 0; i < n; i++)
    wp_array_push (&t->stack, name_of (t, wp_value_item (p->values, trace, newer != inverted ? i : n - 1 - i)));
  if (newer && !inverted)
    wp_array_push (&t->stack, name_of (t, wp_profile_field (p, resource, "uid")));
}

static void
add_trace (TraceTree *t, guint32 resource, gboolean inverted)
{
  double amount = wp_plot_amount (t->kinds, resource) * t->scale;
  gint64 width = amount > 0 ? (gint64) llround (MIN (amount, 1e15)) : 0;
  WpId node = 0;

  if (width == 0 || wp_plot_frees (t->kinds, resource))
    return;
  find_stack (t, resource, inverted);
  if (t->stack.len == 0)
    return;
  t->tree->nodes.data[0].total += width;
  for (guint32 i = 0; i < t->stack.len; i++)
    {
      node = child_of (t, node, t->stack.data[i]);
      t->tree->nodes.data[node].total += width;
      t->tree->nodes.data[node].ns[WP_FRAME_RUN] += width;
    }
  t->tree->nodes.data[node].self += width;
}

static gboolean
has_fractions (const WpPlots *self)
{
  for (guint32 i = 0; i < self->profile->resources.len; i++)
    if (wp_plot_amount (self, i) != floor (wp_plot_amount (self, i)))
      return TRUE;
  return FALSE;
}

gboolean
wp_plot_flame (WpPlots *self, const WpPlotOptions *options, WpPlotPicture *picture, WpProgress *progress, GError **error)
{
  TraceTree t = { .kinds = self, .scale = self->unit == WP_UNIT_PLAIN && has_fractions (self) ? FINE : 1 };
  guint32 i, n = self->profile->resources.len;

  t.tree = wp_tree_alloc ();
  t.children = g_hash_table_new_full (wp_hash_int64, g_int64_equal, g_free, NULL);
  t.names = g_hash_table_new (wp_hash_pointer, NULL);
  for (i = 0; i < n && wp_progress_step (progress, (double) i / n, error); i++)
    add_trace (&t, i, options->inverted);
  if (i == n)
    {
      wp_tree_link (t.tree);
      picture->rows = wp_layout_tree (t.tree, options->icicle);
      picture->rows->x_unit = self->unit;
      picture->rows->scale = t.scale;
      picture->rows->plain = TRUE;
    }
  g_hash_table_unref (t.children);
  g_hash_table_unref (t.names);
  wp_array_clear (&t.stack);
  wp_tree_free (t.tree);
  return i == n;
}

/* --- tooltips -------------------------------------------------------------------------------------------------------------- */

char *
wp_plot_describe_box (const WpRows *rows, const WpPlotNotes *notes, guint32 box, guint frames)
{
  const WpBox *b = &rows->boxes.data[box];
  double scale = rows->scale > 0 ? rows->scale : 1, width = (double) (b->end - b->start) / scale;
  char a[WP_FORMAT_MAX], c[WP_FORMAT_MAX];

  if (rows->x_unit == WP_UNIT_ADDRESS)
    return wp_plot_describe_allocation (rows, notes, b, frames);
  return g_strdup_printf ("%s\n%s · %s", wp_rows_string (rows, b->label), wp_unit_format (rows->x_unit, width, a),
                          wp_format_share ((double) (b->end - b->start) / (double) MAX (rows->end - rows->start, 1), c));
}
