#include "record/live-stream.h"

#include "base/format.h"
#include "read/perf/condense.h"
#include "record/output.h"

#include <fcntl.h>
#include <unistd.h>

struct WpLiveStream
{
  int from;
  WpOutput copy;
  WpCondensing *condensing;
  WpTail *tail; /* of the copy */
  gboolean family;
  gint32 chosen;
};

static void
on_forked (gint32 parent, gint32 child, gpointer data)
{
  wp_tail_note_fork (((WpLiveStream *) data)->tail, parent, child);
}

static gboolean
is_wanted (gint32 pid, gpointer data)
{
  const WpLiveStream *self = data;

  return (!self->family && self->chosen == 0) || pid == self->chosen || wp_tail_is_family (self->tail, pid);
}

WpLiveStream *
wp_live_stream_new (int from, const char *output, GError **error)
{
  WpLiveStream *self = g_new0 (WpLiveStream, 1);

  self->from = fcntl (from, F_DUPFD_CLOEXEC, 3);
  if (!wp_output_open (&self->copy, output, error))
    {
      wp_live_stream_free (self);
      return NULL;
    }
  self->condensing = wp_condensing_new (self->from, self->copy.fd, WP_LIVE_APART_NS);
  self->tail = wp_tail_new (self->copy.fd);
  wp_condensing_choose (self->condensing,
                        &(WpCondensingChoice) { .forked = on_forked, .wanted = is_wanted, .user_data = self });
  return self;
}

void
wp_live_stream_free (WpLiveStream *self)
{
  if (self == NULL)
    return;
  wp_condensing_free (self->condensing);
  wp_tail_free (self->tail);
  wp_output_drop (&self->copy);
  if (self->from >= 0)
    close (self->from);
  g_free (self);
}

gboolean
wp_live_stream_follow (WpLiveStream *self, guint64 whole, gint64 ns, WpProgress *progress, GError **error)
{
  gint64 before = wp_tail_end (self->tail);
  guint64 written;

  if (!wp_condensing_go_on (self->condensing, whole, ns, &written, progress, error) || !wp_tail_follow (self->tail, written, error))
    return FALSE;
  if (before < wp_tail_end (self->tail) - ns) /* between them is a gap */
    wp_tail_forget (self->tail, ns, TRUE);
  wp_tail_forget (self->tail, WP_LIVE_SECONDS_MAX * WP_NS_PER_S, TRUE);
  return TRUE;
}

gboolean
wp_live_stream_write (WpLiveStream *self, gint64 ns, int fd, GError **error)
{
  return wp_tail_write (self->tail, ns, fd, error);
}

void
wp_live_stream_watch_family (WpLiveStream *self, gint32 pid)
{
  self->family = TRUE;
  wp_tail_watch_family (self->tail, pid);
}

gboolean
wp_live_stream_is_family (const WpLiveStream *self, gint32 pid)
{
  return wp_tail_is_family (self->tail, pid);
}

void
wp_live_stream_choose (WpLiveStream *self, gint32 pid)
{
  self->chosen = pid;
}
