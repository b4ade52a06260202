/* convert: a profile as a table, as lines for flame graphs, or as what a view draws. */
#include "base/find.h"
#include "cli/command.h"
#include "cli/convert.h"
#include "cli/named.h"
#include "cli/open.h"
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
convert_flame (WpConversion *self, GError **error)
{
  static const char *const orders[] = { "auto", "stored", "uid-first" };
  guint order = WP_FIND_NAME (orders, self->frames);

  if (order == G_N_ELEMENTS (orders))
    {
      g_set_error (error, WP_JSON_ERROR, WP_JSON_ERROR_VALUE, "--frames %s: none of auto, stored, uid-first", self->frames);
      return FALSE;
    }
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

static int
run (WpConversion *self, const char *spec, const char *name)
{
  g_auto (WpCliNames) names = { 0 };
  GError *error = NULL;
  guint i = WP_FIND_ROW (conversions, name, name);
  int status;

  wp_cli_default (&self->frames, "auto");
  wp_cli_default (&self->function, "sum");
  wp_cli_default (&self->of, "amount");
  wp_cli_default (&self->by, "uid");
  wp_cli_default (&self->through, "snapshots");
  if (i == G_N_ELEMENTS (conversions))
    return wp_cli_usage ("convert", "there is no conversion “%s”", name);
  if (!wp_cli_format ("convert", &self->format, conversions[i].formats))
    return 2;
  self->profile = wp_cli_names_profile (&names, spec, &status);
  if (self->profile == NULL)
    return status;
  if (!conversions[i].run (self, &error))
    return wp_cli_fail (error);
  wp_cli_tell_omissions (self->profile);
  wp_cli_flush (self->out);
  return 0;
}

static void
clear (WpConversion *self)
{
  char **texts[] = { &self->format, &self->frames, &self->function, &self->of, &self->per, &self->by, &self->through };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    g_clear_pointer (texts[i], g_free);
  g_clear_pointer (&self->profile, wp_profile_free);
  g_string_free (self->out, TRUE);
}

int
wp_cmd_convert (int argc, char **argv)
{
  WpConversion self = { .out = g_string_new (NULL) };
  const GOptionEntry entries[] = { { "format", 0, 0, G_OPTION_ARG_STRING, &self.format, NULL, NULL },
                                   { "frames", 0, 0, G_OPTION_ARG_STRING, &self.frames, NULL, NULL },
                                   { "function", 0, 0, G_OPTION_ARG_STRING, &self.function, NULL, NULL },
                                   { "of", 0, 0, G_OPTION_ARG_STRING, &self.of, NULL, NULL },
                                   { "per", 0, 0, G_OPTION_ARG_STRING, &self.per, NULL, NULL },
                                   { "by", 0, 0, G_OPTION_ARG_STRING, &self.by, NULL, NULL },
                                   { "through", 0, 0, G_OPTION_ARG_STRING, &self.through, NULL, NULL },
                                   { "accumulate", 0, 0, G_OPTION_ARG_NONE, &self.accumulate, NULL, NULL },
                                   { 0 } };
  int status = wp_cli_arguments (&argc, &argv, entries, 2, 2) ? run (&self, argv[1], argv[2]) : 2;

  clear (&self);
  return status;
}
