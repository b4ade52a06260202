#include "app/page/details.h"

#include <glib/gi18n.h>

#include "app/widgets/share-bar.h"
#include "paths/terms.h"
#include "profile/model/document.h"
#include "workspace/file/details-text.h"
#include "workspace/file/sources.h"

struct _WpDetails
{
  AdwBin parent_instance;

  WpDetailsSubject subject; /* without rows: nothing */
  WpDetailsText *text;      /* of the subject, or NULL */
  WpSources *sources;       /* source lines of frames that were shown */
  WpWorker *looking_up;
  GtkStack *stack; /* "box", "empty" */
  GtkWidget *hint; /* in the empty one */
  GtkLabel *title, *why, *frames, *frames_note, *woken_by, *woke;
  GtkGrid *facts;
  GtkWidget *facts_column, *frames_column, *woken_by_column, *woke_column;
};

enum
{
  SIGNAL_LINK,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (WpDetails, wp_details, ADW_TYPE_BIN)

static gboolean
on_link (GtkLabel *label, const char *uri, WpDetails *self)
{
  g_autofree char *copy = g_strdup (uri); /* following it may replace the label's text */

  g_signal_emit (self, signals[SIGNAL_LINK], 0, copy);
  return TRUE;
}

static void
copy (GtkWidget *widget, const char *action, GVariant *parameter)
{
  WpDetails *self = WP_DETAILS (widget);
  g_autofree char *plain = NULL;

  if (self->text == NULL)
    return;
  plain = wp_details_text_plain (self->text);
  gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), plain);
}

static void
copy_markdown (GtkWidget *widget, const char *action, GVariant *parameter)
{
  WpDetails *self = WP_DETAILS (widget);
  g_autofree char *text = self->text != NULL ? wp_details_text_markdown (self->text) : NULL;

  if (text != NULL)
    gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), text);
}

/* What a fact ranks, below its words. */
static GtkWidget *
with_bar (GtkWidget *value, const WpDetailsFact *fact)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 3), *bar = wp_share_bar_new (0, 0);
  guint n = 0;

  while (n < WP_FACT_SHARES && fact->shares[n] > 0)
    n++;
  wp_share_bar_set_ranks (WP_SHARE_BAR (bar), fact->shares, n);
  gtk_box_append (GTK_BOX (box), value);
  gtk_box_append (GTK_BOX (box), bar);
  return box;
}

static void
add_fact (WpDetails *self, const WpDetailsFact *fact, int row)
{
  GtkWidget *name = gtk_label_new (fact->label), *value = gtk_label_new (NULL);

  gtk_widget_set_tooltip_text (name, wp_term_help_of (fact->label));
  gtk_widget_set_tooltip_text (value, wp_term_help_of (fact->markup));
  gtk_widget_add_css_class (name, "dim-label");
  gtk_label_set_xalign (GTK_LABEL (name), 0);
  gtk_label_set_yalign (GTK_LABEL (name), 0);
  gtk_label_set_markup (GTK_LABEL (value), fact->markup);
  gtk_label_set_xalign (GTK_LABEL (value), 0);
  gtk_label_set_selectable (GTK_LABEL (value), TRUE);
  gtk_label_set_wrap (GTK_LABEL (value), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (value), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_width_chars (GTK_LABEL (value), 14);
  gtk_widget_set_hexpand (value, TRUE);
  g_signal_connect (value, "activate-link", G_CALLBACK (on_link), self);
  gtk_grid_attach (self->facts, name, 0, row, 1, 1);
  gtk_grid_attach (self->facts, fact->shares[0] > 0 ? with_bar (value, fact) : value, 1, row, 1, 1);
}

/* A column that would be empty leaves its room to the stacks. */
static void
set_column (GtkWidget *column, GtkLabel *label, const char *markup)
{
  gtk_widget_set_visible (column, markup != NULL);
  gtk_label_set_markup (label, markup != NULL ? markup : "");
}

static void
show_stacks (WpDetails *self)
{
  gtk_label_set_markup (self->frames, self->text->stack != NULL ? self->text->stack : _("No stack was recorded"));
  if (self->text->stack != NULL)
    gtk_widget_remove_css_class (GTK_WIDGET (self->frames), "dim-label");
  else
    gtk_widget_add_css_class (GTK_WIDGET (self->frames), "dim-label");
  set_column (self->woken_by_column, self->woken_by, self->text->woken_by);
}

static void
show_text (WpDetails *self)
{
  const WpDetailsText *text = self->text;
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->facts))) != NULL)
    gtk_grid_remove (self->facts, child);
  for (guint32 i = 0; i < text->facts.len; i++)
    add_fact (self, &text->facts.data[i], (int) i);
  gtk_label_set_text (self->title, text->title);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->title), text->title);
  gtk_label_set_markup (self->why, text->why != NULL ? text->why : "");
  gtk_widget_set_visible (GTK_WIDGET (self->why), text->why != NULL);
  show_stacks (self);
  gtk_label_set_text (self->frames_note, text->stack_note != NULL ? text->stack_note : "");
  gtk_widget_set_visible (GTK_WIDGET (self->frames_note), text->stack_note != NULL);
  set_column (self->woke_column, self->woke, text->woke);
}

