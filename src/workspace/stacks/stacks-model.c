#include "workspace/stacks/stacks-model.h"

#include "stacks/pattern.h"
#include "workspace/worker.h"

struct _WpStacksModel
{
  GObject parent_instance;

  WpShared *stacks;
  WpStacksChoice choice;
  WpFilter filter;
  GPtrArray *before; /* char *: the filters that were, as text */
  WpShared *views, *callers;
  char *failure;
  guint32 selected; /* frame */
  WpWorker *making, *calling;
};

enum
{
  SIGNAL_CHANGED,
  SIGNAL_PROGRESS,
  SIGNAL_MADE,
  SIGNAL_CALLERS_MADE,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (WpStacksModel, wp_stacks_model, G_TYPE_OBJECT)

const WpStacks *
wp_stacks_model_stacks (WpStacksModel *self)
{
  return wp_shared_get (self->stacks);
}

WpShared *
wp_stacks_model_views (WpStacksModel *self)
{
  return self->views;
}

const char *
wp_stacks_model_failure (WpStacksModel *self)
{
  return self->failure;
}

gboolean
wp_stacks_model_busy (WpStacksModel *self)
{
  return self->making != NULL || self->calling != NULL;
}

WpShared *
wp_stacks_model_callers (WpStacksModel *self)
{
  return self->callers;
}

guint32
wp_stacks_model_selected (WpStacksModel *self)
{
  return self->selected;
}

const WpStacksChoice *
wp_stacks_model_choice (WpStacksModel *self)
{
  return &self->choice;
}

const WpFilter *
wp_stacks_model_filter (WpStacksModel *self)
{
  return &self->filter;
}

/* --- callers of the selected function ----------------------------------------------------------------------------- */

static void
on_called (gpointer result, const GError *error, gpointer data)
{
  WpStacksModel *self = data;

  self->calling = NULL;
  if (result != NULL)
    self->callers = wp_shared_new (result, (GDestroyNotify) wp_stacks_callers_free);
  g_signal_emit (self, signals[SIGNAL_CALLERS_MADE], 0);
}

void
wp_stacks_model_select (WpStacksModel *self, guint32 frame)
{
  const WpStacksCallers *callers = wp_shared_get (self->callers);

  if (self->views == NULL || (frame == self->selected && (callers != NULL || self->calling != NULL)))
    return;
  wp_worker_drop (&self->calling);
  g_clear_pointer (&self->callers, wp_shared_unref);
  self->selected = frame;
  if (frame == G_MAXUINT32)
    g_signal_emit (self, signals[SIGNAL_CALLERS_MADE], 0);
  else
    self->calling = wp_worker_start (&(WpWorkerSpec) { .run = wp_callers_request_run,
                                                       .done = on_called,
                                                       .data = wp_callers_request_new (self->views, frame),
                                                       .free_data = wp_callers_request_free,
                                                       .free_result = (GDestroyNotify) wp_stacks_callers_free,
                                                       .user_data = self });
}

/* --- what is seen ------------------------------------------------------------------------------------------------- */

/* The same function among other names, by what it is called. */
static guint32
find_again (const WpStacksViews *before, const WpStacksViews *now, guint32 frame)
{
  const char *name = before != NULL && frame != G_MAXUINT32 ? before->graph->names->names.data[frame].name : NULL;

  for (guint32 i = 0; name != NULL && i < now->graph->nodes.len; i++)
    if (g_str_equal (now->graph->nodes.data[i].frame->name, name))
      return (guint32) (now->graph->nodes.data[i].frame - now->graph->names->names.data);
  return G_MAXUINT32;
}

static void
on_made (gpointer result, const GError *error, gpointer data)
{
  WpStacksModel *self = data;

  self->making = NULL;
  if (result != NULL)
    {
      guint32 selected = find_again (wp_shared_get (self->views), result, self->selected);

      g_clear_pointer (&self->views, wp_shared_unref);
      self->views = wp_shared_new (result, (GDestroyNotify) wp_stacks_views_free);
      wp_worker_drop (&self->calling);
      g_clear_pointer (&self->callers, wp_shared_unref);
      g_signal_emit (self, signals[SIGNAL_MADE], 0);
      wp_stacks_model_select (self, selected);
      return;
    }
  self->failure = g_strdup (error->message);
  g_signal_emit (self, signals[SIGNAL_MADE], 0);
}

static void
on_told (const char *phase, double fraction, gpointer data)
{
  g_signal_emit (data, signals[SIGNAL_PROGRESS], 0, phase, fraction);
}

static void
make (WpStacksModel *self)
{
  wp_worker_drop (&self->making);
  g_clear_pointer (&self->failure, g_free);
  self->making = wp_worker_start (&(WpWorkerSpec) { .run = wp_stacks_request_run,
                                                    .told = on_told,
                                                    .done = on_made,
                                                    .data = wp_stacks_request_new (self->stacks, &self->filter, &self->choice),
                                                    .free_data = wp_stacks_request_free,
                                                    .free_result = (GDestroyNotify) wp_stacks_views_free,
                                                    .user_data = self });
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

void
wp_stacks_model_choose (WpStacksModel *self, const WpStacksChoice *choice)
{
  if (memcmp (choice, &self->choice, sizeof *choice) == 0)
    return;
  self->choice = *choice;
  make (self);
}

/* --- the filter --------------------------------------------------------------------------------------------------- */

static void
remember (WpStacksModel *self)
{
  g_ptr_array_add (self->before, wp_filter_text (&self->filter));
}

void
wp_stacks_model_add_step (WpStacksModel *self, WpFilterKind kind, const char *pattern)
{
  remember (self);
  wp_filter_add (&self->filter, kind, pattern);
  make (self);
}

void
wp_stacks_model_remove_step (WpStacksModel *self, guint32 step)
{
  remember (self);
  g_free (self->filter.data[step].pattern);
  memmove (self->filter.data + step, self->filter.data + step + 1, (self->filter.len - step - 1) * sizeof *self->filter.data);
  self->filter.len--;
  make (self);
}

void
wp_stacks_model_clear_filter (WpStacksModel *self)
{
  if (self->filter.len == 0)
    return;
  remember (self);
  wp_filter_clear (&self->filter);
  make (self);
}

/* What has the form of steps is some; anything else is a pattern. */
static gboolean
parse (WpFilter *steps, const char *text, GError **error)
{
  g_autoptr (GRegex) pattern = NULL;

  if (strchr (text, '=') != NULL && wp_filter_parse (steps, text, NULL))
    return TRUE;
  wp_filter_clear (steps);
  pattern = wp_pattern_new (text, error);
  if (pattern != NULL)
    wp_filter_add (steps, WP_FILTER_FOCUS, text);
  return pattern != NULL;
}

gboolean
wp_stacks_model_type_step (WpStacksModel *self, const char *text, GError **error)
{
  WpFilter steps = { 0 };

  if (!parse (&steps, text, error))
    return FALSE;
  if (steps.len > 0)
    {
      remember (self);
      for (guint32 i = 0; i < steps.len; i++)
        wp_filter_add (&self->filter, steps.data[i].kind, steps.data[i].pattern);
      make (self);
    }
  wp_filter_clear (&steps);
  return TRUE;
}

gboolean
wp_stacks_model_can_undo (WpStacksModel *self)
{
  return self->before->len > 0;
}

void
wp_stacks_model_undo (WpStacksModel *self)
{
  g_autofree char *text = NULL;

  if (self->before->len == 0)
    return;
  text = g_ptr_array_steal_index (self->before, self->before->len - 1);
  wp_filter_clear (&self->filter);
  wp_filter_parse (&self->filter, text, NULL);
  make (self);
}

/* --- the object --------------------------------------------------------------------------------------------------- */

static void
wp_stacks_model_finalize (GObject *object)
{
  WpStacksModel *self = WP_STACKS_MODEL (object);

  wp_worker_drop (&self->making);
  wp_worker_drop (&self->calling);
  g_clear_pointer (&self->callers, wp_shared_unref);
  g_clear_pointer (&self->views, wp_shared_unref);
  g_clear_pointer (&self->stacks, wp_shared_unref);
  wp_filter_clear (&self->filter);
  g_ptr_array_unref (self->before);
  g_free (self->failure);
  G_OBJECT_CLASS (wp_stacks_model_parent_class)->finalize (object);
}

static void
wp_stacks_model_class_init (WpStacksModelClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = wp_stacks_model_finalize;
  signals[SIGNAL_CHANGED] = g_signal_new ("changed", WP_TYPE_STACKS_MODEL, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_PROGRESS] = g_signal_new ("progress", WP_TYPE_STACKS_MODEL, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2, G_TYPE_STRING, G_TYPE_DOUBLE);
  signals[SIGNAL_MADE] = g_signal_new ("made", WP_TYPE_STACKS_MODEL, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_CALLERS_MADE] = g_signal_new ("callers-made", WP_TYPE_STACKS_MODEL, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
wp_stacks_model_init (WpStacksModel *self)
{
  self->before = g_ptr_array_new_with_free_func (g_free);
  self->selected = G_MAXUINT32;
}

WpStacksModel *
wp_stacks_model_new (WpShared *stacks)
{
  WpStacksModel *self = g_object_new (WP_TYPE_STACKS_MODEL, NULL);

  self->stacks = wp_shared_ref (stacks);
  self->choice.type = wp_stacks_default_type (wp_shared_get (stacks));
  make (self);
  return self;
}
