#include "workspace/stacks/calls-picture.h"

#include <glib/gi18n.h>
#include <math.h>

#include "base/hash.h"
#include "base/unit.h"
#include "paint/paint.h"
#include "paths/stacks.h"
#include "stacks/measure.h"
#include "view/layout.h"
#include "workspace/stacks/stacks-callers.h"

#define LETTERS_MIN 12.0 /* letters of what took nothing itself, and of what took most */
#define LETTERS_MAX 22.0
#define NOTE_SIZE 11.0
#define NODE_MAX 280.0 /* longer names are cut in the middle */
#define PAD_X 8.0
#define PAD_Y 5.0

struct WpCallsRequest
{
  WpCallsSource source;
  WpShared *before;
  WpCallsChoice choice;
};

WpCallsRequest *
wp_calls_request_new (const WpCallsSource *source, WpShared *before, const WpCallsChoice *choice)
{
  WpCallsRequest *self = g_new0 (WpCallsRequest, 1);

  self->source.views = wp_shared_ref (source->views);
  self->source.analysis = wp_shared_ref (source->analysis);
  self->source.graph = wp_shared_ref (source->graph);
  self->before = wp_shared_ref (before);
  self->choice = *choice;
  return self;
}

void
wp_calls_request_free (gpointer request)
{
  WpCallsRequest *self = request;

  wp_shared_unref (self->source.views);
  wp_shared_unref (self->source.analysis);
  wp_shared_unref (self->source.graph);
  wp_shared_unref (self->before);
  g_free (self);
}

void
wp_calls_picture_free (WpCallsPicture *self)
{
  wp_shared_unref (self->calls);
  g_clear_pointer (&self->diagram, wp_diagram_free);
  g_clear_pointer (&self->stacks, wp_stacks_unref);
  g_free (self->frames);
  g_free (self);
}

/* --- which frame a node is -------------------------------------------------------------------------------------------- */

/* Both have names and files as they are shown. */
static char *
key_of (const char *name, const char *file)
{
  return g_strconcat (name, "\n", file, NULL);
}

static GHashTable *
index_frames (const WpStacks *stacks, const WpFrameNames *names)
{
  GHashTable *frames = g_hash_table_new_full (wp_hash_string, g_str_equal, g_free, NULL);

  for (guint32 i = 0; i < names->names.len; i++)
    {
      const WpStackFunction *function = &stacks->frames->functions.data[names->names.data[i].function];
      g_autofree char *name = wp_stacks_dup_shown (stacks, function->name), *file = wp_stacks_dup_shown (stacks, function->file);

      g_hash_table_insert (frames, key_of (name, file), GUINT_TO_POINTER (i + 1));
    }
  return frames;
}

static guint32
find_frame (GHashTable *frames, const WpCalls *calls, const WpCallsNode *node)
{
  g_autofree char *key = key_of (wp_calls_text (calls, node->name), wp_calls_text (calls, node->file));

  return GPOINTER_TO_UINT (g_hash_table_lookup (frames, key)) - 1;
}

/* --- the diagram -------------------------------------------------------------------------------------------------------- */

typedef struct
{
  WpCallsPicture *picture;
  const WpCalls *calls;
  const WpFrameNames *names; /* of the views, or of their own; NULL: there are no stacks */
  gboolean has_views;
  WpCallsShown shown;
  GHashTable *frames;  /* name, file → row of the names + 1; NULL without stacks */
  guint8 *kinds;       /* WpFrameKind of each module's frames; NULL without stacks */
  WpPainter *painter;  /* for how wide texts are */
  double most;         /* of what a node took itself */
} Maker;

static double
share_of (const WpCalls *calls, WpExact time)
{
  return calls->total != 0 ? wp_exact_real (time, calls->total) : 0;
}

