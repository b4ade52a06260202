/* The table of parts, the chains that sleeps stand on, and the steps along a thread. */
#include "paths/paths-private.h"

#include "base/search.h"

/* --- the table of parts ------------------------------------------------------------------------------------------------ */

/* The parts of an operation are apart and in order, the latest first: the first that begins early enough decides. */
WpId
wp_maker_part_overlapping (const WpMaker *self, WpId op, gint64 start, gint64 end)
{
  WpId p = self->op_parts[op];

  while (p != 0 && self->paths->parts.data[p].start >= end)
    p = self->op_next.data[p];
  return p != 0 && self->paths->parts.data[p].end > start ? p : 0;
}

static void
add_to_operation (WpMaker *self, WpId part)
{
  const WpPart *parts = self->paths->parts.data;
  WpId *place = &self->op_parts[parts[part].op];

  while (*place != 0 && parts[*place].start > parts[part].start)
    place = &self->op_next.data[*place];
  self->op_next.data[part] = *place;
  *place = part;
}

/* What a placed run woke or forked was called by something of ours. */
static void
mark_called (WpMaker *self, const WpPart *part)
{
  guint32 end = self->first_call[part->op + 1], low;

  low = WP_SEARCH (self->first_call[part->op], end, i, self->calls[i].time < part->start); /* a long run may have many of both */
  for (; low < end && self->calls[low].time <= part->end; low++)
    wp_bitmap_add (&self->called, self->calls[low].target);
}

static void
append_to_siblings (WpMaker *self, WpId id, WpId parent, WpId path)
{
  WpPath *p = &self->paths->paths.data[path];
  WpId *first = parent != 0 ? &self->paths->parts.data[parent].first_child : &p->first_part;
  WpId *last = parent != 0 ? &self->last_child.data[parent] : &p->last_part;

  if (*last != 0)
    self->paths->parts.data[*last].next = id;
  else
    *first = id;
  *last = id;
}

WpId
wp_maker_place (WpMaker *self, WpId op, gint64 start, gint64 end, WpId parent, WpId path)
{
  WpPaths *paths = self->paths;
  WpId id = paths->parts.len;
  WpPath *p = &paths->paths.data[path];

  wp_array_push (&paths->parts, ((WpPart) { .start = start, .end = end, .op = op, .parent = parent, .path = path }));
  wp_array_push (&self->op_next, 0);
  wp_array_push (&self->last_child, 0);
  add_to_operation (self, id);
  append_to_siblings (self, id, parent, path);
  if (p->task == 0)
    p->task = self->trace->ops.data[op].task;
  p->start = MIN (p->start, start);
  p->end = MAX (p->end, end);
  wp_bitmap_add (&self->placed, op);
  if (self->trace->ops.data[op].kind == WP_OP_RUN)
    mark_called (self, &paths->parts.data[id]);
  return id;
}

WpId
wp_maker_new_path (WpMaker *self)
{
  wp_array_push (&self->paths->paths, ((WpPath) { .start = G_MAXINT64, .end = G_MININT64 }));
  return self->paths->paths.len - 1;
}

/* --- what ended a sleep ------------------------------------------------------------------------------------------------------ */

WpId
wp_maker_waker (const WpMaker *self, WpId sleep)
{
  const WpLink *link;

  if (self->sleep_ends[sleep].source != 0 || self->trace->ops.data[sleep].link == 0)
    return self->sleep_ends[sleep].source;
  link = &self->trace->links.data[self->trace->ops.data[sleep].link];
  return link->horizontal ? 0 : link->source;
}

gint64
wp_sleep_sent_since (const WpTrace *trace, const WpOp *sleep)
{
  const WpLink *link = &trace->links.data[sleep->link];

  return sleep->cause == WP_CAUSE_TASK && link->source != 0 && link->device != 0 ? trace->ops.data[link->source].end : G_MAXINT64;
}

/* --- what was cut by hand -------------------------------------------------------------------------------------------------- */

WpId
wp_maker_cut_at_or_below (const WpMaker *self, WpId op)
{
  const WpIdArray *cuts = &self->paths->cuts;
  const guint32 low = WP_SEARCH (0, cuts->len, i, cuts->data[i] <= op);

  return low > 0 ? cuts->data[low - 1] : 0;
}

/* --- chains ---------------------------------------------------------------------------------------------------------------- */

WpId
wp_maker_chain (WpMaker *self, WpId below, WpId thread)
{
  wp_array_push (&self->chains,
                 ((WpChain) { .thread = thread, .below = below, .depth = self->chains.data[below].depth + 1 }));
  return self->chains.len - 1;
}

/* Work goes depth first, so that from one sleep to the next only the tips of their chains differ. */
static void
move_to_chain (WpMaker *self, WpId chain)
{
  WpId from = self->current_chain, to = chain;
  const WpChain *chains = self->chains.data;

  while (from != to)
    if (chains[from].depth >= chains[to].depth)
      {
        self->on_chain[chains[from].thread]--;
        from = chains[from].below;
      }
    else
      {
        self->on_chain[chains[to].thread]++;
        to = chains[to].below;
      }
  self->current_chain = chain;
}

gboolean
wp_maker_on_chain (WpMaker *self, WpId chain, WpId thread)
{
  if (chain != self->current_chain)
    move_to_chain (self, chain);
  return self->on_chain[thread] > 0;
}

void
wp_maker_push_work (WpMaker *self, WpId part, WpId chain)
{
  wp_array_push (&self->work, ((WpWork) { .part = part, .chain = chain }));
}

void
wp_maker_reverse_work (WpMaker *self, guint32 from)
{
  for (guint32 to = self->work.len; from + 1 < to; from++)
    {
      WpWork swap = self->work.data[from];

      self->work.data[from] = self->work.data[--to];
      self->work.data[to] = swap;
    }
}

/* --- along a thread ---------------------------------------------------------------------------------------------------------- */

WpId
wp_thread_prev_op (const WpTrace *trace, WpId op)
{
  WpId before = wp_trace_prev_op (trace, op), task;

  if (before != 0)
    return before;
  task = trace->tasks.data[trace->ops.data[op].task].before;
  if (trace->tasks.data[task].n_ops == 0)
    return 0;
  return trace->tasks.data[task].first_op + trace->tasks.data[task].n_ops - 1;
}

WpId
wp_thread_next_op (const WpTrace *trace, WpId op)
{
  WpId next = wp_trace_next_op (trace, op), task;

  if (next != 0)
    return next;
  task = trace->tasks.data[trace->ops.data[op].task].after;
  return trace->tasks.data[task].n_ops > 0 ? trace->tasks.data[task].first_op : 0;
}

WpId
wp_run_sleep_before (const WpTrace *trace, WpId run)
{
  WpId before = wp_trace_prev_op (trace, run);

  return before != 0 && trace->ops.data[before].kind == WP_OP_SLEEP ? before : 0;
}
