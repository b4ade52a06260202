#include "base/asked-files.h"

#include "base/checksum.h"
#include "base/hash.h"

#include <string.h>
#include <sys/stat.h>

#define SYSTEM "/proc"
#define NS G_GINT64_CONSTANT (1000000000)
#define COARSE (2 * NS) /* the tick of file systems that count whole seconds, or two */

struct WpAskedFiles
{
  GHashTable *known; /* paths, of `files` */
  GArray *files;
  gboolean passing;
};

static GMutex lock;
static GPtrArray *listeners; /* NULL: there are none */
static gint n_listeners;     /* atomic */

/* --- stamps --------------------------------------------------------------------------------------------------------------- */

static guint64
sum_of_file (const char *path)
{
  g_autofree char *text = NULL;
  gsize n;

  return g_file_get_contents (path, &text, &n, NULL) ? wp_checksum (text, n) : 0;
}

/* "NAME SIZE USERS BY STATE ADDRESS": who uses a module comes and goes. */
static guint64
sum_of_modules (void)
{
  g_autofree char *text = NULL;
  g_autoptr (GString) lasting = g_string_new (NULL);
  g_auto (GStrv) lines = g_file_get_contents ("/proc/modules", &text, NULL, NULL) ? g_strsplit (text, "\n", -1) : NULL;

  for (char **line = lines; line != NULL && *line != NULL; line++)
    {
      g_auto (GStrv) words = g_strsplit (*line, " ", 7);

      if (g_strv_length (words) > 5)
        g_string_append_printf (lasting, "%s %s %s\n", words[0], words[1], words[5]);
    }
  return wp_checksum (lasting->str, lasting->len);
}

/* The running kernel, and whether we may see its addresses. */
static WpFileStamp
stamp_of_system (void)
{
  const guint64 sums[] = { sum_of_file ("/proc/sys/kernel/random/boot_id"), sum_of_file ("/proc/sys/kernel/kptr_restrict"),
                           sum_of_file ("/proc/sys/kernel/perf_event_paranoid"), sum_of_modules () };

  return (WpFileStamp) { .inode = wp_checksum (sums, sizeof sums), .size = 1 };
}

static gint64
ns_of (const struct timespec *time)
{
  return time->tv_sec * NS + time->tv_nsec;
}

WpFileStamp
wp_file_stamp (const char *path)
{
  struct stat st;

  if (g_str_equal (path, SYSTEM))
    return stamp_of_system ();
  if (stat (path, &st) != 0)
    return (WpFileStamp) { 0 };
  return (WpFileStamp) { .inode = st.st_ino, .size = st.st_size, .modified = ns_of (&st.st_mtim), .changed = ns_of (&st.st_ctim) };
}

gboolean
wp_file_stamp_equal (const WpFileStamp *a, const WpFileStamp *b)
{
  return memcmp (a, b, sizeof *a) == 0;
}

static gboolean
is_fresh (gint64 time, gint64 moment)
{
  return time > moment - (time % NS == 0 ? COARSE : WP_FILE_TICK);
}

gboolean
wp_file_stamp_is_fresh (const WpFileStamp *stamp, gint64 moment)
{
  return is_fresh (stamp->modified, moment) || is_fresh (stamp->changed, moment);
}

/* --- listening ------------------------------------------------------------------------------------------------------------ */

static void
clear_file (gpointer file)
{
  g_free (((WpAskedFile *) file)->path);
}

WpAskedFiles *
wp_asked_files_listen (void)
{
  WpAskedFiles *self = g_new0 (WpAskedFiles, 1);

  self->known = g_hash_table_new_full (wp_hash_string, g_str_equal, g_free, NULL);
  self->files = g_array_new (FALSE, FALSE, sizeof (WpAskedFile));
  g_array_set_clear_func (self->files, clear_file);
  g_mutex_lock (&lock);
  if (listeners == NULL)
    listeners = g_ptr_array_new ();
  g_ptr_array_add (listeners, self);
  g_atomic_int_inc (&n_listeners);
  g_mutex_unlock (&lock);
  return self;
}

void
wp_asked_files_stop (WpAskedFiles *self)
{
  g_mutex_lock (&lock);
  if (listeners != NULL && g_ptr_array_remove_fast (listeners, self))
    g_atomic_int_add (&n_listeners, -1);
  if (listeners != NULL && listeners->len == 0)
    g_clear_pointer (&listeners, g_ptr_array_unref);
  g_mutex_unlock (&lock);
}

GArray *
wp_asked_files_list (const WpAskedFiles *self)
{
  return self->files;
}

gboolean
wp_asked_files_is_passing (const WpAskedFiles *self)
{
  return self->passing;
}

void
wp_asked_files_free (WpAskedFiles *self)
{
  if (self == NULL)
    return;
  wp_asked_files_stop (self);
  g_hash_table_unref (self->known);
  g_array_unref (self->files);
  g_free (self);
}

/* --- what they hear ------------------------------------------------------------------------------------------------------- */

static void
add (WpAskedFiles *self, const char *path, const WpFileStamp *stamp)
{
  if (g_hash_table_add (self->known, g_strdup (path)))
    g_array_append_val (self->files, ((WpAskedFile) { g_strdup (path), stamp != NULL ? *stamp : wp_file_stamp (path) }));
}

void
wp_asked_files_add (WpAskedFiles *self, const char *path, const WpFileStamp *stamp)
{
  g_mutex_lock (&lock);
  add (self, path, stamp);
  g_mutex_unlock (&lock);
}

static gboolean
is_of_system (const char *path)
{
  return g_str_has_prefix (path, "/proc/") || g_str_has_prefix (path, "/sys/");
}

void
wp_asked_files_note (const char *path)
{
  if (g_atomic_int_get (&n_listeners) == 0)
    return;
  g_mutex_lock (&lock);
  for (guint i = 0; listeners != NULL && i < listeners->len; i++)
    add (listeners->pdata[i], is_of_system (path) ? SYSTEM : path, NULL);
  g_mutex_unlock (&lock);
}

void
wp_asked_files_note_passing (void)
{
  g_mutex_lock (&lock);
  for (guint i = 0; listeners != NULL && i < listeners->len; i++)
    ((WpAskedFiles *) listeners->pdata[i])->passing = TRUE;
  g_mutex_unlock (&lock);
}
