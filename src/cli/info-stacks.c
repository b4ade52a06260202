#include "cli/info-stacks.h"

#include "base/format.h"
#include "cli/output.h"
#include "stacks/graph.h"
#include "stacks/measure.h"
#include "stacks/tags.h"

#define MODULES_SHOWN 10 /* as text */

static const char *
text_of (const WpStacks *stacks, WpId id)
{
  return wp_stacks_text (stacks, id);
}

/* "2026-11-23T06:00:00.123456Z" */
static char *
moment_of (gint64 ns)
{
  g_autoptr (GDateTime) second = g_date_time_new_from_unix_utc (ns / WP_NS_PER_S);
  g_autoptr (GDateTime) moment = second != NULL ? g_date_time_add (second, ns % WP_NS_PER_S / WP_NS_PER_US) : NULL;

  return moment != NULL ? g_date_time_format_iso8601 (moment) : g_strdup ("");
}

/* The keys of labels; what their values took is not asked. NULL: there is no type that it could be of. */
static WpTags *
labels_of (const WpStacks *stacks)
{
  return stacks->types.len > 0 ? wp_tags_new (stacks, 0, "auto") : NULL;
}

/* --- text ----------------------------------------------------------------------------------------------------------------- */

void
wp_cli_info_types_text (GString *out, const WpStacks *stacks)
{
  guint32 shown = stacks->types.len > 0 ? wp_stacks_default_type (stacks) : 0;

  for (guint32 t = 0; t < stacks->types.len; t++)
    {
      const char *unit = text_of (stacks, stacks->types.data[t].unit);
      g_autofree char *total = wp_measure_text (wp_stacks_total (stacks, t, FALSE), unit, "auto");
      g_autofree char *text = g_strconcat (text_of (stacks, stacks->types.data[t].type), *unit != '\0' ? ", " : "", unit, t == shown ? " (shown first)" : "", NULL);

      g_string_append_printf (out, "%12s  ", total);
      wp_cli_append_line (out, "", text);
    }
}

static void
append_modules (GString *out, const WpFrames *frames, const WpStacks *stacks)
{
  guint32 n = frames->modules.len - 1;

  if (n > 0)
    g_string_append (out, "Modules, with their build ids:\n");
  for (WpId m = 1; m <= MIN (n, MODULES_SHOWN); m++)
    {
      const WpStackModule *module = &frames->modules.data[m];
      const char *build_id = text_of (stacks, module->build_id);
      g_autofree char *text = g_strdup_printf ("%s  %s", text_of (stacks, module->file), *build_id != '\0' ? build_id : "none");

      wp_cli_append_line (out, "  ", text);
    }
  if (n > MODULES_SHOWN)
    g_string_append_printf (out, "  and %u more\n", n - MODULES_SHOWN);
}

static void
append_labels (GString *out, const WpStacks *stacks)
{
  g_autoptr (WpTags) labels = labels_of (stacks);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint32 i = 0; labels != NULL && i < labels->tags.len; i++)
    g_string_append_printf (text, "%s%s (%u)", i > 0 ? ", " : "", labels->tags.data[i].key, labels->tags.data[i].values.len);
  if (text->len > 0)
    wp_cli_append_fact (out, "Labels, and how many values each has", text->str);
}

static void
append_header (GString *out, const WpStacks *stacks)
{
  const WpStacksHeader *header = &stacks->header;
  const char *unit = text_of (stacks, header->period_type.unit);
  g_autofree char *period = wp_measure_text (header->period, unit, "auto");
  g_autofree char *every = g_strdup_printf ("%s of %s", period, text_of (stacks, header->period_type.type));
  g_autofree char *time = moment_of (header->time);
  const struct
  {
    const char *name;
    WpId text;
  } texts[] = { { "Frames left out", header->drop }, { "But not", header->keep }, { "About it", header->doc_url } };
  char duration[WP_FORMAT_MAX];

  if (header->period != 0)
    wp_cli_append_fact (out, "A sample each", every);
  if (header->time != 0)
    wp_cli_append_fact (out, "Recorded", time);
  if (header->duration != 0)
    g_string_append_printf (out, "Duration: %s\n", wp_format_ns (header->duration, duration));
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    if (*text_of (stacks, texts[i].text) != '\0')
      wp_cli_append_fact (out, texts[i].name, text_of (stacks, texts[i].text));
  for (guint32 i = 0; i < stacks->comments.len; i++)
    wp_cli_append_fact (out, "Comment", text_of (stacks, stacks->comments.data[i]));
}

void
wp_cli_info_stacks_text (GString *out, const char *name, const char *format, const WpStacks *stacks)
{
  const WpFrames *frames = stacks->frames;

  g_string_append_printf (out, "%s: stacks with values (%s)\n", name, format);
  wp_cli_info_types_text (out, stacks);
  g_string_append_printf (out, "Samples: %u, functions: %u, locations: %u\n", stacks->n_samples, frames->functions.len - 1,
                          frames->locations.len - 1);
  append_header (out, stacks);
  append_labels (out, stacks);
  append_modules (out, frames, stacks);
}

