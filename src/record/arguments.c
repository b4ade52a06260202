/* A thread follows which number the newest process has: that costs one small file, however many there are. A new process is looked at three times,
 * since what it is to execute comes some time after its fork. */
#include "record/arguments.h"

#include "base/array.h"
#include "base/hash.h"
#include "base/json-writer.h"
#include "record/processes.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LOOK_US (20 * G_TIME_SPAN_MILLISECOND)
#define LATE_LOOK 25    /* the last one at a new process */
#define LAST_US (500 * G_TIME_SPAN_MILLISECOND) /* the last look is waited for so long */
#define NEW_MAX 16      /* of so many that came since the last look each is looked at, the newest ones: who starts many is not to pay for it */
#define TEXT_MAX 49152  /* a record has 16 bits for its size */
#define PLAIN_MAX 64    /* a figure, and what stands between texts */

/* A process that is looked at again. */
typedef struct
{
  gint32 pid;
  guint looks; /* so far */
} Young;

struct WpArguments
{
  guint users;
  gboolean works; /* the thread does */
  GMutex lock;
  GCond changed;
  gboolean wanted;       /* another look at all */
  guint64 looked;        /* how often all were looked at */
  GHashTable *lines;     /* pid → text */
  GQueue order;          /* pids, the oldest first */

  /* the thread's */
  gint32 newest;
  WP_ARRAY (Young) young;
};

/* --- looking ------------------------------------------------------------------------------------------------------ */

/* Up to the end of the file, or of the buffer; 0 where it cannot be read. */
static gsize
read_some (const char *path, char *text, gsize size)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC);
  gssize n = fd >= 0 ? read (fd, text, size) : 0;

  if (fd >= 0)
    close (fd);
  return (gsize) MAX (n, 0);
}

static gsize
read_of (gint32 pid, const char *name, char *text, gsize size)
{
  char path[64];

  g_snprintf (path, sizeof path, "/proc/%d/%s", pid, name);
  return read_some (path, text, size);
}

/* The first number of a line; a name has no line of its own, since it is escaped. */
static gint64
status_number (const char *text, const char *line)
{
  const char *at = strstr (text, line);

  return at != NULL ? g_ascii_strtoll (at + strlen (line), NULL, 10) : -1;
}

/* A process of ours by its real user: whose its files are depends on whether it may be looked into. Threads have numbers, too. */
static gboolean
is_own_process (gint32 pid, gint32 *parent)
{
  char text[1024];

  text[read_of (pid, "status", text, sizeof text - 1)] = '\0';
  *parent = (gint32) status_number (text, "\nPPid:\t");
  return status_number (text, "\nTgid:\t") == pid && status_number (text, "\nUid:\t") == getuid ();
}

/* A process that was forked just now has what its parent has, until it executes what it was forked for: that is not believed at once. */
static gboolean
is_inherited (WpArguments *self, gint32 parent, const char *line)
{
  gboolean same;

  g_mutex_lock (&self->lock);
  same = g_strcmp0 (g_hash_table_lookup (self->lines, GINT_TO_POINTER (parent)), line) == 0;
  g_mutex_unlock (&self->lock);
  return same;
}

static void
keep (WpArguments *self, gint32 pid, char *line)
{
  g_mutex_lock (&self->lock);
  if (!g_hash_table_contains (self->lines, GINT_TO_POINTER (pid)))
    g_queue_push_tail (&self->order, GINT_TO_POINTER (pid));
  g_hash_table_replace (self->lines, GINT_TO_POINTER (pid), line);
  if (self->order.length > WP_ARGUMENTS_PROCESSES)
    g_hash_table_remove (self->lines, g_queue_pop_head (&self->order));
  g_mutex_unlock (&self->lock);
}

/* FALSE: there is nothing to see. */
static gboolean
look_at (WpArguments *self, gint32 pid, gboolean is_new)
{
  char text[WP_ARGUMENTS_BYTES];
  gint32 parent;
  gsize n = is_own_process (pid, &parent) ? read_of (pid, "cmdline", text, sizeof text) : 0;
  char *line;

  if (n == 0)
    return FALSE;
  line = wp_process_line (text, n);
  if (*line == '\0' || (is_new && is_inherited (self, parent, line)))
    g_free (line);
  else
    keep (self, pid, line);
  return TRUE;
}

static void
look_at_all (WpArguments *self)
{
  GDir *folder = g_dir_open ("/proc", 0, NULL);
  const char *name;
  guint64 pid;

  while (folder != NULL && (name = g_dir_read_name (folder)) != NULL)
    if (g_ascii_string_to_unsigned (name, 10, 1, G_MAXINT32, &pid, NULL))
      look_at (self, (gint32) pid, FALSE);
  if (folder != NULL)
    g_dir_close (folder);
}

/* The number that was given last; 0: nobody says. */
static gint32
newest_number (void)
{
  char text[128];
  const char *last;

  text[read_some ("/proc/loadavg", text, sizeof text - 1)] = '\0';
  last = strrchr (text, ' ');
  return last != NULL ? atoi (last) : 0;
}

