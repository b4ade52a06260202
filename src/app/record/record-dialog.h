/* The Record dialog: what to record, then live counters with what one can do meanwhile, then what went wrong if something did. It is modal
 * until it records; then it stands beside its window, which can be used.
 *
 * Signal: recorded (GFile file, string title): a recording, or a snapshot of it, is complete and can be opened. After the recording itself
 * the dialog closes. */
#pragma once

#include <adwaita.h>

#define WP_TYPE_RECORD_DIALOG (wp_record_dialog_get_type ())
G_DECLARE_FINAL_TYPE (WpRecordDialog, wp_record_dialog, WP, RECORD_DIALOG, AdwWindow)

GtkWidget *wp_record_dialog_new (GtkWindow *parent);

/* Whether its window has to stay, since a recording goes on; it says so then. */
gboolean wp_record_dialog_holds (WpRecordDialog *self);
