#include "app/page/flame-bars.h"

#include <glib/gi18n.h>

#include "app/page/view-toggles.h"
#include "app/widgets/depth-chooser.h"

static GtkLabel *
add_name (GtkBox *bar)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_widget_set_margin_start (label, 6);
  gtk_box_append (bar, label);
  return GTK_LABEL (label);
}

WpFlameBars
wp_flame_bars_build (WpViews *views)
{
  GtkBox *flame = wp_views_toolbar (views, WP_VIEW_FLAME), *consolidated = wp_views_toolbar (views, WP_VIEW_CONSOLIDATED);
  WpFlameBars self = { .names = { [WP_VIEW_FLAME] = add_name (flame), [WP_VIEW_CONSOLIDATED] = add_name (consolidated) },
                       .depths = wp_depth_chooser_new ("win.depth") };

  gtk_box_append (flame, self.depths);
  gtk_box_append (consolidated, wp_depth_chooser_new ("win.depth"));
  gtk_box_append (flame, wp_view_squeezed_toggle (_("Merge Threads"), _("Name boxes by process instead of by thread"),
                                                  "win.merge-threads"));
  gtk_box_append (flame, wp_view_squeezed_toggle (_("Started Work"), _("Show work that was started and that nobody waited for, too"),
                                                  "win.started-work"));
  gtk_box_append (consolidated, wp_view_squeezed_toggle (_("Collapse Recursion"), _("Draw a function that calls itself once"),
                                                         "win.collapse-recursion"));
  gtk_box_append (consolidated, wp_view_toggle (_("Inverted"), _("Innermost functions first"), "win.inverted"));
  gtk_box_append (consolidated, wp_view_toggle (_("Icicle"), _("Roots at the top"), "win.icicle"));
  return self;
}

static void
show_name (GtkLabel *label, const char *name, const char *what, guint n_folded)
{
  g_autofree char *folded = wp_depth_folded_text (n_folded);
  g_autofree char *markup = g_markup_printf_escaped ("<b>%s</b>  <span alpha=\"60%%\">%s%s%s</span>", name, what, n_folded > 0 ? " · " : "",
                                                     n_folded > 0 ? folded : "");

  gtk_label_set_markup (label, markup);
}

void
wp_flame_bars_show (const WpFlameBars *self, const WpAnalysis *analysis, gboolean of_range)
{
  guint n = analysis != NULL ? analysis->paths->base_tasks.len : 0;
  g_autofree char *tasks = g_strdup_printf (ngettext ("%u task", "%u tasks", n), n);

  for (WpViewId v = WP_VIEW_FLAME; v < WP_N_VIEWS; v++)
    if (analysis == NULL)
      gtk_label_set_text (self->names[v], "");
    else
      show_name (self->names[v], analysis->paths->name, of_range && v == WP_VIEW_CONSOLIDATED ? _("of the marked range") : tasks,
                 analysis->n_folded[v - WP_VIEW_FLAME]);
}
