/* Scatter plot, bars, flow and heat map as charts. */
#include "view/kinds-private.h"

#include "profile/heap-map.h"
#include "profile/models.h"
#include "view/kind-others.h"

#include <glib/gi18n.h>
#include <math.h>

#define HEAT_CELLS 64       /* along each axis of a heat map, at most */
#define BAR_WIDTH 0.8       /* of its place */
#define SERIES_MOST 7       /* beside the others, which have the last of the colours */
#define BARS_MOST 40        /* beside the others, where they stand for texts */
#define ALL (G_MAXUINT32 - 1)
#define SIZE "structure-unit-size"

static const char *
field_or (const char *chosen, const char *otherwise)
{
  return chosen != NULL && *chosen != '\0' ? chosen : otherwise;
}

static gboolean
has_field (const WpKinds *self, const char *field)
{
  return g_strv_contains ((const char *const *) self->numeric, field);
}

static void
set_unit (WpKinds *self, WpChartAxis *axis, const char *field)
{
  if (g_str_equal (field, "amount"))
    axis->unit = self->unit;
}

static double
factor_of (const WpKinds *self, const char *field)
{
  return g_str_equal (field, "amount") ? self->unit_factor : 1;
}

const char *
wp_kind_along (const WpKinds *self, WpKind kind)
{
  const char *flow = kind == WP_KIND_FLOW ? wp_kind_flow_field (self) : NULL;

  if (flow != NULL)
    return flow;
  if (kind == WP_KIND_SCATTER)
    return has_field (self, SIZE) ? SIZE : "snapshots";
  return self->n_snapshots > 1 ? "snapshots" : "uid";
}

static gboolean
refuse (const WpKinds *self, const char *what, GError **error)
{
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "%s: %s", self->profile->path, what);
  return FALSE;
}

/* --- series by the values of a field ----------------------------------------------------------------------------------- */

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
  g_autoptr (GHashTable) known = g_hash_table_new (NULL, NULL);

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

