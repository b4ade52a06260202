/* The parts of user stacks by task and time; see perf-deferred.h. */
#include "read/perf/perf-deferred.h"

#include "base/search.h"
#include "base/sort.h"

#define FLAGS_AT (G_STRUCT_OFFSET (struct perf_event_attr, read_format) + 8) /* all one-bit members, which older headers lack some of */
#define CHAIN_MAX (G_MAXUINT16 / 8)                                         /* more addresses no record has */
#define PART_HEAD 16                                                        /* cookie, how many addresses */

typedef struct
{
  gint64 task; /* its number, as 64 bits for the order */
  gint64 time;
  guint64 cookie;
  const guint8 *chain;
  guint32 n;
} Part;

struct WpPerfDeferred
{
  WP_ARRAY (Part) parts; /* by task, then by time */
  guint64 chain[2 * CHAIN_MAX];
};

WP_DEFINE_COMPARE_2 (compare_parts, Part, task, time)

static guint64
flags_of (const struct perf_event_attr *attr)
{
  return wp_read_u64 ((const guint8 *) attr + FLAGS_AT);
}

gboolean
wp_perf_is_deferred (const struct perf_event_attr *attr)
{
  return (flags_of (attr) & WP_PERF_ATTR_DEFER_CALLCHAIN) != 0;
}

void
wp_perf_attr_whole (struct perf_event_attr *attr)
{
  guint64 flags = flags_of (attr) & ~(WP_PERF_ATTR_DEFER_CALLCHAIN | WP_PERF_ATTR_DEFER_OUTPUT);

  memcpy ((guint8 *) attr + FLAGS_AT, &flags, sizeof flags);
}

/* How many addresses a record has room for before who, when and where. */
static guint64
room_of (const WpPerfRecord *header, const WpPerfAttr *attr)
{
  gsize tail = (gsize) MAX (MAX (MAX (attr->tail_tid, attr->tail_time), MAX (attr->tail_cpu, attr->tail_id)), 0);
  gsize others = sizeof *header + PART_HEAD + tail;

  return header->size > others ? (header->size - others) / 8 : 0;
}

static void
add_part (WpPerfDeferred *self, const WpPerfFile *file, const WpPerfEntry *entry)
{
  const WpPerfRecord *header = wp_perf_file_record (file, entry->offset);
  const guint8 *body = (const guint8 *) (header + 1);
  const WpPerfAttr *attr;
  WpPerfWhere where;

  if (header->type != WP_PERF_RECORD_CALLCHAIN_DEFERRED || !wp_perf_file_where (file, header, &where, &attr))
    return;
  if (header->size < sizeof *header + PART_HEAD || wp_read_u64 (body + 8) > room_of (header, attr))
    wp_perf_file_damaged (file);
  else
    wp_array_push (&self->parts, ((Part) { where.tid, entry->time, wp_read_u64 (body), body + PART_HEAD, (guint32) wp_read_u64 (body + 8) }));
}

WpPerfDeferred *
wp_perf_deferred_new (const WpPerfFile *file, const WpPerfQueues *queues)
{
  WpPerfDeferred *self;
  guint32 i = 0;

  while (i < file->attrs.len && !wp_perf_is_deferred (&file->attrs.data[i].attr))
    i++;
  if (i == file->attrs.len)
    return NULL;
  self = g_new0 (WpPerfDeferred, 1);
  for (i = 0; i < queues->queues.len; i++)
    for (guint32 k = 0; k < queues->queues.data[i].entries.len; k++)
      add_part (self, file, &queues->queues.data[i].entries.data[k]);
  wp_array_sort (&self->parts, compare_parts);
  return self;
}

void
wp_perf_deferred_free (WpPerfDeferred *self)
{
  if (self == NULL)
    return;
  wp_array_clear (&self->parts);
  g_free (self);
}

/* The task's next one, if it has the cookie. With another one, the wanted one is lost: cookies come again, some hours later. */
static const Part *
find_part (const WpPerfDeferred *self, gint32 tid, gint64 time, guint64 cookie)
{
  const guint32 row
    = WP_SEARCH (0, self->parts.len, i, self->parts.data[i].task < tid || (self->parts.data[i].task == tid && self->parts.data[i].time < time));
  const Part *part = row < self->parts.len ? &self->parts.data[row] : NULL;

  return part != NULL && part->task == tid && part->cookie == cookie ? part : NULL;
}

/* Of a chain in two parts; `*n` is how long the kernel's is, `*part` the user's, or NULL. */
static gboolean
find_parts (const WpPerfDeferred *self, const WpPerfAttr *attr, gint32 tid, gint64 time, const WpPerfSample *sample, gsize *n, const Part **part)
{
  if (self == NULL || sample->n_chain < 2 || !wp_perf_is_deferred (&attr->attr))
    return FALSE;
  *n = sample->n_chain - 2;
  if (wp_read_u64 (sample->chain + 8 * *n) != WP_PERF_CONTEXT_USER_DEFERRED)
    return FALSE;
  *part = find_part (self, tid, time, wp_read_u64 (sample->chain + 8 * (*n + 1)));
  return TRUE;
}

void
wp_perf_deferred_join (WpPerfDeferred *self, const WpPerfAttr *attr, gint32 tid, gint64 time, WpPerfSample *sample)
{
  const Part *part;
  gsize n;

  if (!find_parts (self, attr, tid, time, sample, &n, &part))
    return;
  sample->n_chain = n;
  if (part == NULL || part->n == 0)
    return;
  memcpy (self->chain, sample->chain, 8 * n);
  self->chain[n] = PERF_CONTEXT_USER;
  memcpy (self->chain + n + 1, part->chain, 8 * part->n);
  sample->chain = (const guint8 *) self->chain;
  sample->n_chain = n + 1 + part->n;
}

gboolean
wp_perf_deferred_split (const WpPerfDeferred *self, const WpPerfAttr *attr, gint32 tid, gint64 time, const WpPerfSample *sample, WpCallChain *chain)
{
  const Part *part;
  WpCallChain rest;
  gsize n;

  if (!find_parts (self, attr, tid, time, sample, &n, &part))
    return FALSE;
  wp_call_chain_split (sample->chain, n, chain);
  if (part == NULL)
    return TRUE;
  wp_call_chain_split (part->chain, part->n, &rest);
  chain->user = rest.user;
  return TRUE;
}
