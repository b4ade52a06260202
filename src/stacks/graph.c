#include "stacks/graph.h"

#include "base/pair-map.h"
#include "stacks/labels.h"

#define SAMPLES_PER_STEP 4096

/* What a node is made of: what its frames have in common. */
typedef struct
{
  guint64 address;
  gint64 line, column;
  WpId name, file;
  WpId module; /* its file */
  guint32 node;
} Key;

typedef struct
{
  const WpStacks *stacks;
  const WpGraphOptions *options;
  WpGraph *graph;
  WP_TABLE (Key) keys;       /* node: one more than it is; 0: free */
  guint32 *first_node;       /* location → its first one in `nodes`, outermost first; one more at the end */
  WP_ARRAY (guint32) nodes;  /* plain list */
  WpPairMap edges;           /* nodes of both ends → one more than the edge */
  WP_ARRAY (guint32) edge_seen; /* edge → one more than the last sample that had it */
  guint32 *node_seen;        /* node → the same */
  WpIdArray stack;
} Maker;

const char *
wp_graph_by_id (WpGraphBy by)
{
  static const char *const ids[WP_GRAPH_BY_COUNT] = { "functions", "filefunctions", "lines", "files", "addresses" };

  return ids[by];
}

/* --- nodes -------------------------------------------------------------------------------------------------------- */

static guint32
hash_of_key (const Key *key)
{
  return (guint32) wp_hash_pair (wp_hash_pair (key->address, (guint64) key->line ^ (guint64) key->column << 32),
                                 wp_hash_pair (key->name, (guint64) key->file << 32 | key->module));
}

static gboolean
is_same (const Key *a, const Key *b)
{
  return a->address == b->address && a->line == b->line && a->column == b->column && a->name == b->name && a->file == b->file
         && a->module == b->module;
}

/* "/a/./b/../c" is "/a/c", as Go's filepath.Clean() has it. */
static char *
clean_path (const char *path)
{
  g_auto (GStrv) parts = g_strsplit (path, "/", -1);
  gboolean rooted = path[0] == '/';
  GPtrArray *kept = g_ptr_array_new ();
  char *joined, *clean;

  for (guint i = 0; parts[i] != NULL; i++)
    {
      const char *last = kept->len > 0 ? kept->pdata[kept->len - 1] : NULL;

      if (*parts[i] == '\0' || g_str_equal (parts[i], "."))
        continue;
      if (!g_str_equal (parts[i], ".."))
        g_ptr_array_add (kept, parts[i]);
      else if (last != NULL && !g_str_equal (last, ".."))
        g_ptr_array_set_size (kept, (int) kept->len - 1);
      else if (!rooted)
        g_ptr_array_add (kept, parts[i]);
    }
  g_ptr_array_add (kept, NULL);
  joined = g_strjoinv ("/", (char **) kept->pdata);
  clean = *path == '\0' ? g_strdup ("") : rooted ? g_strconcat ("/", joined, NULL) : *joined == '\0' ? g_strdup (".") : g_strdup (joined);
  g_free (joined);
  g_ptr_array_unref (kept);
  return clean;
}

static const char *
name_of (const Maker *self, const Key *key)
{
  const WpStacks *stacks = self->stacks;
  g_autoptr (GString) name = g_string_new (NULL);
  g_autofree char *shown = NULL;
  g_autofree char *file = clean_path (wp_stacks_text (stacks, key->file));

  if (key->address != 0)
    g_string_append_printf (name, "%016" G_GINT64_MODIFIER "x", key->address);
  if (key->name != 0)
    g_string_append_printf (name, "%s%s", name->len > 0 ? " " : "", wp_stacks_shown (stacks, key->name, &shown));
  if (key->line != 0 || key->file != 0)
    g_string_append_printf (name, "%s%s", name->len > 0 ? " " : "", file);
  if (key->line != 0)
    g_string_append_printf (name, ":%" G_GINT64_FORMAT, key->line);
  if (key->line != 0 && key->column != 0)
    g_string_append_printf (name, ":%" G_GINT64_FORMAT, key->column);
  if (key->line == 0 && key->file == 0 && key->name == 0)
    {
      g_autofree char *base = g_path_get_basename (wp_stacks_text (stacks, key->module));

      if (key->module != 0)
        g_string_append_printf (name, "%s[%s]", name->len > 0 ? " " : "", base);
      else
        g_string_append_printf (name, "%s<unknown>", name->len > 0 ? " " : "");
    }
  return g_string_chunk_insert_len (self->graph->names, name->str, (gssize) name->len);
}

