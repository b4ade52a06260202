/* A page: what one tab shows of one file. It opens the file in a worker and shows its progress; what the file turned out to be then decides
 * what is shown: one of the contents (app/page/content.h). The page has what all of them need: a banner, messages, saving, a title.
 *
 * Signals:
 *   changed ()                       title, or which actions can be used, or their state
 *   saving-ended (gboolean written)  a file that was asked for is there, or there is to be none
 *   finished ()                      nothing is to be shown any more: opening was cancelled */
#pragma once

#include <adwaita.h>

#include "app/page/content.h"

#define WP_TYPE_PAGE (wp_page_get_type ())
G_DECLARE_FINAL_TYPE (WpPage, wp_page, WP, PAGE, AdwBin)

/* Opens `file`. `title`: what the tab is called; NULL: the file's name. */
GtkWidget *wp_page_new (GFile *file, const char *title);
GFile *wp_page_file (WpPage *self);
gboolean wp_page_is_current (WpPage *self); /* it shows that file as it is now, or nothing yet */
void wp_page_try_again (WpPage *self); /* where it could not be opened; else nothing */
const char *wp_page_title (WpPage *self);
GtkWidget *wp_page_panel (WpPage *self); /* its explanation, for the side panel of its window */
gboolean wp_page_busy (WpPage *self);
gboolean wp_page_has_views (WpPage *self); /* the file is open */
const WpContentView *wp_page_views (WpPage *self); /* see WpContentInterface; NULL: none are named */
void wp_page_tell_end (WpPage *self, const char *text); /* how the command did that was recorded */
const char *wp_page_command_output (WpPage *self); /* the file with what it printed, or NULL */
gboolean wp_page_writes (WpPage *self);  /* a file, which would not be there if the page were closed now */
gboolean wp_page_changed (WpPage *self); /* what is shown has been changed, and is in no file nor in the one that it writes */
gboolean wp_page_unsaved (WpPage *self); /* one of both: something would be lost */
gboolean wp_page_can_save (WpPage *self); /* what is unsaved: wp_page_save() asks for a file */
void wp_page_save (WpPage *self);

/* What the store panel asks. */
WpShared *wp_page_share_analysis (WpPage *self); /* WpAnalysis of the process of interest; NULL: none. Drop it with wp_shared_unref() */
WpShared *wp_page_share_changed_plots (WpPage *self); /* WpPlots that differ from their file; NULL: none. Drop it, too */
gboolean wp_page_shows_profile (WpPage *self); /* one that explains no process: it is what is in the file */
const char *wp_page_recorder_text (WpPage *self, const char *key); /* what the recorder said ("folder", "commit"), or NULL */

/* What can be done with it. */
gboolean wp_page_can (WpPage *self, WpAction action);
GVariant *wp_page_state (WpPage *self, WpAction action); /* floating; of one that is stateful */
void wp_page_do (WpPage *self, WpAction action, GVariant *value);
