#include "app/store/store-header.h"

#include <glib/gi18n.h>

#include "workspace/store/store-words.h"

struct _WpStoreHeader
{
  AdwBin parent_instance;

  GtkLabel *folder_name, *position, *notice_text;
  GtkDropDown *branches, *types, *commands;
  GtkSearchEntry *search;
  GtkToggleButton *with_profiles;
  GtkWidget *over; /* all but the folder: of an open store */
  GtkWidget *notice, *trust;

  WpStoreModel *model;
  gboolean filling; /* drop-downs are being filled, and nobody chose anything */
};

G_DEFINE_FINAL_TYPE (WpStoreHeader, wp_store_header, ADW_TYPE_BIN)

static guint filtered_signal;

/* --- drop-downs ----------------------------------------------------------------------------------------------------------- */

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
fill_drop_down (WpStoreHeader *self, GtkDropDown *drop_down, const char *first, GPtrArray *texts, const char *chosen)
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
  self->filling = TRUE;
  if (!lists_equal (gtk_drop_down_get_model (drop_down), list)) /* else it may be open right now */
    gtk_drop_down_set_model (drop_down, G_LIST_MODEL (list));
  if (gtk_drop_down_get_selected (drop_down) != at)
    gtk_drop_down_set_selected (drop_down, at);
  self->filling = FALSE;
}

/* NULL: nothing, or all where the first row says so. Free with g_free(). */
static char *
chosen_in (GtkDropDown *drop_down, gboolean has_all)
{
  guint at = gtk_drop_down_get_selected (drop_down);
  GtkStringObject *text = gtk_drop_down_get_selected_item (drop_down);

  return text != NULL && (!has_all || at > 0) ? g_strdup (gtk_string_object_get_string (text)) : NULL;
}

static void
show_branches (WpStoreHeader *self, const WpStoreReading *reading)
{
  gboolean detached = g_strcmp0 (reading->head_branch, "HEAD") == 0;

  fill_drop_down (self, self->branches, detached ? "HEAD" : NULL, reading->branches, reading->branch);
  gtk_widget_set_visible (GTK_WIDGET (self->branches), reading->branches->len + detached > 0);
}

/* The types or commands of all profiles that have been read; and the one by which rows are filtered, though none has it any more. */
static void
show_kinds (WpStoreHeader *self, GtkDropDown *drop_down, const char *all, gboolean commands)
{
  g_autofree char *chosen = chosen_in (drop_down, TRUE);
  g_autoptr (GPtrArray) texts = wp_store_rows_distinct (wp_store_model_rows (self->model), commands);

  if (chosen != NULL && !g_ptr_array_find_with_equal_func (texts, chosen, g_str_equal, NULL))
    g_ptr_array_add (texts, g_strdup (chosen));
  fill_drop_down (self, drop_down, all, texts, chosen);
  gtk_widget_set_visible (GTK_WIDGET (drop_down), texts->len > 1 || chosen != NULL);
}

static void
on_branch (GtkDropDown *drop_down, GParamSpec *pspec, WpStoreHeader *self)
{
  g_autofree char *branch = NULL;

  if (self->filling || self->model == NULL)
    return;
  branch = chosen_in (drop_down, FALSE);
  wp_store_model_choose_branch (self->model, branch);
}

static void
on_filter (WpStoreHeader *self)
{
  g_autofree char *type = NULL, *command = NULL;

  if (self->filling || self->model == NULL)
    return;
  type = chosen_in (self->types, TRUE);
  command = chosen_in (self->commands, TRUE);
  wp_store_rows_set_filter (wp_store_model_rows (self->model),
                            &(WpStoreFilter) { .text = (char *) gtk_editable_get_text (GTK_EDITABLE (self->search)),
                                               .type = type,
                                               .command = command,
                                               .with_profiles = gtk_toggle_button_get_active (self->with_profiles) });
  g_signal_emit (self, filtered_signal, 0);
}