/* --- scatter plot ------------------------------------------------------------------------------------------------------ */

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
add_points (WpKinds *self, WpChart *chart, const Division *division, const char *of, const char *per)
{
  const WpValues *values = self->profile->values;
  const WpValue *x = wp_resource_table_column (self->table, per), *y = wp_resource_table_column (self->table, of);
  g_autofree guint32 *starts = g_new0 (guint32, (gsize) division->values.len + 2);
  g_autofree guint32 *sorted = gather_resources (division, self->table->n_rows, starts);
  g_autoptr (GString) text = g_string_new (NULL);
  double factor = factor_of (self, of);

  for (guint32 s = 0; s < division->values.len; s++)
    {
      wp_chart_begin (chart, WP_SERIES_POINTS, wp_kind_text (self, division->values.data[s], text), s);
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
  WpKinds *kinds;
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

  wp_kind_text (m->kinds, wp_flatten_joined (m->flattener, model->uid), uid);
  name = model_name (model, uid->str);
  wp_model_plot (model, m->kinds->profile->values, WP_MODEL_PLOT_POINTS, x, y);
  wp_chart_begin (m->chart, WP_SERIES_LINE, name, series_of_uid (m, model->uid));
  for (guint i = 0; i < WP_MODEL_PLOT_POINTS; i++)
    wp_chart_point (m->chart, x[i], y[i] * m->factor);
}

static int
compare_numbers (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return x < y ? -1 : x > y;
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
  g_array_sort (all, compare_numbers);
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

  wp_kind_text (m->kinds, wp_flatten_joined (m->flattener, curve->uid), uid);
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

static void
add_models (WpKinds *self, WpChart *chart, const Division *division, double factor, WpProgress *progress)
{
  g_autoptr (WpFlattener) flattener = wp_flattener_new (self->profile->values);
  g_autoptr (GHashTable) series = g_hash_table_new (NULL, NULL);
  Modelling m = { self, chart, division, flattener, series, factor };

  for (guint32 s = 0; s < division->values.len; s++)
    g_hash_table_insert (series, GUINT_TO_POINTER (division->values.data[s]), GUINT_TO_POINTER (s + 1));
  for (guint32 i = 0; i < self->profile->models.len && wp_progress_step (progress, (double) i / self->profile->models.len, NULL); i++)
    {
      WpModel model;
      WpCurve curve;

      if (wp_model_read (self->profile, i, &model, NULL))
        add_model (&m, &model);
      else if (wp_curve_read (self->profile, i, &curve))
        add_curve (&m, &curve);
    }
}

gboolean
wp_kind_scatter (WpKinds *self, const WpKindOptions *options, WpKindPicture *picture, WpProgress *progress, GError **error)
{
  const char *per = field_or (options->per, wp_kind_along (self, WP_KIND_SCATTER)), *of = field_or (options->of, "amount");
  g_autofree char *title = g_strdup_printf (_ ("%s per %s"), of, per), *y_name = wp_kind_axis_name (self, of);
  Division division;

  if (!has_field (self, per) || !has_field (self, of))
    return refuse (self, _ ("the fields of a scatter plot must be numbers"), error);
  picture->chart = wp_chart_new (title, per, y_name);
  set_unit (self, &picture->chart->x, per);
  set_unit (self, &picture->chart->y, of);
  divide (self->table, "uid", &division);
  add_points (self, picture->chart, &division, of, per);
  add_models (self, picture->chart, &division, factor_of (self, of), progress);
  division_clear (&division);
  wp_chart_finish (picture->chart);
  return TRUE;
}

/* --- bars ---------------------------------------------------------------------------------------------------------------- */

static guint32
index_of (GHashTable *known, WpValue value, WpIdArray *list)
{
  guint32 at = GPOINTER_TO_UINT (g_hash_table_lookup (known, GUINT_TO_POINTER (value)));

  if (at != 0)
    return at - 1;
  wp_array_push (list, value);
  g_hash_table_insert (known, GUINT_TO_POINTER (value), GUINT_TO_POINTER (list->len));
  return list->len - 1;
}

typedef struct
{
  guint32 category, series;
  double value;
} Placed;

static int
compare_placed (const void *a, const void *b)
{
  const Placed *x = a, *y = b;

  if (x->series != y->series)
    return x->series < y->series ? -1 : 1;
  return x->category < y->category ? -1 : x->category > y->category;
}

/* The others have the last of the colours, a grey. Stacked ones stand on those of the series before, negative ones hang below; grouped ones stand side by side. */
static void
add_bars (WpChart *chart, const Placed *placed, guint32 n, guint32 n_categories, guint32 n_series, const char *const *names,
          gboolean stacked, gboolean others)
{
  g_autofree double *above = g_new0 (double, (gsize) n_categories + 1), *below = g_new0 (double, (gsize) n_categories + 1);
  double width = BAR_WIDTH / (stacked ? 1 : MAX (n_series, 1));
  guint32 i = 0;

  for (guint32 s = 0; s < n_series; s++)
    {
      wp_chart_begin (chart, WP_SERIES_BARS, names[s], others && s == n_series - 1 ? SERIES_MOST : s);
      for (; i < n && placed[i].series == s; i++)
        {
          double x = placed[i].category - BAR_WIDTH / 2 + (stacked ? 0 : s * width), value = placed[i].value;
          double *base = value < 0 ? &below[placed[i].category] : &above[placed[i].category];

          if (!isfinite (value))
            continue;
          wp_chart_add (chart, x, x + width, stacked ? *base : 0, stacked ? *base + value : value, value);
          *base += value;
        }
    }
}

static GPtrArray *
texts_of (WpKinds *self, const WpIdArray *values)
{
  GPtrArray *texts = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint32 i = 0; i < values->len; i++)
    g_ptr_array_add (texts, g_strdup (wp_kind_text (self, values->data[i], text)));
  return texts;
}

/* The others come last. */
static void
put_last (WpIdArray *list, WpValue others, Placed *placed, guint32 n, gsize offset)
{
  guint32 at = 0;

  while (at < list->len && list->data[at] != others)
    at++;
  if (others == 0 || at == list->len)
    return;
  memmove (&list->data[at], &list->data[at + 1], (list->len - at - 1) * sizeof *list->data);
  list->data[list->len - 1] = others;
  for (guint32 i = 0; i < n; i++)
    {
      guint32 *index = (guint32 *) ((char *) &placed[i] + offset);

      *index = *index == at ? list->len - 1 : *index - (*index > at);
    }
}

typedef struct
{
  const WpBarArray *bars;
  double factor;
  gboolean stacked;
  WpValue others; /* of the categories or of the series; 0: none */
  gboolean one;   /* series, without a name, and that of the others */
} BarsDrawing;

static void
draw_bars (WpKinds *self, WpChart *chart, const BarsDrawing *drawing)
{
  const WpBarArray *bars = drawing->bars;
  g_autoptr (GHashTable) pers = g_hash_table_new (NULL, NULL), bys = g_hash_table_new (NULL, NULL);
  WpIdArray categories = { 0 }, series = { 0 };
  g_autofree Placed *placed = g_new (Placed, (gsize) bars->len + 1);
  g_autoptr (GPtrArray) category_names = NULL, series_names = NULL;

  for (guint32 i = 0; i < bars->len; i++)
    placed[i] = (Placed) { index_of (pers, bars->data[i].per, &categories),
                           drawing->one ? bars->data[i].by == drawing->others : index_of (bys, bars->data[i].by, &series),
                           bars->data[i].value * drawing->factor };
  put_last (&categories, drawing->others, placed, bars->len, G_STRUCT_OFFSET (Placed, category));
  put_last (&series, drawing->others, placed, bars->len, G_STRUCT_OFFSET (Placed, series));
  qsort (placed, bars->len, sizeof *placed, compare_placed);
  category_names = texts_of (self, &categories);
  series_names = texts_of (self, &series);
  if (drawing->one)
    g_ptr_array_add (series_names, g_strdup (""));
  if (drawing->one && drawing->others != 0)
    g_ptr_array_add (series_names, g_strdup (wp_value_string (self->profile->values, drawing->others)));
  for (guint i = 0; i < category_names->len; i++)
    wp_chart_category (chart, g_ptr_array_index (category_names, i));
  add_bars (chart, placed, bars->len, categories.len, series_names->len, (const char *const *) series_names->pdata,
            drawing->stacked || drawing->one, drawing->others != 0);
  wp_array_clear (&categories);
  wp_array_clear (&series);
}

/* Counts have no unit. */
static gboolean
keeps_unit (WpGroupFunc func)
{
  return func != WP_GROUP_COUNT && func != WP_GROUP_NUNIQUE;
}

static WpChart *
grouped_chart (WpKinds *self, WpGroupFunc func, const char *of, const char *per)
{
  g_autofree char *name = keeps_unit (func) ? wp_kind_axis_name (self, of) : g_strdup (of);
  g_autofree char *y_name = g_strdup_printf (_ ("%s of %s"), wp_group_func_id (func), name);
  g_autofree char *title = g_strdup_printf (_ ("%s per %s"), y_name, per);
  WpChart *chart = wp_chart_new (title, per, y_name);

  if (keeps_unit (func))
    set_unit (self, &chart->y, of);
  return chart;
}

/* Texts along the axis that are many are not told apart by colours as well. */
gboolean
wp_kind_bars (WpKinds *self, const WpKindOptions *options, WpKindPicture *picture, WpProgress *progress, GError **error)
{
  gboolean numbers = has_field (self, "amount");
  const char *of = field_or (options->of, "amount"), *per = field_or (options->per, wp_kind_along (self, WP_KIND_BARS));
  const char *by = field_or (options->by, "uid");
  WpGroupFunc func = numbers || options->of != NULL ? options->func : WP_GROUP_COUNT;
  gboolean same = g_str_equal (per, by), one = same && wp_kind_count_texts (self, per) > SERIES_MOST + 1;
  WpBarArray bars = { 0 };
  WpKindOthers others;
  gboolean good;

  (void) progress;
  wp_kind_others_gather (&others, self, by, keeps_unit (func) ? of : NULL, one ? BARS_MOST : same ? ALL : SERIES_MOST);
  good = wp_bars (&others.table, func, of, per, by, &bars, error);
  if (good)
    {
      picture->chart = grouped_chart (self, func, of, per);
      draw_bars (self, picture->chart,
                 &(BarsDrawing) { &bars, keeps_unit (func) ? factor_of (self, of) : 1, options->stacked, others.others, one });
      wp_chart_finish (picture->chart);
    }
  wp_kind_others_clear (&others);
  wp_array_clear (&bars);
  return good;
}

/* --- flow ---------------------------------------------------------------------------------------------------------------- */

/* Where no line changes, one step is enough, however long: x0 is where it began. */
static void
add_flow_line (WpChart *chart, const WpFlow *flow, const WpFlowLine *line, double factor, double *base)
{
  guint32 begin = 0;

  for (guint32 i = 1; i <= line->at.len; i++)
    {
      double value = line->at.data[begin] * factor;
      gboolean same = i < line->at.len && line->at.data[i] == line->at.data[begin] && (base == NULL || base[i] == base[begin]);

      if (same)
        continue;
      if (value != 0 || (begin > 0 && line->at.data[begin - 1] != 0))
        wp_chart_add (chart, (double) flow->first + begin, (double) flow->first + i, base != NULL ? base[begin] : 0,
                      (base != NULL ? base[begin] : 0) + value, value);
      begin = i;
    }
  for (guint32 i = 0; base != NULL && i < line->at.len; i++)
    base[i] += line->at.data[i] * factor;
}

typedef struct
{
  WpKinds *kinds;
  WpChart *chart;
  const WpFlow *flow;
  double factor;
  double *base; /* what the lines so far add up to; NULL: each stands on its own */
} FlowDrawing;

static void
draw_line (const FlowDrawing *drawing, guint i, guint color)
{
  const WpFlowLine *line = &g_array_index (drawing->flow->lines, WpFlowLine, i);
  g_autoptr (GString) text = g_string_new (NULL);

  wp_chart_begin (drawing->chart, WP_SERIES_AREA, wp_kind_text (drawing->kinds, line->by, text), color);
  add_flow_line (drawing->chart, drawing->flow, line, drawing->factor, drawing->base);
}

/* The others lie on all that has a name. */
static gboolean
draw_flow (const FlowDrawing *drawing, WpValue others, WpProgress *progress, GError **error)
{
  guint n = drawing->flow->lines->len, last = n, color = 0;

  for (guint i = 0; i < n; i++)
    {
      if (others != 0 && g_array_index (drawing->flow->lines, WpFlowLine, i).by == others)
        last = i;
      else
        draw_line (drawing, i, color++);
      if (!wp_progress_step (progress, (double) i / n, error))
        return FALSE;
    }
  if (last < n)
    draw_line (drawing, last, color);
  wp_chart_finish (drawing->chart);
  return TRUE;
}

gboolean
wp_kind_flow (WpKinds *self, const WpKindOptions *options, WpKindPicture *picture, WpProgress *progress, GError **error)
{
  const char *through = field_or (options->per, wp_kind_along (self, WP_KIND_FLOW));
  const char *of = field_or (options->of, "amount"), *by = field_or (options->by, "uid");
  g_autoptr (WpFlow) flow = NULL;
  g_autofree double *base = NULL;
  WpKindOthers others;

  wp_kind_others_gather (&others, self, by, keeps_unit (options->func) ? of : NULL, g_str_equal (by, through) ? ALL : SERIES_MOST);
  flow = wp_flow_new (&others.table, options->func, of, through, by, options->accumulate, error);
  wp_kind_others_clear (&others);
  if (flow == NULL)
    return FALSE;
  picture->chart = grouped_chart (self, options->func, of, through);
  picture->chart->x.whole = TRUE;
  if (options->stacked)
    base = g_new0 (double, (gsize) (flow->last - flow->first) + 2);
  return draw_flow (&(FlowDrawing) { self, picture->chart, flow, keeps_unit (options->func) ? factor_of (self, of) : 1, base },
                    others.others, progress, error);
}

/* --- heat map -------------------------------------------------------------------------------------------------------------- */

/* The range as a square of cells, a line of addresses after the other, from the bottom up. A cell's heat is the mean of its bytes. */
static void
add_heat (WpChart *chart, const WpHeatMap *map)
{
  guint32 line = MAX (1, (guint32) ceil (sqrt (map->map.len))), cell;

  cell = MAX (1, (line + HEAT_CELLS - 1) / HEAT_CELLS);
  line = (line + cell - 1) / cell * cell;
  for (guint32 y = 0; y < map->map.len; y += line)
    for (guint32 x = 0; x < line && y + x < map->map.len; x += cell)
      {
        guint32 n = MIN (cell, map->map.len - y - x);
        guint64 sum = 0;

        for (guint32 i = 0; i < n; i++)
          sum += map->map.data[y + x + i];
        wp_chart_add (chart, x, x + n, (double) map->min_address + y, (double) map->min_address + y + line, (double) sum / n);
      }
}

/* Whether something lies above what the map has room for. */
static gboolean
is_cut (const WpKinds *self, const WpHeatMap *map)
{
  const WpProfile *p = self->profile;

  for (guint32 i = 0; i < p->resources.len; i++)
    if (wp_value_number (p->values, wp_profile_field (p, i, "address")) > (double) map->max_address)
      return TRUE;
  return FALSE;
}

static char *
heat_title (const WpKinds *self, const WpHeatMap *map)
{
  char end[WP_FORMAT_MAX];

  if (!is_cut (self, map))
    return g_strdup (_ ("How often each address was allocated or freed"));
  return g_strdup_printf (_ ("How often each address below %s was allocated or freed"),
                          wp_unit_format (WP_UNIT_ADDRESS, (double) map->max_address, end));
}

gboolean
wp_kind_heat_map (WpKinds *self, const WpKindOptions *options, WpKindPicture *picture, WpProgress *progress, GError **error)
{
  g_autoptr (WpHeatMap) map = wp_heat_map_new (self->profile, error);
  g_autofree char *title = map != NULL ? heat_title (self, map) : NULL;
  WpChart *chart;

  (void) options, (void) progress;
  if (map == NULL)
    return FALSE;
  chart = picture->chart = wp_chart_new (title, _ ("bytes within the line"), _ ("address"));
  chart->value_name = wp_strings_intern (chart->strings, _ ("times"));
  chart->x.unit = WP_UNIT_BYTES;
  chart->y.unit = WP_UNIT_ADDRESS;
  wp_chart_begin (chart, WP_SERIES_CELLS, "", 0);
  add_heat (chart, map);
  wp_chart_finish (chart);
  return TRUE;
}