/* --- JSON ----------------------------------------------------------------------------------------------------------------- */

static void
put_text (WpJsonWriter *json, const WpStacks *stacks, const char *key, WpId text)
{
  g_autofree char *changed = NULL;

  wp_json_writer_string (json, key, wp_stacks_shown (stacks, text, &changed));
}

void
wp_cli_info_types_json (WpJsonWriter *json, const WpStacks *stacks)
{
  wp_json_writer_line (json);
  wp_json_writer_array (json, "types", WP_JSON_SPACED);
  for (guint32 t = 0; t < stacks->types.len; t++)
    {
      wp_json_writer_line (json);
      wp_json_writer_object (json, NULL, WP_JSON_SPACED);
      put_text (json, stacks, "type", stacks->types.data[t].type);
      put_text (json, stacks, "unit", stacks->types.data[t].unit);
      wp_json_writer_int (json, "total", wp_stacks_total (stacks, t, FALSE));
      wp_json_writer_bool (json, "default", t == wp_stacks_default_type (stacks));
      wp_json_writer_end (json);
    }
  wp_json_writer_line (json);
  wp_json_writer_end (json);
}

static void
modules_json (WpJsonWriter *json, const WpStacks *stacks)
{
  wp_json_writer_line (json);
  wp_json_writer_array (json, "modules", WP_JSON_SPACED);
  for (WpId m = 1; m < stacks->frames->modules.len; m++)
    {
      wp_json_writer_line (json);
      wp_json_writer_object (json, NULL, WP_JSON_SPACED);
      put_text (json, stacks, "file", stacks->frames->modules.data[m].file);
      put_text (json, stacks, "build_id", stacks->frames->modules.data[m].build_id);
      wp_json_writer_end (json);
    }
  wp_json_writer_line (json);
  wp_json_writer_end (json);
}

static void
labels_json (WpJsonWriter *json, const WpStacks *stacks)
{
  g_autoptr (WpTags) labels = labels_of (stacks);

  wp_json_writer_line (json);
  wp_json_writer_array (json, "labels", WP_JSON_SPACED);
  for (guint32 i = 0; labels != NULL && i < labels->tags.len; i++)
    {
      wp_json_writer_object (json, NULL, WP_JSON_SPACED);
      wp_json_writer_string (json, "key", labels->tags.data[i].key);
      wp_json_writer_uint (json, "values", labels->tags.data[i].values.len);
      wp_json_writer_end (json);
    }
  wp_json_writer_end (json);
}

static void
header_json (WpJsonWriter *json, const WpStacks *stacks)
{
  const WpStacksHeader *header = &stacks->header;
  g_autofree char *time = moment_of (header->time);

  wp_json_writer_line (json);
  wp_json_writer_int (json, "period", header->period);
  put_text (json, stacks, "period_type", header->period_type.type);
  put_text (json, stacks, "period_unit", header->period_type.unit);
  wp_json_writer_string_or_null (json, "time", header->time != 0 ? time : NULL);
  put_text (json, stacks, "drop_frames", header->drop);
  put_text (json, stacks, "keep_frames", header->keep);
  put_text (json, stacks, "doc_url", header->doc_url);
  wp_json_writer_array (json, "comments", WP_JSON_SPACED);
  for (guint32 i = 0; i < stacks->comments.len; i++)
    put_text (json, stacks, NULL, stacks->comments.data[i]);
  wp_json_writer_end (json);
}

static void
empty_json (WpJsonWriter *json, const char *key)
{
  wp_json_writer_array (json, key, WP_JSON_TIGHT);
  wp_json_writer_end (json);
}

/* With the keys that every file has. */
void
wp_cli_info_stacks_json (GString *out, const char *format, const WpStacks *stacks)
{
  g_autoptr (WpJsonWriter) json = wp_json_writer_new_text (out);

  wp_json_writer_object (json, NULL, WP_JSON_SPACED);
  wp_json_writer_string (json, "format", format);
  wp_json_writer_string_or_null (json, "command", NULL);
  wp_json_writer_string_or_null (json, "from", NULL);
  wp_json_writer_int (json, "duration_ns", stacks->header.duration);
  wp_cli_info_types_json (json, stacks);
  wp_json_writer_line (json);
  wp_json_writer_uint (json, "samples", stacks->n_samples);
  wp_json_writer_uint (json, "functions", stacks->frames->functions.len - 1);
  wp_json_writer_uint (json, "locations", stacks->frames->locations.len - 1);
  modules_json (json, stacks);
  labels_json (json, stacks);
  header_json (json, stacks);
  wp_json_writer_line (json);
  empty_json (json, "events");
  wp_json_writer_uint (json, "lost", 0);
  empty_json (json, "problems");
  wp_json_writer_end (json);
}
