/* Changes of a perf.data by its records, so that what comes out is still one that is read: records are doubled, dropped, moved, put into
 * another order, get other times, tasks, CPUs, ids and other numbers in their fields, and are taken from another recording. */
#include "fuzz.h"

#include "read/perf/perf-numbers.h"

#include <linux/perf_event.h>
#include <string.h>

#define STREAM_HEADER 16
#define FILE_HEADER 104
#define AT_DATA 40 /* in a file's header: where the records are, and how many bytes */
#define GROWN_MAX (1 << 20)

typedef struct
{
  guint32 at, n; /* bytes, with what follows some kinds */
  guint32 type;
  guint32 size;  /* of the record itself */
} Record;

typedef struct
{
  GByteArray *input;
  GArray *records;      /* Record */
  gboolean stream;
  guint64 sample_type;  /* of the first event; all of a recording are mostly alike in what stands in front */
  GArray *samples;      /* rows of records */
} Perf;

static guint64
get (const Perf *self, gsize at, gsize width)
{
  guint64 value = 0;

  if (at + width <= self->input->len)
    memcpy (&value, self->input->data + at, width);
  return value;
}

static void
set (Perf *self, gsize at, gsize width, guint64 value)
{
  if (at + width <= self->input->len)
    memcpy (self->input->data + at, &value, width);
}

/* So many bytes behind the record belong to it. */
static guint64
extra (const Perf *self, const Record *record)
{
  if (record->type == WP_PERF_RECORD_TRACING_DATA)
    return (get (self, record->at + 8, 4) + 7) / 8 * 8;
  return record->type == WP_PERF_RECORD_AUXTRACE ? get (self, record->at + 8, 8) : 0;
}

static void
find_records (Perf *self, guint64 at, guint64 end)
{
  end = MIN (end, self->input->len);
  while (at < end && at + 8 <= end)
    {
      Record record = { .at = (guint32) at, .type = (guint32) get (self, at, 4), .size = (guint32) get (self, at + 6, 2) };
      guint64 n = record.size;

      if (record.size < 8)
        return;
      n += MIN (extra (self, &record), end);
      if (n > end - at)
        return;
      record.n = (guint32) n;
      if (record.type == WP_PERF_RECORD_ATTR && self->sample_type == 0)
        self->sample_type = get (self, at + 8 + 24, 8);
      if (record.type == PERF_RECORD_SAMPLE)
        g_array_append_vals (self->samples, &self->records->len, 1);
      g_array_append_val (self->records, record);
      at += n;
    }
}

static gboolean
perf_open (Perf *self, GByteArray *input)
{
  *self = (Perf) { .input = input };
  if (input->len < STREAM_HEADER || memcmp (input->data, "PERFILE2", 8) != 0)
    return FALSE;
  self->records = g_array_new (FALSE, FALSE, sizeof (Record));
  self->samples = g_array_new (FALSE, FALSE, sizeof (guint));
  self->stream = get (self, 8, 8) == STREAM_HEADER;
  if (self->stream)
    find_records (self, STREAM_HEADER, input->len);
  else if (input->len >= FILE_HEADER && get (self, AT_DATA, 8) < input->len)
    {
      guint64 at = get (self, AT_DATA, 8), n = get (self, AT_DATA + 8, 8), attr = get (self, 24, 8);

      self->sample_type = attr < input->len ? get (self, attr + 24, 8) : 0;
      find_records (self, at, at + MIN (n, input->len - at));
    }
  return self->records->len > 0;
}

static void
perf_close (Perf *self)
{
  g_clear_pointer (&self->records, g_array_unref);
  g_clear_pointer (&self->samples, g_array_unref);
}

static Record *
record_at (const Perf *self, guint i)
{
  return &g_array_index (self->records, Record, i);
}

/* A record that is often a sample, of which most is made; those in front are few and matter, too. */
static guint
choose (const Perf *self, FuzzRandom *random)
{
  if (self->samples->len > 0 && fuzz_below (random, 3) > 0)
    return g_array_index (self->samples, guint, fuzz_below (random, self->samples->len));
  return fuzz_below (random, self->records->len);
}

