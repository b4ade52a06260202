/* Stacks with values: figures are the totals of the types that all files have values of, frames and call tree those of one type. */
#include "profile/compare/compare-private.h"

#include <glib/gi18n.h>

#include "base/hash.h"
#include "paths/stacks.h"
#include "stacks/derive.h"
#include "stacks/filter.h"
#include "stacks/graph.h"
#include "stacks/measure.h"
#include "stacks/stack-tree.h"

typedef struct
{
  WpComparer *comparer;
  WpStacksFile *files;
  guint n;
  gboolean modules; /* all files know whose code their frames are */
} Files;

/* --- what is compared of a file ------------------------------------------------------------------------------------- */

/* What an explained process did and waited for is compared together: a type of its own, behind the others. */
static WpStacks *
with_total (const WpStacks *stacks)
{
  WpStacks *self = wp_stacks_new_like (stacks, wp_frames_ref (stacks->frames));
  guint32 n = stacks->types.len;

  wp_stacks_take (self, stacks, NULL);
  self->values = g_renew (WpNumbers, self->values, n + 1);
  self->values[n] = (WpNumbers) { 0 };
  wp_array_resize (&self->values[n], stacks->n_samples);
  for (guint32 t = 0; t < WP_TIME_COUNT; t++)
    for (guint32 i = 0; i < stacks->n_samples; i++)
      self->values[n].data[i] = wp_sum (self->values[n].data[i], stacks->values[t].data[i]);
  self->header.default_type = wp_strings_intern (self->strings, "total");
  wp_array_push (&self->types, ((WpValueType) { self->header.default_type, stacks->types.data[0].unit }));
  return self;
}

/* What the filter leaves of the program's frames. */
static gboolean
prepare_file (WpStacksFile *self, const WpCompareOptions *options, WpProgress *progress, GError **error)
{
  g_autoptr (WpStacks) program = NULL, filtered = NULL;
  WpFilter steps = { 0 };

  if (self->stacks->types.len == 0)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
                   _("%s holds stacks, but no values of them: there is nothing to compare"), self->said.path);
      return FALSE;
    }
  program = wp_stacks_drop_frames (self->stacks, progress, error);
  if (program != NULL && (options->filter == NULL || wp_filter_parse (&steps, options->filter, error)))
    filtered = wp_filter_apply (&steps, program, progress, error);
  wp_filter_clear (&steps);
  if (filtered == NULL)
    return FALSE;
  wp_stacks_unref (self->stacks);
  self->stacks = wp_stacks_are_explained (filtered) ? with_total (filtered) : g_steal_pointer (&filtered);
  self->types = g_hash_table_new (wp_hash_string, g_str_equal);
  for (guint32 t = self->stacks->types.len; t-- > 0;)
    g_hash_table_insert (self->types, (char *) wp_stacks_text (self->stacks, self->stacks->types.data[t].type), GUINT_TO_POINTER (t + 1));
  return TRUE;
}

static gboolean
prepare_files (Files *self, const WpCompareOptions *options, WpProgress *progress, GError **error)
{
  for (guint i = 0; i < self->n; i++)
    {
      if (!prepare_file (&self->files[i], options, progress, error))
        return FALSE;
      self->modules &= self->files[i].stacks->frames->modules.len > 1;
    }
  return TRUE;
}

/* --- types ---------------------------------------------------------------------------------------------------------- */

static const char *
unit_of (const WpStacksFile *file, guint32 type)
{
  return wp_stacks_text (file->stacks, file->stacks->types.data[type].unit);
}

static gboolean
is_alike (const char *a, const char *b)
{
  return g_str_equal (a, b) || wp_measure_is_alike (a, b);
}

/* The type of `file` that has the name of one of `like` and a unit of its kind. */
static gboolean
find_like (const WpStacksFile *file, const WpStacksFile *like, guint32 type, guint32 *found)
{
  const char *name = wp_stacks_text (like->stacks, like->stacks->types.data[type].type);

  *found = GPOINTER_TO_UINT (g_hash_table_lookup (file->types, name)) - 1;
  return *found != G_MAXUINT32 && is_alike (unit_of (file, *found), unit_of (like, type));
}

