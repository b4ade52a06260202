#include "stacks/racket.h"

#include <math.h>

#include "base/json-reader.h"
#include "stacks/maker.h"
#include "stacks/sniff.h"
#include "stacks/sums.h"

#define NS_PER_MS 1e6
#define MOST_THREADS 65536 /* their numbers are small */

typedef struct
{
  WpJsonReader *json;
  WpStacksMaker maker;
  guint32 n_functions; /* that there are */
  guint32 n_used;      /* that samples name: one more than the largest */
} Reader;

/* --- functions ---------------------------------------------------------------------------------------------------- */

/* Told from 1, whatever the least one is; 0: not known. */
static gint64
read_number (Reader *self, gint64 least)
{
  if (wp_json_reader_kind (self->json) == WP_JSON_NUMBER)
    return wp_json_reader_int (self->json, least, G_MAXINT32) + 1 - least;
  wp_json_reader_skip (self->json);
  return 0;
}

static WpId
read_text (Reader *self)
{
  if (wp_json_reader_kind (self->json) == WP_JSON_STRING)
    return wp_strings_intern (self->maker.stacks->strings, wp_json_reader_string (self->json));
  wp_json_reader_skip (self->json);
  return 0;
}

static void
read_source (Reader *self, WpStackFunction *function, WpStackLine *line)
{
  gint64 position = 0;
  guint n = 0;

  if (wp_json_reader_kind (self->json) != WP_JSON_ARRAY)
    {
      wp_json_reader_skip (self->json);
      return;
    }
  wp_json_reader_array (self->json);
  for (; wp_json_reader_item (self->json); n++)
    if (n == 0)
      function->file = read_text (self);
    else if (n == 1)
      function->start_line = line->line = read_number (self, 1);
    else if (n == 2)
      line->column = read_number (self, 0);
    else if (n == 3)
      position = read_number (self, 1);
    else
      wp_json_reader_skip (self->json);
  if (line->line == 0)
    line->column = position;
}

/* A location, a line and a function each, with the same row. */
static void
read_function (Reader *self)
{
  WpFrames *frames = self->maker.stacks->frames;
  WpStackFunction function = { 0 };
  WpStackLine line = { .function = frames->functions.len };
  const char *key;

  wp_json_reader_object (self->json);
  while ((key = wp_json_reader_key (self->json)) != NULL)
    if (g_str_equal (key, "id"))
      function.name = function.system_name = read_text (self);
    else if (g_str_equal (key, "src"))
      read_source (self, &function, &line);
    else
      wp_json_reader_skip (self->json);
  wp_array_push (&frames->lines, line);
  wp_array_push (&frames->functions, function);
  wp_array_push (&frames->locations, ((WpLocation) { .first_line = frames->lines.len - 1, .n_lines = 1 }));
  self->n_functions++;
}

/* --- samples ------------------------------------------------------------------------------------------------------ */

/* Rows of functions are one more than their numbers, which may be used before they are told. */
static void
read_stack (Reader *self, WpIdArray *stack)
{
  stack->len = 0;
  wp_json_reader_array (self->json);
  while (wp_json_reader_item (self->json))
    {
      guint32 number = (guint32) wp_json_reader_int (self->json, 0, G_MAXINT32 - 1);

      self->n_used = MAX (self->n_used, number + 1);
      wp_array_push (stack, number + 1);
    }
  wp_stack_reverse (stack);
}

static void
read_sample (Reader *self, WpIdArray *stack)
{
  WpStacks *stacks = self->maker.stacks;
  guint32 thread = 0;
  double time = 0;
  const char *key;

  stack->len = 0;
  wp_json_reader_object (self->json);
  while ((key = wp_json_reader_key (self->json)) != NULL)
    if (g_str_equal (key, "thread"))
      thread = (guint32) wp_json_reader_int (self->json, 0, MOST_THREADS - 1);
    else if (g_str_equal (key, "time"))
      time = wp_json_reader_real (self->json);
    else if (g_str_equal (key, "stack"))
      read_stack (self, stack);
    else
      wp_json_reader_skip (self->json);
  if (wp_json_reader_failed (self->json))
    return;
  while (stacks->threads.len <= thread + 1)
    {
      char name[16];

      g_snprintf (name, sizeof name, "%u", stacks->threads.len - 1);
      wp_array_push (&stacks->threads, ((WpStackThread) { .name = wp_strings_intern (stacks->strings, name) }));
    }
  wp_stacks_maker_whole_sample (&self->maker, stack->data, stack->len, (gint64[]) { 1 });
  wp_array_push (&stacks->moments, wp_whole (round (time * NS_PER_MS)));
  wp_array_push (&stacks->sample_threads, thread + 1);
}