/* Replaces n bytes of the records; in a file what lies behind is told to be elsewhere. */
static void
replace (Perf *self, gsize at, gsize n, gconstpointer with, gsize n_with)
{
  guint64 data = get (self, AT_DATA, 8), size = get (self, AT_DATA + 8, 8), delta = n_with - n, table;

  fuzz_replace (self->input, at, n, with, n_with);
  if (self->stream)
    return;
  set (self, AT_DATA + 8, 8, size + delta);
  table = data + size + delta;
  for (guint feature = 0; feature < 256 && table + 16 <= self->input->len; feature++)
    if (self->input->data[72 + feature / 8] >> feature % 8 & 1)
      {
        if (get (self, table, 8) >= data + size)
          set (self, table, 8, get (self, table, 8) + delta);
        table += 16;
      }
}

/* --- where the parts of a sample are ---------------------------------------------------------------------------------- */

/* From the record's beginning; 0: it has none. */
typedef struct
{
  guint ident, tid, time, cpu, rest;
} Slots;

static Slots
sample_slots (const Perf *self)
{
  static const struct
  {
    guint64 bit;
    gsize slot;
  } order[] = {
    { PERF_SAMPLE_IDENTIFIER, G_STRUCT_OFFSET (Slots, ident) }, { PERF_SAMPLE_IP, 0 }, { PERF_SAMPLE_TID, G_STRUCT_OFFSET (Slots, tid) },
    { PERF_SAMPLE_TIME, G_STRUCT_OFFSET (Slots, time) }, { PERF_SAMPLE_ADDR, 0 }, { PERF_SAMPLE_ID, 0 }, { PERF_SAMPLE_STREAM_ID, 0 },
    { PERF_SAMPLE_CPU, G_STRUCT_OFFSET (Slots, cpu) }, { PERF_SAMPLE_PERIOD, 0 },
  };
  Slots slots = { 0 };
  guint at = 8;

  for (guint i = 0; i < G_N_ELEMENTS (order); i++)
    if (self->sample_type & order[i].bit)
      {
        if (order[i].slot != 0 || order[i].bit == PERF_SAMPLE_IDENTIFIER)
          G_STRUCT_MEMBER (guint, &slots, order[i].slot) = at;
        at += 8;
      }
  slots.rest = at;
  return slots;
}

/* The same of a record that is no sample: they stand at its end. */
static Slots
tail_slots (const Perf *self, const Record *record)
{
  Slots slots = { 0 };
  guint at = record->size;

  if (self->sample_type & PERF_SAMPLE_IDENTIFIER)
    slots.ident = at -= 8;
  if (self->sample_type & PERF_SAMPLE_CPU)
    slots.cpu = at -= 8;
  at -= 8 * (((self->sample_type & PERF_SAMPLE_STREAM_ID) != 0) + ((self->sample_type & PERF_SAMPLE_ID) != 0));
  if (self->sample_type & PERF_SAMPLE_TIME)
    slots.time = at -= 8;
  if (self->sample_type & PERF_SAMPLE_TID)
    slots.tid = at -= 8;
  return at >= 8 && at < record->size ? slots : (Slots) { 0 };
}

static Slots
slots_of (const Perf *self, const Record *record)
{
  if (record->type == PERF_RECORD_SAMPLE)
    return sample_slots (self);
  return record->type < WP_PERF_RECORD_USER_FIRST ? tail_slots (self, record) : (Slots) { 0 };
}

/* What another record has in this place. */
static guint64
of_another (const Perf *self, FuzzRandom *random, gsize slot, gsize width)
{
  const Record *other = record_at (self, choose (self, random));
  Slots slots = slots_of (self, other);
  guint at = G_STRUCT_MEMBER (guint, &slots, slot);

  return at > 0 && at + width <= other->size ? get (self, other->at + at, width) : 0;
}

