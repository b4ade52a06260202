/* Gathering profiles, and what their figures come to. */
#include "profile/compare/compare-private.h"

#include "base/hash.h"

#include <math.h>
#include <stdlib.h>

WpComparer *
wp_comparer_new (guint n_a, guint n_b)
{
  WpComparer *self = g_new0 (WpComparer, 1);

  self->result = g_new0 (WpComparison, 1);
  self->result->strings = wp_strings_new ();
  self->result->stacks = wp_named_stacks_new ();
  self->result->warnings = g_ptr_array_new_with_free_func (g_free);
  self->result->factor = 1;
  self->rows = g_hash_table_new_full (wp_hash_string, g_str_equal, g_free, NULL);
  self->n[WP_SIDE_A] = n_a;
  self->n[WP_SIDE_B] = n_b;
  self->columns = n_a + n_b;
  wp_array_resize (&self->result->nodes, 1);
  wp_array_resize (&self->amounts, 1);
  wp_array_resize (&self->result->frames, 1);
  wp_array_resize (&self->self_values, self->columns);
  wp_array_resize (&self->total_values, self->columns);
  wp_array_resize (&self->node_values, self->columns);
  return self;
}

void
wp_comparer_free (WpComparer *self)
{
  if (self == NULL)
    return;
  wp_comparison_free (self->result);
  g_hash_table_unref (self->rows);
  wp_pair_map_clear (&self->frames);
  wp_pair_map_clear (&self->nodes);
  wp_pair_map_clear (&self->hidden);
  wp_array_clear (&self->row_values);
  wp_array_clear (&self->self_values);
  wp_array_clear (&self->total_values);
  wp_array_clear (&self->node_values);
  wp_array_clear (&self->amounts);
  wp_array_clear (&self->spent);
  wp_array_clear (&self->spent_values);
  wp_pair_map_clear (&self->spent_rows);
  wp_array_clear (&self->waits);
  wp_array_clear (&self->wait_values);
  wp_array_clear (&self->wait_counts);
  wp_pair_map_clear (&self->wait_rows);
  g_free (self);
}

void
wp_comparison_free (WpComparison *self)
{
  if (self == NULL)
    return;
  for (guint side = 0; side < WP_N_SIDES; side++)
    {
      g_free (self->names[side]);
      for (guint32 i = 0; i < self->profiles[side].len; i++)
        {
          g_free (self->profiles[side].data[i].path);
          for (guint f = 0; f < WP_N_FACTS; f++)
            g_free (self->profiles[side].data[i].facts[f]);
        }
      wp_array_clear (&self->profiles[side]);
    }
  for (guint32 r = 0; r < self->rows.len; r++)
    {
      g_free (self->rows.data[r].id);
      g_free (self->rows.data[r].name);
      g_free (self->rows.data[r].unit_name);
    }
  for (guint32 t = 0; t < self->types.len; t++)
    {
      g_free (self->types.data[t].name);
      g_free (self->types.data[t].shown);
    }
  for (guint32 i = 0; i < self->answer.len; i++)
    g_free (self->answer.data[i].text);
  wp_array_clear (&self->answer);
  for (guint32 i = 0; i < self->waits.len; i++)
    g_free (self->waits.data[i].row.name);
  wp_array_clear (&self->waits);
  wp_array_clear (&self->types);
  wp_array_clear (&self->rows);
  wp_array_clear (&self->frames);
  wp_array_clear (&self->nodes);
  wp_array_clear (&self->hidden);
  wp_named_stacks_free (self->stacks);
  g_clear_pointer (&self->warnings, g_ptr_array_unref);
  wp_strings_free (self->strings);
  g_free (self->unit_name);
  g_free (self->said_unit);
  g_free (self);
}

/* --- gathering ------------------------------------------------------------------------------------------------------- */

/* The first profile decides; the others must be of the same unit. */
static gboolean
take_unit (WpComparison *self, const char *path, const char *name, double *factor, GError **error)
{
  WpUnit unit = wp_unit_from_name (name, factor);
  const char *plain = unit == WP_UNIT_PLAIN ? name : "";

  if (self->unit_name == NULL)
    {
      self->unit = unit;
      self->unit_name = g_strdup (plain);
      self->said_unit = g_strdup (name);
    }
  if (self->unit == unit && g_str_equal (self->unit_name, plain))
    return TRUE;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
               "%s: amounts are in %s, those before in %s; compare profiles of one kind", path,
               *name != '\0' ? name : "no unit", *self->said_unit != '\0' ? self->said_unit : "no unit");
  return FALSE;
}

