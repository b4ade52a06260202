/* A question in a dialog whose answer may close the window that it is about. */
#pragma once

#include <adwaita.h>

/* What was answered, by the name of the dialog's response. */
typedef enum
{
  WP_REPLY_CANCEL, /* "cancel", which closing the dialog says, too */
  WP_REPLY_SAVE,   /* "save": that first */
  WP_REPLY_GO_ON,  /* any other */
} WpReply;

typedef void (*WpQuestionFunc) (WpReply reply, gpointer about);

/* Shows the dialog, which is transient for a window. `func` is called with the answer once the dialog has gone its own way, since what closes then may be its parent; not at all where
 * `about`, which is not kept alive, has gone by then. */
void wp_question_ask (AdwMessageDialog *dialog, WpQuestionFunc func, GObject *about);

/* The same where it is something else that is waited for. Either ends it: wp_reply_later() gives the reply, once the caller has gone its own way; wp_reply_drop() gives none. */
typedef struct WpAwaited WpAwaited;
WpAwaited *wp_reply_await (WpQuestionFunc func, GObject *about);
void wp_reply_later (WpAwaited *self, WpReply reply);
void wp_reply_drop (WpAwaited *self);

/* Asked again, the question that is open over a window already is shown instead of another one; FALSE: none is. */
gboolean wp_question_show_open (GtkWindow *parent);
