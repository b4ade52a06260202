/* Makes a large pprof profile; opens one: what that takes of the CPU and of memory; and does to one what can be done: ms of the CPU, ms that
 * pass, and the longest time without a look at progress and cancellation.
 *
 * usage: bench-stacks make FILE SAMPLES DEPTH EVERY [labels]; bench-stacks open FILE; bench-stacks operations FILE
 *
 * The stacks are walks through a tree of calls of 2000 functions: at every EVERYth depth one of four callees is taken, some more often, so that
 * most stacks occur once. 4 is what programs are like, whose stacks share their outer frames; with 1 hardly two stacks have half of
 * their frames in common. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/input.h"
#include "calls/calls.h"
#include "stacks/filter.h"
#include "stacks/formats.h"
#include "stacks/graph.h"
#include "stacks/maker.h"
#include "stacks/merge.h"
#include "stacks/trim.h"

#define FUNCTIONS 2000

static guint32
next_random (guint64 *state)
{
  *state = *state * G_GUINT64_CONSTANT (6364136223846793005) + G_GUINT64_CONSTANT (1442695040888963407);
  return (guint32) (*state >> 33);
}

static void
add_functions (WpStacks *stacks)
{
  WpFrames *frames = stacks->frames;
  WpId file = wp_strings_intern (stacks->strings, "/src/program/main.c");

  wp_array_push (&frames->modules, ((WpStackModule) { .start = 0x400000, .limit = 0x800000, .file = wp_strings_intern (stacks->strings, "/bin/program") }));
  for (guint32 i = 1; i <= FUNCTIONS; i++)
    {
      g_autofree char *name = g_strdup_printf ("program::part_%u::function_%u", i % 37, i);
      WpId text = wp_strings_intern (stacks->strings, name);

      wp_array_push (&frames->functions, ((WpStackFunction) { text, text, file, i * 20 }));
      wp_array_push (&frames->lines, ((WpStackLine) { i, i * 20 + 3, 0 }));
      wp_array_push (&frames->locations, ((WpLocation) { .address = 0x400000 + i * 64, .module = 1, .first_line = i - 1, .n_lines = 1 }));
    }
}

/* Which location is called at this choice. */
static WpId
callee (WpId caller, guint32 choice)
{
  return (WpId) ((caller * 7919u + choice * 104729u) % FUNCTIONS) + 1;
}

/* One of 16 threads, one of 64 sizes. */
static void
add_labels (WpStacksMaker *maker, guint32 sample)
{
  char thread[32];

  g_snprintf (thread, sizeof thread, "worker-%u", sample % 16);
  wp_stacks_maker_label (maker, wp_strings_intern (maker->stacks->strings, "thread"), wp_strings_intern (maker->stacks->strings, thread));
  wp_stacks_maker_number (maker, wp_strings_intern (maker->stacks->strings, "bytes"), 64 * (sample * 7919 % 64 + 1),
                          wp_strings_intern (maker->stacks->strings, "bytes"));
}

static WpStacks *
make (guint32 n, guint32 depth, guint32 every, gboolean labels)
{
  g_auto (WpStacksMaker) maker = { 0 };
  g_autofree WpId *stack = g_new (WpId, depth);
  guint64 state = 4711;

  wp_stacks_maker_init (&maker);
  wp_stacks_maker_type (&maker, wp_strings_intern (maker.stacks->strings, "samples"), wp_strings_intern (maker.stacks->strings, "count"));
  wp_stacks_maker_type (&maker, wp_strings_intern (maker.stacks->strings, "cpu"), wp_strings_intern (maker.stacks->strings, "nanoseconds"));
  add_functions (maker.stacks);
  for (guint32 i = 0; i < n; i++)
    {
      guint32 count = 1 + next_random (&state) % 3;
      gint64 values[2] = { count, count * G_GINT64_CONSTANT (10000000) };

      if (labels)
        add_labels (&maker, i);
      stack[0] = 1;
      for (guint32 d = 1; d < depth; d++)
        {
          guint32 random = d % every == 0 ? next_random (&state) % 16 : 0;

          stack[d] = callee (stack[d - 1], random < 10 ? 0 : random < 14 ? 1 : random - 12);
        }
      wp_stacks_maker_sample (&maker, wp_stacks_maker_stack (&maker, 0, stack, depth), values);
    }
  return wp_stacks_maker_take (&maker);
}

