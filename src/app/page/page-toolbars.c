/* What each view has above its canvas. */
#include "app/page/page-private.h"

#include <glib/gi18n.h>

#define FILTER_DELAY_MS 150

static const char *const sort_names[] = {
  [WP_SORT_RELATED] = N_ ("Related tasks together"),
  [WP_SORT_NAME] = N_ ("By name"),
  [WP_SORT_CPU_TIME] = N_ ("By CPU time"),
  [WP_SORT_FIRST_SEEN] = N_ ("By first appearance"),
};

static gboolean
filter_now (gpointer data)
{
  WpPage *self = data;

  self->filter_source = 0;
  wp_page_layout_processes (self);
  return G_SOURCE_REMOVE;
}

static void
on_filter_changed (GtkSearchEntry *entry, WpPage *self)
{
  g_clear_handle_id (&self->filter_source, g_source_remove);
  self->filter_source = g_timeout_add (FILTER_DELAY_MS, filter_now, self);
}

static void
on_filter_stopped (GtkSearchEntry *entry, WpPage *self)
{
  gtk_editable_set_text (GTK_EDITABLE (entry), "");
  gtk_widget_grab_focus (GTK_WIDGET (wp_page_canvas (self)));
}

static void
on_sort_changed (GtkDropDown *drop_down, GParamSpec *pspec, WpPage *self)
{
  self->sort = (WpSort) gtk_drop_down_get_selected (drop_down);
  wp_page_layout_processes (self);
}

static void
set_up_order (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_list_item_set_child (item, label);
}

static void
bind_order (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  gtk_label_set_text (GTK_LABEL (gtk_list_item_get_child (item)),
                      gtk_string_object_get_string (GTK_STRING_OBJECT (gtk_list_item_get_item (item))));
}

/* Its button gives way where the window is narrow; the list that it opens does not. */
static GtkWidget *
new_order (const char *const *names)
{
  GtkWidget *sort = gtk_drop_down_new_from_strings (names);
  g_autoptr (GtkListItemFactory) list = g_object_ref (gtk_drop_down_get_factory (GTK_DROP_DOWN (sort)));
  g_autoptr (GtkListItemFactory) button = gtk_signal_list_item_factory_new ();

  g_signal_connect (button, "setup", G_CALLBACK (set_up_order), NULL);
  g_signal_connect (button, "bind", G_CALLBACK (bind_order), NULL);
  gtk_drop_down_set_list_factory (GTK_DROP_DOWN (sort), list);
  gtk_drop_down_set_factory (GTK_DROP_DOWN (sort), button);
  return sort;
}

static GtkWidget *
new_toggle (const char *label, const char *tooltip, const char *action)
{
  GtkWidget *button = gtk_toggle_button_new_with_label (label);

  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  gtk_widget_set_tooltip_text (button, tooltip);
  gtk_widget_add_css_class (button, "flat");
  return button;
}

/* One that the menu has, too, goes where there is no room. */
static GtkWidget *
squeezed (GtkWidget *toggle)
{
  GtkWidget *squeezer = adw_squeezer_new ();

  adw_squeezer_set_allow_none (ADW_SQUEEZER (squeezer), TRUE);
  adw_squeezer_add (ADW_SQUEEZER (squeezer), toggle);
  return squeezer;
}

static void
build_processes (WpPage *self, GtkBox *bar)
{
  const char *names[G_N_ELEMENTS (sort_names) + 1] = { NULL };
  GtkWidget *sort;

  for (guint i = 0; i < G_N_ELEMENTS (sort_names); i++)
    names[i] = _(sort_names[i]);
  self->filter = GTK_SEARCH_ENTRY (gtk_search_entry_new ());
  g_object_set (self->filter, "placeholder-text", _("Filter tasks"), "width-chars", 10, "max-width-chars", 10, NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->filter), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Filter tasks"), -1);
  g_signal_connect_object (self->filter, "search-changed", G_CALLBACK (on_filter_changed), self, 0);
  g_signal_connect_object (self->filter, "stop-search", G_CALLBACK (on_filter_stopped), self, 0);

  sort = new_order (names);
  gtk_widget_add_css_class (sort, "flat");
  gtk_widget_set_tooltip_text (sort, _("Order of the rows"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (sort), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Order of the rows"), -1);
  g_signal_connect_object (sort, "notify::selected", G_CALLBACK (on_sort_changed), self, 0);

  gtk_widget_set_hexpand (sort, TRUE);
  gtk_widget_set_halign (sort, GTK_ALIGN_START);
  gtk_box_append (bar, GTK_WIDGET (self->filter));
  gtk_box_append (bar, sort);
  gtk_box_append (bar, squeezed (new_toggle (_("Show Sleeps"), _("Draw what each task was waiting in"), "win.show-sleeps")));
  gtk_box_append (bar, squeezed (new_toggle (_("Summary"), _("Hide tasks that hardly ran"), "win.summary")));
}

static GtkLabel *
add_process_name (GtkBox *bar)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_widget_set_margin_start (label, 6);
  gtk_box_append (bar, label);
  return GTK_LABEL (label);
}

void
wp_page_build_toolbars (WpPage *self)
{
  GtkBox *flame = wp_view_toolbar (self->view[WP_VIEW_FLAME]);
  GtkBox *consolidated = wp_view_toolbar (self->view[WP_VIEW_CONSOLIDATED]);

  build_processes (self, wp_view_toolbar (self->view[WP_VIEW_PROCESSES]));
  self->process_name[WP_VIEW_FLAME] = add_process_name (flame);
  gtk_box_append (flame, squeezed (new_toggle (_("Merge Threads"), _("Name boxes by process instead of by thread"),
                                               "win.merge-threads")));
  gtk_box_append (flame, squeezed (new_toggle (_("Started Work"),
                                               _("Show work that was started and that nobody waited for, too"), "win.started-work")));
  self->process_name[WP_VIEW_CONSOLIDATED] = add_process_name (consolidated);
  gtk_box_append (consolidated, squeezed (new_toggle (_("Collapse Recursion"), _("Draw a function that calls itself once"),
                                                      "win.collapse-recursion")));
  gtk_box_append (consolidated, new_toggle (_("Inverted"), _("Innermost functions first"), "win.inverted"));
  gtk_box_append (consolidated, new_toggle (_("Icicle"), _("Roots at the top"), "win.icicle"));
}

void
wp_page_update_toolbars (WpPage *self)
{
  const WpAnalysis *analysis = wp_page_analysis (self);
  g_autofree char *markup = NULL, *range = NULL;

  if (analysis != NULL)
    {
      guint n = analysis->paths->base_tasks.len;
      g_autofree char *threads = g_strdup_printf (ngettext ("%u task", "%u tasks", n), n);

      markup = g_markup_printf_escaped ("<b>%s</b>  <span alpha=\"60%%\">%s</span>", analysis->paths->name, threads);
      range = g_markup_printf_escaped ("<b>%s</b>  <span alpha=\"60%%\">%s</span>", analysis->paths->name,
                                       _("of the marked range"));
    }
  for (WpViewId v = WP_VIEW_FLAME; v < WP_N_VIEWS; v++)
    gtk_label_set_markup (self->process_name[v], markup != NULL ? markup : "");
  if (self->range != NULL)
    gtk_label_set_markup (self->process_name[WP_VIEW_CONSOLIDATED], range);
}