/* Without stacks nobody knows whose code it is. */
static WpBoxKind
kind_of_frame (const Maker *self, guint32 frame)
{
  WpFrameKind kind = WP_FRAME_OF_PROGRAM;

  if (frame != G_MAXUINT32)
    kind = wp_location_kind (&self->picture->stacks->frames->locations.data[self->names->names.data[frame].location],
                             self->kinds);
  return wp_layout_box_kind (kind);
}

static char *
name_of (const WpCalls *calls, const WpCallsNode *node, gboolean lines)
{
  const char *name = node->name != 0 ? wp_calls_text (calls, node->name) : _("(unnamed)");

  return lines && node->line > 0 ? g_strdup_printf ("%s:%" G_GINT64_FORMAT, name, node->line) : g_strdup (name);
}

static void
add_node (Maker *self, guint32 n)
{
  const WpCallsNode *node = &self->calls->nodes.data[n];
  WpDiagram *diagram = self->picture->diagram;
  double own = share_of (self->calls, node->self), size = LETTERS_MIN + (LETTERS_MAX - LETTERS_MIN) * sqrt (self->most > 0 ? own / self->most : 0);
  g_autofree char *name = name_of (self->calls, node, self->picture->choice.lines);
  char self_share[WP_FORMAT_MAX], total_share[WP_FORMAT_MAX];
  g_autofree char *note
    = g_strdup_printf (_("%s of %s"), wp_format_share (own, self_share), wp_format_share (share_of (self->calls, node->total), total_share));
  double width = MAX (wp_painter_text_width (self->painter, name, size), wp_painter_text_width (self->painter, note, NOTE_SIZE));
  guint32 frame = self->frames != NULL ? find_frame (self->frames, self->calls, node) : G_MAXUINT32;

  self->picture->frames[diagram->nodes.len] = self->has_views ? frame : G_MAXUINT32;
  wp_array_push (&diagram->nodes, ((WpDiagramNode) { .width = MIN (width, NODE_MAX) + 2 * PAD_X, .height = 1.3 * (size + NOTE_SIZE) + 2 * PAD_Y, .size = size,
                                                     .name = wp_strings_intern (diagram->strings, name),
                                                     .note = wp_strings_intern (diagram->strings, note), .layer = node->layer, .ref = n,
                                                     .kind = kind_of_frame (self, frame) }));
}

/* Layers without a node that is shown give way. */
static void
close_layers (Maker *self)
{
  WpDiagram *diagram = self->picture->diagram;
  guint32 n = 0;
  g_autofree guint32 *layers = NULL;

  for (guint32 i = 0; i < diagram->nodes.len; i++)
    n = MAX (n, diagram->nodes.data[i].layer + 1);
  layers = g_new0 (guint32, n + 1);
  for (guint32 i = 0; i < diagram->nodes.len; i++)
    layers[diagram->nodes.data[i].layer + 1] = 1;
  for (guint32 l = 0; l < n; l++)
    layers[l + 1] += layers[l];
  for (guint32 i = 0; i < diagram->nodes.len; i++)
    diagram->nodes.data[i].layer = layers[diagram->nodes.data[i].layer];
}

static void
add_edges (Maker *self)
{
  WpDiagram *diagram = self->picture->diagram;
  double most = 0;

  for (guint32 e = 0; e < self->calls->edges.len; e++)
    {
      const WpCallsEdge *edge = &self->calls->edges.data[e];
      double share = share_of (self->calls, edge->total);
      char text[WP_FORMAT_MAX];

      if (self->shown.numbers[edge->caller] == 0 || self->shown.numbers[edge->callee] == 0)
        continue;
      most = MAX (most, share);
      wp_array_push (&diagram->edges, ((WpDiagramEdge) { .from = self->shown.numbers[edge->caller] - 1, .to = self->shown.numbers[edge->callee] - 1,
                                                         .share = share, .note = wp_strings_intern (diagram->strings, wp_format_share (share, text)), .ref = e }));
    }
  for (guint32 e = 0; e < diagram->edges.len && most > 0; e++)
    diagram->edges.data[e].share /= most;
}

