/* The call graph of what a page of stacks shows, without a display: it is made when it is wanted, and again when the
 * page shows something else. Or that of the process that a workspace explains, of the marked range where there is one;
 * or that of a file which is one.
 *
 * Signals:
 *   changed ()  it is being made
 *   progress (char *phase, double fraction)
 *   made ()     it is there, or has failed */
#pragma once

#include "workspace/file/workspace.h"
#include "workspace/stacks/calls-picture.h"
#include "workspace/stacks/stacks-model.h"

#define WP_TYPE_CALLS_MODEL (wp_calls_model_get_type ())
G_DECLARE_FINAL_TYPE (WpCallsModel, wp_calls_model, WP, CALLS_MODEL, GObject)

WpCallsModel *wp_calls_model_new (WpStacksModel *stacks); /* all take a reference */
WpCallsModel *wp_calls_model_new_of_process (WpWorkspace *workspace);
WpCallsModel *wp_calls_model_new_of_graph (WpShared *calls); /* WpCalls */

gboolean wp_calls_model_has_stacks (WpCallsModel *self); /* so that nodes may be lines, too */
gboolean wp_calls_model_is_of_process (WpCallsModel *self); /* so that the type of values can be chosen */

/* While it is not, nothing is made. */
void wp_calls_model_set_wanted (WpCallsModel *self, gboolean wanted);

const WpCallsChoice *wp_calls_model_choice (WpCallsModel *self);
void wp_calls_model_choose (WpCallsModel *self, const WpCallsChoice *choice);

WpShared *wp_calls_model_picture (WpCallsModel *self);   /* WpCallsPicture, or NULL */
const char *wp_calls_model_failure (WpCallsModel *self); /* why there is none; NULL: nothing went wrong, no process has been chosen */
gboolean wp_calls_model_busy (WpCallsModel *self);
