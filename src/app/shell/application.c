#include "app/shell/application.h"

#include <glib-unix.h>
#include <glib/gi18n.h>
#include <signal.h>

#include "workspace/store/store-session.h"
#include "app/record/left-commands.h"
#include "app/shell/help.h"
#include "app/shell/preferences.h"
#include "app/shell/settings.h"
#include "app/shell/unsaved.h"
#include "app/shell/window.h"
#include "app/widgets/unseen-pages.h"
#include "config.h"
#include "read/sidecar/sidecar.h"
#include "read/symbols/debuginfod.h"

struct _WpApplication
{
  AdwApplication parent_instance;

  GtkWindow *help, *preferences; /* while they are there */
};

G_DEFINE_FINAL_TYPE (WpApplication, wp_application, ADW_TYPE_APPLICATION)

static const GOptionEntry options[] = {
  { "version", 0, 0, G_OPTION_ARG_NONE, NULL, N_ ("Print the version and exit"), NULL },
  { "new-window", 'w', 0, G_OPTION_ARG_NONE, NULL, N_ ("Open a new window"), NULL },
  { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, NULL, NULL, N_ ("[FILE…]") },
  { 0 },
};

static const struct
{
  const char *action;
  const char *keys[3];
} accels[] = {
  { "win.record", { "<Control>r" } },
  { "win.open", { "<Control>o" } },
  { "win.save", { "<Control>s" } },
  { "win.export-picture", { "<Control><Shift>e" } },
  { "win.close-tab", { "<Control>w" } },
  { "win.nth-view(1)", { "<Alt>1" } },
  { "win.nth-view(2)", { "<Alt>2" } },
  { "win.nth-view(3)", { "<Alt>3" } },
  { "win.nth-view(4)", { "<Alt>4" } },
  { "win.nth-view(5)", { "<Alt>5" } },
  { "win.zoom-in", { "<Control>plus", "<Control>equal" } },
  { "win.zoom-out", { "<Control>minus" } },
  { "win.zoom-fit", { "<Control>0" } },
  { "win.back", { "<Alt>Left" } },
  { "win.forward", { "<Alt>Right" } },
  { "win.search", { "<Control>f" } },
  { "win.next-match", { "<Control>g" } },
  { "win.previous-match", { "<Control><Shift>g" } },
  { "win.panel", { "F9" } },
  { "win.details", { "<Shift>F9" } },
  { "win.go-to-waker", { "<Control>Left" } },
  { "win.go-to-woken", { "<Control>Right" } },
  { "win.undo", { "<Control>z" } },
  { "win.export-table", { "<Control><Shift>t" } },
  { "win.step-next", { "<Control>Down" } },
  { "win.step-previous", { "<Control>Up" } },
  { "win.step-longest", { "<Control>l" } },
  { "win.notes", { "<Control>b" } },
  { "win.copy-details", { "<Control><Shift>c" } },
  { "app.new-window", { "<Control>n" } },
  { "app.help", { "F1" } },
  { "app.preferences", { "<Control>comma" } },
  { "app.quit", { "<Control>q" } },
};

/* The one that was used last, whatever dialog is before it; NULL: there is none. */
static GtkWindow *
last_window (GtkApplication *application)
{
  GList *l = gtk_application_get_windows (application);

  while (l != NULL && !WP_IS_WINDOW (l->data))
    l = l->next;
  return l != NULL ? l->data : NULL;
}

static WpWindow *
window (WpApplication *self, gboolean fresh)
{
  GtkWindow *last = last_window (GTK_APPLICATION (self));

  return WP_WINDOW (last == NULL || fresh ? GTK_WINDOW (wp_window_new (GTK_APPLICATION (self))) : last);
}

static void
wp_application_activate (GApplication *application)
{
  gtk_window_present (GTK_WINDOW (window (WP_APPLICATION (application), FALSE)));
}

static void
wp_application_open (GApplication *application, GFile **files, int n, const char *hint)
{
  WpWindow *w = window (WP_APPLICATION (application), FALSE);

  for (int i = 0; i < n; i++)
    wp_window_open (w, files[i], NULL);
  gtk_window_present (GTK_WINDOW (w));
}

