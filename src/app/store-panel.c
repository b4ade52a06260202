/* The Store page: what it shows, and reading it. */
#include "app/store-panel-private.h"

#include <glib/gi18n.h>

#include <string.h>

#include "app/settings.h"

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
  AdwToast *toast = adw_toast_new ("");
  g_autofree char *escaped = g_markup_escape_text (text, -1);

  adw_toast_set_title (toast, escaped);
  adw_toast_overlay_add_toast (self->toasts, toast);
}

/* --- when there is nothing to list -------------------------------------------------------------------------------------------- */

typedef struct
{
  const char *icon, *title, *text; /* %s in the text: the folder's name */
  const char *create;              /* label of the button that makes a store; NULL: it is not offered */
} Emptiness;

static const Emptiness emptiness[] = {
  [WP_STORE_NO_FOLDER] = { "folder-symbolic", N_ ("No Folder Chosen"),
                           N_ ("Choose the folder of a project to see the profiles of its commits."), NULL },
  [WP_STORE_NO_VCS] = { "folder-symbolic", N_ ("Not a Git Repository"),
                        N_ ("“%s” is not under version control. Profiles are kept with commits."),
                        N_ ("Create Repository and Store") },
  [WP_STORE_NO_STORE] = { "folder-new-symbolic", N_ ("No Store Yet"),
                          N_ ("Profiles of “%s” can be kept with its commits, in a folder named .perun."), N_ ("Create Store") },
  [WP_STORE_REFUSED] = { "changes-prevent-symbolic", N_ ("Another User’s Repository"), NULL, NULL },
  [WP_STORE_UNREADABLE] = { "dialog-error-symbolic", N_ ("Cannot Read the Store"), NULL, NULL },
  [WP_STORE_OPEN] = { "document-edit-symbolic", N_ ("No Commits Yet"),
                      N_ ("“%s” has no commit. Profiles are kept with commits: make the first one."), NULL },
};

static void
show_empty (WpStorePanel *self, WpStoreState state, const char *message)
{
  const Emptiness *row = &emptiness[state];
  g_autofree char *name = self->folder != NULL ? g_path_get_basename (self->folder) : g_strdup ("");
  g_autofree char *text = NULL, *escaped = NULL;

  if (row->text == NULL)
    text = g_strdup (message != NULL ? message : "");
  else
    text = g_strdup (_(row->text));
  if (row->text != NULL && strstr (text, "%s") != NULL)
    {
      g_auto (GStrv) pieces = g_strsplit (text, "%s", 2);

      g_free (text);
      text = g_strconcat (pieces[0], name, pieces[1], NULL);
    }
  escaped = g_markup_escape_text (text, -1);
  adw_status_page_set_icon_name (self->empty, row->icon);
  adw_status_page_set_title (self->empty, _(row->title));
  adw_status_page_set_description (self->empty, escaped);
  gtk_widget_set_visible (self->create, row->create != NULL);
  if (row->create != NULL)
    gtk_button_set_label (GTK_BUTTON (self->create), _(row->create));
  gtk_widget_set_visible (self->choose, state != WP_STORE_OPEN);
  gtk_stack_set_visible_child_name (self->stack, "empty");
}

/* --- what stands over the list ------------------------------------------------------------------------------------------------ */

static void
show_position (WpStorePanel *self)
{
  static const char *const states[] = { "", N_ ("no changes"), N_ ("uncommitted changes") };
  gboolean detached = g_strcmp0 (self->head_branch, "HEAD") == 0;
  g_autofree char *at = NULL, *text = NULL;

  if (*self->head == '\0')
    at = g_strdup (_("no commit yet"));
  else if (detached || self->head_branch == NULL)
    at = g_strdup_printf (_("HEAD is detached at %.7s"), self->head);
  else /* Translators: a branch and a commit */
    at = g_strdup_printf (_("HEAD is %s at %.7s"), self->head_branch, self->head);
  text = self->dirty == 0 ? g_strdup (at) : g_strdup_printf ("%s · %s", at, _(states[self->dirty]));
  gtk_label_set_text (self->position, text);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->position), text);
}

static gboolean
lists_equal (GListModel *a, GtkStringList *b)
{
  guint n = a != NULL ? g_list_model_get_n_items (a) : 0;

  if (n != g_list_model_get_n_items (G_LIST_MODEL (b)))
    return FALSE;
  for (guint i = 0; i < n; i++)
    if (!g_str_equal (gtk_string_list_get_string (GTK_STRING_LIST (a), i), gtk_string_list_get_string (b, i)))
      return FALSE;
  return TRUE;
}

