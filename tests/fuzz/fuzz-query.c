/* Opens any bytes as a profile of any kind; what opens is asked, converted, postprocessed and checked in every way there is. */
#include "profile/checks.h"
#include "profile/flame-lines.h"
#include "profile/groups.h"
#include "profile/heap-map.h"
#include "profile/postprocess.h"
#include "profile/regression.h"
#include "profile/scatter.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);
void wp_fuzz_seeds (GPtrArray *seeds);

void
wp_fuzz_seeds (GPtrArray *seeds)
{
  static const char *const texts[] = {
    "{\"header\": {\"type\": \"memory\", \"units\": {\"memory\": \"B\"}}, \"chunks\": {\"t\": [{\"function\": \"f\", \"source\": \"a\", "
    "\"line\": 1}]}, \"snapshots\": [{\"time\": \"1\", \"resources\": [{\"amount\": 4, \"address\": 100, \"subtype\": \"malloc\", "
    "\"uid\": {\"function\": \"f\", \"line\": 3}, \"trace\": {\"chunk\": \"t\"}}, {\"amount\": 0, \"address\": 100, \"subtype\": \"free\", "
    "\"uid\": {\"function\": \"f\"}}]}], \"global\": {\"resources\": []}}",
    "{\"header\": {\"type\": \"mixed\", \"units\": {\"mixed\": \"us\"}}, \"global\": {\"resources\": [{\"uid\": \"f\", \"amount\": 1, "
    "\"structure-unit-size\": 1, \"exclusive\": 3, \"location\": \"l\"}, {\"uid\": \"f\", \"amount\": 4, \"structure-unit-size\": 2}, "
    "{\"uid\": \"f\", \"amount\": 9.5, \"structure-unit-size\": 3}, {\"uid\": \"f\", \"amount\": 15, \"structure-unit-size\": 4}], "
    "\"models\": [{\"model\": \"linear\", \"uid\": \"f\", \"r_square\": 0.9, \"coeffs\": [{\"name\": \"b0\", \"value\": 1}, {\"name\": "
    "\"b1\", \"value\": 2}], \"x_interval_start\": 0, \"x_interval_end\": 9}]}}",
    "{\"header\": {\"type\": \"time\"}, \"resources\": {\"f#0\": {\"amount\": [1, 2, 3]}}, \"resource_type_map\": {\"f#0\": {\"uid\": "
    "\"f\", \"snapshot\": 2, \"trace\": [{\"func\": \"g\"}]}}, \"models\": []}",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    g_ptr_array_add (seeds, g_byte_array_append (g_byte_array_new (), (const guint8 *) texts[i], (guint) strlen (texts[i])));
}

static void
ask (WpProfile *profile)
{
  static const char *const keys[] = { "uid", "uid:function", "trace::function", "amount", "", "::" };
  WpIdArray found = { 0 };

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      wp_query_unique_resource_values (profile, keys[i], &found);
      wp_query_unique_model_values (profile, keys[i], &found);
    }
  wp_query_fields (profile, FALSE, &found);
  wp_query_fields (profile, TRUE, &found);
  wp_array_clear (&found);
}

static void
ignore (const char *text G_GNUC_UNUSED, gsize n G_GNUC_UNUSED, gpointer data G_GNUC_UNUSED)
{
}

static void
draw (WpProfile *profile)
{
  g_autoptr (WpResourceTable) table = wp_resource_table_new (profile, NULL, NULL);
  g_autoptr (WpHeapMap) heap = wp_heap_map_new (profile, NULL);
  g_autoptr (WpHeatMap) heat = wp_heat_map_new (profile, NULL);
  g_autoptr (GArray) scatters = wp_scatter_new (profile, "amount", "structure-unit-size");
  g_autoptr (GString) lines = g_string_new (NULL);
  WpIdArray rows = { 0 };

  for (guint func = 0; table != NULL && func < WP_N_GROUP_FUNCS; func++)
    {
      WpBarArray bars = { 0 };

      wp_bars (table, func, "amount", "snapshots", "uid", &bars, NULL);
      wp_array_clear (&bars);
      wp_flow_free (wp_flow_new (table, func, "amount", "structure-unit-size", "uid", TRUE, NULL));
    }
  for (guint format = WP_RESOURCE_TABLE_CSV; table != NULL && format <= WP_RESOURCE_TABLE_JSON; format++)
    wp_resource_table_write (table, format, ignore, NULL);
  for (guint32 i = 0; heap != NULL && i < heap->snapshots.len && i < 100; i++)
    wp_heap_map_at (heap, i, &rows);
  for (guint32 i = 0; i < profile->resources.len; i++)
    for (guint order = WP_FLAME_AUTO; order <= WP_FLAME_UID_FIRST; order++)
      wp_flame_line (profile, i, order, lines);
  wp_array_clear (&rows);
}

static void
change (WpProfile *profile)
{
  WpClusters clusters = WP_CLUSTERS_DEFAULTS;
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint method = 0; method < WP_N_REGRESSIONS; method++)
    {
      WpRegression options = WP_REGRESSION_DEFAULTS;

      options.method = method;
      wp_regression_analysis (&options, profile, NULL);
    }
  for (WpCheck check = 0; check < WP_N_CHECKS; check++)
    g_clear_pointer (&(GPtrArray *) { wp_check_run (check, profile, profile, NULL) }, g_ptr_array_unref);
  for (guint32 i = 0; i < profile->models.len; i++)
    {
      double x[WP_MODEL_PLOT_POINTS], y[WP_MODEL_PLOT_POINTS];
      WpModel model;

      if (wp_model_read (profile, i, &model, NULL))
        wp_model_plot (&model, profile->values, WP_MODEL_PLOT_POINTS, x, y);
    }
  wp_postprocess_normalize (profile);
  wp_postprocess_filter (profile);
  wp_postprocess_clusters (profile, &clusters);
  wp_value_write (profile->values, wp_profile_document (profile), 2, text);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (WpProfile) profile = wp_profile_parse ("fuzz", (const char *) data, size, NULL, NULL);

  if (profile != NULL)
    {
      ask (profile);
      draw (profile);
      change (profile);
    }
  return 0;
}
