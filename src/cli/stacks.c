#include "cli/stacks.h"

#include "cli/output.h"

#include "stacks/formats.h"
#include "stacks/merge.h"

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
    self->stacks = wp_filter_apply (&steps, whole, NULL, error);
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
open_files (char **files, guint n, GError **error)
{
  g_autoptr (GPtrArray) profiles = g_ptr_array_new_with_free_func ((GDestroyNotify) wp_stacks_unref);

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GError) wrong = NULL;
      WpStacks *stacks = wp_stacks_open (files[i], NULL, NULL, &wrong);

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
subtract (WpCliStacks *self, const WpCliStacksOptions *options, GError **error)
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
  base = wp_stacks_open (file, NULL, NULL, error);
  if (base != NULL)
    self->stacks = wp_stacks_subtract (whole, base, options->base != NULL ? WP_DIFFERENCE_PLAIN : WP_DIFFERENCE_OF_BASE, options->normalize, NULL,
                                       error);
  return self->stacks != NULL;
}

int
wp_cli_stacks_open (WpCliStacks *self, const WpCliStacksOptions *options, char **files, guint n)
{
  GError *error = NULL;

  *self = (WpCliStacks) { .stacks = open_files (files, n, &error) };
  if (self->stacks != NULL && subtract (self, options, &error) && drop_frames (self, &error) && find_type (self, options, &error) && filter (self, options, &error))
    return 0;
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
  const WpGraphOptions graph_options = { .frames = wp_cli_stacks_frames (options), .type = self->type, .mean = options->mean };
  WpTrimOptions trim = { .node_fraction = NODE_FRACTION, .drop_negative = options->drop_negative, .order = options->cum ? WP_ORDER_CUM : WP_ORDER_FLAT, .most = (guint32) MAX (options->most, 0) };
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

void
wp_cli_stacks_put_type (const WpCliStacks *self, const WpCliStacksOptions *options, GString *out)
{
  g_string_append_printf (out, "Type: %s%s\n", options->mean ? "mean_" : "", wp_stacks_text (self->stacks, self->stacks->types.data[self->type].type));
}
