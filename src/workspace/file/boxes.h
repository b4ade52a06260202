/* From a box of a view to the part and the operation that it shows, and back. */
#pragma once

#include "workspace/file/analysis.h"

/* What is meant by a selected box. */
typedef struct
{
  WpId part;     /* or 0 */
  guint n_parts; /* how many parts the box goes over */
  WpId op;       /* or 0 */
} WpSelection;

/* Of the box, from … to is meant (ns): the moment that was pointed at, or what is seen of it. `trace`: NULL while it must not be read, then
 * no operation is known; `analysis` may be NULL. */
WpSelection wp_select_box (const WpRows *rows, guint32 box, const WpTrace *trace, const WpAnalysis *analysis, double from, double to);

/* The part behind a box, or 0. One of the flame view may go over many: then it is the one that has most of from … to. A node's: its
 * longest. `n_parts` (may be NULL): how many the box goes over. */
WpId wp_box_part (const WpBox *box, const WpAnalysis *analysis, double from, double to, guint *n_parts);

/* The last part that a box goes over, or 0. */
WpId wp_box_last_part (const WpBox *box, const WpAnalysis *analysis);

/* Of a box of the flame view (WP_REF_PART): what of the elapsed time all that stands on it within its time answers for. */
gint64 wp_box_latency (const WpBox *box, const WpAnalysis *analysis);

/* A box of the flame view goes on over the parts that follow its own on the same level: the next of them, or 0. */
static inline WpId
wp_box_next_part (const WpBox *box, const WpPaths *paths, WpId part)
{
  WpId next = paths->parts.data[part].next;

  return next != 0 && paths->parts.data[next].start < box->end ? next : 0;
}

/* The operation behind a box: an operation itself, or that of `part`. 0: none. */
WpId wp_box_op (const WpBox *box, const WpAnalysis *analysis, WpId part);

/* The topmost box that shows this stretch of a part, or G_MAXUINT32. */
guint32 wp_box_of_part (const WpRows *rows, const WpAnalysis *analysis, WpId part, gint64 start, gint64 end);

/* A box that shows this operation, or G_MAXUINT32. */
guint32 wp_box_of_op (const WpRows *rows, const WpAnalysis *analysis, WpId op);

/* The function that a box of the flame views stands for, 0: none, as of processes and of words. Of several with its name one on the stacks
 * of its part. */
WpId wp_box_function (const WpRows *rows, guint32 box, const WpTrace *trace, const WpAnalysis *analysis);

/* One of the frames that stand for that function on the stacks of a part (0: of the box' own); 0: none. */
WpId wp_box_frame (const WpRows *rows, guint32 box, WpId part, const WpTrace *trace, const WpAnalysis *analysis);

/* The module of that function, or of what is folded in a box that is no function; 0: none. */
WpId wp_box_module (const WpRows *rows, guint32 box, const WpTrace *trace, const WpAnalysis *analysis);

/* Appends " (12.3 % of what is seen)": how much of from … to (equal: of all rows) the box lasts; nothing where it is outside of that. */
void wp_box_append_share (GString *text, const WpRows *rows, guint32 box, double from, double to);

/* What woke a sleep, or what ran after it; what an operation woke first. 0: nothing is known. */
WpId wp_op_waker (const WpTrace *trace, WpId op);
WpId wp_op_first_woken (const WpTrace *trace, WpId op);
