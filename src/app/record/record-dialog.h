/* The Record dialog: what to record, then live counters with what one can do meanwhile, then what went wrong if something did. It is modal
 * until it records; then it stands beside its window, which can be used.
 *
 * Signal: recorded (GFile file, string title, string end): a recording, or a snapshot of it (`end` is NULL then), is complete and can be
 * opened. `end` says how the command did. After the recording itself the dialog closes.
 *
 * What would end a recording from outside (Escape, closing a window, quitting) asks whether it is kept. */
#pragma once

#include <adwaita.h>

#define WP_TYPE_RECORD_DIALOG (wp_record_dialog_get_type ())
G_DECLARE_FINAL_TYPE (WpRecordDialog, wp_record_dialog, WP, RECORD_DIALOG, AdwWindow)

GtkWidget *wp_record_dialog_new (GtkWindow *parent);

/* Whether its window has to stay, since a recording goes on. It asks then what becomes of that; where it is discarded, `action` ("app.quit",
 * "window.close") is activated on the window once more. */
gboolean wp_record_dialog_holds (WpRecordDialog *self, const char *action);
