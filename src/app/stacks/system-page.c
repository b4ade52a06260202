#include "app/stacks/system-page.h"

#include <glib/gi18n.h>

#include "app/stacks/stacks-page.h"
#include "app/widgets/status-page.h"
#include "workspace/stacks/system-stacks.h"

struct _WpSystemPage
{
  AdwBin parent_instance;

  WpWorkspace *workspace;
  char *title, *folder;
  WpSaver *saver;
  AdwStatusPage *status;
  WpWorker *worker;
  WpContent *content;
  gboolean failed;
};

enum
{
  SIGNAL_CHANGED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (WpSystemPage, wp_system_page, ADW_TYPE_BIN)

WpContent *
wp_system_page_content (WpSystemPage *self)
{
  return self->content;
}

gboolean
wp_system_page_busy (WpSystemPage *self)
{
  return self->worker != NULL;
}

static void
show_failure (WpSystemPage *self, const char *message)
{
  self->failed = TRUE;
  wp_status_page_set (self->status, "dialog-warning-symbolic", _("This Cannot Be Shown"), message);
}

/* The same moment as in the views of the process. */
static void
set_clock (WpSystemPage *self)
{
  gboolean since = wp_workspace_option (self->workspace, WP_OPTION_SINCE_PROCESS);
  const WpAnalysis *whole = since ? wp_shared_get (wp_workspace_whole (self->workspace)) : NULL;

  if (self->content != NULL)
    wp_stacks_page_set_origin (WP_STACKS_PAGE (self->content), whole != NULL ? whole->paths->wall_start : 0);
}

static void
on_done (gpointer result, const GError *error, gpointer data)
{
  WpSystemPage *self = data;
  g_autoptr (WpShared) stacks = result != NULL ? wp_shared_new (result, (GDestroyNotify) wp_stacks_unref) : NULL;

  self->worker = NULL;
  if (stacks == NULL)
    show_failure (self, error->message);
  else if (((WpStacks *) result)->types.len == 0)
    show_failure (self, _("The recording holds neither samples nor times of tasks."));
  else
    {
      self->content = WP_CONTENT (wp_stacks_page_new (stacks, self->title, self->folder, WP_STACKS_WITHIN, self->saver));
      set_clock (self);
      adw_bin_set_child (ADW_BIN (self), GTK_WIDGET (self->content));
    }
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

/* Names of functions come first. */
static void
begin (WpSystemPage *self)
{
  if (self->worker == NULL && self->content == NULL && !self->failed)
    self->worker = wp_system_stacks_start (self->workspace, NULL, on_done, self);
}

static void
on_workspace_changed (WpWorkspace *workspace, WpSystemPage *self)
{
  begin (self);
  set_clock (self);
}

static void
wp_system_page_dispose (GObject *object)
{
  WpSystemPage *self = WP_SYSTEM_PAGE (object);

  wp_worker_drop (&self->worker);
  self->content = NULL;
  self->failed = TRUE;
  G_OBJECT_CLASS (wp_system_page_parent_class)->dispose (object);
}

static void
wp_system_page_finalize (GObject *object)
{
  WpSystemPage *self = WP_SYSTEM_PAGE (object);

  g_clear_object (&self->workspace);
  g_clear_object (&self->saver);
  g_free (self->title);
  g_free (self->folder);
  G_OBJECT_CLASS (wp_system_page_parent_class)->finalize (object);
}

static void
wp_system_page_class_init (WpSystemPageClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = wp_system_page_dispose;
  G_OBJECT_CLASS (klass)->finalize = wp_system_page_finalize;
  signals[SIGNAL_CHANGED] = g_signal_new ("changed", WP_TYPE_SYSTEM_PAGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
wp_system_page_init (WpSystemPage *self)
{
  self->status = ADW_STATUS_PAGE (adw_status_page_new ());
  adw_bin_set_child (ADW_BIN (self), GTK_WIDGET (self->status));
}

GtkWidget *
wp_system_page_new (WpWorkspace *workspace, const char *title, const char *folder, WpSaver *saver)
{
  WpSystemPage *self = g_object_new (WP_TYPE_SYSTEM_PAGE, NULL);

  self->workspace = g_object_ref (workspace);
  self->title = g_strdup (title);
  self->folder = g_strdup (folder);
  self->saver = g_object_ref (saver);
  wp_status_page_set (self->status, "wakepath-flame-symbolic", _("Gathering Stacks"), _("All tasks of the recording are put together."));
  g_signal_connect_object (workspace, "changed", G_CALLBACK (on_workspace_changed), self, 0);
  g_signal_connect (self, "map", G_CALLBACK (set_clock), NULL); /* what it counts from is chosen in other views */
  begin (self);
  return GTK_WIDGET (self);
}
