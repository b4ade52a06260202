#include "cli/open.h"

#include "base/format.h"
#include "base/quote.h"
#include "base/sort.h"
#include "cli/command.h"
#include "cli/named.h"
#include "cli/output.h"
#include "base/save-file.h"

#include <stdlib.h>
#include <string.h>

static void
options_clear (WpCliOptions *self)
{
  g_free (self->task);
  g_free (self->format);
  g_free (self->output);
  g_free (self->idle_task);
  g_free (self->from);
  g_free (self->to);
  g_free (self->cut);
  wp_array_clear (&self->cuts);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WpCliOptions, options_clear)

static int
parse_time (const char *command, const char *option, const char *text, gint64 *ns)
{
  if (text != NULL && (!wp_parse_duration (text, ns) || *ns < 0))
    return wp_cli_usage (command, "%s: “%s” is not a time (1.5s, 20ms, 300us, 4711ns)", option, text);
  return 0;
}

const char *
wp_cli_format_of (const char *file, const char *const *formats)
{
  const char *dot = file != NULL ? strrchr (file, '.') : NULL;

  return dot != NULL && g_strv_contains (formats, dot + 1) ? dot + 1 : formats[0];
}

static int
check_format (const char *command, const char *const *formats, WpCliOptions *options)
{
  if (options->format == NULL)
    options->format = g_strdup (wp_cli_format_of (options->output, formats));
  if (!g_strv_contains (formats, options->format))
    {
      g_autofree char *known = g_strjoinv (", ", (char **) formats);

      return wp_cli_usage (command, "there is no format “%s”, only %s", options->format, known);
    }
  return 0;
}

/* "17,4711": ids as `operations` prints them. */
static int
parse_cuts (const char *command, const char *text, WpIdArray *cuts)
{
  g_auto (GStrv) words = g_strsplit (text != NULL ? text : "", ",", -1);

  for (guint i = 0; words[i] != NULL; i++)
    {
      guint64 op;

      if (!g_ascii_string_to_unsigned (words[i], 10, 1, G_MAXUINT32 - 1, &op, NULL))
        return wp_cli_usage (command, "--cut: “%s” is not the id of an operation, as `operations` lists them", words[i]);
      wp_array_push (cuts, (WpId) op);
    }
  wp_array_sort (cuts, wp_compare_ids);
  return 0;
}

/* Which of the options commands take beside --format and --idle-task. */
static gboolean
takes (const char *command, const char *option)
{
  static const struct
  {
    const char *command;
    const char *const options[16];
  } taken[] = {
    { "report", { "task", "merge-threads", "started-work", "cut", "from", "to" } },
    { "flame", { "task", "merge-threads", "started-work", "cut", "from", "to", "consolidated", "inverted", "collapse-recursion", "icicle", "output" } },
    { "save", { "task", "merge-threads", "started-work", "cut", "output" } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (taken); i++)
    if (g_str_equal (command, taken[i].command) && g_strv_contains (taken[i].options, option))
      return TRUE;
  return g_str_equal (option, "format") || g_str_equal (option, "idle-task");
}

static int
check_range (const char *command, const WpCliOptions *options)
{
  if (options->from_ns < options->to_ns)
    return 0;
  return wp_cli_usage (command, "nothing is between --from %s and --to %s", options->from != NULL ? options->from : "0s",
                       options->to);
}

static int
parse (int argc, char **argv, const char *const *formats, const GOptionEntry *more, WpCliOptions *options)
{
  const GOptionEntry entries[] = {
    { "task", 't', 0, G_OPTION_ARG_STRING, &options->task, "The process of interest", "NAME|NAME:TID|TID" },
    { "format", 'f', 0, G_OPTION_ARG_STRING, &options->format, "The output's format", "FORMAT" },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &options->output, "Write to this file", "FILE" },
    { "idle-task", 0, 0, G_OPTION_ARG_STRING, &options->idle_task, "A spinner that plays the idle task", "NAME" },
    { "from", 0, 0, G_OPTION_ARG_STRING, &options->from, "Only from this moment on", "TIME" },
    { "to", 0, 0, G_OPTION_ARG_STRING, &options->to, "Only up to this moment", "TIME" },
    { "merge-threads", 0, 0, G_OPTION_ARG_NONE, &options->merge_threads, "Name threads by their process", NULL },
    { "started-work", 0, 0, G_OPTION_ARG_NONE, &options->started_work, "Follow started work that nobody waits for, too", NULL },
    { "cut", 0, 0, G_OPTION_ARG_STRING, &options->cut, "Follow no further than these operations", "OP[,OP…]" },
    { "consolidated", 'c', 0, G_OPTION_ARG_NONE, &options->consolidated, "All stacks gathered", NULL },
    { "inverted", 0, 0, G_OPTION_ARG_NONE, &options->inverted, "Innermost functions first", NULL },
    { "collapse-recursion", 0, 0, G_OPTION_ARG_NONE, &options->collapse_recursion, "A function that calls itself is one box", NULL },
    { "icicle", 0, 0, G_OPTION_ARG_NONE, &options->icicle, "Roots at the top", NULL },
    G_OPTION_ENTRY_NULL
  };
  GOptionEntry own[G_N_ELEMENTS (entries)] = { 0 };
  g_autoptr (GOptionContext) context = g_option_context_new ("FILE");
  g_autoptr (GError) error = NULL;
  const char *command = argv[0];
  guint n = 0;
  int status;

  for (guint i = 0; entries[i].long_name != NULL; i++)
    if (takes (command, entries[i].long_name))
      own[n++] = entries[i];
  g_option_context_add_main_entries (context, own, NULL);
  if (more != NULL)
    g_option_context_add_main_entries (context, more, NULL);
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
    status = check_range (command, options);
  if (status == 0)
    status = parse_cuts (command, options->cut, &options->cuts);
  if (status == 0)
    status = check_format (command, formats, options);
  return status;
}

