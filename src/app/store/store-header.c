/* What stands over the list of the Store page: the folder, the branch, what can be filtered by, a notice; and in its place, why there is none. */
#include "app/store/store-panel-private.h"

#include <glib/gi18n.h>

#include "app/widgets/status-page.h"

typedef struct
{
  const char *icon, *title, *text; /* %s in the text: the folder's name */
  const char *create;              /* label of the button that makes a store; NULL: it is not offered */
} Emptiness;

static const Emptiness emptiness[] = {
  [WP_STORE_NO_FOLDER] = { "folder-symbolic", N_ ("No Folder Chosen"),
                           N_ ("Choose the folder of a project to see the profiles of its commits."), NULL },
  [WP_STORE_NO_VCS] = { "folder-symbolic", N_ ("Not a Git Repository"),
                        N_ ("“%s” is not under version control. Profiles are kept with commits."),
                        N_ ("Create Repository and Store") },
  [WP_STORE_NO_STORE] = { "folder-new-symbolic", N_ ("No Store Yet"),
                          N_ ("Profiles of “%s” can be kept with its commits, in a folder named .perun."), N_ ("Create Store") },
  [WP_STORE_REFUSED] = { "changes-prevent-symbolic", N_ ("Another User’s Repository"), NULL, NULL },
  [WP_STORE_UNREADABLE] = { "dialog-error-symbolic", N_ ("Cannot Read the Store"), NULL, NULL },
  [WP_STORE_OPEN] = { "document-edit-symbolic", N_ ("No Commits Yet"),
                      N_ ("“%s” has no commit. Profiles are kept with commits: make the first one."), NULL },
};

void
wp_store_panel_show_empty (WpStorePanel *self, WpStoreState state, const char *message)
{
  const Emptiness *row = &emptiness[state];
  g_autofree char *name = self->folder != NULL ? g_path_get_basename (self->folder) : g_strdup ("");
  g_auto (GStrv) pieces = row->text != NULL ? g_strsplit (_(row->text), "%s", 2) : NULL;
  g_autofree char *text = pieces != NULL ? g_strjoinv (name, pieces) : g_strdup (message != NULL ? message : "");

  wp_status_page_set (self->empty, row->icon, _(row->title), text);
  gtk_widget_set_visible (self->create, row->create != NULL);
  if (row->create != NULL)
    gtk_button_set_label (GTK_BUTTON (self->create), _(row->create));
  gtk_widget_set_visible (self->choose, state != WP_STORE_OPEN);
  gtk_stack_set_visible_child_name (self->stack, "empty");
}

void
wp_store_panel_show_position (WpStorePanel *self)
{
  static const char *const states[] = { "", N_ ("no changes"), N_ ("uncommitted changes") };
  gboolean detached = g_strcmp0 (self->head_branch, "HEAD") == 0;
  g_autofree char *at = NULL, *text = NULL;

  if (*self->head == '\0')
    at = g_strdup (_("no commit yet"));
  else if (detached || self->head_branch == NULL)
    at = g_strdup_printf (_("HEAD is detached at %.7s"), self->head);
  else /* Translators: a branch and a commit */
    at = g_strdup_printf (_("HEAD is %s at %.7s"), self->head_branch, self->head);
  text = self->dirty == 0 ? g_strdup (at) : g_strdup_printf ("%s · %s", at, _(states[self->dirty]));
  gtk_label_set_text (self->position, text);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->position), text);
}

static gboolean
lists_equal (GListModel *a, GtkStringList *b)
{
  guint n = a != NULL ? g_list_model_get_n_items (a) : 0;

  if (n != g_list_model_get_n_items (G_LIST_MODEL (b)))
    return FALSE;
  for (guint i = 0; i < n; i++)
    if (!g_str_equal (gtk_string_list_get_string (GTK_STRING_LIST (a), i), gtk_string_list_get_string (b, i)))
      return FALSE;
  return TRUE;
}

/* Puts texts into a drop-down and chooses one of them, or the first. */
static void
fill_drop_down (GtkDropDown *drop_down, const char *first, GPtrArray *texts, const char *chosen)
{
  g_autoptr (GtkStringList) list = gtk_string_list_new (NULL);
  guint at = 0;

  if (first != NULL)
    gtk_string_list_append (list, first);
  for (guint i = 0; i < texts->len; i++)
    {
      gtk_string_list_append (list, texts->pdata[i]);
      if (g_strcmp0 (texts->pdata[i], chosen) == 0)
        at = i + (first != NULL);
    }
  if (!lists_equal (gtk_drop_down_get_model (drop_down), list)) /* else it may be open right now */
    gtk_drop_down_set_model (drop_down, G_LIST_MODEL (list));
  if (gtk_drop_down_get_selected (drop_down) != at)
    gtk_drop_down_set_selected (drop_down, at);
}

char *
wp_store_panel_chosen (GtkDropDown *drop_down, gboolean has_all)
{
  guint at = gtk_drop_down_get_selected (drop_down);
  GtkStringObject *text = gtk_drop_down_get_selected_item (drop_down);

  return text != NULL && (!has_all || at > 0) ? g_strdup (gtk_string_object_get_string (text)) : NULL;
}

void
wp_store_panel_show_branches (WpStorePanel *self, WpStoreReading *reading)
{
  gboolean detached = g_strcmp0 (reading->head_branch, "HEAD") == 0;

  fill_drop_down (self->branches, detached ? "HEAD" : NULL, reading->branches, reading->branch);
  gtk_widget_set_visible (GTK_WIDGET (self->branches), reading->branches->len + detached > 0);
}

static void
show_kinds_of (WpStorePanel *self, GtkDropDown *drop_down, const char *all, gboolean commands)
{
  g_autofree char *chosen = wp_store_panel_chosen (drop_down, TRUE);
  g_autoptr (GPtrArray) texts = wp_store_rows_distinct (self->rows, commands);

  fill_drop_down (drop_down, all, texts, chosen);
  gtk_widget_set_visible (GTK_WIDGET (drop_down), texts->len > 1 || chosen != NULL);
}

void
wp_store_panel_show_kinds (WpStorePanel *self)
{
  self->filling = TRUE;
  show_kinds_of (self, self->types, _("All types"), FALSE);
  show_kinds_of (self, self->commands, _("All commands"), TRUE);
  self->filling = FALSE;
}

void
wp_store_panel_show_notice (WpStorePanel *self, const char *notice)
{
  gboolean asked = self->session != NULL && self->session->asked != NULL;
  const char *text = asked ? _("This store’s settings name another repository. Its commits are shown once you trust it.") : notice;

  gtk_label_set_text (self->notice_text, text != NULL ? text : "");
  gtk_widget_set_tooltip_text (self->notice, notice); /* a long one is cut */
  gtk_widget_set_visible (self->notice, text != NULL);
  gtk_widget_set_visible (self->trust, asked);
}

void
wp_store_panel_show_folder (WpStorePanel *self)
{
  g_autofree char *name = self->folder != NULL ? g_path_get_basename (self->folder) : g_strdup (_("No folder"));

  gtk_label_set_text (self->folder_name, name);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->folder_name), self->folder);
}
