/* Rules: Perfetto's page on Chrome's JSON format, and the format's own description: complete events (X) of a thread are nested, outer ones come first
 * where they begin together; flow events (s, f) bind to the event around them. */
#include "view/rows-trace.h"

#include "base/sort.h"

#define NS_PER_US 1000.0
#define PID 1

typedef struct
{
  const WpBox *box;
  guint32 depth;
} Placed;

typedef struct
{
  const WpRows *rows;
  WpJsonWriter *json;
  WP_ARRAY (Placed) boxes; /* of the lane at hand */
  WP_ARRAY (gint64) ends;  /* by depth: where the last box there ends */
} Writer;

static void
begin_event (const Writer *self, const char *phase, const char *name, guint32 lane)
{
  wp_json_writer_line (self->json);
  wp_json_writer_object (self->json, NULL, WP_JSON_TIGHT);
  wp_json_writer_string (self->json, "ph", phase);
  wp_json_writer_string (self->json, "name", name);
  wp_json_writer_int (self->json, "pid", PID);
  wp_json_writer_int (self->json, "tid", lane + 1);
}

static void
put_name (const Writer *self, const char *what, const char *name, guint32 lane)
{
  begin_event (self, "M", what, lane);
  wp_json_writer_object (self->json, "args", WP_JSON_TIGHT);
  wp_json_writer_string (self->json, "name", name);
  wp_json_writer_end (self->json);
  wp_json_writer_end (self->json);
}

/* --- lanes -------------------------------------------------------------------------------------------------------- */

static int
compare_placed (const void *a, const void *b)
{
  const Placed *x = a, *y = b;

  return x->box->start != y->box->start ? WP_COMPARE (x->box->start, y->box->start) : WP_COMPARE (x->depth, y->depth);
}

/* Where the box that is next below it ends; there may be gaps between. */
static gint64
end_below (const Writer *self, const Placed *placed)
{
  for (guint32 d = placed->depth; d-- > 0;)
    if (self->ends.data[d] > placed->box->start)
      return self->ends.data[d];
  return G_MAXINT64;
}

static void
put_box (Writer *self, const Placed *placed, guint32 lane)
{
  const WpBox *box = placed->box;
  gint64 end = MIN (box->end, end_below (self, placed));

  self->ends.data[placed->depth] = end;
  begin_event (self, "X", wp_rows_string (self->rows, box->label), lane);
  wp_json_writer_real (self->json, "ts", (double) box->start / NS_PER_US);
  wp_json_writer_real (self->json, "dur", (double) (end - box->start) / NS_PER_US);
  if (end < box->end)
    {
      wp_json_writer_object (self->json, "args", WP_JSON_TIGHT);
      wp_json_writer_real (self->json, "until", (double) box->end / NS_PER_US);
      wp_json_writer_end (self->json);
    }
  wp_json_writer_end (self->json);
}

/* Rows `first` … `last`, of which the last has the roots. */
static void
put_lane (Writer *self, guint32 first, guint32 last, guint32 lane)
{
  const WpRows *rows = self->rows;

  self->boxes.len = 0;
  for (guint32 r = first; r <= last; r++)
    for (guint32 b = 0; b < rows->rows.data[r].n; b++)
      wp_array_push (&self->boxes, ((Placed) { &rows->boxes.data[rows->rows.data[r].first + b], last - r }));
  wp_array_sort (&self->boxes, compare_placed);
  wp_array_resize (&self->ends, last - first + 1);
  for (guint32 d = 0; d <= last - first; d++)
    self->ends.data[d] = G_MININT64;
  put_name (self, "thread_name", wp_rows_string (rows, rows->rows.data[last].label), lane);
  for (guint32 i = 0; i < self->boxes.len; i++)
    put_box (self, &self->boxes.data[i], lane);
}

/* --- arrows ------------------------------------------------------------------------------------------------------- */

static void
put_end (const Writer *self, const char *phase, guint32 id, guint32 lane, gint64 moment)
{
  begin_event (self, phase, "link", lane);
  wp_json_writer_string (self->json, "cat", "link");
  wp_json_writer_uint (self->json, "id", id);
  wp_json_writer_real (self->json, "ts", (double) moment / NS_PER_US);
  if (*phase == 'f')
    wp_json_writer_string (self->json, "bp", "e");
  wp_json_writer_end (self->json);
}

void
wp_rows_write_trace (const WpRows *rows, const char *title, WpJsonWriter *json)
{
  Writer self = { .rows = rows, .json = json };
  g_autofree guint32 *lanes = g_new0 (guint32, MAX (rows->rows.len, 1)); /* by row */
  guint32 lane = 0, first = 0;

  wp_json_writer_object (json, NULL, WP_JSON_SPACED);
  wp_json_writer_string (json, "displayTimeUnit", "ns");
  wp_json_writer_array (json, "traceEvents", WP_JSON_SPACED);
  put_name (&self, "process_name", title, 0);
  for (guint32 r = 0; r < rows->rows.len; r++)
    {
      lanes[r] = lane;
      if (r + 1 < rows->rows.len && rows->rows.data[r + 1].group == 0)
        continue;
      put_lane (&self, first, r, lane++);
      first = r + 1;
    }
  for (guint32 i = 0; i < rows->lines.len; i++)
    {
      const WpLine *line = &rows->lines.data[i];

      put_end (&self, "s", i + 1, lanes[line->from_row], line->start);
      put_end (&self, "f", i + 1, lanes[line->to_row], line->end);
    }
  wp_json_writer_end (json);
  wp_json_writer_end (json);
  wp_array_clear (&self.boxes);
  wp_array_clear (&self.ends);
}