static void
read_samples (Reader *self)
{
  WpIdArray stack = { 0 };

  wp_json_reader_array (self->json);
  while (wp_json_reader_item (self->json))
    read_sample (self, &stack);
  wp_array_clear (&stack);
}

static void
read_document (Reader *self)
{
  const char *key;

  wp_json_reader_object (self->json);
  while ((key = wp_json_reader_key (self->json)) != NULL)
    if (g_str_equal (key, "cpu_time"))
      self->maker.stacks->header.duration = wp_whole (round (wp_json_reader_real (self->json) * NS_PER_MS));
    else if (g_str_equal (key, "samples"))
      read_samples (self);
    else if (!g_str_equal (key, "functions"))
      wp_json_reader_skip (self->json);
    else if (wp_json_reader_array (self->json))
      while (wp_json_reader_item (self->json))
        read_function (self);
  if (!wp_json_reader_failed (self->json) && self->n_used > self->n_functions)
    wp_json_reader_fail (self->json, "functions", "there are %u, and a sample names number %u", self->n_functions, self->n_used - 1);
}

/* --- the formats -------------------------------------------------------------------------------------------------- */

static gboolean
has_all (const guint8 *data, gsize n, const char *const *keys, guint n_keys)
{
  if (!wp_sniff_is_text (data, n) || wp_sniff_first (data, n) != '{')
    return FALSE;
  for (guint i = 0; i < n_keys; i++)
    if (!wp_sniff_has (data, n, keys[i]))
      return FALSE;
  return TRUE;
}

gboolean
wp_racket_samples_is (const guint8 *data, gsize n)
{
  static const char *const keys[] = { "\"cpu_time\"", "\"functions\"" }, *const of_samples[] = { "\"thread\"", "\"time\"", "\"stack\"" };

  /* Where there are many of both, “samples” stands out of sight between them. */
  return has_all (data, n, keys, G_N_ELEMENTS (keys)) && (wp_sniff_has (data, n, "\"samples\"") || has_all (data, n, of_samples, G_N_ELEMENTS (of_samples)));
}

gboolean
wp_racket_profile_is (const guint8 *data, gsize n)
{
  static const char *const keys[] = { "\"total_time\"", "\"sample_number\"", "\"thread_times\"" };

  return has_all (data, n, keys, G_N_ELEMENTS (keys));
}

WpStacks *
wp_racket_samples_read (const char *path, const WpInput *input, WpProgress *progress, GError **error)
{
  Reader self = { 0 };
  WpStacks *stacks = NULL;

  if (!wp_input_check_whole (input, path, error))
    return NULL;
  wp_progress_phase (progress, "Reading");
  self.json = wp_json_reader_new_input (path, input, progress);
  wp_stacks_maker_init (&self.maker);
  wp_array_add (&self.maker.stacks->threads);
  wp_stacks_maker_type (&self.maker, wp_strings_intern (self.maker.stacks->strings, "samples"),
                        wp_strings_intern (self.maker.stacks->strings, "count"));
  read_document (&self);
  if (wp_json_reader_finish (self.json, error))
    stacks = wp_stacks_maker_take (&self.maker);
  wp_stacks_maker_clear (&self.maker);
  wp_json_reader_free (self.json);
  return stacks;
}

WpStacks *
wp_racket_profile_refuse (const char *path, const WpInput *input G_GNUC_UNUSED, WpProgress *progress G_GNUC_UNUSED, GError **error)
{
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
               "%s is a call graph of Racket’s profiler: how long functions and calls took, without the stacks that would say more; “calls” shows it, and several as one",
               path);
  return NULL;
}
