/* The scatter plot: resources as points, a series for each uid, with the models of a regression analysis as lines. */
#include "plots/charts.h"

#include <glib/gi18n.h>

#include "base/hash.h"
#include "base/sort.h"
#include "profile/fit/models.h"

/* The distinct values of a column in the order of their first use, and for each resource which one it has. */
typedef struct
{
  WpIdArray values;
  guint32 *of; /* by resource: index + 1; 0: none */
} Division;

static void
divide (const WpResourceTable *table, const char *field, Division *division)
{
  const WpValue *cells = wp_resource_table_column (table, field);
  g_autoptr (GHashTable) known = g_hash_table_new (wp_hash_pointer, NULL);

  *division = (Division) { .of = g_new0 (guint32, (gsize) table->n_rows + 1) };
  for (guint32 i = 0; cells != NULL && i < table->n_rows; i++)
    {
      guint32 at = GPOINTER_TO_UINT (g_hash_table_lookup (known, GUINT_TO_POINTER (cells[i])));

      if (cells[i] == 0)
        continue;
      if (at == 0)
        {
          wp_array_push (&division->values, cells[i]);
          at = division->values.len;
          g_hash_table_insert (known, GUINT_TO_POINTER (cells[i]), GUINT_TO_POINTER (at));
        }
      division->of[i] = at;
    }
}

static void
division_clear (Division *division)
{
  wp_array_clear (&division->values);
  g_free (division->of);
}

/* Resources of one series together: counted, then placed. */
static guint32 *
gather_resources (const Division *division, guint32 n_rows, guint32 *starts)
{
  guint32 *sorted = g_new (guint32, (gsize) n_rows + 1);
  g_autofree guint32 *next = NULL;

  for (guint32 i = 0; i < n_rows; i++)
    if (division->of[i] != 0)
      starts[division->of[i]]++;
  for (guint32 s = 1; s <= division->values.len; s++)
    starts[s] += starts[s - 1];
  next = g_memdup2 (starts, (division->values.len + 1) * sizeof *starts);
  for (guint32 i = 0; i < n_rows; i++)
    if (division->of[i] != 0)
      sorted[next[division->of[i] - 1]++] = i;
  return sorted;
}

static void
add_points (WpPlots *self, WpChart *chart, const Division *division, const char *of, const char *per)
{
  const WpValues *values = self->profile->values;
  const WpValue *x = wp_resource_table_column (self->table, per), *y = wp_resource_table_column (self->table, of);
  g_autofree guint32 *starts = g_new0 (guint32, (gsize) division->values.len + 2);
  g_autofree guint32 *sorted = gather_resources (division, self->table->n_rows, starts);
  g_autoptr (GString) text = g_string_new (NULL);
  double factor = wp_plot_factor (self, of);

  for (guint32 s = 0; s < division->values.len; s++)
    {
      wp_chart_begin (chart, WP_SERIES_POINTS, wp_plot_text (self, division->values.data[s], text), s);
      for (guint32 i = starts[s]; i < starts[s + 1]; i++)
        wp_chart_point (chart, wp_value_number (values, x[sorted[i]]), wp_value_number (values, y[sorted[i]]) * factor);
    }
}

static char *
model_name (const WpModel *model, const char *uid)
{
  GString *name = g_string_new (NULL);

  g_string_append_printf (name, "%s: %s", uid, wp_model_kind_id (model->kind));
  for (guint i = 0; i < model->n_coeffs; i++)
    g_string_append_printf (name, "%s b%u = %.4g", i > 0 ? "," : "", i, model->b[i]);
  g_string_append_printf (name, ", r² = %.3f", model->r_square);
  return g_string_free (name, FALSE);
}

typedef struct
{
  WpPlots *kinds;
  WpChart *chart;
  const Division *division;
  WpFlattener *flattener;
  GHashTable *series; /* uid -> its series + 1 */
  double factor;      /* from amounts to the unit of the chart */
} Modelling;

/* A model belongs to the points with exactly its uid, and has their colour. */
static guint
series_of_uid (const Modelling *m, WpValue uid)
{
  guint s = GPOINTER_TO_UINT (g_hash_table_lookup (m->series, GUINT_TO_POINTER (wp_flatten_joined (m->flattener, uid))));

  return s > 0 ? s - 1 : m->division->values.len;
}

static void
add_model (const Modelling *m, const WpModel *model)
{
  double x[WP_MODEL_PLOT_POINTS], y[WP_MODEL_PLOT_POINTS];
  g_autoptr (GString) uid = g_string_new (NULL);
  g_autofree char *name = NULL;

  wp_plot_text (m->kinds, wp_flatten_joined (m->flattener, model->uid), uid);
  name = model_name (model, uid->str);
  wp_model_plot (model, m->kinds->profile->values, WP_MODEL_PLOT_POINTS, x, y);
  wp_chart_begin (m->chart, WP_SERIES_LINE, name, series_of_uid (m, model->uid));
  for (guint i = 0; i < WP_MODEL_PLOT_POINTS; i++)
    wp_chart_point (m->chart, x[i], y[i] * m->factor);
}

