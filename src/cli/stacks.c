#include "cli/stacks.h"

#include "cli/output.h"
#include "paths/stacks.h"
#include "stacks/formats.h"
#include "stacks/merge.h"
#include "stacks/stack-tree.h"
#include "workspace/stacks/open-stacks.h"

#include <unistd.h>

#define NODE_FRACTION 0.005

/* Steps of options are done in the order of their kinds, others behind them. */
static gboolean
make_filter (const WpCliStacksOptions *options, WpFilter *filter, GError **error)
{
  for (guint k = 0; k < WP_FILTER_KIND_COUNT; k++)
    if (options->steps[k] != NULL)
      wp_filter_add (filter, k, options->steps[k]);
  return options->filter == NULL || wp_filter_parse (filter, options->filter, error);
}

static gboolean
find_type (WpCliStacks *self, const WpCliStacksOptions *options, GError **error)
{
  int found = (int) wp_stacks_default_type (self->stacks);

  if (options->sample_index != NULL)
    found = wp_stacks_find_type (self->stacks, options->sample_index, error);
  self->type = (guint32) found;
  return found >= 0;
}

/* Shares are of all samples, also of those that the filter takes away. */
static gboolean
filter (WpCliStacks *self, const WpCliStacksOptions *options, GError **error)
{
  g_autoptr (WpStacks) whole = self->stacks;
  WpFilter steps = { 0 };

  self->stacks = NULL;
  if (make_filter (options, &steps, error))
    self->stacks = wp_filter_apply_in (&steps, whole, options->unit != NULL ? options->unit : "auto", NULL, error);
  wp_filter_clear (&steps);
  if (self->stacks == NULL)
    return FALSE;
  self->unit = wp_stacks_text (self->stacks, self->stacks->types.data[self->type].unit);
  self->total = wp_stacks_total (options->relative ? self->stacks : whole, self->type, options->mean);
  return TRUE;
}

static gboolean
drop_frames (WpCliStacks *self, GError **error)
{
  g_autoptr (WpStacks) whole = self->stacks;

  self->stacks = wp_stacks_drop_frames (whole, NULL, error);
  return self->stacks != NULL;
}

/* A single file stays as it is. Of several those that cannot be read are said, and left out. */
static WpStacks *
open_files (char **files, guint n, const char *task, const WpDepthChoice *depth, GError **error)
{
  g_autoptr (GPtrArray) profiles = g_ptr_array_new_with_free_func ((GDestroyNotify) wp_stacks_unref);

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GError) wrong = NULL;
      WpStacks *stacks = wp_open_stacks (files[i], task, depth, NULL, &wrong);

      if (stacks != NULL)
        g_ptr_array_add (profiles, stacks);
      else if (i + 1 == n && profiles->len == 0)
        {
          g_propagate_error (error, g_steal_pointer (&wrong));
          return NULL;
        }
      else
        g_printerr ("wakepath-cli: %s; it is left out\n", wrong->message);
    }
  n = profiles->len;
  return n == 1 ? wp_stacks_ref (profiles->pdata[0]) : wp_stacks_merge ((WpStacks **) profiles->pdata, n, NULL, error);
}

static gboolean
subtract (WpCliStacks *self, const WpCliStacksOptions *options, const WpDepthChoice *depth, GError **error)
{
  char *file = options->base != NULL ? options->base : options->diff_base;
  g_autoptr (WpStacks) whole = self->stacks;
  g_autoptr (WpStacks) base = NULL;

  if (file == NULL)
    {
      whole = NULL;
      return TRUE;
    }
  self->stacks = NULL;
  base = wp_open_stacks (file, options->task, depth, NULL, error);
  if (base != NULL)
    self->stacks = wp_stacks_subtract (whole, base, options->base != NULL ? WP_DIFFERENCE_PLAIN : WP_DIFFERENCE_OF_BASE, options->normalize, NULL,
                                       error);
  return self->stacks != NULL;
}

int
wp_cli_stacks_take (WpCliStacks *self, const WpCliStacksOptions *options, WpStacks *stacks)
{
  GError *error = NULL;

  *self = (WpCliStacks) { .stacks = stacks };
  if (drop_frames (self, &error) && find_type (self, options, &error) && filter (self, options, &error))
    return 0;
  wp_cli_stacks_close (self);
  return wp_cli_fail (error);
}

gboolean
wp_cli_stacks_filters (const WpCliStacksOptions *options)
{
  gboolean any = options->filter != NULL || options->sample_index != NULL;

  for (guint k = 0; k < WP_FILTER_KIND_COUNT; k++)
    any |= options->steps[k] != NULL;
  return any;
}

