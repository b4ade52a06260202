/* Asking before what was changed in files is lost: notes, and what analyses added to a profile. */
#pragma once

#include "app/widgets/question.h"

/* Appends the titles of those pages whose content is not saved. */
void wp_unsaved_gather (AdwTabView *tabs, GPtrArray *titles);

/* Asks whether what changed in pages of these titles may be lost, unless there are none: then FALSE is returned. A window asks one thing at a time: while another question
 * is open, that one is shown, and `func` is called with FALSE. `data`: an object, which may go meanwhile; then nothing is called. */
gboolean wp_unsaved_ask (GtkWindow *parent, const GPtrArray *titles, WpQuestionFunc func, GObject *data);
