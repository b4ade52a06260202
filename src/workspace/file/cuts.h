/* Branches cut by hand: operations at which the walk along what was waited for stops. */
#pragma once

#include "trace/trace.h"

typedef struct WpCuts WpCuts;

WpCuts *wp_cuts_new (void);
WpCuts *wp_cuts_copy (const WpCuts *self);
void wp_cuts_free (WpCuts *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpCuts, wp_cuts_free)

const GArray *wp_cuts_ops (const WpCuts *self); /* WpId, sorted; valid until the next change */

/* These return whether anything changed. */
gboolean wp_cuts_add (WpCuts *self, WpId op);
gboolean wp_cuts_clear (WpCuts *self);

/* "2 branches are cut: …", or NULL where none is. Free with g_free(). */
char *wp_cuts_text (const WpCuts *self);
