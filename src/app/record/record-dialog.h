/* The Record dialog: what to record, then live counters with pause and stop, then what went wrong if something did.
 *
 * Signal: recorded (GFile file, string title): a recording is complete and can be opened. The dialog is closing. */
#pragma once

#include <adwaita.h>

#define WP_TYPE_RECORD_DIALOG (wp_record_dialog_get_type ())
G_DECLARE_FINAL_TYPE (WpRecordDialog, wp_record_dialog, WP, RECORD_DIALOG, AdwWindow)

GtkWidget *wp_record_dialog_new (GtkWindow *parent);
