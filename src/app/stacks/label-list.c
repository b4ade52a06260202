#include "app/stacks/label-list.h"

#include <glib/gi18n.h>

#include "app/widgets/share-bar.h"
#include "stacks/measure.h"
#include "stacks/tags.h"

#define VALUES_SHOWN 50 /* of each key: more than these are found by typing */
#define WIDTH 360
#define HEIGHT 420

struct _WpLabelList
{
  AdwBin parent_instance;
};

enum
{
  SIGNAL_CHOSEN,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (WpLabelList, wp_label_list, ADW_TYPE_BIN)

static void
on_row (GtkListBox *list, GtkListBoxRow *row, WpLabelList *self)
{
  g_signal_emit (self, signals[SIGNAL_CHOSEN], 0, g_object_get_data (G_OBJECT (row), "pattern"));
}

static GtkWidget *
new_row (const WpTag *tag, const WpTagValue *value, const char *unit, gint64 total)
{
  GtkWidget *row = gtk_list_box_row_new (), *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12), *name, *bar, *sum;
  g_autofree char *text = wp_measure_words (value->sum, unit);
  g_autofree char *valid = g_utf8_make_valid (*value->text != '\0' ? value->text : _("(empty)"), -1);

  name = gtk_label_new (valid);
  gtk_label_set_xalign (GTK_LABEL (name), 0);
  gtk_label_set_ellipsize (GTK_LABEL (name), PANGO_ELLIPSIZE_MIDDLE);
  gtk_widget_set_tooltip_text (name, valid);
  gtk_widget_set_hexpand (name, TRUE);
  bar = wp_share_bar_new (0, total > 0 ? (double) value->sum / (double) total : 0);
  gtk_widget_set_size_request (bar, 60, -1);
  gtk_widget_set_valign (bar, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (bar, "accent");
  sum = gtk_label_new (text);
  gtk_label_set_width_chars (GTK_LABEL (sum), 9);
  gtk_label_set_xalign (GTK_LABEL (sum), 1);
  gtk_widget_add_css_class (sum, "numeric");
  gtk_box_append (GTK_BOX (box), name);
  gtk_box_append (GTK_BOX (box), bar);
  gtk_box_append (GTK_BOX (box), sum);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  g_object_set_data_full (G_OBJECT (row), "pattern", g_strdup_printf ("%s=%s", tag->key, value->pattern), g_free);
  return row;
}

static GtkWidget *
new_key (WpLabelList *self, const WpTag *tag, const char *unit, gint64 total)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6), *heading, *list = gtk_list_box_new ();
  g_autofree char *valid = g_utf8_make_valid (tag->key, -1);

  heading = gtk_label_new (valid);
  gtk_label_set_xalign (GTK_LABEL (heading), 0);
  gtk_label_set_ellipsize (GTK_LABEL (heading), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (heading, "heading");
  gtk_widget_add_css_class (list, "boxed-list");
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (list), GTK_SELECTION_NONE);
  for (guint32 v = 0; v < MIN (tag->values.len, VALUES_SHOWN); v++)
    gtk_list_box_append (GTK_LIST_BOX (list), new_row (tag, &tag->values.data[v], unit, total));
  g_signal_connect (list, "row-activated", G_CALLBACK (on_row), self);
  gtk_box_append (GTK_BOX (box), heading);
  gtk_box_append (GTK_BOX (box), list);
  if (tag->values.len > VALUES_SHOWN)
    {
      guint32 more = tag->values.len - VALUES_SHOWN;
      g_autofree char *text = g_strdup_printf (ngettext ("%u more value: type tagfocus=KEY=PATTERN to find it", "%u more values: type tagfocus=KEY=PATTERN to find them", more), more);
      GtkWidget *rest = gtk_label_new (text);

      gtk_label_set_wrap (GTK_LABEL (rest), TRUE);
      gtk_label_set_xalign (GTK_LABEL (rest), 0);
      gtk_widget_add_css_class (rest, "dim-label");
      gtk_widget_add_css_class (rest, "caption");
      gtk_box_append (GTK_BOX (box), rest);
    }
  return box;
}

static void
wp_label_list_class_init (WpLabelListClass *klass)
{
  signals[SIGNAL_CHOSEN] = g_signal_new ("chosen", WP_TYPE_LABEL_LIST, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
wp_label_list_init (WpLabelList *self)
{
}

GtkWidget *
wp_label_list_new (const WpStacks *stacks, guint32 type)
{
  WpLabelList *self = g_object_new (WP_TYPE_LABEL_LIST, NULL);
  const char *unit = wp_stacks_text (stacks, stacks->types.data[type].unit);
  g_autoptr (WpTags) tags = wp_tags_new (stacks, type, "auto");
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 18), *scrolled = gtk_scrolled_window_new ();

  g_object_set (box, "margin-start", 12, "margin-end", 12, "margin-top", 12, "margin-bottom", 12, NULL);
  for (guint32 i = 0; i < tags->tags.len; i++)
    gtk_box_append (GTK_BOX (box), new_key (self, &tags->tags.data[i], unit, tags->tags.data[i].sum));
  if (tags->tags.len == 0)
    gtk_box_append (GTK_BOX (box), gtk_label_new (_("No sample has a label")));
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), box);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scrolled), HEIGHT);
  gtk_widget_set_size_request (scrolled, WIDTH, -1);
  gtk_widget_add_css_class (box, "label-list");
  adw_bin_set_child (ADW_BIN (self), scrolled);
  return GTK_WIDGET (self);
}
