#include "app/range-dialog.h"

#include <glib/gi18n.h>

#include "record/range.h"

struct _WpRangeDialog
{
  AdwWindow parent_instance;

  AdwEntryRow *build, *command;
  GtkSpinButton *repeat;
  GtkSwitch *again;
  GtkWidget *settings, *start_button, *stop_button;
  GtkLabel *summary;
  GtkListBox *list;

  char *folder;
  char **commits;
  GPtrArray *rows;  /* of the commits: AdwActionRow */
  WpRange *range;   /* NULL before it was started */
};

G_DEFINE_FINAL_TYPE (WpRangeDialog, wp_range_dialog, ADW_TYPE_WINDOW)

static const char *const state_names[] = {
  [WP_RANGE_WAITING] = "",
  [WP_RANGE_CHECKING_OUT] = N_ ("Checking out"),
  [WP_RANGE_BUILDING] = N_ ("Building"),
  [WP_RANGE_RECORDING] = N_ ("Recording"),
  [WP_RANGE_EXPLAINING] = N_ ("Explaining"),
  [WP_RANGE_DONE] = N_ ("Registered"),
  [WP_RANGE_PASSED_OVER] = N_ ("Profiled before"),
  [WP_RANGE_FAILED] = N_ ("Failed"),
};

static gboolean
is_under_way (WpRangeDialog *self)
{
  return self->range != NULL && !wp_range_is_over (self->range);
}

static void
update (WpRangeDialog *self)
{
  g_auto (GStrv) words = NULL;
  gboolean valid
    = g_shell_parse_argv (gtk_editable_get_text (GTK_EDITABLE (self->command)), NULL, &words, NULL);
  gboolean busy = is_under_way (self);

  gtk_widget_set_sensitive (self->settings, !busy);
  gtk_widget_set_sensitive (self->start_button, valid && self->commits[0] != NULL);
  gtk_widget_set_visible (self->start_button, !busy);
  gtk_widget_set_visible (self->stop_button, busy);
}

/* --- the commits ------------------------------------------------------------------------------------------------------ */

static void
show_commit (AdwActionRow *row, const WpRangeCommit *commit)
{
  GtkLabel *state = g_object_get_data (G_OBJECT (row), "state");
  g_autofree char *subject = g_markup_escape_text (commit->subject, -1);
  g_autofree char *problem = commit->problem != NULL ? g_markup_escape_text (commit->problem, -1) : NULL;
  g_autofree char *subtitle
    = problem != NULL ? g_strdup_printf ("%.8s · %s", commit->hash, problem) : g_strndup (commit->hash, 8);

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), subject);
  adw_action_row_set_subtitle (row, subtitle);
  gtk_label_set_text (state, *state_names[commit->state] != '\0' ? _(state_names[commit->state]) : "");
  if (commit->state == WP_RANGE_FAILED)
    gtk_widget_add_css_class (GTK_WIDGET (state), "error");
  gtk_widget_set_tooltip_text (GTK_WIDGET (row), commit->problem != NULL ? commit->log : NULL);
}

static void
show_progress (WpRangeDialog *self)
{
  guint n, counts[WP_RANGE_FAILED + 1] = { 0 };
  const WpRangeCommit *commits = wp_range_commits (self->range, &n);
  g_autofree char *text = NULL;

  for (guint i = 0; i < MIN (n, self->rows->len); i++)
    {
      counts[commits[i].state]++;
      show_commit (self->rows->pdata[i], &commits[i]);
    }
  if (wp_range_error (self->range) != NULL)
    text = g_strdup (wp_range_error (self->range)->message);
  else
    text = g_strdup_printf (_("%u of %u commits: %u registered, %u profiled before, %u failed"),
                            counts[WP_RANGE_DONE] + counts[WP_RANGE_PASSED_OVER] + counts[WP_RANGE_FAILED], n,
                            counts[WP_RANGE_DONE], counts[WP_RANGE_PASSED_OVER], counts[WP_RANGE_FAILED]);
  gtk_label_set_text (self->summary, text);
}

static void
add_row (WpRangeDialog *self, WpVcs *vcs, const char *hash)
{
  GtkWidget *row = adw_action_row_new (), *state = gtk_label_new (NULL);
  WpRangeCommit commit = { .state = WP_RANGE_WAITING };
  WpMinorVersion info = { 0 };

  g_strlcpy (commit.hash, hash, sizeof commit.hash);
  if (vcs != NULL)
    wp_vcs_info (vcs, hash, &info, NULL);
  commit.subject = info.subject != NULL ? info.subject : "";
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), state);
  adw_action_row_set_title_lines (ADW_ACTION_ROW (row), 1);
  g_object_set_data (G_OBJECT (row), "state", state);
  show_commit (ADW_ACTION_ROW (row), &commit);
  gtk_list_box_append (self->list, row);
  g_ptr_array_add (self->rows, row);
  wp_minor_version_clear (&info);
}