static void
make_diagram (Maker *self)
{
  const WpCallsShowOptions options = { .order = WP_CALLS_TOPOLOGICAL, .hide_self = self->picture->choice.hide_self, .hide_subs = self->picture->choice.hide_subs };

  wp_calls_show (self->calls, &options, &self->shown);
  self->picture->n_hidden = wp_calls_n_hidden (self->calls, &self->shown);
  self->picture->diagram = wp_diagram_new ();
  self->picture->frames = g_new (guint32, self->shown.nodes.len + 1);
  if (self->names != NULL)
    {
      self->frames = index_frames (self->picture->stacks, self->names);
      self->kinds = wp_stacks_module_kinds (self->picture->stacks);
    }
  self->painter = wp_diagram_painter_new (NULL, WP_THEME_LIGHT);
  for (guint32 i = 0; i < self->shown.nodes.len; i++)
    self->most = MAX (self->most, share_of (self->calls, self->calls->nodes.data[self->shown.nodes.data[i]].self));
  for (guint32 i = 0; i < self->shown.nodes.len; i++)
    add_node (self, self->shown.nodes.data[i]);
  close_layers (self);
  add_edges (self);
  wp_painter_free (self->painter);
  g_clear_pointer (&self->frames, g_hash_table_unref);
  g_free (self->kinds);
  wp_calls_shown_clear (&self->shown);
}

/* NULL and no error: there are none. */
static WpStacks *
stacks_of (const WpCallsRequest *request, WpProgress *progress, GError **error)
{
  const WpCallsPicture *before = wp_shared_get (request->before);
  const WpStacksViews *views = wp_shared_get (request->source.views);
  const WpAnalysis *analysis = wp_shared_get (request->source.analysis);

  if (views != NULL)
    return wp_stacks_ref (views->stacks);
  if (analysis != NULL && before != NULL)
    return wp_stacks_ref (before->stacks);
  return analysis != NULL ? wp_paths_stacks (analysis->paths, analysis->explanation, (WpDepthChoice) { 0 }, progress, error) : NULL;
}

static WpShared *
calls_of (const WpCallsRequest *request, const WpStacks *stacks, WpProgress *progress, GError **error)
{
  const WpCallsPicture *before = wp_shared_get (request->before);
  const WpStacksViews *views = wp_shared_get (request->source.views);
  WpCallsOptions options = { .lines = request->choice.lines };
  WpCalls *calls;

  if (request->source.graph != NULL)
    return wp_shared_ref (request->source.graph);
  if (before != NULL && before->choice.lines == request->choice.lines && before->choice.type == request->choice.type)
    return wp_shared_ref (before->calls);
  options.type = views != NULL ? views->choice.type : MIN (request->choice.type, stacks->types.len - 1);
  options.without_inlined = views != NULL && views->choice.without_inlined;
  calls = wp_calls_of_stacks (stacks, &options, progress, error);
  return calls != NULL ? wp_shared_new (calls, (GDestroyNotify) wp_calls_free) : NULL;
}

static void
draw (WpCallsPicture *self, const WpStacksViews *views)
{
  const WpFrameNameOptions options = { .by = WP_FRAMES_BY_FILE_FUNCTION };
  WpFrameNames *own = views == NULL && self->stacks != NULL ? wp_frame_names_new (self->stacks, &options) : NULL;
  Maker maker = { .picture = self, .calls = wp_shared_get (self->calls), .names = views != NULL ? views->graph->names : own, .has_views = views != NULL };

  make_diagram (&maker);
  g_clear_pointer (&own, wp_frame_names_free);
}

