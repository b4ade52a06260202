#include "workspace/store/store-badges.h"

#include <math.h>

#include "base/hash.h"
#include "profile/compare/compare.h"
#include "workspace/store/store-row-words.h"
#include "workspace/worker.h"

enum
{
  BEFORE,
  NOW,
  N_SIDES
};

/* One configuration that both commits have profiles of. */
typedef struct
{
  const WpStoreProfile *first; /* of the profiles now */
  GPtrArray *profiles[N_SIDES]; /* WpStoreProfile */
  double *totals[N_SIDES];
} Case;

typedef struct
{
  WpStoreCommit *commit, *before;
  GPtrArray *cases;  /* Case: those that can be tested; a worker has them while it tests */
  gboolean testing, known; /* the main thread's; between them the worker has all else */
  WpStoreBadge badge;
} Entry;

struct _WpStoreBadges
{
  GObject parent_instance;

  WpStoreFigures *figures;
  double threshold;
  GHashTable *entries; /* Entry by the commit's hash */
  GPtrArray *ready;    /* Entry: figures of all its cases are known */
  WpWorker *testing;
};

G_DEFINE_FINAL_TYPE (WpStoreBadges, wp_store_badges, G_TYPE_OBJECT)

static guint known_signal;

static void
case_free (gpointer data)
{
  Case *self = data;

  for (guint side = 0; side < N_SIDES; side++)
    {
      g_ptr_array_unref (self->profiles[side]);
      g_free (self->totals[side]);
    }
  g_free (self);
}

static Entry *
entry_new (WpStoreCommit *commit, WpStoreCommit *before)
{
  Entry *self = g_atomic_rc_box_new0 (Entry);

  self->commit = wp_store_commit_ref (commit);
  self->before = wp_store_commit_ref (before);
  return self;
}

static void
entry_clear (gpointer data)
{
  Entry *self = data;

  wp_store_commit_unref (self->commit);
  wp_store_commit_unref (self->before);
  g_clear_pointer (&self->cases, g_ptr_array_unref);
  g_free (self->badge.what);
  g_free (self->badge.before);
}

static void
entry_unref (gpointer entry)
{
  g_atomic_rc_box_release_full (entry, entry_clear);
}

/* --- what can be tested ---------------------------------------------------------------------------------------------------- */

static void
add_to (GHashTable *cases, GPtrArray *order, GPtrArray *profiles, guint side)
{
  for (guint i = 0; profiles != NULL && i < profiles->len; i++)
    {
      WpStoreProfile *profile = profiles->pdata[i];
      Case *of = g_hash_table_lookup (cases, profile->configuration);

      if (profile->entry->problem != NULL || (of == NULL && side == BEFORE))
        continue;
      if (of == NULL)
        {
          of = g_new0 (Case, 1);
          of->first = profile;
          for (guint k = 0; k < N_SIDES; k++)
            of->profiles[k] = g_ptr_array_new_with_free_func ((GDestroyNotify) wp_store_profile_unref);
          g_ptr_array_add (order, of);
          g_hash_table_insert (cases, profile->configuration, of);
        }
      g_ptr_array_add (of->profiles[side], wp_store_profile_ref (profile));
    }
}

/* Configurations of which both commits have enough profiles for a test. */
static GPtrArray *
find_cases (const WpStoreCommit *commit, const WpStoreCommit *before)
{
  g_autoptr (GHashTable) cases = g_hash_table_new (wp_hash_string, g_str_equal);
  GPtrArray *order = g_ptr_array_new_with_free_func (case_free);

  add_to (cases, order, commit->profiles, NOW);
  add_to (cases, order, before != NULL ? before->profiles : NULL, BEFORE);
  for (guint i = order->len; i-- > 0;)
    {
      const Case *of = order->pdata[i];

      if (!wp_shift_possible (of->profiles[BEFORE]->len, of->profiles[NOW]->len, WP_COMPARE_ALPHA))
        g_ptr_array_remove_index (order, i);
    }
  return order;
}

/* Whether all figures of a side are known. `timed`: whether they are times. */
static gboolean
take_totals (WpStoreBadges *self, Case *of, guint side, gboolean *timed)
{
  WpStoreRuns runs;

  *timed = TRUE;
  if (of->totals[side] != NULL)
    return TRUE;
  if (wp_store_figures_get_runs (self->figures, of->profiles[side], &runs))
    of->totals[side] = runs.totals;
  else
    for (guint i = 0; i < of->profiles[side]->len; i++)
      {
        const WpStoreFigure *figure = wp_store_figures_get (self->figures, of->profiles[side]->pdata[i]);

        if (figure == NULL)
          return FALSE;
        *timed = *timed && figure->total > 0;
      }
  return TRUE;
}

/* Whether there are figures of all cases; those that tell no time are left out. */
static gboolean
take_figures (WpStoreBadges *self, Entry *entry)
{
  for (guint i = entry->cases->len; i-- > 0;)
    {
      Case *of = entry->cases->pdata[i];
      gboolean timed[N_SIDES];

      if (!take_totals (self, of, BEFORE, &timed[BEFORE]) || !take_totals (self, of, NOW, &timed[NOW]))
        return FALSE;
      if (!timed[BEFORE] || !timed[NOW])
        g_ptr_array_remove_index (entry->cases, i);
    }
  return TRUE;
}

/* --- testing ------------------------------------------------------------------------------------------------------------------- */

/* Of two changes that which is told. */
static gboolean
goes_before (double by, double other)
{
  return (by > 0) != (other > 0) ? by > 0 : fabs (by) > fabs (other);
}

