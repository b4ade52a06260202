/* From a row of the explanation table, or a sentence of the answer, to what it is about: pieces, nodes of the call
 * tree, boxes of a view. */
#pragma once

#include "workspace/file/analysis.h"

/* Which pieces: of a category, or of one of its sub-rows. */
typedef struct
{
  WpCategory category;
  guint32 row; /* of the explanation's rows; G_MAXUINT32: the whole category */
} WpChoice;

/* Indexes (guint32) of the explanation's pieces, in time order. Free with g_array_unref(). */
GArray *wp_choice_pieces (const WpExplanation *explanation, const WpChoice *choice);

/* By node of the call tree: ns of its own time that are the choice's. Free with g_free(). */
gint64 *wp_choice_nodes (const WpAnalysis *analysis, const WpChoice *choice);

/* A byte a box: 1 where the choice's pieces of the analysis' explanation are. Works for the rows of every view. Free
 * with g_free(). NULL: none of these boxes is about it. */
guint8 *wp_highlight_boxes (const WpRows *rows, const WpAnalysis *analysis, const WpChoice *choice);

/* The same of a sentence of the analysis' answer (0: its own; else one more than one of its mentions). A mention
 * whose boxes are not known has the one that it leads to. In views of nodes those whose longest part it is about,
 * and what they stand on. NULL: there is no such sentence, or none of these boxes is about it. */
guint8 *wp_highlight_said (const WpRows *rows, const WpAnalysis *analysis, guint32 clause, guint mention);
