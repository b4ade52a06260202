/* The Store page: it shows what the model has, and turns what is clicked, typed and dropped into what the model does. */
#include "app/store/store-panel.h"

#include <glib/gi18n.h>

#include "app/record/range-dialog.h"
#include "app/shell/settings.h"
#include "app/store/store-dialogs.h"
#include "app/store/store-header.h"
#include "app/store/store-list.h"
#include "app/widgets/status-page.h"
#include "app/widgets/toast.h"
#include "workspace/store/store-pairs.h"
#include "workspace/store/store-selection.h"
#include "workspace/store/store-words.h"

struct _WpStorePanel
{
  AdwBin parent_instance;

  AdwToastOverlay *toasts;
  WpStoreHeader *header;
  GtkStack *stack; /* "busy", "empty", "list" */
  AdwStatusPage *empty;
  GtkWidget *choose, *create, *foot;
  WpStoreList *list;

  WpStoreModel *model;
  WpPage *page;     /* weak */
  GtkWidget *range; /* the dialog that profiles commits; weak */
};

enum
{
  SIGNAL_OPEN,
  SIGNAL_COMPARE,
  SIGNAL_HISTORY,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (WpStorePanel, wp_store_panel, ADW_TYPE_BIN)

WpStoreModel *
wp_store_panel_model (WpStorePanel *self)
{
  return self->model;
}

gboolean
wp_store_panel_holds (WpStorePanel *self, const char *action)
{
  if (wp_store_model_is_changing (self->model))
    {
      wp_toast (self->toasts, _("The store is being changed. Close again when that is done."));
      return TRUE;
    }
  return self->range != NULL && wp_range_dialog_holds (WP_RANGE_DIALOG (self->range), action);
}

/* --- the actions ------------------------------------------------------------------------------------------------------------- */

static void
open_selected (WpStorePanel *self, GPtrArray *rows)
{
  wp_store_model_unpack (self->model, wp_store_model_work_new (self->model, rows));
}

/* What is explained is saved; a profile of another kind is the file, unless it was changed since. */
static void
save_here (WpStorePanel *self, GPtrArray *rows)
{
  WpStoreWork *work = wp_store_model_work_new (self->model, NULL);

  work->analysis = wp_page_share_analysis (self->page);
  work->recorded = g_strdup (wp_page_recorder_text (self->page, "commit"));
  if (work->analysis == NULL)
    work->plots = wp_page_share_changed_plots (self->page);
  if (work->analysis == NULL && work->plots == NULL)
    g_ptr_array_add (work->paths, g_file_get_path (wp_page_file (self->page)));
  wp_store_model_change (self->model, work, wp_store_work_add);
}

static void
register_selected (WpStorePanel *self, GPtrArray *rows)
{
  wp_store_model_change (self->model, wp_store_model_work_new (self->model, rows), wp_store_work_register);
}

static void
remove_selected (WpStorePanel *self, GPtrArray *rows)
{
  wp_store_ask_to_remove (GTK_WIDGET (self), self->model, wp_store_model_work_new (self->model, rows));
}

static void
copy_names (WpStorePanel *self, GPtrArray *rows)
{
  g_autofree char *names = wp_store_selected_names (rows);

  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), names);
}

static void
reveal (WpStorePanel *self, GPtrArray *rows)
{
  g_autofree char *path = wp_store_entry_file (wp_store_model_session (self->model)->store, wp_store_row_profile (rows->pdata[0])->entry);

  wp_reveal_file (path);
}

/* The list has the newer one first. Of two commits each command is compared, in a tab of its own. */
static void
compare (WpStorePanel *self, GPtrArray *rows)
{
  g_autoptr (GError) error = NULL;
  GPtrArray *pairs = wp_store_pairs_of_rows (wp_store_model_rows (self->model), rows->pdata[0], rows->pdata[1], &error);
  WpStoreWork *work;

  if (pairs == NULL)
    {
      wp_toast (self->toasts, error->message);
      return;
    }
  work = wp_store_model_work_new (self->model, NULL);
  work->pairs = pairs;
  wp_store_model_unpack (self->model, work);
}

static void
show_history (WpStorePanel *self, GPtrArray *rows)
{
  g_signal_emit (self, signals[SIGNAL_HISTORY], 0, wp_store_model_folder (self->model), wp_store_model_branch (self->model));
}

