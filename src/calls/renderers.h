/* What call graphs are written as: a row each. */
#pragma once

#include "calls/shown.h"

typedef struct
{
  const char *id; /* "text" */
  void (*append) (const WpCalls *calls, const WpCallsShowOptions *options, GString *out);
} WpCallsRenderer;

extern const WpCallsRenderer wp_calls_renderers[]; /* ends with an empty row */

const WpCallsRenderer *wp_calls_renderer_named (const char *id); /* NULL: there is none */

/* Racket's table of functions, each between its callers and callees. */
void wp_calls_append_text (const WpCalls *calls, const WpCallsShowOptions *options, GString *out);

/* For Graphviz; callers first, whatever the order. */
void wp_calls_append_dot (const WpCalls *calls, const WpCallsShowOptions *options, GString *out);

/* All of it, as Racket's profile/render-json has it; json.h reads it. */
void wp_calls_append_json (const WpCalls *calls, const WpCallsShowOptions *options, GString *out);
