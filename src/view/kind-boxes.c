/* Flame graph and heap map as rows of boxes. */
#include "view/kinds-private.h"

#include "profile/heap-map.h"
#include "view/layout.h"

#include <glib/gi18n.h>
#include <math.h>

/* --- flame graph ------------------------------------------------------------------------------------------------------- */

/* Amounts that are no whole numbers, as normalized ones, are widths all the same: this many to one. */
#define FINE 1e6

typedef struct
{
  WpKinds *kinds;
  WpTree *tree;
  GHashTable *children; /* parent << 32 | name -> node */
  GHashTable *names;    /* frame (WpValue) -> string of the tree */
  WpIdArray stack;      /* names, root first */
  double scale;
} TraceTree;

static WpId
child_of (TraceTree *t, WpId parent, WpId name)
{
  gint64 key = (gint64) parent << 32 | name;
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
static WpId
name_of (TraceTree *t, WpValue frame)
{
  const WpValues *values = t->kinds->profile->values;
  gpointer known = g_hash_table_lookup (t->names, GUINT_TO_POINTER (frame));
  g_autoptr (GString) name = g_string_new (NULL);
  WpValue function, source, line;
  WpId id;

  if (known != NULL)
    return GPOINTER_TO_UINT (known);
  function = wp_value_get (values, frame, "function");
  function = function != 0 ? function : wp_value_get (values, frame, "func");
  source = wp_value_get (values, frame, "source");
  line = wp_value_get (values, frame, "line");
  wp_value_str (values, function != 0 ? function : frame, name);
  if (*wp_value_string (values, source) == '/')
    {
      g_autofree char *file = g_path_get_basename (wp_value_string (values, source));

      g_string_append_printf (name, "  %s:", file);
      wp_value_str (values, line, name);
    }
  id = wp_strings_intern (t->tree->strings, name->len > 0 ? name->str : "?");
  g_hash_table_insert (t->names, GUINT_TO_POINTER (frame), GUINT_TO_POINTER (id));
  return id;
}

/* Newer programs write traces outermost first and leave their innermost frame to the uid. */
static void
find_stack (TraceTree *t, guint32 resource, gboolean inverted)
{
  const WpProfile *p = t->kinds->profile;
  WpValue trace = wp_profile_field (p, resource, "trace");
  guint32 n = wp_value_count (p->values, trace);
  gboolean newer = n > 0 && wp_value_get (p->values, wp_value_item (p->values, trace, 0), "func") != 0;

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
  double amount = wp_kind_amount (t->kinds, resource) * t->scale;
  gint64 width = amount > 0 ? (gint64) llround (MIN (amount, 1e15)) : 0;
  WpId node = 0;

  if (width == 0 || wp_kind_frees (t->kinds, resource))
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
  t->tree->depth = MAX (t->tree->depth, t->stack.len);
}

static int
compare_totals (const void *a, const void *b, gpointer data)
{
  const WpTree *tree = data;
  WpId i = *(const WpId *) a, j = *(const WpId *) b;
  gint64 x = tree->nodes.data[i].total, y = tree->nodes.data[j].total;

  return x != y ? (x > y ? -1 : 1) : i < j ? -1 : i > j;
}

/* Children are linked shortest first, each before those that are there: the longest comes first. */
static void
link_children (WpTree *tree)
{
  guint32 n = tree->nodes.len;
  g_autofree WpId *order = g_new (WpId, (gsize) n + 1);

  for (WpId i = 1; i < n; i++)
    order[i - 1] = i;
  g_qsort_with_data (order, (int) n - 1, sizeof *order, compare_totals, tree);
  for (guint32 i = n - 1; i-- > 0;)
    {
      WpNode *node = &tree->nodes.data[order[i]], *parent = &tree->nodes.data[node->parent];

      node->next = parent->first_child;
      parent->first_child = order[i];
    }
}

static gboolean
has_fractions (const WpKinds *self)
{
  for (guint32 i = 0; i < self->profile->resources.len; i++)
    if (wp_kind_amount (self, i) != floor (wp_kind_amount (self, i)))
      return TRUE;
  return FALSE;
}

gboolean
wp_kind_flame (WpKinds *self, const WpKindOptions *options, WpKindPicture *picture, WpProgress *progress, GError **error)
{
  TraceTree t = { .kinds = self, .scale = self->unit == WP_UNIT_PLAIN && has_fractions (self) ? FINE : 1 };
  guint32 i, n = self->profile->resources.len;

  t.tree = g_new0 (WpTree, 1);
  t.tree->strings = wp_strings_new ();
  t.children = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  t.names = g_hash_table_new (NULL, NULL);
  wp_array_push (&t.tree->nodes, ((WpNode) { 0 }));
  for (i = 0; i < n && wp_progress_step (progress, (double) i / n, error); i++)
    add_trace (&t, i, options->inverted);
  if (i == n)
    {
      link_children (t.tree);
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

/* --- heap map ------------------------------------------------------------------------------------------------------------ */

#define ALIGN 64 /* addresses: where the axis begins */

typedef struct
{
  WpKinds *kinds;
  const WpHeapMap *map;
  WpRows *rows;
  WpGather gather;
  WpId *labels; /* by uid of the map */
  gint64 first, last;
} Heap;

static WpId
label_of (Heap *h, guint32 uid)
{
  if (h->labels[uid] == 0)
    {
      g_autoptr (WpFlattener) flattener = wp_flattener_new (h->kinds->profile->values);
      g_autoptr (GString) text = g_string_new (NULL);
      WpValue value = h->map->info.data[uid], function = wp_value_get (h->map->values, value, "function");
      WpValue line = wp_value_get (h->map->values, value, "line");

      wp_kind_text (h->kinds, function != 0 ? function : wp_flatten_joined (flattener, value), text);
      if (function != 0 && line != 0)
        {
          g_string_append_c (text, ':');
          wp_value_str (h->map->values, line, text);
        }
      h->labels[uid] = wp_strings_intern (h->rows->strings, text->str);
    }
  return h->labels[uid];
}

/* Of no length is what was asked for as 0 bytes. */
static void
add_allocation (Heap *h, guint32 row, const WpAllocation *a, WpId ref)
{
  if (a->amount <= 0)
    return;
  h->first = MIN (h->first, a->address);
  h->last = MAX (h->last, a->address + a->amount);
  wp_gather_add (&h->gather, row, &(WpBox) { .start = a->address, .end = a->address + a->amount, .label = label_of (h, a->uid),
                                             .ref = ref, .kind = WP_BOX_RUN });
}

static void
add_row (Heap *h, const char *label, gboolean group)
{
  wp_array_push (&h->rows->rows, ((WpRow) { .label = wp_strings_intern (h->rows->strings, label), .group = group }));
}

/* A row for each snapshot: what was allocated at its time. */
static void
add_snapshots (Heap *h)
{
  WpIdArray at = { 0 };

  for (guint32 s = 0; s < h->map->snapshots.len; s++)
    {
      const char *time = wp_value_string (h->map->values, h->map->snapshots.data[s].time);
      g_autofree char *label = *time != '\0' ? g_strdup_printf (_ ("%u: %s s"), s + 1, time) : g_strdup_printf ("%u", s + 1);

      add_row (h, label, FALSE);
      at.len = 0;
      wp_heap_map_at (h->map, s, &at);
      for (guint32 i = 0; i < at.len; i++)
        add_allocation (h, s, &h->map->allocations.data[at.data[i]], at.data[i]);
    }
  wp_array_clear (&at);
}

/* A row for everything, then one for each place in the program that allocated, those with most first. */
typedef struct
{
  guint32 uid, row;
  gint64 sum;
} Place;

static int
compare_places (const void *a, const void *b)
{
  const Place *x = a, *y = b;

  return x->sum != y->sum ? (x->sum > y->sum ? -1 : 1) : x->uid < y->uid ? -1 : x->uid > y->uid;
}

static guint32 *
add_places (Heap *h, const WpIdArray *at)
{
  guint32 n = h->map->info.len;
  g_autofree Place *places = g_new0 (Place, (gsize) n + 1);
  guint32 *rows = g_new0 (guint32, (gsize) n + 1);

  for (guint32 i = 0; i < n; i++)
    places[i].uid = i;
  for (guint32 i = 0; i < at->len; i++)
    places[h->map->allocations.data[at->data[i]].uid].sum += h->map->allocations.data[at->data[i]].amount;
  qsort (places, n, sizeof *places, compare_places);
  for (guint32 i = 0; i < n && places[i].sum > 0; i++)
    {
      char text[WP_FORMAT_MAX];
      g_autofree char *label = g_strdup_printf ("%s  %s", wp_strings_get (h->rows->strings, label_of (h, places[i].uid)),
                                                wp_unit_format (WP_UNIT_BYTES, (double) places[i].sum, text));

      rows[places[i].uid] = h->rows->rows.len;
      add_row (h, label, i == 0);
    }
  return rows;
}

static void
add_snapshot (Heap *h, guint32 snapshot)
{
  WpIdArray at = { 0 };
  g_autofree guint32 *rows = NULL;

  add_row (h, _ ("All"), FALSE);
  wp_heap_map_at (h->map, snapshot, &at);
  rows = add_places (h, &at);
  for (guint32 i = 0; i < at.len; i++)
    {
      const WpAllocation *a = &h->map->allocations.data[at.data[i]];

      add_allocation (h, 0, a, at.data[i]);
      add_allocation (h, rows[a->uid], a, at.data[i]);
    }
  wp_array_clear (&at);
}

/* All snapshots have the same axis, so that a slider through them leaves things where they are. */
static void
find_range (Heap *h)
{
  for (guint32 i = 0; i < h->map->allocations.len; i++)
    if (h->map->allocations.data[i].amount > 0)
      {
        h->first = MIN (h->first, h->map->allocations.data[i].address);
        h->last = MAX (h->last, h->map->allocations.data[i].address + h->map->allocations.data[i].amount);
      }
  h->rows->start = h->first < h->last ? h->first - ((h->first % ALIGN) + ALIGN) % ALIGN : 0;
  h->rows->end = h->first < h->last ? h->last : 1;
}

gboolean
wp_kind_heap_map (WpKinds *self, const WpKindOptions *options, WpKindPicture *picture, WpProgress *progress, GError **error)
{
  g_autoptr (WpHeapMap) map = wp_heap_map_new (self->profile, error);
  Heap h = { .kinds = self, .map = map, .first = G_MAXINT64, .last = G_MININT64 };

  (void) progress;
  if (map == NULL)
    return FALSE;
  h.rows = picture->rows = wp_rows_new ();
  h.labels = g_new0 (WpId, (gsize) map->info.len + 1);
  find_range (&h);
  if (options->snapshot > 0 && options->snapshot <= map->snapshots.len)
    add_snapshot (&h, options->snapshot - 1);
  else
    add_snapshots (&h);
  wp_gather_finish (&h.gather, h.rows);
  h.rows->x_unit = WP_UNIT_ADDRESS;
  h.rows->plain = TRUE;
  wp_rows_finish (h.rows);
  g_free (h.labels);
  return TRUE;
}

/* --- tooltips -------------------------------------------------------------------------------------------------------------- */

char *
wp_kind_describe_box (const WpRows *rows, guint32 box)
{
  const WpBox *b = &rows->boxes.data[box];
  double scale = rows->scale > 0 ? rows->scale : 1, width = (double) (b->end - b->start) / scale;
  char a[WP_FORMAT_MAX], c[WP_FORMAT_MAX], d[WP_FORMAT_MAX];

  if (rows->x_unit == WP_UNIT_ADDRESS)
    return g_strdup_printf ("%s\n%s – %s\n%s", wp_rows_string (rows, b->label),
                            wp_unit_format (WP_UNIT_ADDRESS, (double) b->start, a),
                            wp_unit_format (WP_UNIT_ADDRESS, (double) b->end, c), wp_unit_format (WP_UNIT_BYTES, width, d));
  return g_strdup_printf ("%s\n%s · %s", wp_rows_string (rows, b->label), wp_unit_format (rows->x_unit, width, a),
                          wp_format_share ((double) (b->end - b->start) / (double) MAX (rows->end - rows->start, 1), c));
}
