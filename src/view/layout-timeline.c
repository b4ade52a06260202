/* Stacks whose samples have moments, in the order of time: a lane for each thread, roots at the bottom. A sample lasts as long as its value says where
 * that is a time; else until the next one of its thread, but no longer than samples of it usually are apart. What neighbours have in common from
 * the root on is one box. */
#include "view/layout.h"

#include <glib/gi18n.h>

#include "base/sort.h"
#include "stacks/in-time.h"
#include "stacks/measure.h"
#include "stacks/stack-tree.h"
#include "stacks/sums.h"

#define MOST_BOXES (4 << 20)
#define MOST_FRAMES (1u << 28) /* of all samples together */
#define SAMPLES_PER_STEP 4096

typedef struct
{
  gint64 start;
  guint32 frame;
  WpId location;
} Open;

typedef struct
{
  const WpStacks *stacks;
  const WpFrameNames *names;
  WpRows *rows;
  WpGather gather;
  WpTimedSamples samples;
  gint64 first;          /* the moment that others are told from */
  guint32 type;
  double ratio;          /* ns of one value; 0: values are no times */
  WP_ARRAY (Open) open;  /* boxes of the lane that have not ended, outermost first */
  WpIdArray stack;
  WpId *labels;          /* frame → string of the rows */
  guint8 *kinds;         /* module → WpFrameKind */
  guint32 bottom;        /* the lane's row of roots; rows above it have smaller numbers only once all lanes are known */
  guint32 height;
  guint64 frames;        /* that were looked at */
} Timeline;

static int
compare_gaps (const void *a, const void *b)
{
  return WP_COMPARE (*(const gint64 *) a, *(const gint64 *) b);
}

/* --- when samples begin and end ----------------------------------------------------------------------------------- */

/* Since the moment that others are told from; what is further away than can be told stands at the limit. */
static gint64
start_of (const Timeline *self, guint32 row)
{
  gint64 start = wp_sum (self->samples.data[row].start, wp_negative (self->first));

  return start >= 0 ? start : G_MAXINT64;
}

/* How far samples of a thread are usually apart: the median. */
static gint64
usual_gap (const Timeline *self, guint32 row, guint32 end)
{
  g_autofree gint64 *gaps = g_new (gint64, end - row);
  guint32 n = end - row - 1;

  if (n == 0)
    return 1;
  for (guint32 i = 0; i < n; i++)
    gaps[i] = start_of (self, row + i + 1) - start_of (self, row + i);
  qsort (gaps, n, sizeof *gaps, compare_gaps);
  return MAX (gaps[n / 2], 1);
}

/* Those of a thread do not overlap. `end`: the row behind the thread's last. */
static gint64
end_of (const Timeline *self, guint32 row, guint32 end, gint64 gap)
{
  double value = (double) self->stacks->values[self->type].data[self->samples.data[row].sample];
  gint64 stop = wp_sum_capped (start_of (self, row), self->ratio > 0 ? wp_whole (MAX (value * self->ratio, 0)) : gap);

  return row + 1 < end ? MIN (stop, start_of (self, row + 1)) : stop;
}

/* --- boxes -------------------------------------------------------------------------------------------------------- */

static WpId
label_of (Timeline *self, guint32 frame)
{
  if (self->labels[frame] == 0)
    self->labels[frame] = wp_strings_intern (self->rows->strings, self->names->names.data[frame].name);
  return self->labels[frame];
}

static void
close_boxes (Timeline *self, guint32 n, gint64 end)
{
  for (; self->open.len > n; self->open.len--)
    {
      const Open *box = &self->open.data[self->open.len - 1];

      if (end > box->start)
        wp_gather_add (&self->gather, self->bottom + self->open.len - 1,
                       &(WpBox) { .start = box->start, .end = end, .label = label_of (self, box->frame), .ref = box->frame, .ref_kind = WP_REF_FRAME,
                                  .kind = wp_layout_box_kind (wp_location_kind (&self->stacks->frames->locations.data[box->location], self->kinds)) });
    }
}

/* `before`: the end of the one before it. */
static void
add_sample (Timeline *self, guint32 row, gint64 before)
{
  gint64 start = start_of (self, row);
  guint32 depth = 0;

  if (start > before)
    close_boxes (self, 0, before);
  wp_frames_stack (self->stacks->frames, self->stacks->sample_stacks.data[self->samples.data[row].sample], &self->stack);
  for (guint32 l = self->stack.len; l-- > 0;)
    for (guint32 n = self->names->first[self->stack.data[l]]; n < self->names->first[self->stack.data[l] + 1]; n++, depth++)
      {
        guint32 frame = self->names->frames.data[n];

        if (depth < self->open.len && self->open.data[depth].frame == frame)
          continue;
        close_boxes (self, depth, start);
        wp_array_push (&self->open, ((Open) { start, frame, self->stack.data[l] }));
      }
  close_boxes (self, depth, start);
  self->frames += depth;
  self->height = MAX (self->height, depth);
}

