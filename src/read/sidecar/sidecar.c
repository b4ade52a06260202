#include "read/sidecar/sidecar.h"

#include "base/plain-file.h"
#include "read/sidecar/columns.h"
#include "read/sidecar/room.h"
#include "read/sidecar/title.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define VARIABLE "WAKEPATH_SIDECARS"
#define NICE 19
#define IDLE_IO (3 << 13) /* see ioprio_set(2): the class idle */
#define THIS_THREAD 1     /* IOPRIO_WHO_PROCESS */

struct WpSidecar
{
  char *path;        /* of the recording */
  char *name, *title;
  WpFileStamp stamp; /* of the recording, when it was asked for */
  gint64 since;      /* when it was asked for: monotonic µs */
  gint64 began;      /* … ns since 1970 */
  gint64 took;       /* µs of reading and naming */
  WpAskedFiles *asked; /* NULL: it was opened from here */
  gboolean kept;       /* … or is, as far as that could be done */

  /* Of the thread that keeps it. */
  WpSidecarBlocks blocks;
  GCancellable *cancellable;
  GMutex lock;
  gboolean busy;
  WpTrace *left; /* to be freed when it ends, with all this */
  gboolean is_left;
};

static gint is_forbidden; /* atomic */

void
wp_sidecars_allow (gboolean allowed)
{
  g_atomic_int_set (&is_forbidden, !allowed);
}

/* What is looked at while it grows, or with what is known from elsewhere, is never the same again. */
static gboolean
may_have_one (const WpReadOptions *options)
{
  return !g_atomic_int_get (&is_forbidden) && g_strcmp0 (g_getenv (VARIABLE), "no") != 0 && !options->no_symbols && options->kernel == NULL
         && options->tables == NULL && options->builds == NULL;
}

/* FALSE: the recording is so young that it could change without another time. */
static gboolean
take_stamp (WpSidecar *self)
{
  self->began = g_get_real_time () * 1000;
  self->stamp = wp_file_stamp (self->path);
  return !wp_file_stamp_is_fresh (&self->stamp, self->began);
}

WpSidecar *
wp_sidecar_new (const char *path, const WpReadOptions *options)
{
  static const WpReadOptions defaults = { 0 };
  const WpReadOptions *given = options != NULL ? options : &defaults;
  g_autofree char *name = may_have_one (given) ? wp_sidecar_name (path, given) : NULL;
  WpSidecar *self;

  if (name == NULL)
    return NULL;
  self = g_new0 (WpSidecar, 1);
  self->since = g_get_monotonic_time ();
  self->path = g_canonicalize_filename (path, NULL);
  self->name = g_steal_pointer (&name);
  if (!take_stamp (self)) /* one that has just been made is some ticks older soon */
    {
      g_usleep (WP_FILE_TICK / 1000);
      take_stamp (self);
    }
  self->title = wp_sidecar_title (given, &self->stamp);
  self->cancellable = g_cancellable_new ();
  g_mutex_init (&self->lock);
  return self;
}

/* --- opening -------------------------------------------------------------------------------------------------------- */

static WpTrace *
map_trace (WpSidecar *self, int fd)
{
  WpSidecarBlocks blocks;
  void *map;
  gsize size;

  wp_sidecar_blocks_empty (&blocks);
  if (!wp_blocks_map (fd, self->title, blocks.blocks, WP_SIDECAR_BLOCKS, &map, &size))
    return NULL;
  if (wp_sidecar_is_up_to_date (&blocks))
    return wp_sidecar_trace (&blocks, map, size);
  munmap (map, size);
  return NULL;
}

static void
listen_to_reading (WpSidecar *self)
{
  self->asked = wp_asked_files_listen ();
  wp_asked_files_add (self->asked, self->path, &self->stamp);
}

WpTrace *
wp_sidecar_open (WpSidecar *self)
{
  g_auto (WpOwnFolder) folder = WP_OWN_FOLDER_NONE;
  WpTrace *trace = NULL;
  int fd = -1;

  if (wp_own_folder_exists (WP_OWN_CACHE, WP_SIDECAR_FOLDER) && wp_own_folder_open (&folder, WP_OWN_CACHE, WP_SIDECAR_FOLDER, NULL))
    fd = wp_plain_file_open (folder.fd, self->name, O_NOFOLLOW, WP_PLAIN_FILE_ANY_SIZE, NULL);
  if (fd >= 0)
    {
      trace = map_trace (self, fd);
      g_debug ("%s: %s", self->path, trace != NULL ? "opened from its sidecar" : "its sidecar does not hold any more");
      close (fd);
    }
  if (trace != NULL)
    utimensat (folder.fd, self->name, NULL, 0); /* it was used (room.h) */
  else
    listen_to_reading (self);
  return trace;
}

