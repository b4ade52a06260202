#include "workspace/stacks/stacks-views.h"

#include <glib/gi18n.h>

#include "stacks/in-time.h"
#include "stacks/measure.h"
#include "stacks/sums.h"
#include "view/layout.h"
#include "workspace/file/boxes.h"

struct WpStacksRequest
{
  WpShared *stacks;
  WpFilter filter;
  WpStacksChoice choice;
};

WpStacksRequest *
wp_stacks_request_new (WpShared *stacks, const WpFilter *filter, const WpStacksChoice *choice)
{
  WpStacksRequest *self = g_new0 (WpStacksRequest, 1);

  self->stacks = wp_shared_ref (stacks);
  self->choice = *choice;
  for (guint32 i = 0; i < filter->len; i++)
    wp_filter_add (&self->filter, filter->data[i].kind, filter->data[i].pattern);
  return self;
}

void
wp_stacks_request_free (gpointer request)
{
  WpStacksRequest *self = request;

  wp_shared_unref (self->stacks);
  wp_filter_clear (&self->filter);
  g_free (self);
}

void
wp_stacks_views_free (WpStacksViews *self)
{
  wp_shared_unref (self->rows);
  wp_shared_unref (self->functions);
  wp_shared_unref (self->timeline);
  g_free (self->no_timeline);
  g_free (self->filter);
  g_clear_pointer (&self->graph, wp_graph_free);
  g_clear_pointer (&self->tree, wp_tree_free);
  g_clear_pointer (&self->stacks, wp_stacks_unref);
  g_free (self);
}

WpShared *
wp_stacks_views_share (const WpStacksViews *self)
{
  return wp_shared_new (wp_stacks_ref (self->stacks), (GDestroyNotify) wp_stacks_unref);
}

char *
wp_stacks_views_left (const WpStacksViews *self)
{
  g_autoptr (GString) text = g_string_new (self->filter);

  if (self->stacks->moments.len > 0 && self->choice.to > self->choice.from)
    {
      g_autofree char *from = wp_measure_text (self->choice.from, "ns", "auto"), *to = wp_measure_text (self->choice.to, "ns", "auto");

      g_string_append_printf (text, "%sfrom %s to %s", text->len > 0 ? ", " : "", from, to);
    }
  return text->len > 0 ? g_strdup (text->str) : NULL;
}

/* --- the table of functions --------------------------------------------------------------------------------------- */

static void
set_value (const WpStacksViews *self, WpGrid *grid, guint32 column, guint32 row, WpGraphValue value)
{
  g_autofree char *text = wp_measure_words (wp_graph_value (value), self->unit);
  char share[WP_FORMAT_MAX];

  wp_grid_set_number (grid, column, row, (double) wp_graph_value (value), text);
  wp_grid_set_number (grid, column + 1, row, self->sum != 0 ? (double) value.sum / (double) self->sum : 0,
                      wp_measure_share_words (value.sum, self->sum, share));
}

static void
set_count (WpGrid *grid, guint32 row, guint32 n)
{
  char text[WP_FORMAT_MAX];

  g_snprintf (text, sizeof text, "%u", n);
  wp_grid_set_number (grid, WP_FUNCTIONS_SAMPLES, row, n, text);
}

static void
set_file (WpGrid *grid, guint32 column, guint32 row, const WpStacks *stacks, WpId file)
{
  g_autofree char *changed = NULL;
  const char *path = wp_stacks_shown (stacks, file, &changed), *slash = strrchr (path, '/');

  wp_grid_set_text (grid, column, row, slash != NULL && slash[1] != '\0' ? slash + 1 : path);
}

/* The same samples, each with the value 1. */
static WpStacks *
each_as_one (const WpStacks *stacks)
{
  WpStacks *self = wp_stacks_new_like (stacks, wp_frames_ref (stacks->frames));

  wp_stacks_take (self, stacks, NULL);
  for (guint32 i = 0; i < self->n_samples; i++)
    self->values[0].data[i] = 1;
  return self;
}

/* How many samples have each frame, by row of the graph's names. NULL where it was cancelled. */
static guint32 *
count_samples (const WpStacksViews *self, const WpGraphOptions *options, WpProgress *progress, GError **error)
{
  const WpGraphOptions first_type = { .frames = options->frames };
  g_autoptr (WpStacks) ones = each_as_one (self->stacks);
  g_autoptr (WpGraph) graph = wp_graph_new (ones, &first_type, progress, error);
  guint32 *counts = graph != NULL ? g_new0 (guint32, MAX (graph->names->names.len, 1)) : NULL;

  for (guint32 i = 0; graph != NULL && i < graph->nodes.len; i++)
    counts[graph->nodes.data[i].frame - graph->names->names.data] = (guint32) graph->nodes.data[i].cum.sum;
  return counts;
}