/* --- changes of one record -------------------------------------------------------------------------------------------- */

typedef void (*RecordChange) (Perf *self, const Record *record, const Slots *slots, FuzzRandom *random);

static void
change_time (Perf *self, const Record *record, const Slots *slots, FuzzRandom *random)
{
  guint64 old = get (self, record->at + slots->time, 8), delta = G_GUINT64_CONSTANT (1) << fuzz_below (random, 52);
  const guint64 values[] = { of_another (self, random, G_STRUCT_OFFSET (Slots, time), 8), old + delta, old - delta, fuzz_number (random) };

  if (slots->time != 0)
    set (self, record->at + slots->time, 8, values[fuzz_below (random, fuzz_one_in (random, 4) ? 4 : 3)]);
}

static void
change_task (Perf *self, const Record *record, const Slots *slots, FuzzRandom *random)
{
  guint64 value = of_another (self, random, G_STRUCT_OFFSET (Slots, tid), 8);

  if (slots->tid == 0)
    return;
  if (fuzz_one_in (random, 3))
    set (self, record->at + slots->tid + 4 * fuzz_below (random, 2), 4, fuzz_number (random));
  else
    set (self, record->at + slots->tid, 8, value);
}

static void
change_cpu (Perf *self, const Record *record, const Slots *slots, FuzzRandom *random)
{
  if (slots->cpu != 0)
    set (self, record->at + slots->cpu, 4, fuzz_one_in (random, 3) ? fuzz_number (random) : fuzz_below (random, 5));
}

static void
change_id (Perf *self, const Record *record, const Slots *slots, FuzzRandom *random)
{
  guint64 value = of_another (self, random, G_STRUCT_OFFSET (Slots, ident), 8);

  if (self->sample_type & PERF_SAMPLE_IDENTIFIER)
    set (self, record->at + slots->ident, 8, fuzz_one_in (random, 4) ? fuzz_number (random) : value);
}

/* Frames come, go, and are others. */
static void
change_chain (Perf *self, const Record *record, const Slots *slots, FuzzRandom *random)
{
  gsize at = record->at + slots->rest;
  guint64 n = get (self, at, 8), most = (record->size - slots->rest) / 8;

  if (record->type != PERF_RECORD_SAMPLE || !(self->sample_type & PERF_SAMPLE_CALLCHAIN) || n > most)
    return;
  if (fuzz_one_in (random, 4))
    set (self, at, 8, fuzz_one_in (random, 2) ? n + (fuzz_one_in (random, 2) ? 1 : -1) : fuzz_number (random));
  else if (n > 0)
    set (self, at + 8 + 8 * fuzz_below (random, n), 8,
         fuzz_one_in (random, 2) ? get (self, at + 8 + 8 * fuzz_below (random, n), 8) : fuzz_number (random));
}

/* A field of a tracepoint, or whatever else stands behind the chain. */
static void
change_raw (Perf *self, const Record *record, const Slots *slots, FuzzRandom *random)
{
  gsize at = record->at + (slots->rest != 0 ? slots->rest : 8), end = record->at + record->n;
  guint64 n = get (self, at, 8);

  if (record->type == PERF_RECORD_SAMPLE && self->sample_type & PERF_SAMPLE_CALLCHAIN && n < (end - at) / 8)
    at += 8 + 8 * n;
  if (at + 4 > end)
    return;
  at += fuzz_below (random, (guint) (end - at) / 4) * 4;
  if (fuzz_one_in (random, 3))
    set (self, at, 4, get (self, record_at (self, choose (self, random))->at + 12, 4));
  else
    set (self, at, (gsize) 1 << fuzz_below (random, 4), fuzz_one_in (random, 2) ? fuzz_number (random) : fuzz_below (random, 512));
}

