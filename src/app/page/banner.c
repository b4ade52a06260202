#include "app/page/banner.h"

#include "app/widgets/reveal.h"

struct _WpBanner
{
  AdwBin parent_instance;

  GtkRevealer *bar;
  GtkLabel *text;
  GtkBox *problems; /* in the popover of its button */
  char *dismissed;  /* the text that was dismissed, or NULL */
};

G_DEFINE_FINAL_TYPE (WpBanner, wp_banner, ADW_TYPE_BIN)

static GtkWidget *
new_line (const char *text)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_width_chars (GTK_LABEL (label), 40);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 56);
  return label;
}

static GtkWidget *
new_problem (const WpProblem *problem)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2), *means;

  gtk_box_append (GTK_BOX (box), new_line (problem->what));
  if (problem->means == NULL)
    return box;
  means = new_line (problem->means);
  gtk_widget_add_css_class (means, "caption");
  gtk_widget_add_css_class (means, "dim-label");
  gtk_box_append (GTK_BOX (box), means);
  return box;
}

static void
fill_popover (WpBanner *self, const WpProblems *problems)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->problems))) != NULL)
    gtk_box_remove (self->problems, child);
  for (guint32 i = 0; i < problems->rows.len; i++)
    gtk_box_append (self->problems, new_problem (&problems->rows.data[i]));
}

void
wp_banner_show (WpBanner *self, const WpProblems *problems)
{
  g_autofree char *text = wp_problems_headline (problems);

  if (text != NULL)
    {
      gtk_label_set_text (self->text, text);
      fill_popover (self, problems);
    }
  wp_reveal (self->bar, text != NULL && g_strcmp0 (text, self->dismissed) != 0);
}

static void
on_dismiss (GtkButton *button, WpBanner *self)
{
  g_free (self->dismissed);
  self->dismissed = g_strdup (gtk_label_get_text (self->text));
  wp_reveal (self->bar, FALSE);
}

static void
wp_banner_finalize (GObject *object)
{
  g_free (WP_BANNER (object)->dismissed);
  G_OBJECT_CLASS (wp_banner_parent_class)->finalize (object);
}

static void
wp_banner_class_init (WpBannerClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = wp_banner_finalize;
  gtk_widget_class_set_template_from_resource (widget_class, "/org/wakepath/Wakepath/banner.ui");
  gtk_widget_class_bind_template_child (widget_class, WpBanner, bar);
  gtk_widget_class_bind_template_child (widget_class, WpBanner, text);
  gtk_widget_class_bind_template_child (widget_class, WpBanner, problems);
  gtk_widget_class_bind_template_callback (widget_class, on_dismiss);
  wp_reveal_bind (widget_class);
}

static void
wp_banner_init (WpBanner *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
