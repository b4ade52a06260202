/* Writes the last seconds of a recording, and says how what they tell differs from what the whole recording tells of that
 * time: each operation that begins and ends in it, each sample, each loss.
 * usage: tail-of RECORDING SECONDS OUTPUT */
#include "base/format.h"
#include "read/read.h"
#include "record/tail.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define MARGIN (20000 * WP_NS_PER_US) /* behind the cut: what was open there is over, mostly */

static WpTrace *
read_recording (const char *path)
{
  g_autoptr (GError) error = NULL;
  WpTrace *trace = wp_read (path, NULL, NULL, &error);

  if (trace == NULL)
    g_error ("%s", error->message);
  return trace;
}

static void
write_tail (const char *from, gint64 ns, const char *to)
{
  int in = open (from, O_RDONLY | O_CLOEXEC), out = open (to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  g_autoptr (WpTail) tail = wp_tail_new (in);
  g_autoptr (GError) error = NULL;
  struct stat file;

  if (fstat (in, &file) != 0 || !wp_tail_follow (tail, (guint64) file.st_size, &error) || !wp_tail_write (tail, ns, out, &error))
    g_error ("%s", error != NULL ? error->message : "no file");
  close (in);
  close (out);
}

/* "KIND TID START END STATE CAUSE STACK", by the recording's clock. */
static char *
describe (const WpTrace *trace, const WpOp *op)
{
  const WpTask *task = &trace->tasks.data[op->task];
  g_autoptr (GString) stack = g_string_new (NULL);

  for (WpId s = op->kind == WP_OP_SLEEP ? op->detail : 0; s != 0; s = trace->stacks.data[s].parent)
    {
      const WpFrame *frame = &trace->frames.data[trace->stacks.data[s].frame];

      g_string_append_printf (stack, " %s+%" G_GINT64_MODIFIER "x", wp_trace_function_name (trace, frame->function),
                              frame->offset);
    }
  return g_strdup_printf ("%s of %d (%s) %" G_GINT64_FORMAT " %" G_GINT64_FORMAT " %s %s%s", wp_op_kind_id (op->kind), task->tid,
                          wp_trace_string (trace, task->name), op->start + trace->clock_start, op->end + trace->clock_start,
                          wp_state_id (op->state), wp_cause_id (op->cause), stack->str);
}

/* What begins and ends within the time, and was seen so. */
static GHashTable *
operations (const WpTrace *trace, gint64 start, gint64 end)
{
  GHashTable *set = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint32 i = 1; i < trace->ops.len; i++)
    {
      const WpOp *op = &trace->ops.data[i];

      if ((op->kind == WP_OP_RUN || op->kind == WP_OP_SLEEP) && op->start + trace->clock_start >= start
          && op->end + trace->clock_start < end
          && !(op->flags & (WP_OP_INFERRED | WP_OP_LOST | WP_OP_OPEN_START | WP_OP_OPEN_END | WP_OP_WOKEN_INFERRED)))
        g_hash_table_add (set, describe (trace, op));
    }
  return set;
}

static guint
count_missing (GHashTable *from, GHashTable *in, const char *what)
{
  GHashTableIter iter;
  gpointer text;
  guint n = 0;

  g_hash_table_iter_init (&iter, from);
  while (g_hash_table_iter_next (&iter, &text, NULL))
    if (!g_hash_table_contains (in, text) && n++ < 5)
      printf ("%s: %.200s\n", what, (const char *) text);
  return n;
}

/* Of samples, by time, task and stack. */
static guint
count_samples (const WpTrace *trace, gint64 start)
{
  guint n = 0;

  for (guint32 i = 1; i < trace->samples.len; i++)
    n += trace->samples.data[i].time + trace->clock_start >= start && trace->samples.data[i].event != 0;
  return n;
}

static guint
count_losses (const WpTrace *trace, gint64 start)
{
  guint n = 0;

  for (guint32 i = 0; i < trace->lost.len; i++)
    n += trace->lost.data[i].end + trace->clock_start > start;
  return n;
}

int
main (int argc, char **argv)
{
  g_autoptr (WpTrace) whole = NULL, last = NULL;
  g_autoptr (GHashTable) expected = NULL, found = NULL;
  gint64 start, end;
  guint too_few, too_many;

  if (argc != 4)
    return 2;
  write_tail (argv[1], (gint64) (g_ascii_strtod (argv[2], NULL) * 1e9), argv[3]);
  whole = read_recording (argv[1]);
  last = read_recording (argv[3]);
  start = last->clock_start + MARGIN;
  end = last->clock_start + last->end;
  expected = operations (whole, start, end);
  found = operations (last, start, end);
  too_few = count_missing (expected, found, "missing");
  too_many = count_missing (found, expected, "not in the whole");
  printf ("%.3f seconds, %u operations, %u missing, %u others, %u samples of %u, %u losses of %u\n",
          (double) last->end / 1e9, g_hash_table_size (expected), too_few, too_many, count_samples (last, start),
          count_samples (whole, start), count_losses (last, start), count_losses (whole, start));
  return 0;
}