/* --- keeping -------------------------------------------------------------------------------------------------------- */

/* A change that was not seen would have left each file its time. */
static gboolean
is_settled (const WpSidecar *self)
{
  const GArray *asked = wp_asked_files_list (self->asked);
  const WpFileStamp now = wp_file_stamp (self->path);

  if (!wp_file_stamp_equal (&now, &self->stamp) || wp_file_stamp_is_fresh (&self->stamp, self->began))
    return FALSE;
  for (guint i = 0; i < asked->len; i++)
    if (wp_file_stamp_is_fresh (&g_array_index (asked, WpAskedFile, i).stamp, self->began))
      return FALSE;
  return TRUE;
}

static void
write_file (const WpSidecar *self, const WpOwnFolder *folder)
{
  g_autofree char *path = g_build_filename (folder->path, self->name, NULL);
  gboolean done = wp_blocks_keep (path, self->title, self->blocks.blocks, WP_SIDECAR_BLOCKS, self->cancellable);

  g_debug ("%s: %s", self->path, done ? "is kept beside it" : "could not be kept");
}

static void
write_blocks (const WpSidecar *self)
{
  g_auto (WpOwnFolder) folder = WP_OWN_FOLDER_NONE;
  const guint64 size = wp_blocks_size (self->title, self->blocks.blocks, WP_SIDECAR_BLOCKS);

  if (!wp_own_folder_open (&folder, WP_OWN_CACHE, WP_SIDECAR_FOLDER, NULL))
    return;
  wp_sidecars_forget_gone (&folder, self->name);
  if (wp_sidecars_make_room (&folder, self->name, size, wp_sidecars_limit (&folder)))
    write_file (self, &folder);
}

void
wp_sidecar_end_reading (WpSidecar *self)
{
  if (self->asked == NULL)
    return;
  wp_asked_files_stop (self->asked);
  self->took = g_get_monotonic_time () - self->since;
}

static gboolean
is_slow (const WpSidecar *self)
{
  return self->took >= WP_SIDECAR_SLOW || g_strcmp0 (g_getenv (VARIABLE), "all") == 0;
}

/* Whether it would come out the same again. */
static gboolean
is_final (const WpSidecar *self, const WpTrace *trace)
{
  return !trace->goes_on && trace->diagnostics.n[WP_DIAG_NAMES_GIVEN_UP] == 0 && trace->diagnostics.n[WP_DIAG_NO_DEMANGLER] == 0
         && !wp_asked_files_is_passing (self->asked);
}

/* FALSE: it is not to be kept. */
static gboolean
prepare (WpSidecar *self, const WpTrace *trace)
{
  const gboolean again = self->kept;

  self->kept = TRUE;
  return self->asked != NULL && !again && is_slow (self) && is_final (self, trace) && is_settled (self)
         && wp_sidecar_blocks_of (&self->blocks, trace, wp_asked_files_list (self->asked));
}

void
wp_sidecar_keep (WpSidecar *self, const WpTrace *trace)
{
  if (prepare (self, trace))
    write_blocks (self);
}

static void
free_all (WpSidecar *self, WpTrace *trace)
{
  wp_trace_free (trace);
  wp_sidecar_blocks_clear (&self->blocks);
  g_object_unref (self->cancellable);
  g_mutex_clear (&self->lock);
  wp_asked_files_free (self->asked);
  g_free (self->path);
  g_free (self->name);
  g_free (self->title);
  g_free (self);
}

static gpointer
keep_blocks (gpointer data)
{
  WpSidecar *self = data;
  gboolean is_left;

  setpriority (PRIO_PROCESS, (id_t) gettid (), NICE);
  syscall (SYS_ioprio_set, THIS_THREAD, 0, IDLE_IO);
  write_blocks (self);
  g_mutex_lock (&self->lock);
  self->busy = FALSE;
  is_left = self->is_left;
  g_mutex_unlock (&self->lock);
  if (is_left)
    free_all (self, self->left);
  return NULL;
}

void
wp_sidecar_keep_aside (WpSidecar *self, const WpTrace *trace)
{
  if (!prepare (self, trace))
    return;
  self->busy = TRUE;
  g_thread_unref (g_thread_new ("sidecar", keep_blocks, self));
}

/* Nobody waits for a thread that gets no time. */
void
wp_sidecar_free_with (WpSidecar *self, WpTrace *trace)
{
  gboolean busy;

  if (self == NULL)
    {
      wp_trace_free (trace);
      return;
    }
  g_cancellable_cancel (self->cancellable);
  g_mutex_lock (&self->lock);
  busy = self->busy;
  self->is_left = busy;
  self->left = busy ? trace : NULL;
  g_mutex_unlock (&self->lock);
  if (!busy)
    free_all (self, trace);
}