static gboolean
all_have (const Files *self, const WpStacksFile *like, guint32 type)
{
  guint32 found;

  for (guint i = 0; i < self->n; i++)
    if (!find_like (&self->files[i], like, type, &found))
      return FALSE;
  return TRUE;
}

/* The default type of the first file, if all have it; else the last one that all have; else the default type of each. */
static void
choose_types (Files *self)
{
  const WpStacksFile *first = &self->files[0];
  guint32 common = wp_stacks_default_type (first->stacks), type = first->stacks->types.len;
  gboolean has_common;

  while (!(has_common = all_have (self, first, common)) && type > 0)
    common = --type;
  for (guint i = 0; i < self->n; i++)
    {
      WpStacksFile *file = &self->files[i];

      if (!has_common || !find_like (file, first, common, &file->type))
        file->type = wp_stacks_default_type (file->stacks);
    }
}

static gboolean
find_types (Files *self, const char *name, GError **error)
{
  for (guint i = 0; i < self->n; i++)
    {
      WpStacksFile *file = &self->files[i];
      int found = wp_stacks_find_type (file->stacks, name, error);

      if (found < 0)
        {
          g_prefix_error (error, "%s: ", file->said.path);
          return FALSE;
        }
      file->type = (guint32) found;
    }
  return TRUE;
}

/* A text as it is shown, or what is said where it is empty. Free with g_free(). */
static char *
shown_or (const WpStacks *stacks, WpId text, const char *otherwise)
{
  char *shown = wp_stacks_dup_shown (stacks, text);

  if (*shown != '\0')
    return shown;
  g_free (shown);
  return g_strdup (otherwise);
}

static char *
shown_type (const WpStacksFile *file, guint32 type)
{
  return shown_or (file->stacks, file->stacks->types.data[type].type, _("(unnamed)"));
}

static char *
shown_unit (const WpStacksFile *file)
{
  return shown_or (file->stacks, file->stacks->types.data[file->type].unit, _("no unit"));
}

static gboolean
check_units (const Files *self, GError **error)
{
  const WpStacksFile *first = &self->files[0];

  for (guint i = 1; i < self->n; i++)
    {
      const WpStacksFile *file = &self->files[i];
      g_autofree char *a = shown_type (first, first->type), *b = shown_type (file, file->type);
      g_autofree char *unit_a = shown_unit (first), *unit_b = shown_unit (file);

      if (is_alike (unit_of (first, first->type), unit_of (file, file->type)))
        continue;
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                   _("%s has values of %s in %s, but %s of %s in %s; compare profiles that have a type of value in common"),
                   first->said.path, a, unit_a, file->said.path, b, unit_b);
      return FALSE;
    }
  return TRUE;
}

/* --- what may mislead ------------------------------------------------------------------------------------------------ */

static void
warn_of_names (const Files *self)
{
  const WpStacksFile *first = &self->files[0];

  for (guint i = 1; i < self->n; i++)
    {
      const WpStacksFile *file = &self->files[i];
      g_autofree char *a = shown_type (first, first->type), *b = shown_type (file, file->type);

      if (g_str_equal (a, b))
        continue;
      g_ptr_array_add (self->comparer->result->warnings, g_strdup_printf (_("Values of different types are compared: %s and %s"), a, b));
      return;
    }
}

static void
warn_of_missing (const Files *self)
{
  g_autoptr (GHashTable) said = g_hash_table_new_full (wp_hash_string, g_str_equal, g_free, NULL);
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint i = 0; i < self->n; i++)
    for (guint32 t = 0; t < self->files[i].stacks->types.len; t++)
      {
        const WpStacksFile *file = &self->files[i];
        char *name = shown_type (file, t);

        if (t == file->type || all_have (self, file, t) || g_hash_table_contains (said, name))
          {
            g_free (name);
            continue;
          }
        g_string_append_printf (names, "%s%s (%s)", names->len > 0 ? ", " : "", name, file->side == WP_SIDE_A ? "A" : "B");
        g_hash_table_add (said, name);
      }
  if (names->len > 0)
    g_ptr_array_add (self->comparer->result->warnings, g_strdup_printf (_("Types of values that not all profiles have are left out: %s"), names->str));
}

