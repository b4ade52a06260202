#include "stacks/speedscope.h"

#include "base/json-writer.h"
#include "stacks/measure.h"
#include "stacks/sums.h"

#define SAMPLES_PER_STEP 4096

typedef struct
{
  const WpStacks *stacks;
  WpJsonWriter *json;
  guint32 *first_frame; /* location → the number of its outermost frame; one more at the end */
  const char *unit;     /* "nanoseconds", "bytes" or "none" */
  double factor;        /* from the type's unit to it */
  const gint64 *values;
  WpIdArray stack;
} Writer;

static void
put_frame (const Writer *self, const char *name, const char *file, const WpStackLine *line)
{
  wp_json_writer_object (self->json, NULL, WP_JSON_TIGHT);
  wp_json_writer_string (self->json, "name", name);
  if (*file != '\0')
    wp_json_writer_string (self->json, "file", file);
  if (line != NULL && line->line > 0)
    wp_json_writer_int (self->json, "line", line->line);
  if (line != NULL && line->column > 0)
    wp_json_writer_int (self->json, "col", line->column);
  wp_json_writer_end (self->json);
}

/* A location of which nothing but the address is known is called by it. */
static void
put_frames_of (Writer *self, const WpLocation *location)
{
  const WpFrames *frames = self->stacks->frames;

  if (location->n_lines == 0)
    {
      g_autofree char *name = g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", location->address);

      put_frame (self, name, wp_stacks_text (self->stacks, frames->modules.data[location->module].file), NULL);
    }
  for (guint32 l = location->n_lines; l-- > 0;)
    {
      const WpStackLine *line = &frames->lines.data[location->first_line + l];
      const WpStackFunction *function = &frames->functions.data[line->function];
      g_autofree char *name = NULL, *file = NULL;

      put_frame (self, wp_stacks_shown (self->stacks, function->name, &name), wp_stacks_shown (self->stacks, function->file, &file), line);
    }
}

static void
put_shared (Writer *self)
{
  const WpFrames *frames = self->stacks->frames;
  guint32 n = 0;

  self->first_frame = g_new0 (guint32, frames->locations.len + 1);
  wp_json_writer_object (self->json, "shared", WP_JSON_TIGHT);
  wp_json_writer_array (self->json, "frames", WP_JSON_LINES);
  for (WpId i = 1; i < frames->locations.len; i++)
    {
      self->first_frame[i] = n;
      n += MAX (frames->locations.data[i].n_lines, 1);
      put_frames_of (self, &frames->locations.data[i]);
    }
  self->first_frame[frames->locations.len] = n;
  wp_json_writer_end (self->json);
  wp_json_writer_end (self->json);
}

static gboolean
is_of (const Writer *self, guint32 sample, guint32 thread)
{
  return self->stacks->sample_threads.len == 0 || self->stacks->sample_threads.data[sample] == thread;
}

static void
put_samples (Writer *self, guint32 thread)
{
  wp_json_writer_array (self->json, "samples", WP_JSON_LINES);
  for (guint32 i = 0; i < self->stacks->n_samples; i++)
    {
      if (!is_of (self, i, thread))
        continue;
      wp_frames_stack (self->stacks->frames, self->stacks->sample_stacks.data[i], &self->stack);
      wp_json_writer_array (self->json, NULL, WP_JSON_TIGHT);
      for (guint32 l = self->stack.len; l-- > 0;)
        for (guint32 f = self->first_frame[self->stack.data[l]]; f < self->first_frame[self->stack.data[l] + 1]; f++)
          wp_json_writer_uint (self->json, NULL, f);
      wp_json_writer_end (self->json);
    }
  wp_json_writer_end (self->json);
}

/* Returns their sum. */
static double
put_weights (Writer *self, guint32 thread)
{
  double sum = 0;

  wp_json_writer_array (self->json, "weights", WP_JSON_TIGHT);
  for (guint32 i = 0; i < self->stacks->n_samples; i++)
    if (is_of (self, i, thread))
      {
        double weight = (double) self->values[i] * self->factor;

        wp_json_writer_real (self->json, NULL, weight);
        sum += weight;
      }
  wp_json_writer_end (self->json);
  return sum;
}

static void
put_profile (Writer *self, guint32 thread)
{
  const WpStacks *stacks = self->stacks;
  WpId name = stacks->sample_threads.len > 0 ? stacks->threads.data[thread].name : stacks->types.data[wp_stacks_default_type (stacks)].type;
  g_autofree char *changed = NULL;

  wp_json_writer_object (self->json, NULL, WP_JSON_TIGHT);
  wp_json_writer_string (self->json, "type", "sampled");
  wp_json_writer_string (self->json, "name", wp_stacks_shown (stacks, name, &changed));
  wp_json_writer_string (self->json, "unit", self->unit);
  wp_json_writer_int (self->json, "startValue", 0);
  put_samples (self, thread);
  wp_json_writer_real (self->json, "endValue", put_weights (self, thread));
  wp_json_writer_end (self->json);
}

static gboolean
put_profiles (Writer *self, WpProgress *progress, GError **error)
{
  const WpStacks *stacks = self->stacks;
  g_autofree guint8 *used = g_new0 (guint8, stacks->threads.len + 1);

  for (guint32 i = 0; i < stacks->sample_threads.len; i++)
    used[stacks->sample_threads.data[i]] = TRUE;
  wp_json_writer_array (self->json, "profiles", WP_JSON_LINES);
  if (stacks->sample_threads.len == 0)
    put_profile (self, 0);
  for (guint32 t = 0; t < stacks->threads.len; t++)
    {
      if (!wp_progress_step (progress, (double) t / stacks->threads.len, error))
        return FALSE;
      if (used[t])
        put_profile (self, t);
    }
  wp_json_writer_end (self->json);
  return TRUE;
}

/* Time and bytes in the unit that can hold them exactly. */
static void
choose_unit (Writer *self, const char *unit)
{
  self->unit = wp_measure_is_alike (unit, "ns") ? "nanoseconds" : wp_measure_is_alike (unit, "bytes") ? "bytes" : "none";
  self->factor = g_str_equal (self->unit, "none") ? 1 : wp_measure_ratio (unit, self->unit);
}

gboolean
wp_speedscope_write (const WpStacks *stacks, int fd, WpProgress *progress, GError **error)
{
  guint32 type = wp_stacks_default_type (stacks);
  Writer self = { .stacks = stacks, .json = wp_json_writer_new (fd), .values = stacks->values[type].data };
  gboolean done;

  choose_unit (&self, wp_stacks_text (stacks, stacks->types.data[type].unit));
  wp_json_writer_object (self.json, NULL, WP_JSON_LINES);
  wp_json_writer_string (self.json, "$schema", "https://www.speedscope.app/file-format-schema.json");
  wp_json_writer_string (self.json, "exporter", "Wakepath");
  put_shared (&self);
  done = put_profiles (&self, progress, error);
  if (done)
    {
      wp_json_writer_end (self.json);
      done = wp_json_writer_done (self.json, error);
    }
  wp_json_writer_free (self.json);
  g_free (self.first_frame);
  wp_array_clear (&self.stack);
  return done;
}
