/* What the details pane, tooltips and assistive technology say about a box. Values are Pango markup whose links are
 * "task:ID" (open that process), "op:ID" (go to that operation) and "find:NAME" (search for a name). */
#pragma once

#include "workspace/file/analysis.h"
#include "workspace/file/sources.h"

#define WP_FACT_SHARES 3

typedef struct
{
  char *label;  /* plain */
  char *markup;
  double shares[WP_FACT_SHARES]; /* 0 … 1, of what the markup ranks, the largest first; 0: no more */
} WpDetailsFact;
typedef WP_ARRAY (WpDetailsFact) WpDetailsFactArray;

typedef struct
{
  char *title;       /* plain, one line: what the box is */
  char *why;         /* markup, a sentence without its full stop: what it waited or runs for; NULL: that is not known */
  WpDetailsFactArray facts;
  char *stack;       /* markup, a function a line, innermost first; NULL: no stack is known */
  char *stack_note;  /* plain; where the stack is from when it is not the box's own, or NULL */
  char *woken_by;    /* markup, or NULL */
  char *woke;        /* markup, or NULL */
  GArray *frames;    /* WpId: user frames in the stacks above whose source lines nobody has looked up yet */
} WpDetailsText;

typedef struct
{
  const WpRows *rows;
  guint32 box;
  WpId part;           /* what of the box is meant (wp_box_part()), or 0 */
  guint n_parts;       /* how many parts the box goes over */
  const WpTrace *trace; /* NULL while it is not to be read (symbols are being looked up): only the box itself is described */
  const WpAnalysis *analysis; /* or NULL */
  const WpSources *sources;   /* or NULL: no source lines */
  gint64 origin;              /* from which moment of the recording moments are counted */
} WpDetailsRequest;

WpDetailsText *wp_details_text_new (const WpDetailsRequest *request);
void wp_details_text_free (WpDetailsText *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpDetailsText, wp_details_text_free)

/* Everything as plain text, for the clipboard. */
char *wp_details_text_plain (const WpDetailsText *self);

/* The same as Markdown: a heading, the sentence, a table of the facts, the stacks as code. */
char *wp_details_text_markdown (const WpDetailsText *self);

/* The same of what is said in lines elsewhere: the first one is the heading, the others are a list. `stack` (may be NULL): functions, a line each.
 * Free with g_free(). */
char *wp_said_markdown (const char *said, const char *stack);

/* Where a link of the markup leads: to `*id`. The trace may be NULL while it must not be read. */
typedef enum
{
  WP_LINK_NOWHERE,
  WP_LINK_TO_OP,
  WP_LINK_TO_TASK,
} WpLinkTarget;

WpLinkTarget wp_details_link (const char *uri, const WpTrace *trace, WpId *id);
const char *wp_details_link_name (const char *uri); /* the name that a link wants searched for, or NULL; points into `uri` */

/* How far it is from one box to another, in time: from start to start, and what is between them or how long both last. Free with g_free(). */
char *wp_boxes_distance_text (const WpBox *a, const WpBox *b);

/* How many frames are folded in a box, where a click opens them. Free with g_free(). */
char *wp_box_fold_text (const WpRows *rows, guint32 box, const WpTrace *trace);

/* What a tooltip is of. */
typedef struct
{
  const WpRows *rows;
  guint32 box;
  WpId part;             /* what of the box is meant, or 0 */
  const WpTrace *trace;  /* NULL while it is not to be read */
  const WpAnalysis *analysis; /* or NULL */
  double from, to;       /* what is seen of the rows; equal: all of them */
  const WpSources *sources; /* or NULL: no source lines */
} WpTooltipRequest;

/* A few lines: what it is, how long and which share of what is seen, how much of that is its own, whose code at which line, who does it.
 * `frame` (may be NULL): the frame whose source line nobody has looked up yet, or 0. Free with g_free(). */
char *wp_box_tooltip (const WpTooltipRequest *request, WpId *frame);
