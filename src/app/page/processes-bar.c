#include "app/page/processes-bar.h"

#include <glib/gi18n.h>

#include "app/page/view-toggles.h"

#define FILTER_DELAY_MS 150

struct _WpProcessesBar
{
  AdwBin parent_instance;

  GtkEditable *filter;
  GtkDropDown *order;
  guint filtering; /* source: the filter will be used, 0: not */
  WpWorkspace *workspace;
};

static guint signal_left;

G_DEFINE_FINAL_TYPE (WpProcessesBar, wp_processes_bar, ADW_TYPE_BIN)

static const char *const sort_names[] = {
  [WP_SORT_RELATED] = N_ ("Related tasks together"),
  [WP_SORT_NAME] = N_ ("By name"),
  [WP_SORT_CPU_TIME] = N_ ("By CPU time"),
  [WP_SORT_FIRST_SEEN] = N_ ("By first appearance"),
};

void
wp_processes_bar_filter (WpProcessesBar *self, const char *text)
{
  gtk_editable_set_text (self->filter, text);
}

static gboolean
filter_now (gpointer data)
{
  WpProcessesBar *self = data;

  self->filtering = 0;
  wp_workspace_set_filter (self->workspace, gtk_editable_get_text (self->filter));
  return G_SOURCE_REMOVE;
}

static void
on_filter_changed (GtkSearchEntry *entry, WpProcessesBar *self)
{
  g_clear_handle_id (&self->filtering, g_source_remove);
  self->filtering = g_timeout_add (FILTER_DELAY_MS, filter_now, self);
}

static void
on_filter_stopped (GtkSearchEntry *entry, WpProcessesBar *self)
{
  gtk_editable_set_text (self->filter, "");
  g_signal_emit (self, signal_left, 0);
}

static void
on_sort_changed (GtkDropDown *drop_down, GParamSpec *pspec, WpProcessesBar *self)
{
  wp_workspace_set_sort (self->workspace, (WpSort) gtk_drop_down_get_selected (drop_down));
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
build_filter (WpProcessesBar *self)
{
  GtkWidget *entry = gtk_search_entry_new ();

  self->filter = GTK_EDITABLE (entry);
  g_object_set (entry, "placeholder-text", _("Filter tasks"), "width-chars", 10, "max-width-chars", 10, NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Filter tasks"), -1);
  g_signal_connect_object (entry, "search-changed", G_CALLBACK (on_filter_changed), self, 0);
  g_signal_connect_object (entry, "stop-search", G_CALLBACK (on_filter_stopped), self, 0);
  return entry;
}

static GtkWidget *
build_order (WpProcessesBar *self)
{
  const char *names[G_N_ELEMENTS (sort_names) + 1] = { NULL };
  GtkWidget *sort;

  for (guint i = 0; i < G_N_ELEMENTS (sort_names); i++)
    names[i] = _(sort_names[i]);
  sort = new_order (names);
  self->order = GTK_DROP_DOWN (sort);
  gtk_widget_add_css_class (sort, "flat");
  gtk_widget_set_tooltip_text (sort, _("Order of the rows"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (sort), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Order of the rows"), -1);
  gtk_widget_set_hexpand (sort, TRUE);
  gtk_widget_set_halign (sort, GTK_ALIGN_START);
  g_signal_connect_object (sort, "notify::selected", G_CALLBACK (on_sort_changed), self, 0);
  return sort;
}

static void
on_undone (WpWorkspace *workspace, WpProcessesBar *self)
{
  gtk_editable_set_text (self->filter, wp_workspace_filter (workspace));
  g_clear_handle_id (&self->filtering, g_source_remove);
  gtk_drop_down_set_selected (self->order, wp_workspace_sort (workspace));
}

static void
wp_processes_bar_dispose (GObject *object)
{
  WpProcessesBar *self = WP_PROCESSES_BAR (object);

  g_clear_handle_id (&self->filtering, g_source_remove);
  G_OBJECT_CLASS (wp_processes_bar_parent_class)->dispose (object);
}

static void
wp_processes_bar_finalize (GObject *object)
{
  g_clear_object (&WP_PROCESSES_BAR (object)->workspace);
  G_OBJECT_CLASS (wp_processes_bar_parent_class)->finalize (object);
}

static void
wp_processes_bar_class_init (WpProcessesBarClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = wp_processes_bar_dispose;
  G_OBJECT_CLASS (klass)->finalize = wp_processes_bar_finalize;
  signal_left = g_signal_new ("left", WP_TYPE_PROCESSES_BAR, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
wp_processes_bar_init (WpProcessesBar *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  gtk_widget_set_hexpand (GTK_WIDGET (self), TRUE);
  adw_bin_set_child (ADW_BIN (self), box);
  gtk_box_append (GTK_BOX (box), build_filter (self));
  gtk_box_append (GTK_BOX (box), build_order (self));
  gtk_box_append (GTK_BOX (box), wp_view_squeezed_toggle (_("By CPU"), _("A row for each CPU: who ran there"), "win.by-cpu"));
  gtk_box_append (GTK_BOX (box), wp_view_squeezed_toggle (_("Show Sleeps"), _("Draw what each task was waiting in"), "win.show-sleeps"));
  gtk_box_append (GTK_BOX (box), wp_view_squeezed_toggle (_("Summary"), _("Hide tasks that hardly ran"), "win.summary"));
}

GtkWidget *
wp_processes_bar_new (WpWorkspace *workspace)
{
  WpProcessesBar *self = g_object_new (WP_TYPE_PROCESSES_BAR, NULL);

  self->workspace = g_object_ref (workspace);
  g_signal_connect_object (workspace, "undone", G_CALLBACK (on_undone), self, 0);
  return GTK_WIDGET (self);
}