static WpGrid *
list_functions (const WpStacksViews *self, const guint32 *samples)
{
  static const char *const names[WP_FUNCTIONS_N_COLUMNS] = {
    [WP_FUNCTIONS_NAME] = N_("Function"), [WP_FUNCTIONS_SELF] = N_("Self"), [WP_FUNCTIONS_SELF_SHARE] = N_("Self %"), [WP_FUNCTIONS_TOTAL] = N_("Total"),
    [WP_FUNCTIONS_TOTAL_SHARE] = N_("Total %"), [WP_FUNCTIONS_SAMPLES] = N_("Samples"), [WP_FUNCTIONS_MODULE] = N_("Module"), [WP_FUNCTIONS_FILE] = N_("File"),
  };
  const WpStacks *stacks = self->stacks;
  WpGrid *grid = wp_grid_new (self->graph->nodes.len);

  for (guint c = 0; c < WP_FUNCTIONS_N_COLUMNS; c++)
    {
      guint32 column = wp_grid_add (grid, _(names[c]));

      if (c == WP_FUNCTIONS_SELF_SHARE || c == WP_FUNCTIONS_TOTAL_SHARE)
        grid->columns.data[column].shown = WP_GRID_SHARE;
    }
  for (guint32 i = 0; i < self->graph->nodes.len; i++)
    {
      const WpGraphNode *node = &self->graph->nodes.data[i];
      const WpLocation *location = &stacks->frames->locations.data[node->frame->location];

      wp_grid_set_text (grid, WP_FUNCTIONS_NAME, i, node->frame->name);
      set_value (self, grid, WP_FUNCTIONS_SELF, i, node->flat);
      set_value (self, grid, WP_FUNCTIONS_TOTAL, i, node->cum);
      set_count (grid, i, samples[node->frame - self->graph->names->names.data]);
      set_file (grid, WP_FUNCTIONS_MODULE, i, stacks, stacks->frames->modules.data[location->module].file);
      set_file (grid, WP_FUNCTIONS_FILE, i, stacks, stacks->frames->functions.data[node->frame->function].file);
    }
  return grid;
}

/* --- making ------------------------------------------------------------------------------------------------------- */

void
wp_stacks_set_unit (WpRows *rows, const char *unit)
{
  double factor;

  rows->x_unit = wp_measure_unit (unit, &factor);
  rows->scale = 1 / factor;
}

static gboolean
make_flame (WpStacksViews *self, WpProgress *progress, GError **error)
{
  const WpStackTreeOptions options
      = { .type = self->choice.type, .mean = self->choice.mean, .inverted = self->choice.inverted,
          .collapse_recursion = self->choice.collapse_recursion };
  WpRows *rows;

  wp_progress_phase (progress, "Gathering stacks");
  self->tree = wp_stack_tree_new (self->stacks, self->graph->names, &options, progress, error);
  if (self->tree == NULL)
    return FALSE;
  rows = wp_layout_tree (self->tree, self->choice.icicle, NULL);
  wp_stacks_set_unit (rows, self->unit);
  self->rows = wp_shared_new (rows, (GDestroyNotify) wp_rows_free);
  return TRUE;
}

/* Samples in the order of time. That they are too many leaves the other views standing. */
static gboolean
make_timeline (WpStacksViews *self, const WpFrameNameOptions *frames, WpProgress *progress, GError **error)
{
  g_autoptr (WpFrameNames) names = wp_frame_names_new (self->stacks, frames);
  g_autoptr (GError) wrong = NULL;
  WpRows *rows;

  wp_progress_phase (progress, "Ordering samples");
  rows = wp_layout_timeline (self->stacks, names, self->choice.type, progress, &wrong);
  if (rows != NULL)
    self->timeline = wp_shared_new (rows, (GDestroyNotify) wp_rows_free);
  else if (g_error_matches (wrong, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED))
    self->no_timeline = g_strdup (wrong->message);
  else
    g_propagate_error (error, g_steal_pointer (&wrong));
  return rows != NULL || self->no_timeline != NULL;
}

