#include "app/page/cuts-bar.h"

#include "app/widgets/reveal.h"

struct _WpCutsBar
{
  AdwBin parent_instance;

  GtkRevealer *bar;
  GtkLabel *text;
};

G_DEFINE_FINAL_TYPE (WpCutsBar, wp_cuts_bar, ADW_TYPE_BIN)

static void
on_cuts_changed (WpWorkspace *workspace, WpCutsBar *self)
{
  g_autofree char *text = wp_cuts_text (wp_workspace_cuts (workspace));

  if (text != NULL)
    gtk_label_set_text (self->text, text);
  wp_reveal (self->bar, text != NULL);
}

void
wp_cuts_bar_watch (WpCutsBar *self, WpWorkspace *workspace)
{
  g_signal_connect_object (workspace, "cuts-changed", G_CALLBACK (on_cuts_changed), self, 0);
}

static void
wp_cuts_bar_class_init (WpCutsBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  gtk_widget_class_set_template_from_resource (widget_class, "/org/wakepath/Wakepath/cuts-bar.ui");
  gtk_widget_class_bind_template_child (widget_class, WpCutsBar, bar);
  gtk_widget_class_bind_template_child (widget_class, WpCutsBar, text);
  wp_reveal_bind (widget_class);
}

static void
wp_cuts_bar_init (WpCutsBar *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