WpCompared *
wp_comparer_begin (WpComparer *self, WpSide side, const char *path, const char *unit_name, double *factor, GError **error)
{
  WpComparison *result = self->result;
  WpCompared *profile;

  if (!take_unit (result, path, unit_name, factor, error))
    return NULL;
  g_return_val_if_fail (self->added[side] < self->n[side], NULL);
  self->side = side;
  self->column = self->added[side]++ + (side == WP_SIDE_B ? self->n[WP_SIDE_A] : 0);
  profile = wp_array_add (&result->profiles[side]);
  profile->path = g_strdup (path);
  return profile;
}

static void
add_row (WpComparer *self, WpRowLevel level, const char *id, const char *name, WpUnit unit, const char *unit_name, double amount)
{
  WpComparison *result = self->result;
  char *key = g_strdup_printf ("%u\n%s\n%s", level, id, level == WP_ROW_SUB ? name : "");
  guint row = GPOINTER_TO_UINT (g_hash_table_lookup (self->rows, key));

  if (row == 0)
    {
      WpComparedRow *added = wp_array_add (&result->rows);

      *added = (WpComparedRow) { .level = level, .id = g_strdup (id), .name = g_strdup (name), .unit = unit, .unit_name = g_strdup (unit_name) };
      row = result->rows.len;
      wp_array_resize (&self->row_values, row * self->columns);
      g_hash_table_insert (self->rows, g_steal_pointer (&key), GUINT_TO_POINTER (row));
    }
  self->row_values.data[(row - 1) * self->columns + self->column] += amount;
  g_free (key);
}

void
wp_comparer_row (WpComparer *self, WpRowLevel level, const char *id, const char *name, double amount)
{
  add_row (self, level, id, name, self->result->unit, self->result->unit_name, amount);
}

void
wp_comparer_figure (WpComparer *self, const char *name, const char *unit_name, double amount)
{
  double factor;
  WpUnit unit = wp_unit_from_name (unit_name, &factor);

  add_row (self, WP_ROW_FIGURE, name, name, unit, unit == WP_UNIT_PLAIN ? unit_name : "", amount * factor);
}

WpId
wp_comparer_frame (WpComparer *self, const char *name, const char *module)
{
  WpComparison *result = self->result;
  WpComparedFrame frame = { .name = wp_strings_intern (result->strings, name),
                            .module = wp_strings_intern (result->strings, module) };
  guint32 *found = wp_pair_map_at (&self->frames, frame.name, frame.module);

  if (*found == 0)
    {
      *found = result->frames.len;
      wp_array_push (&result->frames, frame);
      wp_array_resize (&self->self_values, result->frames.len * self->columns);
      wp_array_resize (&self->total_values, result->frames.len * self->columns);
    }
  return *found;
}

WpId
wp_comparer_node (WpComparer *self, WpId parent, WpId frame)
{
  WpComparison *result = self->result;
  guint32 *found = wp_pair_map_at (&self->nodes, parent, frame);

  if (*found == 0)
    {
      WpComparedNode *above = &result->nodes.data[parent];
      WpComparedNode node = { .frame = frame, .parent = parent, .next = above->first_child };

      *found = above->first_child = result->nodes.len;
      wp_array_push (&result->nodes, node);
      wp_array_push (&self->amounts, 0);
      wp_array_resize (&self->node_values, result->nodes.len * self->columns);
    }
  return *found;
}

void
wp_comparer_amount (WpComparer *self, WpId node, double amount)
{
  self->amounts.data[node] += amount;
}

void
wp_comparer_frame_amounts (WpComparer *self, WpId frame, double own, double total)
{
  self->self_values.data[frame * self->columns + self->column] += own;
  self->total_values.data[frame * self->columns + self->column] += total;
  self->frames_given = TRUE;
}

/* Every node once on the way down and once on the way up, without a stack: the frames that are open on the way from the root
 * are counted, so that a frame within itself adds nothing to its total. */
