/* Saving and exporting, one at a time: a file chooser, then a worker that writes the file.
 *
 * Signals: changed (): whether it is busy; told (char *text): what became of it; ended (gboolean written): the file is there, or there is to be none. */
#pragma once

#include <gtk/gtk.h>

#include "workspace/file/export.h"

#define WP_TYPE_SAVER (wp_saver_get_type ())
G_DECLARE_FINAL_TYPE (WpSaver, wp_saver, WP, SAVER, GObject)

WpSaver *wp_saver_new (void);
gboolean wp_saver_busy (WpSaver *self);
void wp_saver_close (WpSaver *self); /* gives up what is being written; nothing is told any more */

typedef enum
{
  WP_SAVING_BEGUN, /* the file has been chosen */
  WP_SAVING_DONE,
  WP_SAVING_OTHERWISE, /* done, in a format that has no notes: that was not said to begin */
  WP_SAVING_FAILED,
} WpSaving;

/* On the main thread; `of` is what was given with it. */
typedef void (*WpSavingFunc) (gpointer of, WpSaving saving);

/* Asks for a file, over the window of `over`, and writes it. Takes the export. `func` (may be NULL) is called as long as `over` is there. */
void wp_saver_save (WpSaver *self, GtkWidget *over, WpExport *export, WpSavingFunc func);
