#include "app/page/search-bar.h"

#include "workspace/file/search.h"
#include "workspace/worker.h"

#define AT_ONCE 100000 /* boxes that are looked through within a frame; more are by a worker */
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
  char *sought;      /* what was looked for last, or is; or NULL */
  WpWorker *finding; /* … by this; or NULL */
  int wanted;        /* meanwhile somebody wanted the next match (1) or the previous one (-1); 0: nobody */
  gboolean marks;
  int opening; /* folds are being opened, to go on to the next match (1) or the previous one (-1); 0: not */
  guint settling; /* source, or 0 */
};

/* What a worker looks for. */
typedef struct
{
  WpShared *rows;
  guint32 *stacks;
  char *text;
} Request;

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

static void
request_free (gpointer data)
{
  Request *self = data;

  wp_shared_unref (self->rows);
  g_free (self->stacks);
  g_free (self->text);
  g_free (self);
}

static gpointer
find (gpointer data, WpProgress *progress, GError **error)
{
  Request *self = data;

  return wp_search_find (wp_shared_get (self->rows), self->stacks, self->text, progress, error);
}

static void
show_found (WpSearchBar *self, WpFound *found)
{
  guint8 *boxes = wp_search_take (self->search, found, self->sought, wp_canvas_selected (self->canvas));
  int opening = self->opening;

  self->marks = boxes != NULL;
  if (self->marks)
    wp_canvas_set_highlight (self->canvas, boxes);
  show_count (self);
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
  self->opening = 0;
  if (opening != 0)
    go_to (self, opening);
}

static void
on_found (gpointer result, const GError *error, gpointer user_data)
{
  WpSearchBar *self = user_data;

  int wanted = self->wanted;

  self->finding = NULL;
  self->wanted = 0;
  if (self->canvas == NULL)
    {
      wp_found_free (result);
      return;
    }
  show_found (self, result);
  if (wanted != 0)
    wp_search_bar_next (self, wanted);
}

void
wp_search_bar_update (WpSearchBar *self)
{
  const WpRows *rows = self->canvas != NULL ? wp_canvas_rows (self->canvas) : NULL;
  g_autofree guint32 *stacks
    = self->folder != NULL && rows != NULL && rows->hidden.len > 1 ? self->folds->matching (self->folder, typed (self)) : NULL;
  Request *request;

  wp_worker_drop (&self->finding);
  if (self->canvas == NULL)
    return;
  g_free (self->sought);
  self->sought = g_strdup (typed (self));
  if (rows == NULL || rows->boxes.len <= AT_ONCE || *self->sought == '\0')
    {
      self->wanted = 0;
      show_found (self, wp_search_find (rows, stacks, self->sought, NULL, NULL));
      return;
    }
  wp_search_forget (self->search); /* it may be of other rows */
  self->marks = TRUE;              /* soon */
  request = g_new0 (Request, 1);
  request->rows = wp_shared_ref (wp_canvas_shared_rows (self->canvas));
  request->stacks = g_steal_pointer (&stacks);
  request->text = g_strdup (self->sought);
  self->finding = wp_worker_start (&(WpWorkerSpec) { .run = find, .done = on_found, .data = request, .free_data = request_free,
                                                     .free_result = (GDestroyNotify) wp_found_free, .user_data = self });
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
  return self->finding != NULL || wp_search_count (self->search) > 0;
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
  if (g_strcmp0 (typed (self), self->sought) != 0)
    wp_search_bar_update (self);
}

static gboolean
on_settled (gpointer data)
{
  WpSearchBar *self = data;

  if (self->finding != NULL)
    return G_SOURCE_CONTINUE;
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
  if (self->finding != NULL)
    self->wanted = direction;
  else if (wp_search_count_folded (self->search) > 0 && self->folder != NULL && self->opening == 0
           && (self->folds->open (self->folder, typed (self)) || self->folds->is_busy (self->folder)))
    self->opening = direction;
  else
    go_to (self, direction);
}

void
wp_search_bar_close_folds (WpSearchBar *self)
{
  g_clear_handle_id (&self->settling, g_source_remove);
  self->opening = 0;
  if (self->folder != NULL)
    self->folds->close (self->folder);
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
  wp_worker_drop (&self->finding);
  self->wanted = 0;
  wp_search_forget (self->search);
  self->marks = FALSE;
  wp_search_bar_close_folds (self);
  g_signal_emit (self, signals[SIGNAL_CLOSED], 0);
}

/* --- the widget --- */

static void
wp_search_bar_dispose (GObject *object)
{
  g_clear_handle_id (&WP_SEARCH_BAR (object)->settling, g_source_remove);
  wp_worker_drop (&WP_SEARCH_BAR (object)->finding);
  g_clear_weak_pointer (&WP_SEARCH_BAR (object)->canvas);
  g_clear_weak_pointer (&WP_SEARCH_BAR (object)->folder);
  G_OBJECT_CLASS (wp_search_bar_parent_class)->dispose (object);
}

static void
wp_search_bar_finalize (GObject *object)
{
  wp_search_free (WP_SEARCH_BAR (object)->search);
  g_free (WP_SEARCH_BAR (object)->sought);
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

/* What slides in is mapped with its first frame only, and GTK drops keys for what is not: who types on at once would lose the first letters. */
static void
appear_at_once (GtkSearchBar *bar)
{
  GtkWidget *revealer = gtk_widget_get_first_child (GTK_WIDGET (bar));

  if (GTK_IS_REVEALER (revealer))
    gtk_revealer_set_transition_duration (GTK_REVEALER (revealer), 0);
}

static void
wp_search_bar_init (WpSearchBar *self)
{
  self->search = wp_search_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_search_bar_connect_entry (self->bar, GTK_EDITABLE (self->entry));
  appear_at_once (self->bar);
}
