#include "stacks/chrome.h"

#include "stacks/chrome-parts.h"
#include "stacks/sniff.h"

/* One event, or what a file of one profile says. */
typedef struct
{
  char phase;
  WpId name, label; /* label: args.name */
  gint64 pid, tid;
  double at, length; /* µs */
  WpId id; /* of the profile that a chunk belongs to, as text */
  WpChromeChunk chunk;
} Event;

typedef struct
{
  WpJsonReader *json;
  WpChromeRows rows;
  WpChromeSpans spans;
  WpChromeProfiles profiles;
  Event event;
  WpId process_name, thread_name; /* names of events that have a meaning */
} Reader;

/* --- an event's members ------------------------------------------------------------------------------------------- */

/* Numbers of processes and threads may be texts. */
static gint64
read_number_or_text (Reader *self)
{
  return wp_json_reader_kind (self->json) == WP_JSON_STRING ? g_ascii_strtoll (wp_json_reader_string (self->json), NULL, 10)
                                                            : wp_chrome_read_whole (self->json);
}

/* args.data of a chunk: { cpuProfile: { nodes, samples }, timeDeltas }. */
static void
read_data (Reader *self)
{
  WpChromeChunk *chunk = &self->event.chunk;
  const char *key;

  if (!wp_json_reader_object (self->json))
    return;
  while ((key = wp_json_reader_key (self->json)) != NULL)
    if (g_str_equal (key, "cpuProfile") && wp_json_reader_kind (self->json) == WP_JSON_OBJECT)
      {
        wp_json_reader_object (self->json);
        while ((key = wp_json_reader_key (self->json)) != NULL)
          wp_chrome_chunk_read (chunk, key, self->json, &self->rows);
      }
    else
      wp_chrome_chunk_read (chunk, key, self->json, &self->rows);
}

static void
read_args (Reader *self)
{
  const char *key;

  if (wp_json_reader_kind (self->json) != WP_JSON_OBJECT)
    {
      wp_json_reader_skip (self->json);
      return;
    }
  wp_json_reader_object (self->json);
  while ((key = wp_json_reader_key (self->json)) != NULL)
    if (g_str_equal (key, "name"))
      self->event.label = wp_chrome_read_text (self->json, &self->rows);
    else if (g_str_equal (key, "data") && wp_json_reader_kind (self->json) == WP_JSON_OBJECT)
      read_data (self);
    else
      wp_json_reader_skip (self->json);
}

/* --- what events mean --------------------------------------------------------------------------------------------- */

static guint32
thread_of (Reader *self)
{
  return wp_chrome_thread (&self->rows, self->event.pid, self->event.tid);
}

static void
take_name (Reader *self)
{
  const Event *event = &self->event;

  if (event->name == self->thread_name)
    {
      guint32 thread = thread_of (self);

      self->rows.maker.stacks->threads.data[thread].name = event->label;
    }
  else if (event->name == self->process_name)
    wp_chrome_name_process (&self->rows, event->pid, event->label);
}

static void
take_chunk (Reader *self)
{
  wp_chrome_profiles_add (&self->profiles, &self->event.chunk, self->event.pid, self->event.tid, self->event.id, &self->rows);
}

static void
take_event (Reader *self)
{
  const Event *event = &self->event;
  gint64 at = wp_chrome_ns (event->at);

  switch (event->phase)
    {
    case 'X':
      wp_chrome_spans_add (&self->spans, thread_of (self), wp_chrome_location (&self->rows, event->name, 0, 0, 0), at,
                           wp_chrome_ns (event->at + MAX (event->length, 0)));
      break;
    case 'B':
      wp_chrome_spans_begin (&self->spans, thread_of (self), wp_chrome_location (&self->rows, event->name, 0, 0, 0), at);
      break;
    case 'E':
      wp_chrome_spans_end (&self->spans, thread_of (self), at);
      break;
    case 'M':
      take_name (self);
      break;
    case 'P':
      take_chunk (self);
      break;
    default:
      break;
    }
}

