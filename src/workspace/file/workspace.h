/* A workspace: an open recording, or a process that was explained and saved, and what is done with it: its symbols are read, a process is
 * explained, a time range of it is explained apart, branches are cut, options change. Long work runs on workers; what they made is swapped
 * in on the main thread. The window shows a workspace, and tests drive one without a window.
 *
 * While symbols are being read the trace belongs to that worker: what is asked for meanwhile is done afterwards.
 *
 * Signals:
 *   symbols-progress (double fraction)
 *   symbols-read (char *problem)           or they will not be; NULL: nothing is to be said about it
 *   processes-changed ()                   there are other rows of Processes
 *   explaining (char *phase, double fraction, gboolean anew)
 *                                          an analysis goes on; phase: NULL, or to be translated; fraction < 0: nobody knows;
 *                                          anew: of another process, so nothing of the one before is to be seen
 *   explained (gboolean again)             it is there, or has failed; again: of the same process, with other options or cuts
 *   range-explained (gboolean differs)     follows `explained`, too; FALSE: there is no range, and was none
 *   cuts-changed ()
 *   hide-changed ()
 *   notes-changed ()
 *   undone ()                              options, depth, colours, order, filter, range, view or process are others again; what follows from it is told
 *                                          as ever
 *   changed ()                             what can be done, or whether it is busy */
#pragma once

#include "workspace/file/analysis.h"
#include "workspace/file/cuts.h"
#include "workspace/file/options.h"
#include "workspace/file/problems.h"
#include "trace/notes.h"

#define WP_TYPE_WORKSPACE (wp_workspace_get_type ())
G_DECLARE_FINAL_TYPE (WpWorkspace, wp_workspace, WP, WORKSPACE, GObject)

/* Of a WpDocument and the WpRows of Processes that were laid out with these options; takes references and copies. */
WpWorkspace *wp_workspace_new (WpShared *document, WpShared *rows, const WpViewOptions *options);

/* Reads symbols where they are wanted, then explains what can be explained without being asked: a saved profile's process, or the
 * recorded command. To be called once, when signals are connected. */
void wp_workspace_start (WpWorkspace *self);
void wp_workspace_skip_symbols (WpWorkspace *self); /* goes on with those that were found so far */

/* --- what there is --- */

WpShared *wp_workspace_document (WpWorkspace *self); /* WpDocument */
WpShared *wp_workspace_rows (WpWorkspace *self);     /* WpRows of Processes */
const WpTrace *wp_workspace_trace (WpWorkspace *self); /* NULL while it must not be read */
gboolean wp_workspace_is_recording (WpWorkspace *self); /* anything can be explained, and anew; a saved profile's paths are what they are */
gboolean wp_workspace_starts_explained (WpWorkspace *self); /* one process is explained without being asked for */
gboolean wp_workspace_busy (WpWorkspace *self);

/* The analysis of the process of interest, or NULL; shared_: of the marked range where there is one. */
WpShared *wp_workspace_whole (WpWorkspace *self);
WpShared *wp_workspace_shared_analysis (WpWorkspace *self);
const WpAnalysis *wp_workspace_analysis (WpWorkspace *self); /* what wp_workspace_shared_analysis() holds */
gboolean wp_workspace_has_range (WpWorkspace *self);
WpId wp_workspace_task (WpWorkspace *self); /* one of its tasks that was asked for; 0: nobody has asked for any */
char *wp_workspace_chosen (WpWorkspace *self); /* what it is called, where it was asked for: "sh (4711)". Free with g_free(); NULL: it was not */
const char *wp_workspace_failure (WpWorkspace *self); /* why there is no analysis, or NULL */

/* What one must know before believing what is seen; NULL while nobody knows. */
WpProblems *wp_workspace_problems (WpWorkspace *self);
/* What the recorder said of the recording ("folder", "commit"), or NULL. */
const char *wp_workspace_recorder_text (WpWorkspace *self, const char *key);

/* --- what is done with it --- */

void wp_workspace_explain (WpWorkspace *self, WpId task); /* 0: the recorded command, or what was saved */
/* The process of a task, too, together with what is explained: one table and one consolidated view of all, a lane of the flame view each. */
gboolean wp_workspace_can_explain_also (WpWorkspace *self, WpId task);
void wp_workspace_explain_also (WpWorkspace *self, WpId task);
/* Which processes are explained, as a number that stays theirs: with it one comes back to several as to one. 0: what is explained without being asked for. */
guint wp_workspace_chosen_number (WpWorkspace *self);
void wp_workspace_choose_number (WpWorkspace *self, guint number);
/* Stops an analysis that goes on: what is shown is chosen again, be it another process, or the same with other options, cuts or rules.
 * Returns whether there is such a one. */
