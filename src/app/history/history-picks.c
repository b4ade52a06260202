/* What is done with points of the history plot: they are picked, opened and compared. */
#include "app/history/history-page-private.h"

#include <math.h>

static guint32
row_of (const WpHistoryPage *self, const WpHistoryPick *pick)
{
  for (guint32 p = 0; p < self->points.points.len; p++)
    if (self->points.points.data[p].line == pick->line && self->points.points.data[p].commit == pick->commit)
      return p;
  return G_MAXUINT32;
}

void
wp_history_page_picked (const WpHistoryPage *self, guint32 rows[2])
{
  guint first = self->n_picked == 2 && self->picked[1].commit < self->picked[0].commit;

  rows[0] = self->n_picked > 0 ? row_of (self, &self->picked[first]) : G_MAXUINT32;
  rows[1] = self->n_picked > 1 ? row_of (self, &self->picked[!first]) : G_MAXUINT32;
}

static void
on_picked (WpChartArea *area, guint point, gboolean too, WpHistoryPage *self)
{
  const WpHistory *history = wp_shared_get (self->history);
  const WpHistoryPoint *at;
  WpHistoryPick pick;

  if (point >= self->points.points.len)
    return;
  at = &self->points.points.data[point];
  pick = (WpHistoryPick) { at->line, at->commit };
  if (!too || self->n_picked == 0)
    self->n_picked = 0;
  else if (pick.line != self->picked[0].line || pick.commit != self->picked[0].commit)
    self->n_picked = 1;
  else
    return;
  self->picked[self->n_picked++] = pick;
  wp_history_page_show (self);
  g_signal_emit_by_name (self, "commit", history->commits.data[pick.commit].hash);
}

static WpHistoryWish *
wish_new (WpHistoryPage *self)
{
  WpHistoryWish *wish = g_new0 (WpHistoryWish, 1);

  wish->session = wp_store_session_ref (self->session);
  wish->history = wp_shared_ref (self->history);
  for (guint side = 0; side < 2; side++)
    wish->profiles[side] = g_array_new (FALSE, FALSE, sizeof (guint32));
  return wish;
}

static void
on_unpacked (gpointer result, const GError *error, gpointer data)
{
  WpHistoryPage *self = data;
  WpHistoryFiles *files = result;

  self->unpacking = NULL;
  if (files == NULL)
    wp_history_page_toast (self, error->message);
  else if (files->paths[1]->pdata[0] != NULL)
    g_signal_emit_by_name (self, "compare", files->paths[0]->pdata, files->paths[1]->pdata);
  else
    {
      g_autoptr (GFile) file = g_file_new_for_path (files->paths[0]->pdata[0]);

      g_signal_emit_by_name (self, "open", file, files->names[0]->pdata[0]);
    }
  g_clear_pointer (&files, wp_history_files_free);
  wp_history_page_show (self);
}

static void
unpack (WpHistoryPage *self, WpHistoryWish *wish)
{
  wp_job_drop (&self->unpacking);
  self->unpacking = wp_job_start (&(WpJobSpec) { .run = wp_history_unpack, .done = on_unpacked, .data = wish,
                                                 .free_data = wp_history_wish_free, .free_result = wp_history_files_free,
                                                 .user_data = self });
  wp_history_page_show (self);
}

/* The one of the point's profiles that is nearest to their median. */
static guint32
typical (WpHistoryPage *self, const WpHistoryPoint *point)
{
  WpFigure figure;
  const WpFigureValue *values;
  guint32 best = point->first;
  double least = INFINITY;

  wp_history_page_figure (self, &figure);
  values = wp_history_columns_values (self->columns, &figure);
  for (guint32 i = point->first; i < point->first + point->n; i++)
    if (fabs (values[i].value - point->median) < least)
      {
        least = fabs (values[i].value - point->median);
        best = i;
      }
  return best;
}

static void
open_point (WpHistoryPage *self, guint32 point)
{
  WpHistoryWish *wish;
  guint32 profile;

  if (point >= self->points.points.len)
    return;
  wish = wish_new (self);
  profile = typical (self, &self->points.points.data[point]);
  g_array_append_val (wish->profiles[0], profile);
  unpack (self, wish);
}

static void
on_opened (WpChartArea *area, guint point, WpHistoryPage *self)
{
  open_point (self, point);
}

void
wp_history_page_open_picked (WpHistoryPage *self)
{
  guint32 rows[2];

  wp_history_page_picked (self, rows);
  open_point (self, self->n_picked == 2 && rows[1] != G_MAXUINT32 ? rows[1] : rows[0]);
}

void
wp_history_page_compare_picked (WpHistoryPage *self)
{
  WpHistoryWish *wish = wish_new (self);
  guint32 rows[2];

  wp_history_page_picked (self, rows);
  for (guint side = 0; side < 2; side++)
    for (guint32 i = 0; rows[side] != G_MAXUINT32 && i < self->points.points.data[rows[side]].n; i++)
      {
        guint32 profile = self->points.points.data[rows[side]].first + i;

        g_array_append_val (wish->profiles[side], profile);
      }
  unpack (self, wish);
}

void
wp_history_page_connect_points (WpHistoryPage *self)
{
  g_signal_connect_object (self->chart, "point-picked", G_CALLBACK (on_picked), self, 0);
  g_signal_connect_object (self->chart, "point-opened", G_CALLBACK (on_opened), self, 0);
}
