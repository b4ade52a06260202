#include "app/page/symbols-bar.h"

struct _WpSymbolsBar
{
  AdwBin parent_instance;

  GtkRevealer *bar;
  GtkProgressBar *progress;
  WpWorkspace *workspace; /* weak */
};

G_DEFINE_FINAL_TYPE (WpSymbolsBar, wp_symbols_bar, ADW_TYPE_BIN)

static void
on_symbols_progress (WpWorkspace *workspace, double fraction, WpSymbolsBar *self)
{
  gtk_progress_bar_set_fraction (self->progress, fraction);
}

static void
on_symbols_read (WpWorkspace *workspace, const char *problem, WpSymbolsBar *self)
{
  gtk_revealer_set_reveal_child (self->bar, FALSE);
}

static void
on_skip (GtkButton *button, WpSymbolsBar *self)
{
  if (self->workspace != NULL)
    wp_workspace_skip_symbols (self->workspace);
}

void
wp_symbols_bar_watch (WpSymbolsBar *self, WpWorkspace *workspace)
{
  g_set_weak_pointer (&self->workspace, workspace);
  gtk_revealer_set_reveal_child (self->bar, wp_workspace_is_recording (workspace));
  g_signal_connect_object (workspace, "symbols-progress", G_CALLBACK (on_symbols_progress), self, 0);
  g_signal_connect_object (workspace, "symbols-read", G_CALLBACK (on_symbols_read), self, 0);
}

static void
wp_symbols_bar_dispose (GObject *object)
{
  g_clear_weak_pointer (&WP_SYMBOLS_BAR (object)->workspace);
  G_OBJECT_CLASS (wp_symbols_bar_parent_class)->dispose (object);
}

static void
wp_symbols_bar_class_init (WpSymbolsBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = wp_symbols_bar_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, "/org/wakepath/Wakepath/symbols-bar.ui");
  gtk_widget_class_bind_template_child (widget_class, WpSymbolsBar, bar);
  gtk_widget_class_bind_template_child (widget_class, WpSymbolsBar, progress);
  gtk_widget_class_bind_template_callback (widget_class, on_skip);
}

static void
wp_symbols_bar_init (WpSymbolsBar *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
