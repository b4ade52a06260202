#include "workspace/stacks/source-request.h"

#include "read/symbols/stacks-symbols.h"

typedef struct
{
  WpSourceWanted *wanted;
  char **mappings;
  gboolean code;
} Job;

/* --- what is wanted ------------------------------------------------------------------------------------------------- */

WpSourceWanted *
wp_source_wanted_new (WpShared *stacks, const WpSourceRequest *request)
{
  const WpStacks *profile = wp_shared_get (stacks);
  WpSourceWanted *self = g_atomic_rc_box_new0 (WpSourceWanted);

  self->request = *request;
  self->request.function = g_strdup (request->function);
  self->request.unit = g_strdup (request->unit);
  self->request.folder = g_strdup (request->folder);
  if (request->total == 0)
    self->request.total = wp_stacks_total (profile, request->type, request->mean);
  self->stacks = wp_shared_ref (stacks);
  self->unit = wp_stacks_text (profile, profile->types.data[request->type].unit);
  return self;
}

WpSourceWanted *
wp_source_wanted_ref (WpSourceWanted *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
clear_wanted (gpointer data)
{
  WpSourceWanted *self = data;

  g_free ((char *) self->request.function);
  g_free ((char *) self->request.unit);
  g_free ((char *) self->request.folder);
  wp_shared_unref (self->stacks);
}

void
wp_source_wanted_unref (WpSourceWanted *self)
{
  g_atomic_rc_box_release_full (self, clear_wanted);
}

void
wp_source_found_free (WpSourceFound *self)
{
  g_clear_pointer (&self->sources, g_ptr_array_unref);
  g_clear_pointer (&self->code, wp_source_text_free);
  g_free (self);
}

/* --- the worker ----------------------------------------------------------------------------------------------------- */

static void
job_free (gpointer data)
{
  Job *self = data;

  wp_source_wanted_unref (self->wanted);
  g_strfreev (self->mappings);
  g_free (self);
}

static gpointer
run (gpointer data, WpProgress *progress, GError **error)
{
  const Job *job = data;
  const WpSourceRequest *request = &job->wanted->request;
  WpStacks *profile = wp_shared_get (job->wanted->stacks);
  const WpRoutineOptions options = { .name = request->function, .type = request->type, .mean = request->mean,
                                     .without_inlined = request->without_inlined };
  const WpSourcePlaces places = { .mappings = job->mappings, .beside = request->folder };
  g_autofree guint8 *functions = wp_routine_functions (profile, &options);
  g_autoptr (WpStacks) stacks = wp_read_stacks_lines (profile, functions, NULL, progress, error);
  g_autoptr (WpListing) listing = stacks != NULL && !job->code ? wp_listing_new (stacks, &options, &places, progress, error) : NULL;
  g_autoptr (WpCodeListing) code = stacks != NULL && job->code ? wp_code_listing_new (stacks, &options, progress, error) : NULL;
  WpSourceFound *found;

  if (listing == NULL && code == NULL)
    return NULL;
  found = g_new0 (WpSourceFound, 1);
  if (listing != NULL)
    found->sources = wp_source_texts (listing);
  else
    found->code = wp_code_text (code, stacks, &places);
  return found;
}

WpWorker *
wp_source_start (WpSourceWanted *wanted, gboolean code, char **mappings, WpWorkerDone done, gpointer user_data)
{
  Job *job = g_new0 (Job, 1);

  job->wanted = wp_source_wanted_ref (wanted);
  job->mappings = g_strdupv (mappings);
  job->code = code;
  return wp_worker_start (&(WpWorkerSpec) { .run = run,
                                            .done = done,
                                            .data = job,
                                            .free_data = job_free,
                                            .free_result = (GDestroyNotify) wp_source_found_free,
                                            .user_data = user_data });
}
