#include "profile/model/groups.h"

#include "base/find.h"
#include "base/hash.h"
#include "base/sort.h"

#include <math.h>

#define FLOW_MAX (1024 * 1024) /* values of all lines: what a small profile may cost, and far more than a screen shows */

/* --- functions -------------------------------------------------------------------------------------------------------- */

/* Each gets the numbers of a group sorted; at least one. */
static double
sum_of (const double *numbers, guint32 n)
{
  double sum = 0;

  for (guint32 i = 0; i < n; i++)
    sum += numbers[i];
  return sum;
}

static double
mean_of (const double *numbers, guint32 n)
{
  return sum_of (numbers, n) / n;
}

static double
median_of (const double *numbers, guint32 n)
{
  return n % 2 != 0 ? numbers[n / 2] : (numbers[n / 2 - 1] + numbers[n / 2]) / 2;
}

static double
min_of (const double *numbers, guint32 n G_GNUC_UNUSED)
{
  return numbers[0];
}

static double
max_of (const double *numbers, guint32 n)
{
  return numbers[n - 1];
}

static const struct
{
  const char *id;
  double (*of) (const double *numbers, guint32 n); /* NULL: counts values of any kind */
} funcs[WP_N_GROUP_FUNCS] = {
  [WP_GROUP_SUM] = { "sum", sum_of },     [WP_GROUP_MEAN] = { "mean", mean_of },       [WP_GROUP_COUNT] = { "count", NULL },
  [WP_GROUP_NUNIQUE] = { "nunique", NULL }, [WP_GROUP_MEDIAN] = { "median", median_of }, [WP_GROUP_MIN] = { "min", min_of },
  [WP_GROUP_MAX] = { "max", max_of },
};

const char *
wp_group_func_id (WpGroupFunc func)
{
  return funcs[func].id;
}

gboolean
wp_group_func_find (const char *id, WpGroupFunc *func)
{
  guint row = WP_FIND_ROW (funcs, id, id);

  if (row < WP_N_GROUP_FUNCS)
    *func = row;
  return row < WP_N_GROUP_FUNCS;
}

/* --- values in order -------------------------------------------------------------------------------------------------- */

static int
compare_values (const WpValues *values, WpValue a, WpValue b)
{
  gboolean numbers[] = { !isnan (wp_value_number (values, a)), !isnan (wp_value_number (values, b)) };
  double x, y;

  if (a == b)
    return 0;
  if (numbers[0] != numbers[1])
    return numbers[0] ? -1 : 1;
  if (!numbers[0])
    return strcmp (wp_value_string (values, a), wp_value_string (values, b));
  x = wp_value_number (values, a);
  y = wp_value_number (values, b);
  return x < y ? -1 : x > y;
}

typedef struct
{
  WpValue per, by;
  guint32 row;
} Member;

typedef WP_ARRAY (Member) MemberArray;

static int
compare_keys (const WpValues *values, const Member *a, const Member *b)
{
  int by_per = compare_values (values, a->per, b->per);

  return by_per != 0 ? by_per : compare_values (values, a->by, b->by);
}

static int
compare_members (const void *a, const void *b, gpointer values)
{
  const Member *x = a, *y = b;
  int by_keys = compare_keys (values, x, y);

  return by_keys != 0 ? by_keys : x->row < y->row ? -1 : 1;
}

/* A text or number that groups by itself: NaN does not. */
static gboolean
is_key (const WpValues *values, WpValue value)
{
  return value != 0 && wp_value_kind (values, value) != WP_VALUE_NULL
         && (wp_value_kind (values, value) != WP_VALUE_REAL || !isnan (wp_value_number (values, value)));
}

static void
sort_members (const WpResourceTable *table, const WpValue *per, const WpValue *by, MemberArray *members)
{
  for (guint32 i = 0; i < table->n_rows; i++)
    if (is_key (table->values, per[i]) && is_key (table->values, by[i]))
      wp_array_push (members, ((Member) { per[i], by[i], i }));
  g_qsort_with_data (members->data, (gint) members->len, sizeof *members->data, compare_members, table->values);
}

/* --- bars ------------------------------------------------------------------------------------------------------------- */

static double
count_group (const WpResourceTable *table, WpGroupFunc func, const WpValue *of, const Member *members, guint32 n)
{
  g_autoptr (WpCanonical) canonical = wp_canonical_new (table->values);
  g_autoptr (GHashTable) seen = g_hash_table_new (wp_hash_pointer, NULL);
  guint32 count = 0;

  for (guint32 i = 0; i < n; i++)
    {
      WpValue value = of[members[i].row];

      if (!is_key (table->values, value))
        continue;
      count++;
      if (func == WP_GROUP_NUNIQUE)
        g_hash_table_add (seen, GUINT_TO_POINTER (wp_canonical (canonical, value)));
    }
  return func == WP_GROUP_NUNIQUE ? g_hash_table_size (seen) : count;
}

