/* The history of a figure, without a display: the commits of a branch with their profiles, the figure that was chosen of these as far as it has
 * been read, which points are picked and what is done with them. Workers read; everything here is for the main thread.
 *
 * Signals:
 *   gathered ()                    the commits have been looked through: there is a history, or a failure
 *   changed ()                     what can be asked here is another
 *   failed (const char *text)      a sentence for the user
 *   unpacked (WpHistoryFiles *files) profiles are there as files: one to open, or two sides to compare; they belong to the model */
#pragma once

#include "plots/chart.h"
#include "workspace/history/history-data.h"

#define WP_TYPE_HISTORY_MODEL (wp_history_model_get_type ())
G_DECLARE_FINAL_TYPE (WpHistoryModel, wp_history_model, WP, HISTORY_MODEL, GObject)

/* Of the store in `folder`; `branch` NULL: HEAD. It begins to look through the commits. */
WpHistoryModel *wp_history_model_new (const char *folder, const char *branch);

const WpHistory *wp_history_model_history (WpHistoryModel *self); /* NULL: not gathered, or it failed */
gboolean wp_history_model_is_gathering (WpHistoryModel *self);
gboolean wp_history_model_is_unpacking (WpHistoryModel *self);

/* Reads what is not known yet of a figure (copied) of a line (or WP_HISTORY_ALL), the newest commits first. */
void wp_history_model_choose (WpHistoryModel *self, const WpFigure *figure, guint32 line);

const WpHistoryPoints *wp_history_model_points (WpHistoryModel *self); /* what is known */
guint wp_history_model_left (WpHistoryModel *self);                    /* how many profiles are still to be read */

/* What stands in the chart's place. FALSE: the chart does. `icon` may be NULL; `text` is valid until the model changes. */
gboolean wp_history_model_message (WpHistoryModel *self, const char **icon, const char **title, const char **text);
WpChart *wp_history_model_chart (WpHistoryModel *self);
char *wp_history_model_foot (WpHistoryModel *self);          /* what is read, what is left out. Free with g_free() */
const char *wp_history_model_problem (WpHistoryModel *self); /* of the first profile that could not be read, or NULL */
char *wp_history_model_text (WpHistoryModel *self, WpHistoryFormat format); /* its values. Free with g_free() */

/* --- points, by their rows ------------------------------------------------------------------------------------------- */

/* `too`: beside the one that was picked first. Gives the hash of its commit; NULL: nothing was picked by that. */
const char *wp_history_model_pick (WpHistoryModel *self, guint32 point, gboolean too);
void wp_history_model_picked (WpHistoryModel *self, guint32 rows[2]); /* the older one first; G_MAXUINT32: none */

void wp_history_model_open (WpHistoryModel *self, guint32 point); /* the one of its profiles that is nearest to their median */
void wp_history_model_open_picked (WpHistoryModel *self);         /* of two the newer one */
void wp_history_model_compare_picked (WpHistoryModel *self);      /* all profiles of both */