/* Nothing is there to be seen of values that are zero; flame views have no width for those below. */
static void
warn_of_values (const Files *self, const WpStacksFile *file)
{
  const gint64 *values = file->stacks->values[file->type].data;
  g_autofree char *type = shown_type (file, file->type);
  gboolean any = FALSE, negative = FALSE;
  const char *format;
  char *warning;

  for (guint32 i = 0; i < file->stacks->n_samples; i++)
    {
      any |= values[i] != 0;
      negative |= values[i] < 0;
    }
  format = !any      ? _("%s has no values of %s other than zero")
           : negative ? _("%s has negative values of %s: flame views show them without their sign")
                      : NULL;
  warning = format != NULL ? wp_comparison_fill (format, file->said.path, type) : NULL;
  if (warning != NULL)
    g_ptr_array_add (self->comparer->result->warnings, warning);
}

/* --- figures --------------------------------------------------------------------------------------------------------- */

/* The unit that values are brought to, as profiles name it: of times, bytes, or that of the first file. What is counted says the type's name. */
static const char *
common_unit (const char *first)
{
  return wp_measure_is_alike (first, "ns") ? "ns" : wp_measure_is_alike (first, "bytes") ? "B" : g_str_equal (first, "count") ? "" : first;
}

static double
ratio_to (const char *unit, const char *common)
{
  return wp_measure_ratio (unit, g_str_equal (common, "B") ? "bytes" : common);
}

static gint64
total_of (const WpStacks *stacks, guint32 type)
{
  gint64 total = 0;

  for (guint32 i = 0; i < stacks->n_samples; i++)
    total = wp_sum (total, stacks->values[type].data[i]);
  return total;
}

/* `type`: of the first file. */
static void
add_figure (const Files *self, const WpStacksFile *file, guint32 type, guint32 own)
{
  const WpStacksFile *first = &self->files[0];
  const char *unit = common_unit (unit_of (first, type));
  g_autofree char *name = shown_type (first, type);

  wp_comparer_figure (self->comparer, name, unit, (double) total_of (file->stacks, own) * ratio_to (unit_of (file, own), unit));
}

/* Whether all have that type of the first file. Where several types of a file have one name, the first of them counts. */
static gboolean
is_common (const Files *self, guint32 type)
{
  const WpStacksFile *first = &self->files[0];
  guint32 named;

  return find_like (first, first, type, &named) && named == type && all_have (self, first, type);
}

/* That of the type whose frames are compared comes first. */
static void
add_figures (const Files *self, const WpStacksFile *file)
{
  const WpStacksFile *first = &self->files[0];
  WpId chosen = first->stacks->types.data[first->type].type;
  guint32 own;

  add_figure (self, file, first->type, file->type);
  for (guint32 t = 0; t < first->stacks->types.len; t++)
    if (first->stacks->types.data[t].type != chosen && is_common (self, t) && find_like (file, first, t, &own))
      add_figure (self, file, t, own);
}

static void
add_types (const Files *self)
{
  const WpStacksFile *first = &self->files[0];
  WpComparison *result = self->comparer->result;

  for (guint32 t = 0; t < first->stacks->types.len; t++)
    {
      const char *name = wp_stacks_text (first->stacks, first->stacks->types.data[t].type);

      if (!is_common (self, t))
        continue;
      if (first->stacks->types.data[t].type == first->stacks->types.data[first->type].type)
        result->type = result->types.len;
      wp_array_push (&result->types, ((WpComparedType) { g_strdup (name), wp_stacks_type_shown (first->stacks, t) }));
    }
}

/* --- frames and call tree -------------------------------------------------------------------------------------------- */

typedef struct
{
  WpComparer *comparer;
  const WpStacks *stacks;
  const WpGraph *graph;
  double ratio;
  gboolean modules;
  WpId *frames; /* of the names of the graph; 0: not yet */
} Frames;