gboolean wp_workspace_cancel (WpWorkspace *self);
void wp_workspace_mark (WpWorkspace *self, gint64 from, gint64 to); /* the marked time range; equal: none */

gboolean wp_workspace_option (WpWorkspace *self, WpOption option);
void wp_workspace_set_option (WpWorkspace *self, WpOption option, gboolean on);

/* What of functions and modules has no boxes in both flame views; NULL: nothing. Rules stay when another process is explained. To hide what
 * is hidden already closes the folds that show it. FALSE with an error: no regular expression. */
const WpHideRules *wp_workspace_hide_rules (WpWorkspace *self);
gboolean wp_workspace_hide (WpWorkspace *self, WpHideKind kind, const char *text, GError **error);
/* What a box of the flame views stands for, to be hidden: the name of its function or module, NULL: none. The trace's. */
const char *wp_workspace_hideable (WpWorkspace *self, const WpRows *rows, guint32 box, WpHideKind kind);
void wp_workspace_unhide (WpWorkspace *self, guint32 rule);
void wp_workspace_unhide_all (WpWorkspace *self);

/* The depth of both flame views, and what is shown of what it hides: the folds of one box of theirs (`hidden` begins
 * them), or those that have a function whose name matches, as in search.h (FALSE: these are open). What was opened
 * as matching, and not by hand, can be closed again; another depth closes them all. */
WpDepth wp_workspace_depth (WpWorkspace *self);
void wp_workspace_set_depth (WpWorkspace *self, WpDepth depth);
void wp_workspace_open_folds (WpWorkspace *self, const WpRows *rows, guint32 hidden);
gboolean wp_workspace_open_matching (WpWorkspace *self, const char *text);
void wp_workspace_close_found (WpWorkspace *self);

WpSort wp_workspace_sort (WpWorkspace *self); /* of the rows of Processes, of which are seen … */
void wp_workspace_set_sort (WpWorkspace *self, WpSort sort);
const char *wp_workspace_filter (WpWorkspace *self); /* … those of tasks whose names have this in them; "": all */
void wp_workspace_set_filter (WpWorkspace *self, const char *filter);

WpColors wp_workspace_colors (WpWorkspace *self); /* of both flame views */
void wp_workspace_set_colors (WpWorkspace *self, WpColors colors);

void wp_workspace_turn_row (WpWorkspace *self, gint32 key); /* opens or closes it, by the key of WpRow */
void wp_workspace_pin_row (WpWorkspace *self, gint32 key);  /* puts a process at the top, or back where it stood */

/* A sleep that waits for work in another lane shows that work in place, too, or not any more: pale, as long as it waits, and counted in its own lane
 * alone. Of the paths, for both. */
gboolean wp_workspace_can_turn_ghost (WpWorkspace *self, WpId part);
void wp_workspace_turn_ghost (WpWorkspace *self, WpId part);

const WpCuts *wp_workspace_cuts (WpWorkspace *self);
gboolean wp_workspace_can_cut (WpWorkspace *self, WpId part); /* of the paths: what nothing waits for cannot be cut */
void wp_workspace_cut (WpWorkspace *self, WpId op);
void wp_workspace_restore_cuts (WpWorkspace *self);

/* Which of its views is looked at: a number that means something to whoever shows them, so that undo leads there, too. */
int wp_workspace_view (WpWorkspace *self);
void wp_workspace_set_view (WpWorkspace *self, int view);
void wp_workspace_range (WpWorkspace *self, gint64 *from, gint64 *to); /* that is marked; equal: none */

/* What was written down at moments. It is saved with what is explained. `text` NULL or "": nothing. FALSE: there are too many. */
WpNotes *wp_workspace_notes (WpWorkspace *self);
gboolean wp_workspace_note (WpWorkspace *self, gint64 time, const char *text);
/* All of them as a list in Markdown, times from `origin` on. Free with g_free(). */
char *wp_workspace_notes_text (WpWorkspace *self, gint64 origin);

/* Takes the last change back of what is seen: options, also of what is beside the rows, depth and what is opened of it, colours, rules, cuts, range,
 * process, view, and order and filter of Processes. */
gboolean wp_workspace_can_undo (WpWorkspace *self);
void wp_workspace_undo (WpWorkspace *self);
