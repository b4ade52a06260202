#include "app/store/store-row-widget.h"

#include <glib/gi18n.h>
#include <string.h>

#include "app/widgets/time-ago.h"
#include "app/page/share-bar.h"
#include "base/format.h"

struct _WpStoreRowWidget
{
  GtkWidget parent_instance;

  WpStoreRows *rows;
  WpStoreFigures *figures;
  WpStoreRow *row;
  guint position;

  GtkWidget *grid;
  GtkButton *arrow;
  GtkLabel *title, *badge, *figure, *facts, *more;
  WpShareBar *bar;
};

G_DEFINE_FINAL_TYPE (WpStoreRowWidget, wp_store_row_widget, GTK_TYPE_WIDGET)

guint
wp_store_row_widget_position (WpStoreRowWidget *self)
{
  return self->position;
}

WpStoreRow *
wp_store_row_widget_row (WpStoreRowWidget *self)
{
  return self->row;
}

static void
set_text (GtkLabel *label, const char *text)
{
  gtk_label_set_text (label, text);
  gtk_widget_set_visible (GTK_WIDGET (label), *text != '\0');
}

static char *
when (gint64 seconds)
{
  g_autoptr (GDateTime) time = seconds != 0 ? g_date_time_new_from_unix_local (seconds) : NULL; /* 0: of what cannot be read */

  return time != NULL ? wp_ago (time) : g_strdup ("");
}

/* --- the kinds of row --------------------------------------------------------------------------------------------------------- */

static void
show_heading (WpStoreRowWidget *self)
{
  g_autofree char *count = g_strdup_printf ("%u", wp_store_row_count (self->row));

  set_text (self->title, _("Pending"));
  set_text (self->figure, count);
  set_text (self->facts, _("Not registered with a commit yet"));
  set_text (self->more, "");
}

static void
show_commit (WpStoreRowWidget *self, const WpStoreCommit *commit)
{
  guint n = commit->profiles != NULL ? commit->profiles->len : 0;
  g_autofree char *date = when (commit->time);
  g_autofree char *facts = g_strdup_printf ("%s · %s", commit->author, date);
  g_autofree char *count = n > 0 ? g_strdup_printf (ngettext ("%u profile", "%u profiles", n), n) : g_strdup ("");
  g_autofree char *hash = g_strndup (commit->hash, 7);

  set_text (self->title, *commit->subject != '\0' ? commit->subject : _("(no message)"));
  set_text (self->badge, commit->head ? "HEAD" : "");
  set_text (self->figure, hash);
  set_text (self->facts, facts);
  set_text (self->more, count);
}

/* Of “/a/b.perf: what is wrong” what is wrong: the row has the file's name already. */
static const char *
without_path (const char *problem)
{
  const char *colon = *problem == '/' ? strstr (problem, ": ") : NULL;

  return colon != NULL ? colon + 2 : problem;
}

/* “time · perf · make -j8” */
static char *
profile_facts (const WpStoreEntry *entry)
{
  const char *texts[] = { entry->type, entry->collector, entry->cmd, entry->args, entry->workload };
  GString *facts = g_string_new (NULL);

  if (entry->problem != NULL)
    return g_string_free (g_string_append (facts, without_path (entry->problem)), FALSE);
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    if (*texts[i] != '\0')
      g_string_append_printf (facts, "%s%s", facts->len == 0 ? "" : i < 3 ? " · " : " ", texts[i]);
  return g_string_free (facts, FALSE);
}

static void
show_figures (WpStoreRowWidget *self, WpStoreProfile *profile)
{
  const WpStoreFigure *figure = wp_store_figures_get (self->figures, profile);
  gint64 longest = wp_store_figures_longest (self->figures), total = figure != NULL ? figure->total : 0;
  g_autofree char *age = when (profile->entry->time), *more = NULL;
  char time[WP_FORMAT_MAX] = "";

  if (total > 0)
    wp_format_ns (total, time);
  if (total > 0 && figure->accounted >= 0)
    more = g_strdup_printf (_("%.1f %% accounted · %s"), 100.0 * (double) figure->accounted / (double) total, age);
  set_text (self->figure, time);
  set_text (self->more, more != NULL ? more : age);
  gtk_widget_set_opacity (GTK_WIDGET (self->bar), total > 0);
  wp_share_bar_set (self->bar, 0, longest > 0 ? (double) total / (double) longest : 0);
}

