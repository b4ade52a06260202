/* The Store page: reading what it shows, of which folder, and the widget. */
#include "app/store/store-panel-private.h"

#include "app/shell/settings.h"
#include "app/widgets/toast.h"

#define FIRST_COMMITS 100 /* so many are there at once */

enum
{
  SIGNAL_OPEN,
  SIGNAL_COMPARE,
  SIGNAL_HISTORY,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (WpStorePanel, wp_store_panel, ADW_TYPE_BIN)

void
wp_store_panel_toast (WpStorePanel *self, const char *text)
{
  wp_toast (self->toasts, text);
}

/* --- reading -------------------------------------------------------------------------------------------------------------------- */

static void
on_looked (gpointer result, const GError *error, gpointer data)
{
  WpStorePanel *self = data;

  self->looking = NULL;
  self->dirty = GPOINTER_TO_UINT (result);
  wp_store_panel_show_position (self);
}

/* Whether the work tree is dirty takes a while in a big one. */
static void
look_at_work_tree (WpStorePanel *self)
{
  WpStoreReadRequest *request = g_new0 (WpStoreReadRequest, 1);

  request->folder = g_strdup (self->folder);
  wp_job_drop (&self->looking);
  self->looking = wp_job_start (&(WpJobSpec) { .run = wp_store_read_dirty,
                                               .done = on_looked,
                                               .data = request,
                                               .free_data = wp_store_read_request_free,
                                               .user_data = self });
}

static void
on_store_changed (WpStore *store, gpointer data)
{
  wp_store_panel_read (data);
}

static void
set_session (WpStorePanel *self, WpStoreSession *session)
{
  if (session == self->session)
    return;
  if (self->session != NULL && self->session->store != NULL)
    wp_store_watch (self->session->store, NULL, NULL);
  wp_store_session_unref (self->session);
  self->session = wp_store_session_ref (session);
  wp_store_figures_set_session (self->figures, session != NULL && session->store != NULL ? session : NULL);
  if (session != NULL && session->store != NULL)
    wp_store_watch (session->store, on_store_changed, self);
}

/* A list keeps the row that it shows first; what comes before the first one is to be seen. */
static void
set_rows (WpStorePanel *self, WpStoreReading *reading)
{
  gboolean top = gtk_adjustment_get_value (gtk_scrolled_window_get_vadjustment (self->scroller)) < 1;

  wp_store_rows_set (self->rows, reading->pending, reading->commits);
  if (top && g_list_model_get_n_items (G_LIST_MODEL (self->rows)) > 0)
    gtk_widget_activate_action (GTK_WIDGET (self->list), "list.scroll-to-item", "u", 0);
}

static void
show_store (WpStorePanel *self, WpStoreReading *reading)
{
  g_strlcpy (self->head, reading->head, sizeof self->head);
  g_free (self->head_branch);
  self->head_branch = g_strdup (reading->head_branch);
  self->more = reading->more;
  self->n_minors = reading->n_minors;
  set_rows (self, reading);
  wp_store_panel_show_position (self);
  self->filling = TRUE;
  wp_store_panel_show_branches (self, reading);
  self->filling = FALSE;
  wp_store_panel_show_kinds (self);
  wp_store_panel_show_notice (self, reading->notice);
  if (*self->head == '\0' && self->session->vcs != NULL && reading->pending->len == 0)
    wp_store_panel_show_empty (self, WP_STORE_OPEN, NULL);
  else
    gtk_stack_set_visible_child_name (self->stack, "list");
}

static void
on_read (gpointer result, const GError *error, gpointer data)
{
  WpStorePanel *self = data;
  WpStoreReading *reading = result;
  gboolean list;

  self->reading = NULL;
  if (reading == NULL)
    {
      wp_store_panel_show_empty (self, WP_STORE_UNREADABLE, error->message);
      wp_store_panel_update_actions (self);
      return;
    }
  set_session (self, reading->session);
  list = reading->session->state == WP_STORE_OPEN;
  gtk_widget_set_visible (self->over, list);
  gtk_widget_set_visible (self->foot, list);
  if (list)
    {
      show_store (self, reading);
      look_at_work_tree (self);
    }
  else
    {
      wp_store_rows_set (self->rows, NULL, NULL);
      wp_store_panel_show_empty (self, reading->session->state, reading->session->message);
    }
  wp_store_reading_free (reading);
  wp_store_panel_update_actions (self);
  if (self->again)
    wp_store_panel_read (self);
  else
    wp_store_panel_read_more_if_seen (self);
}

static void
start_reading (WpStorePanel *self, WpStoreReadRequest *request)
{
  self->again = FALSE;
  self->reading = wp_job_start (&(WpJobSpec) { .run = wp_store_read_all,
                                               .done = on_read,
                                               .data = request,
                                               .free_data = wp_store_read_request_free,
                                               .free_result = wp_store_reading_free,
                                               .user_data = self });
}

/* One after the other: where reading commits goes on is one place. */
void
wp_store_panel_read (WpStorePanel *self)
{
  WpStoreReadRequest *request;

  self->again = TRUE;
  if (self->gone || self->reading != NULL || self->reading_more != NULL)
    return;
  request = g_new0 (WpStoreReadRequest, 1);
  request->folder = g_strdup (self->folder);
  request->branch = g_strdup (self->branch);
  request->n = FIRST_COMMITS;
  if (self->session != NULL && self->session->state == WP_STORE_OPEN)
    {
      request->session = wp_store_session_ref (self->session);
      request->known = g_ptr_array_ref (wp_store_rows_commits (self->rows));
    }
  start_reading (self, request);
}

static void
read_anew (WpStorePanel *self, gboolean create)
{
  WpStoreReadRequest *request = g_new0 (WpStoreReadRequest, 1);

  wp_job_drop (&self->reading);
  wp_job_drop (&self->reading_more);
  wp_job_drop (&self->looking);
  set_session (self, NULL);
  wp_store_rows_set (self->rows, NULL, NULL);
  g_clear_pointer (&self->branch, g_free);
  self->dirty = 0;
  self->more = FALSE;
  request->folder = g_strdup (self->folder);
  request->create = create;
  request->n = FIRST_COMMITS;
  gtk_stack_set_visible_child_name (self->stack, "busy");
  start_reading (self, request);
}

void
wp_store_panel_create (WpStorePanel *self)
{
  if (self->folder != NULL)
    read_anew (self, TRUE);
}

void
wp_store_panel_open_again (WpStorePanel *self)
{
  if (self->folder != NULL)
    read_anew (self, FALSE);
}

/* --- the folder ----------------------------------------------------------------------------------------------------------------- */

static void
take_folder (WpStorePanel *self, const char *folder)
{
  char *kept = g_strdup (folder);

  g_free (self->folder);
  self->folder = kept;
  wp_settings_set_string ("store-folder", kept != NULL ? kept : "");
  wp_store_panel_show_folder (self);
  read_anew (self, FALSE);
}

static gpointer
run_suggestion (gpointer data, WpProgress *progress, GError **error)
{
  g_autoptr (WpStore) store = wp_store_open (data, error);

  return store != NULL ? g_path_get_dirname (wp_store_folder (store)) : NULL;
}

static void
on_suggestion (gpointer result, const GError *error, gpointer data)
{
  WpStorePanel *self = data;
  g_autofree char *folder = result;

  self->suggesting = NULL;
  if (folder != NULL && g_strcmp0 (folder, self->folder) != 0)
    take_folder (self, folder);
}

void
wp_store_panel_set_folder (WpStorePanel *self, const char *folder, gboolean only_store)
{
  wp_job_drop (&self->suggesting);
  if (only_store)
    self->suggesting = wp_job_start (&(WpJobSpec) { .run = run_suggestion,
                                                    .done = on_suggestion,
                                                    .data = g_strdup (folder),
                                                    .free_data = g_free,
                                                    .free_result = g_free,
                                                    .user_data = self });
  else
    take_folder (self, folder);
}

/* The store of the folder that something was recorded in comes with it, once. */
static void
suggest_folder (WpStorePanel *self)
{
  const char *folder = self->page != NULL ? wp_page_recorder_text (self->page, "folder") : NULL;

  if (folder == NULL || g_object_get_data (G_OBJECT (self->page), "store-suggested") != NULL)
    return;
  g_object_set_data (G_OBJECT (self->page), "store-suggested", GINT_TO_POINTER (1));
  wp_store_panel_set_folder (self, folder, TRUE);
}

void
wp_store_panel_set_page (WpStorePanel *self, WpPage *page)
{
  if (self->gone)
    return;
  g_set_weak_pointer (&self->page, page);
  suggest_folder (self);
  wp_store_panel_update_actions (self);
}

/* --- the widget ----------------------------------------------------------------------------------------------------------------- */

static void
on_branch (GtkDropDown *drop_down, GParamSpec *pspec, WpStorePanel *self)
{
  if (self->filling)
    return;
  g_free (self->branch);
  self->branch = wp_store_panel_chosen (drop_down, FALSE);
  wp_store_panel_read (self);
}

static void
filter (WpStorePanel *self)
{
  g_autofree char *type = wp_store_panel_chosen (self->types, TRUE), *command = wp_store_panel_chosen (self->commands, TRUE);

  wp_store_rows_set_filter (self->rows, &(WpStoreFilter) { .text = (char *) gtk_editable_get_text (GTK_EDITABLE (self->search)),
                                                           .type = type,
                                                           .command = command,
                                                           .with_profiles = gtk_toggle_button_get_active (self->with_profiles) });
  wp_store_panel_update_actions (self);
  wp_store_panel_read_more_if_seen (self);
}

static void
on_filter (WpStorePanel *self)
{
  if (!self->filling && !self->gone)
    filter (self);
}

/* Somebody may have committed meanwhile. */
static void
on_window_active (GObject *window, GParamSpec *pspec, WpStorePanel *self)
{
  if (gtk_window_is_active (GTK_WINDOW (window)) && self->session != NULL)
    wp_store_panel_read (self);
}

static void
wp_store_panel_root (GtkWidget *widget)
{
  GtkRoot *root;

  GTK_WIDGET_CLASS (wp_store_panel_parent_class)->root (widget);
  root = gtk_widget_get_root (widget);
  if (GTK_IS_WINDOW (root))
    g_signal_connect_object (root, "notify::is-active", G_CALLBACK (on_window_active), widget, 0);
}

static void
wp_store_panel_dispose (GObject *object)
{
  WpStorePanel *self = WP_STORE_PANEL (object);
  WpJob **const jobs[] = { &self->reading, &self->reading_more, &self->looking, &self->suggesting, &self->working };

  self->gone = TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (jobs); i++)
    wp_job_drop (jobs[i]);
  set_session (self, NULL);
  g_clear_pointer (&self->popover, gtk_widget_unparent);
  g_clear_weak_pointer (&self->page);
  g_clear_weak_pointer (&self->range);
  G_OBJECT_CLASS (wp_store_panel_parent_class)->dispose (object);
}

