#include "stacks/proportion.h"

#include <gio/gio.h>

/* Frames, or bytes of their names: so many always, and so many for each thing that the profile holds. */
#define FRAMES_ALWAYS (G_GUINT64_CONSTANT (4) << 20)
#define BYTES_ALWAYS (G_GUINT64_CONSTANT (64) << 20)
#define EACH 256

/* How much of it is written for a location. */
static guint64
cost_of (const WpStacks *stacks, const WpLocation *location, gboolean named)
{
  const WpFrames *frames = stacks->frames;
  guint64 cost = MAX (location->n_lines, 1);

  for (guint32 l = 0; l < location->n_lines && named; l++)
    {
      gsize n;

      wp_strings_bytes (stacks->strings, frames->functions.data[frames->lines.data[location->first_line + l].function].name, &n);
      cost += n;
    }
  return cost;
}

/* The same for a run. Without inlined functions and names that is its length. */
static guint64
cost_of_run (const WpRuns *runs, const WpStackNode *node, const guint64 *locations)
{
  guint64 cost = 0;

  if (locations == NULL)
    return node->n;
  for (guint32 i = 0; i < node->n; i++)
    cost += locations[wp_runs_get (runs, node->first + i)];
  return cost;
}

/* NULL: each location costs one. */
static guint64 *
cost_of_locations (const WpStacks *stacks, WpWrittenFrames written)
{
  const WpFrames *frames = stacks->frames;
  guint64 *costs = g_new0 (guint64, frames->locations.len);
  gboolean all_one = TRUE;

  for (WpId i = 1; i < frames->locations.len; i++)
    {
      costs[i] = written == WP_EACH_STACK_WHOLE ? 1 : cost_of (stacks, &frames->locations.data[i], written == WP_EACH_SAMPLE_NAMED);
      all_one = all_one && costs[i] == 1;
    }
  if (all_one)
    g_clear_pointer (&costs, g_free);
  return costs;
}

static guint64
cost_of_all (const WpStacks *stacks, WpWrittenFrames written)
{
  const WpFrames *frames = stacks->frames;
  g_autofree guint64 *locations = cost_of_locations (stacks, written), *nodes = g_new0 (guint64, frames->nodes.len);
  guint64 all = 0;

  for (WpId node = 1; node < frames->nodes.len; node++)
    {
      const WpStackNode *row = &frames->nodes.data[node];

      nodes[node] = (written == WP_EACH_STACK ? 0 : nodes[row->prefix]) + cost_of_run (&frames->runs, row, locations);
      all += written == WP_EACH_STACK ? nodes[node] : 0;
    }
  for (guint32 i = 0; i < stacks->n_samples && written != WP_EACH_STACK; i++)
    {
      WpId stack = stacks->sample_stacks.data[i];

      all += nodes[stack];
      if (written == WP_EACH_STACK_WHOLE)
        nodes[stack] = 0;
    }
  return all;
}

gboolean
wp_stacks_check_proportion (const WpStacks *stacks, WpWrittenFrames written, GError **error)
{
  const WpFrames *frames = stacks->frames;
  guint64 things = stacks->n_samples + frames->runs.n + frames->lines.len + (guint64) frames->nodes.len;
  guint64 all = cost_of_all (stacks, written), most = (written == WP_EACH_SAMPLE_NAMED ? BYTES_ALWAYS : FRAMES_ALWAYS) + EACH * things;
  g_autofree char *size = g_format_size (all);

  if (all <= most)
    return TRUE;
  if (written == WP_EACH_SAMPLE_NAMED)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                 "the stacks of all samples would be %s of names, out of all proportion; a filter like --focus leaves fewer", size);
  else
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                 "its stacks have %" G_GUINT64_FORMAT " frames in all, out of all proportion; a filter like --focus leaves fewer", all);
  return FALSE;
}
