/* The flow: how a figure of each group goes on along snapshots or another number. */
#include "plots/charts.h"

/* Where no line changes, one step is enough, however long: x0 is where it began. */
static void
add_flow_line (WpChart *chart, const WpFlow *flow, const WpFlowLine *line, double factor, double *base)
{
  guint32 begin = 0;

  for (guint32 i = 1; i <= line->at.len; i++)
    {
      double value = line->at.data[begin] * factor;
      gboolean same = i < line->at.len && line->at.data[i] == line->at.data[begin] && (base == NULL || base[i] == base[begin]);

      if (same)
        continue;
      if (value != 0 || (begin > 0 && line->at.data[begin - 1] != 0))
        wp_chart_add (chart, (double) flow->first + begin, (double) flow->first + i, base != NULL ? base[begin] : 0,
                      (base != NULL ? base[begin] : 0) + value, value);
      begin = i;
    }
  for (guint32 i = 0; base != NULL && i < line->at.len; i++)
    base[i] += line->at.data[i] * factor;
}

typedef struct
{
  WpPlots *kinds;
  WpChart *chart;
  const WpFlow *flow;
  const WpPlotOthers *others;
  double factor;
  double *base; /* what the lines so far add up to; NULL: each stands on its own */
} FlowDrawing;

static void
draw_line (const FlowDrawing *drawing, guint i)
{
  const WpFlowLine *line = &g_array_index (drawing->flow->lines, WpFlowLine, i);
  g_autoptr (GString) text = g_string_new (NULL);

  wp_chart_begin (drawing->chart, WP_SERIES_AREA, wp_plot_text (drawing->kinds, line->by, text), wp_plot_series_color (drawing->others, line->by));
  add_flow_line (drawing->chart, drawing->flow, line, drawing->factor, drawing->base);
}

/* The others lie on all that has a name. */
static gboolean
draw_flow (const FlowDrawing *drawing, WpProgress *progress, GError **error)
{
  guint n = drawing->flow->lines->len, last = n;

  for (guint i = 0; i < n; i++)
    {
      if (drawing->others->others != 0 && g_array_index (drawing->flow->lines, WpFlowLine, i).by == drawing->others->others)
        last = i;
      else
        draw_line (drawing, i);
      if (!wp_progress_step (progress, (double) i / n, error))
        return FALSE;
    }
  if (last < n)
    draw_line (drawing, last);
  wp_chart_finish (drawing->chart);
  return TRUE;
}

gboolean
wp_plot_flow (WpPlots *self, const WpPlotOptions *options, WpPlotPicture *picture, WpProgress *progress, GError **error)
{
  const char *through = wp_plot_field_or (options->per, wp_plot_along (self, WP_PLOT_FLOW));
  const char *of = wp_plot_field_or (options->of, "amount"), *by = wp_plot_field_or (options->by, "uid");
  g_autoptr (WpFlow) flow = NULL;
  g_autofree double *base = NULL;
  WpPlotOthers others;
  gboolean done = FALSE;

  wp_plot_others_gather (&others, self, by, wp_plot_keeps_unit (options->func) ? of : NULL, g_str_equal (by, through) ? WP_PLOT_ALL : WP_PLOT_SERIES_MOST);
  flow = wp_flow_new (&others.table, options->func, of, through, by, options->accumulate, error);
  if (flow != NULL)
    {
      picture->chart = wp_plot_grouped_chart (self, options->func, of, through);
      picture->chart->x.whole = TRUE;
      if (options->stacked)
        base = g_new0 (double, (gsize) (flow->last - flow->first) + 2);
      done = draw_flow (&(FlowDrawing) { self, picture->chart, flow, &others, wp_plot_keeps_unit (options->func) ? wp_plot_factor (self, of) : 1, base },
                        progress, error);
    }
  wp_plot_others_clear (&others);
  return done;
}
