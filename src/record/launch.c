/* Starting the helper, and its failures put into words; see launch.h. */
#include "record/launch.h"

#include "config.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define FLIGHT_SIZE_MB 16777216 /* the most that the helper takes: what is old is given back meanwhile */

G_DEFINE_QUARK (wp-record-error-quark, wp_record_error)

/* Copies of stacks are made by a program of their own, which has an action of its own with polkit. Only one that we start ourselves may be
 * of a build tree: pkexec runs what is installed. */
static char *
helper_path (const WpRecordOptions *options, gboolean pkexec)
{
  const char *own = g_getenv ("WAKEPATH_COLLECTOR"), *path = !pkexec && own != NULL && *own != '\0' ? own : WP_HELPER_PATH;

  return g_strconcat (path, options->stacks == WP_STACKS_DWARF ? "-memory" : "", NULL);
}

/* Four thousand copies of stacks a second and CPU are more than most disks take. */
static guint
usual_rate (WpStackMode stacks)
{
  return stacks == WP_STACKS_DWARF ? 1000 : 4000;
}

/* Which can be sampled alone, then or later. NULL: none, or too many. */
static char *
sampled (const WpRecordOptions *options)
{
  const gint32 *ids = options->tids != NULL ? options->tids : options->pids;
  g_autoptr (GString) text = g_string_new (options->tids != NULL ? "--sample-tids=" : "--sample-pids=");
  guint n = 0;

  for (; ids != NULL && ids[n] != 0; n++)
    g_string_append_printf (text, "%s%d", n > 0 ? "," : "", ids[n]);
  return n > 0 && n <= WP_RECORD_SAMPLED_MAX ? g_strdup (text->str) : NULL;
}

static GPtrArray *
helper_arguments (const WpRecordOptions *options, gboolean pkexec)
{
  GPtrArray *argv = g_ptr_array_new_with_free_func (g_free);
  char *ids = sampled (options);

  if (pkexec)
    {
      g_ptr_array_add (argv, g_strdup ("pkexec"));
      g_ptr_array_add (argv, g_strdup ("--disable-internal-agent"));
    }
  g_ptr_array_add (argv, helper_path (options, pkexec));
  g_ptr_array_add (argv, g_strdup_printf ("--stacks=%s", wp_stack_mode_name (options->stacks)));
  if (options->stacks == WP_STACKS_DWARF && options->stack_bytes > 0)
    g_ptr_array_add (argv, g_strdup_printf ("--stack-bytes=%u", options->stack_bytes));
  g_ptr_array_add (argv, g_strdup_printf ("--rate=%u", options->rate > 0 ? options->rate : usual_rate (options->stacks)));
  if (ids != NULL)
    {
      g_ptr_array_add (argv, ids);
      g_ptr_array_add (argv, g_strdup_printf ("--sample=%s", options->sample_chosen ? "chosen" : "all"));
    }
  if (options->buffer_kb > 0)
    g_ptr_array_add (argv, g_strdup_printf ("--buffer-kb=%u", options->buffer_kb));
  if (options->size_mb > 0 || options->keep > 0)
    g_ptr_array_add (argv, g_strdup_printf ("--size-mb=%u", options->keep > 0 ? FLIGHT_SIZE_MB : options->size_mb));
  g_ptr_array_add (argv, NULL);
  return argv;
}

GSubprocess *
wp_launch_helper (const WpRecordOptions *options, gboolean pkexec, int output, GError **error)
{
  g_autoptr (GSubprocessLauncher) launcher
    = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE);
  g_autoptr (GPtrArray) argv = helper_arguments (options, pkexec);
  g_autofree char *path = helper_path (options, pkexec);
  g_autoptr (GError) cause = NULL;
  GSubprocess *process;

  if (!g_file_test (path, G_FILE_TEST_IS_EXECUTABLE))
    {
      g_set_error (error, WP_RECORD_ERROR, WP_RECORD_ERROR_HELPER,
                   "the recording helper is not installed at %s; ./run or ./run install puts it there", path);
      return NULL;
    }
  if (pkexec)
    {
      g_autofree char *found = g_find_program_in_path ("pkexec");

      if (found == NULL)
        {
          g_set_error (error, WP_RECORD_ERROR, WP_RECORD_ERROR_PERMISSION,
                       "recording the whole system needs privileges, and pkexec, which would ask for them, is not installed; "
                       "install the package pkexec, or record as root");
          return NULL;
        }
    }
  g_subprocess_launcher_take_stdout_fd (launcher, fcntl (output, F_DUPFD_CLOEXEC, 3));
  process = g_subprocess_launcher_spawnv (launcher, (const char *const *) argv->pdata, &cause);
  if (process == NULL)
    g_set_error (error, WP_RECORD_ERROR, WP_RECORD_ERROR_HELPER, "the recording helper cannot be started: %s",
                 cause->message);
  return process;
}

