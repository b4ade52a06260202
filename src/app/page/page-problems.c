/* The banner: what one must know about the recording before believing what is seen, worst first; the rest in its popover. */
#include "app/page/page-private.h"

#include <glib/gi18n.h>

#include "base/format.h"

#define INFERRED_SHARE 100 /* what is inferred is worth a word when it is more than this part of the operations */
#define WHOLE_ENOUGH 0.9   /* share of whole stacks below which the cut ones are worth a word */
#define COMPLETED_SHARE 0.25 /* share of completed stacks above which they are */
#define STACKS_FEW 10      /* below so many a share says nothing */

typedef struct
{
  char *what;       /* one line */
  const char *means; /* what that does to the picture, or NULL */
} Problem;

typedef WP_ARRAY (Problem) ProblemArray;

static void
add (ProblemArray *problems, char *what, const char *means)
{
  wp_array_push (problems, ((Problem) { what, means }));
}

/* "1204 events were lost between 3.1 s and 3.4 s" */
static void
add_lost (ProblemArray *problems, const WpTrace *trace)
{
  g_autofree char *sentence = wp_diag_sentence (WP_DIAG_LOST, trace->diagnostics.n[WP_DIAG_LOST]);
  const char *means = _("Where events are missing, nobody knows what ran or waited; that time is shown as unknown.");
  gint64 start = G_MAXINT64, end = 0, step;
  char from[WP_FORMAT_MAX], to[WP_FORMAT_MAX];

  if (sentence == NULL)
    return;
  for (guint32 i = 0; i < trace->lost.len; i++)
    {
      start = MIN (start, trace->lost.data[i].start);
      end = MAX (end, trace->lost.data[i].end);
    }
  if (trace->lost.len == 0)
    {
      add (problems, g_steal_pointer (&sentence), means);
      return;
    }
  step = MAX ((end - start) / 10, 1);
  add (problems,
       g_strdup_printf (_("%s, between %s and %s"), sentence, wp_format_time (start, step, from),
                        wp_format_time (end, step, to)), means);
}

/* Of the process of interest: what matters is what is looked at. */
static void
add_cut_stacks (ProblemArray *problems, const WpAnalysis *analysis)
{
  char share[WP_FORMAT_MAX];
  const char *means = _("The other stacks end before the program’s entry: their boxes stand apart from those they belong on.");

  if (analysis == NULL || analysis->stacks.stacks < STACKS_FEW
      || analysis->stacks.whole >= WHOLE_ENOUGH * analysis->stacks.stacks)
    return;
  wp_format_share ((double) analysis->stacks.whole / analysis->stacks.stacks, share);
  add (problems, g_strdup_printf (_("%s of the stacks of %s are whole"), share, analysis->paths->name), means);
}

/* Of all processes: that much of what looks whole was taken from elsewhere. */
static void
add_completed_stacks (ProblemArray *problems, const WpTrace *trace)
{
  guint64 n = trace->diagnostics.n[WP_DIAG_STACKS_COMPLETED], all = trace->diagnostics.n[WP_DIAG_STACKS];
  char share[WP_FORMAT_MAX];

  if (n == 0 || n < all * COMPLETED_SHARE)
    return;
  wp_format_share (all > 0 ? MIN ((double) n / all, 1) : 1, share);
  add (problems, g_strdup_printf (_("%s of the stacks were cut and have been completed"), share),
       _("Their outer callers were taken from an earlier stack of the same thread that has the same frames where they meet."));
}

static void
add_inferred (ProblemArray *problems, const WpTrace *trace, WpDiag diag, const char *means)
{
  guint64 n = trace->diagnostics.n[diag];

  if (n > trace->ops.len / INFERRED_SHARE)
    add (problems, wp_diag_sentence (diag, n), means);
}

/* What the recorder could not have: a sentence a line. */
static void
add_missing (ProblemArray *problems, const WpTrace *trace)
{
  g_auto (GStrv) lines = trace->missing != NULL ? g_strsplit (trace->missing, "\n", -1) : NULL;

  for (guint i = 0; lines != NULL && lines[i] != NULL; i++)
    if (*g_strstrip (lines[i]) != '\0')
      add (problems, g_strdup (lines[i]), NULL);
}

static void
find_problems (WpPage *self, ProblemArray *problems)
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
  const WpDocument *document = wp_shared_get (self->document);

  add_lost (problems, document->trace);
  add_cut_stacks (problems, wp_page_analysis (self));
  add_completed_stacks (problems, document->trace);
  add_inferred (problems, document->trace, WP_DIAG_INFERRED_SWITCHES,
                _("When those tasks really began and stopped running is a guess; boxes made by it say so in their details."));
  add_inferred (problems, document->trace, WP_DIAG_INFERRED_WAKEUPS,
                _("What ended those sleeps was told by their stacks; their details say so."));
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    {
      char *sentence = wp_diag_sentence (others[i].diag, document->trace->diagnostics.n[others[i].diag]);

      if (sentence != NULL)
        add (problems, sentence, _(others[i].means));
    }
  add_missing (problems, document->trace);
}

static GtkWidget *
new_line (const char *text, const char *css_class)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_width_chars (GTK_LABEL (label), 40);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 56);
  if (css_class != NULL)
    gtk_widget_add_css_class (label, css_class);
  return label;
}

static void
fill_popover (WpPage *self, const ProblemArray *problems)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->problems))) != NULL)
    gtk_box_remove (self->problems, child);
  for (guint32 i = 0; i < problems->len; i++)
    {
      GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);

      gtk_box_append (GTK_BOX (box), new_line (problems->data[i].what, NULL));
      if (problems->data[i].means != NULL)
        {
          gtk_box_append (GTK_BOX (box), new_line (problems->data[i].means, "caption"));
          gtk_widget_add_css_class (gtk_widget_get_last_child (box), "dim-label");
        }
      gtk_box_append (self->problems, box);
    }
}

/* What could not be read, or not be shown in the views that were drawn. */
static void
find_omissions (WpPage *self, ProblemArray *problems)
{
  WpPlots *kinds = wp_shared_get (wp_plot_page_kinds (self->kinds));
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&kinds->lock);

  for (guint32 i = 0; i < kinds->profile->omissions.rows.len; i++)
    add (problems, wp_omissions_line (&kinds->profile->omissions, i), NULL);
}

void
wp_page_show_problems (WpPage *self)
{
  ProblemArray problems = { 0 };
  g_autofree char *text = NULL;

  if ((self->document == NULL && self->kinds == NULL) || self->trace_busy || (self->kinds != NULL && wp_plot_page_busy (self->kinds)))
    return;
  if (self->kinds != NULL)
    find_omissions (self, &problems);
  else
    find_problems (self, &problems);
  if (problems.len == 1)
    text = g_strdup (problems.data[0].what);
  else if (problems.len > 1)
    text = g_strdup_printf (ngettext ("%s, and %u more thing to know", "%s, and %u more things to know", problems.len - 1),
                            problems.data[0].what, problems.len - 1);
  if (text != NULL)
    {
      gtk_label_set_text (self->banner_text, text);
      fill_popover (self, &problems);
    }
  wp_page_reveal (self->banner, text != NULL && g_strcmp0 (text, self->dismissed) != 0);
  for (guint32 i = 0; i < problems.len; i++)
    g_free (problems.data[i].what);
  wp_array_clear (&problems);
}

void
wp_page_dismiss_problems (WpPage *self)
{
  g_free (self->dismissed);
  self->dismissed = g_strdup (gtk_label_get_text (self->banner_text));
  wp_page_reveal (self->banner, FALSE);
}
