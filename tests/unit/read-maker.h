/* Reading the bytes of a recording made by hand, as a file, and looking at what came of it. */
#pragma once

#include "read/read.h"

#include <stdio.h>

/* Writes `bytes`, which it frees, to `path`, and reads that; a trace has been checked. */
static inline WpTrace *
maker_read (const char *path, GByteArray *bytes, GError **error)
{
  FILE *file = fopen (path, "we");
  WpTrace *trace;

  g_assert_cmpuint (fwrite (bytes->data, 1, bytes->len, file), ==, bytes->len);
  g_assert_cmpint (fclose (file), ==, 0);
  g_byte_array_unref (bytes);
  trace = wp_read (path, NULL, NULL, error);
  if (trace != NULL)
    {
      g_autofree char *broken = wp_trace_check (trace);

      g_assert_cmpstr (broken, ==, NULL);
    }
  return trace;
}

/* … which can be read. */
static inline WpTrace *
maker_read_whole (const char *path, GByteArray *bytes)
{
  g_autoptr (GError) error = NULL;
  WpTrace *trace = maker_read (path, bytes, &error);

  g_assert_no_error (error);
  return trace;
}

/* The first task of a thread; there must be one. */
static inline WpId
task_of (const WpTrace *trace, gint32 tid)
{
  for (WpId i = 1; i < trace->tasks.len; i++)
    if (trace->tasks.data[i].tid == tid)
      return i;
  g_assert_not_reached ();
}

/* "leaf<caller<main"; free with g_free(). */
static inline char *
stack_text (const WpTrace *trace, WpId stack)
{
  GString *text = g_string_new (NULL);

  for (; stack != 0; stack = trace->stacks.data[stack].parent)
    g_string_append_printf (text, "%s%s", text->len > 0 ? "<" : "",
                            wp_trace_function_name (trace,
                                                    trace->frames.data[trace->stacks.data[stack].frame].function));
  return g_string_free (text, FALSE);
}