static double
value_of_group (const WpResourceTable *table, WpGroupFunc func, const WpValue *of, const Member *members, guint32 n)
{
  g_autofree double *numbers = NULL;
  guint32 count = 0;

  if (funcs[func].of == NULL)
    return count_group (table, func, of, members, n);
  numbers = g_new (double, (gsize) n + 1);
  for (guint32 i = 0; i < n; i++)
    {
      double number = wp_value_number (table->values, of[members[i].row]);

      if (!isnan (number))
        numbers[count++] = number;
    }
  qsort (numbers, count, sizeof *numbers, wp_compare_doubles);
  return count > 0 ? funcs[func].of (numbers, count) : func == WP_GROUP_SUM ? 0 : NAN;
}

gboolean
wp_bars (const WpResourceTable *table, WpGroupFunc func, const char *of, const char *per, const char *by, WpBarArray *bars, GError **error)
{
  const WpValue *of_column = wp_resource_table_need (table, of, funcs[func].of != NULL, error);
  const WpValue *per_column = of_column != NULL ? wp_resource_table_need (table, per, FALSE, error) : NULL;
  const WpValue *by_column = per_column != NULL ? wp_resource_table_need (table, by, FALSE, error) : NULL;
  MemberArray members = { 0 };

  if (by_column == NULL)
    return FALSE;
  sort_members (table, per_column, by_column, &members);
  for (guint32 i = 0, end; i < members.len; i = end)
    {
      for (end = i + 1; end < members.len && compare_keys (table->values, &members.data[i], &members.data[end]) == 0;)
        end++;
      wp_array_push (bars, ((WpBar) { members.data[i].per, members.data[i].by,
                                      value_of_group (table, func, of_column, members.data + i, end - i) }));
    }
  wp_array_clear (&members);
  return TRUE;
}

/* --- flow ------------------------------------------------------------------------------------------------------------- */

static void
clear_line (gpointer line)
{
  wp_array_clear (&((WpFlowLine *) line)->at);
}

void
wp_flow_free (WpFlow *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->lines);
  g_free (self);
}

/* From the least to the greatest value of the bars' second key. */
static gboolean
find_range (const WpResourceTable *table, const WpBarArray *bars, WpFlow *flow, GError **error)
{
  double first = INFINITY, last = -INFINITY;
  guint32 lines = 0;

  for (guint32 i = 0; i < bars->len; i++)
    {
      double at = wp_value_number (table->values, bars->data[i].by);

      lines += i == 0 || bars->data[i].per != bars->data[i - 1].per;
      if (isfinite (at))
        {
          first = MIN (first, trunc (at));
          last = MAX (last, trunc (at));
        }
    }
  if (first > last)
    return TRUE;
  if (fabs (first) > 9e15 || fabs (last) > 9e15 || (last - first + 1) * lines > FLOW_MAX)
    {
      g_set_error (error, WP_JSON_ERROR, WP_JSON_ERROR_VALUE, "the values are too far apart for a flow: %g to %g, %u lines", first, last,
                   lines);
      return FALSE;
    }
  flow->first = (gint64) first;
  flow->last = (gint64) last;
  return TRUE;
}

static void
add_up (WpFlowLine *line)
{
  for (guint32 i = 1; i < line->at.len; i++)
    line->at.data[i] += line->at.data[i - 1];
}

WpFlow *
wp_flow_new (const WpResourceTable *table, WpGroupFunc func, const char *of, const char *through, const char *by, gboolean accumulate,
             GError **error)
{
  g_autoptr (WpFlow) self = g_new0 (WpFlow, 1);
  WpBarArray bars = { 0 };
  WpFlowLine *line = NULL;
  gboolean good;

  self->last = -1;
  self->lines = g_array_new (FALSE, TRUE, sizeof (WpFlowLine));
  g_array_set_clear_func (self->lines, clear_line);
  good = wp_resource_table_need (table, through, TRUE, error) != NULL && wp_bars (table, func, of, by, through, &bars, error)
         && find_range (table, &bars, self, error);
  for (guint32 i = 0; good && i < bars.len; i++)
    {
      double at = wp_value_number (table->values, bars.data[i].by);

      if (!isfinite (at))
        continue;
      if (line == NULL || compare_values (table->values, line->by, bars.data[i].per) != 0)
        {
          g_array_set_size (self->lines, self->lines->len + 1);
          line = &g_array_index (self->lines, WpFlowLine, self->lines->len - 1);
          line->by = bars.data[i].per;
          wp_array_resize (&line->at, (guint32) (self->last - self->first + 1));
        }
      if (!isnan (bars.data[i].value))
        line->at.data[(gint64) trunc (at) - self->first] += bars.data[i].value;
    }
  for (guint32 i = 0; good && accumulate && i < self->lines->len; i++)
    add_up (&g_array_index (self->lines, WpFlowLine, i));
  wp_array_clear (&bars);
  return good ? g_steal_pointer (&self) : NULL;
}