gboolean
wp_launch_worth_pkexec (const char *code)
{
  return geteuid () != 0 && (g_strcmp0 (code, "permission") == 0 || g_strcmp0 (code, "tracefs") == 0);
}

/* What keeps even root from recording, by a file that tells of it. */
const char *
wp_launch_forbidden_by (const char *root)
{
  static const struct
  {
    const char *file, *word; /* the file holds the word; NULL: it is enough that the file is there */
    const char *advice;
  } rows[] = {
    { "/.flatpak-info", NULL, "a Flatpak may not record; record with wakepath-cli on the system itself, and open the file here" },
    { "/.dockerenv", NULL, "this container may not record; record on its host, which sees the container’s processes too" },
    { "/run/.containerenv", NULL, "this container may not record; record on its host, which sees the container’s processes too" },
    { "/run/systemd/container", NULL, "this container may not record; record on its host, which sees the container’s processes too" },
    { "/sys/kernel/security/lockdown", "[confidentiality]",
      "this kernel is locked down (confidentiality), which forbids recording to everybody; start it with lockdown=integrity" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *path = g_strconcat (root, rows[i].file, NULL), *text = NULL;

      if (rows[i].word == NULL ? g_file_test (path, G_FILE_TEST_EXISTS)
                               : g_file_get_contents (path, &text, NULL, NULL) && strstr (text, rows[i].word) != NULL)
        return rows[i].advice;
    }
  return "record as root, or let an administrator allow it";
}

GError *
wp_launch_helper_error (const char *code, const char *text)
{
  const struct
  {
    const char *code;
    WpRecordError error;
    const char *advice;
  } rows[] = {
    { "tracefs", WP_RECORD_ERROR_KERNEL, "mount it: mount -t tracefs tracefs /sys/kernel/tracing" },
    { "permission", WP_RECORD_ERROR_PERMISSION, wp_launch_forbidden_by ("") },
    { "perf", WP_RECORD_ERROR_KERNEL, "this kernel does not offer the events that a recording needs" },
    { "memory", WP_RECORD_ERROR_KERNEL, "try a smaller buffer, or allow more by kernel.perf_event_mlock_kb" },
    { "busy", WP_RECORD_ERROR_KERNEL, "wait until one of them has ended" },
    { "output", WP_RECORD_ERROR_OUTPUT, "make room, or record into another folder" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    if (g_strcmp0 (code, rows[i].code) == 0)
      return g_error_new (WP_RECORD_ERROR, rows[i].error, "%s; %s", text, rows[i].advice);
  return g_error_new (WP_RECORD_ERROR, WP_RECORD_ERROR_HELPER, "%s", text);
}

GError *
wp_launch_pkexec_error (int status, const char *said, WpStackMode stacks)
{
  static const struct
  {
    int status;
    const char *said; /* part of pkexec's own words; NULL: any */
    const char *text;
  } rows[] = {
    { 126, NULL, "the authorisation was dismissed; nothing was recorded" },
    { 127, "No authentication agent", "recording the whole system needs an authorisation, but no agent is there to ask for it; "
                                      "start your desktop's polkit agent, or record as root" },
    { 127, "getting authority", "recording the whole system needs an authorisation, but polkit is not running; "
                                "start it, or record as root" },
    { 127, "Not authorized", "the authorisation to record the whole system was refused" },
  };
  const char *without = stacks == WP_STACKS_DWARF && (status == 126 || strstr (said, "Not authorized") != NULL)
    ? "; it was to copy pieces of every program's memory, which is asked for on its own: --stacks fp does without" : "";

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    if (status == rows[i].status && (rows[i].said == NULL || strstr (said, rows[i].said) != NULL))
      return g_error_new (WP_RECORD_ERROR, WP_RECORD_ERROR_PERMISSION, "%s%s", rows[i].text, without);
  return g_error_new (WP_RECORD_ERROR, WP_RECORD_ERROR_HELPER, "the recording helper ended early (status %d)%s%s", status,
                      *said != '\0' ? ": " : "", said);
}
