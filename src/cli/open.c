#include "cli/open.h"

#include "base/format.h"
#include "cli/command.h"

#include <stdio.h>

void
wp_cli_options_clear (WpCliOptions *self)
{
  g_free (self->task);
  g_free (self->format);
  g_free (self->output);
  g_free (self->idle_task);
  g_free (self->from);
  g_free (self->to);
}

static int
parse_time (const char *command, const char *option, const char *text, gint64 *ns)
{
  if (text != NULL && (!wp_parse_duration (text, ns) || *ns < 0))
    return wp_cli_usage (command, "%s: “%s” is not a time (1.5s, 20ms, 300us, 4711ns)", option, text);
  return 0;
}

static int
check_format (const char *command, const char *const *formats, WpCliOptions *options)
{
  if (options->format == NULL)
    options->format = g_strdup (formats[0]);
  if (!g_strv_contains (formats, options->format))
    {
      g_autofree char *known = g_strjoinv (", ", (char **) formats);

      return wp_cli_usage (command, "there is no format “%s”, only %s", options->format, known);
    }
  return 0;
}

int
wp_cli_parse (int argc, char **argv, const char *const *formats, WpCliOptions *options)
{
  const GOptionEntry entries[] = {
    { "task", 't', 0, G_OPTION_ARG_STRING, &options->task, "The process of interest", "NAME|NAME:TID|TID" },
    { "format", 'f', 0, G_OPTION_ARG_STRING, &options->format, "The output's format", "FORMAT" },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &options->output, "Write to this file", "FILE" },
    { "idle-task", 0, 0, G_OPTION_ARG_STRING, &options->idle_task, "A spinner that plays the idle task", "NAME" },
    { "from", 0, 0, G_OPTION_ARG_STRING, &options->from, "Only from this moment on", "TIME" },
    { "to", 0, 0, G_OPTION_ARG_STRING, &options->to, "Only up to this moment", "TIME" },
    { "merge-threads", 0, 0, G_OPTION_ARG_NONE, &options->merge_threads, "Name threads by their process", NULL },
    { "consolidated", 'c', 0, G_OPTION_ARG_NONE, &options->consolidated, "All stacks gathered", NULL },
    G_OPTION_ENTRY_NULL
  };
  g_autoptr (GOptionContext) context = g_option_context_new ("FILE");
  g_autoptr (GError) error = NULL;
  const char *command = argv[0];
  int status;

  g_option_context_add_main_entries (context, entries, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error))
    return wp_cli_usage (command, "%s", error->message);
  if (argc != 2)
    return wp_cli_usage (command, argc < 2 ? "name a file" : "one file only");
  options->file = argv[1];
  options->to_ns = G_MAXINT64;
  status = parse_time (command, "--from", options->from, &options->from_ns);
  if (status == 0)
    status = parse_time (command, "--to", options->to, &options->to_ns);
  if (status == 0)
    status = check_format (command, formats, options);
  return status;
}

WpDocument *
wp_cli_open (const WpCliOptions *options, GError **error)
{
  WpReadOptions read = { .idle_task = options->idle_task };
  g_autoptr (WpDocument) document = wp_document_open (options->file, &read, NULL, error);

  if (document == NULL)
    return NULL;
  if (document->saved == NULL)
    wp_read_symbols (document->trace, &read, NULL, NULL);
  return g_steal_pointer (&document);
}

WpPaths *
wp_cli_paths (WpDocument *document, const WpCliOptions *options, gboolean *owned, GError **error)
{
  WpPathOptions paths = WP_PATH_OPTIONS_DEFAULT;
  WpPaths *result;

  paths.merge_threads = options->merge_threads;
  result = wp_document_paths (document, options->task, &paths, owned, NULL, error);
  if (result == NULL)
    g_prefix_error (error, "%s: ", options->file);
  return result;
}

void
wp_cli_json_string (GString *out, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);

  g_string_append_c (out, '"');
  for (const char *p = valid; *p != '\0'; p++)
    if (*p == '"' || *p == '\\')
      g_string_append_printf (out, "\\%c", *p);
    else if ((guchar) *p < 0x20)
      g_string_append_printf (out, "\\u%04x", *p);
    else
      g_string_append_c (out, *p);
  g_string_append_c (out, '"');
}

void
wp_cli_tsv_field (GString *out, const char *text)
{
  for (; *text != '\0'; text++)
    g_string_append_c (out, *text == '\t' || *text == '\n' || *text == '\r' ? ' ' : *text);
}

void
wp_cli_flush (GString *out)
{
  fwrite (out->str, 1, out->len, stdout);
  g_string_truncate (out, 0);
}

void
wp_cli_json_diagnostics (GString *out, const WpDiagnostics *diagnostics)
{
  g_string_append (out, "\"diagnostics\": { ");
  for (guint i = 0; i < WP_DIAG_COUNT; i++)
    g_string_append_printf (out, "%s\"%s\": %" G_GUINT64_FORMAT, i > 0 ? ", " : "", wp_diag_id (i), diagnostics->n[i]);
  g_string_append (out, " }");
}
