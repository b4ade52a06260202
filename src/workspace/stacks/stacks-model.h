/* Open stacks with values and what is done with them, without a display: which type of value is seen, what the filter leaves, who calls the
 * function that is selected. Workers make what is to be seen; everything here is for the main thread.
 *
 * Signals:
 *   changed ()       another type, filter or way to draw is wanted; it is being made
 *   progress (char *phase, double fraction)   while it is; phase: not translated, or NULL
 *   made ()          it is there, or has failed: wp_stacks_model_views()
 *   callers-made ()  the same of the selected function: wp_stacks_model_callers() */
#pragma once

#include "workspace/stacks/stacks-callers.h"
#include "workspace/stacks/stacks-views.h"

#define WP_TYPE_STACKS_MODEL (wp_stacks_model_get_type ())
G_DECLARE_FINAL_TYPE (WpStacksModel, wp_stacks_model, WP, STACKS_MODEL, GObject)

/* Of a WpShared of WpStacks; takes a reference. It begins at once. */
WpStacksModel *wp_stacks_model_new (WpShared *stacks);

const WpStacks *wp_stacks_model_stacks (WpStacksModel *self); /* without the filter */

/* --- what there is --- */

WpShared *wp_stacks_model_views (WpStacksModel *self);     /* WpStacksViews of the last choice that could be made, or NULL */
const char *wp_stacks_model_failure (WpStacksModel *self); /* why there is nothing of the present choice, or NULL */
gboolean wp_stacks_model_busy (WpStacksModel *self);
WpShared *wp_stacks_model_callers (WpStacksModel *self);   /* WpStacksCallers of the selected function, or NULL */

/* --- how it is seen --- */

const WpStacksChoice *wp_stacks_model_choice (WpStacksModel *self);
void wp_stacks_model_choose (WpStacksModel *self, const WpStacksChoice *choice);

/* Whose callers are wanted: a row of the names of the graph of the views that are there; G_MAXUINT32: nobody's. */
void wp_stacks_model_select (WpStacksModel *self, guint32 frame);
guint32 wp_stacks_model_selected (WpStacksModel *self);

/* --- the filter --- */

const WpFilter *wp_stacks_model_filter (WpStacksModel *self);
void wp_stacks_model_add_step (WpStacksModel *self, WpFilterKind kind, const char *pattern);
void wp_stacks_model_remove_step (WpStacksModel *self, guint32 step);
void wp_stacks_model_clear_filter (WpStacksModel *self);

/* Adds what one types: "focus=RX hide=RX", or a pattern alone, which is focused. The error says what cannot be understood. */
gboolean wp_stacks_model_type_step (WpStacksModel *self, const char *text, GError **error);

/* Every change of the filter can be undone. */
gboolean wp_stacks_model_can_undo (WpStacksModel *self);
void wp_stacks_model_undo (WpStacksModel *self);
