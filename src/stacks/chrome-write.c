#include "stacks/chrome.h"

#include <gio/gio.h>

#include "base/json-writer.h"
#include "stacks/in-time.h"
#include "stacks/measure.h"
#include "stacks/sums.h"

#define SAMPLES_PER_STEP 4096
#define NS_PER_US 1000.0

/* A frame that stays on the stack for a while. */
typedef struct
{
  WpId location;
  guint32 line; /* of the location's, from the outermost one */
  gint64 start, end;
} Event;

typedef struct
{
  const WpStacks *stacks;
  WpJsonWriter *json;
  guint32 type;
  gboolean lasts;          /* values are how long samples last */
  double scale;            /* ns in one of them */
  WpTimedSamples samples;
  WP_ARRAY (Event) events; /* of the thread at hand, in the order in which they begin: outer ones before those in them */
  WP_ARRAY (guint32) open; /* those that have not ended yet, outermost first */
  gint64 pid, tid; /* of the thread at hand */
  WpIdArray stack;
} Writer;

/* --- events ------------------------------------------------------------------------------------------------------- */

static void
begin_event (const Writer *self, const char *phase, const char *name)
{
  wp_json_writer_object (self->json, NULL, WP_JSON_TIGHT);
  wp_json_writer_string (self->json, "ph", phase);
  wp_json_writer_string (self->json, "name", name);
  wp_json_writer_int (self->json, "pid", self->pid);
  wp_json_writer_int (self->json, "tid", self->tid);
}

static void
put_name (const Writer *self, const char *what, WpId name)
{
  g_autofree char *changed = NULL;

  if (name == 0)
    return;
  begin_event (self, "M", what);
  wp_json_writer_object (self->json, "args", WP_JSON_TIGHT);
  wp_json_writer_string (self->json, "name", wp_stacks_shown (self->stacks, name, &changed));
  wp_json_writer_end (self->json);
  wp_json_writer_end (self->json);
}

static void
put_event (const Writer *self, const Event *event)
{
  const WpFrames *frames = self->stacks->frames;
  const WpLocation *location = &frames->locations.data[event->location];
  g_autofree char *name = NULL, *file = NULL;
  const WpStackFunction *function = NULL;
  const WpStackLine *line = NULL;

  if (location->n_lines > 0)
    {
      line = &frames->lines.data[location->first_line + location->n_lines - 1 - event->line];
      function = &frames->functions.data[line->function];
      begin_event (self, "X", wp_stacks_shown (self->stacks, function->name, &name));
    }
  else
    {
      name = g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", location->address);
      begin_event (self, "X", name);
    }
  wp_json_writer_real (self->json, "ts", (double) event->start / NS_PER_US);
  wp_json_writer_real (self->json, "dur", (double) wp_sum (event->end, wp_negative (event->start)) / NS_PER_US);
  if (function != NULL && function->file != 0)
    {
      wp_json_writer_object (self->json, "args", WP_JSON_TIGHT);
      wp_json_writer_string (self->json, "file", wp_stacks_shown (self->stacks, function->file, &file));
      if (line->line > 0)
        wp_json_writer_int (self->json, "line", line->line);
      wp_json_writer_end (self->json);
    }
  wp_json_writer_end (self->json);
}

static void
open_event (Writer *self, WpId location, guint32 line, gint64 start)
{
  wp_array_push (&self->open, self->events.len);
  wp_array_push (&self->events, ((Event) { location, line, start, start }));
}

/* Ends all but the n outermost ones. */
static void
close_events (Writer *self, guint32 n, gint64 end)
{
  for (guint32 i = n; i < self->open.len; i++)
    self->events.data[self->open.data[i]].end = end;
  self->open.len = MIN (self->open.len, n);
}

/* --- samples ------------------------------------------------------------------------------------------------------ */

/* A sample lasts as long as its value says; else until the next one of its thread, and the last one for the profile's period. */
static gint64
end_of (const Writer *self, guint32 row, guint32 end)
{
  const WpTimedSample *sample = &self->samples.data[row];

  if (self->lasts)
    return wp_sum (sample->start, wp_whole ((double) self->stacks->values[self->type].data[sample->sample] * self->scale));
  return row + 1 < end ? sample[1].start : wp_sum (sample->start, MAX (self->stacks->header.period, 1));
}

