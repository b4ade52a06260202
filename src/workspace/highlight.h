/* From a row of the explanation table to the boxes of a view: which to highlight, and which one shows a piece. */
#pragma once

#include "workspace/analysis.h"

/* Which pieces: of a category, or of one of its sub-rows. */
typedef struct
{
  WpCategory category;
  guint32 row; /* of the explanation's rows; G_MAXUINT32: the whole category */
} WpChoice;

/* Indexes of the explanation's pieces, in time order or longest first. Free with g_array_unref(). */
GArray *wp_choice_pieces (const WpExplanation *explanation, const WpChoice *choice, gboolean longest_first);

/* By node of the call tree: ns of its own time that are the choice's. Free with g_free(). */
gint64 *wp_choice_nodes (const WpAnalysis *analysis, const WpChoice *choice);

/* A byte a box: 1 where the choice's pieces of the analysis' explanation are. Works for the rows of every view. Free
 * with g_free(). */
guint8 *wp_highlight_boxes (const WpRows *rows, const WpAnalysis *analysis, const WpChoice *choice);

/* The topmost box that shows a piece (a part at a time), or G_MAXUINT32. */
guint wp_highlight_find (const WpRows *rows, const WpAnalysis *analysis, WpId part, gint64 start, gint64 end);

/* A box that shows this operation, or G_MAXUINT32. */
guint wp_highlight_find_op (const WpRows *rows, const WpAnalysis *analysis, WpId op);

/* The part behind a box. One of the flame view may go over many: then it is the one that has most of from … to (ns; what
 * is seen of the box, or what is under the pointer). A node's: its longest. 0: none. `n_parts` (may be NULL): how many
 * the box goes over. */
WpId wp_box_part (const WpBox *box, const WpAnalysis *analysis, double from, double to, guint *n_parts);

/* The last part that a box goes over, or 0. */
WpId wp_box_last_part (const WpBox *box, const WpAnalysis *analysis);

/* The operation behind a box: an operation itself, or that of `part`. 0: none. */
WpId wp_box_op (const WpBox *box, const WpAnalysis *analysis, WpId part);
