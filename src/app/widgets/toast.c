#include "app/widgets/toast.h"

#define LINE_MOST 60   /* characters */
#define LINE_LEAST 16
#define AROUND 140.0   /* pixels of a toast that are not its text, and of the overlay that are not the toast */
#define MARGIN 4       /* of several lines; one is less high than the button beside it */
#define BOLD 1.15      /* wider than others */
#define LINES_MOST 8
#define LONG_TEXT 60 /* characters: that is read in more than the usual seconds */
#define LONG_SECONDS 15

/* A toast gets the height for the width it would like to have: it must not like more than there is. */
static int
line_chars (GtkWidget *overlay)
{
  PangoFontMetrics *metrics = pango_context_get_metrics (gtk_widget_get_pango_context (overlay), NULL, NULL);
  double width = BOLD * pango_font_metrics_get_approximate_char_width (metrics) / PANGO_SCALE;

  pango_font_metrics_unref (metrics);
  return (int) CLAMP ((gtk_widget_get_width (overlay) - AROUND) / MAX (width, 1), LINE_LEAST, LINE_MOST);
}

/* libadwaita before 1.3 uses what it has freed where a toast is dismissed and gone before it has come into view: its animation of coming goes on
 * (fixed there by “toast-overlay: Prevent show_done from firing after hide_done”). Who is as quick as that waits for it. */
#if !ADW_CHECK_VERSION (1, 3, 0)
#define COMES_US 600000 /* the longest that a toast takes to come, and some */

typedef struct
{
  AdwToast *toast; /* owns the label that this belongs to */
  guint tick;      /* while it comes; 0: it has not begun to */
  gint64 since;    /* time of the first frame that shows it, in us; 0: none yet */
  gboolean came, dismissed;
} Coming;

static gboolean
on_tick (GtkWidget *label, GdkFrameClock *clock, gpointer data)
{
  Coming *self = data;
  gint64 now = gdk_frame_clock_get_frame_time (clock);

  if (self->since == 0)
    self->since = now;
  if (now < self->since + COMES_US)
    return G_SOURCE_CONTINUE;
  self->came = TRUE;
  if (self->dismissed)
    g_signal_emit_by_name (self->toast, "dismissed"); /* the toast itself knows already: adw_toast_dismiss() does it once */
  return G_SOURCE_REMOVE;
}

static void
on_map (GtkWidget *label, Coming *self)
{
  if (self->tick == 0)
    self->tick = gtk_widget_add_tick_callback (label, on_tick, self, NULL);
}

static void
on_dismissed (AdwToast *toast, Coming *self)
{
  if (self->tick == 0 || self->came)
    return;
  self->dismissed = TRUE;
  g_signal_stop_emission_by_name (toast, "dismissed");
}

static void
let_come (AdwToast *toast, GtkWidget *label)
{
  Coming *self = g_new0 (Coming, 1);

  self->toast = toast;
  g_object_set_data_full (G_OBJECT (label), "wakepath-coming", self, g_free);
  g_signal_connect (label, "map", G_CALLBACK (on_map), self);
  g_signal_connect (toast, "dismissed", G_CALLBACK (on_dismissed), self); /* before the overlay does */
}
#else
static void
let_come (AdwToast *toast, GtkWidget *label)
{
}
#endif

static AdwToast *
new_toast (AdwToastOverlay *overlay, const char *text)
{
  AdwToast *toast = adw_toast_new ("");
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_natural_wrap_mode (GTK_LABEL (label), GTK_NATURAL_WRAP_NONE); /* else what has room in a line is broken in two */
  gtk_label_set_max_width_chars (GTK_LABEL (label), line_chars (GTK_WIDGET (overlay)));
  gtk_label_set_lines (GTK_LABEL (label), LINES_MOST);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_set_margin_top (label, MARGIN);
  gtk_widget_set_margin_bottom (label, MARGIN);
  gtk_widget_add_css_class (label, "heading");
  adw_toast_set_custom_title (toast, label);
  let_come (toast, label);
  if (g_utf8_strlen (text, -1) > LONG_TEXT)
    adw_toast_set_timeout (toast, LONG_SECONDS);
  return toast;
}

void
wp_toast_dismiss (AdwToastOverlay *overlay)
{
  AdwToast *last = g_object_get_data (G_OBJECT (overlay), "wakepath-toast");

  if (last != NULL)
    adw_toast_dismiss (last);
  g_object_set_data (G_OBJECT (overlay), "wakepath-toast", NULL);
}

/* In the place of the one before: else it would come when that one has gone by itself, and be about something long past. */
static void
show (AdwToastOverlay *overlay, AdwToast *toast)
{
  wp_toast_dismiss (overlay);
  g_object_set_data_full (G_OBJECT (overlay), "wakepath-toast", g_object_ref (toast), g_object_unref);
  adw_toast_overlay_add_toast (overlay, toast);
}

void
wp_toast (AdwToastOverlay *overlay, const char *text)
{
  show (overlay, new_toast (overlay, text));
}

void
wp_toast_with_button (AdwToastOverlay *overlay, const char *text, const char *label, const char *action)
{
  AdwToast *toast = new_toast (overlay, text);

  adw_toast_set_button_label (toast, label);
  adw_toast_set_action_name (toast, action);
  adw_toast_set_timeout (toast, 2 * LONG_SECONDS);
  show (overlay, toast);
}