static guint32
node_of (Maker *self, const Key *key, const WpLocation *location, WpId function)
{
  WpGraph *graph = self->graph;
  Key *found;

  WP_TABLE_RESERVE (&self->keys, 1024, 2, slot, slot->node != 0, hash_of_key (slot));
  found = WP_TABLE_FIND (&self->keys, hash_of_key (key), slot, slot->node == 0 || is_same (slot, key));
  if (found->node == 0)
    {
      const WpStackFunction *row = &self->stacks->frames->functions.data[function];

      *found = *key;
      self->keys.n++;
      wp_array_push (&graph->nodes, ((WpGraphNode) { .name = name_of (self, key), .function = function, .file = row->file,
                                                      .module = location->module }));
      found->node = graph->nodes.len;
    }
  return found->node - 1;
}

static Key
key_of (const Maker *self, const WpLocation *location, const WpStackLine *line)
{
  const WpStackFunction *function = line != NULL ? &self->stacks->frames->functions.data[line->function] : NULL;
  WpGraphBy by = self->options->by;
  Key key = { 0 };

  if (by == WP_GRAPH_BY_ADDRESS)
    key.address = location->address;
  if (function != NULL)
    {
      key.name = by != WP_GRAPH_BY_FILE ? function->name : 0;
      key.file = by != WP_GRAPH_BY_FUNCTION ? function->file : 0;
      key.line = by == WP_GRAPH_BY_LINE || by == WP_GRAPH_BY_ADDRESS ? line->line : 0;
      key.column = (by == WP_GRAPH_BY_LINE && self->options->columns)
                       || (by == WP_GRAPH_BY_ADDRESS && (self->options->columns || !self->options->without_inlined))
                     ? line->column : 0;
    }
  if (key.name == 0)
    key.module = self->stacks->frames->modules.data[location->module].file;
  return key;
}

/* The nodes of each location, outermost first. */
static void
make_nodes (Maker *self)
{
  const WpFrames *frames = self->stacks->frames;

  self->first_node = g_new0 (guint32, frames->locations.len + 1);
  for (WpId i = 1; i < frames->locations.len; i++)
    {
      const WpLocation *location = &frames->locations.data[i];
      guint32 n = self->options->without_inlined ? MIN (location->n_lines, 1) : location->n_lines;
      Key key;

      self->first_node[i] = self->nodes.len;
      for (guint32 l = 0; l < n; l++)
        {
          const WpStackLine *line = &frames->lines.data[location->first_line + location->n_lines - 1 - l];

          key = key_of (self, location, line);
          wp_array_push (&self->nodes, node_of (self, &key, location, line->function));
        }
      if (n > 0)
        continue;
      key = key_of (self, location, NULL);
      key.address = location->address;
      if (self->options->by != WP_GRAPH_BY_ADDRESS)
        key.address = 0;
      wp_array_push (&self->nodes, node_of (self, &key, location, 0));
    }
  self->first_node[frames->locations.len] = self->nodes.len;
  self->node_seen = g_new0 (guint32, MAX (self->graph->nodes.len, 1));
}

/* --- values ------------------------------------------------------------------------------------------------------- */

static void
add (WpGraphValue *value, WpGraphValue more)
{
  value->sum = (gint64) ((guint64) value->sum + (guint64) more.sum);
  value->divisor = (gint64) ((guint64) value->divisor + (guint64) more.divisor);
}

static void
add_call (Maker *self, guint32 caller, guint32 callee, WpGraphValue value, guint32 sample, gboolean inlined)
{
  guint32 *known = wp_pair_map_at (&self->edges, caller, callee);
  WpGraphEdge *edge;

  if (*known == 0)
    {
      wp_array_push (&self->graph->edges, ((WpGraphEdge) { .caller = caller, .callee = callee, .inlined = TRUE }));
      wp_array_push (&self->edge_seen, 0);
      *known = self->graph->edges.len;
    }
  if (self->edge_seen.data[*known - 1] == sample + 1)
    return;
  self->edge_seen.data[*known - 1] = sample + 1;
  edge = &self->graph->edges.data[*known - 1];
  edge->inlined = edge->inlined && inlined;
  add (&edge->weight, value);
}

