#include "stacks/speedscope.h"

#include <math.h>
#include <string.h>

#include "base/find.h"
#include "base/json-reader.h"
#include "stacks/maker.h"
#include "stacks/sniff.h"
#include "stacks/sums.h"

#define SCHEMA "speedscope.app/file-format-schema.json"

typedef enum
{
  TIME,
  SIZE,
  WEIGHT,
  N_KINDS
} Kind;

static const struct
{
  const char *unit;
  Kind kind;
  double factor;
} units[] = {
  { "nanoseconds", TIME, 1 }, { "microseconds", TIME, 1e3 }, { "milliseconds", TIME, 1e6 }, { "seconds", TIME, 1e9 },
  { "bytes", SIZE, 1 },       { "none", WEIGHT, 1 },
};

static const struct
{
  const char *type, *unit;
} kinds[N_KINDS] = { { "time", "nanoseconds" }, { "space", "bytes" }, { "weight", "count" } };

/* An event opens or closes a frame. */
typedef struct
{
  double at;
  guint32 frame;  /* one more than it is; 0: not said */
  gboolean opens;
} Event;

typedef struct
{
  WpJsonReader *json;
  WpStacksMaker maker;      /* its samples have no types until the end */
  WpNumbers values[N_KINDS]; /* of its samples, up to the last one that has any */
  guint32 n_frames;         /* that there are */
  guint32 n_used;           /* that profiles name: one more than the largest */
  /* Of the profile at hand; its members stand in any order. */
  WpIdArray stacks;         /* of a sampled one: a stack for each sample */
  WP_ARRAY (double) weights;
  WP_ARRAY (Event) events;
  double start;
  guint unit;               /* of `units` */
  WpIdArray open, nodes;    /* of an evented one: frames that are open, and the stacks up to each */
} Reader;

/* --- frames ------------------------------------------------------------------------------------------------------- */

/* A location, a line and a function each, with the same row. */
static void
make_frame (Reader *self)
{
  WpFrames *frames = self->maker.stacks->frames;

  wp_array_push (&frames->lines, ((WpStackLine) { .function = frames->functions.len }));
  wp_array_push (&frames->locations, ((WpLocation) { .first_line = frames->lines.len - 1, .n_lines = 1 }));
  wp_array_add (&frames->functions);
}

static void
read_frame (Reader *self)
{
  WpStacks *stacks = self->maker.stacks;
  WpFrames *frames = stacks->frames;
  WpStackFunction function = { 0 };
  WpStackLine line = { .function = frames->functions.len };
  const char *key;

  if (!wp_json_reader_object (self->json))
    return;
  while ((key = wp_json_reader_key (self->json)) != NULL)
    if (g_str_equal (key, "name"))
      function.name = function.system_name = wp_strings_intern (stacks->strings, wp_json_reader_string (self->json));
    else if (g_str_equal (key, "file") && wp_json_reader_kind (self->json) == WP_JSON_STRING)
      function.file = wp_strings_intern (stacks->strings, wp_json_reader_string (self->json));
    else if (g_str_equal (key, "line") && wp_json_reader_kind (self->json) == WP_JSON_NUMBER)
      line.line = wp_json_reader_int (self->json, 0, G_MAXINT64);
    else if (g_str_equal (key, "col") && wp_json_reader_kind (self->json) == WP_JSON_NUMBER)
      line.column = wp_json_reader_int (self->json, 0, G_MAXINT64);
    else
      wp_json_reader_skip (self->json);
  make_frame (self);
  frames->functions.data[line.function] = function;
  frames->lines.data[frames->locations.data[line.function].first_line] = line;
  self->n_frames++;
}

static void
read_shared (Reader *self)
{
  const char *key;

  if (!wp_json_reader_object (self->json))
    return;
  while ((key = wp_json_reader_key (self->json)) != NULL)
    if (!g_str_equal (key, "frames"))
      wp_json_reader_skip (self->json);
    else if (wp_json_reader_array (self->json))
      while (wp_json_reader_item (self->json))
        read_frame (self);
}

/* Rows of frames are one more than their numbers, which may be used before they are told. */
static WpId
read_frame_number (Reader *self)
{
  guint32 number = (guint32) wp_json_reader_int (self->json, 0, G_MAXINT32 - 1);

  self->n_used = MAX (self->n_used, number + 1);
  return number + 1;
}