static WpId
lane_name (const Timeline *self, guint32 thread)
{
  const WpStacks *stacks = self->stacks;
  const WpStackThread *row = thread < stacks->threads.len ? &stacks->threads.data[thread] : NULL;
  g_autofree char *changed = NULL, *text = NULL;
  const char *name = row != NULL ? wp_stacks_shown (stacks, row->name != 0 ? row->name : row->process, &changed) : "";

  if (row != NULL && row->tid != 0)
    text = g_strdup_printf ("%s %" G_GINT64_FORMAT, name, row->tid);
  return wp_strings_intern (self->rows->strings, text != NULL ? text : name);
}

/* A lane's rows, of which the lowest has the roots: until now they were counted from there. */
static void
finish_lane (Timeline *self, guint32 thread, guint32 first_box)
{
  guint32 first_row = self->rows->rows.len;

  wp_array_resize (&self->rows->rows, first_row + self->height);
  for (guint32 b = first_box; b < self->gather.rows.len; b++)
    self->gather.rows.data[b] = first_row + self->height - 1 - (self->gather.rows.data[b] - self->bottom);
  if (self->height == 0)
    return;
  if (first_row == 0)
    self->rows->home = self->height - 1;
  self->rows->rows.data[first_row].group = first_row > 0;
  self->rows->rows.data[first_row + self->height - 1].label = lane_name (self, thread);
}

static gboolean
add_lane (Timeline *self, guint32 first, guint32 end, WpProgress *progress, GError **error)
{
  guint32 first_box = self->gather.rows.len;
  gint64 before = G_MININT64, gap = self->ratio > 0 ? 0 : usual_gap (self, first, end);

  self->bottom = self->rows->rows.len;
  self->height = 0;
  for (guint32 row = first; row < end; row++)
    {
      if (row % SAMPLES_PER_STEP == 0 && !wp_progress_step (progress, (double) row / self->samples.len, error))
        return FALSE;
      add_sample (self, row, before);
      before = end_of (self, row, end, gap);
      if (self->gather.rows.len > MOST_BOXES || self->frames > MOST_FRAMES)
        {
          g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                       _("in the order of time these would be more boxes than any screen shows; a filter or another grouping of frames makes them fewer"));
          return FALSE;
        }
    }
  close_boxes (self, 0, before);
  finish_lane (self, self->samples.data[first].thread, first_box);
  return TRUE;
}

static gboolean
add_lanes (Timeline *self, WpProgress *progress, GError **error)
{
  for (guint32 first = 0, end; first < self->samples.len; first = end)
    {
      end = wp_timed_samples_end (&self->samples, first);
      if (!add_lane (self, first, end, progress, error))
        return FALSE;
    }
  return TRUE;
}

WpRows *
wp_layout_timeline (const WpStacks *stacks, const WpFrameNames *names, guint32 type, WpProgress *progress, GError **error)
{
  const char *unit = wp_stacks_text (stacks, stacks->types.data[type].unit);
  g_autoptr (WpRows) rows = wp_rows_new ();
  Timeline self = { .stacks = stacks, .names = names, .rows = rows, .type = type,
                    .ratio = wp_measure_is_alike (unit, "ns") ? wp_measure_ratio (unit, "ns") : 0 };
  gboolean done;

  self.labels = g_new0 (WpId, MAX (names->names.len, 1));
  self.kinds = wp_stacks_module_kinds (stacks);
  wp_stacks_in_time (stacks, type, self.ratio, &self.samples);
  self.first = wp_stacks_first_moment (stacks);
  done = add_lanes (&self, progress, error);
  if (done) /* else the boxes of the last lane have no rows yet */
    {
      rows->is_time = TRUE;
      rows->of_recording = stacks->header.of_recording;
      wp_gather_finish (&self.gather, rows);
      wp_rows_finish (rows);
    }
  wp_array_clear (&self.gather.boxes);
  wp_array_clear (&self.gather.rows);
  wp_array_clear (&self.samples);
  wp_array_clear (&self.open);
  wp_array_clear (&self.stack);
  g_free (self.labels);
  g_free (self.kinds);
  return done ? g_steal_pointer (&rows) : NULL;
}