static void
wp_store_panel_finalize (GObject *object)
{
  WpStorePanel *self = WP_STORE_PANEL (object);

  g_clear_object (&self->rows);
  g_clear_object (&self->figures);
  g_clear_object (&self->selection);
  g_free (self->folder);
  g_free (self->branch);
  g_free (self->head_branch);
  G_OBJECT_CLASS (wp_store_panel_parent_class)->finalize (object);
}

static void
bind_template (GtkWidgetClass *klass)
{
  gtk_widget_class_set_template_from_resource (klass, "/org/wakepath/Wakepath/store-panel.ui");
  gtk_widget_class_bind_template_child (klass, WpStorePanel, toasts);
  gtk_widget_class_bind_template_child (klass, WpStorePanel, stack);
  gtk_widget_class_bind_template_child (klass, WpStorePanel, empty);
  gtk_widget_class_bind_template_child (klass, WpStorePanel, choose);
  gtk_widget_class_bind_template_child (klass, WpStorePanel, create);
  gtk_widget_class_bind_template_child (klass, WpStorePanel, over);
  gtk_widget_class_bind_template_child (klass, WpStorePanel, notice);
  gtk_widget_class_bind_template_child (klass, WpStorePanel, trust);
  gtk_widget_class_bind_template_child (klass, WpStorePanel, notice_text);
  gtk_widget_class_bind_template_child (klass, WpStorePanel, foot);
  gtk_widget_class_bind_template_child (klass, WpStorePanel, folder_name);
  gtk_widget_class_bind_template_child (klass, WpStorePanel, position);
  gtk_widget_class_bind_template_child (klass, WpStorePanel, branches);
  gtk_widget_class_bind_template_child (klass, WpStorePanel, types);
  gtk_widget_class_bind_template_child (klass, WpStorePanel, commands);
  gtk_widget_class_bind_template_child (klass, WpStorePanel, search);
  gtk_widget_class_bind_template_child (klass, WpStorePanel, with_profiles);
  gtk_widget_class_bind_template_child (klass, WpStorePanel, scroller);
  gtk_widget_class_bind_template_child (klass, WpStorePanel, list);
  gtk_widget_class_bind_template_child (klass, WpStorePanel, menu);
  gtk_widget_class_bind_template_callback (klass, on_branch);
  gtk_widget_class_bind_template_callback (klass, on_filter);
}

