/* Reading and searching the list; see processes.h. */
#include "record/processes.h"

#include "base/hash.h"
#include "base/quote.h"
#include "base/search.h"
#include "base/sort.h"
#include "record/launch.h"

#include <pwd.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define COMMAND_MAX 4096

/* --- one process -------------------------------------------------------------------------------------------------- */

static char *
read_file (gint32 pid, const char *name, gsize *length)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/%s", pid, name);
  char *text = NULL;

  return g_file_get_contents (path, &text, length, NULL) ? text : NULL;
}

char *
wp_process_line (const char *text, gsize length)
{
  g_autofree char *line = g_memdup2 (text, length);

  for (gsize i = 0; i < length; i++)
    line[i] = line[i] != '\0' ? line[i] : ' ';
  return length > 0 ? wp_task_text (line, length) : g_strdup ("");
}

static char *
command_of (gint32 pid, const char *name)
{
  gsize length = 0;
  g_autofree char *text = read_file (pid, "cmdline", &length), *line = wp_process_line (text, MIN (length, COMMAND_MAX));

  return *line != '\0' ? g_steal_pointer (&line) : g_strdup (name);
}

static gboolean
is_unit (const char *name)
{
  return g_str_has_suffix (name, ".service") || g_str_has_suffix (name, ".scope");
}

char *
wp_unit_of_cgroup (const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      const char *path = strchr (lines[i], '/');
      g_auto (GStrv) parts = path != NULL ? g_strsplit (path, "/", -1) : NULL;

      for (guint n = parts != NULL ? g_strv_length (parts) : 0; n > 0; n--)
        if (is_unit (parts[n - 1]))
          return wp_task_text (parts[n - 1], strlen (parts[n - 1]));
    }
  return g_strdup ("");
}

static char *
user_name (guint32 uid)
{
  struct passwd entry, *found = NULL;
  char text[4096];

  if (getpwuid_r (uid, &entry, text, sizeof text, &found) == 0 && found != NULL)
    return g_strdup (found->pw_name);
  return g_strdup_printf ("%u", uid);
}

/* Users are few and looking one up may ask a server. */
static char *
user_of (gint32 pid, GHashTable *users, guint32 *uid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d", pid);
  struct stat folder;
  const char *known;

  if (stat (path, &folder) != 0)
    return NULL;
  *uid = folder.st_uid;
  known = g_hash_table_lookup (users, GUINT_TO_POINTER (*uid));
  if (known == NULL)
    {
      known = user_name (*uid);
      g_hash_table_insert (users, GUINT_TO_POINTER (*uid), (gpointer) known);
    }
  return g_strdup (known);
}

static void
clear_row (WpProcess *row)
{
  g_free (row->stat.name);
  g_free (row->command);
  g_free (row->user);
  g_free (row->unit);
}

gboolean
wp_process_lives (const WpProcess *self)
{
  WpTaskStat now;

  if (!wp_task_stat_read (self->pid, 0, &now))
    return FALSE;
  g_free (now.name);
  return now.started == self->stat.started;
}

static gboolean
read_row (WpProcess *row, GHashTable *users)
{
  g_autofree char *cgroup = NULL;

  if (!wp_task_stat_read (row->pid, 0, &row->stat) || (row->user = user_of (row->pid, users, &row->uid)) == NULL)
    {
      clear_row (row);
      return FALSE;
    }
  cgroup = read_file (row->pid, "cgroup", NULL);
  row->unit = wp_unit_of_cgroup (cgroup != NULL ? cgroup : "");
  row->command = command_of (row->pid, row->stat.name);
  return TRUE;
}

/* --- all of them -------------------------------------------------------------------------------------------------- */

static const WpProcess *
find_pid (const WpProcesses *self, gint32 pid)
{
  guint32 at = WP_SEARCH (0, self->rows.len, i, self->rows.data[i].pid < pid);

  return at < self->rows.len && self->rows.data[at].pid == pid ? &self->rows.data[at] : NULL;
}

/* The first process is always there, and always another user's, unless we are root. */
static gboolean
hides_others (void)
{
  g_autofree char *text = read_file (1, "stat", NULL);

  return text == NULL;
}

WP_DEFINE_COMPARE (compare_pids, WpProcess, pid)