static int
wp_application_handle_local_options (GApplication *application, GVariantDict *dict)
{
  if (!g_variant_dict_contains (dict, "version"))
    return -1;
  g_print ("wakepath %s\n", WP_VERSION);
  return 0;
}

static int
wp_application_command_line (GApplication *application, GApplicationCommandLine *line)
{
  GVariantDict *dict = g_application_command_line_get_options_dict (line);
  WpWindow *w = window (WP_APPLICATION (application), g_variant_dict_contains (dict, "new-window"));
  g_autofree const char **names = NULL;

  g_variant_dict_lookup (dict, G_OPTION_REMAINING, "^a&ay", &names);
  if (g_application_command_line_get_cwd (line) != NULL)
    wp_window_show_store_of (w, g_application_command_line_get_cwd (line));
  for (guint i = 0; names != NULL && names[i] != NULL; i++)
    {
      g_autoptr (GFile) file = g_application_command_line_create_file_for_arg (line, names[i]);

      wp_window_open (w, file, NULL);
    }
  gtk_window_present (GTK_WINDOW (w));
  return 0;
}

static void
quit_now (gpointer application)
{
  GtkWindow *w;

  while ((w = gtk_application_get_active_window (application)) != NULL)
    {
      if (WP_IS_WINDOW (w))
        wp_window_keep_size (WP_WINDOW (w));
      gtk_window_destroy (w);
    }
  g_application_quit (application);
}

static void
on_left_answer (WpReply reply, gpointer application)
{
  if (reply == WP_REPLY_GO_ON)
    quit_now (application);
}

static void
quit_or_ask (gpointer application)
{
  GtkWindow *last = last_window (application);

  if (last == NULL || !wp_left_commands_ask (last, on_left_answer, G_OBJECT (application)))
    quit_now (application);
}

/* Of all windows together. Returns the first that has something, or NULL. */
static GtkWindow *
gather_unsaved (GtkApplication *application, GPtrArray *pages)
{
  GtkWindow *first = NULL;

  for (GList *l = gtk_application_get_windows (application); l != NULL; l = l->next)
    {
      if (!WP_IS_WINDOW (l->data))
        continue;
      wp_window_gather_unsaved (l->data, pages);
      if (pages->len > 0 && first == NULL)
        first = l->data;
    }
  return first;
}

static void
quit_again (WpReply reply, gpointer application)
{
  g_action_group_activate_action (application, "quit", NULL);
}

static void
on_quit_answer (WpReply reply, gpointer application)
{
  g_autoptr (GPtrArray) pages = g_ptr_array_new ();

  gather_unsaved (application, pages);
  if (reply == WP_REPLY_GO_ON)
    quit_or_ask (application);
  else if (reply == WP_REPLY_SAVE)
    wp_unsaved_save (pages, quit_again, application);
}

static gboolean
holds (GtkApplication *application)
{
  for (GList *l = gtk_application_get_windows (application); l != NULL; l = l->next)
    if (WP_IS_WINDOW (l->data) && wp_window_holds (l->data, "app.quit"))
      return TRUE;
  return FALSE;
}

static void
quit (GSimpleAction *action, GVariant *parameter, gpointer application)
{
  g_autoptr (GPtrArray) pages = g_ptr_array_new ();
  GtkWindow *first;

  if (holds (application))
    return;
  first = gather_unsaved (application, pages);

  if (first != NULL)
    gtk_window_present (first);
  if (first == NULL || !wp_unsaved_ask (first, pages, on_quit_answer, application))
    quit_or_ask (application);
}

static void
new_window (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  gtk_window_present (GTK_WINDOW (window (data, TRUE)));
}

/* Asked for in a view it begins with that one. */
static void
help (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  WpApplication *self = data;
  GtkWindow *window = gtk_application_get_active_window (data);
  g_autofree char *topic = WP_IS_WINDOW (window) ? wp_window_topic (WP_WINDOW (window)) : NULL;

  if (self->help == NULL)
    {
      g_set_weak_pointer (&self->help, wp_help_new ());
      gtk_window_set_transient_for (self->help, window);
    }
  if (topic != NULL)
    wp_help_show (self->help, topic);
  gtk_window_present (self->help);
}

