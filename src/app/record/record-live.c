#include "app/record/record-live.h"

#include <glib/gi18n.h>

#include "app/record/process-list.h"
#include "base/format.h"

struct _WpRecordLive
{
  AdwBin parent_instance;

  GtkSpinner *spinner;
  GtkLabel *state, *elapsed, *run, *kept, *size, *rate, *events, *lost, *missing, *allowed_rate, *interest_name, *last_line;
  GtkProgressBar *progress;
  GtkDropDown *sample_rate;
  GtkSwitch *sample_chosen;
  GtkWidget *interest, *interest_popover, *pause_button, *resume_button, *snapshot_button, *discard_button, *stop_button, *printed, *saving;
  WpProcessList *processes;

  gboolean rate_known, rate_asked; /* asked: the recorder has not followed yet */
};

enum
{
  SIGNAL_PAUSE,
  SIGNAL_RESUME,
  SIGNAL_SNAPSHOT,
  SIGNAL_RATE,
  SIGNAL_SAMPLE,
  SIGNAL_INTEREST,
  SIGNAL_STOP,
  SIGNAL_DISCARD,
  SIGNAL_PRINTED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (WpRecordLive, wp_record_live, ADW_TYPE_BIN)

static const char *const state_names[] = {
  [WP_RECORDER_IDLE] = N_ ("Getting ready"),
  [WP_RECORDER_STARTING] = N_ ("Waiting for permission"),
  [WP_RECORDER_RECORDING] = N_ ("Recording"),
  [WP_RECORDER_PAUSED] = N_ ("Paused"),
  [WP_RECORDER_STOPPING] = N_ ("Stopping"),
  [WP_RECORDER_FINISHING] = N_ ("Finishing"),
  [WP_RECORDER_DONE] = N_ ("Done"),
  [WP_RECORDER_FAILED] = N_ ("Failed"),
};

static void
set_figure (GtkLabel *label, char *text)
{
  gtk_label_set_text (label, text);
  g_free (text);
}

static void
show_counters (WpRecordLive *self, const WpRecorder *recorder)
{
  const WpRecorderCounters *c = wp_recorder_counters (recorder);
  double seconds = (double) c->elapsed_us / 1e6;
  guint64 whole = (guint64) seconds;
  g_autofree char *size = g_format_size (c->bytes);
  g_autofree char *rate = g_format_size (seconds > 0 ? (guint64) ((double) c->bytes / seconds) : 0);

  set_figure (self->elapsed, g_strdup_printf ("%" G_GUINT64_FORMAT ":%02u.%u", whole / 60, (guint) (whole % 60),
                                              (guint) (seconds * 10) % 10));
  gtk_label_set_text (self->size, size);
  set_figure (self->rate, g_strdup_printf (_("%s per second"), rate));
  set_figure (self->events, g_strdup_printf ("%'" G_GUINT64_FORMAT, c->events));
  set_figure (self->lost, g_strdup_printf ("%'" G_GUINT64_FORMAT, c->lost));
  if (c->lost > 0)
    gtk_widget_add_css_class (GTK_WIDGET (self->lost), "warning");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self->lost), "warning");
}

void
wp_record_live_set_keep (WpRecordLive *self, double seconds)
{
  guint n = (guint) seconds;

  gtk_widget_set_visible (GTK_WIDGET (self->kept), n > 0);
  set_figure (self->kept, g_strdup_printf (ngettext ("The last %u second is kept", "The last %u seconds are kept", n), n));
}

void
wp_record_live_set_run (WpRecordLive *self, guint number, gint64 before_us)
{
  char before[WP_FORMAT_MAX];

  gtk_widget_set_visible (GTK_WIDGET (self->run), number > 0);
  if (number > 1)
    set_figure (self->run, g_strdup_printf (_("Run %u; the one before took %s"), number, wp_format_ns (before_us * 1000, before)));
  else
    set_figure (self->run, g_strdup_printf (_("Run %u"), number));
}

static void
show_missing (WpRecordLive *self, const WpRecorder *recorder)
{
  const char *missing = wp_recorder_missing (recorder);

  gtk_label_set_text (self->missing, missing != NULL ? missing : "");
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->missing), missing);
  gtk_widget_set_visible (GTK_WIDGET (self->missing), missing != NULL && *missing != '\0');
}

char *
wp_record_sentence (const char *message)
{
  g_autofree char *first = g_utf8_strup (message, g_utf8_next_char (message) - message);

  return g_strconcat (first, g_utf8_next_char (message), NULL);
}

