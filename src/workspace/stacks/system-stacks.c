#include "workspace/stacks/system-stacks.h"

#include "profile/model/document.h"
#include "trace/trace-stacks.h"

static gpointer
run (gpointer data, WpProgress *progress, GError **error)
{
  const WpDocument *document = wp_shared_get (data);

  wp_progress_phase (progress, "Gathering stacks");
  return wp_trace_stacks (document->trace, progress, error);
}

WpWorker *
wp_system_stacks_start (WpWorkspace *workspace, WpWorkerTold told, WpWorkerDone done, gpointer user_data)
{
  if (wp_workspace_trace (workspace) == NULL)
    return NULL;
  return wp_worker_start (&(WpWorkerSpec) { .run = run,
                                            .told = told,
                                            .done = done,
                                            .data = wp_shared_ref (wp_workspace_document (workspace)),
                                            .free_data = (GDestroyNotify) wp_shared_unref,
                                            .free_result = (GDestroyNotify) wp_stacks_unref,
                                            .user_data = user_data });
}
