#include "app/shell/help.h"

#include <adwaita.h>
#include <glib/gi18n.h>

#include "app/shell/help-pages.h"
#include "paths/explain.h"
#include "paths/terms.h"

#define WIDTH 680 /* of a page, pixels; pictures are no wider */
#define RESOURCES "/org/wakepath/Wakepath/"

static GtkWidget *
add_label (GtkBox *page, const char *markup)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_markup (GTK_LABEL (label), markup);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_box_append (page, label);
  return label;
}

static void
add_text (GtkBox *page, const char *text, const char *css_class)
{
  g_autofree char *markup = g_markup_escape_text (text, -1);

  gtk_widget_add_css_class (add_label (page, markup), css_class);
}

/* "Took — From the first …", the word in bold */
static void
add_word (GtkBox *page, const char *word, const char *help)
{
  g_autofree char *markup = g_markup_printf_escaped ("<b>%s</b> — %s", word, help);

  add_label (page, markup);
}

/* Smaller than it is where there is less room, but never larger. */
static void
add_picture (GtkBox *page, const WpHelpBlock *block)
{
  g_autofree char *path = g_strconcat (RESOURCES "help/", block->picture, NULL);
  GtkWidget *picture = gtk_picture_new_for_resource (path), *clamp = adw_clamp_new ();
  int width = gdk_paintable_get_intrinsic_width (gtk_picture_get_paintable (GTK_PICTURE (picture)));

  gtk_accessible_update_property (GTK_ACCESSIBLE (picture), GTK_ACCESSIBLE_PROPERTY_LABEL, _(block->text), -1);
  gtk_widget_add_css_class (picture, "picture");
  adw_clamp_set_maximum_size (ADW_CLAMP (clamp), width);
  adw_clamp_set_tightening_threshold (ADW_CLAMP (clamp), width);
  adw_clamp_set_child (ADW_CLAMP (clamp), picture);
  gtk_box_append (page, clamp);
  add_text (page, _(block->text), "caption");
}

static void
add_terms (GtkBox *page, gboolean signs)
{
  for (WpTerm t = 0; t < WP_TERM_COUNT; t++)
    if ((t >= WP_TERM_PICTURE) == signs)
      add_word (page, _(wp_term_name (t)), _(wp_term_help (t)));
}

static void
add_block (GtkBox *page, const WpHelpBlock *block)
{
  g_autofree char *item = block->kind == WP_HELP_ITEM ? g_strdup_printf ("•  %s", _(block->text)) : NULL;

  switch (block->kind)
    {
    case WP_HELP_HEADING: add_text (page, _(block->text), "title-4"); break;
    case WP_HELP_TEXT: add_text (page, _(block->text), "body"); break;
    case WP_HELP_ITEM: add_text (page, item, "body"); break;
    case WP_HELP_PICTURE: add_picture (page, block); break;
    case WP_HELP_SIGNS: add_terms (page, TRUE); break;
    case WP_HELP_TERMS: add_terms (page, FALSE); break;
    case WP_HELP_CATEGORIES:
      for (WpCategory c = 0; c < WP_CATEGORY_COUNT; c++)
        add_word (page, _(wp_category_name (c)), _(wp_category_help (c)));
      break;
    case WP_HELP_END: break;
    }
}

static GtkWidget *
new_page (const WpHelpPage *what)
{
  GtkWidget *page = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12), *clamp = adw_clamp_new (), *scrolled = gtk_scrolled_window_new ();

  gtk_widget_add_css_class (page, "help");
  add_text (GTK_BOX (page), _(what->title), "title-2");
  for (const WpHelpBlock *block = what->blocks; block->kind != WP_HELP_END; block++)
    add_block (GTK_BOX (page), block);
  adw_clamp_set_maximum_size (ADW_CLAMP (clamp), WIDTH);
  adw_clamp_set_tightening_threshold (ADW_CLAMP (clamp), WIDTH);
  adw_clamp_set_child (ADW_CLAMP (clamp), page);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), clamp);
  gtk_scrollable_set_vscroll_policy (GTK_SCROLLABLE (gtk_scrolled_window_get_child (GTK_SCROLLED_WINDOW (scrolled))), GTK_SCROLL_NATURAL);
  return scrolled;
}

static GtkStack *
stack_of (GtkWindow *help)
{
  return g_object_get_data (G_OBJECT (help), "pages");
}

GtkWindow *
wp_help_new (void)
{
  g_autoptr (GtkBuilder) builder = gtk_builder_new_from_resource (RESOURCES "help-window.ui");
  GtkWindow *help = GTK_WINDOW (gtk_builder_get_object (builder, "help"));
  GtkStack *pages = GTK_STACK (gtk_builder_get_object (builder, "pages"));

  for (const WpHelpPage *page = wp_help_pages; page->id != NULL; page++)
    gtk_stack_add_titled (pages, new_page (page), page->id, _(page->title));
  g_object_set_data (G_OBJECT (help), "pages", pages);
  return help;
}

void
wp_help_show (GtkWindow *help, const char *page)
{
  if (gtk_stack_get_child_by_name (stack_of (help), page) != NULL)
    gtk_stack_set_visible_child_name (stack_of (help), page);
}