static void
show_profile (WpStoreRowWidget *self, WpStoreProfile *profile)
{
  const WpStoreEntry *entry = profile->entry;
  g_autofree char *name = g_path_get_basename (entry->path), *facts = profile_facts (entry);

  set_text (self->title, *entry->label != '\0' ? entry->label : name);
  set_text (self->facts, facts);
  show_figures (self, profile);
}

/* --- all of them ------------------------------------------------------------------------------------------------------------- */

static void
show_arrow (WpStoreRowWidget *self)
{
  const WpStoreCommit *commit = self->row != NULL ? wp_store_row_commit (self->row) : NULL;
  gboolean has_arrow = commit != NULL && wp_store_row_profile (self->row) == NULL && commit->profiles != NULL;
  gboolean collapsed = has_arrow && wp_store_rows_is_collapsed (self->rows, commit);

  gtk_widget_set_opacity (GTK_WIDGET (self->arrow), has_arrow);
  gtk_widget_set_sensitive (GTK_WIDGET (self->arrow), has_arrow);
  gtk_button_set_icon_name (self->arrow, collapsed ? "pan-end-symbolic" : "pan-down-symbolic");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->arrow), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  collapsed ? _("Show the profiles") : _("Hide the profiles"), -1);
}

/* What does not fit into the row; NULL: nothing. Free with g_free(). */
static char *
make_tip (const WpStoreRowWidget *self)
{
  const WpStoreProfile *profile = self->row != NULL ? wp_store_row_profile (self->row) : NULL;
  const WpStoreCommit *commit = self->row != NULL ? wp_store_row_commit (self->row) : NULL;
  g_autofree char *tip = NULL;

  if (profile != NULL)
    tip = g_strdup_printf ("%s\n%s", profile->entry->path,
                           profile->entry->problem != NULL ? profile->entry->problem : gtk_label_get_text (self->facts));
  else if (commit != NULL)
    tip = g_strdup_printf ("%s\n%s\n\n%.2000s", commit->hash, commit->author, commit->message);
  return tip != NULL && g_utf8_validate (tip, -1, NULL) ? g_strchomp (g_steal_pointer (&tip)) : NULL;
}

/* Asked for when it is to be seen: for each tip that is set GTK asks the display where the pointer is, and waits for the answer. */
static gboolean
on_tip (WpStoreRowWidget *self, int x, int y, gboolean keyboard, GtkTooltip *tooltip, gpointer data)
{
  g_autofree char *tip = make_tip (self);

  gtk_tooltip_set_text (tooltip, tip);
  return tip != NULL;
}

/* What a row says, read as one; and, where it is cut, as a description. */
static void
describe (WpStoreRowWidget *self)
{
  GtkLabel *const labels[] = { self->title, self->badge, self->figure, self->facts, self->more };
  GString *name = g_string_new (NULL);
  g_autofree char *tip = make_tip (self);

  for (guint i = 0; i < G_N_ELEMENTS (labels); i++)
    if (gtk_widget_get_visible (GTK_WIDGET (labels[i])))
      g_string_append_printf (name, "%s%s", name->len > 0 ? ", " : "", gtk_label_get_text (labels[i]));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, name->str,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, tip != NULL ? tip : "", -1);
  g_string_free (name, TRUE);
}

static const char *const style_of[] = {
  [WP_STORE_ROW_HEADING] = "heading-row",
  [WP_STORE_ROW_PENDING] = "profile-row",
  [WP_STORE_ROW_COMMIT] = "commit-row",
  [WP_STORE_ROW_PROFILE] = "profile-row",
};

