#include "stacks/perun-head.h"

#include "stacks/graph.h"
#include "stacks/perun.h"

void
wp_perun_put_text (WpJsonWriter *json, const WpStacks *stacks, const char *key, WpId text)
{
  g_autofree char *changed = NULL;

  wp_json_writer_string (json, key, wp_stacks_shown (stacks, text, &changed));
}

/* Units as Perun's collectors write them. */
static const char *
unit_of (const char *unit)
{
  static const struct
  {
    const char *ours, *theirs;
  } units[] = { { "nanoseconds", "ns" }, { "microseconds", "us" }, { "milliseconds", "ms" }, { "seconds", "s" }, { "bytes", "B" } };

  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    if (g_str_equal (units[i].ours, unit))
      return units[i].theirs;
  return unit;
}

/* What was run: the first comment of ours is the command. The first module is the program; where it lies may be another place each time. */
static void
put_command (WpJsonWriter *json, const WpStacks *stacks, const char *name)
{
  const WpFrames *frames = stacks->frames;
  g_autofree char *program = NULL;

  if (wp_stacks_command (stacks) != NULL)
    wp_perun_put_text (json, stacks, "cmd", stacks->comments.data[0]);
  else if (frames->modules.len > 1 && *wp_stacks_text (stacks, frames->modules.data[1].file) != '\0')
    {
      program = g_path_get_basename (wp_stacks_text (stacks, frames->modules.data[1].file));
      wp_json_writer_string (json, "cmd", program);
    }
  else
    wp_json_writer_string (json, "cmd", name);
}

static void
put_header (WpJsonWriter *json, const WpStacks *stacks, const WpPerunHead *head)
{
  wp_json_writer_object (json, "header", WP_JSON_LINES);
  wp_json_writer_string (json, "type", head->type);
  put_command (json, stacks, head->name);
  wp_json_writer_string (json, "args", "");
  wp_json_writer_string (json, "workload", "");
  wp_json_writer_object (json, "units", WP_JSON_TIGHT);
  wp_json_writer_string (json, head->type, unit_of (wp_stacks_text (stacks, stacks->types.data[head->default_type].unit)));
  wp_json_writer_end (json);
  wp_json_writer_end (json);
}

/* --- the collector ------------------------------------------------------------------------------------------------ */

static void
put_value_type (WpJsonWriter *json, const WpStacks *stacks, WpValueType type)
{
  wp_perun_put_text (json, stacks, "type", type.type);
  wp_perun_put_text (json, stacks, "unit", type.unit);
}

static void
put_types (WpJsonWriter *json, const WpStacks *stacks)
{
  wp_json_writer_array (json, "types", WP_JSON_TIGHT);
  for (guint32 t = 0; t < stacks->types.len; t++)
    {
      wp_json_writer_object (json, NULL, WP_JSON_TIGHT);
      put_value_type (json, stacks, stacks->types.data[t]);
      wp_json_writer_int (json, "total", wp_stacks_total (stacks, t, FALSE));
      wp_json_writer_end (json);
    }
  wp_json_writer_end (json);
}

const char *const wp_perun_module_has[WP_PERUN_MODULE_HAS] = { "functions", "files", "lines", "inlined" };

/* Functions alone are what nothing is said of. */
static void
put_has (WpJsonWriter *json, guint8 has)
{
  if (has == WP_MODULE_HAS_FUNCTIONS)
    return;
  wp_json_writer_array (json, "has", WP_JSON_TIGHT);
  for (guint i = 0; i < WP_PERUN_MODULE_HAS; i++)
    if (has >> i & 1)
      wp_json_writer_string (json, NULL, wp_perun_module_has[i]);
  wp_json_writer_end (json);
}

static void
put_modules (WpJsonWriter *json, const WpStacks *stacks)
{
  const WpFrames *frames = stacks->frames;

  wp_json_writer_array (json, "modules", WP_JSON_LINES);
  for (WpId m = 1; m < frames->modules.len; m++)
    {
      const WpStackModule *module = &frames->modules.data[m];

      wp_json_writer_line (json);
      wp_json_writer_object (json, NULL, WP_JSON_TIGHT);
      wp_perun_put_text (json, stacks, "file", module->file);
      wp_perun_put_text (json, stacks, "build_id", module->build_id);
      wp_json_writer_uint (json, "start", module->start);
      wp_json_writer_uint (json, "limit", module->limit);
      wp_json_writer_uint (json, "offset", module->offset);
      put_has (json, module->has);
      wp_json_writer_end (json);
    }
  wp_json_writer_end (json);
}

static void
put_comments (WpJsonWriter *json, const WpStacks *stacks)
{
  wp_json_writer_array (json, "comments", WP_JSON_TIGHT);
  for (guint32 i = 0; i < stacks->comments.len; i++)
    wp_perun_put_text (json, stacks, NULL, stacks->comments.data[i]);
  wp_json_writer_end (json);
}

static void
put_known (WpJsonWriter *json, const WpStacks *stacks)
{
  const WpStacksHeader *header = &stacks->header;
  const struct
  {
    const char *key;
    WpId text;
  } texts[] = { { "drop", header->drop }, { "keep", header->keep }, { "doc_url", header->doc_url } };
  const struct
  {
    const char *key;
    gint64 number;
  } numbers[] = { { "period", header->period }, { "time", header->time }, { "duration", header->duration } };

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    if (numbers[i].number != 0)
      wp_json_writer_int (json, numbers[i].key, numbers[i].number);
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    if (*wp_stacks_text (stacks, texts[i].text) != '\0')
      wp_perun_put_text (json, stacks, texts[i].key, texts[i].text);
  if (header->period_type.type != 0)
    {
      wp_json_writer_object (json, "period_type", WP_JSON_TIGHT);
      put_value_type (json, stacks, header->period_type);
      wp_json_writer_end (json);
    }
}

static void
put_collector (WpJsonWriter *json, const WpStacks *stacks, const WpPerunHead *head)
{
  wp_json_writer_object (json, "collector_info", WP_JSON_LINES);
  wp_json_writer_string (json, "name", WP_PERUN_STACKS);
  wp_json_writer_object (json, "params", WP_JSON_LINES);
  put_types (json, stacks);
  wp_perun_put_text (json, stacks, "default", stacks->types.data[head->default_type].type);
  wp_json_writer_bool (json, "snapshots", head->snapshots);
  wp_json_writer_bool (json, "moments", stacks->moments.len > 0);
  put_known (json, stacks);
  put_comments (json, stacks);
  put_modules (json, stacks);
  wp_json_writer_end (json);
  wp_json_writer_end (json);
}

void
wp_perun_put_head (WpJsonWriter *json, const WpStacks *stacks, const WpPerunHead *head)
{
  put_header (json, stacks, head);
  put_collector (json, stacks, head);
  wp_json_writer_array (json, "postprocessors", WP_JSON_TIGHT);
  wp_json_writer_end (json);
}
