#include "app/shell/side-panel.h"

#include "app/shell/settings.h"

struct _WpSidePanel
{
  AdwBin parent_instance;

  GtkStack *stack; /* "store", "explanation" */
  GtkWidget *switcher;
  WpStorePanel *store;
  GtkStack *explanation; /* a child for each tab of the window: what is not in a window, a screen reader sees half */
  gboolean alone;      /* no page is shown */
};

G_DEFINE_FINAL_TYPE (WpSidePanel, wp_side_panel, ADW_TYPE_BIN)

WpStorePanel *
wp_side_panel_store (WpSidePanel *self)
{
  return self->store;
}

GAction *
wp_side_panel_page_action (WpSidePanel *self, const char *name)
{
  return G_ACTION (g_property_action_new (name, self->stack, "visible-child-name"));
}

void
wp_side_panel_add_page (WpSidePanel *self, WpPage *page)
{
  gtk_stack_add_child (self->explanation, wp_page_panel (page));
}

void
wp_side_panel_remove_page (WpSidePanel *self, WpPage *page)
{
  gtk_stack_remove (self->explanation, wp_page_panel (page));
}

static void
show_kept (WpSidePanel *self)
{
  g_autofree char *kept = wp_settings_string ("panel-page");

  if (gtk_stack_get_child_by_name (self->stack, kept) == NULL)
    kept = (g_free (kept), g_strdup ("explanation"));
  gtk_stack_set_visible_child_name (self->stack, kept);
}

void
wp_side_panel_show_page (WpSidePanel *self, WpPage *page)
{
  gboolean alone = page == NULL || wp_page_shows_profile (page); /* nothing to explain */

  if (page != NULL)
    gtk_stack_set_visible_child (self->explanation, wp_page_panel (page));
  wp_store_panel_set_page (self->store, page);
  if (alone == self->alone)
    return;
  self->alone = alone;
  gtk_widget_set_visible (self->switcher, !alone);
  gtk_widget_set_visible (GTK_WIDGET (self->explanation), !alone);
  if (alone)
    gtk_stack_set_visible_child_name (self->stack, "store");
  else
    show_kept (self);
}

static void
on_page_shown (GtkStack *stack, GParamSpec *pspec, WpSidePanel *self)
{
  const char *name = gtk_stack_get_visible_child_name (stack);

  if (!self->alone && name != NULL)
    wp_settings_set_string ("panel-page", name);
}

static void
wp_side_panel_class_init (WpSidePanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  g_type_ensure (WP_TYPE_STORE_PANEL);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/wakepath/Wakepath/side-panel.ui");
  gtk_widget_class_bind_template_child (widget_class, WpSidePanel, stack);
  gtk_widget_class_bind_template_child (widget_class, WpSidePanel, switcher);
  gtk_widget_class_bind_template_child (widget_class, WpSidePanel, store);
  gtk_widget_class_bind_template_child (widget_class, WpSidePanel, explanation);
  gtk_widget_class_bind_template_callback (widget_class, on_page_shown);
}

static void
wp_side_panel_init (WpSidePanel *self)
{
  self->alone = TRUE;
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_widget_set_visible (GTK_WIDGET (self->explanation), FALSE);
}
