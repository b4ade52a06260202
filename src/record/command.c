/* Starting what is recorded; see command.h. */
#include "record/command.h"

#include "record/launch.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

gboolean
wp_command_check (const WpRecordOptions *options, GError **error)
{
  g_autofree char *found = NULL;

  if (options->command == NULL)
    return TRUE;
  if (options->folder != NULL && !g_file_test (options->folder, G_FILE_TEST_IS_DIR))
    {
      g_set_error (error, WP_RECORD_ERROR, WP_RECORD_ERROR_COMMAND, "there is no folder %s to run the command in",
                   options->folder);
      return FALSE;
    }
  if (strchr (options->command[0], '/') == NULL)
    found = g_find_program_in_path (options->command[0]);
  else
    {
      g_autofree char *path = g_canonicalize_filename (options->command[0], options->folder);

      if (g_file_test (path, G_FILE_TEST_IS_EXECUTABLE) && !g_file_test (path, G_FILE_TEST_IS_DIR))
        found = g_steal_pointer (&path);
    }
  if (found != NULL)
    return TRUE;
  g_set_error (error, WP_RECORD_ERROR, WP_RECORD_ERROR_COMMAND, "there is no program %s", options->command[0]);
  return FALSE;
}

gboolean
wp_command_start (const WpRecordOptions *options, GPid *pid, GError **error)
{
  const GSpawnFlags flags = G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_CHILD_INHERITS_STDIN;
  g_autoptr (GError) cause = NULL;
  int out = options->command_output != NULL
    ? TEMP_FAILURE_RETRY (open (options->command_output, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0666)) : -1;
  gboolean started;

  started = g_spawn_async_with_fds (options->folder, options->command, options->environment, flags, NULL, NULL, pid, -1, out,
                                    out, &cause);
  if (out >= 0)
    close (out);
  if (!started)
    g_set_error (error, WP_RECORD_ERROR, WP_RECORD_ERROR_COMMAND, "%s cannot be started: %s", options->command[0],
                 cause->message);
  return started;
}
