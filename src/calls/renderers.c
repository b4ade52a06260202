#include "calls/renderers.h"

#include "base/find.h"

const WpCallsRenderer wp_calls_renderers[] = {
#define ROW(id, suffix, append) { id, suffix, append },
  WP_CALLS_RENDERERS (ROW)
#undef ROW
  { NULL },
};

const WpCallsRenderer *
wp_calls_renderer_named (const char *id)
{
  guint found = WP_FIND_ROW (wp_calls_renderers, id, id);

  return found < G_N_ELEMENTS (wp_calls_renderers) ? &wp_calls_renderers[found] : NULL;
}

const WpCallsRenderer *
wp_calls_renderer_of_file (const char *path)
{
  for (const WpCallsRenderer *row = wp_calls_renderers; row->id != NULL; row++)
    if (g_str_has_suffix (path, row->suffix))
      return row;
  return NULL;
}
