#include "workspace/stacks/calls-model.h"

#include "workspace/worker.h"

struct _WpCallsModel
{
  GObject parent_instance;

  WpStacksModel *stacks; /* one of both is NULL */
  WpShared *graph;
  gboolean wanted;
  WpCallsChoice choice;
  WpShared *picture;
  WpShared *views;  /* that the picture is of, or that it is being made of */
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
  return a->lines == b->lines && memcmp (&a->hide_self, &b->hide_self, sizeof a->hide_self) == 0
         && memcmp (&a->hide_subs, &b->hide_subs, sizeof a->hide_subs) == 0;
}

/* With other limits the analysis is the same; NULL: there is none yet. */
static WpShared *
analysis (WpCallsModel *self, gboolean same_views)
{
  const WpCallsPicture *before = wp_shared_get (self->picture);

  if (self->graph != NULL)
    return self->graph;
  return same_views && before != NULL && before->choice.lines == self->choice.lines ? before->calls : NULL;
}

static void
make (WpCallsModel *self)
{
  WpShared *views = self->stacks != NULL ? wp_stacks_model_views (self->stacks) : NULL;
  gboolean same = views == self->views;

  if (!self->wanted || (views == NULL && self->graph == NULL)
      || (same && is_alike (&self->made, &self->choice) && (self->making != NULL || self->picture != NULL)))
    return;
  wp_worker_drop (&self->making);
  g_clear_pointer (&self->failure, g_free);
  self->making
    = wp_worker_start (&(WpWorkerSpec) { .run = wp_calls_request_run,
                                         .told = on_told,
                                         .done = on_made,
                                         .data = wp_calls_request_new (views, analysis (self, same), &self->choice),
                                         .free_data = wp_calls_request_free,
                                         .free_result = (GDestroyNotify) wp_calls_picture_free,
                                         .user_data = self });
  self->made = self->choice;
  wp_shared_ref (views);
  wp_shared_unref (self->views);
  self->views = views;
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

void
wp_calls_model_set_wanted (WpCallsModel *self, gboolean wanted)
{
  self->wanted = wanted;
  make (self);
}

void
wp_calls_model_choose (WpCallsModel *self, const WpCallsChoice *choice)
{
  self->choice = *choice;
  make (self);
}

static void
wp_calls_model_finalize (GObject *object)
{
  WpCallsModel *self = WP_CALLS_MODEL (object);

  wp_worker_drop (&self->making);
  g_clear_pointer (&self->picture, wp_shared_unref);
  g_clear_pointer (&self->views, wp_shared_unref);
  g_clear_object (&self->stacks);
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
wp_calls_model_new_of_graph (WpShared *calls)
{
  WpCallsModel *self = g_object_new (WP_TYPE_CALLS_MODEL, NULL);

  self->graph = wp_shared_ref (calls);
  return self;
}

gboolean
wp_calls_model_has_stacks (WpCallsModel *self)
{
  return self->stacks != NULL;
}