static gboolean
is_open (const Writer *self, guint32 at, WpId location, guint32 line)
{
  const Event *event;

  if (at >= self->open.len)
    return FALSE;
  event = &self->events.data[self->open.data[at]];
  return event->location == location && event->line == line;
}

/* What this stack has in common with the one before it goes on. */
static void
take_sample (Writer *self, const WpTimedSample *sample)
{
  const WpFrames *frames = self->stacks->frames;
  guint32 at = 0;

  wp_frames_stack (frames, self->stacks->sample_stacks.data[sample->sample], &self->stack);
  for (guint32 l = self->stack.len; l-- > 0;)
    {
      WpId location = self->stack.data[l];
      guint32 n = MAX (frames->locations.data[location].n_lines, 1);

      for (guint32 line = 0; line < n; line++, at++)
        if (!is_open (self, at, location, line))
          {
            close_events (self, at, sample->start);
            open_event (self, location, line, sample->start);
          }
    }
  close_events (self, at, sample->start);
}

static void
put_thread_names (Writer *self, guint32 id)
{
  const WpStacks *stacks = self->stacks;
  const WpStackThread thread = id < stacks->threads.len ? stacks->threads.data[id] : (WpStackThread) { 0 };

  self->pid = thread.pid;
  self->tid = thread.tid != 0 ? thread.tid : id;
  put_name (self, "process_name", thread.process);
  put_name (self, "thread_name", thread.name);
}

static gboolean
put_thread (Writer *self, guint32 first, guint32 end, WpProgress *progress, GError **error)
{
  gint64 last = 0;

  self->events.len = 0;
  for (guint32 row = first; row < end; row++)
    {
      const WpTimedSample *sample = &self->samples.data[row];

      if (row % SAMPLES_PER_STEP == 0 && !wp_progress_step (progress, (double) row / self->samples.len, error))
        return FALSE;
      if (end_of (self, row, end) == sample->start)
        continue;
      if (sample->start > last)
        close_events (self, 0, last);
      take_sample (self, sample);
      last = end_of (self, row, end);
    }
  close_events (self, 0, last);
  put_thread_names (self, self->samples.data[first].thread);
  for (guint32 i = 0; i < self->events.len; i++)
    put_event (self, &self->events.data[i]);
  return TRUE;
}

/* --- the whole ---------------------------------------------------------------------------------------------------- */

static gboolean
check (const WpStacks *stacks, guint32 type, GError **error)
{
  for (guint32 i = 0; i < stacks->n_samples; i++)
    if (stacks->values[type].data[i] < 0)
      {
        g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                             "trace events last for a time, and samples of a difference may be less than none");
        return FALSE;
      }
  return TRUE;
}

static gboolean
put_threads (Writer *self, WpProgress *progress, GError **error)
{
  for (guint32 first = 0, end; first < self->samples.len; first = end)
    {
      end = wp_timed_samples_end (&self->samples, first);
      if (!put_thread (self, first, end, progress, error))
        return FALSE;
    }
  return TRUE;
}

gboolean
wp_chrome_write (const WpStacks *stacks, int fd, WpProgress *progress, GError **error)
{
  guint32 type = wp_stacks_default_type (stacks);
  const char *unit = wp_stacks_text (stacks, stacks->types.data[type].unit);
  gboolean is_time = wp_measure_is_alike (unit, "ns"), done;
  Writer self = { .stacks = stacks, .type = type, .lasts = is_time || stacks->moments.len == 0,
                  .scale = is_time ? wp_measure_ratio (unit, "ns") : NS_PER_US };

  if (!check (stacks, type, error))
    return FALSE;
  wp_stacks_in_time (stacks, type, self.scale, &self.samples);
  self.json = wp_json_writer_new (fd);
  wp_json_writer_object (self.json, NULL, WP_JSON_LINES);
  wp_json_writer_string (self.json, "displayTimeUnit", "ns");
  wp_json_writer_array (self.json, "traceEvents", WP_JSON_LINES);
  done = put_threads (&self, progress, error);
  if (done)
    {
      wp_json_writer_end (self.json);
      wp_json_writer_end (self.json);
      done = wp_json_writer_done (self.json, error);
    }
  wp_json_writer_free (self.json);
  wp_array_clear (&self.samples);
  wp_array_clear (&self.events);
  wp_array_clear (&self.open);
  wp_array_clear (&self.stack);
  return done;
}