/* --- a profile ---------------------------------------------------------------------------------------------------- */

static void
read_samples (Reader *self)
{
  WpIdArray stack = { 0 };

  wp_json_reader_array (self->json);
  while (wp_json_reader_item (self->json))
    {
      stack.len = 0;
      wp_json_reader_array (self->json);
      while (wp_json_reader_item (self->json))
        wp_array_push (&stack, read_frame_number (self));
      wp_array_push (&self->stacks, 0);
      wp_stacks_maker_stack_ahead (&self->maker, stack.data, stack.len, &self->stacks, self->stacks.len - 1);
    }
  wp_stacks_maker_catch_up (&self->maker);
  wp_array_clear (&stack);
}

static void
read_weights (Reader *self)
{
  wp_json_reader_array (self->json);
  while (wp_json_reader_item (self->json))
    wp_array_push (&self->weights, wp_json_reader_real (self->json));
}

static void
read_events (Reader *self)
{
  if (!wp_json_reader_array (self->json))
    return;
  while (wp_json_reader_item (self->json))
    {
      Event event = { 0 };
      const char *key;
      char what = '\0';

      wp_json_reader_object (self->json);
      while ((key = wp_json_reader_key (self->json)) != NULL)
        if (g_str_equal (key, "type"))
          what = *wp_json_reader_string (self->json);
        else if (g_str_equal (key, "frame"))
          event.frame = read_frame_number (self);
        else if (g_str_equal (key, "at"))
          event.at = wp_json_reader_real (self->json);
        else
          wp_json_reader_skip (self->json);
      if (event.frame == 0 || (what != 'O' && what != 'C'))
        wp_json_reader_fail (self->json, NULL, "an event opens (O) or closes (C) a frame");
      event.opens = what == 'O';
      wp_array_push (&self->events, event);
    }
}

static void
add_sample (Reader *self, WpId stack, double moment, double weight)
{
  WpStacks *stacks = self->maker.stacks;
  WpNumbers *values = &self->values[units[self->unit].kind];

  wp_array_resize (values, stacks->n_samples);
  wp_array_push (values, wp_whole (round (weight * units[self->unit].factor)));
  wp_stacks_maker_sample (&self->maker, stack, NULL);
  wp_array_push (&stacks->moments, wp_whole (round (moment * units[self->unit].factor)));
  wp_array_push (&stacks->sample_threads, stacks->threads.len - 1);
}

static void
add_samples (Reader *self)
{
  double moment = self->start;

  if (self->weights.len != self->stacks.len)
    {
      wp_json_reader_fail (self->json, NULL, "%u samples have %u weights", self->stacks.len, self->weights.len);
      return;
    }
  for (guint32 i = 0; i < self->stacks.len; i++)
    {
      add_sample (self, self->stacks.data[i], moment, self->weights.data[i]);
      moment += self->weights.data[i];
    }
}

/* What is between two events was spent in the stack that is open. */
static void
add_events (Reader *self)
{
  double last = self->events.len > 0 ? self->events.data[0].at : 0;

  self->open.len = self->nodes.len = 0;
  for (guint32 i = 0; i < self->events.len; i++)
    {
      const Event *event = &self->events.data[i];

      if (event->at < last)
        {
          wp_json_reader_fail (self->json, NULL, "event %u is earlier than the one before it", i);
          return;
        }
      if (event->at > last && self->open.len > 0)
        add_sample (self, self->nodes.data[self->nodes.len - 1], last, event->at - last);
      last = event->at;
      if (event->opens)
        {
          WpId below = self->nodes.len > 0 ? self->nodes.data[self->nodes.len - 1] : 0;

          wp_array_push (&self->open, event->frame);
          wp_array_push (&self->nodes, wp_stacks_maker_stack (&self->maker, below, &event->frame, 1));
        }
      else if (self->open.len > 0 && self->open.data[self->open.len - 1] == event->frame)
        {
          self->open.len--;
          self->nodes.len--;
        }
      else
        {
          wp_json_reader_fail (self->json, NULL, "event %u closes frame %u, which is not the innermost one", i, event->frame - 1);
          return;
        }
    }
}

static guint
read_unit (Reader *self)
{
  guint found = WP_FIND_ROW (units, unit, wp_json_reader_string (self->json));

  if (found < G_N_ELEMENTS (units))
    return found;
  wp_json_reader_fail (self->json, NULL, "not a unit: nanoseconds, microseconds, milliseconds, seconds, bytes or none");
  return 0;
}

