/* What the details pane, tooltips and assistive technology say about a box. Values are Pango markup whose links are
 * "task:ID" (open that process), "op:ID" (go to that operation) and "find:NAME" (search for a name). */
#pragma once

#include "app/analysis.h"

typedef struct
{
  char *label;  /* plain */
  char *markup;
} WpFact;
typedef WP_ARRAY (WpFact) WpFactArray;

typedef struct
{
  char *title;       /* plain, one line: what the box is */
  WpFactArray facts;
  char *stack;       /* markup, a function a line, innermost first; NULL: no stack is known */
  char *stack_note;  /* plain; where the stack is from when it is not the box's own, or NULL */
  char *woken_by;    /* markup, or NULL */
  char *woke;        /* markup, or NULL */
} WpDetailsText;

/* `trace` may be NULL while it is not to be read (symbols are being looked up): then only the box itself is described.
 * `analysis` may be NULL. */
WpDetailsText *wp_details_text_new (const WpRows *rows, guint32 box, const WpTrace *trace, const WpAnalysis *analysis);
void wp_details_text_free (WpDetailsText *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpDetailsText, wp_details_text_free)

/* Everything as plain text, for the clipboard. */
char *wp_details_text_plain (const WpDetailsText *self);

/* Two or three lines for a tooltip. Free with g_free(). */
char *wp_box_tooltip (const WpRows *rows, guint32 box, const WpTrace *trace, const WpAnalysis *analysis);
