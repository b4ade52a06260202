#include "app/widgets/hidden-bar.h"

#include <glib/gi18n.h>

#include "app/widgets/chip.h"
#include "app/widgets/reveal.h"

#define MANY 2 /* more than so many can be cleared at once */

struct _WpHiddenBar
{
  AdwBin parent_instance;

  GtkRevealer *bar;
  GtkBox *chips;
  GtkWidget *clear;
  guint32 n_rules;
  gboolean wanted;
};

enum
{
  SIGNAL_REMOVED,
  SIGNAL_CLEARED,
  SIGNAL_LEFT,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (WpHiddenBar, wp_hidden_bar, ADW_TYPE_BIN)

static const char *const kind_names[WP_HIDE_COUNT] = {
  [WP_HIDE_FUNCTION] = N_("Function"), [WP_HIDE_MODULE] = N_("Module"), [WP_HIDE_MATCHING] = N_("Matches"),
};

/* The keyboard goes on with the chip that took the place of the removed one. */
static void
focus_chip (WpHiddenBar *self, guint32 rule)
{
  GtkWidget *chip = gtk_widget_get_first_child (GTK_WIDGET (self->chips));

  for (guint32 i = 0; i < rule && gtk_widget_get_next_sibling (chip) != NULL; i++)
    chip = gtk_widget_get_next_sibling (chip);
  if (chip != NULL)
    gtk_widget_child_focus (chip, GTK_DIR_TAB_FORWARD);
  else
    g_signal_emit (self, signals[SIGNAL_LEFT], 0);
}

static void
on_removed (GtkButton *button, WpHiddenBar *self)
{
  guint32 rule = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (button), "rule"));

  g_signal_emit (self, signals[SIGNAL_REMOVED], 0, rule);
  focus_chip (self, rule);
}

static void
on_cleared (GtkButton *button, WpHiddenBar *self)
{
  g_signal_emit (self, signals[SIGNAL_CLEARED], 0);
  g_signal_emit (self, signals[SIGNAL_LEFT], 0);
}

static GtkWidget *
new_chip (WpHiddenBar *self, const WpHideRule *row, guint32 rule)
{
  gboolean any_case = row->kind == WP_HIDE_MATCHING && g_str_has_prefix (row->text, WP_HIDE_ANY_CASE);
  const char *shown = row->text + (any_case ? strlen (WP_HIDE_ANY_CASE) : 0);
  g_autofree char *valid = g_utf8_make_valid (row->text, -1), *name = g_utf8_make_valid (shown, -1);
  g_autofree char *text = g_strdup_printf ("%s: %s", _(kind_names[row->kind]), name);
  g_autofree char *whole = g_strdup_printf (_("%s\nIts time is charged to its callers"), valid);
  GtkWidget *button, *chip = wp_chip_new (text, whole, &button);

  g_object_set_data (G_OBJECT (button), "rule", GUINT_TO_POINTER (rule));
  g_signal_connect (button, "clicked", G_CALLBACK (on_removed), self);
  return chip;
}

void
wp_hidden_bar_show (WpHiddenBar *self, const WpHideRules *rules)
{
  GtkWidget *child;

  self->n_rules = rules != NULL ? rules->len : 0;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->chips))) != NULL)
    gtk_box_remove (self->chips, child);
  for (guint32 i = 0; i < self->n_rules; i++)
    gtk_box_append (self->chips, new_chip (self, &rules->data[i], i));
  gtk_widget_set_visible (self->clear, self->n_rules > MANY);
  wp_reveal (self->bar, self->wanted && self->n_rules > 0);
}

void
wp_hidden_bar_set_wanted (WpHiddenBar *self, gboolean wanted)
{
  self->wanted = wanted;
  wp_reveal (self->bar, wanted && self->n_rules > 0);
}

/* --- the widget --- */

static void
wp_hidden_bar_class_init (WpHiddenBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GType type = WP_TYPE_HIDDEN_BAR;

  signals[SIGNAL_REMOVED] = g_signal_new ("removed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  signals[SIGNAL_CLEARED] = g_signal_new ("cleared", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_LEFT] = g_signal_new ("left", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/wakepath/Wakepath/hidden-bar.ui");
  gtk_widget_class_bind_template_child (widget_class, WpHiddenBar, bar);
  gtk_widget_class_bind_template_child (widget_class, WpHiddenBar, chips);
  gtk_widget_class_bind_template_child (widget_class, WpHiddenBar, clear);
  gtk_widget_class_bind_template_callback (widget_class, on_cleared);
  wp_reveal_bind (widget_class);
}

static void
wp_hidden_bar_init (WpHiddenBar *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
