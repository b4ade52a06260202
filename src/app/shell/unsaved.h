/* Asking before what was changed in files is lost: notes, and what analyses added to a profile; or a file that is being written. */
#pragma once

#include "app/page/page.h"
#include "app/widgets/question.h"

/* Appends those pages (WpPage, not owned) whose content is not saved. */
void wp_unsaved_gather (AdwTabView *tabs, GPtrArray *pages);

/* Asks whether what changed in these pages may be lost, unless there are none: then FALSE is returned. A window asks one thing at a time: while another question
 * is open, that one is shown, and `func` is called with WP_REPLY_CANCEL. `data`: an object, which may go meanwhile; then nothing is called. */
gboolean wp_unsaved_ask (GtkWindow *parent, const GPtrArray *pages, WpQuestionFunc func, GObject *data);

/* What WP_REPLY_SAVE asks for: shows the first of these pages that can be saved, and asks for a file. Once that is written, `again` is called with WP_REPLY_GO_ON and closes anew:
 * what is still unsaved is asked for then. Where nothing is written, nothing is called. */
void wp_unsaved_save (const GPtrArray *pages, WpQuestionFunc again, GObject *about);
