#include "workspace/file/problems.h"

#include <glib/gi18n.h>

#include "base/format.h"
#include "read/read.h"

#define INFERRED_SHARE 100 /* what is inferred is worth a word when it is more than this part of the operations */
#define WHOLE_ENOUGH 0.9   /* share of whole stacks below which the cut ones are worth a word */
#define COMPLETED_SHARE 0.25 /* share of completed stacks above which they are */
#define STACKS_FEW 10      /* below so many a share says nothing */

static void
add (WpProblems *self, char *what, const char *means)
{
  wp_array_push (&self->rows, ((WpProblem) { what, means }));
}

/* "1204 events were lost, between 3.1 s and 3.4 s": from the first loss that the kernel reports to the last. */
static void
add_lost_between (WpProblems *self, guint64 n, gint64 start, gint64 end)
{
  g_autofree char *sentence = wp_diag_sentence (WP_DIAG_LOST, n);
  char from[WP_FORMAT_MAX], to[WP_FORMAT_MAX];
  gint64 step = MAX ((end - start) / 10, 1);

  if (sentence != NULL)
    add (self,
         g_strdup_printf (_("%s, between %s and %s"), sentence, wp_format_time (start, step, from), wp_format_time (end, step, to)),
         _("Where events are missing, nobody knows what ran or waited; that time is shown as unknown."));
}

/* Of some nobody has told when they were lost. */
static void
add_lost (WpProblems *self, const WpTrace *trace)
{
  guint64 all = trace->diagnostics.n[WP_DIAG_LOST], timed = 0;
  gint64 start = G_MAXINT64, end = 0;
  char *sentence;

  for (guint32 i = 0; i < trace->lost.len; i++)
    if (trace->lost.data[i].events > 0)
      {
        timed += trace->lost.data[i].events;
        start = MIN (start, trace->lost.data[i].start);
        end = MAX (end, trace->lost.data[i].end);
      }
  add_lost_between (self, MIN (timed, all), start, end);
  sentence = wp_diag_sentence (WP_DIAG_LOST, all - MIN (timed, all));
  if (sentence != NULL)
    add (self, sentence, _("The recording does not say when. What ran or waited then may be shown wrong."));
}

static void
add_pauses (WpProblems *self, const WpTrace *trace)
{
  gint64 ns = 0;
  char length[WP_FORMAT_MAX];

  for (guint32 i = 0; i < trace->lost.len; i++)
    if (trace->lost.data[i].paused)
      ns += trace->lost.data[i].end - trace->lost.data[i].start;
  if (ns > 0)
    add (self, g_strdup_printf (_("Recording was paused for %s"), wp_format_ns (ns, length)),
         _("What ran or waited meanwhile is not known; that time is unexplained."));
}

/* Of the process of interest: what matters is what is looked at. */
static void
add_cut_stacks (WpProblems *self, const WpAnalysis *analysis)
{
  char share[WP_FORMAT_MAX];
  const char *means = _("The other stacks end before the program’s entry: their boxes stand apart from those they belong on.");

  if (analysis == NULL || analysis->stacks.stacks < STACKS_FEW
      || analysis->stacks.whole >= WHOLE_ENOUGH * analysis->stacks.stacks)
    return;
  wp_format_share ((double) analysis->stacks.whole / analysis->stacks.stacks, share);
  add (self, g_strdup_printf (_("%s of the stacks of %s are whole"), share, analysis->paths->name), means);
}

/* Of all processes: that much of what looks whole was taken from elsewhere. */
static void
add_completed_stacks (WpProblems *self, const WpTrace *trace)
{
  guint64 n = trace->diagnostics.n[WP_DIAG_STACKS_COMPLETED], all = trace->diagnostics.n[WP_DIAG_STACKS];
  char share[WP_FORMAT_MAX];

  if (n == 0 || n < all * COMPLETED_SHARE)
    return;
  wp_format_share (all > 0 ? MIN ((double) n / all, 1) : 1, share);
  add (self, g_strdup_printf (_("%s of the stacks were cut and have been completed"), share),
       _("Their outer callers were taken from an earlier stack of the same thread that has the same frames where they meet."));
}

static void
add_inferred (WpProblems *self, const WpTrace *trace, WpDiag diag, const char *means)
{
  guint64 n = trace->diagnostics.n[diag];

  if (n > trace->ops.len / INFERRED_SHARE)
    add (self, wp_diag_sentence (diag, n), means);
}

