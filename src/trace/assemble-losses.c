/* What is lost: what the kernel says is, and what silence and that which does not fit what came before it show to be. */
#include "trace/assembler-private.h"

#include <stdlib.h>

/* So many runs may be interrupted by losses that nobody reports, and as many more as there are operations. */
#define PAUSED_ALWAYS 65536
/* A CPU where somebody runs and is sampled is silent for as long as this, and for so many samples, only if events are missing. */
#define SILENCE_NS 5000000
#define SILENCE_SAMPLES 20
#define SILENCE_OF_SAME 20
#define SILENCE_OF_UNKNOWN 4
/* … or if a host has stopped it. When all are silent at once, it takes less to look for what does not fit behind that, … */
#define QUIET_SAMPLES 5
/* … but only so long after. Wakings are missing now and then all by themselves; one that was due meanwhile shows at once. */
#define MISFIT_WINDOW_NS 20000000
#define UNSEEN_END_WINDOW_NS 2000000

/* --- what was lost for sure ---------------------------------------------------------------------------------------------- */

/* What was open on the CPU is unknown from the loss on. */
static void
lose (WpAssembler *self, WpLost lost)
{
  WpCpu *cpu = wp_assembler_cpu (self, lost.cpu);
  WpThread *thread = wp_assembler_thread (self, cpu->tid);

  lost.start = MIN (lost.start, MAX (cpu->seen, 0)); /* what came after that CPU's last event may be lost */
  wp_array_push (&self->trace->lost, lost);
  self->incomplete = TRUE;
  cpu->throttled = -1;
  if (thread != NULL && thread->running)
    {
      wp_assemble_leave_cpu (self, thread, MAX (lost.start, thread->seen));
      wp_assembler_op (self, thread->op)->flags |= WP_OP_LOST | WP_OP_INFERRED;
    }
  cpu->tid = -1;
  cpu->lost = TRUE;
  cpu->switched = lost.end;
}

void
wp_assemble_lost (WpAssembler *self, const WpEvent *event, gint64 since)
{
  self->trace->diagnostics.n[WP_DIAG_LOST] += event->lost.events;
  lose (self, (WpLost) { .start = since, .end = event->time, .events = event->lost.events, .cpu = event->cpu });
}

/* Whether it means something when he says nothing: nothing is ever heard of some. */
static gboolean
speaks (WpAssembler *self, gint32 tid)
{
  const WpThread *thread = wp_assembler_thread (self, tid);

  return thread == NULL || thread->heard;
}

/* Somebody was running, and would have been sampled many times. If somebody else is there now and no switch was seen, events of
 * this CPU are missing, though no record says so. The same task may only have lost the CPU to another machine of its host (for
 * 50 ms and more, where that is busy), and where nobody knows who ran, it may have been idle: that takes more to believe. */
static void
notice_silence (WpAssembler *self, const WpEvent *event)
{
  WpCpu *cpu = wp_assembler_cpu (self, event->cpu);
  gint64 bearable = MAX (SILENCE_NS, SILENCE_SAMPLES * cpu->pace);

  if (event->tid == cpu->tid)
    bearable *= SILENCE_OF_SAME;
  else if (cpu->tid < 0)
    bearable *= SILENCE_OF_UNKNOWN;
  if (cpu->tid == 0 || event->tid <= 0 || cpu->pace == 0 || cpu->throttled >= 0 || event->time - cpu->seen < bearable
      || !speaks (self, cpu->tid))
    return;
  self->trace->diagnostics.n[WP_DIAG_SILENCES]++;
  wp_assemble_misfit (self, cpu->seen);
  lose (self, (WpLost) { .start = cpu->seen, .end = event->time, .cpu = event->cpu });
}

/* --- when nothing came from anywhere ------------------------------------------------------------------------------------- */

static gboolean
should_have_spoken (WpAssembler *self, const WpCpu *cpu, gint64 time)
{
  return cpu->tid > 0 && cpu->pace > 0 && cpu->throttled < 0 && time >= MAX (SILENCE_NS, QUIET_SAMPLES * cpu->pace)
         && speaks (self, cpu->tid);
}

/* Those before which did not turn out to be losses are none: what comes later says nothing of them. */
static void
forget_sound (WpAssembler *self)
{
  if (self->quiet.len == 0 || self->quiet.data[self->quiet.len - 1].missing)
    return;
  self->quiet.len--;
  while (self->paused.len > 0 && self->paused.data[self->paused.len - 1].quiet == self->quiet.len)
    self->paused.len--;
}

/* Who runs while all is quiet, as far as anybody knows. Of more than so many there cannot be as many events. */
static void
add_quiet (WpAssembler *self, gint64 start, gint64 end)
{
  forget_sound (self);
  if (self->paused.len > PAUSED_ALWAYS + self->trace->ops.len)
    return;
  for (guint32 i = 0; i < self->cpus.len; i++)
    {
      const WpThread *thread = wp_assembler_thread (self, self->cpus.data[i].tid);

      if (thread != NULL && thread->running && thread->cpu == i)
        wp_array_push (&self->paused, ((WpPaused) { .quiet = self->quiet.len, .run = thread->run, .cpu = i }));
    }
  wp_array_push (&self->quiet, ((WpQuiet) { .start = start, .end = end }));
}

/* No CPU has said anything since the last event. Where all that ran was sampled, either a host stopped the whole machine, or events are
 * missing: what comes next tells. CPUs with nothing to do are silent anyway. */
static void
notice_quiet (WpAssembler *self, gint64 since, gint64 time)
{
  gboolean any = FALSE;

  if (time - since < SILENCE_NS || !wp_assembler_look_around (self))
    return;
  for (guint32 i = 0; i < self->cpus.len && !any; i++)
    any = should_have_spoken (self, &self->cpus.data[i], time - since);
  if (any)
    add_quiet (self, since, time);
}

