/* The lines of perf script text in a stretch of time, as they stand there. */
#include "read/raw-private.h"
#include "read/script/script-private.h"

#define LINES_PER_STEP 2048

static WpId
intern (WpRawEvents *out, const char *text, gsize n)
{
  g_autofree char *valid = g_utf8_make_valid (text, (gssize) n);

  return *valid != '\0' ? wp_strings_intern (out->strings, valid) : 0;
}

/* FALSE: there are more than were wanted. */
static gboolean
take_line (const char *line, gboolean has_ids, const WpRawWindow *window, WpRawEvents *out)
{
  WpScriptHead head = { 0 };
  const char *rest = wp_script_head (line, has_ids, &head), *name, *fields;
  gint64 period;
  gsize n;

  if (rest == NULL || head.time < window->from || head.time >= window->to)
    return TRUE;
  fields = wp_script_event (rest, &period, &name, &n);
  if (fields == NULL)
    return TRUE;
  if (out->rows.len == window->most)
    return FALSE;
  fields = wp_skip_blanks (fields);
  wp_array_push (&out->rows, ((WpRawEvent) { .time = head.time, .pid = head.pid == G_MININT32 ? -1 : head.pid,
                                             .tid = head.tid == G_MININT32 ? -1 : head.tid, .cpu = (guint32) (head.cpu + 1),
                                             .task = intern (out, head.comm, head.comm_length), .event = intern (out, name, n),
                                             .fields = intern (out, fields, strlen (fields)) }));
  return TRUE;
}

gboolean
wp_script_raw (WpReader *reader, const WpRawWindow *window, WpRawEvents *out, GError **error)
{
  const char *start = (const char *) reader->data, *p = start, *end = p + reader->size;
  gboolean has_ids = wp_script_has_ids (start, reader->size);

  for (guint count = 0; p < end && !out->more; count++)
    {
      const char *newline = memchr (p, '\n', (gsize) (end - p));
      gsize n = (gsize) ((newline != NULL ? newline : end) - p);
      char text[WP_SCRIPT_LINE_MAX];

      if (count % LINES_PER_STEP == 0 && !wp_progress_step (reader->progress, (double) (p - start) / (double) reader->size, error))
        return FALSE;
      if (n > 0 && *p != '\t' && *p != '#')
        {
          n = MIN (n, sizeof text - 1);
          memcpy (text, p, n);
          text[n] = '\0';
          out->more = !take_line (g_strchomp (text), has_ids, window, out);
        }
      p = newline != NULL ? newline + 1 : end;
    }
  return TRUE;
}
