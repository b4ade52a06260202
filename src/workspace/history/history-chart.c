#include "workspace/history/history-chart.h"

#include <glib/gi18n.h>

#define SHORT_HASH 7

/* What a tooltip says: the commit, what was run, the value; of several profiles how many and how far they spread. */
static char *
describe (const WpHistory *self, const WpHistoryPoint *point)
{
  const WpHistoryCommit *commit = &self->commits.data[point->commit];
  g_autofree char *median = wp_history_amount (point, point->median), *low = wp_history_amount (point, point->low);
  g_autofree char *high = wp_history_amount (point, point->high), *line = g_strdup (self->lines.data[point->line].name);
  g_autoptr (GDateTime) time = g_date_time_new_from_unix_local (commit->time);
  g_autofree char *date = time != NULL ? g_date_time_format (time, "%x") : g_strdup ("");

  if (point->known == 1)
    return g_strdup_printf ("%.*s · %s\n%s\n%s: %s", SHORT_HASH, commit->hash, date, commit->subject, line, median);
  return g_strdup_printf (ngettext ("%.*s · %s\n%s\n%s: %s, median of %u profile, %s … %s",
                                    "%.*s · %s\n%s\n%s: %s, median of %u profiles, %s … %s", point->known),
                          SHORT_HASH, commit->hash, date, commit->subject, line, median, point->known, low, high);
}

static void
add_point (WpChart *chart, const WpHistory *self, const WpHistoryPoint *point)
{
  g_autofree char *text = describe (self, point);

  wp_chart_add (chart, point->commit, point->commit, point->low, point->high, point->median);
  wp_array_push (&chart->texts, wp_strings_intern (chart->strings, text));
}

static void
add_picked (WpChart *chart, const WpHistoryPoints *points, const guint32 picked[2])
{
  for (guint i = 0; picked != NULL && i < 2; i++)
    if (picked[i] < points->points.len)
      {
        const WpHistoryPoint *point = &points->points.data[picked[i]];

        wp_chart_begin (chart, WP_SERIES_RINGS, i == 0 ? "A" : "B", 0);
        wp_chart_point (chart, point->commit, point->median);
      }
}

WpChart *
wp_history_chart (const WpHistory *self, const WpFigure *figure, const WpHistoryPoints *points, const guint32 picked[2])
{
  g_autofree char *name = wp_figure_name (figure);
  const WpHistoryPoint *any = points->points.len > 0 ? &points->points.data[0] : NULL;
  g_autofree char *axis = any != NULL && *any->unit_name != '\0' ? g_strdup_printf ("%s (%s)", name, any->unit_name) : g_strdup (name);
  WpChart *chart = wp_chart_new (name, _("Commit"), axis);
  guint32 line = G_MAXUINT32, n_lines = 0;

  if (any != NULL)
    chart->y.unit = any->unit;
  for (guint32 c = 0; c < self->commits.len; c++)
    {
      char hash[SHORT_HASH + 1];

      g_strlcpy (hash, self->commits.data[c].hash, sizeof hash);
      wp_chart_category (chart, hash);
    }
  for (guint32 p = 0; p < points->points.len; p++)
    {
      const WpHistoryPoint *point = &points->points.data[p];

      if (point->line != line)
        wp_chart_begin (chart, WP_SERIES_SPREADS, self->lines.data[point->line].name, n_lines++);
      line = point->line;
      add_point (chart, self, point);
    }
  add_picked (chart, points, picked);
  wp_chart_finish (chart);
  return chart;
}
