/* Branches cut by hand: operations at which the walk along what was waited for stops. Each change can be undone. */
#pragma once

#include "trace/trace.h"

typedef struct WpCuts WpCuts;

WpCuts *wp_cuts_new (void);
void wp_cuts_free (WpCuts *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpCuts, wp_cuts_free)

const GArray *wp_cuts_ops (const WpCuts *self); /* WpId, sorted; valid until the next change */
gboolean wp_cuts_can_undo (const WpCuts *self);

/* These return whether anything changed. */
gboolean wp_cuts_add (WpCuts *self, WpId op);
gboolean wp_cuts_restore (WpCuts *self); /* no branch is cut any more; this can be undone, too */
gboolean wp_cuts_undo (WpCuts *self);

void wp_cuts_forget (WpCuts *self); /* another process is explained: its cuts begin anew, and nothing can be undone */

/* "2 branches are cut: …", or NULL where none is. Free with g_free(). */
char *wp_cuts_text (const WpCuts *self);
