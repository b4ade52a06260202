/* The explanation table in the side panel: categories with time, share and bar, their sub-rows, and buttons that step
 * through the boxes of the chosen row.
 *
 * Signals:
 *   chosen ()        another row or sentence was chosen, or none
 *   step (int how)   go to a box of the chosen row: -1 previous, +1 next, 0 the longest
 *   whole ()         the whole time is wanted again instead of the marked range
 *   go-to (uint op)  an operation is to be shown
 *   reordered ()     another order of the table is wanted: it is to be shown again
 *
 * Its menu copies and exports the table (win.copy-table, win.export-table). */
#pragma once

#include <adwaita.h>

#include "paths/answer.h"
#include "workspace/file/highlight.h"

#define WP_TYPE_EXPLANATION_PANEL (wp_explanation_panel_get_type ())
G_DECLARE_FINAL_TYPE (WpExplanationPanel, wp_explanation_panel, WP, EXPLANATION_PANEL, AdwBin)

/* Shows an explanation (read, not kept) of these paths; NULL: nothing is explained. `range` says that it is of a marked
 * range, whose times are counted from `origin`. A row that was chosen stays chosen where it still exists. */
void wp_explanation_panel_show (WpExplanationPanel *self, const WpExplanation *explanation, const WpPaths *paths,
                                gboolean range, gint64 origin);
/* In words, above the table; read, not kept. NULL: there is none. */
void wp_explanation_panel_show_answer (WpExplanationPanel *self, const WpAnswer *answer);
GtkWidget *wp_explanation_panel_answer (WpExplanationPanel *self); /* where they are */
GtkWidget *wp_explanation_panel_table (WpExplanationPanel *self);
void wp_explanation_panel_set_live (WpExplanationPanel *self); /* recording goes on, and there are no boxes to step through */
void wp_explanation_panel_show_busy (WpExplanationPanel *self);
void wp_explanation_panel_set_hint (WpExplanationPanel *self, gboolean hint); /* where nothing is explained, it asks to click a name */

gboolean wp_explanation_panel_choice (WpExplanationPanel *self, WpChoice *choice); /* FALSE: no row is chosen */
/* FALSE: no sentence of the answer is chosen; else as wp_highlight_said() has it. A chosen row leaves it, and it leaves a chosen row. */
gboolean wp_explanation_panel_sentence (WpExplanationPanel *self, guint *clause, guint *mention);
void wp_explanation_panel_leave_sentence (WpExplanationPanel *self);
void wp_explanation_panel_set_position (WpExplanationPanel *self, guint at, guint of); /* "3 of 17"; at 0: none yet; of 0: there are none */