static void
add_frame_totals (WpComparer *self, const double *totals)
{
  const WpComparedNode *nodes = self->result->nodes.data;
  g_autofree guint32 *open = g_new0 (guint32, self->result->frames.len);
  WpId node = nodes[0].first_child;

  while (node != 0)
    {
      if (open[nodes[node].frame]++ == 0)
        self->total_values.data[nodes[node].frame * self->columns + self->column] += totals[node];
      if (nodes[node].first_child != 0)
        {
          node = nodes[node].first_child;
          continue;
        }
      open[nodes[node].frame]--;
      while (node != 0 && nodes[node].next == 0)
        {
          node = nodes[node].parent;
          if (node != 0)
            open[nodes[node].frame]--;
        }
      node = node != 0 ? nodes[node].next : 0;
    }
}

void
wp_comparer_end (WpComparer *self)
{
  WpComparison *result = self->result;
  g_autofree double *totals = g_new0 (double, result->nodes.len);
  double share = 1.0 / self->n[self->side];

  for (WpId n = result->nodes.len; n-- > 0;)
    {
      WpComparedNode *node = &result->nodes.data[n];
      double own = self->amounts.data[n];

      totals[n] += own;
      node->self[self->side] += own * share;
      node->total[self->side] += totals[n] * share;
      self->node_values.data[n * self->columns + self->column] = totals[n];
      if (n > 0)
        {
          totals[node->parent] += totals[n];
          if (!self->frames_given)
            self->self_values.data[node->frame * self->columns + self->column] += own;
        }
      self->amounts.data[n] = 0;
    }
  if (!self->frames_given)
    add_frame_totals (self, totals);
  self->frames_given = FALSE;
}

/* --- what it comes to ------------------------------------------------------------------------------------------------ */

static double
sum_of (const WpComparer *self, const double *values)
{
  double sum = 0;

  for (guint i = 0; i < self->columns; i++)
    sum += fabs (values[i]);
  return sum;
}

double
wp_comparer_least (const WpComparer *self, const double *everything)
{
  return WP_COMPARE_LEAST * sum_of (self, everything);
}

WpChange
wp_comparer_change (const WpComparer *self, const double *values, double least)
{
  double sum = sum_of (self, values);
  guint n_a = self->n[WP_SIDE_A], n_b = self->n[WP_SIDE_B];
  WpChange change = { .mean = { wp_mean (values, n_a), wp_mean (values + n_a, n_b) },
                      .p = NAN, .shift = NAN, .low = NAN, .high = NAN, .adjusted = NAN };
  WpShift shift;

  if (!wp_shift_possible (n_a, n_b, WP_COMPARE_ALPHA) || sum == 0 || sum < least)
    return change;
  shift = wp_shift_test (values, n_a, values + n_a, n_b, WP_COMPARE_LEVEL);
  change.p = change.adjusted = shift.p;
  change.shift = shift.shift;
  change.low = shift.low;
  change.high = shift.high;
  change.evidence = shift.p <= WP_COMPARE_ALPHA ? WP_EVIDENCE_CHANGE : WP_EVIDENCE_NOISE;
  return change;
}

guint32
wp_comparer_adjust (WpChange **changes, guint32 n)
{
  g_autofree double *p = g_new (double, n);
  guint32 tested = 0;

  for (guint32 i = 0; i < n; i++)
    p[i] = changes[i]->p;
  wp_adjust_p (p, n);
  for (guint32 i = 0; i < n; i++)
    if (changes[i]->evidence != WP_EVIDENCE_NONE)
      {
        changes[i]->adjusted = p[i];
        changes[i]->evidence = p[i] <= WP_COMPARE_ALPHA ? WP_EVIDENCE_CHANGE : WP_EVIDENCE_NOISE;
        tested++;
      }
  return tested;
}

/* The root is everything, and tested for itself. */
static void
judge_nodes (WpComparer *self)
{
  guint32 n = self->result->nodes.len;
  double least = wp_comparer_least (self, self->node_values.data);
  g_autofree WpChange *changes = g_new (WpChange, n);
  g_autofree WpChange **family = g_new (WpChange *, n);

  for (WpId i = 0; i < n; i++)
    {
      changes[i] = wp_comparer_change (self, self->node_values.data + (gsize) i * self->columns, least);
      family[i] = &changes[i];
    }
  wp_comparer_adjust (family + 1, n - 1);
  for (WpId i = 0; i < n; i++)
    self->result->nodes.data[i].evidence = changes[i].evidence;
}

