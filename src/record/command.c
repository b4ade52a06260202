/* Starting what is recorded; see command.h. */
#include "record/command.h"

#include "record/launch.h"
#include "record/output.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* One that was started and has not ended: it is our child until then, and its number nobody else's. */
typedef struct
{
  GPid pid;
  char *words;
} Running;

static GPtrArray *running;

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

static void
running_free (gpointer data)
{
  g_free (((Running *) data)->words);
  g_free (data);
}

static void
note_running (GPid pid, char **command)
{
  Running *row = g_new0 (Running, 1);

  if (running == NULL)
    running = g_ptr_array_new_with_free_func (running_free);
  *row = (Running) { .pid = pid, .words = g_strjoinv (" ", command) };
  g_ptr_array_add (running, row);
}

void
wp_command_ended (GPid pid)
{
  for (guint i = 0; running != NULL && i < running->len; i++)
    if (((const Running *) running->pdata[i])->pid == pid)
      {
        g_ptr_array_remove_index (running, i);
        return;
      }
}

GPtrArray *
wp_recorded_commands (void)
{
  GPtrArray *texts = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; running != NULL && i < running->len; i++)
    {
      const Running *row = running->pdata[i];

      g_ptr_array_add (texts, g_strdup_printf ("%s (%d)", row->words, (int) row->pid));
    }
  return texts;
}

void
wp_recorded_commands_end (void)
{
  for (guint i = 0; running != NULL && i < running->len; i++)
    kill (((const Running *) running->pdata[i])->pid, SIGTERM);
}

char *
wp_command_end_words (int status)
{
  if (status == -1)
    return NULL;
  if (WIFEXITED (status))
    return g_strdup_printf ("exit status %d", WEXITSTATUS (status));
  return g_strdup_printf ("signal %d (%s)", WTERMSIG (status), strsignal (WTERMSIG (status)));
}

char *
wp_recorder_command_output_of (const char *recording)
{
  return g_strdup_printf ("%.*s.output", wp_output_stem (recording), recording);
}

#define LINE_BYTES 512

char *
wp_recorder_last_line (const char *command_output)
{
  int fd = TEMP_FAILURE_RETRY (open (command_output, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  char bytes[LINE_BYTES];
  gssize n = fd >= 0 ? TEMP_FAILURE_RETRY (pread (fd, bytes, sizeof bytes, MAX (lseek (fd, 0, SEEK_END) - LINE_BYTES, 0))) : 0;
  const char *line;
  g_autofree char *text = NULL;

  if (fd >= 0)
    close (fd);
  text = g_strchomp (g_strndup (bytes, MAX (n, 0)));
  if (*text == '\0')
    return NULL;
  line = strrchr (text, '\n');
  return g_utf8_make_valid (line != NULL ? line + 1 : text, -1);
}

gboolean
wp_command_start (const WpRecordOptions *options, GPid *pid, GError **error)
{
  const GSpawnFlags flags = G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_CHILD_INHERITS_STDIN;
  g_autoptr (GError) cause = NULL;
  int out = options->command_output != NULL
    ? TEMP_FAILURE_RETRY (open (options->command_output, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600)) : -1;
  gboolean started;

  started = g_spawn_async_with_fds (options->folder, options->command, options->environment, flags, NULL, NULL, pid, -1, out,
                                    out, &cause);
  if (out >= 0)
    close (out);
  if (!started)
    g_set_error (error, WP_RECORD_ERROR, WP_RECORD_ERROR_COMMAND, "%s cannot be started: %s", options->command[0],
                 cause->message);
  else
    note_running (*pid, options->command);
  return started;
}
