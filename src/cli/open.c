/* Opens files for the commands on recordings, and works out the paths of the wanted task. */
#include "cli/open.h"

#include "base/format.h"
#include "base/sort.h"

void
wp_cli_file_clear (WpCliFile *self)
{
  if (self->owns_paths)
    wp_paths_free (self->paths);
  wp_array_clear (&self->cuts);
  g_clear_pointer (&self->profile, wp_profile_free);
  g_clear_pointer (&self->stacks, wp_stacks_unref);
  if (self->document != NULL)
    wp_document_keep (self->document);
  g_clear_pointer (&self->document, wp_document_free);
  wp_cli_names_clear (&self->names);
  g_free (self->spec);
}

int
wp_cli_open (WpCliFile *self, const char *spec, const char *idle_task, WpCliOpenFlags flags)
{
  WpReadOptions read = { .idle_task = idle_task };
  const WpCliOthers others = { .plain = (flags & WP_CLI_PLAIN) != 0, .profile = flags & WP_CLI_PROFILES ? &self->profile : NULL,
                               .stacks = flags & WP_CLI_STACKS ? &self->stacks : NULL };
  int status = 0;

  self->spec = g_strdup (spec);
  self->document = wp_cli_names_document (&self->names, spec, &read, &others, &status);
  if (self->document != NULL && self->document->saved == NULL && !(flags & WP_CLI_NO_SYMBOLS))
    wp_document_name (self->document, &read, NULL, NULL);
  return status;
}

/* --- what is wrong with options ------------------------------------------------------------------------------------------------ */

static int
parse_time (const char *option, const char *text, gint64 *ns)
{
  if (text != NULL && (!wp_parse_duration (text, ns) || *ns < 0))
    return wp_cli_usage ("%s: “%s” is not a time (1.5s, 20ms, 300us, 4711ns)", option, text);
  return 0;
}

static int
parse_range (WpCliFile *self, const WpCliPathOptions *options)
{
  int status = parse_time ("--from", options->from, &self->from_ns);

  self->to_ns = G_MAXINT64;
  if (status == 0)
    status = parse_time ("--to", options->to, &self->to_ns);
  if (status != 0 || self->from_ns < self->to_ns)
    return status;
  return wp_cli_usage ("nothing is between --from %s and --to %s", options->from != NULL ? options->from : "0s", options->to);
}

static int
parse_cuts (WpCliFile *self, const char *text)
{
  g_auto (GStrv) words = g_strsplit (text != NULL ? text : "", ",", -1);

  for (guint i = 0; words[i] != NULL; i++)
    {
      guint64 op;

      if (!g_ascii_string_to_unsigned (words[i], 10, 1, G_MAXUINT32 - 1, &op, NULL))
        return wp_cli_usage ("--cut: “%s” is not the id of an operation, as `operations` lists them", words[i]);
      wp_array_push (&self->cuts, (WpId) op);
    }
  wp_array_sort (&self->cuts, wp_compare_ids);
  return 0;
}

int
wp_cli_open_for_paths (WpCliFile *self, const char *spec, const WpCliPathOptions *options, WpCliOpenFlags flags)
{
  int status = parse_range (self, options);

  if (status == 0)
    status = parse_cuts (self, options->cut);
  return status == 0 ? wp_cli_open (self, spec, options->idle_task, flags) : status;
}

/* --- what the file has not ------------------------------------------------------------------------------------------------------ */

/* The paths of a saved profile are what they were when it was saved. */
static gboolean
check_saved (const WpCliFile *self, const WpCliPathOptions *options, GError **error)
{
  const WpPathOptions *saved = self->document->saved != NULL ? &self->document->saved->options : NULL;

  if (saved == NULL || (self->cuts.len == 0 && (!options->started_work || saved->started_work)))
    return TRUE;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
               "this saved profile was made %s; open the recording it was made from to change that",
               self->cuts.len > 0 ? "with its own cuts" : "without --started-work");
  return FALSE;
}

static gboolean
check_cuts (const WpCliFile *self, GError **error)
{
  guint32 n = self->cuts.len;

  if (n == 0 || self->cuts.data[n - 1] < self->document->trace->ops.len)
    return TRUE;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "--cut: there is no operation %u; `operations` lists them",
               self->cuts.data[n - 1]);
  return FALSE;
}

static gboolean
check_end (const WpCliFile *self, const WpCliPathOptions *options, GError **error)
{
  gint64 end_ns = self->document->trace->end;
  char end[WP_FORMAT_MAX];

  if (self->from_ns == 0 || self->from_ns < end_ns)
    return TRUE;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "--from %s is behind the end of the recording, %s", options->from,
               wp_format_ns (end_ns, end));
  return FALSE;
}

int
wp_cli_find_paths (WpCliFile *self, const WpCliPathOptions *options)
{
  WpPathOptions path_options = WP_PATH_OPTIONS_DEFAULT;
  GError *error = NULL;

  path_options.merge_threads = options->merge_threads;
  path_options.started_work = options->started_work;
  path_options.cuts = self->cuts.len > 0 ? &self->cuts : NULL;
  if (check_saved (self, options, &error) && check_cuts (self, &error) && check_end (self, options, &error))
    self->paths = wp_document_paths (self->document, options->task, &path_options, &self->owns_paths, NULL, &error);
  if (self->paths != NULL)
    return 0;
  self->owns_paths = FALSE;
  g_prefix_error (&error, "%s: ", self->spec);
  return wp_cli_fail (error);
}

char *
wp_cli_file_of (const WpPaths *paths, const char *suffix)
{
  return g_strdelimit (g_strdup_printf ("%s.%s", paths->name, suffix), "/", '-');
}