/* A figure, as the total of a type of stacks, is no part of another one. */
static void
judge_rows (WpComparer *self)
{
  WpComparison *result = self->result;
  guint32 n = result->rows.len;
  double least = n > 0 ? wp_comparer_least (self, self->row_values.data) : 0;
  g_autofree WpChange **family = g_new (WpChange *, n);

  for (guint32 r = 0; r < n; r++)
    {
      WpComparedRow *row = &result->rows.data[r];

      row->change = wp_comparer_change (self, self->row_values.data + (gsize) r * self->columns, row->level == WP_ROW_FIGURE ? 0 : least);
      family[r] = &row->change;
    }
  if (n > 0)
    result->n_tested = wp_comparer_adjust (family + 1, n - 1);
}

static void
judge_frames (WpComparer *self)
{
  WpComparison *result = self->result;
  guint32 n = result->frames.len;
  double least = wp_comparer_least (self, self->node_values.data);
  g_autofree WpChange **own = g_new (WpChange *, n), **total = g_new (WpChange *, n);

  for (WpId f = 1; f < n; f++)
    {
      WpComparedFrame *frame = &result->frames.data[f];

      frame->self = wp_comparer_change (self, self->self_values.data + (gsize) f * self->columns, least);
      frame->total = wp_comparer_change (self, self->total_values.data + (gsize) f * self->columns, least);
      own[f] = &frame->self;
      total[f] = &frame->total;
    }
  wp_comparer_adjust (own + 1, n - 1);
  wp_comparer_adjust (total + 1, n - 1);
}

static void
scale (const WpComparer *self, double *values, guint32 n)
{
  for (guint32 row = 0; row < n; row++)
    for (guint i = 0; i < self->n[WP_SIDE_A]; i++)
      values[(gsize) row * self->columns + i] *= self->result->factor;
}

/* Both sides' totals the same: A is as long as B. */
static void
normalise (WpComparer *self)
{
  WpComparison *result = self->result;
  const double *total = result->nodes.data[0].total;

  result->normalised = TRUE;
  if (total[WP_SIDE_A] > 0 && total[WP_SIDE_B] > 0)
    result->factor = total[WP_SIDE_B] / total[WP_SIDE_A];
  for (WpId n = 0; n < result->nodes.len; n++)
    {
      result->nodes.data[n].self[WP_SIDE_A] *= result->factor;
      result->nodes.data[n].total[WP_SIDE_A] *= result->factor;
    }
  scale (self, self->self_values.data, result->frames.len);
  scale (self, self->total_values.data, result->frames.len);
  scale (self, self->node_values.data, result->nodes.len);
}

static int
compare_frames (const void *a, const void *b, void *data)
{
  const WpComparison *self = data;
  const WpComparedFrame *x = a, *y = b;
  double own = fabs (wp_change_absolute (&y->self)) - fabs (wp_change_absolute (&x->self));
  double all = fabs (wp_change_absolute (&y->total)) - fabs (wp_change_absolute (&x->total));
  int order = (own > 0) - (own < 0);

  if (order == 0)
    order = (all > 0) - (all < 0);
  if (order == 0)
    order = strcmp (wp_strings_get (self->strings, x->name), wp_strings_get (self->strings, y->name));
  return order != 0 ? order : strcmp (wp_strings_get (self->strings, x->module), wp_strings_get (self->strings, y->module));
}

/* Sorts the frames and tells the nodes their new numbers. */
static void
sort_frames (WpComparison *self)
{
  guint32 n = self->frames.len;
  g_autofree WpId *moved = g_new0 (WpId, n);
  g_autofree WpId *names = NULL;
  WpPairMap where = { 0 };

  if (n < 2)
    return;
  names = g_new (WpId, (gsize) n * 2);
  for (WpId f = 0; f < n; f++)
    {
      names[f * 2] = self->frames.data[f].name;
      names[f * 2 + 1] = self->frames.data[f].module;
    }
  g_qsort_with_data (self->frames.data + 1, (gint) n - 1, sizeof *self->frames.data, compare_frames, self);
  for (WpId f = 1; f < n; f++)
    *wp_pair_map_at (&where, self->frames.data[f].name, self->frames.data[f].module) = f;
  for (WpId f = 1; f < n; f++)
    moved[f] = *wp_pair_map_at (&where, names[f * 2], names[f * 2 + 1]);
  for (WpId node = 1; node < self->nodes.len; node++)
    self->nodes.data[node].frame = moved[self->nodes.data[node].frame];
  wp_pair_map_clear (&where);
}