/* The distinct x of a series' points within the curve: at these its values are. FALSE: they are not as many as those. */
static gboolean
find_places (const Modelling *m, const WpCurve *curve, guint32 series, double *x)
{
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (double));
  const WpChartSeries *points = series < m->division->values.len ? &m->chart->series.data[series] : NULL;
  guint32 n = 0;

  for (guint32 i = 0; points != NULL && i < points->n; i++)
    g_array_append_val (all, m->chart->points.data[points->first + i].x0);
  g_array_sort (all, wp_compare_doubles);
  for (guint i = 0; i < all->len; i++)
    {
      double at = g_array_index (all, double, i);

      if (at < curve->start || at > curve->end || (n > 0 && x[n - 1] == at))
        continue;
      if (n == curve->n)
        return FALSE;
      x[n++] = at;
    }
  return n == curve->n;
}

/* Means of buckets are steps, each as wide as its bucket; the others are values at the points, else equally far apart. */
static void
add_curve (const Modelling *m, const WpCurve *curve)
{
  g_autofree double *x = g_new (double, (gsize) curve->n + 1);
  g_autoptr (GString) uid = g_string_new (NULL);
  g_autofree char *name = NULL;
  guint32 series = series_of_uid (m, curve->uid);
  double width = (curve->end - curve->start) / MAX (curve->steps ? curve->n : curve->n - 1, 1);

  wp_plot_text (m->kinds, wp_flatten_joined (m->flattener, curve->uid), uid);
  name = g_strdup_printf ("%s: %s, r² = %.3f", uid->str, curve->name, curve->r_square);
  if (curve->steps || !find_places (m, curve, series, x))
    for (guint32 i = 0; i < curve->n; i++)
      x[i] = curve->start + i * width;
  wp_chart_begin (m->chart, WP_SERIES_LINE, name, series);
  for (guint32 i = 0; i < curve->n; i++)
    {
      double y = wp_value_number (m->kinds->profile->values, wp_value_item (m->kinds->profile->values, curve->stats, i)) * m->factor;

      wp_chart_point (m->chart, x[i], y);
      if (curve->steps)
        wp_chart_point (m->chart, x[i] + width, y);
    }
}

static gboolean
add_models (WpPlots *self, WpChart *chart, const Division *division, double factor, WpProgress *progress, GError **error)
{
  g_autoptr (WpFlattener) flattener = wp_flattener_new (self->profile->values);
  g_autoptr (GHashTable) series = g_hash_table_new (wp_hash_pointer, NULL);
  Modelling m = { self, chart, division, flattener, series, factor };
  gboolean going_on = TRUE;

  for (guint32 s = 0; s < division->values.len; s++)
    g_hash_table_insert (series, GUINT_TO_POINTER (division->values.data[s]), GUINT_TO_POINTER (s + 1));
  for (guint32 i = 0; i < self->profile->models.len && going_on; i++)
    {
      WpModel model;
      WpCurve curve;

      if (wp_model_read (self->profile, i, &model, NULL))
        add_model (&m, &model);
      else if (wp_curve_read (self->profile, i, &curve))
        add_curve (&m, &curve);
      going_on = wp_progress_step (progress, (double) i / self->profile->models.len, error);
    }
  return going_on;
}

gboolean
wp_plot_scatter (WpPlots *self, const WpPlotOptions *options, WpPlotPicture *picture, WpProgress *progress, GError **error)
{
  const char *per = wp_plot_field_or (options->per, wp_plot_along (self, WP_PLOT_SCATTER)), *of = wp_plot_field_or (options->of, "amount");
  g_autofree char *title = g_strdup_printf (_ ("%s per %s"), of, per), *y_name = wp_plot_axis_name (self, of);
  Division division;
  gboolean done;

  if (wp_resource_table_need (self->table, per, TRUE, error) == NULL || wp_resource_table_need (self->table, of, TRUE, error) == NULL)
    return FALSE;
  picture->chart = wp_chart_new (title, per, y_name);
  wp_plot_set_unit (self, &picture->chart->x, per);
  wp_plot_set_unit (self, &picture->chart->y, of);
  divide (self->table, "uid", &division);
  add_points (self, picture->chart, &division, of, per);
  done = add_models (self, picture->chart, &division, wp_plot_factor (self, of), progress, error);
  division_clear (&division);
  wp_chart_finish (picture->chart);
  return done;
}