static void
look_at_new (WpArguments *self)
{
  gint32 newest = newest_number ();

  for (gint32 pid = MAX (self->newest, newest - NEW_MAX) + 1; pid <= newest; pid++)
    wp_array_push (&self->young, ((Young) { .pid = pid }));
  self->newest = newest;
}

/* At once, at the next look, and after some time. */
static void
look_at_young (WpArguments *self)
{
  guint32 n = 0;

  for (guint32 i = 0; i < self->young.len; i++)
    {
      Young young = self->young.data[i];
      gboolean is_there = TRUE;

      if (young.looks < 2 || young.looks == LATE_LOOK)
        is_there = look_at (self, young.pid, young.looks == 0);
      if (is_there && young.looks++ < LATE_LOOK)
        self->young.data[n++] = young;
    }
  self->young.len = n;
}

/* --- the thread --------------------------------------------------------------------------------------------------- */

/* With the lock, which is gone after it: where nobody needs it any more all goes. */
static void
leave (WpArguments *self)
{
  gboolean needed = self->users > 0 || self->works;

  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);
  if (needed)
    return;
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->changed);
  g_hash_table_unref (self->lines);
  g_queue_clear (&self->order);
  wp_array_clear (&self->young);
  g_free (self);
}

/* FALSE: nobody wants to know more. */
static gboolean
wait_for_next (WpArguments *self, gboolean *all)
{
  gint64 until = g_get_monotonic_time () + LOOK_US;
  gboolean goes_on;

  g_mutex_lock (&self->lock);
  self->looked += *all != FALSE;
  g_cond_broadcast (&self->changed);
  while (self->users > 0 && !self->wanted && g_cond_wait_until (&self->changed, &self->lock, until))
    ;
  *all = self->wanted;
  self->wanted = FALSE;
  goes_on = self->users > 0;
  g_mutex_unlock (&self->lock);
  return goes_on;
}

static gpointer
work (gpointer data)
{
  WpArguments *self = data;
  gboolean all = TRUE;

  self->newest = newest_number ();
  do
    {
      if (all)
        look_at_all (self);
      look_at_new (self);
      look_at_young (self);
    }
  while (wait_for_next (self, &all));
  g_mutex_lock (&self->lock);
  self->works = FALSE;
  leave (self);
  return NULL;
}

/* --- for the caller ----------------------------------------------------------------------------------------------- */

WpArguments *
wp_arguments_begin (void)
{
  WpArguments *self = g_new0 (WpArguments, 1);

  self->users = 1;
  self->works = TRUE;
  self->lines = g_hash_table_new_full (wp_hash_pointer, NULL, NULL, g_free);
  g_mutex_init (&self->lock);
  g_cond_init (&self->changed);
  g_queue_init (&self->order);
  g_thread_unref (g_thread_new ("arguments", work, self));
  return self;
}

/* With the lock. */
static void
look_once_more (WpArguments *self)
{
  gint64 until = g_get_monotonic_time () + LAST_US;
  guint64 before = self->looked;

  self->wanted = TRUE;
  g_cond_broadcast (&self->changed);
  while (self->looked == before && g_cond_wait_until (&self->changed, &self->lock, until))
    ;
}

static void
end_text (GPtrArray *texts, GString *out, WpJsonWriter *json)
{
  if (out->len == 0)
    return;
  wp_json_writer_end (json);
  wp_json_writer_end (json);
  g_ptr_array_add (texts, g_strndup (out->str, out->len));
  g_string_truncate (out, 0);
}

GPtrArray *
wp_arguments_texts (WpArguments *self)
{
  GPtrArray *texts = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GString) out = g_string_new (NULL);
  WpJsonWriter *json = wp_json_writer_new_text (out);

  g_mutex_lock (&self->lock);
  look_once_more (self);
  for (GList *l = self->order.head; l != NULL; l = l->next)
    {
      const char *line = g_hash_table_lookup (self->lines, l->data);
      char pid[16];

      if (out->len + 6 * strlen (line) + PLAIN_MAX > TEXT_MAX) /* \u001b */
        end_text (texts, out, json);
      if (out->len == 0)
        {
          wp_json_writer_object (json, NULL, WP_JSON_TIGHT);
          wp_json_writer_object (json, "arguments", WP_JSON_TIGHT);
        }
      g_snprintf (pid, sizeof pid, "%d", GPOINTER_TO_INT (l->data));
      wp_json_writer_string (json, pid, line);
    }
  g_mutex_unlock (&self->lock);
  end_text (texts, out, json);
  wp_json_writer_free (json);
  return texts;
}

WpArguments *
wp_arguments_ref (WpArguments *self)
{
  g_mutex_lock (&self->lock);
  self->users++;
  g_mutex_unlock (&self->lock);
  return self;
}

void
wp_arguments_unref (WpArguments *self)
{
  if (self == NULL)
    return;
  g_mutex_lock (&self->lock);
  self->users--;
  leave (self);
}
