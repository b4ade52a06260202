/* What the details pane, tooltips and assistive technology say about a box. Values are Pango markup whose links are
 * "task:ID" (open that process), "op:ID" (go to that operation) and "find:NAME" (search for a name). */
#pragma once

#include "workspace/file/analysis.h"
#include "workspace/file/sources.h"

typedef struct
{
  char *label;  /* plain */
  char *markup;
} WpDetailsFact;
typedef WP_ARRAY (WpDetailsFact) WpDetailsFactArray;

typedef struct
{
  char *title;       /* plain, one line: what the box is */
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

/* Where a link of the markup leads: to `*id`. The trace may be NULL while it must not be read. */
typedef enum
{
  WP_LINK_NOWHERE,
  WP_LINK_TO_OP,
  WP_LINK_TO_TASK,
} WpLinkTarget;

WpLinkTarget wp_details_link (const char *uri, const WpTrace *trace, WpId *id);
const char *wp_details_link_name (const char *uri); /* the name that a link wants searched for, or NULL; points into `uri` */

/* How many frames are folded in a box, where a click opens them. Free with g_free(). */
char *wp_box_fold_text (const WpRows *rows, guint32 box, const WpTrace *trace);

/* Two or three lines for a tooltip. Free with g_free(). */
char *wp_box_tooltip (const WpRows *rows, guint32 box, WpId part, const WpTrace *trace, const WpAnalysis *analysis);
