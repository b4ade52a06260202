#include "damage.h"

#define MS (G_GINT64_CONSTANT (1000) * 1000)

const Damage damages[] = {
  { "1 % lost", .share = 0.01 },
  { "5 % lost", .share = 0.05 },
  { "20 % lost", .share = 0.2 },
  { "burst lost", .burst = 50 * MS },
  { "burst lost on one CPU", .burst = 200 * MS, .one_cpu = TRUE },
  { "thinned switches", .share = 0.2, .event = "sched_switch" },
  { "thinned wakings", .share = 0.2, .event = "sched_waking" },
  { "thinned completions", .share = 0.2, .event = "block_rq_complete" },
  { "thinned CPU samples", .share = 0.5, .event = "cpu-clock", .may_grow = TRUE },
  { "begins in the middle", .beginning = 0.3, .may_grow = TRUE },
  { NULL },
};

static void
drop_at_random (const Damage *self, Stream *stream, GRand *rand)
{
  for (guint32 i = 0; i < stream->records.len; i++)
    {
      Record *record = &stream->records.data[i];

      if (record_is_event (record) && (self->event == NULL || g_str_equal (stream->events.data[record->event].name ?: "", self->event)))
        record->dropped = g_rand_double (rand) < self->share;
    }
}

static void
drop_burst (const Damage *self, Stream *stream, GRand *rand)
{
  gint64 length = MIN (self->burst, (stream->end - stream->start) / 5);
  gint64 from = stream->start + (gint64) ((stream->end - stream->start) * g_rand_double_range (rand, 0.1, 0.7)), to = from + length;
  gint32 cpu = g_rand_int_range (rand, 0, MAX (stream->n_cpus, 1));

  for (guint32 i = 0; i < stream->records.len; i++)
    {
      Record *record = &stream->records.data[i];

      if (record_is_event (record) && record->time >= from && record->time < to && (!self->one_cpu || record->cpu == cpu))
        record->dropped = TRUE;
    }
}

static void
drop_beginning (const Damage *self, Stream *stream, GRand *rand)
{
  gint64 to = stream->start + (gint64) ((stream->end - stream->start) * self->beginning * g_rand_double_range (rand, 0.5, 1));

  for (guint32 i = 0; i < stream->records.len; i++)
    if (record_is_event (&stream->records.data[i]) && stream->records.data[i].time < to)
      stream->records.data[i].dropped = TRUE;
}

GByteArray *
damage_apply (const Damage *self, Stream *stream, guint32 seed)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);

  stream_restore (stream);
  if (self->share > 0)
    drop_at_random (self, stream, rand);
  if (self->burst > 0)
    drop_burst (self, stream, rand);
  if (self->beginning > 0)
    drop_beginning (self, stream, rand);
  return stream_write (stream, self->event == NULL && self->beginning == 0);
}

/* --- anything at all -------------------------------------------------------------------------------------------------- */

static const Record *
any_record (const Stream *stream, GRand *rand)
{
  return &stream->records.data[g_rand_int_range (rand, 0, stream->records.len)];
}

static void
append_record (GByteArray *out, const Stream *stream, const Record *record)
{
  g_byte_array_append (out, stream->data->data + record->offset, record->size);
}

static void
append_changed (GByteArray *out, const Stream *stream, const Record *record, GRand *rand)
{
  guint first = out->len + 8, n = g_rand_int_range (rand, 1, 9);

  append_record (out, stream, record);
  for (guint i = 0; i < n && out->len > first; i++)
    out->data[g_rand_int_range (rand, first, out->len)] = g_rand_boolean (rand) ? g_rand_int_range (rand, 0, 256) : 0xff;
}

/* Its size is no longer what it says. */
static void
append_cut (GByteArray *out, const Stream *stream, const Record *record, GRand *rand)
{
  g_byte_array_append (out, stream->data->data + record->offset, g_rand_int_range (rand, 1, record->size));
}

/* Its size says that it is longer or shorter than it is. */
static void
append_resized (GByteArray *out, const Stream *stream, const Record *record, GRand *rand)
{
  guint16 size = g_rand_int_range (rand, 0, 65536);
  guint at = out->len;

  append_record (out, stream, record);
  memcpy (out->data + at + 6, &size, sizeof size);
}

static void
append_moved_in_time (GByteArray *out, const Stream *stream, const Record *record, GRand *rand)
{
  gint64 by = (gint64) g_rand_int (rand) - G_MAXUINT32 / 2, time = record->time + by * (g_rand_int_range (rand, 0, 8) ? 1 : G_GINT64_CONSTANT (1) << 31);
  guint at = out->len;

  append_record (out, stream, record);
  if (record->time >= 0)
    memcpy (out->data + at + record->time_at, &time, sizeof time);
}

static void
append_twice (GByteArray *out, const Stream *stream, const Record *record, GRand *rand)
{
  append_record (out, stream, record);
  append_record (out, stream, record);
}

static void
append_foreign (GByteArray *out, const Stream *stream, const Record *record, GRand *rand)
{
  append_record (out, stream, any_record (stream, rand));
}

static void
append_nothing (GByteArray *out, const Stream *stream, const Record *record, GRand *rand)
{
}

GByteArray *
damage_at_random (const Stream *stream, GRand *rand)
{
  static void (*const ways[]) (GByteArray *out, const Stream *stream, const Record *record, GRand *rand) = {
    append_changed, append_changed, append_changed, append_nothing, append_nothing, append_twice,
    append_foreign, append_foreign, append_moved_in_time, append_moved_in_time, append_resized, append_cut,
  };
  GByteArray *out = g_byte_array_sized_new (stream->data->len);
  double share = g_rand_double (rand) * g_rand_double (rand) * 0.5;
  guint n_ways = G_N_ELEMENTS (ways) - (g_rand_int_range (rand, 0, 4) ? 2 : 0); /* the last two mostly end the reading */

  g_byte_array_append (out, stream->data->data, 16);
  for (guint32 i = 0; i < stream->records.len; i++)
    {
      const Record *record = &stream->records.data[i];
      gboolean described = record->type >= 64; /* a broken description leaves little to read */

      if (record->dropped)
        continue;
      if (g_rand_double (rand) < (described ? share / 50 : share))
        ways[g_rand_int_range (rand, 0, n_ways)](out, stream, record, rand);
      else
        append_record (out, stream, record);
    }
  if (g_rand_int_range (rand, 0, 4) == 0)
    g_byte_array_set_size (out, g_rand_int_range (rand, 0, out->len));
  return out;
}
