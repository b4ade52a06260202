#include "workspace/history/history-columns.h"

#include "base/hash.h"

#include <math.h>

#define AT_ONCE 256 /* a worker stops earlier, when it takes long */

typedef struct
{
  WpFigureValue *values;
  guint8 *read;
} Column;

struct WpHistoryColumns
{
  WpShared *history;
  GHashTable *columns; /* Column by the figure's id */
};

static const WpHistory *
history_of (const WpHistoryColumns *self)
{
  return wp_shared_get (self->history);
}

static void
column_free (gpointer data)
{
  Column *column = data;

  g_free (column->values);
  g_free (column->read);
  g_free (column);
}

WpHistoryColumns *
wp_history_columns_new (WpShared *history)
{
  WpHistoryColumns *self = g_new0 (WpHistoryColumns, 1);

  self->history = wp_shared_ref (history);
  self->columns = g_hash_table_new_full (wp_hash_string, g_str_equal, g_free, column_free);
  return self;
}

void
wp_history_columns_free (WpHistoryColumns *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->columns);
  wp_shared_unref (self->history);
  g_free (self);
}

static Column *
column_of (WpHistoryColumns *self, const WpFigure *figure)
{
  g_autofree char *id = wp_figure_id (figure);
  Column *column = g_hash_table_lookup (self->columns, id);
  guint32 n = history_of (self)->profiles.len;

  if (column != NULL)
    return column;
  column = g_new (Column, 1);
  column->values = g_new0 (WpFigureValue, n + 1);
  column->read = g_new0 (guint8, n + 1);
  for (guint32 i = 0; i < n; i++)
    column->values[i].value = NAN;
  g_hash_table_insert (self->columns, g_steal_pointer (&id), column);
  return column;
}

const WpFigureValue *
wp_history_columns_values (WpHistoryColumns *self, const WpFigure *figure)
{
  return column_of (self, figure)->values;
}

/* What a profile tells of itself comes with everything, and one category with all the others. */
static GPtrArray *
figures_with (const WpFigure *figure)
{
  GPtrArray *figures = g_ptr_array_new_with_free_func ((GDestroyNotify) wp_figure_free);

  g_ptr_array_add (figures, wp_figure_copy (figure));
  for (guint k = WP_FIGURE_TOTAL; k <= WP_FIGURE_ACCOUNTED; k++)
    if (figure->kind != k)
      g_ptr_array_add (figures, wp_figure_copy (&(WpFigure) { .kind = k }));
  for (guint c = 0; c < WP_CATEGORY_COUNT && figure->kind == WP_FIGURE_CATEGORY; c++)
    if (figure->category != c)
      g_ptr_array_add (figures, wp_figure_copy (&(WpFigure) { .kind = WP_FIGURE_CATEGORY, .category = c }));
  return figures;
}

static void
wish_of_line (const WpHistoryLine *line, const Column *column, GArray *profiles, guint *left)
{
  for (guint32 i = line->first + line->n; i-- > line->first;)
    {
      if (column->read[i])
        continue;
      ++*left;
      if (profiles->len < AT_ONCE)
        g_array_append_val (profiles, i);
    }
}

WpHistoryReading *
wp_history_columns_next (WpHistoryColumns *self, WpStoreSession *session, const WpFigure *figure, guint32 line, guint *left)
{
  const WpHistory *history = history_of (self);
  const Column *column = column_of (self, figure);
  g_autoptr (GArray) profiles = g_array_new (FALSE, FALSE, sizeof (guint32));
  WpHistoryReading *reading;

  *left = 0;
  for (guint32 l = 0; l < history->lines.len; l++)
    if (line == WP_HISTORY_ALL || line == l)
      wish_of_line (&history->lines.data[l], column, profiles, left);
  if (profiles->len == 0)
    return NULL;
  reading = g_new0 (WpHistoryReading, 1);
  reading->session = wp_store_session_ref (session);
  reading->history = wp_shared_ref (self->history);
  reading->figures = figures_with (figure);
  reading->profiles = g_steal_pointer (&profiles);
  return reading;
}

void
wp_history_columns_take (WpHistoryColumns *self, const WpHistoryValues *values)
{
  guint n = values->figures->len;

  for (guint f = 0; f < n; f++)
    {
      Column *column = column_of (self, values->figures->pdata[f]);

      for (guint i = 0; i < values->n; i++)
        {
          guint32 profile = g_array_index (values->profiles, guint32, i);

          column->values[profile] = values->values[(gsize) i * n + f];
          column->read[profile] = 1;
        }
    }
}