static void
show_progress (WpRecordLive *self, const WpRecorder *recorder)
{
  const char *phase;
  double progress = wp_recorder_progress (recorder, &phase);
  g_autofree char *text = phase != NULL ? wp_record_sentence (_(phase)) : NULL;

  gtk_widget_set_visible (GTK_WIDGET (self->progress), phase != NULL);
  gtk_progress_bar_set_fraction (self->progress, progress);
  if (text != NULL)
    gtk_label_set_text (self->state, text);
}

/* Pauses nest: how many there are is how often one has to resume. */
static void
show_state (WpRecordLive *self, const WpRecorder *recorder)
{
  guint pauses = wp_recorder_pauses (recorder);

  if (wp_recorder_state (recorder) == WP_RECORDER_PAUSED && pauses > 1)
    set_figure (self->state, g_strdup_printf (ngettext ("Paused %u time", "Paused %u times", pauses), pauses));
  else
    gtk_label_set_text (self->state, _(state_names[wp_recorder_state (recorder)]));
}

/* --- how many samples are taken ----------------------------------------------------------------------------------- */

static const guint rates[] = { 50, 100, 250, 500, 1000, 2000, 4000, 10000, 20000 };

static void
fill_rates (WpRecordLive *self)
{
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (rates); i++)
    gtk_string_list_take (names, g_strdup_printf (_("%'u per second"), rates[i]));
  gtk_drop_down_set_model (self->sample_rate, G_LIST_MODEL (names));
}

/* At first what the recording began with, or the next one above what the kernel has made of that. */
static void
choose_first_rate (WpRecordLive *self, guint rate)
{
  guint row = 0;

  while (row + 1 < G_N_ELEMENTS (rates) && rates[row] < rate)
    row++;
  gtk_drop_down_set_selected (self->sample_rate, row);
  self->rate_known = TRUE;
}

static void
show_sample_rate (WpRecordLive *self, guint rate)
{
  guint asked;

  if (!self->rate_known && rate > 0)
    choose_first_rate (self, rate);
  asked = rates[MIN (gtk_drop_down_get_selected (self->sample_rate), G_N_ELEMENTS (rates) - 1)];
  gtk_widget_set_visible (GTK_WIDGET (self->allowed_rate), self->rate_known && !self->rate_asked && rate < asked);
  set_figure (self->allowed_rate, g_strdup_printf (_("the kernel allows %'u"), rate));
}

static void
on_sample_rate (WpRecordLive *self)
{
  guint row = gtk_drop_down_get_selected (self->sample_rate);

  if (!self->rate_known || row >= G_N_ELEMENTS (rates))
    return;
  self->rate_asked = TRUE;
  g_signal_emit (self, signals[SIGNAL_RATE], 0, rates[row]);
}

void
wp_record_live_rate_is_set (WpRecordLive *self)
{
  self->rate_asked = FALSE;
}

/* --- whom they are taken of --------------------------------------------------------------------------------------- */

static void
show_choice (WpRecordLive *self, const WpRecorder *recorder)
{
  const char *no_choice = wp_recorder_no_choice (recorder);
  g_autofree char *why = no_choice != NULL ? wp_record_sentence (_(no_choice)) : g_strdup (_("Sample only what was chosen"));

  /* One that is set, though to what it is, forgets that it was just clicked. */
  if (gtk_switch_get_active (self->sample_chosen) != wp_recorder_samples_chosen (recorder))
    gtk_switch_set_active (self->sample_chosen, wp_recorder_samples_chosen (recorder));
  gtk_widget_set_sensitive (GTK_WIDGET (self->sample_chosen), no_choice == NULL);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->sample_chosen), why);
}

static void
on_sample_chosen (WpRecordLive *self)
{
  g_signal_emit (self, signals[SIGNAL_SAMPLE], 0, gtk_switch_get_active (self->sample_chosen));
}

/* --- the process that it opens with ------------------------------------------------------------------------------- */

void
wp_record_live_set_interest (WpRecordLive *self, const char *name)
{
  gtk_label_set_text (self->interest_name, name != NULL ? name : _("No process"));
}

/* What had the keyboard in it would swallow the next key. */
static void
close_interest (WpRecordLive *self)
{
  gtk_popover_popdown (GTK_POPOVER (self->interest_popover));
  gtk_widget_grab_focus (self->interest);
}

static void
on_interest (WpRecordLive *self)
{
  g_autoptr (GPtrArray) chosen = wp_process_list_chosen (self->processes);
  g_autofree char *name = NULL;

  close_interest (self);
  if (chosen->len == 0)
    return;
  name = wp_process_row_describe (chosen->pdata[0]);
  wp_record_live_set_interest (self, name);
  g_signal_emit (self, signals[SIGNAL_INTEREST], 0, wp_process_row_get (chosen->pdata[0])->pid);
}

static void
on_cancelled (WpRecordLive *self)
{
  close_interest (self);
}

/* --- all of it ---------------------------------------------------------------------------------------------------- */