/* What was read of another box lies further down than this one begins. */
static void
go_to_top (WpDetails *self)
{
  GtkWidget *columns[] = { self->facts_column, self->frames_column, self->woken_by_column, self->woke_column };

  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    {
      gtk_adjustment_set_value (gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (columns[i])), 0);
      gtk_adjustment_set_value (gtk_scrolled_window_get_hadjustment (GTK_SCROLLED_WINDOW (columns[i])), 0);
    }
}

/* --- the subject --- */

static void
write_text (WpDetails *self)
{
  const WpDetailsSubject *subject = &self->subject;
  const WpDocument *document = wp_shared_get (subject->document);

  g_clear_pointer (&self->text, wp_details_text_free);
  if (subject->rows != NULL)
    self->text = wp_details_text_new (&(WpDetailsRequest) { .rows = wp_shared_get (subject->rows),
                                                            .box = subject->box,
                                                            .part = subject->selection.part,
                                                            .n_parts = subject->selection.n_parts,
                                                            .trace = document != NULL ? document->trace : NULL,
                                                            .analysis = wp_shared_get (subject->analysis),
                                                            .sources = self->sources,
                                                            .origin = subject->origin });
}

/* It is the same box: only its stacks say more now. */
static void
on_sources_found (gpointer result, const GError *error, gpointer data)
{
  WpDetails *self = data;

  self->looking_up = NULL;
  if (!wp_sources_add (self->sources, result) || self->text == NULL)
    return;
  write_text (self);
  show_stacks (self);
}

static void
set_subject (WpDetails *self, const WpDetailsSubject *subject)
{
  WpDetailsSubject next = subject != NULL ? *subject : (WpDetailsSubject) { 0 };

  wp_shared_ref (next.rows);
  wp_shared_ref (next.document);
  wp_shared_ref (next.analysis);
  wp_shared_unref (self->subject.rows);
  wp_shared_unref (self->subject.document);
  wp_shared_unref (self->subject.analysis);
  self->subject = next;
}

void
wp_details_show (WpDetails *self, const WpDetailsSubject *subject)
{
  gboolean same = subject != NULL && subject->rows == self->subject.rows && subject->box == self->subject.box
                  && subject->selection.part == self->subject.selection.part;

  wp_worker_drop (&self->looking_up);
  set_subject (self, subject);
  write_text (self);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "details.copy", self->text != NULL);
  gtk_stack_set_visible_child_name (self->stack, self->text != NULL ? "box" : "empty");
  if (self->text == NULL)
    return;
  show_text (self);
  if (!same)
    go_to_top (self);
  if (self->text->frames->len > 0 && subject->document != NULL)
    self->looking_up = wp_sources_start (self->sources, subject->document, self->text->frames, on_sources_found, self);
}

void
wp_details_set_hint (WpDetails *self, gboolean hint)
{
  gtk_widget_set_visible (self->hint, hint);
}

/* --- the widget --- */

static void
wp_details_dispose (GObject *object)
{
  wp_worker_drop (&WP_DETAILS (object)->looking_up);
  G_OBJECT_CLASS (wp_details_parent_class)->dispose (object);
}

static void
wp_details_finalize (GObject *object)
{
  WpDetails *self = WP_DETAILS (object);

  set_subject (self, NULL);
  g_clear_pointer (&self->text, wp_details_text_free);
  g_clear_pointer (&self->sources, wp_sources_free);
  G_OBJECT_CLASS (wp_details_parent_class)->finalize (object);
}

static void
wp_details_class_init (WpDetailsClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = wp_details_dispose;
  G_OBJECT_CLASS (klass)->finalize = wp_details_finalize;
  signals[SIGNAL_LINK]
    = g_signal_new ("link", WP_TYPE_DETAILS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  gtk_widget_class_install_action (widget_class, "details.copy", NULL, copy);
  gtk_widget_class_install_action (widget_class, "details.copy-markdown", NULL, copy_markdown);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/wakepath/Wakepath/details.ui");
  gtk_widget_class_bind_template_child (widget_class, WpDetails, stack);
  gtk_widget_class_bind_template_child (widget_class, WpDetails, hint);
  gtk_widget_class_bind_template_child (widget_class, WpDetails, title);
  gtk_widget_class_bind_template_child (widget_class, WpDetails, why);
  gtk_widget_class_bind_template_child (widget_class, WpDetails, facts);
  gtk_widget_class_bind_template_child (widget_class, WpDetails, frames);
  gtk_widget_class_bind_template_child (widget_class, WpDetails, frames_note);
  gtk_widget_class_bind_template_child (widget_class, WpDetails, woken_by);
  gtk_widget_class_bind_template_child (widget_class, WpDetails, woke);
  gtk_widget_class_bind_template_child (widget_class, WpDetails, facts_column);
  gtk_widget_class_bind_template_child (widget_class, WpDetails, frames_column);
  gtk_widget_class_bind_template_child (widget_class, WpDetails, woken_by_column);
  gtk_widget_class_bind_template_child (widget_class, WpDetails, woke_column);
  gtk_widget_class_bind_template_callback (widget_class, on_link);
}

static void
wp_details_init (WpDetails *self)
{
  self->sources = wp_sources_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
  wp_details_show (self, NULL);
}
