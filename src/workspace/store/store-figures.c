#include "workspace/store/store-figures.h"

#include <math.h>

#include "base/hash.h"
#include "base/plain-file.h"
#include "profile/fit/statistics.h"
#include "profile/model/figures.h"
#include "store/objects.h"
#include "workspace/worker.h"

#define PEEK (256 * 1024)        /* where a saved recording has its figures */
#define SUMMED_MAX (1024 * 1024) /* other profiles are summed up to this size */
#define AT_ONCE 16

struct _WpStoreFigures
{
  GObject parent_instance;

  WpStoreSession *session;
  GHashTable *known;  /* WpStoreFigure by key */
  GPtrArray *wanted;  /* WpStoreProfile; the last ones are on the screen now */
  gint64 longest;
  WpWorker *reading;
};

G_DEFINE_FINAL_TYPE (WpStoreFigures, wp_store_figures, G_TYPE_OBJECT)

static guint known_signal;

/* An object never changes; a pending file may. */
static char *
key_of (const WpStoreProfile *profile)
{
  const WpStoreEntry *entry = profile->entry;

  return *entry->sha1 != '\0' ? g_strdup (entry->sha1) : g_strdup_printf ("%s\n%" G_GINT64_FORMAT, entry->path, entry->time);
}

/* --- reading ------------------------------------------------------------------------------------------------------------------ */

static void
figure_free (gpointer data)
{
  WpStoreFigure *self = data;

  g_free (self->most);
  g_free (self);
}

/* Whether it is a saved recording, which says it. */
static gboolean
read_own (WpJsonReader *reader, WpStoreFigure *figure)
{
  g_auto (WpFigureHead) head = { 0 };
  gboolean saved = wp_figure_read_head (reader, &head);

  *figure = (WpStoreFigure) { MAX (head.total, 0), wp_figure_head_percent (&head), g_steal_pointer (&head.most) };
  return saved;
}

static gint64
sum_amounts (const WpProfile *profile)
{
  double unit, sum = 0;
  gboolean times = wp_unit_from_name (wp_profile_unit (profile), &unit) == WP_UNIT_TIME;

  for (guint32 i = 0; times && i < profile->resources.len; i++)
    {
      WpValue amount = wp_profile_field (profile, i, "amount");

      if (wp_value_is_number (profile->values, amount))
        sum += wp_value_number (profile->values, amount);
    }
  return isfinite (sum) && sum > 0 && sum * unit < 9e18 ? (gint64) (sum * unit) : 0;
}

static WpStoreFigure *
figure_of_text (const char *path, const char *text, gsize n, gboolean whole, WpProgress *progress)
{
  WpStoreFigure *figure = g_new0 (WpStoreFigure, 1);
  g_autoptr (WpJsonReader) reader = wp_json_reader_new (path, text, n, progress);

  if (!read_own (reader, figure) && whole && n <= SUMMED_MAX)
    {
      g_autoptr (WpProfile) profile = wp_profile_parse (path, text, n, progress, NULL);

      if (profile != NULL)
        figure->total = sum_amounts (profile);
    }
  return figure;
}

/* A pending file is JSON, and may be packed. */
static WpStoreFigure *
figure_of_file (const char *path, WpProgress *progress)
{
  g_autoptr (WpJsonReader) reader = wp_json_reader_open (path, progress, NULL);
  g_autofree char *text = NULL;
  WpStoreFigure *figure = g_new0 (WpStoreFigure, 1);
  gsize n;

  figure->percent = -1;
  if (reader == NULL || read_own (reader, figure) || (text = wp_plain_file_read (path, SUMMED_MAX, &n, NULL)) == NULL)
    return figure;
  figure_free (figure);
  return figure_of_text (path, text, n, TRUE, progress);
}

static WpStoreFigure *
read_figure (const WpStore *store, const WpStoreEntry *entry, WpProgress *progress)
{
  g_autofree char *path = wp_store_entry_file (store, entry), *text = NULL;
  gboolean whole;
  gsize n;

  if (path == NULL || *entry->sha1 == '\0')
    return path != NULL ? figure_of_file (path, progress) : NULL;
  text = wp_object_peek (path, MAX (PEEK, SUMMED_MAX), &n, &whole, NULL);
  return text != NULL ? figure_of_text (path, text, n, whole, progress) : NULL;
}

typedef struct
{
  WpStoreSession *session;
  GPtrArray *profiles;
} Request;

static void
request_free (gpointer data)
{
  Request *self = data;

  wp_store_session_unref (self->session);
  g_ptr_array_unref (self->profiles);
  g_free (self);
}

static gpointer
run (gpointer data, WpProgress *progress, GError **error)
{
  const Request *request = data;
  GHashTable *found = g_hash_table_new_full (wp_hash_string, g_str_equal, g_free, figure_free);

  for (guint i = 0; i < request->profiles->len; i++)
    {
      const WpStoreProfile *profile = request->profiles->pdata[i];
      WpStoreFigure *figure;

      wp_store_session_take (request->session);
      figure = read_figure (request->session->store, profile->entry, progress);
      wp_store_session_leave (request->session);
      if (figure == NULL)
        {
          figure = g_new0 (WpStoreFigure, 1);
          figure->percent = -1;
        }
      g_hash_table_insert (found, key_of (profile), figure);
    }
  return found;
}

/* --- asking -------------------------------------------------------------------------------------------------------------------- */

static void read_next (WpStoreFigures *self);