static void
profile_commits (WpStorePanel *self, GPtrArray *rows)
{
  g_auto (GStrv) commits = wp_store_selected_commits (rows);
  const char *chosen = wp_store_model_branch (self->model);

  if (self->range != NULL && wp_range_dialog_is_closing (WP_RANGE_DIALOG (self->range)))
    {
      wp_toast (self->toasts, _("The commits that were profiled last are still being stopped"));
      return;
    }
  if (self->range == NULL)
    g_set_weak_pointer (&self->range,
                        wp_range_dialog_new (GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self))), wp_store_model_folder (self->model),
                                             commits, chosen != NULL ? chosen : wp_store_model_last (self->model)->head_branch));
  gtk_window_present (GTK_WINDOW (self->range));
}

static void
clear_filter (WpStorePanel *self, GPtrArray *rows)
{
  wp_store_header_clear_filter (self->header);
}

static void
trust (WpStorePanel *self, GPtrArray *rows)
{
  wp_store_ask_to_trust (GTK_WIDGET (self), self->model);
}

static void
choose_folder (WpStorePanel *self, GPtrArray *rows)
{
  wp_store_ask_for_folder (GTK_WIDGET (self), self->model);
}

static void
create (WpStorePanel *self, GPtrArray *rows)
{
  wp_store_model_create (self->model);
}

static void
refresh (WpStorePanel *self, GPtrArray *rows)
{
  wp_store_model_read (self->model);
}

/* When they can be used stands in workspace/store/store-selection.c. */
static const struct
{
  const char *name;
  void (*activate) (WpStorePanel *self, GPtrArray *rows); /* on the selected rows */
  guint key;
  GdkModifierType modifiers;
} actions[] = {
  { "store.open", open_selected, 0, 0 },
  { "store.save-here", save_here, 0, 0 },
  { "store.register", register_selected, 0, 0 },
  { "store.remove", remove_selected, GDK_KEY_Delete, 0 },
  { "store.copy-name", copy_names, GDK_KEY_c, GDK_CONTROL_MASK },
  { "store.reveal", reveal, 0, 0 },
  { "store.compare", compare, 0, 0 },
  { "store.history", show_history, 0, 0 },
  { "store.profile-commits", profile_commits, 0, 0 },
  { "store.clear-filter", clear_filter, 0, 0 },
  { "store.trust", trust, 0, 0 },
  { "store.choose-folder", choose_folder, 0, 0 },
  { "store.create", create, 0, 0 },
  { "store.refresh", refresh, GDK_KEY_F5, 0 },
};

static gboolean
can_be_saved (WpPage *page)
{
  g_autoptr (WpShared) analysis = page != NULL ? wp_page_share_analysis (page) : NULL;

  return analysis != NULL || (page != NULL && wp_page_shows_profile (page));
}

static void
update_actions (WpStorePanel *self)
{
  g_autoptr (GPtrArray) rows = wp_store_list_selected (self->list);
  WpStoreFacts facts = wp_store_facts (self->model, rows, can_be_saved (self->page));

  for (guint i = 0; i < G_N_ELEMENTS (actions); i++)
    gtk_widget_action_set_enabled (GTK_WIDGET (self), actions[i].name, wp_store_allows (self->model, actions[i].name, facts));
}

static void
activate (GtkWidget *widget, const char *name, GVariant *parameter)
{
  WpStorePanel *self = WP_STORE_PANEL (widget);
  g_autoptr (GPtrArray) rows = wp_store_list_selected (self->list);

  for (guint i = 0; i < G_N_ELEMENTS (actions); i++)
    if (g_str_equal (actions[i].name, name))
      actions[i].activate (self, rows);
}

static void
install_actions (GtkWidgetClass *klass)
{
  for (guint i = 0; i < G_N_ELEMENTS (actions); i++)
    {
      gtk_widget_class_install_action (klass, actions[i].name, NULL, activate);
      if (actions[i].key != 0)
        gtk_widget_class_add_binding_action (klass, actions[i].key, actions[i].modifiers, actions[i].name, NULL);
    }
}

/* --- what the model says -------------------------------------------------------------------------------------------------------- */

static void
show_emptiness (WpStorePanel *self)
{
  WpStoreEmptiness words;

  wp_store_emptiness (self->model, &words);
  wp_status_page_set (self->empty, words.icon, words.title, words.text);
  gtk_widget_set_visible (self->create, words.create != NULL);
  if (words.create != NULL)
    gtk_button_set_label (GTK_BUTTON (self->create), words.create);
  gtk_widget_set_visible (self->choose, words.choose);
  g_free (words.text);
}

static void
read_more (WpStorePanel *self)
{
  wp_store_model_read_more (self->model, wp_store_list_is_end_near (self->list));
}