/* What every record begins with. */
static void
change_head (Perf *self, const Record *record, const Slots *slots, FuzzRandom *random)
{
  (void) slots;
  if (fuzz_one_in (random, 3))
    set (self, record->at, 4, fuzz_one_in (random, 2) ? fuzz_below (random, 22) : 64 + fuzz_below (random, 20));
  else if (fuzz_one_in (random, 2))
    set (self, record->at + 4, 2, fuzz_number (random));
  else
    set (self, record->at + 6, 2, fuzz_one_in (random, 4) ? fuzz_number (random) : record->size + 8 * (int) fuzz_below (random, 5) - 16);
}

static void
change_text (Perf *self, const Record *record, const Slots *slots, FuzzRandom *random)
{
  const char *word = fuzz_word (random);
  gsize at = record->at + 8 + fuzz_below (random, record->n - 7), n = strlen (word) + 1;

  (void) slots;
  if (at + n <= record->at + record->n)
    memcpy (self->input->data + at, word, n);
}

static void
change_field (Perf *self, const Record *record, const Slots *slots, FuzzRandom *random)
{
  gsize at = 8 + fuzz_below (random, record->n / 4) * 4;

  (void) slots;
  if (at + 8 <= record->n)
    set (self, record->at + at, fuzz_one_in (random, 2) ? 4 : 8, fuzz_number (random));
}

static void
change_record (Perf *self, FuzzRandom *random)
{
  static const RecordChange changes[] = { change_time, change_time, change_time, change_task, change_task, change_cpu, change_id,
                                          change_chain, change_raw, change_raw, change_raw, change_head, change_text, change_field };
  const Record *record = record_at (self, choose (self, random));
  Slots slots = slots_of (self, record);

  changes[fuzz_below (random, G_N_ELEMENTS (changes))](self, record, &slots, random);
}

/* --- changes of many -------------------------------------------------------------------------------------------------- */

typedef struct
{
  gsize at, n;
} Stretch;

/* A few records that follow one another. */
static Stretch
choose_some (const Perf *self, FuzzRandom *random)
{
  guint first = choose (self, random), n = 1 + fuzz_below (random, 1u << fuzz_below (random, 6));
  guint last = MIN (first + n, self->records->len) - 1;

  return (Stretch) { record_at (self, first)->at, record_at (self, last)->at + record_at (self, last)->n - record_at (self, first)->at };
}

static void
drop (Perf *self, FuzzRandom *random)
{
  Stretch some = choose_some (self, random);

  replace (self, some.at, some.n, NULL, 0);
}

static void
double_some (Perf *self, FuzzRandom *random)
{
  Stretch some = choose_some (self, random);

  if (self->input->len < GROWN_MAX)
    replace (self, record_at (self, choose (self, random))->at, 0, self->input->data + some.at, some.n);
}

static void
swap (Perf *self, FuzzRandom *random)
{
  const Record *a = record_at (self, choose (self, random)), *b = record_at (self, choose (self, random));
  g_autoptr (GByteArray) both = g_byte_array_new ();

  if (a->at > b->at)
    {
      const Record *c = a;

      a = b;
      b = c;
    }
  if (a == b)
    return;
  g_byte_array_append (both, self->input->data + b->at, b->n);
  g_byte_array_append (both, self->input->data + a->at + a->n, b->at - a->at - a->n);
  g_byte_array_append (both, self->input->data + a->at, a->n);
  memcpy (self->input->data + a->at, both->data, both->len);
}

/* What all records of a stretch have in common is a moment, a task or a CPU: things that last no time, or are all one's. */
static void
level (Perf *self, FuzzRandom *random)
{
  static const gsize slots[] = { G_STRUCT_OFFSET (Slots, time), G_STRUCT_OFFSET (Slots, tid), G_STRUCT_OFFSET (Slots, cpu) };
  gsize slot = slots[fuzz_below (random, G_N_ELEMENTS (slots))];
  guint first = choose (self, random), n = 1 + fuzz_below (random, 32);
  guint64 value = of_another (self, random, slot, 8);

  for (guint i = first; i < first + n && i < self->records->len; i++)
    {
      Slots own = slots_of (self, record_at (self, i));
      guint at = G_STRUCT_MEMBER (guint, &own, slot);

      if (at != 0 && at + 8 <= record_at (self, i)->size)
        set (self, record_at (self, i)->at + at, 8, value);
    }
}