/* Puts texts into a drop-down and chooses one of them, or the first. */
static void
fill_drop_down (GtkDropDown *drop_down, const char *first, GPtrArray *texts, const char *chosen)
{
  g_autoptr (GtkStringList) list = gtk_string_list_new (NULL);
  guint at = 0;

  if (first != NULL)
    gtk_string_list_append (list, first);
  for (guint i = 0; i < texts->len; i++)
    {
      gtk_string_list_append (list, texts->pdata[i]);
      if (g_strcmp0 (texts->pdata[i], chosen) == 0)
        at = i + (first != NULL);
    }
  if (!lists_equal (gtk_drop_down_get_model (drop_down), list)) /* else it may be open right now */
    gtk_drop_down_set_model (drop_down, G_LIST_MODEL (list));
  if (gtk_drop_down_get_selected (drop_down) != at)
    gtk_drop_down_set_selected (drop_down, at);
}

static char *
chosen_text (GtkDropDown *drop_down, gboolean has_all)
{
  guint at = gtk_drop_down_get_selected (drop_down);
  GtkStringObject *text = gtk_drop_down_get_selected_item (drop_down);

  return text != NULL && (!has_all || at > 0) ? g_strdup (gtk_string_object_get_string (text)) : NULL;
}

static void
show_branches (WpStorePanel *self, WpStoreReading *reading)
{
  gboolean detached = g_strcmp0 (reading->head_branch, "HEAD") == 0;

  fill_drop_down (self->branches, detached ? "HEAD" : NULL, reading->branches, reading->branch);
  gtk_widget_set_visible (GTK_WIDGET (self->branches), reading->branches->len + detached > 0);
}

static void
show_kinds_of (WpStorePanel *self, GtkDropDown *drop_down, const char *all, gboolean commands)
{
  g_autofree char *chosen = chosen_text (drop_down, TRUE);
  g_autoptr (GPtrArray) texts = wp_store_rows_distinct (self->rows, commands);

  fill_drop_down (drop_down, all, texts, chosen);
  gtk_widget_set_visible (GTK_WIDGET (drop_down), texts->len > 1 || chosen != NULL);
}

void
wp_store_panel_show_kinds (WpStorePanel *self)
{
  self->filling = TRUE;
  show_kinds_of (self, self->types, _("All types"), FALSE);
  show_kinds_of (self, self->commands, _("All commands"), TRUE);
  self->filling = FALSE;
}

static void
show_notice (WpStorePanel *self, const char *notice)
{
  gtk_label_set_text (self->notice_text, notice != NULL ? notice : "");
  gtk_widget_set_visible (self->notice, notice != NULL);
}

/* --- reading -------------------------------------------------------------------------------------------------------------------- */

static void
on_looked (gpointer result, const GError *error, gpointer data)
{
  WpStorePanel *self = data;

  self->looking = NULL;
  self->dirty = GPOINTER_TO_UINT (result);
  show_position (self);
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

static void
show_folder (WpStorePanel *self)
{
  g_autofree char *name = self->folder != NULL ? g_path_get_basename (self->folder) : g_strdup (_("No folder"));

  gtk_label_set_text (self->folder_name, name);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->folder_name), self->folder);
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
  show_position (self);
  self->filling = TRUE;
  show_branches (self, reading);
  self->filling = FALSE;
  wp_store_panel_show_kinds (self);
  show_notice (self, reading->notice);
  if (*self->head == '\0' && self->session->vcs != NULL && reading->pending->len == 0)
    show_empty (self, WP_STORE_OPEN, NULL);
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
      show_empty (self, WP_STORE_UNREADABLE, error->message);
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
      show_empty (self, reading->session->state, reading->session->message);
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

/* --- the folder ----------------------------------------------------------------------------------------------------------------- */

static void
take_folder (WpStorePanel *self, const char *folder)
{
  char *kept = g_strdup (folder);

  g_free (self->folder);
  self->folder = kept;
  wp_settings_set_string ("store-folder", kept != NULL ? kept : "");
  show_folder (self);
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
  self->branch = chosen_text (drop_down, FALSE);
  wp_store_panel_read (self);
}

static void
on_filter (WpStorePanel *self)
{
  if (!self->filling && !self->gone)
    wp_store_panel_filter (self);
}

void
wp_store_panel_filter (WpStorePanel *self)
{
  g_autofree char *type = chosen_text (self->types, TRUE), *command = chosen_text (self->commands, TRUE);

  wp_store_rows_set_filter (self->rows, &(WpStoreFilter) { .text = (char *) gtk_editable_get_text (GTK_EDITABLE (self->search)),
                                                           .type = type,
                                                           .command = command,
                                                           .with_profiles = gtk_toggle_button_get_active (self->with_profiles) });
  wp_store_panel_update_actions (self);
  wp_store_panel_read_more_if_seen (self);
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
  show_folder (self);
  read_anew (self, FALSE);
}