gpointer
wp_calls_request_run (gpointer request, WpProgress *progress, GError **error)
{
  const WpCallsRequest *r = request;
  const WpStacksViews *views = wp_shared_get (r->source.views);
  WpCallsPicture *self = g_new0 (WpCallsPicture, 1);
  gboolean done = FALSE;

  self->choice = r->choice;
  self->not_means = views != NULL && views->choice.mean;
  self->stacks = stacks_of (r, progress, error);
  if (self->stacks != NULL || r->source.graph != NULL)
    self->calls = calls_of (r, self->stacks, progress, error);
  if (self->calls != NULL)
    {
      wp_progress_phase (progress, "Laying out");
      draw (self, views);
      done = wp_diagram_lay_out (self->diagram, progress, error);
    }
  if (!done)
    g_clear_pointer (&self, wp_calls_picture_free);
  return self;
}

/* --- what is asked of it --------------------------------------------------------------------------------------------------- */

guint32
wp_calls_picture_node (const WpCallsPicture *self, guint32 frame)
{
  for (guint32 i = 0; i < self->diagram->nodes.len && frame != G_MAXUINT32; i++)
    if (self->frames[i] == frame)
      return i;
  return WP_NO_NODE;
}

static const WpCallsNode *
node_of (const WpCallsPicture *self, guint32 node)
{
  const WpCalls *calls = wp_shared_get (self->calls);

  return &calls->nodes.data[self->diagram->nodes.data[node].ref];
}

static gboolean
is_same (const WpCalls *a, const WpCallsNode *x, const WpCalls *b, const WpCallsNode *y)
{
  return x->line == y->line && x->column == y->column && g_str_equal (wp_calls_text (a, x->name), wp_calls_text (b, y->name))
         && g_str_equal (wp_calls_text (a, x->file), wp_calls_text (b, y->file));
}

guint32
wp_calls_picture_same (const WpCallsPicture *self, const WpCallsPicture *before, guint32 node)
{
  if (self == NULL || before == NULL || node == WP_NO_NODE || self->choice.lines != before->choice.lines)
    return WP_NO_NODE;
  for (guint32 i = 0; i < self->diagram->nodes.len; i++)
    if (is_same (wp_shared_get (self->calls), node_of (self, i), wp_shared_get (before->calls), node_of (before, node)))
      return i;
  return WP_NO_NODE;
}

guint8 *
wp_calls_picture_around (const WpCallsPicture *self, guint32 node)
{
  guint8 *around = g_new0 (guint8, self->diagram->nodes.len + 1);

  around[node] = 1;
  for (guint32 e = 0; e < self->diagram->edges.len; e++)
    {
      const WpDiagramEdge *edge = &self->diagram->edges.data[e];

      around[edge->to] |= edge->from == node;
      around[edge->from] |= edge->to == node;
    }
  return around;
}

char *
wp_calls_picture_name (const WpCallsPicture *self, guint32 node)
{
  return name_of (wp_shared_get (self->calls), node_of (self, node), self->choice.lines);
}

static guint32
count_matches (const WpCallsPicture *self, const GRegex *pattern)
{
  const WpCalls *calls = wp_shared_get (self->calls);
  guint32 n = 0;

  for (guint32 i = 1; i < calls->nodes.len; i++)
    {
      g_autofree char *name = name_of (calls, &calls->nodes.data[i], self->choice.lines);

      n += g_regex_match (pattern, name, 0, NULL);
    }
  return n;
}

guint8 *
wp_calls_picture_find (const WpCallsPicture *self, const GRegex *pattern, guint32 *n_found, guint32 *n_all)
{
  guint8 *found = g_new0 (guint8, self->diagram->nodes.len + 1);

  *n_found = 0;
  *n_all = count_matches (self, pattern);
  for (guint32 i = 0; i < self->diagram->nodes.len; i++)
    {
      found[i] = g_regex_match (pattern, wp_strings_get (self->diagram->strings, self->diagram->nodes.data[i].name), 0, NULL);
      *n_found += found[i];
    }
  return found;
}

static char *
text_of (const WpCalls *calls, WpExact time)
{
  const char *unit = wp_calls_text (calls, calls->unit);
  gboolean is_time = g_str_equal (unit, "ms");

  return wp_measure_words ((gint64) llround (wp_calls_real (calls, time) * (is_time ? 1e6 : 1)), is_time ? "ns" : unit);
}

