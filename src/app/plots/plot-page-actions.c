/* What can be done with a profile that explains no process. */
#include <glib/gi18n.h>

#include "app/page/copying.h"
#include "app/plots/plot-page-private.h"

static WpCanvas *
canvas_of (WpPlotPage *self)
{
  WpView *view = self->views[self->current].view;

  return view != NULL ? wp_view_canvas (view) : NULL;
}

/* A canvas' rows or a chart; the other views are tables and text. NULL: nothing is drawn yet, too. */
static WpShared *
picture_of (WpPlotPage *self)
{
  WpCanvas *canvas = canvas_of (self);
  WpChartArea *chart = self->views[self->current].chart;

  if (chart != NULL)
    return wp_chart_area_chart (chart);
  return canvas != NULL ? wp_canvas_shared_rows (canvas) : NULL;
}

/* --- when --- */

static gboolean
has_picture (gpointer content, int which)
{
  return picture_of (content) != NULL;
}

static gboolean
can_go (gpointer content, int direction)
{
  WpCanvas *canvas = canvas_of (content);

  return canvas != NULL && wp_canvas_can_go (canvas, direction);
}

static gboolean
has_table (gpointer content, int which)
{
  return !has_picture (content, which);
}

/* --- places --- */

static void
zoom (gpointer content, GVariant *value, int direction)
{
  WpPlotPage *self = content;
  WpCanvas *canvas = canvas_of (self);
  WpChartArea *chart = self->views[self->current].chart;

  if (canvas != NULL)
    wp_canvas_step (canvas, direction);
  else if (chart != NULL && direction != 0)
    wp_chart_area_zoom (chart, direction > 0 ? WP_ZOOM_STEP : 1 / WP_ZOOM_STEP);
  else if (chart != NULL)
    wp_chart_area_fit (chart);
}

static void
go (gpointer content, GVariant *value, int direction)
{
  wp_canvas_go (canvas_of (content), direction);
}

/* --- saving --- */

static void
save (gpointer content, GVariant *value, int which)
{
  WpPlotPage *self = content;
  g_autofree char *name = wp_export_suggest (self->title, TRUE, ".perf");

  wp_saver_save (self->saver, content, wp_export_plots (self->plots, name), wp_plot_page_saving);
}

/* "memory-heap-map.png": of the current view. */
static char *
suggest (WpPlotPage *self, const char *format)
{
  g_autofree char *suffix = g_strdup_printf ("-%s.%s", wp_plot_id (self->current), format);

  return wp_export_suggest (self->title, TRUE, suffix);
}

static gboolean
can_copy (gpointer content, int which)
{
  WpPlotPage *self = content;
  GtkWidget *details = self->views[self->current].details;

  return details != NULL && *wp_plot_details_text (details) != '\0';
}

static void
copy_said (gpointer content, GVariant *value, int markdown)
{
  WpPlotPage *self = content;

  wp_copy_said (content, wp_plot_details_text (self->views[self->current].details), NULL, markdown);
}

static WpExport *
export_of (WpPlotPage *self, gboolean visible)
{
  WpCanvas *canvas = canvas_of (self);
  WpChartArea *chart = self->views[self->current].chart;
  g_autofree char *name = suggest (self, "png"), *title = g_strdup_printf ("%s — %s", self->title, wp_plot_name (self->current));
  WpExportPicture picture = { .title = title, .theme = wp_current_theme (), .visible = visible };

  if (chart != NULL)
    picture.view = wp_chart_area_view (chart);
  else
    {
      picture.viewport = wp_canvas_viewport (canvas);
      picture.state = wp_canvas_state (canvas);
    }
  return (chart != NULL ? wp_export_chart : wp_export_rows) (picture_of (self), name, &picture);
}

static void
export_picture (gpointer content, GVariant *value, int visible)
{
  WpPlotPage *self = content;

  wp_saver_save (self->saver, content, export_of (self, visible), NULL);
}

static void
copy_picture (gpointer content, GVariant *value, int which)
{
  wp_copy_picture (content, export_of (content, TRUE), (void (*) (gpointer, const char *)) wp_content_tell);
}

static void
export_table (gpointer content, GVariant *value, int which)
{
  WpPlotPage *self = content;
  const WpPlotView *view = &self->views[self->current];
  g_autofree char *name = suggest (self, wp_plot_shows (self->current) == WP_SHOWS_TEXT ? "txt" : "tsv");
  g_autofree guint32 *order = NULL;
  guint32 n = 0;
  WpShared *grid = view->table != NULL ? wp_grid_table_shown (view->table, &order, &n) : NULL;
  char *text = grid == NULL ? wp_plot_view_text (view) : NULL;

  if (grid != NULL)
    wp_saver_save (self->saver, content, wp_export_grid (grid, name, g_steal_pointer (&order), n), NULL);
  else if (text != NULL)
    wp_saver_save (self->saver, content, wp_export_text (_("Export Table"), text, name), NULL);
}

const WpContentAction wp_plot_page_actions[WP_N_ACTIONS] = {
  [WP_ACTION_ZOOM_IN] = { zoom, has_picture, NULL, 1 },
  [WP_ACTION_ZOOM_OUT] = { zoom, has_picture, NULL, -1 },
  [WP_ACTION_ZOOM_FIT] = { zoom, has_picture, NULL, 0 },
  [WP_ACTION_BACK] = { go, can_go, NULL, -1 },
  [WP_ACTION_FORWARD] = { go, can_go, NULL, 1 },
  [WP_ACTION_COPY_DETAILS] = { copy_said, can_copy, NULL, FALSE },
  [WP_ACTION_COPY_MARKDOWN] = { copy_said, can_copy, NULL, TRUE },
  [WP_ACTION_COPY_PICTURE] = { copy_picture, has_picture, NULL, 0 },
  [WP_ACTION_SAVE] = { save, NULL, NULL, 0 },
  [WP_ACTION_EXPORT_PICTURE] = { export_picture, has_picture, NULL, FALSE },
  [WP_ACTION_EXPORT_VISIBLE] = { export_picture, has_picture, NULL, TRUE },
  [WP_ACTION_EXPORT_TABLE] = { export_table, has_table, NULL, 0 },
};
