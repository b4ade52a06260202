/* A history as text. */
#include "store/history.h"

#include <glib/gi18n.h>
#include <math.h>

#include "base/json-writer.h"
#include "base/quote.h"

#define LISTED_HASH 8 /* as the command line has it everywhere */

char *
wp_history_amount (const WpHistoryPoint *point, double value)
{
  char buffer[WP_FORMAT_MAX];
  gboolean bare = *point->unit_name == '\0';

  if (g_str_equal (point->unit_name, "%"))
    return g_strdup_printf ("%.1f %%", value);
  return g_strconcat (value < 0 ? "−" : "", wp_unit_format (point->unit, fabs (value), buffer), bare ? "" : " ", point->unit_name, NULL);
}

static const char *
unit_of (const WpHistoryPoint *point)
{
  static const char *const names[] = { [WP_UNIT_TIME] = "ns", [WP_UNIT_BYTES] = "B", [WP_UNIT_ADDRESS] = "" };

  return point->unit == WP_UNIT_PLAIN ? point->unit_name : names[point->unit];
}

static char *
time_of (const WpHistoryCommit *commit)
{
  g_autoptr (GDateTime) time = g_date_time_new_from_unix_utc (commit->time);

  return time != NULL ? g_date_time_format (time, "%Y-%m-%dT%H:%M:%SZ") : g_strdup ("");
}

typedef struct
{
  const WpHistory *history;
  const WpFigure *figure;
  const WpFigureValue *values;
} Report;

static void
append_fields (GString *out, const Report *self, const WpHistoryPoint *point, char separator,
               void (*append) (GString *out, const char *text))
{
  const WpHistoryCommit *commit = &self->history->commits.data[point->commit];
  g_autofree char *time = time_of (commit);
  const char *texts[] = { commit->hash, time, commit->subject, self->history->lines.data[point->line].name };
  const double numbers[] = { point->median, point->low, point->high };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      append (out, texts[i]);
      g_string_append_c (out, separator);
    }
  g_string_append_printf (out, "%u", point->known);
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      g_string_append_c (out, separator);
      wp_json_append_real (out, numbers[i]);
    }
  g_string_append_printf (out, "%c%s\n", separator, unit_of (point));
}

static void
append_csv_line (GString *out, const Report *self, const WpHistoryPoint *point)
{
  append_fields (out, self, point, ',', wp_quote_csv);
}

static void
append_tsv_line (GString *out, const Report *self, const WpHistoryPoint *point)
{
  append_fields (out, self, point, '\t', wp_quote_tsv);
}

static void
append_text_line (GString *out, const Report *self, const WpHistoryPoint *point)
{
  const WpHistoryCommit *commit = &self->history->commits.data[point->commit];
  g_autofree char *median = wp_history_amount (point, point->median);
  g_autofree char *low = wp_history_amount (point, point->low), *high = wp_history_amount (point, point->high);

  g_string_append_printf (out, "%.*s  %10s  ", LISTED_HASH, commit->hash, median);
  if (point->known > 1)
    g_string_append_printf (out, "(%s … %s, %u profiles)  ", low, high, point->known);
  if (self->history->lines.len > 1)
    g_string_append_printf (out, "%s  ", self->history->lines.data[point->line].name);
  g_string_append_printf (out, "%s\n", commit->subject);
}

static void
append_json_line (GString *out, const Report *self, const WpHistoryPoint *point)
{
  const WpHistoryCommit *commit = &self->history->commits.data[point->commit];
  g_autofree char *time = time_of (commit), *figure = wp_figure_id (self->figure);
  g_autoptr (WpJsonWriter) json = wp_json_writer_new_text (out);

  wp_json_writer_object (json, NULL, WP_JSON_TIGHT);
  wp_json_writer_string (json, "commit", commit->hash);
  wp_json_writer_string (json, "time", time);
  wp_json_writer_string (json, "subject", commit->subject);
  wp_json_writer_string (json, "run", self->history->lines.data[point->line].name);
  wp_json_writer_string (json, "figure", figure);
  wp_json_writer_string (json, "unit", unit_of (point));
  wp_json_writer_real (json, "median", point->median);
  wp_json_writer_real (json, "low", point->low);
  wp_json_writer_real (json, "high", point->high);
  wp_json_writer_array (json, "values", WP_JSON_TIGHT);
  for (guint32 i = point->first; i < point->first + point->n; i++)
    if (!isnan (self->values[i].value))
      wp_json_writer_real (json, NULL, self->values[i].value);
  wp_json_writer_end (json);
  wp_json_writer_end (json);
}

static const struct
{
  const char *head;
  void (*append) (GString *out, const Report *self, const WpHistoryPoint *point);
} formats[] = {
  [WP_HISTORY_TEXT] = { "", append_text_line },
  [WP_HISTORY_JSON] = { "", append_json_line },
  [WP_HISTORY_CSV] = { "commit,time,subject,run,profiles,median,low,high,unit\n", append_csv_line },
  [WP_HISTORY_TSV] = { "commit\ttime\tsubject\trun\tprofiles\tmedian\tlow\thigh\tunit\n", append_tsv_line },
};

void
wp_history_write (GString *out, const WpHistory *self, const WpFigure *figure, const WpHistoryPoints *points,
                  const WpFigureValue *values, WpHistoryFormat format)
{
  const Report report = { self, figure, values };

  g_string_append (out, formats[format].head);
  for (guint32 p = 0; p < points->points.len; p++)
    formats[format].append (out, &report, &points->points.data[p]);
}
