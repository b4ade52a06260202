#include "stacks/chrome-parts.h"

#include <math.h>

#include "stacks/sums.h"

gint64
wp_chrome_ns (double us)
{
  return wp_whole (round (us * 1000.0));
}

void
wp_chrome_rows_init (WpChromeRows *self)
{
  WpStrings *strings;

  *self = (WpChromeRows) { .threads = g_hash_table_new_full (wp_hash_string, g_str_equal, g_free, NULL) };
  wp_stacks_maker_init (&self->maker);
  strings = self->maker.stacks->strings;
  wp_array_add (&self->maker.stacks->threads);
  wp_stacks_maker_type (&self->maker, wp_strings_intern (strings, "time"), wp_strings_intern (strings, "nanoseconds"));
}

void
wp_chrome_rows_clear (WpChromeRows *self)
{
  wp_stacks_maker_clear (&self->maker);
  g_hash_table_unref (self->threads);
  wp_pair_map_clear (&self->locations);
}

WpId
wp_chrome_location (WpChromeRows *self, WpId name, WpId file, gint64 line, gint64 column)
{
  WpFrames *frames = self->maker.stacks->frames;
  guint32 *place = wp_pair_map_at (&self->locations, name, file), *known;

  if (*place == 0)
    {
      wp_array_push (&frames->functions, ((WpStackFunction) { .name = name, .system_name = name, .file = file, .start_line = line }));
      *place = frames->functions.len - 1;
    }
  /* Pairs of the second kind have a bit that no id of a text has. */
  known = wp_pair_map_at (&self->locations, *place, (guint32) wp_hash_pair ((guint64) line, (guint64) column) | 1u << 31);
  if (*known == 0 || frames->lines.data[frames->locations.data[*known].first_line].line != line
      || frames->lines.data[frames->locations.data[*known].first_line].column != column)
    {
      WpId function = wp_pair_map_get (&self->locations, name, file);

      wp_array_push (&frames->lines, ((WpStackLine) { function, line, column }));
      wp_array_push (&frames->locations, ((WpLocation) { .first_line = frames->lines.len - 1, .n_lines = 1 }));
      *known = frames->locations.len - 1;
    }
  return *known;
}

guint32
wp_chrome_thread (WpChromeRows *self, gint64 pid, gint64 tid)
{
  WpStacks *stacks = self->maker.stacks;
  g_autofree char *key = g_strdup_printf ("%" G_GINT64_FORMAT ":%" G_GINT64_FORMAT, pid, tid);
  gpointer found = g_hash_table_lookup (self->threads, key);

  if (found != NULL)
    return GPOINTER_TO_UINT (found);
  wp_array_push (&stacks->threads, ((WpStackThread) { .pid = pid, .tid = tid }));
  g_hash_table_insert (self->threads, g_steal_pointer (&key), GUINT_TO_POINTER (stacks->threads.len - 1));
  return stacks->threads.len - 1;
}

void
wp_chrome_name_process (WpChromeRows *self, gint64 pid, WpId name)
{
  g_hash_table_insert (self->threads, g_strdup_printf ("name of %" G_GINT64_FORMAT, pid), GUINT_TO_POINTER (name));
}

void
wp_chrome_name_threads_processes (WpChromeRows *self)
{
  WpStacks *stacks = self->maker.stacks;

  for (guint32 i = 1; i < stacks->threads.len; i++)
    {
      g_autofree char *key = g_strdup_printf ("name of %" G_GINT64_FORMAT, stacks->threads.data[i].pid);

      stacks->threads.data[i].process = GPOINTER_TO_UINT (g_hash_table_lookup (self->threads, key));
    }
}

void
wp_chrome_sample (WpChromeRows *self, guint32 thread, WpId stack, gint64 start, gint64 length)
{
  WpStacks *stacks = self->maker.stacks;

  if (length <= 0)
    return;
  wp_stacks_maker_sample (&self->maker, stack, &length);
  wp_array_push (&stacks->moments, start);
  wp_array_push (&stacks->sample_threads, thread);
}

double
wp_chrome_read_real (WpJsonReader *json)
{
  if (wp_json_reader_kind (json) == WP_JSON_NUMBER)
    return wp_json_reader_real (json);
  wp_json_reader_skip (json);
  return 0;
}

gint64
wp_chrome_read_whole (WpJsonReader *json)
{
  return wp_whole (wp_chrome_read_real (json));
}

WpId
wp_chrome_read_text (WpJsonReader *json, WpChromeRows *rows)
{
  if (wp_json_reader_kind (json) == WP_JSON_STRING)
    return wp_strings_intern (rows->maker.stacks->strings, wp_json_reader_string (json));
  wp_json_reader_skip (json);
  return 0;
}