static void
add_sample (Maker *self, guint32 sample, WpGraphValue value)
{
  WpGraph *graph = self->graph;
  guint32 caller = G_MAXUINT32;

  wp_frames_stack (self->stacks->frames, self->stacks->sample_stacks.data[sample], &self->stack);
  for (guint32 i = self->stack.len; i-- > 0;)
    {
      WpId location = self->stack.data[i];

      for (guint32 n = self->first_node[location]; n < self->first_node[location + 1]; n++)
        {
          guint32 node = self->nodes.data[n];

          if (self->node_seen[node] != sample + 1)
            {
              self->node_seen[node] = sample + 1;
              add (&graph->nodes.data[node].cum, value);
            }
          if (caller != G_MAXUINT32 && caller != node)
            add_call (self, caller, node, value, sample, n > self->first_node[location]);
          caller = node;
        }
    }
  if (caller != G_MAXUINT32)
    add (&graph->nodes.data[caller].flat, value);
}

static gint64
magnitude (gint64 value)
{
  return value < 0 ? (gint64) -(guint64) value : value;
}

/* Of a comparison the base is the whole. */
gint64
wp_stacks_total (const WpStacks *stacks, guint32 type, gboolean mean)
{
  g_autofree guint8 *is_base = wp_stacks_base_sets (stacks);
  WpGraphValue total = { 0 }, of_base = { 0 };

  for (guint32 i = 0; i < stacks->n_samples; i++)
    {
      WpGraphValue value = { magnitude (stacks->values[type].data[i]), mean ? stacks->values[0].data[i] : 0 };

      add (&total, value);
      if (is_base != NULL && is_base[stacks->sample_labels.data[i]])
        add (&of_base, value);
    }
  return wp_graph_value (of_base.sum > 0 ? of_base : total);
}

static gboolean
add_samples (Maker *self, WpProgress *progress, GError **error)
{
  const WpStacks *stacks = self->stacks;
  const gint64 *values = stacks->values[self->options->type].data, *divisors = stacks->values[0].data;

  for (guint32 i = 0; i < stacks->n_samples; i++)
    {
      WpGraphValue value = { values[i], self->options->mean ? divisors[i] : 0 };

      if (i % SAMPLES_PER_STEP == 0 && !wp_progress_step (progress, (double) i / stacks->n_samples, error))
        return FALSE;
      if (value.sum != 0 || value.divisor != 0)
        add_sample (self, i, value);
    }
  self->graph->total = wp_stacks_total (stacks, self->options->type, self->options->mean);
  return TRUE;
}

/* Nodes that come to nothing go, with the calls that lead to them. */
static void
keep_seen (Maker *self)
{
  WpGraph *graph = self->graph;
  g_autofree guint32 *places = g_new (guint32, MAX (graph->nodes.len, 1));
  guint32 n = 0;

  for (guint32 i = 0; i < graph->nodes.len; i++)
    {
      places[i] = n;
      if (graph->nodes.data[i].flat.sum == 0 && graph->nodes.data[i].cum.sum == 0)
        places[i] = G_MAXUINT32;
      else
        graph->nodes.data[n++] = graph->nodes.data[i];
    }
  graph->nodes.len = n;
  n = 0;
  for (guint32 i = 0; i < graph->edges.len; i++)
    {
      WpGraphEdge edge = graph->edges.data[i];

      edge.caller = places[edge.caller];
      edge.callee = places[edge.callee];
      if (edge.caller != G_MAXUINT32 && edge.callee != G_MAXUINT32)
        graph->edges.data[n++] = edge;
    }
  graph->edges.len = n;
}

WpGraph *
wp_graph_new (const WpStacks *stacks, const WpGraphOptions *options, WpProgress *progress, GError **error)
{
  Maker self = { .stacks = stacks, .options = options, .graph = g_new0 (WpGraph, 1) };
  gboolean done;

  self.graph->names = g_string_chunk_new (4096);
  make_nodes (&self);
  done = add_samples (&self, progress, error);
  keep_seen (&self);
  WP_TABLE_CLEAR (&self.keys);
  wp_pair_map_clear (&self.edges);
  wp_array_clear (&self.nodes);
  wp_array_clear (&self.edge_seen);
  wp_array_clear (&self.stack);
  g_free (self.first_node);
  g_free (self.node_seen);
  if (!done)
    g_clear_pointer (&self.graph, wp_graph_free);
  return self.graph;
}

void
wp_graph_free (WpGraph *self)
{
  wp_array_clear (&self->nodes);
  wp_array_clear (&self->edges);
  g_string_chunk_free (self->names);
  g_free (self);
}
