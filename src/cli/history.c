/* log --history: reads a figure of the profiles and prints or draws it. */
#include "cli/history.h"

#include "base/find.h"
#include "cli/output.h"
#include "paint/paint.h"
#include "workspace/history/history-chart.h"

#include <math.h>

#define PICTURE_WIDTH 1600
#define PICTURE_HEIGHT 900

static const struct
{
  const char *id;
  WpHistoryFormat format;
} texts[] = { { "text", WP_HISTORY_TEXT }, { "json", WP_HISTORY_JSON }, { "csv", WP_HISTORY_CSV }, { "tsv", WP_HISTORY_TSV } };

typedef struct
{
  WpHistory *history;
  WpFigure figure;
  WpFigureValue *values;
  GPtrArray *wanted; /* names of the lines that are */
  WpHistoryPoints points;
} History;

static void
history_clear (History *self)
{
  g_clear_pointer (&self->wanted, g_ptr_array_unref);
  wp_history_free (self->history);
  wp_figure_clear (&self->figure);
  wp_history_points_clear (&self->points);
  g_free (self->values);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (History, history_clear)

/* A format's row; the number of rows: there is none of that name. */
static guint
find_text (const char *id)
{
  return WP_FIND_ROW (texts, id, id);
}

static const char *
wanted_format (const WpCliHistory *options)
{
  const char *dot = options->output != NULL ? strrchr (options->output, '.') : NULL;

  if (options->format != NULL)
    return options->format;
  return dot != NULL && strchr (dot, '/') == NULL ? dot + 1 : "text";
}

/* Which lines are wanted. */
static void
find_lines (History *self, const char *command)
{
  self->wanted = g_ptr_array_new ();
  for (guint32 l = 0; l < self->history->lines.len; l++)
    g_ptr_array_add (self->wanted, self->history->lines.data[l].name);
  wp_cli_keep_commands (self->wanted, command);
}

/* A profile that cannot be read is said to be so; the others are shown. */
static int
read_values (History *self, WpStore *store, gboolean one_unit)
{
  int status = 0;

  self->values = g_new0 (WpFigureValue, self->history->profiles.len + 1);
  for (guint32 l = 0; l < self->history->lines.len; l++)
    {
      const WpHistoryLine *line = &self->history->lines.data[l];
      gboolean wanted = g_ptr_array_find (self->wanted, line->name, NULL);

      for (guint32 i = line->first; i < line->first + line->n; i++)
        {
          GError *error = NULL;

          self->values[i].value = NAN;
          if (wanted && !wp_history_read (store, &self->history->profiles.data[i], &self->figure, 1, &self->values[i], NULL, &error))
            status = wp_cli_fail (error);
        }
    }
  wp_history_points (self->history, self->values, WP_HISTORY_ALL, &self->points);
  if (one_unit)
    wp_history_points_of_one_unit (&self->points);
  if (self->points.other_units > 0)
    g_printerr ("wakepath-cli: %u profiles are left out, since their figure is in another unit; --command shows them\n",
                self->points.other_units);
  return status;
}

static int
write_out (const History *self, const WpCliHistory *options, const char *format)
{
  guint text = find_text (format);
  g_autoptr (GString) out = g_string_new (NULL);
  g_autoptr (WpChart) chart = NULL;
  GError *error = NULL;

  if (text < G_N_ELEMENTS (texts))
    {
      wp_history_write (out, self->history, &self->figure, &self->points, self->values, texts[text].format);
      return wp_cli_put (out, options->output);
    }
  chart = wp_history_chart (self->history, &self->figure, &self->points, NULL);
  if (!wp_picture_write_chart (options->output, wp_picture_format_from_id (format),
                               &(WpChartPlace) { chart, NULL, PICTURE_WIDTH, PICTURE_HEIGHT }, WP_THEME_LIGHT, &error))
    return wp_cli_fail (error);
  return 0;
}

int
wp_cli_history (WpCliStore *store, const WpCliHistory *options)
{
  g_auto (History) self = { 0 };
  const char *format = wanted_format (options);
  GError *error = NULL;
  int status;

  if (!wp_figure_parse (options->figure, &self.figure, &error))
    {
      status = wp_cli_usage ("--history: %s", error->message);
      g_clear_error (&error);
      return status;
    }
  if (find_text (format) == G_N_ELEMENTS (texts) && wp_picture_format_from_id (format) == WP_PICTURE_FORMAT_COUNT)
    return wp_cli_usage ("--history: there is no format “%s”, only text, json, csv, tsv, svg, png, pdf", format);
  if (wp_picture_format_from_id (format) < WP_PICTURE_FORMAT_COUNT && options->output == NULL)
    return wp_cli_usage ("--history: a picture needs -o FILE.%s", format);
  self.history = wp_history_new (store->store, store->minor, NULL, &error);
  if (self.history == NULL)
    return wp_cli_fail (error);
  find_lines (&self, options->command);
  if (self.wanted->len == 0 && options->command != NULL)
    return wp_cli_usage ("--command: no profile on this branch is of “%s”", options->command);
  status = read_values (&self, store->store, find_text (format) == G_N_ELEMENTS (texts));
  if (self.points.points.len == 0)
    g_printerr ("wakepath-cli: no profile of these commits has that figure\n");
  if (self.history->unreadable > 0)
    g_printerr ("wakepath-cli: %u damaged entries are left out; status names them\n", self.history->unreadable);
  return MAX (write_out (&self, options, format), status);
}
