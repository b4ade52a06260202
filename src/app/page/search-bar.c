#include "app/page/search-bar.h"

#include "workspace/file/search.h"

#define SETTLED_MS 400 /* after the last letter: what matches within folds is shown, not while one still types */

struct _WpSearchBar
{
  AdwBin parent_instance;

  GtkSearchBar *bar;
  GtkBox *row;
  GtkSearchEntry *entry;
  GtkLabel *matches, *covered;
  WpCanvas *canvas; /* weak */
  const WpSearchFolds *folds;
  GObject *folder; /* weak: whose folds these are; NULL: nobody folds anything */
  WpSearch *search;
  gboolean marks;
  int opening; /* folds are being opened, to go on to the next match (1) or the previous one (-1); 0: not */
  guint settling; /* source, or 0 */
};

enum
{
  SIGNAL_CHANGED,
  SIGNAL_CLOSED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (WpSearchBar, wp_search_bar, ADW_TYPE_BIN)

static const char *
typed (WpSearchBar *self)
{
  return gtk_editable_get_text (GTK_EDITABLE (self->entry));
}

static void
show_count (WpSearchBar *self)
{
  g_autofree char *text = wp_search_text (self->search), *covered = wp_search_covered_text (self->search);

  gtk_label_set_text (self->matches, text);
  gtk_label_set_text (self->covered, covered);
}

static void
go_to (WpSearchBar *self, int direction)
{
  guint32 box = wp_search_next (self->search, direction);

  if (box == G_MAXUINT32 || self->canvas == NULL)
    return;
  wp_canvas_select (self->canvas, box, TRUE);
  show_count (self);
}

void
wp_search_bar_update (WpSearchBar *self)
{
  const WpRows *rows = self->canvas != NULL ? wp_canvas_rows (self->canvas) : NULL;
  g_autofree guint32 *stacks
    = self->folder != NULL && rows != NULL && rows->hidden.len > 1 ? self->folds->matching (self->folder, typed (self)) : NULL;
  int opening = self->opening;
  guint8 *boxes;

  if (self->canvas == NULL)
    return;
  boxes = wp_search_run (self->search, rows, stacks, typed (self), wp_canvas_selected (self->canvas));
  self->marks = boxes != NULL;
  if (self->marks)
    wp_canvas_set_highlight (self->canvas, boxes);
  show_count (self);
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
  self->opening = 0;
  if (opening != 0)
    go_to (self, opening);
}

void
wp_search_bar_look_behind (WpSearchBar *self, const WpSearchFolds *folds, gpointer of)
{
  self->folds = folds;
  g_set_weak_pointer (&self->folder, of);
}

void
wp_search_bar_look_at (WpSearchBar *self, WpCanvas *canvas)
{
  g_set_weak_pointer (&self->canvas, canvas);
}

void
wp_search_bar_append (WpSearchBar *self, GtkWidget *widget)
{
  gtk_box_append (self->row, widget);
}

const char *
wp_search_bar_text (WpSearchBar *self)
{
  return wp_search_bar_is_open (self) ? typed (self) : "";
}

gboolean
wp_search_bar_is_open (WpSearchBar *self)
{
  return gtk_search_bar_get_search_mode (self->bar);
}

gboolean
wp_search_bar_marks (WpSearchBar *self)
{
  return self->marks;
}

gboolean
wp_search_bar_has_matches (WpSearchBar *self)
{
  return wp_search_count (self->search) > 0;
}

void
wp_search_bar_open (WpSearchBar *self, const char *text)
{
  gtk_search_bar_set_search_mode (self->bar, TRUE);
  if (text != NULL)
    gtk_editable_set_text (GTK_EDITABLE (self->entry), text);
  else
    gtk_editable_select_region (GTK_EDITABLE (self->entry), 0, -1);
  gtk_widget_grab_focus (GTK_WIDGET (self->entry));
  wp_search_bar_update (self);
}

/* The entry tells of a change when typing has paused: a key may have asked for what it holds before that. */
static void
search_typed (WpSearchBar *self)
{
  if (!wp_search_is_for (self->search, typed (self)))
    wp_search_bar_update (self);
}

static gboolean
on_settled (gpointer data)
{
  WpSearchBar *self = data;

  self->settling = 0;
  if (wp_search_count_folded (self->search) > 0 && self->folder != NULL && self->opening == 0)
    self->folds->open (self->folder, typed (self));
  return G_SOURCE_REMOVE;
}

void
wp_search_bar_next (WpSearchBar *self, int direction)
{
  search_typed (self);
  g_clear_handle_id (&self->settling, g_source_remove);
  if (wp_search_count_folded (self->search) > 0 && self->folder != NULL && self->opening == 0
      && (self->folds->open (self->folder, typed (self)) || self->folds->is_busy (self->folder)))
    self->opening = direction;
  else
    go_to (self, direction);
}

/* --- template callbacks --- */

static void
on_typed (GtkSearchEntry *entry, WpSearchBar *self)
{
  search_typed (self);
  g_clear_handle_id (&self->settling, g_source_remove);
  self->settling = g_timeout_add (SETTLED_MS, on_settled, self);
}

static void
on_next (GtkWidget *widget, WpSearchBar *self)
{
  wp_search_bar_next (self, 1);
}

static void
on_previous (GtkWidget *widget, WpSearchBar *self)
{
  wp_search_bar_next (self, -1);
}

static void
on_mode (GtkSearchBar *bar, GParamSpec *pspec, WpSearchBar *self)
{
  if (gtk_search_bar_get_search_mode (bar) || self->canvas == NULL)
    return;
  g_clear_handle_id (&self->settling, g_source_remove);
  wp_search_forget (self->search);
  self->marks = FALSE;
  self->opening = 0;
  if (self->folder != NULL)
    self->folds->close (self->folder);
  g_signal_emit (self, signals[SIGNAL_CLOSED], 0);
}

/* --- the widget --- */

static void
wp_search_bar_dispose (GObject *object)
{
  g_clear_handle_id (&WP_SEARCH_BAR (object)->settling, g_source_remove);
  g_clear_weak_pointer (&WP_SEARCH_BAR (object)->canvas);
  g_clear_weak_pointer (&WP_SEARCH_BAR (object)->folder);
  G_OBJECT_CLASS (wp_search_bar_parent_class)->dispose (object);
}

static void
wp_search_bar_finalize (GObject *object)
{
  wp_search_free (WP_SEARCH_BAR (object)->search);
  G_OBJECT_CLASS (wp_search_bar_parent_class)->finalize (object);
}

static void
wp_search_bar_class_init (WpSearchBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = wp_search_bar_dispose;
  G_OBJECT_CLASS (klass)->finalize = wp_search_bar_finalize;
  signals[SIGNAL_CHANGED] = g_signal_new ("changed", WP_TYPE_SEARCH_BAR, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_CLOSED] = g_signal_new ("closed", WP_TYPE_SEARCH_BAR, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/wakepath/Wakepath/search-bar.ui");
  gtk_widget_class_bind_template_child (widget_class, WpSearchBar, bar);
  gtk_widget_class_bind_template_child (widget_class, WpSearchBar, row);
  gtk_widget_class_bind_template_child (widget_class, WpSearchBar, entry);
  gtk_widget_class_bind_template_child (widget_class, WpSearchBar, matches);
  gtk_widget_class_bind_template_child (widget_class, WpSearchBar, covered);
  gtk_widget_class_bind_template_callback (widget_class, on_typed);
  gtk_widget_class_bind_template_callback (widget_class, on_next);
  gtk_widget_class_bind_template_callback (widget_class, on_previous);
  gtk_widget_class_bind_template_callback (widget_class, on_mode);
}

static void
wp_search_bar_init (WpSearchBar *self)
{
  self->search = wp_search_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_search_bar_connect_entry (self->bar, GTK_EDITABLE (self->entry));
}
