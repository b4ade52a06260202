/* What can be done with stacks with values. */
#include "app/stacks/stacks-page-private.h"

#include "app/page/copying.h"

/* Of the current view; NULL: it is a table. */
static WpCanvas *
canvas_of (WpStacksPage *self)
{
  WpView *view = wp_stacks_page_rows (self);

  return view != NULL ? wp_view_canvas (view) : NULL;
}

/* The diagram, if it is seen; else NULL. */
static WpDiagramArea *
diagram_of (WpStacksPage *self)
{
  return self->current == WP_STACKS_CALLS ? wp_calls_view_area (self->calls) : NULL;
}

/* --- when --- */

static gboolean
has_rows (gpointer content, int which)
{
  WpCanvas *canvas = canvas_of (content);

  return canvas != NULL && wp_canvas_rows (canvas) != NULL;
}

static gboolean
has_picture (gpointer content, int which)
{
  WpDiagramArea *diagram = diagram_of (content);

  return diagram != NULL ? wp_diagram_area_diagram (diagram) != NULL : has_rows (content, which);
}

static gboolean
has_selection (gpointer content, int which)
{
  return has_rows (content, which) && wp_canvas_selected (canvas_of (content)) != WP_NO_BOX;
}

static gboolean
can_go (gpointer content, int direction)
{
  return has_rows (content, direction) && wp_canvas_can_go (canvas_of (content), direction);
}

static gboolean
has_matches (gpointer content, int which)
{
  WpStacksPage *self = content;

  return diagram_of (self) != NULL ? wp_calls_view_has_matches (self->calls) : has_rows (content, which) && wp_search_bar_has_matches (self->search);
}

static gboolean
has_values (gpointer content, int which)
{
  WpStacksPage *self = content;

  return wp_stacks_model_views (self->model) != NULL;
}

static gboolean
can_export_picture (gpointer content, int which)
{
  return has_picture (content, which) && has_values (content, which);
}

static gboolean
can_export_visible (gpointer content, int which)
{
  return has_rows (content, which) && has_values (content, which);
}

/* --- views and places --- */

static void
set_view (gpointer content, GVariant *value, int which)
{
  for (guint v = 0; v < WP_STACKS_N_VIEWS; v++)
    if (g_str_equal (g_variant_get_string (value, NULL), wp_stacks_page_views[v].id))
      wp_stacks_page_switch (content, (WpStacksViewId) v);
}

static GVariant *
view_state (gpointer content, int which)
{
  WpStacksPage *self = content;

  return g_variant_new_string (wp_stacks_page_views[self->current].id);
}

static void
zoom (gpointer content, GVariant *value, int direction)
{
  if (diagram_of (content) != NULL)
    wp_diagram_area_step (diagram_of (content), direction);
  else
    wp_canvas_step (canvas_of (content), direction);
}

static void
set_fits_height (gpointer content, GVariant *value, int which)
{
  wp_canvas_set_fits_height (canvas_of (content), g_variant_get_boolean (value));
}

static GVariant *
fits_height (gpointer content, int which)
{
  WpCanvas *canvas = canvas_of (content);

  return g_variant_new_boolean (canvas != NULL && wp_canvas_fits_height (canvas));
}

static void
fit_selection (gpointer content, GVariant *value, int which)
{
  if (diagram_of (content) != NULL)
    gtk_widget_activate_action (GTK_WIDGET (diagram_of (content)), "canvas.fit-selection", NULL);
  else
    wp_canvas_fit_selection (canvas_of (content));
}

static void
go (gpointer content, GVariant *value, int direction)
{
  wp_canvas_go (canvas_of (content), direction);
}

/* --- options of the flame view --- */

static gboolean *
option_in (WpStacksChoice *choice, int which)
{
  return which == WP_ACTION_INVERTED ? &choice->inverted : which == WP_ACTION_ICICLE ? &choice->icicle : &choice->collapse_recursion;
}

