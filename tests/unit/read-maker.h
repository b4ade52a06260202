/* Reading the bytes of a recording made by hand, as a file. */
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
