/* Asking before what analyses changed in profiles is lost. */
#pragma once

#include <adwaita.h>

/* Appends the titles of those pages whose content is not saved. */
void wp_unsaved_gather (AdwTabView *tabs, GPtrArray *titles);

/* Called with the answer to a question; `discard`: all that was asked about may be lost. */
typedef void (*WpUnsavedFunc) (gboolean discard, gpointer data);

/* Asks about pages of these titles, unless there are none: then FALSE is returned. A window asks one thing at a time: while another question
 * is open, that one is shown, and `func` is called with FALSE. `data`: an object, which may go meanwhile; then nothing is called. */
gboolean wp_unsaved_ask (GtkWindow *parent, const GPtrArray *titles, WpUnsavedFunc func, GObject *data);
