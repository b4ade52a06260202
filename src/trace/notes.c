#include "trace/notes.h"

#include "base/array.h"
#include "base/search.h"

struct WpNotes
{
  GMutex lock;
  WP_ARRAY (WpNote) rows;
};

WpNotes *
wp_notes_new (void)
{
  WpNotes *self = g_new0 (WpNotes, 1);

  g_mutex_init (&self->lock);
  return self;
}

void
wp_notes_free (WpNotes *self)
{
  if (self == NULL)
    return;
  for (guint32 i = 0; i < self->rows.len; i++)
    g_free (self->rows.data[i].text);
  wp_array_clear (&self->rows);
  g_mutex_clear (&self->lock);
  g_free (self);
}

static char *
cut (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);

  return g_utf8_strlen (valid, -1) > WP_NOTE_LENGTH ? g_utf8_substring (valid, 0, WP_NOTE_LENGTH) : g_steal_pointer (&valid);
}

static void
remove_row (WpNotes *self, guint32 at)
{
  g_free (self->rows.data[at].text);
  memmove (self->rows.data + at, self->rows.data + at + 1, (--self->rows.len - at) * sizeof *self->rows.data);
}

static void
insert_row (WpNotes *self, guint32 at, gint64 time, const char *text)
{
  wp_array_add (&self->rows);
  memmove (self->rows.data + at + 1, self->rows.data + at, (self->rows.len - 1 - at) * sizeof *self->rows.data);
  self->rows.data[at] = (WpNote) { time, cut (text) };
}

gboolean
wp_notes_set (WpNotes *self, gint64 time, const char *text)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  guint32 at = WP_SEARCH (0, self->rows.len, i, self->rows.data[i].time < time);

  if (at < self->rows.len && self->rows.data[at].time == time)
    remove_row (self, at);
  if (text == NULL || *text == '\0')
    return TRUE;
  if (self->rows.len == WP_NOTES_MAX)
    return FALSE;
  insert_row (self, at, time, text);
  return TRUE;
}

static void
clear_note (gpointer note)
{
  g_free (((WpNote *) note)->text);
}

GArray *
wp_notes_list (WpNotes *self)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  GArray *list = g_array_sized_new (FALSE, FALSE, sizeof (WpNote), self->rows.len);

  g_array_set_clear_func (list, clear_note);
  for (guint32 i = 0; i < self->rows.len; i++)
    {
      WpNote copy = { self->rows.data[i].time, g_strdup (self->rows.data[i].text) };

      g_array_append_val (list, copy);
    }
  return list;
}
