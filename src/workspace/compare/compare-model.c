#include "workspace/compare/compare-model.h"

#include <glib/gi18n.h>

#include "workspace/file/search.h"
#include "workspace/worker.h"

struct _WpCompareModel
{
  GObject parent_instance;

  char **files[WP_N_SIDES];
  char **names; /* of the sides, "": none */
  char *sample_index; /* NULL: nobody chose a type */
  gboolean normalise;
  WpDepth depth;
  WpHideRules hide;
  WpShared *opened; /* WpNamedStacks, or NULL */
  char *title;
  char *failure;
  WpShared *data; /* WpCompareData, or NULL */
  WpWorker *worker;
};

enum
{
  SIGNAL_PROGRESS,
  SIGNAL_CHANGED,
  SIGNAL_CANCELLED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (WpCompareModel, wp_compare_model, G_TYPE_OBJECT)

static const WpComparison *
comparison_of (WpCompareModel *self)
{
  return ((const WpCompareData *) wp_shared_get (self->data))->comparison;
}

static void
changed (WpCompareModel *self)
{
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

/* --- comparing --------------------------------------------------------------------------------------------------------------- */

static void
take_data (WpCompareModel *self, WpCompareData *data)
{
  g_autofree char *a = wp_comparison_side_name (data->comparison, WP_SIDE_A);
  g_autofree char *b = wp_comparison_side_name (data->comparison, WP_SIDE_B);

  wp_shared_unref (self->data);
  self->data = wp_shared_new (data, wp_compare_data_free);
  g_free (self->title);
  self->title = g_strdup_printf ("%s → %s", a, b);
}

static void
on_done (gpointer result, const GError *error, gpointer user_data)
{
  WpCompareModel *self = user_data;

  self->worker = NULL;
  if (result == NULL && g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      g_signal_emit (self, signals[SIGNAL_CANCELLED], 0);
      return;
    }
  if (result != NULL)
    take_data (self, result);
  else
    self->failure = g_strdup (error->message);
  changed (self);
}

static void
on_told (const char *phase, double fraction, gpointer user_data)
{
  g_signal_emit (user_data, signals[SIGNAL_PROGRESS], 0, phase, fraction);
}

static void
start (WpCompareModel *self)
{
  wp_worker_drop (&self->worker);
  g_clear_pointer (&self->failure, g_free);
  self->worker = wp_worker_start (&(WpWorkerSpec) {
    .run = wp_compare_run, .told = on_told, .done = on_done, .user_data = self,
    .data = wp_compare_request_new (wp_compare_model_files (self, WP_SIDE_A), wp_compare_model_files (self, WP_SIDE_B),
                                    (const char *const *) self->names, self->sample_index,
                                    self->normalise, self->depth, &self->hide, self->opened),
    .free_data = wp_compare_request_free, .free_result = wp_compare_data_free });
  changed (self);
}

void
wp_compare_model_set_normalise (WpCompareModel *self, gboolean normalise)
{
  self->normalise = normalise;
  start (self);
}

void
wp_compare_model_choose_type (WpCompareModel *self, guint32 type)
{
  g_free (self->sample_index);
  self->sample_index = g_strdup (comparison_of (self)->types.data[type].name);
  start (self);
}

void
wp_compare_model_swap (WpCompareModel *self)
{
  char **a = self->files[WP_SIDE_A], *name = self->names[WP_SIDE_A];

  self->files[WP_SIDE_A] = self->files[WP_SIDE_B];
  self->files[WP_SIDE_B] = a;
  self->names[WP_SIDE_A] = self->names[WP_SIDE_B];
  self->names[WP_SIDE_B] = name;
  start (self);
}

WpDepth
wp_compare_model_depth (WpCompareModel *self)
{
  return self->depth;
}

void
wp_compare_model_set_depth (WpCompareModel *self, WpDepth depth)
{
  if (depth == self->depth && self->opened == NULL)
    return;
  self->depth = depth;
  g_clear_pointer (&self->opened, wp_shared_unref);
  start (self);
}

const WpHideRules *
wp_compare_model_hide_rules (WpCompareModel *self)
{
  return self->hide.len > 0 ? &self->hide : NULL;
}

void
wp_compare_model_hide (WpCompareModel *self, WpHideKind kind, const char *name)
{
  guint32 before = self->hide.len;

  wp_hide_rules_add (&self->hide, kind, name, NULL);
  if (self->hide.len > before)
    start (self);
}

void
wp_compare_model_unhide (WpCompareModel *self, guint32 rule)
{
  wp_hide_rules_remove (&self->hide, rule);
  start (self);
}

void
wp_compare_model_unhide_all (WpCompareModel *self)
{
  wp_hide_rules_clear (&self->hide);
  start (self);
}

/* --- folds ------------------------------------------------------------------------------------------------------------------- */

static void
open_stack (WpNamedStacks *opened, const WpNamedStacks *of, WpId stack, guint8 by)
{
  WpId here = wp_named_stacks_add_from (opened, of, stack);

  opened->stacks.data[here].opened |= by;
}

/* With what is open already, in the same order; for set_opened(). */
static WpNamedStacks *
copy_opened (WpCompareModel *self)
{
  const WpNamedStacks *before = wp_shared_get (self->opened);
  WpNamedStacks *copy = wp_named_stacks_new ();

  for (WpId s = 1; before != NULL && s < before->stacks.len; s++)
    open_stack (copy, before, s, before->stacks.data[s].opened);
  return copy;
}

/* Takes it over. FALSE: that is what was open before. */
static gboolean
set_opened (WpCompareModel *self, WpNamedStacks *opened)
{
  const WpNamedStacks *before = wp_shared_get (self->opened);
  gboolean any = FALSE, differs = FALSE;

  for (WpId s = 1; s < opened->stacks.len; s++)
    {
      any |= opened->stacks.data[s].opened != 0;
      differs |= opened->stacks.data[s].opened != (before != NULL && s < before->stacks.len ? before->stacks.data[s].opened : 0);
    }
  if (!differs)
    {
      wp_named_stacks_free (opened);
      return FALSE;
    }
  wp_shared_unref (self->opened);
  self->opened = wp_shared_new (opened, (GDestroyNotify) wp_named_stacks_free);
  if (!any)
    g_clear_pointer (&self->opened, wp_shared_unref);
  start (self);
  return TRUE;
}

void
wp_compare_model_open_folds (WpCompareModel *self, WpId node)
{
  const WpComparison *c = comparison_of (self);
  WpNamedStacks *opened = copy_opened (self);

  for (guint32 h = c->nodes.data[node].hidden; h != 0; h = c->hidden.data[h].next)
    open_stack (opened, c->stacks, c->hidden.data[h].inner, WP_OPENED_BY_HAND);
  set_opened (self, opened);
}

guint32 *
wp_compare_model_matching (WpCompareModel *self, const char *text)
{
  return self->data != NULL ? wp_search_matching_named (comparison_of (self)->stacks, text) : NULL;
}

/* What was opened for another text, and has nothing of this one, is closed again. */
gboolean
wp_compare_model_open_matching (WpCompareModel *self, const char *text)
{
  g_autofree guint32 *matching = wp_compare_model_matching (self, text), *of_opened = NULL;
  WpNamedStacks *opened;

  if (matching == NULL)
    return FALSE;
  opened = copy_opened (self);
  of_opened = wp_search_matching_named (opened, text);
  for (WpId s = 1; s < opened->stacks.len; s++)
    if (of_opened[s] == 0)
      opened->stacks.data[s].opened &= WP_OPENED_BY_HAND;
  for (guint32 h = 1; h < comparison_of (self)->hidden.len; h++)
    if (wp_search_is_hidden (matching, &comparison_of (self)->hidden.data[h]))
      open_stack (opened, comparison_of (self)->stacks, comparison_of (self)->hidden.data[h].inner, WP_OPENED_BY_SEARCH);
  return set_opened (self, opened);
}

void
wp_compare_model_close_found (WpCompareModel *self)
{
  WpNamedStacks *opened = copy_opened (self);

  for (WpId s = 1; s < opened->stacks.len; s++)
    opened->stacks.data[s].opened &= WP_OPENED_BY_HAND;
  set_opened (self, opened);
}

void
wp_compare_model_cancel (WpCompareModel *self)
{
  wp_worker_cancel (self->worker);
}

/* --- what there is ----------------------------------------------------------------------------------------------------------- */

gboolean
wp_compare_model_is_busy (WpCompareModel *self)
{
  return self->worker != NULL;
}

const char *
wp_compare_model_title (WpCompareModel *self)
{
  return self->title;
}

const char *
wp_compare_model_failure (WpCompareModel *self)
{
  return self->failure;
}

WpShared *
wp_compare_model_data (WpCompareModel *self)
{
  return self->data;
}

const char *const *
wp_compare_model_files (WpCompareModel *self, WpSide side)
{
  return (const char *const *) self->files[side];
}

char *
wp_compare_model_warnings (WpCompareModel *self)
{
  const WpComparison *comparison = comparison_of (self);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < comparison->warnings->len; i++)
    g_string_append_printf (text, "%s%s.", i > 0 ? "\n" : "", (char *) comparison->warnings->pdata[i]);
  return g_string_free (text, FALSE);
}

char *
wp_compare_model_markdown (WpCompareModel *self, double threshold)
{
  GString *text = g_string_new (NULL);

  wp_comparison_write (text, comparison_of (self), WP_COMPARE_MARKDOWN, threshold);
  return g_string_free (text, FALSE);
}

/* --- a picture ---------------------------------------------------------------------------------------------------------------- */

WpExport *
wp_compare_model_export (WpCompareModel *self, WpCompareView view, WpTheme theme)
{
  static const WpDiffWidth widths[]
    = { [WP_COMPARE_VIEW_A] = WP_DIFF_A, [WP_COMPARE_VIEW_B] = WP_DIFF_B, [WP_COMPARE_VIEW_VANISHED] = WP_DIFF_VANISHED };
  g_autoptr (WpShared) rows = wp_shared_new (wp_layout_diff (comparison_of (self), widths[view], FALSE), (GDestroyNotify) wp_rows_free);

  return wp_export_rows (rows, "comparison.svg", &(WpExportPicture) { .title = self->title, .theme = theme });
}

/* --- the object ---------------------------------------------------------------------------------------------------------------- */

static void
wp_compare_model_dispose (GObject *object)
{
  wp_worker_drop (&WP_COMPARE_MODEL (object)->worker);
  G_OBJECT_CLASS (wp_compare_model_parent_class)->dispose (object);
}

static void
wp_compare_model_finalize (GObject *object)
{
  WpCompareModel *self = WP_COMPARE_MODEL (object);

  g_strfreev (self->files[WP_SIDE_A]);
  g_strfreev (self->files[WP_SIDE_B]);
  g_strfreev (self->names);
  g_free (self->sample_index);
  wp_hide_rules_clear (&self->hide);
  wp_shared_unref (self->opened);
  g_free (self->title);
  g_free (self->failure);
  wp_shared_unref (self->data);
  G_OBJECT_CLASS (wp_compare_model_parent_class)->finalize (object);
}

static void
wp_compare_model_class_init (WpCompareModelClass *klass)
{
  GType type = WP_TYPE_COMPARE_MODEL;

  G_OBJECT_CLASS (klass)->dispose = wp_compare_model_dispose;
  G_OBJECT_CLASS (klass)->finalize = wp_compare_model_finalize;
  signals[SIGNAL_PROGRESS]
    = g_signal_new ("progress", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2, G_TYPE_STRING, G_TYPE_DOUBLE);
  signals[SIGNAL_CHANGED] = g_signal_new ("changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_CANCELLED] = g_signal_new ("cancelled", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
wp_compare_model_init (WpCompareModel *self)
{
}

WpCompareModel *
wp_compare_model_new (const char *const *a, const char *const *b, const char *const *names, WpDepth depth)
{
  WpCompareModel *self = g_object_new (WP_TYPE_COMPARE_MODEL, NULL);

  self->files[WP_SIDE_A] = g_strdupv ((char **) a);
  self->files[WP_SIDE_B] = g_strdupv ((char **) b);
  self->names = g_strdupv ((char **) (names != NULL ? names : (const char *const[]) { "", "", NULL }));
  self->depth = depth;
  self->title = g_strdup (_("Comparing"));
  start (self);
  return self;
}