static void
set_option (gpointer content, GVariant *value, int which)
{
  WpStacksPage *self = content;
  WpStacksChoice choice = *wp_stacks_model_choice (self->model);

  *option_in (&choice, which) = g_variant_get_boolean (value);
  wp_stacks_model_choose (self->model, &choice);
}

static GVariant *
option_state (gpointer content, int which)
{
  WpStacksPage *self = content;
  WpStacksChoice choice = *wp_stacks_model_choice (self->model);

  return g_variant_new_boolean (*option_in (&choice, which));
}

/* --- search --- */

static void
search (gpointer content, GVariant *value, int which)
{
  WpStacksPage *self = content;

  if (diagram_of (self) != NULL)
    {
      wp_calls_view_search (self->calls, NULL);
      return;
    }
  if (canvas_of (self) == NULL)
    wp_stacks_page_switch (self, WP_STACKS_FLAME);
  wp_search_bar_open (self->search, NULL);
}

static void
next_match (gpointer content, GVariant *value, int direction)
{
  WpStacksPage *self = content;

  if (diagram_of (self) != NULL)
    wp_calls_view_next_match (self->calls, direction);
  else
    wp_search_bar_next (self->search, direction);
}

static char *
selected_name (WpStacksPage *self)
{
  const WpRows *rows = wp_canvas_rows (canvas_of (self));

  return g_strdup (wp_rows_string (rows, rows->boxes.data[wp_canvas_selected (canvas_of (self))].label));
}

static void
search_name (gpointer content, GVariant *value, int which)
{
  WpStacksPage *self = content;
  g_autofree char *name = selected_name (self);

  wp_search_bar_open (self->search, name);
}

static void
copy_name (gpointer content, GVariant *value, int which)
{
  g_autofree char *name = selected_name (content);

  gdk_clipboard_set_text (gtk_widget_get_clipboard (content), name);
}

/* --- taking it away --- */

/* Of what is selected in the current view, lines; `stack`: its functions, or NULL. */
static char *
said_of (WpStacksPage *self, char **stack)
{
  const WpStacksViews *views = wp_shared_get (wp_stacks_model_views (self->model));
  WpCanvas *canvas = canvas_of (self);
  const WpViewport *seen = canvas != NULL ? wp_canvas_viewport (canvas) : NULL;
  const WpBox *box;

  *stack = NULL;
  if (diagram_of (self) != NULL)
    return wp_calls_view_said (self->calls);
  if (self->current == WP_STACKS_FUNCTIONS)
    return wp_functions_view_said (self->functions);
  box = &wp_canvas_rows (canvas)->boxes.data[wp_canvas_selected (canvas)];
  if (self->current == WP_STACKS_TIMELINE)
    return wp_stacks_views_describe_moment (views, wp_canvas_rows (canvas), (guint32) wp_canvas_selected (canvas), seen->start, seen->end,
                                            self->origin);
  *stack = wp_stacks_views_stack (views, box);
  return wp_stacks_views_describe (views, box);
}

static gboolean
can_copy (gpointer content, int which)
{
  WpStacksPage *self = content;

  if (diagram_of (self) != NULL)
    return wp_diagram_area_selected (diagram_of (self)) != WP_NO_NODE;
  if (self->current == WP_STACKS_FUNCTIONS)
    return wp_stacks_model_callers (self->model) != NULL;
  return has_selection (content, which) && has_values (content, which);
}

static void
copy_said (gpointer content, GVariant *value, int markdown)
{
  g_autofree char *stack = NULL, *said = said_of (content, &stack);

  if (said != NULL)
    wp_copy_said (content, said, stack, markdown);
}

static WpExport *
picture_of (WpStacksPage *self, gboolean visible)
{
  WpCanvas *canvas = canvas_of (self);
  g_autofree char *name = wp_export_suggest (self->title, TRUE, ".png");
  WpExportPicture picture = { .title = self->title, .theme = wp_current_theme (), .visible = visible };

  if (diagram_of (self) != NULL)
    return wp_calls_view_export (self->calls, self->title, TRUE);
  picture.viewport = wp_canvas_viewport (canvas);
  picture.state = wp_canvas_state (canvas);
  return wp_export_rows (wp_canvas_shared_rows (canvas), name, &picture);
}

