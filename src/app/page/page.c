/* A page: its widgets, and what its other files have in common. */
#include "app/page/page-private.h"

#include <glib/gi18n.h>

#include "app/shell/settings.h"
#include "app/widgets/toast.h"

enum
{
  SIGNAL_CHANGED,
  SIGNAL_FINISHED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (WpPage, wp_page, ADW_TYPE_BIN)

static const struct
{
  const char *id, *name;
} view_names[WP_N_VIEWS] = {
  [WP_VIEW_PROCESSES] = { "processes", N_ ("Processes") },
  [WP_VIEW_FLAME] = { "flame", N_ ("Flame View") },
  [WP_VIEW_CONSOLIDATED] = { "consolidated", N_ ("Consolidated Flame View") },
};

GFile *
wp_page_file (WpPage *self)
{
  return self->file;
}

const char *
wp_page_title (WpPage *self)
{
  return self->title;
}

GtkWidget *
wp_page_panel (WpPage *self)
{
  return GTK_WIDGET (self->panel);
}

WpShared *
wp_page_share_analysis (WpPage *self)
{
  return wp_shared_ref (self->analysis);
}

gboolean
wp_page_shows_profile (WpPage *self)
{
  return self->kinds != NULL;
}

/* Symbols that are being read change nothing of this. */
const char *
wp_page_recorder_text (WpPage *self, const char *key)
{
  const WpDocument *document = wp_shared_get (self->document);
  GHashTable *extra = document != NULL && document->trace != NULL ? document->trace->extra : NULL;

  return extra != NULL ? g_hash_table_lookup (extra, key) : NULL;
}

gboolean
wp_page_unsaved (WpPage *self)
{
  return self->kinds != NULL && wp_plot_page_unsaved (self->kinds);
}

gboolean
wp_page_busy (WpPage *self)
{
  return (self->kinds != NULL && wp_plot_page_busy (self->kinds)) || self->opening != NULL || self->reading_symbols != NULL || self->analysing != NULL || self->saving != NULL;
}

gboolean
wp_page_has_views (WpPage *self)
{
  return self->document != NULL || self->kinds != NULL;
}

void
wp_page_changed (WpPage *self)
{
  if (!self->gone)
    g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

void
wp_page_toast (WpPage *self, const char *text)
{
  wp_toast (self->toasts, text);
}

void
wp_page_reveal (GtkRevealer *bar, gboolean shown)
{
  if (shown)
    gtk_widget_set_visible (GTK_WIDGET (bar), TRUE);
  gtk_revealer_set_reveal_child (bar, shown);
}

const WpTrace *
wp_page_trace (WpPage *self)
{
  const WpDocument *document = wp_shared_get (self->document);

  return document != NULL && !self->trace_busy ? document->trace : NULL;
}

const WpAnalysis *
wp_page_analysis (WpPage *self)
{
  return wp_shared_get (self->range != NULL ? self->range : self->analysis);
}

const WpExplanation *
wp_page_explanation (WpPage *self)
{
  return self->analysis != NULL ? wp_page_analysis (self)->explanation : NULL;
}

gboolean
wp_page_has_recording (WpPage *self)
{
  const WpDocument *document = wp_shared_get (self->document);

  return document != NULL && document->saved == NULL;
}

void
wp_page_set_view (WpPage *self, WpViewId view)
{
  self->current = view;
  gtk_stack_set_visible_child_name (self->views, view_names[view].id);
  wp_page_show_details (self);
  if (self->range != NULL) /* the views count time from different moments */
    wp_page_show_explanation (self);
  wp_page_mark_boxes (self);
  gtk_widget_grab_focus (GTK_WIDGET (wp_page_canvas (self)));
  wp_page_changed (self);
}

/* --- template callbacks --- */

static void
on_cancel_loading (GtkButton *button, WpPage *self)
{
  wp_job_drop (&self->opening);
  g_signal_emit (self, signals[SIGNAL_FINISHED], 0);
}

static void
on_retry (GtkButton *button, WpPage *self)
{
  wp_page_open (self);
}

static void
on_cancel_symbols (GtkButton *button, WpPage *self)
{
  wp_job_cancel (self->reading_symbols);
}

static void
on_close_banner (GtkButton *button, WpPage *self)
{
  wp_page_dismiss_problems (self);
}

static void
on_revealed (GtkRevealer *bar, GParamSpec *pspec, WpPage *self)
{
  if (!gtk_revealer_get_child_revealed (bar) && !gtk_revealer_get_reveal_child (bar))
    gtk_widget_set_visible (GTK_WIDGET (bar), FALSE);
}

static void
on_search_changed (GtkSearchEntry *entry, WpPage *self)
{
  wp_page_search_typed (self);
}

static void
on_search_next (GtkWidget *widget, WpPage *self)
{
  wp_page_next_match (self, 1);
}

static void
on_search_previous (GtkWidget *widget, WpPage *self)
{
  wp_page_next_match (self, -1);
}

static void
on_search_mode (GtkSearchBar *bar, GParamSpec *pspec, WpPage *self)
{
  if (gtk_search_bar_get_search_mode (bar) || self->document == NULL || self->gone)
    return;
  g_array_set_size (self->found, 0);
  wp_page_choose (self);
  gtk_widget_grab_focus (GTK_WIDGET (wp_page_canvas (self)));
  wp_page_changed (self);
}

static void
on_link (WpDetails *details, const char *uri, WpPage *self)
{
  wp_page_follow (self, uri);
}

static void
on_chosen (WpExplanationPanel *panel, WpPage *self)
{
  wp_page_choose (self);
  wp_page_changed (self);
}

static void
on_step (WpExplanationPanel *panel, int how, WpPage *self)
{
  wp_page_step (self, how);
}

static void
on_whole (WpExplanationPanel *panel, WpPage *self)
{
  for (WpViewId v = 0; v < WP_N_VIEWS; v++)
    wp_canvas_set_mark (wp_view_canvas (self->view[v]), 0, 0);
  wp_page_explain_range (self);
}

static void
on_row_opened (WpView *view, guint row, WpPage *self)
{
  wp_page_open_row (self, row);
}

static void
show_choose (WpPage *self)
{
  for (WpViewId v = WP_VIEW_FLAME; v < WP_N_VIEWS; v++)
    wp_view_show_empty (self->view[v], WP_ICON_FLAME, _("Choose a Process"),
                        _("Click the name of a process in the Processes view to see where its time went."));
}

static void
on_view_cancelled (WpView *view, WpPage *self)
{
  const WpAnalysis *analysis;

  wp_job_drop (&self->analysing);
  analysis = self->again ? wp_page_analysis (self) : NULL;
  if (analysis == NULL)
    show_choose (self);
  wp_view_set_rows (self->view[WP_VIEW_FLAME], analysis != NULL ? analysis->flame : NULL, analysis != NULL);
  wp_view_set_rows (self->view[WP_VIEW_CONSOLIDATED], analysis != NULL ? analysis->consolidated : NULL, analysis != NULL);
  wp_page_show_explanation (self);
  wp_page_changed (self);
}

/* --- building --- */

static void
build_views (WpPage *self)
{
  for (WpViewId v = 0; v < WP_N_VIEWS; v++)
    {
      self->view[v] = WP_VIEW (wp_view_new (_(view_names[v].name)));
      gtk_stack_add_named (self->views, GTK_WIDGET (self->view[v]), view_names[v].id);
      wp_page_connect_canvas (self, v);
      wp_view_set_legend (self->view[v], self->legend);
      g_signal_connect_object (self->view[v], "cancelled", G_CALLBACK (on_view_cancelled), self, 0);
      g_signal_connect_object (self->view[v], "row-opened", G_CALLBACK (on_row_opened), self, 0);
    }
  show_choose (self);
}

/* The details keep the height they had last: what a pane gives away is known once it has a size. */
static void
place_details (GtkPaned *paned, GParamSpec *pspec, WpPage *self)
{
  int wanted = wp_settings_int ("details-height", 190), whole = gtk_widget_get_height (GTK_WIDGET (paned));

  if (whole < 2 * wanted)
    return;
  g_signal_handlers_disconnect_by_func (paned, place_details, self);
  gtk_paned_set_position (paned, whole - wanted);
}

static void
keep_details (GtkWidget *widget, WpPage *self)
{
  int height = self->details != NULL ? gtk_widget_get_height (GTK_WIDGET (self->details)) : 0;

  if (height > 0)
    wp_settings_set_int ("details-height", height);
}

static void
read_settings (WpPage *self)
{
  self->show_sleeps = wp_settings_boolean ("show-sleeps", FALSE);
  self->summary = wp_settings_boolean ("summary", FALSE);
  self->merge_threads = wp_settings_boolean ("merge-threads", FALSE);
  self->started_work = wp_settings_boolean ("started-work", FALSE);
  self->legend = wp_settings_boolean ("show-legend", TRUE);
  self->links = TRUE;
  g_signal_connect_object (self->down, "notify::max-position", G_CALLBACK (place_details), self, 0);
  g_signal_connect_object (self, "unmap", G_CALLBACK (keep_details), self, 0);
  self->show_details = wp_settings_boolean ("show-details", TRUE);
}

static void
wp_page_dispose (GObject *object)
{
  WpPage *self = WP_PAGE (object);

  WpJob **const jobs[] = { &self->opening,   &self->reading_symbols, &self->laying_out,
                           &self->analysing, &self->explaining,      &self->saving,
                           &self->looking_up };

  self->gone = TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (jobs); i++)
    wp_job_drop (jobs[i]);
  g_clear_handle_id (&self->filter_source, g_source_remove);
  G_OBJECT_CLASS (wp_page_parent_class)->dispose (object);
}

static void
wp_page_finalize (GObject *object)
{
  WpPage *self = WP_PAGE (object);

  g_clear_pointer (&self->range, wp_shared_unref);
  g_clear_pointer (&self->analysis, wp_shared_unref);
  g_clear_pointer (&self->document, wp_shared_unref);
  g_clear_pointer (&self->sources, wp_sources_free);
  g_clear_pointer (&self->cuts, g_array_unref);
  g_clear_pointer (&self->cuts_before, g_ptr_array_unref);
  g_clear_pointer (&self->stops, g_array_unref);
  g_clear_pointer (&self->stop_ns, g_array_unref);
  g_clear_pointer (&self->found, g_array_unref);
  g_clear_object (&self->file);
  g_free (self->dismissed);
  g_free (self->searched);
  g_free (self->title);
  G_OBJECT_CLASS (wp_page_parent_class)->finalize (object);
}

static void
bind_template (GtkWidgetClass *klass)
{
  gtk_widget_class_set_template_from_resource (klass, "/org/wakepath/Wakepath/page.ui");
  gtk_widget_class_bind_template_child (klass, WpPage, stack);
  gtk_widget_class_bind_template_child (klass, WpPage, loading);
  gtk_widget_class_bind_template_child (klass, WpPage, failed);
  gtk_widget_class_bind_template_child (klass, WpPage, loading_progress);
  gtk_widget_class_bind_template_child (klass, WpPage, symbols_progress);
  gtk_widget_class_bind_template_child (klass, WpPage, banner);
  gtk_widget_class_bind_template_child (klass, WpPage, banner_text);
  gtk_widget_class_bind_template_child (klass, WpPage, banner_more);
  gtk_widget_class_bind_template_child (klass, WpPage, problems);
  gtk_widget_class_bind_template_child (klass, WpPage, cuts_bar);
  gtk_widget_class_bind_template_child (klass, WpPage, cuts_text);
  gtk_widget_class_bind_template_child (klass, WpPage, symbols);
  gtk_widget_class_bind_template_child (klass, WpPage, symbols_text);
  gtk_widget_class_bind_template_child (klass, WpPage, matches);
  gtk_widget_class_bind_template_child (klass, WpPage, search_bar);
  gtk_widget_class_bind_template_child (klass, WpPage, search_entry);
  gtk_widget_class_bind_template_child (klass, WpPage, down);
  gtk_widget_class_bind_template_child (klass, WpPage, views);
  gtk_widget_class_bind_template_child (klass, WpPage, toasts);
  gtk_widget_class_bind_template_child (klass, WpPage, details);
  gtk_widget_class_bind_template_child (klass, WpPage, panel);
  gtk_widget_class_bind_template_callback (klass, on_cancel_loading);
  gtk_widget_class_bind_template_callback (klass, on_retry);
  gtk_widget_class_bind_template_callback (klass, on_cancel_symbols);
  gtk_widget_class_bind_template_callback (klass, on_close_banner);
  gtk_widget_class_bind_template_callback (klass, on_revealed);
  gtk_widget_class_bind_template_callback (klass, on_search_changed);
  gtk_widget_class_bind_template_callback (klass, on_search_next);
  gtk_widget_class_bind_template_callback (klass, on_search_previous);
  gtk_widget_class_bind_template_callback (klass, on_search_mode);
  gtk_widget_class_bind_template_callback (klass, on_link);
  gtk_widget_class_bind_template_callback (klass, on_chosen);
  gtk_widget_class_bind_template_callback (klass, on_step);
  gtk_widget_class_bind_template_callback (klass, on_whole);
}

static void
wp_page_class_init (WpPageClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = wp_page_dispose;
  G_OBJECT_CLASS (klass)->finalize = wp_page_finalize;
  signals[SIGNAL_CHANGED]
    = g_signal_new ("changed", WP_TYPE_PAGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_FINISHED]
    = g_signal_new ("finished", WP_TYPE_PAGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  g_type_ensure (WP_TYPE_DETAILS);
  g_type_ensure (WP_TYPE_EXPLANATION_PANEL);
  bind_template (GTK_WIDGET_CLASS (klass));
}

static void
wp_page_init (WpPage *self)
{
  self->found = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->stops = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->stop_ns = g_array_new (FALSE, FALSE, sizeof (gint64));
  self->cuts = g_array_new (FALSE, FALSE, sizeof (WpId));
  self->cuts_before = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  self->sources = wp_sources_new ();
  self->stop = self->match = G_MAXUINT;
  gtk_widget_init_template (GTK_WIDGET (self));
  read_settings (self);
  build_views (self);
  wp_page_build_toolbars (self);
  gtk_search_bar_connect_entry (self->search_bar, GTK_EDITABLE (self->search_entry));
  wp_explanation_panel_show (self->panel, NULL, NULL, FALSE, 0);
}

GtkWidget *
wp_page_new (GFile *file, const char *title)
{
  WpPage *self = g_object_new (WP_TYPE_PAGE, NULL);

  self->file = g_object_ref (file);
  self->title = title != NULL ? g_strdup (title) : g_file_get_basename (file);
  wp_page_open (self);
  return GTK_WIDGET (self);
}

