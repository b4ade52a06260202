/* The parts of the reader of perf script text: script.c (lines), script-head.c (what stands before an event's name),
 * script-fields.c (what an event's line says), script-stack.c (the lines of its stack). */
#pragma once

#include "read/read-private.h"
#include "read/tracepoints.h"

#define WP_SCRIPT_LINE_MAX 4096 /* an event's line: what is further right is not looked at */

/* What stands before an event's name: the columns of who, where and when. */
typedef struct
{
  const char *comm;
  gsize comm_length;
  gint32 pid, tid;
  gint32 cpu; /* -1: no column */
  gint64 time;
} WpScriptHead;

/* Returns what stands behind the time; NULL: the line is none of an event. */
const char *wp_script_head (const char *line, gboolean may_have_ids, WpScriptHead *head);

/* Behind the head: an event's period (1: none is said) and name, in the line. Returns where its fields begin; NULL: it names no event. */
const char *wp_script_event (const char *rest, gint64 *period, const char **name, gsize *n);

/* Whether there is a column of tids, from the beginning of the text. */
gboolean wp_script_has_ids (const char *data, gsize size);

const char *wp_skip_blanks (const char *p);

/* Fills `event` from what stands behind the event's name. FALSE: it makes no sense. */
gboolean wp_script_fields (WpStrings *strings, const WpTracepoint *tracepoint, const char *text, WpEvent *event);

typedef struct WpScriptStack WpScriptStack;

WpScriptStack *wp_script_stack_new (WpTrace *trace, GCancellable *cancellable); /* which may be NULL */
void wp_script_stack_free (WpScriptStack *self);

/* One frame, innermost first. FALSE: the line is no frame. */
gboolean wp_script_stack_line (WpScriptStack *self, const char *line, gsize n);

/* The stack of the lines since the last call, or 0. */
WpId wp_script_stack_take (WpScriptStack *self);
