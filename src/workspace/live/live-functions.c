#include "workspace/live/live-functions.h"

#include <glib/gi18n.h>

#include "base/sort.h"
#include "paths/stacks.h"
#include "stacks/graph.h"
#include "stacks/measure.h"
#include "workspace/live/live-reading.h"

/* A function, of each time. */
typedef struct
{
  gint64 own[WP_TIME_COUNT], total;
  const WpFrameName *frame;
} Function;

typedef WP_ARRAY (Function) FunctionArray;

static void
set_time (WpGrid *grid, guint32 column, guint32 row, gint64 ns)
{
  g_autofree char *text = wp_measure_words (ns, "ns");

  wp_grid_set_number (grid, column, row, (double) ns, text);
}

static void
set_module (WpGrid *grid, guint32 row, const WpStacks *stacks, const WpFrameName *frame)
{
  const WpLocation *location = &stacks->frames->locations.data[frame->location];
  g_autofree char *changed = NULL;
  const char *path = wp_stacks_shown (stacks, stacks->frames->modules.data[location->module].file, &changed);
  const char *slash = strrchr (path, '/');

  wp_grid_set_text (grid, WP_LIVE_MODULE, row, slash != NULL && slash[1] != '\0' ? slash + 1 : path);
}

static void
fill_row (WpGrid *grid, guint32 row, const WpStacks *stacks, const Function *function, gint64 whole)
{
  char text[WP_FORMAT_MAX];

  wp_grid_set_text (grid, WP_LIVE_NAME, row, function->frame->name);
  set_time (grid, WP_LIVE_RUNNING, row, function->own[WP_TIME_RUNNING]);
  set_time (grid, WP_LIVE_WAITING, row, function->own[WP_TIME_WAITING]);
  set_time (grid, WP_LIVE_TOTAL, row, function->total);
  wp_grid_set_number (grid, WP_LIVE_SHARE, row, whole > 0 ? (double) function->total / (double) whole : 0,
                      wp_measure_share_words (function->total, whole, text));
  set_module (grid, row, stacks, function->frame);
}

/* Graphs of the same stacks have the same names; each leaves out those that it has no time of. */
static void
add_times (FunctionArray *functions, const WpGraph *graph, guint time)
{
  for (guint32 i = 0; i < graph->nodes.len; i++)
    {
      const WpGraphNode *node = &graph->nodes.data[i];
      Function *function = &functions->data[node->frame - graph->names->names.data];

      function->frame = node->frame;
      function->own[time] = node->flat.sum;
      function->total += node->cum.sum;
    }
}

static int
compare_functions (gconstpointer a, gconstpointer b)
{
  const Function *one = a, *other = b;

  return one->total != other->total ? (one->total < other->total ? 1 : -1) : strcmp (one->frame->name, other->frame->name);
}

static WpGrid *
list_functions (const WpStacks *stacks, WpGraph *const graphs[WP_TIME_COUNT])
{
  static const char *const names[WP_LIVE_N_COLUMNS] = {
    [WP_LIVE_NAME] = N_("Function"), [WP_LIVE_RUNNING] = N_("Running"), [WP_LIVE_WAITING] = N_("Waiting"),
    [WP_LIVE_TOTAL] = N_("Total"), [WP_LIVE_SHARE] = N_("Total %"), [WP_LIVE_MODULE] = N_("Module"),
  };
  FunctionArray functions = { 0 };
  gint64 whole = 0;
  guint32 n = 0;
  WpGrid *grid;

  wp_array_resize (&functions, graphs[0]->names->names.len);
  for (guint t = 0; t < WP_TIME_COUNT; t++)
    {
      add_times (&functions, graphs[t], t);
      whole += graphs[t]->total;
    }
  for (guint32 i = 0; i < functions.len; i++)
    if (functions.data[i].frame != NULL)
      functions.data[n++] = functions.data[i];
  functions.len = n;
  wp_array_sort (&functions, compare_functions);
  grid = wp_grid_new (n);
  for (guint c = 0; c < WP_LIVE_N_COLUMNS; c++)
    wp_grid_add (grid, _(names[c]));
  grid->columns.data[WP_LIVE_SHARE].shown = WP_GRID_SHARE;
  for (guint32 row = 0; row < n; row++)
    fill_row (grid, row, stacks, &functions.data[row], whole);
  wp_array_clear (&functions);
  return grid;
}

WpGrid *
wp_live_functions (const WpPaths *paths, const WpExplanation *explanation, WpProgress *progress, GError **error)
{
  WpStacks *stacks = wp_paths_stacks (paths, explanation, (WpDepthChoice) { 0 }, progress, error);
  WpGraph *graphs[WP_TIME_COUNT] = { NULL };
  WpGrid *grid = NULL;
  gboolean done = stacks != NULL;

  for (guint t = 0; done && t < WP_TIME_COUNT; t++)
    {
      graphs[t] = wp_graph_new (stacks, &(WpGraphOptions) { .type = t }, progress, error);
      done = graphs[t] != NULL;
    }
  if (done)
    grid = list_functions (stacks, graphs);
  for (guint t = 0; t < WP_TIME_COUNT; t++)
    g_clear_pointer (&graphs[t], wp_graph_free);
  g_clear_pointer (&stacks, wp_stacks_unref);
  return grid;
}