/* All from here on are later, or earlier. */
static void
shift (Perf *self, FuzzRandom *random)
{
  guint64 by = G_GUINT64_CONSTANT (1) << fuzz_below (random, 50);

  by = fuzz_one_in (random, 2) ? -by : by;
  for (guint i = choose (self, random); i < self->records->len; i++)
    {
      const Record *record = record_at (self, i);
      Slots slots = slots_of (self, record);

      if (slots.time != 0 && get (self, record->at + slots.time, 8) != 0)
        set (self, record->at + slots.time, 8, get (self, record->at + slots.time, 8) + by);
    }
}

static void
cut_off (Perf *self, FuzzRandom *random)
{
  const Record *record = record_at (self, choose (self, random));
  const Record *last = record_at (self, self->records->len - 1);

  replace (self, record->at, last->at + last->n - record->at, NULL, 0);
}

/* Whatever is no record: the header, attributes, features of a file. */
static void
change_front (Perf *self, FuzzRandom *random)
{
  gsize front = record_at (self, 0)->at, back = record_at (self, self->records->len - 1)->at;
  gsize at = fuzz_one_in (random, 2) ? fuzz_below (random, (guint) front) : back + fuzz_below (random, (guint) (self->input->len - back));

  set (self, at / 8 * 8 + 4 * fuzz_below (random, 2), fuzz_one_in (random, 2) ? 4 : 8, fuzz_number (random));
}

void
fuzz_change_perf (GByteArray *input, FuzzRandom *random)
{
  static void (*const changes[]) (Perf *self, FuzzRandom *random) = { change_record, change_record, change_record, change_record,
                                                                      change_record, change_record, change_record, drop, double_some,
                                                                      swap, level, shift, cut_off, change_front };
  Perf perf;

  if (perf_open (&perf, input))
    changes[fuzz_below (random, G_N_ELEMENTS (changes))](&perf, random);
  else
    fuzz_change_bytes (input, random);
  perf_close (&perf);
}

/* What says how to read the others stays: attributes, formats, ids. */
static gboolean
is_needed (const Record *record)
{
  return record->type >= WP_PERF_RECORD_USER_FIRST && record->type != WP_PERF_RECORD_COMPRESSED
         && record->type != WP_PERF_RECORD_COMPRESSED2 && record->type != WP_PERF_RECORD_FINISHED_ROUND;
}

void
fuzz_shorten_perf (GByteArray *input, FuzzRandom *random)
{
  Perf perf;

  if (perf_open (&perf, input))
    {
      g_autoptr (GByteArray) kept = g_byte_array_new ();
      gsize at = record_at (&perf, 0)->at, end = record_at (&perf, perf.records->len - 1)->at + record_at (&perf, perf.records->len - 1)->n;
      guint first = choose (&perf, random), n = 1 + fuzz_below (random, 40);

      for (guint i = 0; i < perf.records->len; i++)
        if ((i >= first && i < first + n) || is_needed (record_at (&perf, i)) || fuzz_one_in (random, 16))
          g_byte_array_append (kept, input->data + record_at (&perf, i)->at, record_at (&perf, i)->n);
      replace (&perf, at, end - at, kept->data, kept->len);
    }
  perf_close (&perf);
}

void
fuzz_splice_perf (GByteArray *input, const guint8 *other, gsize n, FuzzRandom *random)
{
  g_autoptr (GByteArray) copy = g_byte_array_append (g_byte_array_new (), other, (guint) n);
  Perf perf, from;
  gboolean both = perf_open (&perf, input);

  if (perf_open (&from, copy) && both)
    {
      Stretch some = choose_some (&from, random);

      replace (&perf, record_at (&perf, choose (&perf, random))->at, 0, copy->data + some.at, some.n);
    }
  else
    fuzz_splice_bytes (input, other, n, random);
  perf_close (&perf);
  perf_close (&from);
}