static WpStacks *
select_range (const WpStacks *stacks, gint64 from, gint64 to)
{
  WpStacks *self = wp_stacks_new_like (stacks, wp_frames_ref (stacks->frames));
  gint64 first = wp_stacks_first_moment (stacks);
  WpIdArray samples = { 0 };

  for (guint32 i = 0; i < stacks->n_samples; i++)
    {
      gint64 moment = wp_sum (stacks->moments.data[i], wp_negative (first));

      if (moment >= from && moment < to)
        wp_array_push (&samples, i);
    }
  wp_stacks_take (self, stacks, &samples);
  wp_array_clear (&samples);
  return self;
}

/* Names are those of all frames, whichever samples are left. */
static gboolean
make_views (WpStacksViews *self, const WpStacks *whole, WpProgress *progress, GError **error)
{
  const WpStacksChoice *choice = &self->choice;
  const WpGraphOptions options = { .frames = { .by = choice->by, .without_inlined = choice->without_inlined }, .type = choice->type,
                                   .mean = choice->mean };
  const gboolean have_moments = self->stacks->moments.len > 0, have_range = have_moments && choice->to > choice->from;
  g_autofree guint32 *samples = NULL;

  self->unit = wp_stacks_text (whole, whole->types.data[choice->type].unit);
  self->whole = wp_stacks_total (whole, choice->type, choice->mean);
  if (have_moments && choice->timeline && !make_timeline (self, &options.frames, progress, error))
    return FALSE;
  if (have_range)
    {
      g_autoptr (WpStacks) all = self->stacks;

      self->stacks = select_range (all, choice->from, choice->to);
    }
  self->total = wp_stacks_total (self->stacks, choice->type, choice->mean);
  self->sum = wp_stacks_total (self->stacks, choice->type, FALSE);
  wp_progress_phase (progress, "Counting functions");
  self->graph = wp_graph_new (self->stacks, &options, progress, error);
  samples = self->graph != NULL ? count_samples (self, &options, progress, error) : NULL;
  if (samples == NULL || !make_flame (self, progress, error))
    return FALSE;
  self->functions = wp_shared_new (list_functions (self, samples), (GDestroyNotify) wp_grid_free);
  return TRUE;
}

gpointer
wp_stacks_request_run (gpointer request, WpProgress *progress, GError **error)
{
  const WpStacksRequest *r = request;
  WpStacks *whole = wp_shared_get (r->stacks);
  WpStacksViews *self = g_new0 (WpStacksViews, 1);

  self->choice = r->choice;
  self->filter = wp_filter_text (&r->filter);
  wp_progress_phase (progress, "Filtering");
  self->stacks = wp_filter_apply (&r->filter, whole, progress, error);
  if (self->stacks == NULL || !make_views (self, whole, progress, error))
    {
      wp_stacks_views_free (self);
      return NULL;
    }
  return self;
}

/* --- what is said of a frame -------------------------------------------------------------------------------------- */

guint32
wp_stacks_views_frame (const WpStacksViews *self, const WpBox *box)
{
  return self->tree->nodes.data[box->ref].function - 1;
}

char *
wp_stacks_views_pattern (const WpStacksViews *self, guint32 frame)
{
  const WpFrameName *name = &self->graph->names->names.data[frame];
  const WpFrames *frames = self->stacks->frames;
  const WpStackFunction *function = &frames->functions.data[name->function];
  WpId text = self->choice.by == WP_FRAMES_BY_FILE ? function->file : function->name;
  g_autofree char *escaped = NULL;

  if (text == 0)
    text = frames->modules.data[frames->locations.data[name->location].module].file;
  if (text == 0)
    return NULL;
  escaped = g_regex_escape_string (wp_stacks_text (self->stacks, text), -1);
  return g_strdup_printf ("^%s$", escaped);
}

char *
wp_stacks_views_function (const WpStacksViews *self, guint32 frame)
{
  WpId function = self->graph->names->names.data[frame].function;

  return function != 0 ? wp_stacks_dup_shown (self->stacks, self->stacks->frames->functions.data[function].name) : NULL;
}

static void
append_value (const WpStacksViews *self, GString *text, const char *what, gint64 value)
{
  g_autofree char *shown = wp_measure_words (value, self->unit);
  char share[WP_FORMAT_MAX];

  g_string_append_printf (text, "%s %s (%s)", what, shown, wp_measure_share_words (value, self->sum, share));
}

