#include "profile/model/figures-stacks.h"

#include "profile/model/profile-stacks.h"
#include "stacks/filter.h"
#include "stacks/graph.h"
#include "stacks/measure.h"
#include "stacks/perun.h"

/* --- the beginning of a document ------------------------------------------------------------------------------------------ */

static void
free_type (gpointer data)
{
  WpTypeTotal *type = data;

  g_free (type->name);
  g_free (type->unit);
  g_free (type);
}

static void
take_text (WpJsonReader *reader, char **text)
{
  g_free (*text);
  *text = g_strdup (wp_json_reader_string (reader));
}

static void
read_type (WpJsonReader *reader, GPtrArray *types)
{
  WpTypeTotal *type = g_new0 (WpTypeTotal, 1);
  const char *key;

  g_ptr_array_add (types, type);
  type->name = g_strdup ("");
  type->unit = g_strdup ("");
  wp_json_reader_object (reader);
  while ((key = wp_json_reader_key (reader)) != NULL)
    if (g_str_equal (key, "type"))
      take_text (reader, &type->name);
    else if (g_str_equal (key, "unit"))
      take_text (reader, &type->unit);
    else if (g_str_equal (key, "total"))
      type->total = wp_json_reader_int (reader, G_MININT64, G_MAXINT64);
    else
      wp_json_reader_skip (reader);
}

static void
mark_default (GPtrArray *types, const char *name)
{
  for (guint i = 0; i < types->len; i++)
    {
      WpTypeTotal *type = types->pdata[i];

      type->is_default = g_str_equal (type->name, name);
    }
}

/* The default comes after the types. */
static void
read_params (WpJsonReader *reader, GPtrArray *types)
{
  const char *key;

  wp_json_reader_object (reader);
  while ((key = wp_json_reader_key (reader)) != NULL && !g_str_equal (key, "default"))
    if (g_str_equal (key, "types") && wp_json_reader_array (reader))
      while (wp_json_reader_item (reader))
        read_type (reader, types);
    else
      wp_json_reader_skip (reader);
  if (key != NULL)
    mark_default (types, wp_json_reader_string (reader));
}

static void
read_collector (WpJsonReader *reader, GPtrArray *types)
{
  gboolean ours = FALSE;
  const char *key;

  wp_json_reader_object (reader);
  while ((key = wp_json_reader_key (reader)) != NULL)
    if (g_str_equal (key, "name") && wp_json_reader_kind (reader) == WP_JSON_STRING)
      ours = g_str_equal (wp_json_reader_string (reader), WP_PERUN_STACKS);
    else if (ours && g_str_equal (key, "params"))
      {
        read_params (reader, types);
        return;
      }
    else
      wp_json_reader_skip (reader);
}

GPtrArray *
wp_type_totals_read (const char *name, const char *text, gsize n)
{
  g_autoptr (WpJsonReader) reader = wp_json_reader_new (name, text, n, NULL);
  g_autoptr (GPtrArray) types = g_ptr_array_new_with_free_func (free_type);
  const char *key;

  if (!wp_json_reader_object (reader))
    return NULL;
  while ((key = wp_json_reader_key (reader)) != NULL && !g_str_equal (key, "collector_info"))
    wp_json_reader_skip (reader);
  if (key != NULL)
    read_collector (reader, types);
  return types->len > 0 && !wp_json_reader_failed (reader) ? g_steal_pointer (&types) : NULL;
}

/* --- functions ------------------------------------------------------------------------------------------------------------ */

void
wp_figure_set_measured (WpFigureValue *value, double number, const char *unit)
{
  static const struct
  {
    const char *base;
    WpUnit unit;
  } kinds[] = { { "nanoseconds", WP_UNIT_TIME }, { "bytes", WP_UNIT_BYTES } };

  *value = (WpFigureValue) { .value = number, .unit = WP_UNIT_PLAIN };
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (wp_measure_is_alike (unit, kinds[i].base))
      {
        value->unit = kinds[i].unit;
        value->value *= wp_measure_ratio (unit, kinds[i].base);
        return;
      }
  if (!g_str_equal (unit, "count"))
    g_strlcpy (value->unit_name, unit, sizeof value->unit_name);
}

/* As the list of functions has it: without frames that are no part of the program. */
static WpGraph *
graph_of (WpStacks *whole, guint32 type, WpProgress *progress, GError **error)
{
  g_autoptr (WpStacks) stacks = wp_stacks_drop_frames (whole, progress, error);

  return stacks != NULL ? wp_graph_new (stacks, &(WpGraphOptions) { .type = type }, progress, error) : NULL;
}

gboolean
wp_figure_of_stacks (const WpFigure *figure, const WpProfile *profile, const char *type, WpFigureValue *value, WpProgress *progress, GError **error)
{
  g_autoptr (WpStacks) stacks = wp_profile_stacks (profile, progress, error);
  g_autoptr (WpGraph) graph = NULL;
  int found = stacks == NULL ? -1 : type == NULL ? (int) wp_stacks_default_type (stacks) : wp_stacks_find_type (stacks, type, error);
  gint64 sum = 0;

  if (found >= 0)
    graph = graph_of (stacks, (guint32) found, progress, error);
  if (graph == NULL)
    return FALSE;
  for (guint32 i = 0; i < graph->nodes.len; i++)
    if (g_str_equal (graph->nodes.data[i].frame->name, figure->of))
      sum += wp_graph_value (figure->kind == WP_FIGURE_SELF ? graph->nodes.data[i].flat : graph->nodes.data[i].cum);
  wp_figure_set_measured (value, (double) sum, wp_stacks_text (stacks, stacks->types.data[found].unit));
  return TRUE;
}
