/* convert: a profile as a table, as lines for flame graphs, or as what a view draws. */
#include "base/find.h"
#include "cli/command.h"
#include "cli/convert.h"
#include "cli/named.h"
#include "cli/output.h"
#include "profile/model/flame-lines.h"
#include "profile/model/resource-table.h"

static const char *const table_formats[] = { "csv", "tsv", "json", NULL }, *const line_formats[] = { "text", NULL },
                         *const json_formats[] = { "json", NULL };

static void
print (const char *text, gsize n, gpointer data G_GNUC_UNUSED)
{
  wp_cli_write (stdout, text, n);
}

static gboolean
convert_table (WpConversion *self, GError **error)
{
  g_autoptr (WpResourceTable) table = wp_resource_table_new (self->profile, NULL, error);

  if (table == NULL)
    return FALSE;
  wp_resource_table_write (table, g_str_equal (self->format, "csv")   ? WP_RESOURCE_TABLE_CSV
                         : g_str_equal (self->format, "tsv") ? WP_RESOURCE_TABLE_TSV
                                                             : WP_RESOURCE_TABLE_JSON,
                  print, NULL);
  return TRUE;
}

static gboolean
convert_flame (WpConversion *self, GError **error G_GNUC_UNUSED)
{
  static const char *const orders[] = { "auto", "stored", "uid-first" };
  guint order = WP_FIND_NAME (orders, self->frames);

  for (guint32 i = 0; i < self->profile->resources.len; i++)
    {
      wp_flame_line (self->profile, i, order, self->out);
      wp_cli_flush_full (self->out);
    }
  return TRUE;
}

static const struct
{
  const char *name;
  const char *const *formats;
  WpConvertFunc run;
} conversions[] = {
  { "table", table_formats, convert_table },          { "flame", line_formats, convert_flame },
  { "heap-map", json_formats, wp_convert_heap_map },  { "heat-map", json_formats, wp_convert_heat_map },
  { "plot", json_formats, wp_convert_plot },          { "bars", json_formats, wp_convert_bars },
  { "flow", json_formats, wp_convert_flow },          { "scatter", json_formats, wp_convert_scatter },
};

typedef struct
{
  char *of, *per, *by, *through, *function, *frames, *format;
  gboolean accumulate;
} Options;

static void
conversion_clear (WpConversion *self)
{
  g_clear_pointer (&self->profile, wp_profile_free);
  wp_json_writer_free (self->json);
  g_string_free (self->out, TRUE);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WpConversion, conversion_clear)

static const char *
either (const char *given, const char *otherwise)
{
  return given != NULL ? given : otherwise;
}

static int
run (gpointer data, int n G_GNUC_UNUSED, char **operands)
{
  const Options *options = data;
  g_auto (WpCliNames) names = { 0 };
  g_auto (WpConversion) self
    = { .of = either (options->of, "amount"), .per = options->per, .by = either (options->by, "uid"), .through = either (options->through, "snapshots"),
        .function = either (options->function, "sum"), .frames = either (options->frames, "auto"), .accumulate = options->accumulate,
        .out = g_string_new (NULL) };
  guint i = WP_FIND_ROW (conversions, name, operands[1]);
  GError *error = NULL;
  int status;

  self.json = wp_json_writer_new_text (self.out);
  if (i == G_N_ELEMENTS (conversions))
    return wp_cli_usage ("there is no conversion “%s”", operands[1]);
  self.format = either (options->format, conversions[i].formats[0]);
  if (!g_strv_contains (conversions[i].formats, self.format))
    return wp_cli_usage ("--format: %s is not written as “%s”", operands[1], self.format);
  self.profile = wp_cli_names_profile (&names, operands[0], &status);
  if (self.profile == NULL)
    return status;
  if (!conversions[i].run (&self, &error))
    return wp_cli_fail (error);
  wp_cli_tell_omissions (self.profile);
  wp_cli_flush (self.out);
  return 0;
}

static const WpOption rows[] = {
  WP_OPTION_OF (Options, of),
  WP_OPTION_PER (Options, per),
  { "through", 0, G_OPTION_ARG_STRING, offsetof (Options, through), "KEY", "The same of _flow_; else the snapshots" },
  WP_OPTION_BY (Options, by),
  { "function", 0, G_OPTION_ARG_STRING, offsetof (Options, function), WP_GROUP_FUNCTIONS, "How values are made one" },
  { "accumulate", 0, G_OPTION_ARG_NONE, offsetof (Options, accumulate), NULL, "Of _flow_: values summed up to each point" },
  { "frames", 0, G_OPTION_ARG_STRING, offsetof (Options, frames), "auto|stored|uid-first", "Order of frames in lines for flame graphs" },
  { "format", 0, G_OPTION_ARG_STRING, offsetof (Options, format), "csv|tsv|json|text",
    "A table's format: csv, tsv or json; the others have one only: _flame_ is text, the rest json" },
  WP_OPTION_END,
};

const WpCommand wp_cmd_convert = {
  .name = "convert",
  .group = WP_GROUP_PROFILES,
  .operands = "PROFILE table|flame|heap-map|heat-map|plot|bars|flow|scatter",
  .summary = "A profile as a table, or as what a view draws",
  .options = rows,
  .size = sizeof (Options),
  .least = 2,
  .most = 2,
  .run = run,
};
