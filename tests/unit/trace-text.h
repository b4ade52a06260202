/* All that a trace says, in words, but for where sockets are: for comparing what is read of two recordings. */
#pragma once

#include "read/read.h"

static inline void
trace_text_stack (const WpTrace *trace, WpId stack, GString *text)
{
  for (; stack != 0; stack = trace->stacks.data[stack].parent)
    {
      const WpFrame *frame = &trace->frames.data[trace->stacks.data[stack].frame];

      g_string_append_printf (text, "%s(%s) ", wp_trace_string (trace, trace->functions.data[frame->function].name),
                              wp_trace_string (trace, trace->modules.data[frame->module].path));
    }
}

/* Of the recording in this file. */
static inline char *
trace_text (const char *path)
{
  const WpReadOptions options = { .no_symbols = TRUE };
  GString *text = g_string_new (NULL);
  GError *error = NULL;
  WpTrace *trace = wp_read (path, &options, NULL, &error);

  g_assert_no_error (error);
  for (WpId i = 1; i < trace->stacks.len; i++)
    {
      trace_text_stack (trace, i, text);
      g_string_append_c (text, '\n');
    }
  for (WpId i = 1; i < trace->ops.len; i++)
    g_string_append_printf (text, "%" G_GINT64_FORMAT "-%" G_GINT64_FORMAT " %d\n", trace->ops.data[i].start, trace->ops.data[i].end,
                            trace->ops.data[i].kind);
  for (guint32 i = 0; i < trace->events.len; i++)
    g_string_append_printf (text, "%s %" G_GUINT64_FORMAT "\n", wp_trace_string (trace, trace->events.data[i].name),
                            trace->events.data[i].count);
  for (guint i = 0; i < WP_DIAG_COUNT; i++)
    g_string_append_printf (text, "%s %" G_GUINT64_FORMAT "\n", wp_diag_id (i), trace->diagnostics.n[i]);
  wp_trace_free (trace);
  return g_string_free (text, FALSE);
}
