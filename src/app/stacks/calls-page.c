#include "app/stacks/calls-page.h"

#include "app/page/content.h"
#include "app/page/copying.h"
#include "app/stacks/calls-view.h"
#include "app/widgets/context-menu.h"

struct _WpCallsPage
{
  AdwBin parent_instance;

  WpCallsModel *model;
  WpCallsView *view;
  char *title;
  WpWorkspace *workspace; /* whose process it is of; NULL: a file's */
  WpSaver *saver;
  gboolean focused; /* the keyboard was given to the picture */
};

static void wp_calls_page_content_init (WpContentInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (WpCallsPage, wp_calls_page, ADW_TYPE_BIN,
                               G_IMPLEMENT_INTERFACE (WP_TYPE_CONTENT, wp_calls_page_content_init))

/* --- what can be done --- */

static gboolean
has_picture (gpointer content, int which)
{
  WpCallsPage *self = content;

  return wp_diagram_area_diagram (wp_calls_view_area (self->view)) != NULL;
}

static gboolean
has_selection (gpointer content, int which)
{
  WpCallsPage *self = content;

  return wp_diagram_area_selected (wp_calls_view_area (self->view)) != WP_NO_NODE;
}

static gboolean
has_matches (gpointer content, int which)
{
  WpCallsPage *self = content;

  return wp_calls_view_has_matches (self->view);
}

static void
zoom (gpointer content, GVariant *value, int direction)
{
  WpCallsPage *self = content;

  wp_diagram_area_step (wp_calls_view_area (self->view), direction);
}

static void
fit_selection (gpointer content, GVariant *value, int which)
{
  WpCallsPage *self = content;

  gtk_widget_activate_action (GTK_WIDGET (wp_calls_view_area (self->view)), "canvas.fit-selection", NULL);
}

static void
search (gpointer content, GVariant *value, int which)
{
  WpCallsPage *self = content;

  wp_calls_view_search (self->view, NULL);
}

static void
search_name (gpointer content, GVariant *value, int which)
{
  WpCallsPage *self = content;
  g_autofree char *name = wp_calls_view_selected_name (self->view);

  wp_calls_view_search (self->view, name);
}

static void
copy_name (gpointer content, GVariant *value, int which)
{
  WpCallsPage *self = content;
  g_autofree char *name = wp_calls_view_selected_name (self->view);

  gdk_clipboard_set_text (gtk_widget_get_clipboard (content), name);
}

static void
next_match (gpointer content, GVariant *value, int direction)
{
  WpCallsPage *self = content;

  wp_calls_view_next_match (self->view, direction);
}

static void
copy_said (gpointer content, GVariant *value, int markdown)
{
  WpCallsPage *self = content;
  g_autofree char *said = wp_calls_view_said (self->view);

  if (said != NULL)
    wp_copy_said (content, said, NULL, markdown);
}

/* It is called after the process, or after the file. */
static WpExport *
picture_of (WpCallsPage *self)
{
  const WpAnalysis *analysis = self->workspace != NULL ? wp_workspace_analysis (self->workspace) : NULL;

  return wp_calls_view_export (self->view, analysis != NULL ? analysis->paths->name : self->title, analysis == NULL);
}

static void
copy_picture (gpointer content, GVariant *value, int which)
{
  wp_copy_picture (content, picture_of (content), (void (*) (gpointer, const char *)) wp_content_tell);
}

static void
export_picture (gpointer content, GVariant *value, int which)
{
  WpCallsPage *self = content;

  wp_saver_save (self->saver, content, picture_of (self), NULL);
}

static const WpContentAction actions[WP_N_ACTIONS] = {
  [WP_ACTION_ZOOM_IN] = { zoom, has_picture, NULL, 1 },
  [WP_ACTION_ZOOM_OUT] = { zoom, has_picture, NULL, -1 },
  [WP_ACTION_ZOOM_FIT] = { zoom, has_picture, NULL, 0 },
  [WP_ACTION_FIT_SELECTION] = { fit_selection, has_picture, NULL, 0 },
  [WP_ACTION_SEARCH] = { search, NULL, NULL, 0 },
  [WP_ACTION_SEARCH_NAME] = { search_name, has_selection, NULL, 0 },
  [WP_ACTION_COPY_NAME] = { copy_name, has_selection, NULL, 0 },
  [WP_ACTION_COPY_DETAILS] = { copy_said, has_selection, NULL, FALSE },
  [WP_ACTION_COPY_MARKDOWN] = { copy_said, has_selection, NULL, TRUE },
  [WP_ACTION_COPY_PICTURE] = { copy_picture, has_picture, NULL, 0 },
  [WP_ACTION_NEXT_MATCH] = { next_match, has_matches, NULL, 1 },
  [WP_ACTION_PREVIOUS_MATCH] = { next_match, has_matches, NULL, -1 },
  [WP_ACTION_EXPORT_PICTURE] = { export_picture, has_picture, NULL, 0 },
};

/* --- the content of a page --- */

static gboolean
content_busy (WpContent *content)
{
  return wp_calls_model_busy (WP_CALLS_PAGE (content)->model);
}

static WpProblems *
content_problems (WpContent *content)
{
  return NULL;
}

static void
wp_calls_page_content_init (WpContentInterface *iface)
{
  iface->actions = actions;
  iface->busy = content_busy;
  iface->problems = content_problems;
}

/* --- the widget --- */

/* The keyboard begins in the picture, once. */
static void
focus_picture (WpCallsPage *self)
{
  if (!self->focused && gtk_widget_get_mapped (GTK_WIDGET (self)) && has_picture (self, 0))
    self->focused = gtk_widget_grab_focus (GTK_WIDGET (wp_calls_view_area (self->view)));
}

static void
on_made (WpCallsModel *model, WpCallsPage *self)
{
  focus_picture (self);
  wp_content_changed (WP_CONTENT (self));
}

static void
on_menu_wanted (WpCallsView *view, guint node, guint frame, GtkWidget *over, double x, double y, WpCallsPage *self)
{
  wp_context_menu_open (over, node != WP_NO_NODE ? "node-menu" : "canvas-menu", NULL, x, y);
}

static void
on_map (WpCallsPage *self)
{
  wp_calls_view_look (self->view, TRUE, G_MAXUINT32);
  focus_picture (self);
}

/* What nobody sees is not made. */
static void
on_unmap (WpCallsPage *self)
{
  wp_calls_view_look (self->view, FALSE, G_MAXUINT32);
  self->focused = FALSE;
}

static void
wp_calls_page_finalize (GObject *object)
{
  WpCallsPage *self = WP_CALLS_PAGE (object);

  g_clear_object (&self->model);
  g_clear_object (&self->workspace);
  g_clear_object (&self->saver);
  g_free (self->title);
  G_OBJECT_CLASS (wp_calls_page_parent_class)->finalize (object);
}

static void
wp_calls_page_class_init (WpCallsPageClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = wp_calls_page_finalize;
}

static void
wp_calls_page_init (WpCallsPage *self)
{
}

/* Takes the reference to the model. */
static WpCallsPage *
new_page (WpCallsModel *model, const char *title, WpSaver *saver)
{
  WpCallsPage *self = g_object_new (WP_TYPE_CALLS_PAGE, NULL);

  self->title = g_strdup (title);
  self->saver = g_object_ref (saver);
  self->model = model;
  self->view = WP_CALLS_VIEW (wp_calls_view_new (self->model));
  g_signal_connect_swapped (self->view, "changed", G_CALLBACK (wp_content_changed), self);
  g_signal_connect (self->view, "menu-wanted", G_CALLBACK (on_menu_wanted), self);
  g_signal_connect_object (self->model, "made", G_CALLBACK (on_made), self, G_CONNECT_AFTER);
  g_signal_connect_object (self->model, "changed", G_CALLBACK (wp_content_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_after (self, "map", G_CALLBACK (on_map), NULL);
  g_signal_connect (self, "unmap", G_CALLBACK (on_unmap), NULL);
  adw_bin_set_child (ADW_BIN (self), GTK_WIDGET (self->view));
  return self;
}

GtkWidget *
wp_calls_page_new (WpShared *calls, const char *title, WpSaver *saver)
{
  return GTK_WIDGET (new_page (wp_calls_model_new_of_graph (calls), title, saver));
}

GtkWidget *
wp_calls_page_new_of_process (WpWorkspace *workspace, const char *title, WpSaver *saver)
{
  WpCallsPage *self = new_page (wp_calls_model_new_of_process (workspace), title, saver);

  self->workspace = g_object_ref (workspace);
  return GTK_WIDGET (self);
}
