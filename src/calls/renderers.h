/* What call graphs are written as: a row each. */
#pragma once

#include "calls/shown.h"

/* The rows: id, how names of files end that have it, what writes it. */
#define WP_CALLS_RENDERERS(ROW)               \
  ROW ("text", ".txt", wp_calls_append_text) \
  ROW ("dot", ".dot", wp_calls_append_dot)   \
  ROW ("json", ".json", wp_calls_append_json)

/* "text|dot|json", as options of commands have it. */
#define WP_CALLS_RENDERER_WORD(id, suffix, append) "|" id
#define WP_CALLS_RENDERER_WORDS (&(WP_CALLS_RENDERERS (WP_CALLS_RENDERER_WORD))[1])

typedef struct
{
  const char *id;     /* "text" */
  const char *suffix; /* ".txt" */
  void (*append) (const WpCalls *calls, const WpCallsShowOptions *options, GString *out);
} WpCallsRenderer;

extern const WpCallsRenderer wp_calls_renderers[]; /* ends with an empty row */

const WpCallsRenderer *wp_calls_renderer_named (const char *id);      /* NULL: there is none */
const WpCallsRenderer *wp_calls_renderer_of_file (const char *path); /* by how its name ends; NULL: as none does */

/* Racket's table of functions, each between its callers and callees. */
void wp_calls_append_text (const WpCalls *calls, const WpCallsShowOptions *options, GString *out);

/* For Graphviz; callers first, whatever the order. */
void wp_calls_append_dot (const WpCalls *calls, const WpCallsShowOptions *options, GString *out);

/* All of it, as Racket's profile/render-json has it; json.h reads it. */
void wp_calls_append_json (const WpCalls *calls, const WpCallsShowOptions *options, GString *out);