static void
on_changed (WpStorePanel *self)
{
  static const char *const places[]
    = { [WP_STORE_PLACE_BUSY] = "busy", [WP_STORE_PLACE_EMPTY] = "empty", [WP_STORE_PLACE_LIST] = "list", [WP_STORE_PLACE_NOTHING] = "nothing" };
  WpStorePlace place;

  read_more (self);
  place = wp_store_place (self->model);
  wp_store_header_update (self->header);
  if (wp_store_model_session (self->model) != NULL)
    gtk_widget_set_visible (self->foot, wp_store_model_last (self->model) != NULL);
  if (place == WP_STORE_PLACE_EMPTY)
    show_emptiness (self);
  gtk_stack_set_visible_child_name (self->stack, places[place]);
  update_actions (self);
}

static void
on_folder_changed (WpStoreModel *model)
{
  const char *folder = wp_store_model_folder (model);

  wp_settings_set_string ("store-folder", folder != NULL ? folder : "");
}

static void
on_found (WpStoreModel *model, guint position, WpStorePanel *self)
{
  wp_store_list_go_to (self->list, position);
}

static void
on_failed (WpStoreModel *model, const char *text, WpStorePanel *self)
{
  wp_toast (self->toasts, text);
}

static void
on_done (WpStoreModel *model, const WpStoreOutcome *outcome, WpStorePanel *self)
{
  for (guint i = 0; i < outcome->paths->len; i++)
    {
      g_autoptr (GFile) file = g_file_new_for_path (outcome->paths->pdata[i]);

      g_signal_emit (self, signals[SIGNAL_OPEN], 0, file, outcome->names->pdata[i]);
    }
  for (guint i = 0; i + 1 < outcome->sides->len; i += 2)
    g_signal_emit (self, signals[SIGNAL_COMPARE], 0, outcome->sides->pdata[i], outcome->sides->pdata[i + 1], outcome->side_names->pdata[i / 2]);
  if (outcome->text != NULL)
    wp_toast (self->toasts, outcome->text);
}

/* --- what the user does ----------------------------------------------------------------------------------------------------------- */

/* A commit shows or hides its profiles, repeats the single ones; a profile opens. */
static void
on_activated (WpStoreList *list, guint position, WpStorePanel *self)
{
  g_autoptr (GPtrArray) rows = wp_store_selected_rows (self->model, &position, 1);

  if (rows->len == 0 || wp_store_model_session (self->model) == NULL)
    return;
  if (wp_store_row_folds (rows->pdata[0]))
    wp_store_rows_toggle_folded (wp_store_model_rows (self->model), rows->pdata[0]);
  else if (wp_store_row_profile (rows->pdata[0]) != NULL)
    open_selected (self, rows);
}


/* What is dragged from here is here already. */
static gboolean
on_accept (GtkDropTarget *target, GdkDrop *drop, WpStorePanel *self)
{
  const WpStoreReading *last = wp_store_model_last (self->model);

  return gdk_drop_get_drag (drop) == NULL && last != NULL && *last->head != '\0'
         && gdk_content_formats_contain_gtype (gdk_drop_get_formats (drop), GDK_TYPE_FILE_LIST);
}

static gboolean
on_drop (GtkDropTarget *target, const GValue *value, double x, double y, WpStorePanel *self)
{
  g_autoptr (GSList) files = gdk_file_list_get_files (g_value_get_boxed (value));
  WpStoreWork *work = wp_store_model_work_new (self->model, NULL);

  for (GSList *l = files; l != NULL; l = l->next)
    if (g_file_peek_path (l->data) != NULL)
      g_ptr_array_add (work->paths, g_file_get_path (l->data));
  if (work->paths->len > 0)
    return wp_store_model_change (self->model, work, wp_store_work_add);
  wp_store_work_free (work);
  return FALSE;
}

/* The store of the folder that something was recorded in comes with it, once. */
static void
suggest_folder (WpStorePanel *self)
{
  const char *folder = self->page != NULL ? wp_page_recorder_text (self->page, "folder") : NULL;

  if (folder == NULL || g_object_get_data (G_OBJECT (self->page), "store-suggested") != NULL)
    return;
  g_object_set_data (G_OBJECT (self->page), "store-suggested", GINT_TO_POINTER (1));
  wp_store_model_suggest (self->model, folder);
}

void
wp_store_panel_set_page (WpStorePanel *self, WpPage *page)
{
  if (gtk_widget_in_destruction (GTK_WIDGET (self)))
    return;
  g_set_weak_pointer (&self->page, page);
  suggest_folder (self);
  update_actions (self);
}

/* Somebody may have committed meanwhile. */
static void
on_window_active (GObject *window, GParamSpec *pspec, WpStorePanel *self)
{
  if (gtk_window_is_active (GTK_WINDOW (window)) && wp_store_model_session (self->model) != NULL)
    wp_store_model_read (self->model);
}