static double
cpu_seconds (void)
{
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);
  return usage.ru_utime.tv_sec + usage.ru_stime.tv_sec + (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static int
open_it (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (WpStacks) stacks = NULL;
  double start = cpu_seconds (), taken;
  struct rusage usage;

  stacks = wp_stacks_open (path, NULL, NULL, &error);
  taken = cpu_seconds () - start;
  if (stacks == NULL)
    {
      fprintf (stderr, "%s\n", error->message);
      return 1;
    }
  getrusage (RUSAGE_SELF, &usage);
  printf ("{ \"cpu_s\": %.3f, \"peak_bytes\": %ld, \"samples\": %u, \"nodes\": %u }\n", taken, usage.ru_maxrss * 1024, stacks->n_samples,
          stacks->frames->nodes.len);
  return 0;
}

/* --- operations ---------------------------------------------------------------------------------------------------- */

/* What an operation takes of the CPU and of time, and the longest time in which it neither tells how far it is nor looks whether it was cancelled. */
typedef struct
{
  WpProgress progress;
  gint64 start, last; /* µs */
  double longest;
  double start_cpu;
} Watch;

static void
note_step (const char *phase, double fraction, gpointer data)
{
  Watch *watch = data;
  gint64 now = g_get_monotonic_time ();

  watch->longest = MAX (watch->longest, (double) (now - watch->last) / 1000);
  watch->last = now;
  watch->progress.last_told = 0; /* tell the next step, too */
}

static WpProgress *
watch_begin (Watch *watch)
{
  gint64 now = g_get_monotonic_time ();

  *watch = (Watch) { .progress = { .func = note_step, .user_data = watch }, .start = now, .last = now, .start_cpu = cpu_seconds () };
  return &watch->progress;
}

static void
watch_end (Watch *watch, const char *what)
{
  static gboolean more;

  note_step (NULL, 1, watch);
  printf ("%s\"%s\": [%.0f, %.0f, %.0f]", more ? ", " : "{ ", what, 1000 * (cpu_seconds () - watch->start_cpu),
          (double) (watch->last - watch->start) / 1000, watch->longest);
  more = TRUE;
}

static void
count (WpStacks *stacks, guint32 type, gboolean calls, const char *what)
{
  const WpGraphOptions options = { .type = type, .calls = calls };
  const WpTrimOptions trim = { .node_fraction = 0.005, .most = 100 };
  g_auto (WpTrimmed) trimmed = { 0 };
  g_autoptr (WpGraph) graph = NULL;
  Watch watch;

  graph = wp_graph_new (stacks, &options, watch_begin (&watch), NULL);
  watch_end (&watch, what);
  if (type > 0)
    return;
  watch_begin (&watch);
  wp_graph_trim (graph, &trim, wp_stacks_text (stacks, stacks->types.data[type].unit), NULL, &trimmed);
  watch_end (&watch, "trim");
}

static void
analyze_calls (WpStacks *stacks)
{
  const WpCallsOptions options = { .type = 1 };
  Watch watch;

  wp_calls_free (wp_calls_of_stacks (stacks, &options, watch_begin (&watch), NULL));
  watch_end (&watch, "call graph");
}

/* What each operation takes on an open profile. */
static int
operate (const char *path)
{
  static const char *const filters[] = { "focus=function_7$", "ignore=function_7$", "hide=part_3::", "show=part_1", "show_from=function_1[0-9]+$",
                                         "prune_from=function_99$", "tagfocus=thread=worker-3", "tagignore=4kb:", "tagshow=thread", "taghide=thread",
                                         "tagroot=thread", "tagleaf=bytes" };
  g_autoptr (GError) error = NULL;
  g_autoptr (WpStacks) stacks = wp_stacks_open (path, NULL, NULL, &error), other = wp_stacks_open (path, NULL, NULL, &error);
  Watch watch;

  if (stacks == NULL)
    {
      fprintf (stderr, "%s\n", error->message);
      return 1;
    }
  for (guint i = 0; i < G_N_ELEMENTS (filters); i++)
    {
      WpFilter filter = { 0 };
      WpStacks *less;

      wp_filter_parse (&filter, filters[i], NULL);
      less = wp_filter_apply (&filter, stacks, watch_begin (&watch), NULL);
      watch_end (&watch, filters[i]);
      wp_stacks_unref (less);
      wp_filter_clear (&filter);
    }
  wp_stacks_unref (wp_stacks_merge ((WpStacks *[]) { stacks, other }, 2, watch_begin (&watch), NULL));
  watch_end (&watch, "merge");
  wp_stacks_unref (wp_stacks_subtract (stacks, other, WP_DIFFERENCE_OF_BASE, FALSE, watch_begin (&watch), NULL));
  watch_end (&watch, "difference");
  count (stacks, 0, FALSE, "functions");
  count (stacks, 1, FALSE, "functions of another type");
  count (stacks, 1, TRUE, "functions and calls");
  analyze_calls (stacks);
  printf (" }\n");
  return 0;
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;

  if (argc == 3 && g_str_equal (argv[1], "open"))
    return open_it (argv[2]);
  if (argc == 3 && g_str_equal (argv[1], "operations"))
    return operate (argv[2]);
  if (argc >= 6 && g_str_equal (argv[1], "make"))
    {
      g_autoptr (WpStacks) stacks = make (strtoul (argv[3], NULL, 10), strtoul (argv[4], NULL, 10), strtoul (argv[5], NULL, 10), argc > 6);

      if (wp_stacks_save (stacks, wp_stacks_format_named ("pprof"), argv[2], NULL, &error))
        return 0;
      fprintf (stderr, "%s\n", error->message);
    }
  return 2;
}
