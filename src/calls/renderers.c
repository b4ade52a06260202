#include "calls/renderers.h"

#include "base/find.h"

const WpCallsRenderer wp_calls_renderers[] = {
  { "text", wp_calls_append_text },
  { "dot", wp_calls_append_dot },
  { "json", wp_calls_append_json },
  { NULL },
};

const WpCallsRenderer *
wp_calls_renderer_named (const char *id)
{
  guint found = WP_FIND_ROW (wp_calls_renderers, id, id);

  return found < G_N_ELEMENTS (wp_calls_renderers) ? &wp_calls_renderers[found] : NULL;
}