/* --- the widget -------------------------------------------------------------------------------------------------------------------- */

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

  g_signal_handlers_disconnect_by_data (self->model, self);
  g_object_run_dispose (G_OBJECT (self->model)); /* whoever still holds it: nobody waits for it any more */
  g_clear_weak_pointer (&self->page);
  g_clear_weak_pointer (&self->range);
  G_OBJECT_CLASS (wp_store_panel_parent_class)->dispose (object);
}

static void
wp_store_panel_finalize (GObject *object)
{
  g_object_unref (WP_STORE_PANEL (object)->model);
  G_OBJECT_CLASS (wp_store_panel_parent_class)->finalize (object);
}

static void
bind_template (GtkWidgetClass *klass)
{
  g_type_ensure (WP_TYPE_STORE_HEADER);
  g_type_ensure (WP_TYPE_STORE_LIST);
  gtk_widget_class_set_template_from_resource (klass, "/org/wakepath/Wakepath/store-panel.ui");
  gtk_widget_class_bind_template_child (klass, WpStorePanel, toasts);
  gtk_widget_class_bind_template_child (klass, WpStorePanel, header);
  gtk_widget_class_bind_template_child (klass, WpStorePanel, stack);
  gtk_widget_class_bind_template_child (klass, WpStorePanel, empty);
  gtk_widget_class_bind_template_child (klass, WpStorePanel, choose);
  gtk_widget_class_bind_template_child (klass, WpStorePanel, create);
  gtk_widget_class_bind_template_child (klass, WpStorePanel, foot);
  gtk_widget_class_bind_template_child (klass, WpStorePanel, list);
  gtk_widget_class_bind_template_callback (klass, gtk_spinner_start);
  gtk_widget_class_bind_template_callback (klass, gtk_spinner_stop);
}

static void
wp_store_panel_class_init (WpStorePanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GType type = WP_TYPE_STORE_PANEL;

  G_OBJECT_CLASS (klass)->dispose = wp_store_panel_dispose;
  G_OBJECT_CLASS (klass)->finalize = wp_store_panel_finalize;
  widget_class->root = wp_store_panel_root;
  signals[SIGNAL_OPEN]
    = g_signal_new ("open", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2, G_TYPE_FILE, G_TYPE_STRING);
  signals[SIGNAL_COMPARE]
    = g_signal_new ("compare", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 3, G_TYPE_STRV, G_TYPE_STRV, G_TYPE_STRV);
  signals[SIGNAL_HISTORY]
    = g_signal_new ("history", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2, G_TYPE_STRING, G_TYPE_STRING);
  install_actions (widget_class);
  bind_template (widget_class);
}

static void
connect_model (WpStorePanel *self)
{
  g_signal_connect_object (self->model, "changed", G_CALLBACK (on_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->model, "folder-changed", G_CALLBACK (on_folder_changed), self, 0);
  g_signal_connect_object (self->model, "found", G_CALLBACK (on_found), self, 0);
  g_signal_connect_object (self->model, "failed", G_CALLBACK (on_failed), self, 0);
  g_signal_connect_object (self->model, "done", G_CALLBACK (on_done), self, 0);
}

static void
on_threshold (WpStorePanel *self)
{
  wp_store_badges_set_threshold (wp_store_model_badges (self->model), wp_settings_double ("compare-threshold", 0));
}

static void
wp_store_panel_init (WpStorePanel *self)
{
  g_autofree char *kept = wp_settings_string ("store-folder");
  GtkDropTarget *drop = gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);

  gtk_widget_init_template (GTK_WIDGET (self));
  self->model = wp_store_model_new ();
  wp_store_header_set_model (self->header, self->model);
  wp_store_list_set_model (self->list, self->model);
  gtk_widget_set_visible (self->foot, FALSE);
  g_signal_connect_object (self->header, "filtered", G_CALLBACK (on_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->list, "selected", G_CALLBACK (update_actions), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->list, "activated", G_CALLBACK (on_activated), self, 0);
  g_signal_connect_object (self->list, "scrolled", G_CALLBACK (read_more), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (drop, "accept", G_CALLBACK (on_accept), self, 0);
  g_signal_connect_object (drop, "drop", G_CALLBACK (on_drop), self, 0);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drop));
  connect_model (self);
  on_threshold (self);
  if (wp_settings () != NULL)
    g_signal_connect_object (wp_settings (), "changed::compare-threshold", G_CALLBACK (on_threshold), self, G_CONNECT_SWAPPED);
  wp_store_model_open (self->model, *kept != '\0' ? kept : NULL);
}