void
wp_store_header_clear_filter (WpStoreHeader *self)
{
  GtkDropDown *const drop_downs[] = { self->types, self->commands };

  self->filling = TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (drop_downs); i++)
    if (gtk_drop_down_get_model (drop_downs[i]) != NULL)
      gtk_drop_down_set_selected (drop_downs[i], 0);
  gtk_toggle_button_set_active (self->with_profiles, FALSE);
  gtk_editable_set_text (GTK_EDITABLE (self->search), "");
  self->filling = FALSE;
  on_filter (self);
}

/* --- texts ---------------------------------------------------------------------------------------------------------------- */

static void
show_folder (WpStoreHeader *self)
{
  const char *folder = wp_store_model_folder (self->model);
  g_autofree char *name = folder != NULL ? g_path_get_basename (folder) : g_strdup (_("No folder"));

  gtk_label_set_text (self->folder_name, name);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->folder_name), folder);
}

static void
show_position (WpStoreHeader *self)
{
  g_autofree char *text = wp_store_position (self->model);

  gtk_label_set_text (self->position, text);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->position), text);
}

static void
show_notice (WpStoreHeader *self, const WpStoreReading *reading)
{
  gboolean asks;
  const char *text = wp_store_notice_text (self->model, &asks);

  gtk_label_set_text (self->notice_text, text != NULL ? text : "");
  gtk_widget_set_tooltip_text (self->notice, reading->notice); /* a long one is cut */
  gtk_widget_set_visible (self->notice, text != NULL);
  gtk_widget_set_visible (self->trust, asks);
}

/* While a store is being opened the one before stays, but for the folder's name. */
void
wp_store_header_update (WpStoreHeader *self)
{
  const WpStoreReading *reading = wp_store_model_last (self->model);

  show_folder (self);
  if (wp_store_model_session (self->model) != NULL)
    gtk_widget_set_visible (self->over, reading != NULL);
  if (reading == NULL)
    return;
  show_position (self);
  show_branches (self, reading);
  show_kinds (self, self->types, _("All types"), FALSE);
  show_kinds (self, self->commands, _("All commands"), TRUE);
  show_notice (self, reading);
}

void
wp_store_header_set_model (WpStoreHeader *self, WpStoreModel *model)
{
  self->model = g_object_ref (model);
  gtk_widget_set_visible (self->over, FALSE);
}

/* --- the widget ------------------------------------------------------------------------------------------------------------ */

static void
wp_store_header_dispose (GObject *object)
{
  g_clear_object (&WP_STORE_HEADER (object)->model);
  G_OBJECT_CLASS (wp_store_header_parent_class)->dispose (object);
}

static void
wp_store_header_class_init (WpStoreHeaderClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = wp_store_header_dispose;
  filtered_signal = g_signal_new ("filtered", WP_TYPE_STORE_HEADER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/wakepath/Wakepath/store-header.ui");
  gtk_widget_class_bind_template_child (widget_class, WpStoreHeader, folder_name);
  gtk_widget_class_bind_template_child (widget_class, WpStoreHeader, position);
  gtk_widget_class_bind_template_child (widget_class, WpStoreHeader, notice_text);
  gtk_widget_class_bind_template_child (widget_class, WpStoreHeader, branches);
  gtk_widget_class_bind_template_child (widget_class, WpStoreHeader, types);
  gtk_widget_class_bind_template_child (widget_class, WpStoreHeader, commands);
  gtk_widget_class_bind_template_child (widget_class, WpStoreHeader, search);
  gtk_widget_class_bind_template_child (widget_class, WpStoreHeader, with_profiles);
  gtk_widget_class_bind_template_child (widget_class, WpStoreHeader, over);
  gtk_widget_class_bind_template_child (widget_class, WpStoreHeader, notice);
  gtk_widget_class_bind_template_child (widget_class, WpStoreHeader, trust);
  gtk_widget_class_bind_template_callback (widget_class, on_branch);
  gtk_widget_class_bind_template_callback (widget_class, on_filter);
}

static void
wp_store_header_init (WpStoreHeader *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