gboolean
wp_cli_stacks_filter_text (const WpCliStacksOptions *options, char **text)
{
  WpFilter steps = { 0 };
  GError *error = NULL;
  gboolean made = make_filter (options, &steps, &error);

  *text = made && steps.len > 0 ? wp_filter_text (&steps) : NULL;
  wp_filter_clear (&steps);
  if (!made)
    wp_cli_fail (error);
  return made;
}

int
wp_cli_stacks_open (WpCliStacks *self, const WpCliStacksOptions *options, char **files, guint n)
{
  g_auto (WpHideRules) hide = { 0 };
  WpDepthChoice choice;
  const WpDepthChoice *depth = wp_cli_depth_given (&options->explained) ? &choice : NULL;
  int status = wp_cli_depth_choose (&options->explained, &hide, &choice);
  GError *error = NULL;

  *self = (WpCliStacks) { 0 };
  if (status != 0)
    return status;
  self->stacks = open_files (files, n, options->task, depth, &error);
  if (self->stacks != NULL && subtract (self, options, depth, &error))
    return wp_cli_stacks_take (self, options, self->stacks);
  wp_cli_stacks_close (self);
  return wp_cli_fail (error);
}

void
wp_cli_stacks_close (WpCliStacks *self)
{
  g_clear_pointer (&self->stacks, wp_stacks_unref);
}

static WpFramesBy
by_named (const char *id)
{
  WpFramesBy by = 0;

  while (by + 1 < WP_FRAMES_BY_COUNT && id != NULL && !g_str_equal (wp_frames_by_id (by), id))
    by++;
  return by;
}

WpFrameNameOptions
wp_cli_stacks_frames (const WpCliStacksOptions *options)
{
  return (WpFrameNameOptions) { .by = by_named (options->by), .columns = options->columns, .without_inlined = options->without_inlined };
}

int
wp_cli_stacks_graph (const WpCliStacks *self, const WpCliStacksOptions *options, WpGraph **graph, WpTrimmed *trimmed)
{
  const WpGraphOptions graph_options = { .frames = wp_cli_stacks_frames (options), .type = self->type, .mean = options->mean, .calls = TRUE };
  WpTrimOptions trim = { .node_fraction = NODE_FRACTION, .drop_negative = options->drop_negative,
                         .order = options->cum ? WP_ORDER_CUM : WP_ORDER_FLAT, .most = (guint32) MAX (options->most, 0) };
  GError *error = NULL;
  char *end = NULL;

  if (options->node_fraction != NULL)
    trim.node_fraction = g_ascii_strtod (options->node_fraction, &end);
  if (end != NULL && (*end != '\0' || end == options->node_fraction))
    return wp_cli_usage ("“%s” is no number", options->node_fraction);
  *graph = wp_graph_new (self->stacks, &graph_options, NULL, &error);
  if (*graph == NULL)
    return wp_cli_fail (error);
  (*graph)->total = self->total;
  wp_graph_trim (*graph, &trim, self->unit, options->unit, trimmed);
  return 0;
}

WpTree *
wp_cli_stacks_tree (const WpCliStacks *self, const WpCliStacksOptions *options, gboolean inverted, gboolean collapse_recursion, gboolean exact,
                    GError **error)
{
  const WpTreeOptions of_explained = { .inverted = inverted, .collapse_recursion = collapse_recursion };
  const WpStackTreeOptions of_others = { .type = self->type, .inverted = inverted, .collapse_recursion = collapse_recursion, .exact = exact };
  const WpFrameNameOptions by_function = { .by = WP_FRAMES_BY_FUNCTION };
  g_autoptr (WpFrameNames) names = NULL;

  if (wp_stacks_are_explained (self->stacks))
    return wp_tree_of_stacks (self->stacks, options->sample_index != NULL ? (int) self->type : WP_TREE_BOTH_TYPES, &of_explained, NULL, error);
  names = wp_frame_names_new (self->stacks, &by_function);
  return wp_stack_tree_new (self->stacks, names, &of_others, NULL, error);
}

void
wp_cli_stacks_put_type (const WpCliStacks *self, const WpCliStacksOptions *options, GString *out)
{
  g_string_append_printf (out, "Type: %s%s\n", options->mean ? "mean_" : "", wp_stacks_text (self->stacks, self->stacks->types.data[self->type].type));
}

int
wp_cli_stacks_write (const WpStacks *stacks, const char *to, const char *output)
{
  const WpStacksFormat *format = wp_stacks_format_named (to != NULL ? to : "pprof");
  GError *error = NULL;
  gboolean done;

  if (output != NULL)
    done = wp_stacks_save (stacks, format, output, NULL, &error);
  else
    {
      done = wp_stacks_write (stacks, format, STDOUT_FILENO, NULL, &error);
      g_prefix_error (&error, "standard output cannot be written: ");
    }
  return done ? 0 : wp_cli_fail (error);
}