/* Means, and the sum that the box is as wide as. */
static void
append_means (const WpStacksViews *self, GString *text, const WpNode *node)
{
  g_autofree char *own = wp_measure_words (wp_node_self (node), self->unit), *total = wp_measure_words (wp_node_total (node), self->unit);
  g_autofree char *sum = wp_measure_words (node->total, self->unit);
  char share[WP_FORMAT_MAX];

  /* Translators: means of a function, itself and with all that it called; the sum that its box is as wide as, and the share of that */
  g_string_append_printf (text, _("On average itself %s, with all it called %s\nAs wide as the sum, %s (%s)"), own, total, sum,
                          wp_measure_share_words (node->total, self->sum, share));
}

/* The module, and the file with the line that the function begins at; lines and addresses have theirs in their names. */
void
wp_stacks_views_append_place (const WpStacksViews *self, GString *text, guint32 frame)
{
  const WpFrameName *name = &self->graph->names->names.data[frame];
  const WpFrames *frames = self->stacks->frames;
  const WpStackFunction *function = &frames->functions.data[name->function];
  const WpId texts[] = { frames->modules.data[frames->locations.data[name->location].module].file, function->file };
  const char *between = "\n";

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autofree char *changed = NULL;

      if (texts[i] == 0)
        continue;
      g_string_append_printf (text, "%s%s", between, wp_stacks_shown (self->stacks, texts[i], &changed));
      between = " · ";
    }
  if (function->file != 0 && function->start_line > 0 && (self->choice.by == WP_FRAMES_BY_FUNCTION || self->choice.by == WP_FRAMES_BY_FILE_FUNCTION))
    g_string_append_printf (text, ":%" G_GINT64_FORMAT, function->start_line);
}

char *
wp_stacks_views_describe (const WpStacksViews *self, const WpBox *box)
{
  const WpNode *node = &self->tree->nodes.data[box->ref];
  GString *text = g_string_new (wp_strings_get (self->tree->strings, node->name));

  g_string_append_c (text, '\n');
  if (self->choice.mean)
    append_means (self, text, node);
  else
    {
      append_value (self, text, _("Self"), node->self);
      g_string_append (text, " · ");
      append_value (self, text, _("Total"), node->total);
    }
  if (node->function != 0)
    wp_stacks_views_append_place (self, text, node->function - 1);
  return g_string_free (text, FALSE);
}

char *
wp_stacks_views_stack (const WpStacksViews *self, const WpBox *box)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  GString *text = g_string_new (NULL);

  for (WpId n = box->ref; n != 0; n = self->tree->nodes.data[n].parent)
    g_ptr_array_add (names, (gpointer) wp_strings_get (self->tree->strings, self->tree->nodes.data[n].name));
  for (guint i = 0; i < names->len; i++) /* turned over the innermost one is the root */
    g_string_append_printf (text, "%s%s", i > 0 ? "\n" : "", (char *) names->pdata[self->choice.inverted ? names->len - 1 - i : i]);
  return g_string_free (text, FALSE);
}

char *
wp_stacks_views_describe_moment (const WpStacksViews *self, const WpRows *rows, guint32 box, double from, double to, gint64 origin)
{
  const WpBox *b = &rows->boxes.data[box];
  GString *text = g_string_new (self->graph->names->names.data[b->ref].name);
  char duration[WP_FORMAT_MAX], moment[WP_FORMAT_MAX];

  g_string_append_printf (text, _("\n%s from %s on"), wp_unit_format (WP_UNIT_TIME, (double) (b->end - b->start), duration),
                          wp_unit_format (WP_UNIT_TIME, (double) (b->start - origin), moment));
  wp_box_append_share (text, rows, box, from, to);
  wp_stacks_views_append_place (self, text, b->ref);
  return g_string_free (text, FALSE);
}

char *
wp_stacks_views_summary (const WpStacksViews *self)
{
  g_autofree char *total = wp_measure_words (self->total, self->unit), *whole = wp_measure_words (self->whole, self->unit);
  char share[WP_FORMAT_MAX];

  if (self->total == self->whole)
    return self->choice.mean ? g_strdup_printf (_("%s on average"), total) : g_strdup (total);
  if (self->choice.mean)
    return g_strdup_printf (_("%s on average, %s of everything"), total, whole);
  return g_strdup_printf (_("%s of %s (%s)"), total, whole, wp_measure_share_words (self->total, self->whole, share));
}