void
wp_assemble_silence (WpAssembler *self, const WpEvent *event, gint64 since)
{
  if (event->kind == WP_EVENT_LOST)
    return;
  notice_quiet (self, since, event->time);
  notice_silence (self, event);
}

/* A silence that ended just now and began after that. */
static WpQuiet *
quiet_before (WpAssembler *self, gint64 since, gint64 window)
{
  WpQuiet *last = self->quiet.len > 0 ? &self->quiet.data[self->quiet.len - 1] : NULL;

  return last != NULL && since <= last->start && self->now - last->end <= window ? last : NULL;
}

void
wp_assemble_misfit (WpAssembler *self, gint64 since)
{
  WpQuiet *quiet = quiet_before (self, since, MISFIT_WINDOW_NS);

  if (quiet != NULL)
    self->incomplete = quiet->missing = TRUE;
}

void
wp_assemble_unseen_end (WpAssembler *self, gint64 since)
{
  WpQuiet *quiet = quiet_before (self, since, UNSEEN_END_WINDOW_NS);

  if (quiet != NULL && self->n_deaf == 0) /* else an idle task shows none of the wakings that come while it is there */
    self->incomplete = quiet->missing = TRUE;
}

/* --- what turned out to be missing, once all is known --------------------------------------------------------------------- */

/* What a run became behind a loss in its midst. */
typedef struct
{
  WpId run, rest;
  gint64 start;
} Piece;

typedef WP_ARRAY (Piece) Pieces;

static int
compare_paused (const void *a, const void *b)
{
  const WpPaused *x = a, *y = b;

  if (x->run != y->run)
    return x->run < y->run ? -1 : 1;
  return (x->quiet > y->quiet) - (x->quiet < y->quiet);
}

/* The run ends with the last that was heard; in between nobody knows; the rest of it is another run. */
static void
split_run (WpAssembler *self, WpId run, WpId tail, const WpQuiet *quiet, Pieces *pieces)
{
  WpOp whole = *wp_assembler_op (self, tail);
  gint64 start = MAX (quiet->start, whole.start), end = MIN (quiet->end, whole.end - 1);
  WpOp *op;
  WpId id;

  if (whole.end < quiet->end) /* it is known to have left before */
    return;
  wp_assembler_op (self, tail)->end = start;
  wp_assembler_op (self, tail)->flags &= ~WP_OP_OPEN_END;
  op = wp_assembler_op (self, wp_assembler_open_op (self, whole.task, WP_OP_SLEEP, start));
  op->end = end;
  op->cause = WP_CAUSE_NONE;
  op->flags = WP_OP_LOST | WP_OP_INFERRED;
  id = wp_assembler_open_op (self, whole.task, WP_OP_RUN, end);
  op = wp_assembler_op (self, id);
  op->end = whole.end;
  op->flags = whole.flags | WP_OP_INFERRED;
  wp_array_push (pieces, ((Piece) { .run = run, .rest = id, .start = end }));
}

/* Which piece of a run a moment is in. */
static WpId
piece_at (const Pieces *pieces, WpId run, gint64 time)
{
  guint32 low = 0, high = pieces->len;

  while (low < high) /* the first piece behind that */
    {
      guint32 middle = low + (high - low) / 2;
      const Piece *piece = &pieces->data[middle];

      if (piece->run < run || (piece->run == run && piece->start <= time))
        low = middle + 1;
      else
        high = middle;
    }
  return low > 0 && pieces->data[low - 1].run == run ? pieces->data[low - 1].rest : run;
}

static void
tell_pieces (WpTrace *trace, const Pieces *pieces)
{
  for (guint32 i = 1; i < trace->links.len; i++)
    trace->links.data[i].source = piece_at (pieces, trace->links.data[i].source, trace->links.data[i].start);
  for (guint32 i = 1; i < trace->samples.len; i++)
    trace->samples.data[i].run = piece_at (pieces, trace->samples.data[i].run, trace->samples.data[i].time);
}

/* A task that a run forked; its first operation begins then. Before operations are sorted. */
static void
tell_forked (WpTrace *trace, const Pieces *pieces)
{
  g_autofree gint64 *born = g_new0 (gint64, trace->tasks.len);

  for (guint32 i = trace->ops.len; i-- > 1;)
    born[trace->ops.data[i].task] = trace->ops.data[i].start;
  for (WpId t = 1; t < trace->tasks.len; t++)
    trace->tasks.data[t].forked_by = piece_at (pieces, trace->tasks.data[t].forked_by, born[t]);
}

void
wp_assemble_missing (WpAssembler *self)
{
  Pieces pieces = { 0 };

  if (self->paused.len > 0)
    qsort (self->paused.data, self->paused.len, sizeof *self->paused.data, compare_paused);
  for (guint32 i = 0; i < self->paused.len; i++)
    {
      const WpPaused *paused = &self->paused.data[i];
      const WpQuiet *quiet = &self->quiet.data[paused->quiet];
      const Piece *last = pieces.len > 0 ? &pieces.data[pieces.len - 1] : NULL;

      if (!quiet->missing)
        continue;
      self->trace->diagnostics.n[WP_DIAG_SILENCES]++;
      wp_array_push (&self->trace->lost, ((WpLost) { .start = quiet->start, .end = quiet->end, .cpu = paused->cpu }));
      split_run (self, paused->run, last != NULL && last->run == paused->run ? last->rest : paused->run, quiet, &pieces);
    }
  if (pieces.len > 0)
    {
      tell_pieces (self->trace, &pieces);
      tell_forked (self->trace, &pieces);
    }
  wp_array_clear (&pieces);
}
