#include "app/record/record-live.h"

#include <glib/gi18n.h>

struct _WpRecordLive
{
  AdwBin parent_instance;

  GtkSpinner *spinner;
  GtkLabel *state, *elapsed, *size, *rate, *events, *lost, *missing;
  GtkProgressBar *progress;
  GtkWidget *pause_button, *stop_button;
};

enum
{
  SIGNAL_PAUSE,
  SIGNAL_STOP,
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

void
wp_record_live_show (WpRecordLive *self, const WpRecorder *recorder)
{
  WpRecorderState state = wp_recorder_state (recorder);
  gboolean live = state == WP_RECORDER_RECORDING || state == WP_RECORDER_PAUSED;
  gboolean ending = state == WP_RECORDER_STOPPING || state == WP_RECORDER_FINISHING;

  gtk_label_set_text (self->state, _(state_names[state]));
  gtk_spinner_set_spinning (self->spinner, state == WP_RECORDER_STARTING || ending);
  gtk_widget_set_visible (GTK_WIDGET (self->spinner), gtk_spinner_get_spinning (self->spinner));
  gtk_widget_set_sensitive (self->pause_button, live);
  gtk_widget_set_sensitive (self->stop_button, state != WP_RECORDER_STOPPING);
  gtk_button_set_label (GTK_BUTTON (self->stop_button), state == WP_RECORDER_FINISHING ? _("Discard") : _("Stop"));
  gtk_button_set_label (GTK_BUTTON (self->pause_button), state == WP_RECORDER_PAUSED ? _("Resume") : _("Pause"));
  show_counters (self, recorder);
  show_missing (self, recorder);
  show_progress (self, recorder);
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
on_stop (GtkButton *button, WpRecordLive *self)
{
  g_signal_emit (self, signals[SIGNAL_STOP], 0);
}

static void
wp_record_live_class_init (WpRecordLiveClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  signals[SIGNAL_PAUSE] = g_signal_new ("pause", WP_TYPE_RECORD_LIVE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_STOP] = g_signal_new ("stop", WP_TYPE_RECORD_LIVE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/wakepath/Wakepath/record-live.ui");
  gtk_widget_class_bind_template_child (widget_class, WpRecordLive, spinner);
  gtk_widget_class_bind_template_child (widget_class, WpRecordLive, state);
  gtk_widget_class_bind_template_child (widget_class, WpRecordLive, elapsed);
  gtk_widget_class_bind_template_child (widget_class, WpRecordLive, size);
  gtk_widget_class_bind_template_child (widget_class, WpRecordLive, rate);
  gtk_widget_class_bind_template_child (widget_class, WpRecordLive, events);
  gtk_widget_class_bind_template_child (widget_class, WpRecordLive, lost);
  gtk_widget_class_bind_template_child (widget_class, WpRecordLive, missing);
  gtk_widget_class_bind_template_child (widget_class, WpRecordLive, progress);
  gtk_widget_class_bind_template_child (widget_class, WpRecordLive, pause_button);
  gtk_widget_class_bind_template_child (widget_class, WpRecordLive, stop_button);
  gtk_widget_class_bind_template_callback (widget_class, on_pause);
  gtk_widget_class_bind_template_callback (widget_class, on_stop);
}

static void
wp_record_live_init (WpRecordLive *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