/* --- running ---------------------------------------------------------------------------------------------------------- */

static void
on_change (WpRange *range, gpointer data)
{
  WpRangeDialog *self = data;

  show_progress (self);
  update (self);
}

static void
on_start (GtkButton *button, WpRangeDialog *self)
{
  const char *build = gtk_editable_get_text (GTK_EDITABLE (self->build));
  g_auto (GStrv) command = NULL;
  WpRangeOptions options = { .folder = self->folder, .commits = self->commits,
                             .build = *build != '\0' ? (char *) build : NULL,
                             .repeat = (guint) gtk_spin_button_get_value_as_int (self->repeat),
                             .again = gtk_switch_get_active (self->again) };

  if (!g_shell_parse_argv (gtk_editable_get_text (GTK_EDITABLE (self->command)), NULL, &command, NULL))
    return;
  options.command = command;
  g_clear_pointer (&self->range, wp_range_free);
  for (guint i = 0; i < self->rows->len; i++)
    gtk_widget_remove_css_class (g_object_get_data (self->rows->pdata[i], "state"), "error");
  self->range = wp_range_new (&options, on_change, self);
  wp_range_start (self->range);
  update (self);
}

static void
on_stop (GtkButton *button, WpRangeDialog *self)
{
  wp_range_stop (self->range);
}

/* --- begin and end ----------------------------------------------------------------------------------------------------- */

/* The first row of the job matrix, as the store's settings have it. */
static void
fill_in (WpRangeDialog *self, WpStore *store)
{
  static const char *const keys[] = { "cmds", "args", "workloads" };
  g_auto (GStrv) before = wp_store_setting_list (store, "execute.pre_run");
  g_autofree char *build = g_strjoinv (" && ", before);
  g_autoptr (GString) command = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      g_auto (GStrv) values = wp_store_setting_list (store, keys[i]);

      if (values[0] != NULL && *values[0] != '\0')
        g_string_append_printf (command, "%s%s", command->len > 0 ? " " : "", values[0]);
    }
  gtk_editable_set_text (GTK_EDITABLE (self->build), build);
  gtk_editable_set_text (GTK_EDITABLE (self->command), command->str);
}

static void
wp_range_dialog_dispose (GObject *object)
{
  WpRangeDialog *self = WP_RANGE_DIALOG (object);

  g_clear_pointer (&self->range, wp_range_free);
  g_clear_pointer (&self->rows, g_ptr_array_unref);
  g_clear_pointer (&self->folder, g_free);
  g_clear_pointer (&self->commits, g_strfreev);
  G_OBJECT_CLASS (wp_range_dialog_parent_class)->dispose (object);
}

static void
wp_range_dialog_class_init (WpRangeDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = wp_range_dialog_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, "/org/wakepath/Wakepath/range-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, WpRangeDialog, build);
  gtk_widget_class_bind_template_child (widget_class, WpRangeDialog, command);
  gtk_widget_class_bind_template_child (widget_class, WpRangeDialog, repeat);
  gtk_widget_class_bind_template_child (widget_class, WpRangeDialog, again);
  gtk_widget_class_bind_template_child (widget_class, WpRangeDialog, settings);
  gtk_widget_class_bind_template_child (widget_class, WpRangeDialog, start_button);
  gtk_widget_class_bind_template_child (widget_class, WpRangeDialog, stop_button);
  gtk_widget_class_bind_template_child (widget_class, WpRangeDialog, summary);
  gtk_widget_class_bind_template_child (widget_class, WpRangeDialog, list);
  gtk_widget_class_bind_template_callback (widget_class, update);
  gtk_widget_class_bind_template_callback (widget_class, on_start);
  gtk_widget_class_bind_template_callback (widget_class, on_stop);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
wp_range_dialog_init (WpRangeDialog *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->rows = g_ptr_array_new ();
}

GtkWidget *
wp_range_dialog_new (GtkWindow *parent, const char *folder, char **commits)
{
  WpRangeDialog *self = g_object_new (WP_TYPE_RANGE_DIALOG, "transient-for", parent, "modal", TRUE, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (WpStore) store = wp_store_open (folder, &error);
  guint n = g_strv_length (commits);
  g_autofree char *text = g_strdup_printf (ngettext ("%u commit", "%u commits", n), n);

  self->folder = g_strdup (folder);
  self->commits = g_strdupv (commits);
  gtk_label_set_text (self->summary, error != NULL ? error->message : text);
  if (store != NULL)
    fill_in (self, store);
  for (char **hash = commits; *hash != NULL; hash++)
    add_row (self, store != NULL ? wp_store_vcs (store) : NULL, *hash);
  update (self);
  return GTK_WIDGET (self);
}