static void
show_style (WpStoreRowWidget *self, WpStoreRowKind kind)
{
  const WpStoreProfile *profile = wp_store_row_profile (self->row);

  gtk_widget_set_css_classes (GTK_WIDGET (self), (const char *[]) { style_of[kind], NULL });
  if (profile != NULL && profile->entry->problem != NULL)
    gtk_widget_add_css_class (GTK_WIDGET (self), "problem");
}

void
wp_store_row_widget_show (WpStoreRowWidget *self, WpStoreRow *row, guint position)
{
  WpStoreRowKind kind;

  g_set_object (&self->row, row);
  self->position = position;
  if (row == NULL)
    return;
  kind = wp_store_row_kind (row);
  set_text (self->badge, "");
  gtk_widget_set_opacity (GTK_WIDGET (self->bar), 0);
  if (kind == WP_STORE_ROW_HEADING)
    show_heading (self);
  else if (kind == WP_STORE_ROW_COMMIT)
    show_commit (self, wp_store_row_commit (row));
  else
    show_profile (self, wp_store_row_profile (row));
  show_style (self, kind);
  show_arrow (self);
  describe (self);
}

static void
on_figures (WpStoreFigures *figures, WpStoreRowWidget *self)
{
  if (self->row == NULL || wp_store_row_profile (self->row) == NULL)
    return;
  show_figures (self, wp_store_row_profile (self->row));
  describe (self);
}

static void
on_arrow (GtkButton *button, WpStoreRowWidget *self)
{
  const WpStoreCommit *commit = self->row != NULL ? wp_store_row_commit (self->row) : NULL;

  if (commit != NULL)
    wp_store_rows_toggle_collapsed (self->rows, commit);
}

static void
wp_store_row_widget_dispose (GObject *object)
{
  WpStoreRowWidget *self = WP_STORE_ROW_WIDGET (object);

  g_clear_pointer (&self->grid, gtk_widget_unparent);
  g_clear_object (&self->row);
  g_clear_object (&self->rows);
  g_clear_object (&self->figures);
  G_OBJECT_CLASS (wp_store_row_widget_parent_class)->dispose (object);
}

static void
wp_store_row_widget_class_init (WpStoreRowWidgetClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  g_type_ensure (WP_TYPE_SHARE_BAR);
  G_OBJECT_CLASS (klass)->dispose = wp_store_row_widget_dispose;
  gtk_widget_class_set_css_name (widget_class, "wpstorerow");
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/wakepath/Wakepath/store-row-widget.ui");
  gtk_widget_class_bind_template_child (widget_class, WpStoreRowWidget, grid);
  gtk_widget_class_bind_template_child (widget_class, WpStoreRowWidget, arrow);
  gtk_widget_class_bind_template_child (widget_class, WpStoreRowWidget, title);
  gtk_widget_class_bind_template_child (widget_class, WpStoreRowWidget, badge);
  gtk_widget_class_bind_template_child (widget_class, WpStoreRowWidget, figure);
  gtk_widget_class_bind_template_child (widget_class, WpStoreRowWidget, facts);
  gtk_widget_class_bind_template_child (widget_class, WpStoreRowWidget, more);
  gtk_widget_class_bind_template_child (widget_class, WpStoreRowWidget, bar);
  gtk_widget_class_bind_template_callback (widget_class, on_arrow);
}

static void
wp_store_row_widget_init (WpStoreRowWidget *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
  g_signal_connect (self, "query-tooltip", G_CALLBACK (on_tip), NULL);
}

GtkWidget *
wp_store_row_widget_new (WpStoreRows *rows, WpStoreFigures *figures)
{
  WpStoreRowWidget *self = g_object_new (WP_TYPE_STORE_ROW_WIDGET, NULL);

  self->rows = g_object_ref (rows);
  self->figures = g_object_ref (figures);
  g_signal_connect_object (rows, "collapsed", G_CALLBACK (show_arrow), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (figures, "known", G_CALLBACK (on_figures), self, 0);
  return GTK_WIDGET (self);
}