void
wp_record_live_show (WpRecordLive *self, const WpRecorder *recorder)
{
  WpRecorderState state = wp_recorder_state (recorder);
  gboolean live = state == WP_RECORDER_RECORDING || state == WP_RECORDER_PAUSED;
  gboolean ending = state == WP_RECORDER_STOPPING || state == WP_RECORDER_FINISHING;

  if (state < WP_RECORDER_RECORDING)
    self->rate_known = FALSE;
  show_state (self, recorder);
  gtk_spinner_set_spinning (self->spinner, state == WP_RECORDER_STARTING || ending);
  gtk_widget_set_visible (GTK_WIDGET (self->spinner), gtk_spinner_get_spinning (self->spinner));
  gtk_widget_set_sensitive (self->pause_button, live);
  gtk_widget_set_sensitive (self->resume_button, live && wp_recorder_pauses (recorder) > 0);
  gtk_widget_set_sensitive (self->snapshot_button, live);
  gtk_widget_set_sensitive (GTK_WIDGET (self->sample_rate), live);
  gtk_widget_set_sensitive (self->interest, state <= WP_RECORDER_STOPPING);
  gtk_widget_set_visible (self->saving, wp_recorder_saves_snapshots (recorder));
  gtk_widget_set_sensitive (self->stop_button, state < WP_RECORDER_STOPPING);
  gtk_widget_set_sensitive (self->discard_button, live || state == WP_RECORDER_FINISHING);
  show_sample_rate (self, wp_recorder_counters (recorder)->rate);
  show_choice (self, recorder);
  show_counters (self, recorder);
  show_missing (self, recorder);
  show_progress (self, recorder);
}

void
wp_record_live_set_printed (WpRecordLive *self, gboolean command, const char *line)
{
  gtk_widget_set_visible (self->printed, command);
  gtk_widget_set_sensitive (self->printed, line != NULL);
  gtk_label_set_text (self->last_line, line != NULL ? line : _("Nothing yet"));
}

void
wp_record_live_focus (WpRecordLive *self)
{
  gtk_widget_grab_focus (self->stop_button);
}

static void
on_pause (GtkButton *button, WpRecordLive *self)
{
  g_signal_emit (self, signals[SIGNAL_PAUSE], 0);
}

static void
on_resume (GtkButton *button, WpRecordLive *self)
{
  g_signal_emit (self, signals[SIGNAL_RESUME], 0);
}

static void
on_snapshot (GtkButton *button, WpRecordLive *self)
{
  g_signal_emit (self, signals[SIGNAL_SNAPSHOT], 0);
}

static void
on_stop (GtkButton *button, WpRecordLive *self)
{
  g_signal_emit (self, signals[SIGNAL_STOP], 0);
}

static void
on_discard (GtkButton *button, WpRecordLive *self)
{
  g_signal_emit (self, signals[SIGNAL_DISCARD], 0);
}

static void
on_printed (GtkButton *button, WpRecordLive *self)
{
  g_signal_emit (self, signals[SIGNAL_PRINTED], 0);
}

/* Where it can be pressed. What is typed while a list pops up, or into it, is for that one. */
static gboolean
press (GtkWidget *widget, GtkWidget *button)
{
  WpRecordLive *self = WP_RECORD_LIVE (widget);
  GtkWidget *focus = gtk_root_get_focus (gtk_widget_get_root (widget));

  return (focus == NULL || (!gtk_widget_is_ancestor (focus, GTK_WIDGET (self->sample_rate)) && !gtk_widget_is_ancestor (focus, self->interest)))
         && focus != GTK_WIDGET (self->sample_rate) && gtk_widget_activate (button);
}

static gboolean
on_pause_key (GtkWidget *self, GVariant *unused, gpointer data)
{
  return press (self, WP_RECORD_LIVE (self)->pause_button);
}

static gboolean
on_resume_key (GtkWidget *self, GVariant *unused, gpointer data)
{
  return press (self, WP_RECORD_LIVE (self)->resume_button);
}

static gboolean
on_snapshot_key (GtkWidget *self, GVariant *unused, gpointer data)
{
  return press (self, WP_RECORD_LIVE (self)->snapshot_button);
}

static gboolean
on_stop_key (GtkWidget *self, GVariant *unused, gpointer data)
{
  return press (self, WP_RECORD_LIVE (self)->stop_button);
}

/* As on the command line. */
static void
add_keys (GtkWidgetClass *klass)
{
  gtk_widget_class_add_binding (klass, GDK_KEY_p, 0, on_pause_key, NULL);
  gtk_widget_class_add_binding (klass, GDK_KEY_r, 0, on_resume_key, NULL);
  gtk_widget_class_add_binding (klass, GDK_KEY_s, 0, on_snapshot_key, NULL);
  gtk_widget_class_add_binding (klass, GDK_KEY_q, 0, on_stop_key, NULL);
}

