#include "stacks/lines.h"

#include "base/pair-map.h"
#include "base/search.h"
#include "base/sort.h"
#include "stacks/pattern.h"

#define MARGIN 5 /* lines before the first one with a value, and behind the last one */

/* --- which functions ------------------------------------------------------------------------------------------------ */

static gboolean
is_wanted (const WpStacks *stacks, const WpRoutineOptions *options, WpId name)
{
  g_autofree char *changed = NULL;
  const char *bytes;
  gsize n;

  if (options->name != NULL)
    return g_str_equal (wp_stacks_shown (stacks, name, &changed), options->name);
  bytes = wp_strings_bytes (stacks->strings, name, &n);
  return wp_pattern_matches (options->pattern, bytes, n);
}

/* Asked once for each name. */
guint8 *
wp_routine_functions (const WpStacks *stacks, const WpRoutineOptions *options)
{
  const WpFrames *frames = stacks->frames;
  guint8 *found = g_new0 (guint8, frames->functions.len + 1);
  g_autofree guint8 *asked = g_new0 (guint8, wp_strings_count (stacks->strings)); /* 1: no, 2: yes */

  for (WpId i = 1; i < frames->functions.len; i++)
    {
      WpId name = frames->functions.data[i].name;

      if (name != 0 && asked[name] == 0)
        asked[name] = is_wanted (stacks, options, name) ? 2 : 1;
      found[i] = asked[name] == 2;
    }
  return found;
}

static void
add (WpGraphValue *value, WpGraphValue more)
{
  value->sum = wp_sum (value->sum, more.sum);
  value->divisor = wp_sum (value->divisor, more.divisor);
}

static WpGraph *
new_graph (const WpStacks *stacks, const WpRoutineOptions *options, WpFramesBy by, WpProgress *progress, GError **error)
{
  const WpGraphOptions graph = { .frames = { .by = by, .without_inlined = options->without_inlined || by == WP_FRAMES_BY_ADDRESS },
                                 .type = options->type,
                                 .mean = options->mean };

  return wp_graph_new (stacks, &graph, progress, error);
}

/* --- lines ---------------------------------------------------------------------------------------------------------- */

static int
compare_routines (gconstpointer a, gconstpointer b, gpointer data)
{
  const WpStacks *stacks = data;
  const WpRoutine *x = a, *y = b;
  int by_name = wp_strings_compare (stacks->strings, x->name, y->name);

  return by_name != 0 ? by_name : wp_strings_compare (stacks->strings, x->file, y->file);
}

static void
add_routines (WpRoutines *self, const WpStacks *stacks, const WpGraph *graph, const guint8 *wanted)
{
  for (guint32 i = 0; i < graph->nodes.len; i++)
    {
      const WpGraphNode *node = &graph->nodes.data[i];
      const WpStackFunction *function = &stacks->frames->functions.data[node->frame->function];

      if (wanted[node->frame->function])
        wp_array_push (&self->routines, ((WpRoutine) { .name = function->name, .file = function->file, .flat = node->flat, .cum = node->cum }));
    }
  if (self->routines.len > 1)
    g_qsort_with_data (self->routines.data, (int) self->routines.len, sizeof *self->routines.data, compare_routines, (gpointer) stacks);
}

/* The routine of a function, or NULL. */
static WpRoutine *
routine_of (WpRoutines *self, const WpPairMap *places, const WpStackFunction *function)
{
  guint32 place = wp_pair_map_get (places, function->name, function->file);

  return place != 0 ? &self->routines.data[place - 1] : NULL;
}

static void
add_lines (WpRoutines *self, const WpStacks *stacks, const WpGraph *graph, const WpPairMap *places)
{
  for (guint32 i = 0; i < graph->nodes.len; i++)
    {
      const WpGraphNode *node = &graph->nodes.data[i];
      WpRoutine *routine = routine_of (self, places, &stacks->frames->functions.data[node->frame->function]);

      if (routine != NULL)
        wp_array_push (&routine->lines, ((WpLineValue) { node->frame->line, node->flat, node->cum }));
    }
}

/* Where the first of the functions with that name begins in that file. */
static void
find_starts (WpRoutines *self, const WpFrames *frames, const WpPairMap *places)
{
  for (WpId i = 1; i < frames->functions.len; i++)
    {
      const WpStackFunction *function = &frames->functions.data[i];
      WpRoutine *routine = routine_of (self, places, function);

      if (routine != NULL && function->start_line > 0 && (routine->start == 0 || function->start_line < routine->start))
        routine->start = function->start_line;
    }
}

