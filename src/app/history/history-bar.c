#include "app/history/history-bar.h"

#include <glib/gi18n.h>

#include "workspace/history/history-choices.h"

#define TYPING 300 /* ms after which a name that is typed is looked up */

struct _WpHistoryBar
{
  AdwBin parent_instance;

  GtkDropDown *figures, *lines;
  GtkEntry *name;
  GtkWidget *open, *compare, *export;
  guint typing; /* source: a name has been typed, 0: none */
};

enum
{
  SIGNAL_CHOSEN,
  SIGNAL_OPEN,
  SIGNAL_COMPARE,
  SIGNAL_EXPORT,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (WpHistoryBar, wp_history_bar, ADW_TYPE_BIN)

/* --- what is chosen -------------------------------------------------------------------------------------------------------- */

WpFigure
wp_history_bar_figure (WpHistoryBar *self)
{
  return wp_history_choice_figure (gtk_drop_down_get_selected (self->figures), gtk_editable_get_text (GTK_EDITABLE (self->name)));
}

guint32
wp_history_bar_line (WpHistoryBar *self)
{
  guint chosen = gtk_drop_down_get_selected (self->lines);

  return chosen == 0 || chosen == GTK_INVALID_LIST_POSITION ? WP_HISTORY_ALL : chosen - 1;
}

void
wp_history_bar_fill (WpHistoryBar *self, const WpHistory *history)
{
  g_autoptr (GtkStringList) list = gtk_string_list_new (NULL);

  gtk_string_list_append (list, _("All commands"));
  for (guint32 l = 0; l < history->lines.len; l++)
    gtk_string_list_append (list, history->lines.data[l].name);
  gtk_drop_down_set_model (self->lines, G_LIST_MODEL (list));
  gtk_widget_set_visible (GTK_WIDGET (self->lines), history->lines.len > 1);
}

void
wp_history_bar_allow (WpHistoryBar *self, gboolean open, gboolean compare, gboolean export)
{
  gtk_widget_set_sensitive (self->open, open);
  gtk_widget_set_sensitive (self->compare, compare);
  gtk_widget_set_sensitive (self->export, export);
}

static void
on_chosen (WpHistoryBar *self)
{
  const char *asks = wp_history_choice_asks (gtk_drop_down_get_selected (self->figures));

  gtk_widget_set_visible (GTK_WIDGET (self->name), asks != NULL);
  if (asks != NULL)
    gtk_entry_set_placeholder_text (self->name, asks);
  g_signal_emit (self, signals[SIGNAL_CHOSEN], 0);
}

static gboolean
on_typed_enough (gpointer data)
{
  WpHistoryBar *self = data;

  self->typing = 0;
  on_chosen (self);
  return G_SOURCE_REMOVE;
}

static void
on_typed (WpHistoryBar *self)
{
  g_clear_handle_id (&self->typing, g_source_remove);
  self->typing = g_timeout_add (TYPING, on_typed_enough, self);
}

/* --- the widget ------------------------------------------------------------------------------------------------------------ */

#define CHOICE "/org/wakepath/Wakepath/choice.ui" /* commands may be long */
#define CHOICE_LIST "/org/wakepath/Wakepath/choice-list.ui"

/* `cut`: what it lists may be long. */
static GtkDropDown *
drop_down_new (GtkWidget *bar, const char *name, gboolean cut)
{
  GtkExpression *text = gtk_property_expression_new (GTK_TYPE_STRING_OBJECT, NULL, "string");
  GtkWidget *made = gtk_drop_down_new (NULL, text);
  g_autoptr (GtkListItemFactory) shown = gtk_builder_list_item_factory_new_from_resource (NULL, CHOICE);
  g_autoptr (GtkListItemFactory) listed = gtk_builder_list_item_factory_new_from_resource (NULL, CHOICE_LIST);

  if (cut)
    {
      gtk_drop_down_set_factory (GTK_DROP_DOWN (made), shown);
      gtk_drop_down_set_list_factory (GTK_DROP_DOWN (made), listed);
    }
  gtk_drop_down_set_enable_search (GTK_DROP_DOWN (made), TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (made), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  gtk_box_append (GTK_BOX (bar), made);
  return GTK_DROP_DOWN (made);
}

static GtkEntry *
entry_new (GtkWidget *bar)
{
  GtkWidget *entry = gtk_entry_new ();

  gtk_widget_set_visible (entry, FALSE);
  gtk_editable_set_width_chars (GTK_EDITABLE (entry), 22);
  gtk_accessible_update_property (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Name of the function or field"), -1);
  gtk_box_append (GTK_BOX (bar), entry);
  return GTK_ENTRY (entry);
}

static void
on_clicked (GtkButton *button, WpHistoryBar *self)
{
  g_signal_emit_by_name (self, g_object_get_data (G_OBJECT (button), "signal"));
}

static GtkWidget *
button_new (WpHistoryBar *self, GtkWidget *bar, const char *label, const char *tooltip, const char *signal)
{
  GtkWidget *button = gtk_button_new_with_label (label);

  gtk_widget_set_tooltip_text (button, tooltip);
  g_object_set_data (G_OBJECT (button), "signal", (gpointer) signal);
  g_signal_connect_object (button, "clicked", G_CALLBACK (on_clicked), self, 0);
  gtk_box_append (GTK_BOX (bar), button);
  return button;
}

static void
fill_figures (WpHistoryBar *self)
{
  g_autoptr (GtkStringList) list = gtk_string_list_new (NULL);

  for (guint i = 0; i < wp_history_n_choices (); i++)
    gtk_string_list_take (list, wp_history_choice_name (i));
  gtk_drop_down_set_model (self->figures, G_LIST_MODEL (list));
}

static void
wp_history_bar_dispose (GObject *object)
{
  WpHistoryBar *self = WP_HISTORY_BAR (object);

  g_clear_handle_id (&self->typing, g_source_remove);
  if (self->figures != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->figures, self);
      g_signal_handlers_disconnect_by_data (self->lines, self);
      g_signal_handlers_disconnect_by_data (self->name, self);
      self->figures = NULL;
    }
  G_OBJECT_CLASS (wp_history_bar_parent_class)->dispose (object);
}

static void
wp_history_bar_class_init (WpHistoryBarClass *klass)
{
  static const char *const names[]
    = { [SIGNAL_CHOSEN] = "chosen", [SIGNAL_OPEN] = "open", [SIGNAL_COMPARE] = "compare", [SIGNAL_EXPORT] = "export" };

  G_OBJECT_CLASS (klass)->dispose = wp_history_bar_dispose;
  for (guint i = 0; i < N_SIGNALS; i++)
    signals[i] = g_signal_new (names[i], WP_TYPE_HISTORY_BAR, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
wp_history_bar_init (WpHistoryBar *self)
{
  GtkWidget *bar = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6), *space = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

  gtk_widget_add_css_class (bar, "view-toolbar");
  self->figures = drop_down_new (bar, _("Figure"), FALSE);
  self->name = entry_new (bar);
  self->lines = drop_down_new (bar, _("Command"), TRUE);
  gtk_widget_set_hexpand (space, TRUE);
  gtk_box_append (GTK_BOX (bar), space);
  self->open = button_new (self, bar, _("Open"), _("Open a typical profile of the picked point"), "open");
  self->compare = button_new (self, bar, _("Compare"), _("Compare all profiles of the two picked points"), "compare");
  self->export = button_new (self, bar, _("Export…"), _("Save the plot as a picture or its values as a table"), "export");
  fill_figures (self);
  g_signal_connect_object (self->figures, "notify::selected", G_CALLBACK (on_chosen), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->lines, "notify::selected", G_CALLBACK (on_chosen), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->name, "changed", G_CALLBACK (on_typed), self, G_CONNECT_SWAPPED);
  adw_bin_set_child (ADW_BIN (self), bar);
}

GtkWidget *
wp_history_bar_new (void)
{
  return g_object_new (WP_TYPE_HISTORY_BAR, NULL);
}
