#include "workspace/stacks/calls-model.h"

#include "workspace/worker.h"

struct _WpCallsModel
{
  GObject parent_instance;

  WpStacksModel *stacks; /* one of these three; the others are NULL */
  WpWorkspace *workspace;
  WpShared *graph;
  gboolean wanted;
  WpCallsChoice choice;
  WpShared *picture;
  WpShared *of;     /* the views or the analysis that the picture is of, or that it is being made of */
  WpCallsChoice made; /* the choice of the picture, or of the one that is being made */
  char *failure;
  WpWorker *making;
};

enum
{
  SIGNAL_CHANGED,
  SIGNAL_PROGRESS,
  SIGNAL_MADE,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (WpCallsModel, wp_calls_model, G_TYPE_OBJECT)

const WpCallsChoice *
wp_calls_model_choice (WpCallsModel *self)
{
  return &self->choice;
}

WpShared *
wp_calls_model_picture (WpCallsModel *self)
{
  return self->picture;
}

const char *
wp_calls_model_failure (WpCallsModel *self)
{
  return self->failure;
}

gboolean
wp_calls_model_busy (WpCallsModel *self)
{
  return self->making != NULL;
}

static void
on_made (gpointer result, const GError *error, gpointer data)
{
  WpCallsModel *self = data;

  self->making = NULL;
  g_clear_pointer (&self->picture, wp_shared_unref);
  if (result != NULL)
    self->picture = wp_shared_new (result, (GDestroyNotify) wp_calls_picture_free);
  else
    self->failure = g_strdup (error->message);
  g_signal_emit (self, signals[SIGNAL_MADE], 0);
}

static void
on_told (const char *phase, double fraction, gpointer data)
{
  g_signal_emit (data, signals[SIGNAL_PROGRESS], 0, phase, fraction);
}

static gboolean
is_alike (const WpCallsChoice *a, const WpCallsChoice *b)
{
  return a->lines == b->lines && a->type == b->type && memcmp (&a->hide_self, &b->hide_self, sizeof a->hide_self) == 0
         && memcmp (&a->hide_subs, &b->hide_subs, sizeof a->hide_subs) == 0;
}

static WpCallsSource
source_of (WpCallsModel *self)
{
  return (WpCallsSource) { .views = self->stacks != NULL ? wp_stacks_model_views (self->stacks) : NULL,
                           .analysis = self->workspace != NULL ? wp_workspace_shared_analysis (self->workspace) : NULL,
                           .graph = self->graph };
}

/* The one of them that there is; NULL: none yet. */
static WpShared *
thing_of (const WpCallsSource *source)
{
  return source->views != NULL ? source->views : source->analysis != NULL ? source->analysis : source->graph;
}

static void
start (WpCallsModel *self, const WpCallsSource *source, WpShared *before)
{
  wp_worker_drop (&self->making);
  g_clear_pointer (&self->failure, g_free);
  self->making = wp_worker_start (&(WpWorkerSpec) { .run = wp_calls_request_run,
                                                    .told = on_told,
                                                    .done = on_made,
                                                    .data = wp_calls_request_new (source, before, &self->choice),
                                                    .free_data = wp_calls_request_free,
                                                    .free_result = (GDestroyNotify) wp_calls_picture_free,
                                                    .user_data = self });
  self->made = self->choice;
  wp_shared_ref (thing_of (source));
  wp_shared_unref (self->of);
  self->of = thing_of (source);
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

static void
make (WpCallsModel *self)
{
  const WpCallsSource source = source_of (self);
  gboolean same = thing_of (&source) == self->of;

  if (!self->wanted || thing_of (&source) == NULL
      || (same && is_alike (&self->made, &self->choice)
          && (self->making != NULL || self->picture != NULL || self->failure != NULL)))
    return;
  start (self, &source, same ? self->picture : NULL);
}

/* --- an explained process ---------------------------------------------------------------------------------------- */

/* Nothing of the process before is to be seen, nor of one that could not be explained. */
static void
forget (WpCallsModel *self, const char *failure)
{
  wp_worker_drop (&self->making);
  g_clear_pointer (&self->picture, wp_shared_unref);
  g_clear_pointer (&self->of, wp_shared_unref);
  g_free (self->failure);
  self->failure = g_strdup (failure);
  g_signal_emit (self, signals[SIGNAL_MADE], 0);
}

static void
on_explaining (WpWorkspace *workspace, const char *phase, double fraction, gboolean anew, WpCallsModel *self)
{
  if (anew)
    forget (self, NULL);
  g_signal_emit (self, signals[SIGNAL_PROGRESS], 0, phase != NULL ? phase : "Explaining", fraction);
}

/* What is being explained is waited for. */
static void
make_of_process (WpCallsModel *self)
{
  if (!self->wanted || wp_workspace_busy (self->workspace))
    return;
  if (wp_workspace_shared_analysis (self->workspace) == NULL)
    forget (self, wp_workspace_failure (self->workspace));
  else
    make (self);
}

void
wp_calls_model_set_wanted (WpCallsModel *self, gboolean wanted)
{
  self->wanted = wanted;
  if (self->workspace != NULL)
    make_of_process (self);
  else
    make (self);
}

void
wp_calls_model_choose (WpCallsModel *self, const WpCallsChoice *choice)
{
  self->choice = *choice;
  wp_calls_model_set_wanted (self, self->wanted);
}

static void
wp_calls_model_finalize (GObject *object)
{
  WpCallsModel *self = WP_CALLS_MODEL (object);

  wp_worker_drop (&self->making);
  g_clear_pointer (&self->picture, wp_shared_unref);
  g_clear_pointer (&self->of, wp_shared_unref);
  g_clear_object (&self->stacks);
  g_clear_object (&self->workspace);
  wp_shared_unref (self->graph);
  g_free (self->failure);
  G_OBJECT_CLASS (wp_calls_model_parent_class)->finalize (object);
}

static void
wp_calls_model_class_init (WpCallsModelClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = wp_calls_model_finalize;
  signals[SIGNAL_CHANGED] = g_signal_new ("changed", WP_TYPE_CALLS_MODEL, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_PROGRESS] = g_signal_new ("progress", WP_TYPE_CALLS_MODEL, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2, G_TYPE_STRING, G_TYPE_DOUBLE);
  signals[SIGNAL_MADE] = g_signal_new ("made", WP_TYPE_CALLS_MODEL, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
wp_calls_model_init (WpCallsModel *self)
{
  self->choice = (WpCallsChoice) WP_CALLS_CHOICE_DEFAULT;
}

WpCallsModel *
wp_calls_model_new (WpStacksModel *stacks)
{
  WpCallsModel *self = g_object_new (WP_TYPE_CALLS_MODEL, NULL);

  self->stacks = g_object_ref (stacks);
  g_signal_connect_object (stacks, "made", G_CALLBACK (make), self, G_CONNECT_SWAPPED);
  return self;
}

WpCallsModel *
wp_calls_model_new_of_process (WpWorkspace *workspace)
{
  WpCallsModel *self = g_object_new (WP_TYPE_CALLS_MODEL, NULL);

  self->workspace = g_object_ref (workspace);
  g_signal_connect_object (workspace, "explaining", G_CALLBACK (on_explaining), self, 0);
  g_signal_connect_object (workspace, "changed", G_CALLBACK (make_of_process), self, G_CONNECT_SWAPPED);
  return self;
}

WpCallsModel *
wp_calls_model_new_of_graph (WpShared *calls)
{
  WpCallsModel *self = g_object_new (WP_TYPE_CALLS_MODEL, NULL);

  self->graph = wp_shared_ref (calls);
  return self;
}

gboolean
wp_calls_model_has_stacks (WpCallsModel *self)
{
  return self->graph == NULL;
}

gboolean
wp_calls_model_is_of_process (WpCallsModel *self)
{
  return self->workspace != NULL;
}