static void
read_event (Reader *self)
{
  Event *event = &self->event;
  const char *key;

  event->phase = 0;
  event->name = event->label = event->id = 0;
  event->pid = event->tid = 0;
  event->at = event->length = 0;
  wp_chrome_chunk_empty (&event->chunk);
  if (!wp_json_reader_object (self->json))
    return;
  while ((key = wp_json_reader_key (self->json)) != NULL)
    if (g_str_equal (key, "ph") && wp_json_reader_kind (self->json) == WP_JSON_STRING)
      event->phase = *wp_json_reader_string (self->json);
    else if (g_str_equal (key, "name"))
      event->name = wp_chrome_read_text (self->json, &self->rows);
    else if (g_str_equal (key, "id"))
      event->id = wp_chrome_read_text (self->json, &self->rows);
    else if (g_str_equal (key, "pid"))
      event->pid = read_number_or_text (self);
    else if (g_str_equal (key, "tid"))
      event->tid = read_number_or_text (self);
    else if (g_str_equal (key, "ts"))
      event->at = wp_chrome_read_real (self->json);
    else if (g_str_equal (key, "dur"))
      event->length = wp_chrome_read_real (self->json);
    else if (g_str_equal (key, "args"))
      read_args (self);
    else
      wp_json_reader_skip (self->json);
  if (!wp_json_reader_failed (self->json))
    take_event (self);
}

/* --- the whole ---------------------------------------------------------------------------------------------------- */

static void
read_events (Reader *self)
{
  wp_json_reader_array (self->json);
  while (wp_json_reader_item (self->json))
    read_event (self);
  wp_chrome_chunk_empty (&self->event.chunk); /* that of the last one has been taken */
}

/* An array of events, an object that has one, or a profile. */
static void
read_document (Reader *self)
{
  const char *key;

  if (wp_json_reader_kind (self->json) == WP_JSON_ARRAY)
    {
      read_events (self);
      return;
    }
  wp_json_reader_object (self->json);
  while ((key = wp_json_reader_key (self->json)) != NULL)
    if (g_str_equal (key, "traceEvents"))
      read_events (self);
    else
      wp_chrome_chunk_read (&self->event.chunk, key, self->json, &self->rows);
  if (!wp_json_reader_failed (self->json) && self->event.chunk.samples.len > 0)
    take_chunk (self);
}

/* The whole length of the text may end within the array: the rest of it was not written. */
static gboolean
finish (Reader *self, const WpInput *input, GError **error)
{
  g_autoptr (GError) wrong = NULL;
  gboolean is_array = input->n > 0 && input->data[0] == '[';

  if (wp_json_reader_finish (self->json, &wrong))
    return TRUE;
  if (is_array && self->spans.spans.len > 0 && wp_json_reader_offset (self->json) >= input->n)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&wrong));
  return FALSE;
}

gboolean
wp_chrome_is (const guint8 *data, gsize n)
{
  char first = wp_sniff_first (data, n);

  if (!wp_sniff_is_text (data, n))
    return FALSE;
  if (first == '[')
    return wp_sniff_has (data, n, "\"ph\"");
  return first == '{'
         && (wp_sniff_has (data, n, "\"traceEvents\"") || (wp_sniff_has (data, n, "\"nodes\"") && wp_sniff_has (data, n, "\"callFrame\"")));
}

WpStacks *
wp_chrome_read (const char *path, const WpInput *input, WpProgress *progress, GError **error)
{
  Reader self = { 0 };
  WpStacks *stacks = NULL;
  WpStrings *strings;

  if (!wp_input_check_whole (input, path, error))
    return NULL;
  wp_progress_phase (progress, "Reading");
  self.json = wp_json_reader_new_input (path, input, progress);
  wp_chrome_rows_init (&self.rows);
  wp_chrome_profiles_init (&self.profiles);
  strings = self.rows.maker.stacks->strings;
  self.process_name = wp_strings_intern (strings, "process_name");
  self.thread_name = wp_strings_intern (strings, "thread_name");
  read_document (&self);
  if (finish (&self, input, error))
    {
      wp_chrome_spans_take (&self.spans, &self.rows);
      wp_chrome_name_threads_processes (&self.rows);
      stacks = wp_stacks_maker_take (&self.rows.maker);
    }
  wp_chrome_rows_clear (&self.rows);
  wp_chrome_profiles_clear (&self.profiles);
  wp_chrome_spans_clear (&self.spans);
  wp_chrome_chunk_clear (&self.event.chunk);
  wp_json_reader_free (self.json);
  return stacks;
}