static void
add_signals (void)
{
  static const struct
  {
    const char *name;
    GType argument; /* G_TYPE_NONE: none */
  } rows[N_SIGNALS] = {
    [SIGNAL_PAUSE] = { "pause", G_TYPE_NONE }, [SIGNAL_RESUME] = { "resume", G_TYPE_NONE }, [SIGNAL_SNAPSHOT] = { "snapshot", G_TYPE_NONE },
    [SIGNAL_RATE] = { "rate", G_TYPE_UINT },   [SIGNAL_SAMPLE] = { "sample", G_TYPE_BOOLEAN }, [SIGNAL_INTEREST] = { "interest", G_TYPE_INT }, [SIGNAL_STOP] = { "stop", G_TYPE_NONE },
    [SIGNAL_DISCARD] = { "discard", G_TYPE_NONE }, [SIGNAL_PRINTED] = { "printed", G_TYPE_NONE },
  };

  for (guint i = 0; i < N_SIGNALS; i++)
    signals[i] = g_signal_newv (rows[i].name, WP_TYPE_RECORD_LIVE, G_SIGNAL_RUN_LAST, NULL, NULL, NULL, NULL, G_TYPE_NONE,
                                rows[i].argument != G_TYPE_NONE, (GType *) &rows[i].argument);
}

static void
wp_record_live_class_init (WpRecordLiveClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  add_signals ();
  add_keys (widget_class);
  g_type_ensure (WP_TYPE_PROCESS_LIST);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/wakepath/Wakepath/record-live.ui");
  gtk_widget_class_bind_template_child (widget_class, WpRecordLive, spinner);
  gtk_widget_class_bind_template_child (widget_class, WpRecordLive, state);
  gtk_widget_class_bind_template_child (widget_class, WpRecordLive, elapsed);
  gtk_widget_class_bind_template_child (widget_class, WpRecordLive, run);
  gtk_widget_class_bind_template_child (widget_class, WpRecordLive, kept);
  gtk_widget_class_bind_template_child (widget_class, WpRecordLive, size);
  gtk_widget_class_bind_template_child (widget_class, WpRecordLive, rate);
  gtk_widget_class_bind_template_child (widget_class, WpRecordLive, events);
  gtk_widget_class_bind_template_child (widget_class, WpRecordLive, lost);
  gtk_widget_class_bind_template_child (widget_class, WpRecordLive, missing);
  gtk_widget_class_bind_template_child (widget_class, WpRecordLive, progress);
  gtk_widget_class_bind_template_child (widget_class, WpRecordLive, allowed_rate);
  gtk_widget_class_bind_template_child (widget_class, WpRecordLive, sample_rate);
  gtk_widget_class_bind_template_child (widget_class, WpRecordLive, sample_chosen);
  gtk_widget_class_bind_template_child (widget_class, WpRecordLive, interest);
  gtk_widget_class_bind_template_child (widget_class, WpRecordLive, interest_name);
  gtk_widget_class_bind_template_child (widget_class, WpRecordLive, interest_popover);
  gtk_widget_class_bind_template_child (widget_class, WpRecordLive, processes);
  gtk_widget_class_bind_template_child (widget_class, WpRecordLive, pause_button);
  gtk_widget_class_bind_template_child (widget_class, WpRecordLive, resume_button);
  gtk_widget_class_bind_template_child (widget_class, WpRecordLive, snapshot_button);
  gtk_widget_class_bind_template_child (widget_class, WpRecordLive, saving);
  gtk_widget_class_bind_template_child (widget_class, WpRecordLive, stop_button);
  gtk_widget_class_bind_template_child (widget_class, WpRecordLive, discard_button);
  gtk_widget_class_bind_template_child (widget_class, WpRecordLive, printed);
  gtk_widget_class_bind_template_child (widget_class, WpRecordLive, last_line);
  gtk_widget_class_bind_template_callback (widget_class, on_pause);
  gtk_widget_class_bind_template_callback (widget_class, on_resume);
  gtk_widget_class_bind_template_callback (widget_class, on_snapshot);
  gtk_widget_class_bind_template_callback (widget_class, on_sample_rate);
  gtk_widget_class_bind_template_callback (widget_class, on_sample_chosen);
  gtk_widget_class_bind_template_callback (widget_class, on_interest);
  gtk_widget_class_bind_template_callback (widget_class, on_cancelled);
  gtk_widget_class_bind_template_callback (widget_class, on_stop);
  gtk_widget_class_bind_template_callback (widget_class, on_discard);
  gtk_widget_class_bind_template_callback (widget_class, on_printed);
}

static void
wp_record_live_init (WpRecordLive *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  fill_rates (self);
}