WP_DEFINE_COMPARE (compare_lines, WpLineValue, line)

static void
find_range (WpRoutine *self)
{
  const WpLineValue *first = self->lines.data, *last = first + self->lines.len - 1;

  while (first < last && first->line <= 0)
    first++;
  if (first->line > 0 && (self->start == 0 || self->start > first->line))
    self->start = first->line - MARGIN;
  self->start = MAX (self->start, 1);
  self->end = MAX (last->line, self->start);
  self->end += MIN (MARGIN, G_MAXINT64 - self->end);
}

WpRoutines *
wp_routines_new (const WpStacks *stacks, const WpRoutineOptions *options, WpProgress *progress, GError **error)
{
  g_autofree guint8 *wanted = wp_routine_functions (stacks, options);
  g_autoptr (WpRoutines) self = g_new0 (WpRoutines, 1);
  g_autoptr (WpGraph) functions = new_graph (stacks, options, WP_FRAMES_BY_FILE_FUNCTION, progress, error);
  g_autoptr (WpGraph) lines = functions != NULL ? new_graph (stacks, options, WP_FRAMES_BY_LINE, progress, error) : NULL;
  WpPairMap places = { 0 }; /* name and file → one more than the routine */

  if (lines == NULL)
    return NULL;
  self->total = functions->total;
  add_routines (self, stacks, functions, wanted);
  for (guint32 i = 0; i < self->routines.len; i++)
    *wp_pair_map_at (&places, self->routines.data[i].name, self->routines.data[i].file) = i + 1;
  add_lines (self, stacks, lines, &places);
  find_starts (self, stacks->frames, &places);
  for (guint32 i = 0; i < self->routines.len; i++)
    {
      wp_array_sort (&self->routines.data[i].lines, compare_lines);
      find_range (&self->routines.data[i]);
    }
  wp_pair_map_clear (&places);
  return g_steal_pointer (&self);
}

void
wp_routines_free (WpRoutines *self)
{
  for (guint32 i = 0; i < self->routines.len; i++)
    wp_array_clear (&self->routines.data[i].lines);
  wp_array_clear (&self->routines);
  g_free (self);
}

const WpLineValue *
wp_routine_line (const WpRoutine *self, gint64 line)
{
  guint32 behind = WP_SEARCH (0, self->lines.len, i, self->lines.data[i].line <= line);

  return behind > 0 && self->lines.data[behind - 1].line == line ? &self->lines.data[behind - 1] : NULL;
}

/* --- addresses ------------------------------------------------------------------------------------------------------ */

WP_DEFINE_COMPARE_2 (compare_addresses, WpAddressValue, module, address)

static gboolean
has_wanted (const WpFrames *frames, WpId location, const guint8 *wanted)
{
  const WpLocation *row = &frames->locations.data[location];

  for (guint32 l = 0; l < row->n_lines; l++)
    if (wanted[frames->lines.data[row->first_line + l].function])
      return TRUE;
  return FALSE;
}

/* What several names have had at one address is one. */
static void
join_addresses (WpAddressValues *values)
{
  guint32 n = 0;

  wp_array_sort (values, compare_addresses);
  for (guint32 i = 0; i < values->len; i++)
    {
      WpAddressValue *last = n > 0 ? &values->data[n - 1] : NULL;

      if (last == NULL || compare_addresses (last, &values->data[i]) != 0)
        {
          values->data[n++] = values->data[i];
          continue;
        }
      add (&last->flat, values->data[i].flat);
      add (&last->cum, values->data[i].cum);
    }
  values->len = n;
}

gboolean
wp_address_values (const WpStacks *stacks, const WpRoutineOptions *options, WpAddressValues *values, WpProgress *progress, GError **error)
{
  const WpFrames *frames = stacks->frames;
  g_autofree guint8 *wanted = wp_routine_functions (stacks, options);
  g_autoptr (WpGraph) graph = new_graph (stacks, options, WP_FRAMES_BY_ADDRESS, progress, error);

  if (graph == NULL)
    return FALSE;
  for (guint32 i = 0; i < graph->nodes.len; i++)
    {
      const WpGraphNode *node = &graph->nodes.data[i];
      const WpLocation *location = &frames->locations.data[node->frame->location];

      if (location->address != 0 && has_wanted (frames, node->frame->location, wanted))
        wp_array_push (values, ((WpAddressValue) { location->module, location->address, node->flat, node->cum }));
    }
  join_addresses (values);
  return TRUE;
}