static WpDocument *
open_file (WpCliNames *names, const WpCliOptions *options, gboolean symbols, WpProfile **profile, int *status)
{
  WpReadOptions read = { .idle_task = options->idle_task };
  WpDocument *document = wp_cli_names_document (names, options->file, &read, profile, status);

  if (document != NULL && symbols && document->saved == NULL)
    wp_read_symbols (document->trace, &read, NULL, NULL);
  return document;
}

int
wp_cli_with_any (int argc, char **argv, const char *const *formats, gboolean symbols, WpCliFileFunc func, WpCliProfileFunc profile_func)
{
  g_auto (WpCliOptions) options = { 0 };
  g_auto (WpCliNames) names = { 0 };
  g_autoptr (WpDocument) document = NULL;
  g_autoptr (WpProfile) profile = NULL;
  int status = parse (argc, argv, formats, NULL, &options);

  if (status != 0)
    return status;
  document = open_file (&names, &options, symbols, profile_func != NULL ? &profile : NULL, &status);
  if (profile != NULL)
    return profile_func (profile, &options);
  return document != NULL ? func (document, &options) : status;
}

int
wp_cli_with_file (int argc, char **argv, const char *const *formats, gboolean symbols, WpCliFileFunc func)
{
  return wp_cli_with_any (argc, argv, formats, symbols, func, NULL);
}

int
wp_cli_with_paths (int argc, char **argv, const char *const *formats, const GOptionEntry *more, WpCliPathsFunc func)
{
  g_auto (WpCliOptions) options = { 0 };
  g_auto (WpCliNames) names = { 0 };
  g_autoptr (WpDocument) document = NULL;
  int status = parse (argc, argv, formats, more, &options);

  if (status != 0)
    return status;
  document = open_file (&names, &options, TRUE, NULL, &status);
  return document != NULL ? wp_cli_paths (document, &options, func) : status;
}

/* The paths of a saved profile are what they were when it was saved. */
static gboolean
check_saved (const WpDocument *document, const WpCliOptions *options, GError **error)
{
  const WpPathOptions *saved = document->saved != NULL ? &document->saved->options : NULL;

  if (saved == NULL || (options->cuts.len == 0 && (!options->started_work || saved->started_work)))
    return TRUE;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
               "this saved profile was made %s; open the recording it was made from to change that",
               options->cuts.len > 0 ? "with its own cuts" : "without --started-work");
  return FALSE;
}

static gboolean
check_cuts (const WpDocument *document, const WpCliOptions *options, GError **error)
{
  guint32 n = options->cuts.len;

  if (n == 0 || options->cuts.data[n - 1] < document->trace->ops.len)
    return TRUE;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "--cut: there is no operation %u; `operations` lists them",
               options->cuts.data[n - 1]);
  return FALSE;
}

static gboolean
check_end (const WpDocument *document, const WpCliOptions *options, GError **error)
{
  char end[WP_FORMAT_MAX];

  if (options->from_ns == 0 || options->from_ns < document->trace->end)
    return TRUE;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "--from %s is behind the end of the recording, %s", options->from,
               wp_format_ns (document->trace->end, end));
  return FALSE;
}

int
wp_cli_paths (WpDocument *document, const WpCliOptions *options, WpCliPathsFunc func)
{
  WpPathOptions path_options = WP_PATH_OPTIONS_DEFAULT;
  GError *error = NULL;
  gboolean owned;
  WpPaths *paths = NULL;
  int status;

  path_options.merge_threads = options->merge_threads;
  path_options.started_work = options->started_work;
  path_options.cuts = options->cuts.len > 0 ? &options->cuts : NULL;
  if (check_saved (document, options, &error) && check_cuts (document, options, &error)
      && check_end (document, options, &error))
    paths = wp_document_paths (document, options->task, &path_options, &owned, NULL, &error);
  if (paths == NULL)
    {
      g_prefix_error (&error, "%s: ", options->file);
      return wp_cli_fail (error);
    }
  status = func (document, paths, options);
  if (owned)
    wp_paths_free (paths);
  return status;
}

char *
wp_cli_file_of (const WpPaths *paths, const char *suffix)
{
  return g_strdelimit (g_strdup_printf ("%s.%s", paths->name, suffix), "/", '-');
}

void
wp_cli_flush (GString *out)
{
  wp_cli_write (stdout, out->str, out->len);
  g_string_truncate (out, 0);
}

static int
save (const GString *out, const char *file)
{
  g_autoptr (GString) clean = g_string_sized_new (out->len);
  GError *error = NULL;

  wp_quote_terminal (clean, out->str, out->len);
  return wp_save_text (file, clean->str, clean->len, &error) ? 0 : wp_cli_fail (error);
}

int
wp_cli_put (GString *out, const char *file)
{
  if (file != NULL)
    return save (out, file);
  wp_cli_flush (out);
  return 0;
}
