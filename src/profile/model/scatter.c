#include "profile/model/scatter.h"

#include "base/hash.h"

static void
clear_scatter (gpointer data)
{
  WpScatter *scatter = data;

  wp_array_clear (&scatter->series.points);
  wp_array_clear (&scatter->models);
}

/* uid text -> its models, in the order of the profile. */
static GHashTable *
models_by_uid (WpProfile *profile)
{
  GHashTable *models = g_hash_table_new_full (wp_hash_pointer, NULL, NULL, (GDestroyNotify) g_array_unref);
  g_autoptr (WpFlattener) flattener = wp_flattener_new (profile->values);

  for (guint32 i = 0; i < profile->models.len; i++)
    {
      WpModel model;
      GArray *list;

      if (!wp_model_read (profile, i, &model, NULL))
        continue;
      model.uid = wp_flatten_joined (flattener, model.uid);
      list = g_hash_table_lookup (models, GUINT_TO_POINTER (model.uid));
      if (list == NULL)
        g_hash_table_insert (models, GUINT_TO_POINTER (model.uid), list = g_array_new (FALSE, FALSE, sizeof (WpModel)));
      g_array_append_val (list, model);
    }
  return models;
}

static WpScatter *
add_scatter (GArray *scatters, const WpSeries *series)
{
  WpScatter *scatter;

  g_array_set_size (scatters, scatters->len + 1);
  scatter = &g_array_index (scatters, WpScatter, scatters->len - 1);
  scatter->series.uid = series->uid;
  for (guint32 i = 0; i < series->points.len; i++)
    wp_array_push (&scatter->series.points, series->points.data[i]);
  return scatter;
}

typedef struct
{
  double start, end;
  guint place;
} Interval;

static int
compare_intervals (const void *a, const void *b)
{
  const Interval *x = a, *y = b;

  if (x->start != y->start || x->end != y->end)
    return x->start < y->start || (x->start == y->start && x->end < y->end) ? -1 : 1;
  return x->place < y->place ? -1 : 1;
}

static void
add_by_interval (GArray *scatters, const WpSeries *series, const GArray *models, const WpValues *values)
{
  g_autofree Interval *intervals = g_new (Interval, (gsize) models->len + 1);
  WpScatter *scatter = NULL;

  for (guint i = 0; i < models->len; i++)
    {
      const WpModel *model = &g_array_index (models, WpModel, i);

      intervals[i] = (Interval) { wp_value_number (values, model->start), wp_value_number (values, model->end), i };
    }
  qsort (intervals, models->len, sizeof *intervals, compare_intervals);
  for (guint i = 0; i < models->len; i++)
    {
      if (scatter == NULL || intervals[i].start != intervals[i - 1].start || intervals[i].end != intervals[i - 1].end)
        scatter = add_scatter (scatters, series);
      wp_array_push (&scatter->models, g_array_index (models, WpModel, intervals[i].place));
    }
}

GArray *
wp_scatter_new (WpProfile *profile, const char *of, const char *per)
{
  g_autoptr (GArray) series = wp_series_by_uid (profile, of, per);
  g_autoptr (GHashTable) models = models_by_uid (profile);
  GArray *scatters = g_array_new (FALSE, TRUE, sizeof (WpScatter));

  g_array_set_clear_func (scatters, clear_scatter);
  for (guint i = 0; i < series->len; i++)
    {
      const WpSeries *one = &g_array_index (series, WpSeries, i);
      const GArray *list = g_hash_table_lookup (models, GUINT_TO_POINTER (one->uid));

      if (one->points.len < 2)
        continue;
      if (list != NULL)
        add_by_interval (scatters, one, list, profile->values);
      else
        add_scatter (scatters, one);
    }
  return scatters;
}
