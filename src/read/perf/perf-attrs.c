/* The attributes of a perf.data's events, and where the fixed parts of their records are: who, when, where. */
#include "read/perf/perf-file.h"

#define CPU_MAX 65535
#define TIME_MAX (G_MAXINT64 / 4)

/* --- attributes --------------------------------------------------------------------------------------------------- */

/* The fixed slots of a sample, in their order. */
static void
lay_out_sample (WpPerfAttr *row)
{
  guint64 type = row->attr.sample_type;
  gint16 at = 0, identifier = -1;

  row->id = row->tid = row->time = row->cpu = row->period = -1;
  if (type & PERF_SAMPLE_IDENTIFIER)
    identifier = at, at += 8;
  at += type & PERF_SAMPLE_IP ? 8 : 0;
  if (type & PERF_SAMPLE_TID)
    row->tid = at, at += 8;
  if (type & PERF_SAMPLE_TIME)
    row->time = at, at += 8;
  at += type & PERF_SAMPLE_ADDR ? 8 : 0;
  if (type & PERF_SAMPLE_ID)
    row->id = at, at += 8;
  at += type & PERF_SAMPLE_STREAM_ID ? 8 : 0;
  if (type & PERF_SAMPLE_CPU)
    row->cpu = at, at += 8;
  if (type & PERF_SAMPLE_PERIOD)
    row->period = at, at += 8;
  row->chain = at;
  if (identifier >= 0)
    row->id = identifier;
}

/* The same at the end of the other records, counted from it. */
static void
lay_out_tail (WpPerfAttr *row)
{
  guint64 type = row->attr.sample_id_all ? row->attr.sample_type : 0;
  gint16 at = 0;

  row->tail_id = row->tail_tid = row->tail_time = row->tail_cpu = -1;
  if (type & PERF_SAMPLE_IDENTIFIER)
    row->tail_id = at += 8;
  if (type & PERF_SAMPLE_CPU)
    row->tail_cpu = at += 8;
  at += type & PERF_SAMPLE_STREAM_ID ? 8 : 0;
  if (type & PERF_SAMPLE_ID)
    {
      at += 8;
      row->tail_id = row->tail_id < 0 ? at : row->tail_id;
    }
  if (type & PERF_SAMPLE_TIME)
    row->tail_time = at += 8;
  if (type & PERF_SAMPLE_TID)
    row->tail_tid = at += 8;
}

void
wp_perf_file_add_attr (WpPerfFile *self, const guint8 *data, gsize size, const guint8 *ids, gsize n_ids)
{
  WpPerfAttr *row;
  guint32 said;

  if (size < PERF_ATTR_SIZE_VER0 || self->attrs.len >> WP_PERF_ATTR_BITS != 0)
    {
      wp_perf_file_damaged (self);
      return;
    }
  said = wp_read_u32 (data + 4);
  row = wp_array_add (&self->attrs);
  memcpy (&row->attr, data, MIN (MIN (size, said != 0 ? MAX (said, PERF_ATTR_SIZE_VER0) : PERF_ATTR_SIZE_VER0),
                                 sizeof row->attr));
  lay_out_sample (row);
  lay_out_tail (row);
  for (gsize i = 0; i < n_ids; i++)
    *wp_pair_map_at (&self->ids, wp_read_u32 (ids + 8 * i), wp_read_u32 (ids + 8 * i + 4)) = self->attrs.len;
}

WpPerfAttr *
wp_perf_file_attr_of_id (const WpPerfFile *self, guint64 id)
{
  guint32 row = wp_pair_map_get (&self->ids, (guint32) id, (guint32) (id >> 32));

  return row != 0 ? &self->attrs.data[row - 1] : NULL;
}

/* --- who, when, where --------------------------------------------------------------------------------------------- */

void
wp_perf_who (const WpPerfAttr *attr, const WpPerfRecord *header, gint32 *pid, gint32 *tid)
{
  const guint8 *body = (const guint8 *) (header + 1), *end = (const guint8 *) header + header->size, *who = NULL;

  if (header->type == PERF_RECORD_SAMPLE && attr->tid >= 0)
    who = body + attr->tid;
  else if (header->type != PERF_RECORD_SAMPLE && attr->tail_tid > 0)
    who = end - attr->tail_tid;
  *pid = who != NULL ? (gint32) wp_read_u32 (who) : -1;
  *tid = who != NULL ? (gint32) wp_read_u32 (who + 4) : -1;
}

static void
where_of_sample (const WpPerfAttr *attr, const guint8 *body, WpPerfWhere *where)
{
  if (attr->time >= 0)
    where->time = (gint64) wp_read_u64 (body + attr->time);
  if (attr->cpu >= 0)
    where->cpu = wp_read_u32 (body + attr->cpu);
}

static void
where_of_other (const WpPerfAttr *attr, const guint8 *end, WpPerfWhere *where)
{
  if (attr->tail_time > 0)
    where->time = (gint64) wp_read_u64 (end - attr->tail_time);
  if (attr->tail_cpu > 0)
    where->cpu = wp_read_u32 (end - attr->tail_cpu);
}

/* The event type of a record: by its id, whose place all types agree on. */
static const WpPerfAttr *
attr_of (const WpPerfFile *self, const WpPerfRecord *header)
{
  const guint8 *body = (const guint8 *) (header + 1), *end = (const guint8 *) header + header->size;
  const WpPerfAttr *first = self->attrs.data, *found;
  gboolean sample = header->type == PERF_RECORD_SAMPLE;
  gint16 at = sample ? first->id : first->tail_id;

  if (at < 0 || (self->attrs.len == 1 && self->ids.n == 0))
    return first;
  if (sample ? at + 8 > end - body : at > end - body)
    return NULL;
  found = wp_perf_file_attr_of_id (self, wp_read_u64 (sample ? body + at : end - at));
  return found != NULL || sample ? found : first; /* what the recorder made up has no id */
}

gboolean
wp_perf_file_where (const WpPerfFile *self, const WpPerfRecord *header, WpPerfWhere *where, const WpPerfAttr **attr)
{
  gsize size = header->size - sizeof *header;

  *where = (WpPerfWhere){ .pid = -1, .tid = -1, .cpu = G_MAXUINT32 };
  *attr = self->attrs.len > 0 ? attr_of (self, header) : NULL;
  if (*attr == NULL)
    return FALSE;
  if (header->type == PERF_RECORD_SAMPLE)
    {
      if (size < (gsize) (*attr)->chain)
        return FALSE;
      where_of_sample (*attr, (const guint8 *) (header + 1), where);
    }
  else
    {
      gint16 tail = MAX (MAX ((*attr)->tail_tid, (*attr)->tail_time), MAX ((*attr)->tail_cpu, (*attr)->tail_id));

      if (tail > 0 && size < (gsize) tail)
        return FALSE;
      where_of_other (*attr, (const guint8 *) header + header->size, where);
    }
  wp_perf_who (*attr, header, &where->pid, &where->tid);
  if (where->cpu > CPU_MAX)
    where->cpu = G_MAXUINT32;
  return where->time >= 0 && where->time < TIME_MAX;
}