static void
preferences (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  WpApplication *self = data;

  if (self->preferences == NULL)
    g_set_weak_pointer (&self->preferences, wp_preferences_new ());
  gtk_window_set_transient_for (self->preferences, gtk_application_get_active_window (data));
  gtk_window_present (self->preferences);
}

/* What the core does by itself follows the settings, too. */
static void
follow_settings (void)
{
  wp_debuginfod_allow (wp_settings_boolean ("fetch-debuginfo", TRUE));
  wp_sidecars_allow (wp_settings_boolean ("keep-opened", TRUE));
}

static void
about (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  const char *developers[] = { "The Wakepath developers", NULL };

  adw_show_about_window (gtk_application_get_active_window (GTK_APPLICATION (data)), "application-name", "Wakepath",
                         "application-icon", WP_APP_ID, "version", WP_VERSION, "license-type", GTK_LICENSE_GPL_3_0,
                         "developer-name", _("The Wakepath developers"), "developers", developers, "comments",
                         _("Shows where a program’s time went when the answer is not inside that program."), NULL);
}

/* Told to end from outside: in order, so that what was put aside is taken away. */
static gboolean
on_signal (gpointer application)
{
  g_application_quit (application);
  return G_SOURCE_CONTINUE;
}

static void
wp_application_startup (GApplication *application)
{
  static const int signals[] = { SIGHUP, SIGINT, SIGTERM };
  const GActionEntry entries[] = {
    { .name = "quit", .activate = quit },
    { .name = "new-window", .activate = new_window },
    { .name = "help", .activate = help },
    { .name = "preferences", .activate = preferences },
    { .name = "about", .activate = about },
  };

  G_APPLICATION_CLASS (wp_application_parent_class)->startup (application);
  wp_hide_unseen_pages ();
  g_action_map_add_action_entries (G_ACTION_MAP (application), entries, G_N_ELEMENTS (entries), application);
  for (guint i = 0; i < G_N_ELEMENTS (accels); i++)
    gtk_application_set_accels_for_action (GTK_APPLICATION (application), accels[i].action,
                                           (const char *const *) accels[i].keys);
  for (guint i = 0; i < G_N_ELEMENTS (signals); i++)
    g_unix_signal_add (signals[i], on_signal, application);
  gtk_window_set_default_icon_name (WP_APP_ID);
  /* Text that comes to have the keyboard has not been selected by anybody. */
  g_object_set (gtk_settings_get_default (), "gtk-label-select-on-focus", FALSE, NULL);
  follow_settings ();
  if (wp_settings () != NULL)
    {
      g_signal_connect (wp_settings (), "changed::fetch-debuginfo", G_CALLBACK (follow_settings), NULL);
      g_signal_connect (wp_settings (), "changed::keep-opened", G_CALLBACK (follow_settings), NULL);
    }
}

static void
wp_application_shutdown (GApplication *application)
{
  g_clear_weak_pointer (&WP_APPLICATION (application)->help);
  g_clear_weak_pointer (&WP_APPLICATION (application)->preferences);
  G_APPLICATION_CLASS (wp_application_parent_class)->shutdown (application);
  wp_store_unpacked_clear ();
}

static void
wp_application_class_init (WpApplicationClass *klass)
{
  GApplicationClass *application_class = G_APPLICATION_CLASS (klass);

  application_class->startup = wp_application_startup;
  application_class->shutdown = wp_application_shutdown;
  application_class->activate = wp_application_activate;
  application_class->open = wp_application_open;
  application_class->command_line = wp_application_command_line;
  application_class->handle_local_options = wp_application_handle_local_options;
}

static void
wp_application_init (WpApplication *self)
{
  g_application_add_main_option_entries (G_APPLICATION (self), options);
  g_application_set_option_context_summary (G_APPLICATION (self),
                                            _("Shows where a program’s time went, across every process it waited for."));
}

WpApplication *
wp_application_new (void)
{
  return g_object_new (WP_TYPE_APPLICATION, "application-id", WP_APP_ID, "flags",
                       G_APPLICATION_HANDLES_COMMAND_LINE | G_APPLICATION_HANDLES_OPEN, "resource-base-path",
                       "/org/wakepath/Wakepath", NULL);
}
