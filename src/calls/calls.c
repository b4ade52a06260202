#include "calls/calls-private.h"

#include <math.h>

WpCalls *
wp_calls_new (void)
{
  WpCalls *self = g_new0 (WpCalls, 1);

  self->strings = wp_strings_new ();
  self->one = 1;
  self->exact = TRUE;
  wp_array_push (&self->nodes, ((WpCallsNode) { .column = -1 }));
  return self;
}

void
wp_calls_free (WpCalls *self)
{
  wp_strings_free (self->strings);
  wp_array_clear (&self->nodes);
  wp_array_clear (&self->edges);
  wp_array_clear (&self->callers);
  wp_array_clear (&self->callees);
  wp_array_clear (&self->threads);
  wp_array_clear (&self->node_threads);
  g_free (self);
}

gboolean
wp_calls_are_times (const WpCalls *self)
{
  return g_str_equal (wp_calls_text (self, self->unit), "ms");
}

void
wp_calls_append_source (const WpCalls *self, guint32 node, GString *out)
{
  const WpCallsNode *row = &self->nodes.data[node];

  g_string_append (out, row->file != 0 ? wp_calls_text (self, row->file) : "(unknown source)");
  if (row->file == 0)
    return;
  if (row->line != 0)
    g_string_append_printf (out, ":%" G_GINT64_FORMAT, row->line);
  if (row->column >= 0)
    g_string_append_printf (out, row->line != 0 ? ":%" G_GINT64_FORMAT : ":#%" G_GINT64_FORMAT, row->column + (row->line == 0));
}

/* Wherever numbers are added up, no more of them come together than these. */
double
wp_calls_bound (const WpCalls *self)
{
  double bound = fabs ((double) self->total);

  for (guint32 i = 0; i < self->nodes.len; i++)
    bound += fabs ((double) self->nodes.data[i].total) + fabs ((double) self->nodes.data[i].self);
  for (guint32 i = 0; i < self->edges.len; i++)
    bound += fabs ((double) self->edges.data[i].caller_time) + fabs ((double) self->edges.data[i].callee_time)
             + fabs ((double) self->edges.data[i].total);
  for (guint32 i = 0; i < self->threads.len; i++)
    bound += fabs ((double) self->threads.data[i].time);
  return bound;
}
