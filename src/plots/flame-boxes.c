/* Flame graph as rows of boxes, and what a box says. */
#include "plots/plots-private.h"

#include "base/pair-map.h"
#include "stacks/maker.h"
#include "stacks/stack-tree.h"
#include "view/layout.h"

#include <math.h>

/* --- flame graph ------------------------------------------------------------------------------------------------------- */

/* Amounts that are no whole numbers, as normalized ones, are widths all the same: this many to one. */
#define FINE 1e6
#define AMOUNT_MOST 1e15 /* as a width */

typedef struct
{
  const WpPlots *plots;
  WpStacksMaker maker;
  WpPairMap locations; /* frame (WpValue) → location */
  WpIdArray stack;     /* locations, outermost first */
  double scale;
} TraceStacks;

/* "main test.c:45": what tells the frames of a trace apart. */
static void
append_frame (const WpValues *values, WpValue frame, GString *name)
{
  WpValue function = wp_value_get (values, frame, "function"), source = wp_value_get (values, frame, "source");
  WpValue line = wp_value_get (values, frame, "line");

  function = function != 0 ? function : wp_value_get (values, frame, "func");
  wp_value_str (values, function != 0 ? function : frame, name);
  if (*wp_value_string (values, source) == '/')
    {
      g_autofree char *file = g_path_get_basename (wp_value_string (values, source));

      g_string_append_printf (name, "  %s:", file);
      wp_value_str (values, line, name);
    }
}

/* Newer programs write traces outermost first. */
static gboolean
is_newer (const WpValues *values, WpValue trace)
{
  return wp_value_count (values, trace) > 0 && wp_value_get (values, wp_value_item (values, trace, 0), "func") != 0;
}

void
wp_plot_append_trace (const WpPlots *self, WpValue trace, GString *text)
{
  const WpValues *values = self->profile->values;
  guint32 n = wp_value_count (values, trace);

  for (guint32 i = 0; i < n; i++)
    {
      if (text->len > 0)
        g_string_append_c (text, '\n');
      append_frame (values, wp_value_item (values, trace, is_newer (values, trace) ? n - 1 - i : i), text);
    }
}

static WpId
location_of (TraceStacks *t, WpValue frame)
{
  WpFrames *frames = t->maker.stacks->frames;
  WpId *known = wp_pair_map_at (&t->locations, frame, 0);
  g_autoptr (GString) name = NULL;

  if (*known == 0)
    {
      name = g_string_new (NULL);
      append_frame (t->plots->profile->values, frame, name);
      wp_array_push (&frames->functions, ((WpStackFunction) { .name = wp_strings_intern (t->maker.stacks->strings, name->len > 0 ? name->str : "?") }));
      wp_array_push (&frames->lines, ((WpStackLine) { .function = frames->functions.len - 1 }));
      wp_array_push (&frames->locations, ((WpLocation) { .first_line = frames->lines.len - 1, .n_lines = 1 }));
      *known = frames->locations.len - 1;
    }
  return *known;
}

/* Newer programs leave the innermost frame to the uid. */
static void
find_stack (TraceStacks *t, guint32 resource)
{
  const WpProfile *p = t->plots->profile;
  WpValue trace = wp_profile_trace (p, resource);
  guint32 n = wp_value_count (p->values, trace);
  gboolean newer = is_newer (p->values, trace);

  t->stack.len = 0;
  for (guint32 i = 0; i < n; i++)
    wp_array_push (&t->stack, location_of (t, wp_value_item (p->values, trace, newer ? i : n - 1 - i)));
  if (newer)
    wp_array_push (&t->stack, location_of (t, wp_profile_field (p, resource, "uid")));
}

static void
add_trace (TraceStacks *t, guint32 resource)
{
  double amount = wp_plot_amount (t->plots, resource) * t->scale;
  gint64 width = amount > 0 ? (gint64) llround (MIN (amount, AMOUNT_MOST)) : 0;

  if (width == 0 || wp_plot_frees (t->plots, resource))
    return;
  find_stack (t, resource);
  if (t->stack.len > 0)
    wp_stacks_maker_whole_sample (&t->maker, t->stack.data, t->stack.len, &width);
}

/* How many widths one of the unit is: more than one where amounts have fractions, and none is so large that it would be cut. */
static double
scale_of (const WpPlots *self)
{
  gboolean fractions = FALSE;
  double largest = 0;

  if (self->unit != WP_UNIT_PLAIN)
    return 1;
  for (guint32 i = 0; i < self->profile->resources.len; i++)
    {
      double amount = wp_plot_amount (self, i);

      if (!isfinite (amount)) /* it has none */
        continue;
      fractions |= amount != floor (amount);
      largest = MAX (largest, amount);
    }
  return fractions && largest * FINE <= AMOUNT_MOST ? FINE : 1;
}

/* What has a trace, as stacks. NULL when cancelled. */
static WpStacks *
trace_stacks (const WpPlots *plots, double scale, WpProgress *progress, GError **error)
{
  TraceStacks t = { .plots = plots, .scale = scale };
  guint32 i, n = plots->profile->resources.len;
  WpStacks *stacks = NULL;

  wp_stacks_maker_init (&t.maker);
  wp_stacks_maker_type (&t.maker, wp_strings_intern (t.maker.stacks->strings, "amount"), 0);
  for (i = 0; i < n && wp_progress_step (progress, (double) i / n, error); i++)
    add_trace (&t, i);
  if (i == n)
    stacks = wp_stacks_maker_take (&t.maker);
  wp_stacks_maker_clear (&t.maker);
  wp_pair_map_clear (&t.locations);
  wp_array_clear (&t.stack);
  return stacks;
}

gboolean
wp_plot_flame (WpPlots *self, const WpPlotOptions *options, WpPlotPicture *picture, WpProgress *progress, GError **error)
{
  double scale = scale_of (self);
  g_autoptr (WpStacks) stacks = trace_stacks (self, scale, progress, error);
  g_autoptr (WpFrameNames) names = stacks != NULL ? wp_frame_names_new (stacks, &(WpFrameNameOptions) { .by = WP_FRAMES_BY_FUNCTION }) : NULL;
  WpStackTreeOptions tree_options = { .inverted = options->inverted };
  g_autoptr (WpTree) tree = stacks != NULL ? wp_stack_tree_new (stacks, names, &tree_options, progress, error) : NULL;

  if (tree == NULL)
    return FALSE;
  picture->rows = wp_layout_tree (tree, options->icicle, NULL);
  picture->rows->x_unit = self->unit;
  picture->rows->scale = scale;
  picture->rows->plain = TRUE;
  return TRUE;
}

/* --- tooltips -------------------------------------------------------------------------------------------------------------- */

char *
wp_plot_describe_box (const WpRows *rows, const WpPlotNotes *notes, guint32 box, guint frames)
{
  const WpBox *b = &rows->boxes.data[box];
  double scale = rows->scale > 0 ? rows->scale : 1, width = (double) (b->end - b->start) / scale;
  char a[WP_FORMAT_MAX], c[WP_FORMAT_MAX];

  if (rows->x_unit == WP_UNIT_ADDRESS)
    return wp_plot_describe_allocation (rows, notes, b, frames);
  return g_strdup_printf ("%s\n%s · %s", wp_rows_string (rows, b->label), wp_unit_format (rows->x_unit, width, a),
                          wp_format_share ((double) (b->end - b->start) / (double) MAX (rows->end - rows->start, 1), c));
}