static void
judge (Entry *entry)
{
  guint n = entry->cases->len;
  g_autofree double *p = g_new (double, n), *by = g_new (double, n);
  WpStoreBadge *badge = &entry->badge;

  for (guint i = 0; i < n; i++)
    {
      const Case *of = entry->cases->pdata[i];
      guint n_a = of->profiles[BEFORE]->len, n_b = of->profiles[NOW]->len;
      WpShift shift = wp_shift_test (of->totals[BEFORE], n_a, of->totals[NOW], n_b, WP_COMPARE_LEVEL);

      p[i] = shift.p;
      by[i] = shift.shift / wp_mean (of->totals[BEFORE], n_a);
    }
  wp_adjust_p (p, n);
  badge->n_tested = n;
  for (guint i = 0; i < n; i++)
    {
      const Case *of = entry->cases->pdata[i];

      if (p[i] > WP_COMPARE_ALPHA || by[i] == 0 || (badge->by != 0 && !goes_before (by[i], badge->by)))
        continue;
      badge->by = by[i];
      badge->p = p[i];
      badge->runs[BEFORE] = of->profiles[BEFORE]->len;
      badge->runs[NOW] = of->profiles[NOW]->len;
      g_free (badge->what);
      badge->what = wp_store_what_was_run (of->first->entry);
    }
  if (badge->by != 0)
    badge->before = g_strdup_printf ("%.7s %s", entry->before->hash, entry->before->subject);
}

static gpointer
run (gpointer data, WpProgress *progress, GError **error)
{
  GPtrArray *entries = data;

  for (guint i = 0; i < entries->len; i++)
    {
      if (!wp_progress_step (progress, (double) i / entries->len, error))
        return NULL;
      judge (entries->pdata[i]);
    }
  return g_ptr_array_ref (entries);
}

static void test_ready (WpStoreBadges *self);

static void
on_tested (gpointer result, const GError *error, gpointer data)
{
  WpStoreBadges *self = data;
  g_autoptr (GPtrArray) entries = result;

  self->testing = NULL;
  for (guint i = 0; entries != NULL && i < entries->len; i++)
    {
      Entry *entry = entries->pdata[i];

      g_clear_pointer (&entry->cases, g_ptr_array_unref);
      entry->known = TRUE;
    }
  g_signal_emit (self, known_signal, 0);
  test_ready (self);
}

static void
test_ready (WpStoreBadges *self)
{
  if (self->testing != NULL || self->ready->len == 0)
    return;
  self->testing = wp_worker_start (&(WpWorkerSpec) { .run = run,
                                                     .done = on_tested,
                                                     .data = self->ready,
                                                     .free_data = (GDestroyNotify) g_ptr_array_unref,
                                                     .free_result = (GDestroyNotify) g_ptr_array_unref,
                                                     .user_data = self });
  self->ready = g_ptr_array_new_with_free_func (entry_unref);
}

/* --- asking ---------------------------------------------------------------------------------------------------------------------- */

static gboolean
is_of (const Entry *entry, const WpStoreCommit *commit, const WpStoreCommit *before)
{
  return wp_store_commit_equal (entry->commit, commit) && (entry->before == NULL) == (before == NULL)
         && (before == NULL || wp_store_commit_equal (entry->before, before));
}

static Entry *
entry_of (WpStoreBadges *self, WpStoreCommit *commit, WpStoreCommit *before)
{
  Entry *entry = g_hash_table_lookup (self->entries, commit->hash);

  if (entry != NULL && is_of (entry, commit, before))
    return entry;
  entry = entry_new (commit, before);
  entry->cases = find_cases (commit, before);
  entry->known = entry->cases->len == 0;
  g_hash_table_replace (self->entries, entry->commit->hash, entry);
  return entry;
}

const WpStoreBadge *
wp_store_badges_get (WpStoreBadges *self, WpStoreCommit *commit, WpStoreCommit *before)
{
  static const WpStoreBadge none;
  Entry *entry = entry_of (self, commit, before);

  if (entry->known)
    return fabs (entry->badge.by) < self->threshold ? &none : &entry->badge;
  if (entry->testing || !take_figures (self, entry))
    return NULL;
  entry->testing = TRUE;
  g_ptr_array_add (self->ready, g_atomic_rc_box_acquire (entry));
  test_ready (self);
  return NULL;
}

void
wp_store_badges_set_threshold (WpStoreBadges *self, double threshold)
{
  self->threshold = threshold;
  g_signal_emit (self, known_signal, 0);
}

static void
wp_store_badges_finalize (GObject *object)
{
  WpStoreBadges *self = WP_STORE_BADGES (object);

  wp_worker_drop (&self->testing);
  g_hash_table_unref (self->entries);
  g_ptr_array_unref (self->ready);
  g_object_unref (self->figures);
  G_OBJECT_CLASS (wp_store_badges_parent_class)->finalize (object);
}

static void
wp_store_badges_class_init (WpStoreBadgesClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = wp_store_badges_finalize;
  known_signal = g_signal_new ("known", WP_TYPE_STORE_BADGES, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
wp_store_badges_init (WpStoreBadges *self)
{
  self->entries = g_hash_table_new_full (wp_hash_string, g_str_equal, NULL, entry_unref);
  self->ready = g_ptr_array_new_with_free_func (entry_unref);
}

WpStoreBadges *
wp_store_badges_new (WpStoreFigures *figures)
{
  WpStoreBadges *self = g_object_new (WP_TYPE_STORE_BADGES, NULL);

  self->figures = g_object_ref (figures);
  return self;
}