static void
read_profile (Reader *self)
{
  WpStacks *stacks = self->maker.stacks;
  WpStackThread thread = { 0 };
  gboolean evented = FALSE;
  const char *key;

  self->stacks.len = self->weights.len = self->events.len = 0;
  self->start = 0;
  self->unit = G_N_ELEMENTS (units) - 1;
  if (!wp_json_reader_object (self->json))
    return;
  while ((key = wp_json_reader_key (self->json)) != NULL)
    if (g_str_equal (key, "type"))
      evented = g_str_equal (wp_json_reader_string (self->json), "evented");
    else if (g_str_equal (key, "name"))
      thread.name = wp_strings_intern (stacks->strings, wp_json_reader_string (self->json));
    else if (g_str_equal (key, "unit"))
      self->unit = read_unit (self);
    else if (g_str_equal (key, "startValue"))
      self->start = wp_json_reader_real (self->json);
    else if (g_str_equal (key, "samples"))
      read_samples (self);
    else if (g_str_equal (key, "weights"))
      read_weights (self);
    else if (g_str_equal (key, "events"))
      read_events (self);
    else
      wp_json_reader_skip (self->json);
  if (wp_json_reader_failed (self->json))
    return;
  wp_array_push (&stacks->threads, thread);
  if (evented)
    add_events (self);
  else
    add_samples (self);
}

static void
read_document (Reader *self)
{
  const char *key;

  if (!wp_json_reader_object (self->json))
    return;
  while ((key = wp_json_reader_key (self->json)) != NULL)
    if (g_str_equal (key, "shared"))
      read_shared (self);
    else if (!g_str_equal (key, "profiles"))
      wp_json_reader_skip (self->json);
    else if (wp_json_reader_array (self->json))
      while (wp_json_reader_item (self->json))
        read_profile (self);
  if (!wp_json_reader_failed (self->json) && self->n_used > self->n_frames)
    wp_json_reader_fail (self->json, "shared.frames", "there are %u frames, and a profile names number %u", self->n_frames, self->n_used - 1);
}

/* --- the whole ---------------------------------------------------------------------------------------------------- */

/* The types that some profile has; where none has any, counts. */
static void
add_types (Reader *self, WpStacks *stacks)
{
  WpNumbers *columns = g_new0 (WpNumbers, N_KINDS);

  for (guint k = 0; k < N_KINDS; k++)
    {
      if (self->values[k].len == 0 && (k < N_KINDS - 1 || stacks->types.len > 0))
        continue;
      wp_array_resize (&self->values[k], stacks->n_samples);
      columns[stacks->types.len] = self->values[k];
      self->values[k] = (WpNumbers) { 0 };
      wp_array_push (&stacks->types, ((WpValueType) { wp_strings_intern (stacks->strings, kinds[k].type),
                                                      wp_strings_intern (stacks->strings, kinds[k].unit) }));
    }
  g_free (stacks->values);
  stacks->values = columns;
}

gboolean
wp_speedscope_is (const guint8 *data, gsize n)
{
  return wp_sniff_is_text (data, n) && wp_sniff_first (data, n) == '{' && wp_sniff_has (data, n, SCHEMA);
}

WpStacks *
wp_speedscope_read (const char *path, const WpInput *input, WpProgress *progress, GError **error)
{
  Reader self = { 0 };
  WpStacks *stacks = NULL;

  if (!wp_input_check_whole (input, path, error))
    return NULL;
  wp_progress_phase (progress, "Reading");
  self.json = wp_json_reader_new_input (path, input, progress);
  wp_stacks_maker_init (&self.maker);
  wp_array_add (&self.maker.stacks->threads);
  read_document (&self);
  if (wp_json_reader_finish (self.json, error))
    {
      stacks = wp_stacks_maker_take (&self.maker);
      add_types (&self, stacks);
    }
  wp_stacks_maker_clear (&self.maker);
  wp_json_reader_free (self.json);
  for (guint k = 0; k < N_KINDS; k++)
    wp_array_clear (&self.values[k]);
  wp_array_clear (&self.stacks);
  wp_array_clear (&self.weights);
  wp_array_clear (&self.events);
  wp_array_clear (&self.open);
  wp_array_clear (&self.nodes);
  return stacks;
}
