/* The last seconds of a recording that grows. Follows its stream as the helper writes it: each record's header is looked at
 * once, and of what goes, task switches; no event is copied. What must outlive old events is kept aside: the head, what stands (standing.h), what we say
 * ourselves. Its memory grows with the seconds that are not forgotten and with the tasks that live, not with the recording.
 * All on one thread at a time. */
#pragma once

#include <gio/gio.h>

typedef struct WpTail WpTail;

/* `fd`: the stream, for reading and, if it is to be made smaller, for writing; it stays the caller's, and where it stands
 * does not matter. */
WpTail *wp_tail_new (int fd);
void wp_tail_free (WpTail *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpTail, wp_tail_free)

/* Up to `whole` bytes, the end of a round, the stream is whole. FALSE: it is damaged, or cannot be read; what came before
 * stays. */
gboolean wp_tail_follow (WpTail *self, guint64 whole, GError **error);

/* Of what is followed and not forgotten, by the recording's clock in ns; 0 and 0: nothing yet. */
gint64 wp_tail_start (const WpTail *self);
gint64 wp_tail_end (const WpTail *self);

/* A process whose descendants are to be known, before anything of theirs is followed. Those that ended before what is not forgotten are left
 * out. */
void wp_tail_watch_family (WpTail *self, gint32 pid);
void wp_tail_note_fork (WpTail *self, gint32 parent, gint32 child); /* that is not followed yet */
gboolean wp_tail_is_family (const WpTail *self, gint32 pid); /* itself, too */

/* Writes the last `ns`, or as much as there is, as a stream that is whole by itself: any reader's. Who reads it finds all
 * tasks that lived at its beginning, with their names and mappings, what they slept in and whose children they are; what was open then begins unseen, as at the beginning of
 * any recording. A pause that reaches over its beginning is cut there. */
gboolean wp_tail_write (WpTail *self, gint64 ns, int fd, GError **error);

/* No more than the last `ns` can be written from here on, and no memory is spent on what came before. With `punch` its bytes
 * are given back to the file system: the file keeps its size and has a hole behind its head. FALSE, and errno says why: no
 * hole was made; all else is done. The next time it is tried again. */
gboolean wp_tail_forget (WpTail *self, gint64 ns, gboolean punch);

/* Tries it on a file that is empty still. FALSE: its file system makes no holes, and errno says why. */
gboolean wp_tail_can_punch (int fd);