static void
on_read (gpointer result, const GError *error, gpointer data)
{
  WpStoreFigures *self = data;
  g_autoptr (GHashTable) found = result;
  GHashTableIter iter;
  gpointer key, figure;

  self->reading = NULL;
  if (found == NULL)
    return;
  g_hash_table_iter_init (&iter, found);
  while (g_hash_table_iter_next (&iter, &key, &figure))
    {
      self->longest = MAX (self->longest, ((const WpStoreFigure *) figure)->total);
      g_hash_table_iter_steal (&iter);
      g_hash_table_insert (self->known, key, figure);
    }
  g_signal_emit (self, known_signal, 0);
  read_next (self);
}

/* The newest wishes first; what has long been scrolled away is forgotten. */
static void
read_next (WpStoreFigures *self)
{
  Request *request;

  if (self->reading != NULL || self->session == NULL || self->wanted->len == 0)
    return;
  request = g_new0 (Request, 1);
  request->session = wp_store_session_ref (self->session);
  request->profiles = g_ptr_array_new_with_free_func ((GDestroyNotify) wp_store_profile_unref);
  while (request->profiles->len < AT_ONCE && self->wanted->len > 0)
    {
      WpStoreProfile *profile = g_ptr_array_steal_index (self->wanted, self->wanted->len - 1);
      g_autofree char *key = key_of (profile);

      if (!g_hash_table_contains (self->known, key)) /* it was asked for once more while it was read */
        g_ptr_array_add (request->profiles, profile);
      else
        wp_store_profile_unref (profile);
    }
  self->reading = wp_worker_start (&(WpWorkerSpec) { .run = run,
                                                     .done = on_read,
                                                     .data = request,
                                                     .free_data = request_free,
                                                     .free_result = (GDestroyNotify) g_hash_table_unref,
                                                     .user_data = self });
}

static gboolean
is_wanted (WpStoreFigures *self, const char *key)
{
  for (guint i = 0; i < self->wanted->len; i++)
    {
      g_autofree char *other = key_of (self->wanted->pdata[i]);

      if (g_str_equal (other, key))
        return TRUE;
    }
  return FALSE;
}

const WpStoreFigure *
wp_store_figures_get (WpStoreFigures *self, WpStoreProfile *profile)
{
  g_autofree char *key = key_of (profile);
  const WpStoreFigure *figure = g_hash_table_lookup (self->known, key);

  if (figure != NULL || self->session == NULL || profile->entry->problem != NULL || is_wanted (self, key))
    return figure;
  if (self->wanted->len >= 4 * AT_ONCE)
    g_ptr_array_remove_index (self->wanted, 0);
  g_ptr_array_add (self->wanted, wp_store_profile_ref (profile));
  read_next (self);
  return NULL;
}

/* Which of the repeats has the total in the middle; of an even number the lower one of two. */
static guint
find_middle (const double *totals, const double *sorted, guint n)
{
  guint i = 0;

  while (i + 1 < n && totals[i] != sorted[(n - 1) / 2])
    i++;
  return i;
}

gboolean
wp_store_figures_get_runs (WpStoreFigures *self, const GPtrArray *runs, WpStoreRuns *out)
{
  g_autofree double *totals = g_new (double, runs->len), *sorted = NULL;
  guint unknown = 0;

  *out = (WpStoreRuns) { 0 };
  for (guint i = 0; i < runs->len && unknown < AT_ONCE; i++)
    {
      const WpStoreFigure *figure = wp_store_figures_get (self, runs->pdata[i]);

      if (figure == NULL)
        unknown++;
      else if (figure->total <= 0)
        return FALSE;
      else
        totals[i] = (double) figure->total;
    }
  if (unknown > 0)
    return FALSE;
  sorted = g_memdup2 (totals, runs->len * sizeof *totals);
  out->n = runs->len;
  out->median = wp_median (sorted, runs->len);
  out->low = sorted[0];
  out->high = sorted[runs->len - 1];
  out->most = wp_store_figures_get (self, runs->pdata[find_middle (totals, sorted, runs->len)])->most;
  out->totals = g_steal_pointer (&totals);
  return TRUE;
}

void
wp_store_runs_clear (WpStoreRuns *self)
{
  g_clear_pointer (&self->totals, g_free);
}

gint64
wp_store_figures_longest (const WpStoreFigures *self)
{
  return self->longest;
}

void
wp_store_figures_set_session (WpStoreFigures *self, WpStoreSession *session)
{
  if (session == self->session)
    return;
  wp_worker_drop (&self->reading);
  g_ptr_array_set_size (self->wanted, 0);
  g_hash_table_remove_all (self->known);
  self->longest = 0;
  wp_store_session_unref (self->session);
  self->session = wp_store_session_ref (session);
}

static void
wp_store_figures_finalize (GObject *object)
{
  WpStoreFigures *self = WP_STORE_FIGURES (object);

  wp_worker_drop (&self->reading);
  wp_store_session_unref (self->session);
  g_hash_table_unref (self->known);
  g_ptr_array_unref (self->wanted);
  G_OBJECT_CLASS (wp_store_figures_parent_class)->finalize (object);
}

static void
wp_store_figures_class_init (WpStoreFiguresClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = wp_store_figures_finalize;
  known_signal = g_signal_new ("known", WP_TYPE_STORE_FIGURES, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
wp_store_figures_init (WpStoreFigures *self)
{
  self->known = g_hash_table_new_full (wp_hash_string, g_str_equal, g_free, figure_free);
  self->wanted = g_ptr_array_new_with_free_func ((GDestroyNotify) wp_store_profile_unref);
}

WpStoreFigures *
wp_store_figures_new (void)
{
  return g_object_new (WP_TYPE_STORE_FIGURES, NULL);
}