static void
wp_store_panel_class_init (WpStorePanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = wp_store_panel_dispose;
  G_OBJECT_CLASS (klass)->finalize = wp_store_panel_finalize;
  widget_class->root = wp_store_panel_root;
  signals[SIGNAL_OPEN] = g_signal_new ("open", WP_TYPE_STORE_PANEL, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2,
                                       G_TYPE_FILE, G_TYPE_STRING);
  signals[SIGNAL_COMPARE] = g_signal_new ("compare", WP_TYPE_STORE_PANEL, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2,
                                          G_TYPE_STRV, G_TYPE_STRV);
  signals[SIGNAL_HISTORY] = g_signal_new ("history", WP_TYPE_STORE_PANEL, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2,
                                          G_TYPE_STRING, G_TYPE_STRING);
  wp_store_panel_install_actions (widget_class);
  bind_template (widget_class);
}

static void
wp_store_panel_init (WpStorePanel *self)
{
  g_autofree char *kept = wp_settings_string ("store-folder");

  self->rows = wp_store_rows_new ();
  self->figures = wp_store_figures_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
  wp_store_panel_build_list (self);
  wp_store_panel_update_actions (self);
  gtk_widget_set_visible (self->over, FALSE);
  gtk_widget_set_visible (self->foot, FALSE);
  if (*kept != '\0')
    self->folder = g_strdup (kept);
  wp_store_panel_show_folder (self);
  read_anew (self, FALSE);
}