static const WpCallsEdge *
edge_of_row (const WpCalls *calls, const WpCallsNode *node, gboolean callees, guint32 row)
{
  return &calls->edges.data[callees ? calls->callees.data[node->first_callee + row] : calls->callers.data[node->first_caller + row]];
}

guint32
wp_calls_picture_row_node (const WpCallsPicture *self, guint32 node, gboolean callees, guint32 row)
{
  const WpCalls *calls = wp_shared_get (self->calls);
  const WpCallsEdge *edge = edge_of_row (calls, node_of (self, node), callees, row);
  guint32 other = callees ? edge->callee : edge->caller;

  for (guint32 i = 0; i < self->diagram->nodes.len; i++)
    if (self->diagram->nodes.data[i].ref == other)
      return i;
  return WP_NO_NODE;
}

WpShared *
wp_calls_picture_table (const WpCallsPicture *self, guint32 node, gboolean callees)
{
  const WpCalls *calls = wp_shared_get (self->calls);
  const WpCallsNode *of = node_of (self, node);
  guint32 n = callees ? of->n_callees : of->n_callers;
  WpGrid *grid = wp_calls_table_new (n, callees ? _("Calls") : _("Called By"));

  for (guint32 i = 0; i < n; i++)
    {
      const WpCallsEdge *edge = edge_of_row (calls, of, callees, i);
      guint32 other = callees ? edge->callee : edge->caller;
      WpExact time = callees ? edge->callee_time : edge->caller_time;
      g_autofree char *text = text_of (calls, time);
      g_autofree char *name = name_of (calls, &calls->nodes.data[other], self->choice.lines);
      double share = of->total != 0 ? wp_exact_real (time, of->total) : 0;
      char buffer[WP_FORMAT_MAX];

      wp_grid_set_text (grid, WP_CALLS_NAME, i, other != 0 ? name : callees ? _("(itself)") : _("(nobody)"));
      wp_grid_set_number (grid, WP_CALLS_TOTAL, i, wp_calls_real (calls, time), text);
      wp_grid_set_number (grid, WP_CALLS_SHARE, i, share, wp_format_share (share, buffer));
    }
  return wp_shared_new (grid, (GDestroyNotify) wp_grid_free);
}

static void
append_time (GString *text, const WpCalls *calls, const char *what, WpExact time)
{
  g_autofree char *amount = text_of (calls, time);
  char share[WP_FORMAT_MAX];

  g_string_append_printf (text, "%s %s (%s)", what, amount, wp_format_share (share_of (calls, time), share));
}

static char *
describe_edge (const WpCalls *calls, const WpCallsEdge *edge)
{
  GString *text = g_string_new (wp_calls_text (calls, calls->nodes.data[edge->caller].name));

  g_string_append_printf (text, " → %s\n", wp_calls_text (calls, calls->nodes.data[edge->callee].name));
  append_time (text, calls, _("Total"), edge->total);
  return g_string_free (text, FALSE);
}

char *
wp_calls_picture_describe (const WpCallsPicture *self, guint32 node, guint32 edge)
{
  const WpCalls *calls = wp_shared_get (self->calls);
  const WpCallsNode *of;
  GString *text;

  if (edge != WP_NO_NODE)
    return describe_edge (calls, &calls->edges.data[self->diagram->edges.data[edge].ref]);
  of = node_of (self, node);
  text = g_string_new (wp_calls_text (calls, of->name));
  g_string_append_c (text, '\n');
  append_time (text, calls, _("Self"), of->self);
  g_string_append (text, " · ");
  append_time (text, calls, _("Total"), of->total);
  g_string_append_c (text, '\n');
  wp_calls_append_source (calls, self->diagram->nodes.data[node].ref, text);
  return g_string_free (text, FALSE);
}
