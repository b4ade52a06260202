#include "app/page/page.h"

#include <glib/gi18n.h>

#include "app/page/banner.h"
#include "app/page/callouts.h"
#include "app/page/trace-page.h"
#include "app/plots/plot-page.h"
#include "app/shell/settings.h"
#include "app/stacks/calls-page.h"
#include "app/stacks/stacks-page.h"
#include "app/stacks/system-page.h"
#include "app/widgets/status-page.h"
#include "app/widgets/toast.h"
#include "record/recorder.h"
#include "workspace/worker.h"
#include "workspace/file/open-file.h"

struct _WpPage
{
  AdwBin parent_instance;

  /* the template */
  AdwToastOverlay *toasts;
  GtkStack *stack; /* "loading", "failed", "open" */
  AdwStatusPage *loading, *failed;
  GtkProgressBar *loading_progress;
  WpBanner *banner;
  GtkBox *open; /* holds the banner, and the content below it */
  WpExplanationPanel *panel;

  GFile *file;
  char *version;  /* of the file when it was opened: changes with it; NULL: there was none */
  char *title;
  char *command_output; /* or NULL */
  char *of_process; /* the title with the process that was chosen in front; NULL: none was */
  WpWorker *opening;
  WpSaver *saver;
  WpContent *content; /* NULL: not open; or not any more */
  WpSystemPage *system; /* all tasks of a recording, in place of the content; NULL: never looked at */
  WpCallsPage *calls;   /* the call graph of the process of interest, in its place, too; NULL: never looked at */
  gpointer instead;     /* which of both is seen; NULL: the content is */
};