static int
compare_nodes (const void *a, const void *b, void *data)
{
  const WpComparison *self = data;
  const WpComparedNode *x = &self->nodes.data[*(const WpId *) a], *y = &self->nodes.data[*(const WpId *) b];
  double p = MAX (x->total[WP_SIDE_A], x->total[WP_SIDE_B]), q = MAX (y->total[WP_SIDE_A], y->total[WP_SIDE_B]);

  if (p != q)
    return p > q ? -1 : 1;
  return strcmp (wp_strings_get (self->strings, self->frames.data[x->frame].name),
                 wp_strings_get (self->strings, self->frames.data[y->frame].name));
}

/* All nodes are sorted once, then hung on in reverse. */
static void
link_children (WpComparison *self)
{
  guint32 n = self->nodes.len;
  g_autofree WpId *order = g_new (WpId, n);

  for (WpId id = 0; id < n; id++)
    {
      order[id] = id;
      self->nodes.data[id].first_child = self->nodes.data[id].next = 0;
    }
  if (n > 1)
    g_qsort_with_data (order + 1, (gint) n - 1, sizeof *order, compare_nodes, self);
  for (guint32 i = n; i-- > 1;)
    {
      WpComparedNode *node = &self->nodes.data[order[i]], *parent = &self->nodes.data[node->parent];

      if (node->total[WP_SIDE_A] <= 0 && node->total[WP_SIDE_B] <= 0)
        continue;
      node->next = parent->first_child;
      parent->first_child = order[i];
    }
}

/* Figures first, then each category with its sub-rows, largest change first. */
typedef struct
{
  WpComparedRow row;
  guint order; /* where its category came first */
} SortedRow;

static int
compare_rows (const void *a, const void *b)
{
  const SortedRow *x = a, *y = b;
  double p = fabs (wp_change_absolute (&x->row.change)), q = fabs (wp_change_absolute (&y->row.change));

  if (x->order != y->order)
    return x->order < y->order ? -1 : 1;
  if (x->row.level != y->row.level)
    return x->row.level < y->row.level ? -1 : 1;
  return p != q ? (p > q ? -1 : 1) : strcmp (x->row.name, y->row.name);
}

static void
sort_rows (WpComparison *self)
{
  g_autoptr (GHashTable) categories = g_hash_table_new (wp_hash_string, g_str_equal);
  g_autofree SortedRow *sorted = g_new (SortedRow, self->rows.len + 1);

  for (guint32 r = 0; r < self->rows.len; r++)
    if (self->rows.data[r].level != WP_ROW_SUB)
      g_hash_table_insert (categories, self->rows.data[r].id, GUINT_TO_POINTER (r + 1));
  for (guint32 r = 0; r < self->rows.len; r++)
    sorted[r] = (SortedRow) { self->rows.data[r],
                              GPOINTER_TO_UINT (g_hash_table_lookup (categories, self->rows.data[r].id)) };
  qsort (sorted, self->rows.len, sizeof *sorted, compare_rows);
  for (guint32 r = 0; r < self->rows.len; r++)
    self->rows.data[r] = sorted[r].row;
}

WpComparison *
wp_comparer_finish (WpComparer *self, gboolean normalised)
{
  WpComparison *result = self->result;

  if (self->added[WP_SIDE_A] != self->n[WP_SIDE_A] || self->added[WP_SIDE_B] != self->n[WP_SIDE_B])
    return NULL;
  if (normalised)
    normalise (self);
  judge_rows (self);
  judge_frames (self);
  judge_nodes (self);
  wp_comparer_say (self);
  sort_rows (result);
  sort_frames (result);
  link_children (result);
  wp_comparison_warn (result);
  return g_steal_pointer (&self->result);
}