static void
copy_picture (gpointer content, GVariant *value, int which)
{
  wp_copy_picture (content, picture_of (content, TRUE), (void (*) (gpointer, const char *)) wp_content_tell);
}

/* What the filter leaves is saved, as it is seen, and says so. */
static void
save (gpointer content, GVariant *value, int which)
{
  WpStacksPage *self = content;
  const WpStacksViews *views = wp_shared_get (wp_stacks_model_views (self->model));
  g_autofree char *name = wp_export_suggest (self->title, TRUE, ".pb.gz"), *left = wp_stacks_views_left (views);
  g_autoptr (WpShared) stacks = wp_stacks_views_share (views);

  wp_saver_save (self->saver, content, wp_export_stacks (stacks, left, name), NULL);
}

static void
export_picture (gpointer content, GVariant *value, int visible)
{
  WpStacksPage *self = content;

  wp_saver_save (self->saver, content, picture_of (self, visible), NULL);
}

static void
export_table (gpointer content, GVariant *value, int which)
{
  WpStacksPage *self = content;
  g_autofree char *name = wp_export_suggest (self->title, TRUE, "-functions.tsv");
  guint32 *order = NULL, n = 0;
  WpShared *grid = wp_functions_view_shown (self->functions, &order, &n);

  if (grid != NULL)
    wp_saver_save (self->saver, content, wp_export_grid (grid, name, order, n), NULL);
}

const WpContentAction wp_stacks_page_actions[WP_N_ACTIONS] = {
  [WP_ACTION_VIEW] = { set_view, NULL, view_state, 0 },
  [WP_ACTION_ZOOM_IN] = { zoom, has_picture, NULL, 1 },
  [WP_ACTION_ZOOM_OUT] = { zoom, has_picture, NULL, -1 },
  [WP_ACTION_ZOOM_FIT] = { zoom, has_picture, NULL, 0 },
  [WP_ACTION_FIT_HEIGHT] = { set_fits_height, has_rows, fits_height, 0 },
  [WP_ACTION_FIT_SELECTION] = { fit_selection, has_picture, NULL, 0 },
  [WP_ACTION_BACK] = { go, can_go, NULL, -1 },
  [WP_ACTION_FORWARD] = { go, can_go, NULL, 1 },
  [WP_ACTION_INVERTED] = { set_option, NULL, option_state, WP_ACTION_INVERTED },
  [WP_ACTION_COLLAPSE_RECURSION] = { set_option, NULL, option_state, WP_ACTION_COLLAPSE_RECURSION },
  [WP_ACTION_ICICLE] = { set_option, NULL, option_state, WP_ACTION_ICICLE },
  [WP_ACTION_COPY_NAME] = { copy_name, has_selection, NULL, 0 },
  [WP_ACTION_COPY_DETAILS] = { copy_said, can_copy, NULL, FALSE },
  [WP_ACTION_COPY_MARKDOWN] = { copy_said, can_copy, NULL, TRUE },
  [WP_ACTION_COPY_PICTURE] = { copy_picture, can_export_picture, NULL, 0 },
  [WP_ACTION_SEARCH_NAME] = { search_name, has_selection, NULL, 0 },
  [WP_ACTION_SEARCH] = { search, NULL, NULL, 0 },
  [WP_ACTION_NEXT_MATCH] = { next_match, has_matches, NULL, 1 },
  [WP_ACTION_PREVIOUS_MATCH] = { next_match, has_matches, NULL, -1 },
  [WP_ACTION_SAVE] = { save, has_values, NULL, 0 },
  [WP_ACTION_EXPORT_PICTURE] = { export_picture, can_export_picture, NULL, FALSE },
  [WP_ACTION_EXPORT_VISIBLE] = { export_picture, can_export_visible, NULL, TRUE },
  [WP_ACTION_EXPORT_TABLE] = { export_table, has_values, NULL, 0 },
};