/* A process or device is no module's. */
static WpId
frame_of (const Frames *self, guint32 name)
{
  const WpFrameName *frame = &self->graph->names->names.data[name];
  const WpFrames *frames = self->stacks->frames;
  const WpLocation *location = &frames->locations.data[frame->location];
  WpId file = frames->modules.data[location->module].file;
  const gboolean unnamed = self->modules && !wp_stacks_has_symbol (self->stacks, location->module, frame->function);
  g_autofree char *module = NULL;

  if (self->frames[name] != 0)
    return self->frames[name];
  module = self->modules && wp_frame_is_code (wp_module_frame_kind (wp_stacks_text (self->stacks, file)))
             ? wp_stacks_module_name (self->stacks, location->module)
             : g_strdup ("");
  self->frames[name] = wp_comparer_frame (self->comparer, unnamed ? WP_COMPARED_NO_SYMBOL : frame->name, module);
  return self->frames[name];
}

static void
add_functions (const Frames *self)
{
  for (guint32 i = 0; i < self->graph->nodes.len; i++)
    {
      const WpGraphNode *node = &self->graph->nodes.data[i];

      wp_comparer_frame_amounts (self->comparer, frame_of (self, (guint32) (node->frame - self->graph->names->names.data)),
                                 (double) wp_graph_value (node->flat) * self->ratio, (double) wp_graph_value (node->cum) * self->ratio);
    }
}

/* Parents come before their children. */
static void
add_tree (const Frames *self, const WpTree *tree)
{
  g_autofree WpId *nodes = g_new0 (WpId, tree->nodes.len);

  for (WpId n = 1; n < tree->nodes.len; n++)
    {
      const WpNode *node = &tree->nodes.data[n];
      WpId frame = node->function != 0 ? frame_of (self, node->function - 1)
                                       : wp_comparer_frame (self->comparer, wp_strings_get (tree->strings, node->name), "");

      nodes[n] = wp_comparer_node (self->comparer, nodes[node->parent], frame);
      wp_comparer_amount (self->comparer, nodes[n], (double) node->self * self->ratio);
    }
}

static gboolean
add_file (const Files *self, const WpStacksFile *file, WpProgress *progress, GError **error)
{
  const WpStacksFile *first = &self->files[0];
  const char *unit = common_unit (unit_of (first, first->type));
  const WpGraphOptions graph_options = { .frames = { .modules = self->modules }, .type = file->type };
  const WpStackTreeOptions tree_options = { .type = file->type };
  g_autoptr (WpGraph) graph = wp_graph_new (file->stacks, &graph_options, progress, error);
  g_autoptr (WpTree) tree = graph != NULL ? wp_stack_tree_new (file->stacks, graph->names, &tree_options, progress, error) : NULL;
  double factor = 1;
  WpCompared *compared = tree != NULL ? wp_comparer_begin (self->comparer, file->side, file->said.path, unit, &factor, error) : NULL;
  g_autofree WpId *frames = compared != NULL ? g_new0 (WpId, MAX (graph->names->names.len, 1)) : NULL;
  const Frames adding = { self->comparer, file->stacks, graph, ratio_to (unit_of (file, file->type), unit) * factor, self->modules, frames };

  if (compared == NULL)
    return FALSE;
  for (guint f = 0; f < WP_N_FACTS; f++)
    wp_compared_set_fact (compared, f, file->said.facts[f]);
  warn_of_values (self, file);
  add_figures (self, file);
  add_functions (&adding);
  add_tree (&adding, tree);
  wp_comparer_end (self->comparer);
  return TRUE;
}

gboolean
wp_comparer_add_stacks (WpComparer *self, WpStacksFile *files, guint n, const WpCompareOptions *options, WpProgress *progress, GError **error)
{
  Files all = { .comparer = self, .files = files, .n = n, .modules = TRUE };
  gboolean done = prepare_files (&all, options, progress, error);

  if (done && options->sample_index == NULL)
    choose_types (&all);
  else if (done)
    done = find_types (&all, options->sample_index, error);
  done = done && check_units (&all, error);
  if (done)
    {
      warn_of_names (&all);
      warn_of_missing (&all);
      add_types (&all);
    }
  for (guint i = 0; done && i < n; i++)
    done = add_file (&all, &files[i], progress, error);
  for (guint i = 0; i < n; i++)
    g_clear_pointer (&files[i].types, g_hash_table_unref);
  return done;
}
