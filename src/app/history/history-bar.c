/* The bar over the history plot: which figure is shown, of which command, and what can be done with the picked points. */
#include "app/history/history-page-private.h"

#include <glib/gi18n.h>

#define TYPING 300 /* ms after which a name that is typed is looked up */

static const struct
{
  WpFigureKind kind;
  const char *name;
  const char *of; /* what its name is asked for */
} named[] = {
  { WP_FIGURE_SELF, N_ ("Function itself"), N_ ("Function") },
  { WP_FIGURE_FUNCTION, N_ ("Function with all it calls"), N_ ("Function") },
  { WP_FIGURE_SUM, N_ ("Sum of a field"), N_ ("Field, such as amount") },
  { WP_FIGURE_MEAN, N_ ("Mean of a field"), N_ ("Field, such as amount") },
  { WP_FIGURE_MAX, N_ ("Largest of a field"), N_ ("Field, such as amount") },
};

#define N_HEADS (WP_FIGURE_ACCOUNTED + 1)
#define N_FIXED (N_HEADS + WP_CATEGORY_COUNT)

static void
fill_figures (WpHistoryPage *self)
{
  g_autoptr (GtkStringList) list = gtk_string_list_new (NULL);

  for (guint k = 0; k < N_HEADS; k++)
    gtk_string_list_take (list, wp_figure_name (&(WpFigure) { .kind = k }));
  for (guint c = 0; c < WP_CATEGORY_COUNT; c++)
    gtk_string_list_append (list, _(wp_category_name (c)));
  for (guint i = 0; i < G_N_ELEMENTS (named); i++)
    gtk_string_list_append (list, _(named[i].name));
  gtk_drop_down_set_model (self->figures, G_LIST_MODEL (list));
}

gboolean
wp_history_page_figure (WpHistoryPage *self, WpFigure *figure)
{
  guint chosen = gtk_drop_down_get_selected (self->figures);

  if (chosen < N_HEADS)
    *figure = (WpFigure) { .kind = chosen };
  else if (chosen < N_FIXED)
    *figure = (WpFigure) { .kind = WP_FIGURE_CATEGORY, .category = chosen - N_HEADS };
  else
    *figure = (WpFigure) { .kind = named[MIN (chosen - N_FIXED, G_N_ELEMENTS (named) - 1)].kind,
                           .of = (char *) gtk_editable_get_text (GTK_EDITABLE (self->name)) };
  return figure->of == NULL || *figure->of != '\0';
}

guint32
wp_history_page_line (WpHistoryPage *self)
{
  guint chosen = gtk_drop_down_get_selected (self->lines);

  return chosen == 0 || chosen == GTK_INVALID_LIST_POSITION ? WP_HISTORY_ALL : chosen - 1;
}

void
wp_history_page_fill_lines (WpHistoryPage *self)
{
  const WpHistory *history = wp_shared_get (self->history);
  g_autoptr (GtkStringList) list = gtk_string_list_new (NULL);

  gtk_string_list_append (list, _("All commands"));
  for (guint32 l = 0; l < history->lines.len; l++)
    gtk_string_list_append (list, history->lines.data[l].name);
  gtk_drop_down_set_model (self->lines, G_LIST_MODEL (list));
  gtk_widget_set_visible (GTK_WIDGET (self->lines), history->lines.len > 1);
}

static void
on_chosen (WpHistoryPage *self)
{
  guint chosen = gtk_drop_down_get_selected (self->figures);
  gboolean asks = chosen >= N_FIXED && chosen != GTK_INVALID_LIST_POSITION;

  gtk_widget_set_visible (GTK_WIDGET (self->name), asks);
  if (asks)
    gtk_entry_set_placeholder_text (self->name, _(named[chosen - N_FIXED].of));
  if (self->columns != NULL)
    wp_history_page_read (self);
}

static gboolean
on_typed_enough (gpointer data)
{
  WpHistoryPage *self = data;

  self->typing = 0;
  on_chosen (self);
  return G_SOURCE_REMOVE;
}

static void
on_typed (WpHistoryPage *self)
{
  g_clear_handle_id (&self->typing, g_source_remove);
  self->typing = g_timeout_add (TYPING, on_typed_enough, self);
}

#define CHOICE "/org/wakepath/Wakepath/choice.ui" /* commands may be long */
#define CHOICE_LIST "/org/wakepath/Wakepath/choice-list.ui"

static GtkDropDown *
drop_down_new (WpHistoryPage *self, const char *name)
{
  GtkExpression *text = gtk_property_expression_new (GTK_TYPE_STRING_OBJECT, NULL, "string");
  GtkWidget *made = gtk_drop_down_new (NULL, text);
  g_autoptr (GtkListItemFactory) shown = gtk_builder_list_item_factory_new_from_resource (NULL, CHOICE);
  g_autoptr (GtkListItemFactory) listed = gtk_builder_list_item_factory_new_from_resource (NULL, CHOICE_LIST);

  gtk_drop_down_set_factory (GTK_DROP_DOWN (made), shown);
  gtk_drop_down_set_list_factory (GTK_DROP_DOWN (made), listed);
  gtk_drop_down_set_enable_search (GTK_DROP_DOWN (made), TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (made), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  gtk_box_append (GTK_BOX (self->bar), made);
  return GTK_DROP_DOWN (made);
}

static GtkEntry *
entry_new (WpHistoryPage *self)
{
  GtkWidget *entry = gtk_entry_new ();

  gtk_widget_set_visible (entry, FALSE);
  gtk_editable_set_width_chars (GTK_EDITABLE (entry), 22);
  gtk_accessible_update_property (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Name of the function or field"), -1);
  gtk_box_append (GTK_BOX (self->bar), entry);
  return GTK_ENTRY (entry);
}

static GtkWidget *
button_new (WpHistoryPage *self, const char *label, const char *tooltip, GCallback clicked)
{
  GtkWidget *button = gtk_button_new_with_label (label);

  gtk_widget_set_tooltip_text (button, tooltip);
  g_signal_connect_object (button, "clicked", clicked, self, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (self->bar), button);
  return button;
}

void
wp_history_page_build_bar (WpHistoryPage *self)
{
  GtkWidget *space = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

  self->bar = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  gtk_widget_add_css_class (self->bar, "view-toolbar");
  gtk_widget_set_visible (self->bar, FALSE);
  self->figures = drop_down_new (self, _("Figure"));
  self->name = entry_new (self);
  self->lines = drop_down_new (self, _("Command"));
  gtk_widget_set_hexpand (space, TRUE);
  gtk_box_append (GTK_BOX (self->bar), space);
  self->open = button_new (self, _("Open"), _("Open a typical profile of the picked point"), G_CALLBACK (wp_history_page_open_picked));
  self->compare = button_new (self, _("Compare"), _("Compare all profiles of the two picked points"),
                              G_CALLBACK (wp_history_page_compare_picked));
  self->export = button_new (self, _("Export…"), _("Save the plot as a picture or its values as a table"),
                             G_CALLBACK (wp_history_page_export));
  fill_figures (self);
  g_signal_connect_object (self->figures, "notify::selected", G_CALLBACK (on_chosen), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->lines, "notify::selected", G_CALLBACK (on_chosen), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->name, "changed", G_CALLBACK (on_typed), self, G_CONNECT_SWAPPED);
}