enum
{
  SIGNAL_CHANGED,
  SIGNAL_SAVING_ENDED,
  SIGNAL_FINISHED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (WpPage, wp_page, ADW_TYPE_BIN)

static void
changed (WpPage *self)
{
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

GFile *
wp_page_file (WpPage *self)
{
  return self->file;
}

const char *
wp_page_title (WpPage *self)
{
  return self->of_process != NULL ? self->of_process : self->title;
}

GtkWidget *
wp_page_panel (WpPage *self)
{
  return GTK_WIDGET (self->panel);
}

/* What is seen of it; NULL: nothing yet. */
static WpContent *
seen (WpPage *self)
{
  if (self->content == NULL || self->instead == NULL)
    return self->content;
  return self->instead == self->system ? wp_system_page_content (self->system) : WP_CONTENT (self->calls);
}

static gboolean
is_system_busy (WpPage *self)
{
  return self->instead != NULL && self->instead == self->system && wp_system_page_busy (self->system);
}

gboolean
wp_page_busy (WpPage *self)
{
  return self->opening != NULL || (self->content != NULL && wp_content_busy (self->content)) || wp_page_writes (self)
         || is_system_busy (self) || (seen (self) != NULL && wp_content_busy (seen (self)));
}

gboolean
wp_page_has_views (WpPage *self)
{
  return self->content != NULL;
}

const WpContentView *
wp_page_views (WpPage *self)
{
  return self->content != NULL ? wp_content_views (self->content) : NULL;
}

gboolean
wp_page_writes (WpPage *self)
{
  return wp_saver_busy (self->saver);
}

gboolean
wp_page_changed (WpPage *self)
{
  return self->content != NULL && wp_content_unsaved (self->content);
}

gboolean
wp_page_unsaved (WpPage *self)
{
  return wp_page_writes (self) || wp_page_changed (self);
}

gboolean
wp_page_can_save (WpPage *self)
{
  return !wp_page_writes (self) && wp_page_changed (self) && wp_content_can (self->content, WP_ACTION_SAVE);
}

void
wp_page_save (WpPage *self)
{
  wp_content_do (self->content, WP_ACTION_SAVE, NULL);
}

/* --- what the store panel asks --- */

static WpWorkspace *
workspace_of (WpPage *self)
{
  return self->content != NULL ? wp_content_workspace (self->content) : NULL;
}

WpShared *
wp_page_share_analysis (WpPage *self)
{
  WpWorkspace *workspace = workspace_of (self);

  return workspace != NULL ? wp_shared_ref (wp_workspace_whole (workspace)) : NULL;
}

WpShared *
wp_page_share_changed_plots (WpPage *self)
{
  return wp_page_changed (self) && WP_IS_PLOT_PAGE (self->content) ? wp_shared_ref (wp_plot_page_plots (WP_PLOT_PAGE (self->content))) : NULL;
}

gboolean
wp_page_shows_profile (WpPage *self)
{
  return self->content != NULL && workspace_of (self) == NULL;
}

const char *
wp_page_recorder_text (WpPage *self, const char *key)
{
  WpWorkspace *workspace = workspace_of (self);

  return workspace != NULL ? wp_workspace_recorder_text (workspace, key) : NULL;
}

/* --- what can be done with it --- */

/* What is done with the process, whether its views or its call graph are seen. */
static const gboolean of_process[WP_N_ACTIONS] = {
  [WP_ACTION_MERGE_THREADS] = TRUE, [WP_ACTION_STARTED_WORK] = TRUE, [WP_ACTION_RESTORE_BRANCHES] = TRUE, [WP_ACTION_UNDO] = TRUE,
  [WP_ACTION_SAVE] = TRUE,          [WP_ACTION_SAVE_RECORDING] = TRUE, [WP_ACTION_EXPORT_TABLE] = TRUE,   [WP_ACTION_COPY_TABLE] = TRUE,
};

/* Who does an action; NULL: nobody yet. */
static WpContent *
doer (WpPage *self, WpAction action)
{
  gboolean of_content = action == WP_ACTION_VIEW || (self->instead != NULL && self->instead == self->calls && of_process[action]);

  return of_content ? self->content : seen (self);
}

/* From what stands in place of the views back leads to these, once it leads nowhere else there. */
static gboolean
leads_out (WpPage *self, WpAction action)
{
  return action == WP_ACTION_BACK && self->content != NULL && self->instead != NULL
         && (seen (self) == NULL || !wp_content_can (seen (self), action));
}

gboolean
wp_page_can (WpPage *self, WpAction action)
{
  WpContent *content = doer (self, action);

  if (leads_out (self, action))
    return TRUE;
  if (wp_actions[action].writes && wp_page_writes (self))
    return FALSE;
  return content != NULL && wp_content_can (content, action);
}

GVariant *
wp_page_state (WpPage *self, WpAction action)
{
  WpContent *content = doer (self, action);
  GVariant *state;

  if (self->instead != NULL && action == WP_ACTION_VIEW)
    return g_variant_new_string (self->instead == self->system ? WP_VIEW_SYSTEM : WP_VIEW_CALLS);
  state = content != NULL ? wp_content_state (content, action) : NULL;
  if (state != NULL)
    return state;
  if (g_str_equal (wp_actions[action].type, "s"))
    return g_variant_new_string (action == WP_ACTION_VIEW ? "processes" : "");
  return g_variant_new_boolean (wp_action_kept (action));
}

/* --- the content --- */

static void
on_told (GObject *source, const char *text, WpPage *self)
{
  if (self->content != NULL)
    wp_toast (self->toasts, text);
}

static void
on_problems_changed (WpContent *content, WpPage *self)
{
  g_autoptr (WpProblems) problems = self->content != NULL ? wp_content_problems (content) : NULL;

  if (problems != NULL)
    wp_banner_show (self->banner, problems);
}

/* A tab is called after its file, and after the process that one has chosen there. */
static void
find_title (WpPage *self)
{
  WpWorkspace *workspace = workspace_of (self);
  g_autofree char *chosen = workspace != NULL ? wp_workspace_chosen (workspace) : NULL;

  g_free (self->of_process);
  self->of_process = chosen != NULL ? g_strdup_printf ("%s – %s", chosen, self->title) : NULL;
}

static void
on_content_changed (WpContent *content, WpPage *self)
{
  if (self->content == NULL)
    return;
  find_title (self);
  changed (self);
}

static void
on_saver_changed (WpSaver *saver, WpPage *self)
{
  if (self->content != NULL)
    changed (self);
}

static void
on_saving_ended (WpSaver *saver, gboolean written, WpPage *self)
{
  g_signal_emit (self, signals[SIGNAL_SAVING_ENDED], 0, written);
}

static void
show_content (WpPage *self, GtkWidget *content)
{
  self->content = WP_CONTENT (content);
  g_signal_connect_object (content, "changed", G_CALLBACK (on_content_changed), self, 0);
  g_signal_connect_object (content, "problems-changed", G_CALLBACK (on_problems_changed), self, 0);
  g_signal_connect_object (content, "told", G_CALLBACK (on_told), self, 0);
  gtk_widget_set_vexpand (content, TRUE);
  gtk_box_append (self->open, content);
  gtk_stack_set_visible_child_name (self->stack, "open");
}

static char *
folder_of (WpPage *self)
{
  g_autoptr (GFile) parent = g_file_get_parent (self->file);

  return parent != NULL ? g_file_get_path (parent) : NULL;
}

static GtkWidget *
new_trace_page (WpPage *self, const WpOpened *opened)
{
  const WpViewOptions options = wp_trace_page_kept_options ();
  g_autoptr (WpWorkspace) workspace = wp_workspace_new (opened->document, opened->rows, &options);

  return wp_trace_page_new (workspace, self->title, self->panel, self->saver);
}

static GtkWidget *
new_stacks_page (WpPage *self, const WpOpened *opened)
{
  g_autofree char *folder = folder_of (self);
  GtkWidget *page = wp_stacks_page_new (opened->stacks, self->title, folder, WP_STACKS_ALONE, self->saver);

  if (opened->plain)
    wp_stacks_page_set_plain (page);
  return page;
}

static gboolean
is_sample (WpPage *self)
{
  g_autofree char *path = wp_data_file ("sample.perf");
  g_autoptr (GFile) sample = path != NULL ? g_file_new_for_path (path) : NULL;

  return sample != NULL && g_file_equal (sample, self->file);
}

static void
show_opened (WpPage *self, const WpOpened *opened)
{
  if (opened->plots != NULL)
    show_content (self, wp_plot_page_new (opened->plots, self->title, self->saver));
  else if (opened->stacks != NULL)
    show_content (self, new_stacks_page (self, opened));
  else if (opened->calls != NULL)
    show_content (self, wp_calls_page_new (opened->calls, self->title, self->saver));
  else
    {
      show_content (self, new_trace_page (self, opened));
      gtk_widget_grab_focus (GTK_WIDGET (self->content));
      if (is_sample (self))
        wp_callouts_start_once (WP_TRACE_PAGE (self->content));
    }
  on_problems_changed (self->content, self);
  changed (self);
}

/* --- what stands in place of a recording's views --- */

static void
listen_to (WpPage *self, gpointer content)
{
  g_signal_connect_object (content, "changed", G_CALLBACK (on_content_changed), self, 0);
  g_signal_connect_object (content, "told", G_CALLBACK (on_told), self, 0);
}

static void
on_system_changed (WpSystemPage *system, WpPage *self)
{
  if (wp_system_page_content (system) != NULL)
    listen_to (self, wp_system_page_content (system));
  changed (self);
}

static gpointer
add_instead (WpPage *self, GtkWidget *page)
{
  gtk_widget_set_vexpand (page, TRUE);
  gtk_widget_set_visible (page, FALSE);
  gtk_box_append (self->open, page);
  return page;
}

static gpointer
system_of (WpPage *self)
{
  g_autofree char *folder = folder_of (self);

  if (self->system == NULL)
    {
      self->system = add_instead (self, wp_system_page_new (workspace_of (self), self->title, folder, self->saver));
      g_signal_connect_object (self->system, "changed", G_CALLBACK (on_system_changed), self, 0);
    }
  return self->system;
}

static gpointer
calls_of (WpPage *self)
{
  if (self->calls == NULL)
    {
      self->calls = add_instead (self, wp_calls_page_new_of_process (workspace_of (self), self->title, self->saver));
      listen_to (self, self->calls);
    }
  return self->calls;
}

/* NULL: the content again. */
static void
show_instead (WpPage *self, gpointer page)
{
  GtkWidget *before = self->instead != NULL ? self->instead : GTK_WIDGET (self->content);

  self->instead = page;
  gtk_widget_set_visible (before, FALSE);
  gtk_widget_set_visible (page != NULL ? page : GTK_WIDGET (self->content), TRUE);
  changed (self);
}

void
wp_page_do (WpPage *self, WpAction action, GVariant *value)
{
  const char *view = action == WP_ACTION_VIEW && workspace_of (self) != NULL ? g_variant_get_string (value, NULL) : "";

  if (leads_out (self, action))
    show_instead (self, NULL);
  else if (g_str_equal (view, WP_VIEW_SYSTEM))
    show_instead (self, system_of (self));
  else if (g_str_equal (view, WP_VIEW_CALLS))
    show_instead (self, calls_of (self));
  else
    {
      if (*view != '\0')
        show_instead (self, NULL);
      wp_content_do (doer (self, action), action, value);
    }
}

/* --- opening --- */

typedef struct
{
  char *path;
  WpViewOptions options;
} OpenRequest;

static void
open_request_free (gpointer data)
{
  OpenRequest *self = data;

  g_free (self->path);
  g_free (self);
}

static gpointer
run_open (gpointer data, WpProgress *progress, GError **error)
{
  const OpenRequest *request = data;

  return wp_open_file (request->path, &request->options, progress, error);
}

static void
on_open_told (const char *phase, double fraction, gpointer data)
{
  WpPage *self = data;

  if (phase != NULL)
    wp_status_page_say (self->loading, _(phase));
  gtk_progress_bar_set_fraction (self->loading_progress, fraction);
}

static void
show_failure (WpPage *self, const GError *error)
{
  g_autofree char *title = g_strdup_printf (_("Cannot Open “%s”"), self->title);

  adw_status_page_set_title (self->failed, title);
  wp_status_page_say (self->failed, error->message);
  gtk_stack_set_visible_child_name (self->stack, "failed");
  changed (self);
}

static void
on_open_done (gpointer data, const GError *error, gpointer user_data)
{
  WpPage *self = user_data;
  g_autoptr (WpOpened) opened = data;

  self->opening = NULL;
  if (opened == NULL)
    {
      show_failure (self, error);
      return;
    }
  if (opened->name != NULL)
    {
      g_free (self->title);
      self->title = g_steal_pointer (&opened->name);
    }
  show_opened (self, opened);
}

/* NULL: it is not there. Free with g_free(). */
static char *
version_of (GFile *file)
{
  g_autoptr (GFileInfo) info = g_file_query_info (file, G_FILE_ATTRIBUTE_ETAG_VALUE "," G_FILE_ATTRIBUTE_STANDARD_SIZE "," G_FILE_ATTRIBUTE_UNIX_INODE,
                                                  G_FILE_QUERY_INFO_NONE, NULL, NULL);

  return info == NULL ? NULL
                      : g_strdup_printf ("%s %" G_GINT64_FORMAT " %" G_GUINT64_FORMAT, g_file_info_get_etag (info), g_file_info_get_size (info),
                                         g_file_info_get_attribute_uint64 (info, G_FILE_ATTRIBUTE_UNIX_INODE));
}

gboolean
wp_page_is_current (WpPage *self)
{
  g_autofree char *now = self->content != NULL ? version_of (self->file) : NULL;

  return self->content == NULL || g_strcmp0 (now, self->version) == 0;
}

static void
open_file (WpPage *self)
{
  OpenRequest *request = g_new0 (OpenRequest, 1);

  g_free (self->version);
  self->version = version_of (self->file);
  request->path = g_file_get_path (self->file);
  if (request->path == NULL)
    request->path = g_file_get_uri (self->file); /* a message about a file that is not there is what comes of it */
  request->options = wp_trace_page_kept_options ();
  gtk_progress_bar_set_fraction (self->loading_progress, 0);
  wp_status_page_say (self->loading, self->title);
  gtk_stack_set_visible_child_name (self->stack, "loading");
  self->opening = wp_worker_start (&(WpWorkerSpec) { .run = run_open,
                                                     .told = on_open_told,
                                                     .done = on_open_done,
                                                     .data = request,
                                                     .free_data = open_request_free,
                                                     .free_result = (GDestroyNotify) wp_opened_free,
                                                     .user_data = self });
  changed (self);
}

static void
on_cancel_loading (GtkButton *button, WpPage *self)
{
  wp_worker_drop (&self->opening);
  g_signal_emit (self, signals[SIGNAL_FINISHED], 0);
}

static void
on_retry (GtkButton *button, WpPage *self)
{
  open_file (self);
}

void
wp_page_try_again (WpPage *self)
{
  if (self->content == NULL && self->opening == NULL)
    open_file (self);
}

/* --- the widget --- */

static void
wp_page_dispose (GObject *object)
{
  WpPage *self = WP_PAGE (object);

  self->content = NULL;
  self->instead = NULL;
  wp_worker_drop (&self->opening);
  wp_saver_close (self->saver);
  G_OBJECT_CLASS (wp_page_parent_class)->dispose (object);
}

static void
wp_page_finalize (GObject *object)
{
  WpPage *self = WP_PAGE (object);

  g_clear_object (&self->saver);
  g_clear_object (&self->file);
  g_free (self->title);
  g_free (self->version);
  g_free (self->command_output);
  g_free (self->of_process);
  G_OBJECT_CLASS (wp_page_parent_class)->finalize (object);
}

static void
wp_page_class_init (WpPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = wp_page_dispose;
  G_OBJECT_CLASS (klass)->finalize = wp_page_finalize;
  signals[SIGNAL_CHANGED] = g_signal_new ("changed", WP_TYPE_PAGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_SAVING_ENDED] = g_signal_new ("saving-ended", WP_TYPE_PAGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_BOOLEAN);
  signals[SIGNAL_FINISHED] = g_signal_new ("finished", WP_TYPE_PAGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  g_type_ensure (WP_TYPE_BANNER);
  g_type_ensure (WP_TYPE_EXPLANATION_PANEL);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/wakepath/Wakepath/page.ui");
  gtk_widget_class_bind_template_child (widget_class, WpPage, toasts);
  gtk_widget_class_bind_template_child (widget_class, WpPage, stack);
  gtk_widget_class_bind_template_child (widget_class, WpPage, loading);
  gtk_widget_class_bind_template_child (widget_class, WpPage, failed);
  gtk_widget_class_bind_template_child (widget_class, WpPage, loading_progress);
  gtk_widget_class_bind_template_child (widget_class, WpPage, banner);
  gtk_widget_class_bind_template_child (widget_class, WpPage, open);
  gtk_widget_class_bind_template_child (widget_class, WpPage, panel);
  gtk_widget_class_bind_template_callback (widget_class, on_cancel_loading);
  gtk_widget_class_bind_template_callback (widget_class, on_retry);
}

static void
wp_page_init (WpPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->saver = wp_saver_new ();
  g_signal_connect_object (self->saver, "told", G_CALLBACK (on_told), self, 0);
  g_signal_connect_object (self->saver, "changed", G_CALLBACK (on_saver_changed), self, 0);
  g_signal_connect_object (self->saver, "ended", G_CALLBACK (on_saving_ended), self, 0);
  wp_explanation_panel_show (self->panel, NULL, NULL, FALSE, 0);
}

/* --- the command that was recorded --- */

static void
find_command_output (WpPage *self)
{
  const char *path = g_file_peek_path (self->file);
  g_autofree char *output = path != NULL ? wp_recorder_command_output_of (path) : NULL;

  if (output != NULL && g_file_test (output, G_FILE_TEST_IS_REGULAR))
    self->command_output = g_steal_pointer (&output);
}

const char *
wp_page_command_output (WpPage *self)
{
  return self->command_output;
}

void
wp_page_tell_end (WpPage *self, const char *text)
{
  if (self->command_output != NULL)
    wp_toast_with_button (self->toasts, text, _("Show Output"), "win.command-output");
  else
    wp_toast (self->toasts, text);
}

GtkWidget *
wp_page_new (GFile *file, const char *title)
{
  WpPage *self = g_object_new (WP_TYPE_PAGE, NULL);

  self->file = g_object_ref (file);
  self->title = title != NULL ? g_strdup (title) : g_file_get_basename (file);
  find_command_output (self);
  open_file (self);
  return GTK_WIDGET (self);
}
