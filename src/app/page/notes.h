/* Notes at moments of a recording: the dialog in which one is written, and the window that lists them. */
#pragma once

#include <adwaita.h>

#include "workspace/file/workspace.h"

/* Asks what to write down at a moment; what stands there already can be changed or removed. Times are told from `origin` on. */
void wp_note_ask (GtkWindow *parent, WpWorkspace *workspace, gint64 time, gint64 origin);

/* All of them. `go`: called with a moment that one wants to see, as long as `data` lives. */
typedef void (*WpNoteGo) (gint64 time, gpointer data);
GtkWidget *wp_notes_window_new (GtkWindow *parent, WpWorkspace *workspace, gint64 origin, WpNoteGo go, GObject *data);
