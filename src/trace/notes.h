/* What somebody wrote down at moments of a recording. Of all that belongs to a trace only this changes while it is looked at and saved, so that it
 * may be asked from any thread. */
#pragma once

#include <glib.h>

#define WP_NOTES_MAX 10000
#define WP_NOTE_LENGTH 2000 /* characters of one: what is longer is cut */

typedef struct
{
  gint64 time; /* ns, of the trace; no two have the same */
  char *text;
} WpNote;

typedef struct WpNotes WpNotes;

WpNotes *wp_notes_new (void);
void wp_notes_free (WpNotes *self);

/* At this moment stands this now, whatever did before; "" or NULL: nothing. FALSE: there are as many as there can be. */
gboolean wp_notes_set (WpNotes *self, gint64 time, const char *text);

GArray *wp_notes_list (WpNotes *self); /* WpNote, copies in the order of time; free with g_array_unref() */