/* The recorded command failed: what is explained may not be what was to be measured. */
static void
add_ended (WpProblems *self, const WpTrace *trace)
{
  const char *ended = trace->extra != NULL ? g_hash_table_lookup (trace->extra, "ended") : NULL;

  if (ended != NULL && !g_str_equal (ended, "exit status 0"))
    add (self, g_strdup_printf (_("The recorded command failed: %s"), ended),
         _("What it printed, where the window recorded it, is in the main menu: Command’s Output."));
}

/* What the recorder could not have: a sentence a line. */
static void
add_missing (WpProblems *self, const WpTrace *trace)
{
  g_auto (GStrv) lines = trace->missing != NULL ? g_strsplit (trace->missing, "\n", -1) : NULL;

  for (guint i = 0; lines != NULL && lines[i] != NULL; i++)
    if (*g_strstrip (lines[i]) != '\0')
      add (self, g_strdup (lines[i]), NULL);
}

WpProblems *
wp_problems_of_recording (const WpTrace *trace, const WpAnalysis *analysis)
{
  static const struct
  {
    WpDiag diag;
    const char *means;
  } others[] = {
    { WP_DIAG_UNRELIABLE, N_ ("So many task switches there do not fit one another that events must be missing. What was waited for there is shown "
                              "as unknown. Fewer events, or larger buffers (perf record -m), may help.") },
    { WP_DIAG_OWN_CLOCKS, N_ ("Where a task runs before it has been woken, nobody can tell what it waited for.") },
    { WP_DIAG_TRUNCATED, N_ ("What comes before is complete. Recording was probably ended by force, or the disk was full.") },
    { WP_DIAG_DAMAGED_RECORDS, N_ ("The rest was read. What the skipped ones said is missing, as if those events had been lost.") },
    { WP_DIAG_THINNED_EVENTS, N_ ("Record without a rate or a period for tracepoints, so that each of them is there.") },
    { WP_DIAG_THROTTLED, N_ ("What ran then is shown as not sampled. Take fewer samples a second, or let the kernel allow more: "
                             "kernel.perf_event_max_sample_rate.") },
    { WP_DIAG_CHOSEN_PROCESSES, N_ ("Sleeps are explained by their own stacks at best, and no path leads to another process.") },
    { WP_DIAG_UNORDERED, N_ ("They were used where they came. Times near them may be off by a little.") },
  };
  WpProblems *self = g_new0 (WpProblems, 1);

  add_ended (self, trace);
  add_lost (self, trace);
  add_pauses (self, trace);
  add_cut_stacks (self, analysis);
  add_completed_stacks (self, trace);
  add_inferred (self, trace, WP_DIAG_INFERRED_SWITCHES,
                _("When those tasks really began and stopped running is a guess; boxes made by it say so in their details."));
  add_inferred (self, trace, WP_DIAG_INFERRED_WAKEUPS,
                _("What ended those sleeps was told by their stacks; their details say so."));
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    {
      char *sentence = wp_diag_sentence (others[i].diag, trace->diagnostics.n[others[i].diag]);

      if (sentence != NULL)
        add (self, sentence, _(others[i].means));
    }
  add_missing (self, trace);
  return self;
}

WpProblems *
wp_problems_of_plots (WpPlots *plots)
{
  WpProblems *self = g_new0 (WpProblems, 1);
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&plots->lock);

  for (guint32 i = 0; i < plots->profile->omissions.rows.len; i++)
    add (self, wp_omissions_line (&plots->profile->omissions, i), NULL);
  return self;
}

WpProblems *
wp_problems_of_plain (void)
{
  WpProblems *self = g_new0 (WpProblems, 1);

  /* Translators: %s is a command, to be copied */
  add (self, g_strdup_printf (_("This recording says what ran, not what was waited for. For that record again: with Record, or with %s"), WP_PERF_RECORD),
       _("Waits are known from the switches between tasks. perf record leaves them out unless it is told to."));
  return self;
}

void
wp_problems_free (WpProblems *self)
{
  for (guint32 i = 0; i < self->rows.len; i++)
    g_free (self->rows.data[i].what);
  wp_array_clear (&self->rows);
  g_free (self);
}

char *
wp_problems_headline (const WpProblems *self)
{
  guint32 more = self->rows.len - 1;

  if (self->rows.len == 0)
    return NULL;
  if (more == 0)
    return g_strdup (self->rows.data[0].what);
  return g_strdup_printf (ngettext ("%s, and %u more thing to know", "%s, and %u more things to know", more), self->rows.data[0].what, more);
}