WpProcesses *
wp_processes_read (const WpProcesses *before)
{
  WpProcesses *self = g_new0 (WpProcesses, 1);
  g_autoptr (GHashTable) users = g_hash_table_new_full (wp_hash_pointer, NULL, NULL, g_free);
  g_autoptr (GDir) folder = g_dir_open ("/proc", 0, NULL);
  const char *name;

  self->read_us = g_get_monotonic_time ();
  self->partial = hides_others ();
  while (folder != NULL && (name = g_dir_read_name (folder)) != NULL)
    {
      guint64 pid;
      WpProcess row = { 0 };
      const WpProcess *then;

      if (!g_ascii_string_to_unsigned (name, 10, 1, G_MAXINT32, &pid, NULL) || (gint32) pid == getpid ())
        continue;
      row.pid = (gint32) pid;
      if (!read_row (&row, users))
        continue;
      then = before != NULL ? find_pid (before, row.pid) : NULL;
      row.share = wp_task_share (&row.stat, self->read_us, then != NULL ? &then->stat : NULL, then != NULL ? before->read_us : 0);
      wp_array_push (&self->rows, row);
    }
  wp_array_sort (&self->rows, compare_pids);
  return self;
}

void
wp_processes_free (WpProcesses *self)
{
  if (self == NULL)
    return;
  for (guint32 i = 0; i < self->rows.len; i++)
    clear_row (&self->rows.data[i]);
  wp_array_clear (&self->rows);
  g_free (self);
}

/* --- searching ---------------------------------------------------------------------------------------------------- */

static gboolean
has_word (const WpProcess *self, const char *word)
{
  const char *const texts[] = { self->stat.name, self->command, self->user, self->unit };
  g_autofree char *pid = g_strdup_printf ("%d", self->pid);

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autofree char *folded = g_utf8_casefold (texts[i], -1);

      if (strstr (folded, word) != NULL)
        return TRUE;
    }
  return g_str_equal (pid, word);
}

gboolean
wp_process_matches (const WpProcess *self, const char *words)
{
  g_autofree char *folded = g_utf8_casefold (words, -1);
  g_auto (GStrv) each = g_strsplit_set (folded, " \t", -1);

  for (guint i = 0; each[i] != NULL; i++)
    if (*each[i] != '\0' && !has_word (self, each[i]))
      return FALSE;
  return TRUE;
}

static gboolean
is_of_unit (const WpProcess *row, const char *what)
{
  gsize n = strlen (what);

  return g_str_equal (row->unit, what) || (g_str_has_prefix (row->unit, what) && g_str_equal (row->unit + n, ".service"));
}

/* The program is the first word of the command. */
static gboolean
is_named (const WpProcess *row, const char *what)
{
  g_autofree char *program = g_strndup (row->command, strcspn (row->command, " ")), *base = g_path_get_basename (program);

  return g_str_equal (row->stat.name, what) || g_str_equal (base, what);
}

static gboolean
is_pid (const WpProcess *row, const char *what)
{
  guint64 pid;

  return g_ascii_string_to_unsigned (what, 10, 1, G_MAXINT32, &pid, NULL) && (gint32) pid == row->pid;
}

static int
compare_ages (const void *a, const void *b)
{
  const WpProcess *x = *(const WpProcess *const *) a, *y = *(const WpProcess *const *) b;

  return x->stat.started != y->stat.started ? WP_COMPARE (x->stat.started, y->stat.started) : WP_COMPARE (x->pid, y->pid);
}

gint32 *
wp_processes_find (const WpProcesses *self, const char *what, GError **error)
{
  static gboolean (*const ways[]) (const WpProcess *row, const char *what) = { is_pid, is_of_unit, is_named };
  g_autoptr (GPtrArray) found = g_ptr_array_new ();
  gint32 *pids;

  for (guint way = 0; way < G_N_ELEMENTS (ways) && found->len == 0; way++)
    for (guint32 i = 0; i < self->rows.len; i++)
      if (ways[way] (&self->rows.data[i], what))
        g_ptr_array_add (found, (gpointer) &self->rows.data[i]);
  if (found->len == 0)
    {
      g_set_error (error, WP_RECORD_ERROR, WP_RECORD_ERROR_COMMAND,
                   "no process has the number, unit or name %s; wakepath-cli processes lists those that run", what);
      return NULL;
    }
  g_ptr_array_sort (found, compare_ages);
  pids = g_new0 (gint32, found->len + 1);
  for (guint i = 0; i < found->len; i++)
    pids[i] = ((const WpProcess *) found->pdata[i])->pid;
  return pids;
}
