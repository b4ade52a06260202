/* What of a profile is compared. */
#include "profile/compare/compare-private.h"

#include "paths/stacks.h"
#include "paths/terms.h"
#include "profile/model/profile-stacks.h"
#include "stacks/formats.h"
#include "stacks/perun.h"

#include <math.h>

void
wp_compared_set_fact (WpCompared *self, WpFact fact, const char *text)
{
  g_free (self->facts[fact]);
  self->facts[fact] = g_strdup (text != NULL ? text : "");
}

static const char *
extra (const WpTrace *trace, const char *key)
{
  return trace->extra != NULL ? g_hash_table_lookup (trace->extra, key) : NULL;
}

static void
set_label (WpCompared *self, const char *label)
{
  g_autofree char *base = g_path_get_basename (self->path);

  wp_compared_set_fact (self, WP_FACT_LABEL, label != NULL && *label != '\0' ? label : base);
}

/* --- our own --------------------------------------------------------------------------------------------------------- */

static void
take_facts (WpCompared *profile, const WpTrace *trace, const WpPaths *paths)
{
  const struct
  {
    WpFact fact;
    const char *text;
  } facts[] = { { WP_FACT_COMMIT, extra (trace, "commit") }, { WP_FACT_HOST, trace->host },
                { WP_FACT_KERNEL, trace->kernel },           { WP_FACT_COMMAND, trace->command },
                { WP_FACT_TASK, paths->name },               { WP_FACT_STACKS, extra (trace, "stacks") },
                { WP_FACT_DIRTY, extra (trace, "dirty") } };
  g_autofree char *cpus = trace->n_cpus > 0 ? g_strdup_printf ("%u", trace->n_cpus) : NULL;
  g_autofree char *options
    = g_strdup_printf ("%s%s%sgrace %" G_GINT64_FORMAT " µs", paths->options.merge_threads ? "merged threads, " : "",
                       paths->options.started_work ? "started work, " : "",
                       paths->options.cuts != NULL && paths->options.cuts->len > 0 ? "cut branches, " : "",
                       paths->options.grace / 1000);

  for (guint i = 0; i < G_N_ELEMENTS (facts); i++)
    wp_compared_set_fact (profile, facts[i].fact, facts[i].text);
  wp_compared_set_fact (profile, WP_FACT_CPUS, cpus);
  wp_compared_set_fact (profile, WP_FACT_OPTIONS, options);
  set_label (profile, NULL);
}

static void
add_explanation (WpComparer *self, const WpExplanation *explanation)
{
  wp_comparer_row (self, WP_ROW_FIGURE, "wall", wp_term_name (WP_TERM_TOOK), (double) explanation->wall);
  wp_comparer_row (self, WP_ROW_FIGURE, "total", wp_term_name (WP_TERM_COUNTED), (double) explanation->total);
  for (guint c = 0; c < WP_CATEGORY_COUNT; c++)
    wp_comparer_row (self, WP_ROW_CATEGORY, wp_category_id (c), wp_category_name (c), (double) explanation->ns[c]);
  for (guint32 r = 0; r < explanation->rows.len; r++)
    {
      const WpExplanationRow *row = &explanation->rows.data[r];

      wp_comparer_row (self, WP_ROW_SUB, wp_category_id (row->category), row->name, (double) row->ns);
    }
}

static WpId
frame_of_node (WpComparer *self, const WpTrace *trace, const WpTree *tree, const WpNode *node)
{
  const char *name = wp_strings_get (tree->strings, node->name), *module = "";

  if (node->function != 0 || node->unnamed != 0)
    wp_compared_function (trace, node->function, node->unnamed, &name, &module);
  return wp_comparer_frame (self, name, module);
}

/* `nodes`: what the tree's are in the comparison. */
static void
add_hidden (WpComparer *self, const WpTrace *trace, const WpTree *tree, const WpId *nodes)
{
  WpComparison *result = self->result;
  g_autofree guint8 *wanted = g_new0 (guint8, MAX (trace->stacks.len, 1));
  g_autofree WpId *stacks = NULL;

  for (guint32 h = 1; h < tree->hidden.len; h++)
    wanted[tree->hidden.data[h].inner] = 1;
  stacks = wp_named_stacks_take (result->stacks, trace, wanted);
  for (WpId n = 1; n < tree->nodes.len; n++)
    for (guint32 h = tree->nodes.data[n].hidden; h != 0; h = tree->hidden.data[h].next)
      wp_hidden_add (&result->hidden, &self->hidden, nodes[n], &result->nodes.data[nodes[n]].hidden, stacks[tree->hidden.data[h].inner],
                     stacks[tree->hidden.data[h].outer]);
}

/* Parents come before their children. Neighbouring functions without a symbol become one. */
static void
add_tree (WpComparer *self, const WpTrace *trace, const WpTree *tree)
{
  g_autofree WpId *nodes = g_new0 (WpId, tree->nodes.len);

  for (WpId n = 1; n < tree->nodes.len; n++)
    {
      const WpNode *node = &tree->nodes.data[n];

      nodes[n] = wp_comparer_node (self, nodes[node->parent], frame_of_node (self, trace, tree, node));
      if (node->self > 0)
        wp_comparer_amount (self, nodes[n], (double) node->self);
    }
  if (tree->hidden.len > 1)
    add_hidden (self, trace, tree, nodes);
}

/* By stack of the trace, as WpDepthChoice has it. NULL: nowhere. */
static guint8 *
find_opened (const WpNamedStacks *opened, const WpTrace *trace)
{
  g_autofree WpId *named = opened != NULL ? wp_named_stacks_find (opened, trace) : NULL;
  guint8 *stacks = named != NULL ? g_new0 (guint8, MAX (trace->stacks.len, 1)) : NULL;

  for (WpId s = 1; named != NULL && s < trace->stacks.len; s++)
    stacks[s] = named[s] != 0 && opened->stacks.data[named[s]].opened;
  return stacks;
}

gboolean
wp_comparer_add_paths (WpComparer *self, WpSide side, const WpDocument *document, const WpPaths *paths, WpDepthChoice depth,
                       const WpNamedStacks *opened, WpProgress *progress, GError **error)
{
  g_autofree guint8 *shown = find_opened (opened, document->trace);
  g_autoptr (WpExplanation) explanation = wp_explain (paths, 0, G_MAXINT64, progress, error);
  WpTreeOptions options = { .explanation = explanation, .depth = { .depth = depth.depth, .opened = shown, .hide = depth.hide } };
  g_autoptr (WpAnswer) answer = explanation != NULL ? wp_answer_new (paths, explanation, progress, error) : NULL;
  g_autoptr (WpTree) tree = answer != NULL ? wp_tree_new (paths, &options, progress, error) : NULL;
  double factor = 1;
  WpCompared *profile = tree != NULL ? wp_comparer_begin (self, side, document->path, "ns", &factor, error) : NULL;

  if (profile == NULL)
    return FALSE;
  take_facts (profile, document->trace, paths);
  self->result->has_depths = TRUE;
  add_explanation (self, explanation);
  wp_comparer_add_answer (self, answer);
  add_tree (self, document->trace, tree);
  self->result->n_folded += wp_depth_count_folded (document->trace, &tree->hidden);
  wp_comparer_end (self);
  return TRUE;
}

/* --- any other ------------------------------------------------------------------------------------------------------- */

typedef struct
{
  WpComparer *comparer;
  const WpProfile *profile;
  double factor;  /* of amounts */
  WpPairMap traces; /* trace, uid → node */
  WpValue function, func, source, free_;
} Resources;

/* What a uid or an element of a trace is called: its function, with its file as module; else all that it says. Lines move with every
 * change of a file and stay out of it. */
static WpId
frame_of_value (Resources *self, WpValue value)
{
  const WpValues *values = self->profile->values;
  WpValue name = wp_value_find (values, value, self->function), source = wp_value_find (values, value, self->source);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *file = NULL;

  if (name == 0)
    name = wp_value_find (values, value, self->func);
  wp_value_str (values, name != 0 ? name : value, text);
  if (wp_value_kind (values, source) == WP_VALUE_STRING && *wp_value_string (values, source) != '\0')
    file = g_path_get_basename (wp_value_string (values, source));
  return wp_comparer_frame (self->comparer, text->len > 0 ? text->str : "(unnamed)", file != NULL ? file : "");
}

/* Elements with `function` stand innermost first and the uid is one of them; those with `func` (since 0.22) stand outermost first, and
 * the uid is what they called. */
static WpId
node_of (Resources *self, WpValue trace, WpValue uid)
{
  const WpValues *values = self->profile->values;
  guint32 n = wp_value_kind (values, trace) == WP_VALUE_ARRAY ? wp_value_count (values, trace) : 0;
  gboolean outermost_first = n > 0 && wp_value_find (values, wp_value_item (values, trace, 0), self->func) != 0;
  WpId *found = wp_pair_map_at (&self->traces, trace, uid), node = 0;

  if (*found != 0)
    return *found;
  for (guint32 i = 0; i < n; i++)
    node = wp_comparer_node (self->comparer, node,
                             frame_of_value (self, wp_value_item (values, trace, outermost_first ? i : n - 1 - i)));
  if ((n == 0 || outermost_first) && uid != 0)
    node = wp_comparer_node (self->comparer, node, frame_of_value (self, uid));
  if (node == 0)
    node = wp_comparer_node (self->comparer, 0, wp_comparer_frame (self->comparer, "(unnamed)", ""));
  return *found = node;
}

static void
add_resource (Resources *self, guint32 i)
{
  const WpValues *values = self->profile->values;
  WpValue subtype = wp_profile_field (self->profile, i, "subtype");
  double amount = wp_value_number (values, wp_profile_field (self->profile, i, "amount")) * self->factor;

  /* what is freed is no amount that was asked for */
  if (!isfinite (amount) || (subtype != 0 && subtype == self->free_))
    return;
  wp_comparer_row (self->comparer, WP_ROW_FIGURE, "total", "Total", amount);
  if (wp_value_kind (values, subtype) == WP_VALUE_STRING)
    wp_comparer_row (self->comparer, WP_ROW_CATEGORY, wp_value_string (values, subtype),
                     wp_value_string (values, subtype), amount);
  wp_comparer_amount (self->comparer,
                      node_of (self, wp_profile_trace (self->profile, i),
                               wp_profile_field (self->profile, i, "uid")),
                      amount);
}

gboolean
wp_comparer_add_profile (WpComparer *self, WpSide side, const WpProfile *profile, GError **error)
{
  const WpValues *values = profile->values;
  Resources resources = { .comparer = self, .profile = profile,
                          .function = wp_values_find_string (values, "function"),
                          .func = wp_values_find_string (values, "func"),
                          .source = wp_values_find_string (values, "source"),
                          .free_ = wp_values_find_string (values, "free") };
  WpCompared *compared
    = wp_comparer_begin (self, side, profile->path, wp_profile_unit (profile), &resources.factor, error);
  g_autofree char *command = wp_profile_command (profile);

  if (compared == NULL)
    return FALSE;
  for (guint f = 0; f < WP_N_FACTS; f++)
    wp_compared_set_fact (compared, f, NULL);
  wp_compared_set_fact (compared, WP_FACT_COMMIT, profile->origin);
  wp_compared_set_fact (compared, WP_FACT_COMMAND, command);
  wp_compared_set_fact (compared, WP_FACT_TASK, wp_profile_collector_name (profile));
  set_label (compared, wp_profile_header (profile, "label"));
  wp_comparer_row (self, WP_ROW_FIGURE, "total", "Total", 0);
  for (guint32 i = 0; i < profile->resources.len; i++)
    add_resource (&resources, i);
  wp_pair_map_clear (&resources.traces);
  wp_comparer_end (self);
  return TRUE;
}

/* --- files ----------------------------------------------------------------------------------------------------------- */

static WpPaths *
paths_of (WpDocument *document, const WpCompareOptions *options, gboolean *owned, WpProgress *progress, GError **error)
{
  WpPathOptions path_options = WP_PATH_OPTIONS_DEFAULT;
  WpPaths *paths = wp_document_paths (document, options->task, &path_options, owned, progress, error);

  if (paths == NULL && error != NULL && *error != NULL && !g_str_has_prefix ((*error)->message, document->path))
    g_prefix_error (error, "%s: ", document->path);
  return paths;
}

static gboolean
add_document (WpComparer *self, WpSide side, WpDocument *document, const WpCompareOptions *options,
              WpProgress *progress, GError **error)
{
  gboolean owned, done;
  WpPaths *paths = paths_of (document, options, &owned, progress, error);

  if (paths == NULL)
    return FALSE;
  done = wp_comparer_add_paths (self, side, document, paths, options->depth, options->opened, progress, error);
  if (owned)
    wp_paths_free (paths);
  return done;
}

static WpDocument *
open_document (const char *file, const WpCompareOptions *options, WpProgress *progress, GError **error)
{
  WpReadOptions read = { .idle_task = options->idle_task };
  WpDocument *document = wp_document_open (file, &read, progress, error);

  if (document != NULL && document->saved == NULL)
    wp_document_name (document, &read, progress, NULL);
  return document;
}

/* Whether a profile is of this collector: of our own two have the tables that a document needs, or stacks. What is wrong with the file shows when
 * all of it is read. */
static gboolean
is_of (const char *file, const char *collector)
{
  g_autoptr (WpJsonReader) reader = wp_json_reader_open (file, NULL, NULL);
  const char *key = NULL;

  if (reader == NULL || !wp_json_reader_object (reader))
    return FALSE;
  while ((key = wp_json_reader_key (reader)) != NULL && !g_str_equal (key, "collector_info"))
    wp_json_reader_skip (reader);
  if (key == NULL || !wp_json_reader_object (reader))
    return FALSE;
  while ((key = wp_json_reader_key (reader)) != NULL && !g_str_equal (key, "name"))
    wp_json_reader_skip (reader);
  return key != NULL && wp_json_reader_kind (reader) == WP_JSON_STRING
         && g_str_equal (wp_json_reader_string (reader), collector);
}

/* What could not be read of a profile is missing in the comparison. */
static void
warn_of_omissions (WpComparer *self, WpProfile *profile)
{
  g_autofree char *text = wp_omissions_tell (&profile->omissions, profile->path);
  g_auto (GStrv) lines = g_strsplit (text != NULL ? text : "", "\n", -1);

  for (char **line = lines; *line != NULL; line++)
    g_ptr_array_add (self->result->warnings, g_strdup (*line));
}

/* Whether a file has what explains a process; `format`: as it was told. */
static gboolean
is_document (const char *file, WpFormat format)
{
  return format != WP_FORMAT_UNKNOWN && (format != WP_FORMAT_PERUN || is_of (file, "wakepath"));
}

/* Whether it is of a format of stacks, or they were put into the store; the error says that this explains nothing, as of a recording without the
 * events for that. */
static gboolean
holds_stacks (const char *file, WpFormat format, GError **error)
{
  if (wp_stacks_format_of_file (file) == NULL && (format != WP_FORMAT_PERUN || !is_of (file, WP_PERUN_STACKS)))
    return FALSE;
  g_set_error (error, WP_READ_ERROR, WP_READ_ERROR_EVENTS, "%s holds stacks", file);
  return TRUE;
}

static gboolean
add_file (WpComparer *self, WpSide side, const char *file, const WpCompareOptions *options, WpProgress *progress,
          GError **error)
{
  g_autoptr (GError) unknown = NULL;
  WpFormat format = wp_sniff (file, &unknown);
  g_autoptr (WpDocument) document = NULL;
  g_autoptr (WpProfile) profile = NULL;

  if (is_document (file, format))
    {
      document = open_document (file, options, progress, error);
      return document != NULL && add_document (self, side, document, options, progress, error);
    }
  if (holds_stacks (file, format, error))
    return FALSE;
  if (unknown != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&unknown));
      return FALSE;
    }
  profile = wp_profile_load (file, progress, error);
  if (profile != NULL)
    warn_of_omissions (self, profile);
  return profile != NULL && wp_comparer_add_profile (self, side, profile, error);
}

static gboolean
add_files (WpComparer *self, const WpCompareOptions *options, WpProgress *progress, GError **error)
{
  for (guint side = 0; side < WP_N_SIDES; side++)
    for (guint i = 0; options->files[side][i] != NULL; i++)
      if (!add_file (self, side, options->files[side][i], options, progress, error) || !wp_progress_step (progress, 0, error))
        return FALSE;
  return TRUE;
}

/* --- files as stacks -------------------------------------------------------------------------------------------------- */

static WpStacks *
stacks_of_document (WpCompared *said, WpDocument *document, const WpCompareOptions *options, WpProgress *progress, GError **error)
{
  gboolean owned;
  WpPaths *paths = paths_of (document, options, &owned, progress, error);
  g_autoptr (WpExplanation) explanation = paths != NULL ? wp_explain (paths, 0, G_MAXINT64, progress, error) : NULL;
  WpStacks *stacks = explanation != NULL ? wp_paths_stacks (paths, explanation, options->depth, progress, error) : NULL;

  if (stacks != NULL)
    take_facts (said, document->trace, paths);
  if (paths != NULL && owned)
    wp_paths_free (paths);
  return stacks;
}

static WpStacks *
stacks_of_perun (WpComparer *self, WpCompared *said, WpProgress *progress, GError **error)
{
  g_autoptr (WpProfile) profile = wp_profile_load (said->path, progress, error);

  if (profile == NULL)
    return NULL;
  warn_of_omissions (self, profile);
  wp_compared_set_fact (said, WP_FACT_COMMIT, profile->origin);
  return wp_profile_stacks (profile, progress, error);
}

/* What is no profile at all says best what it is. */
static WpStacks *
stacks_of_other (const char *file, const WpCompareOptions *options, WpProgress *progress, GError **error)
{
  g_autoptr (GError) wrong = NULL;
  WpStacks *stacks = options->open_stacks != NULL ? options->open_stacks (file, NULL, NULL, progress, &wrong) : wp_stacks_open (file, NULL, progress, &wrong);

  if (stacks == NULL && (!g_error_matches (wrong, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED) || wp_sniff (file, error) != WP_FORMAT_UNKNOWN))
    g_propagate_error (error, g_steal_pointer (&wrong));
  return stacks;
}

/* A process is explained where that is possible. */
static WpStacks *
open_stacks (WpComparer *self, WpCompared *said, const WpCompareOptions *options, WpProgress *progress, GError **error)
{
  WpFormat format = wp_sniff (said->path, NULL);
  g_autoptr (GError) problem = NULL;
  g_autoptr (WpDocument) document = is_document (said->path, format) ? open_document (said->path, options, progress, &problem) : NULL;
  WpStacks *stacks;

  self->result->has_depths |= document != NULL;
  if (document != NULL)
    return stacks_of_document (said, document, options, progress, error);
  if (problem != NULL && !g_error_matches (problem, WP_READ_ERROR, WP_READ_ERROR_EVENTS))
    {
      g_propagate_error (error, g_steal_pointer (&problem));
      return NULL;
    }
  for (guint f = 0; f < WP_N_FACTS; f++)
    wp_compared_set_fact (said, f, NULL);
  if (format == WP_FORMAT_PERUN && wp_stacks_format_of_file (said->path) == NULL)
    stacks = stacks_of_perun (self, said, progress, error);
  else
    stacks = stacks_of_other (said->path, options, progress, error);
  if (stacks != NULL)
    wp_compared_set_fact (said, WP_FACT_COMMAND, wp_stacks_command (stacks));
  set_label (said, NULL);
  return stacks;
}

static gboolean
add_files_as_stacks (WpComparer *self, const WpCompareOptions *options, WpProgress *progress, GError **error)
{
  WP_ARRAY (WpStacksFile) files = { 0 };
  gboolean done = TRUE;

  for (guint side = 0; side < WP_N_SIDES; side++)
    for (const char *const *name = options->files[side]; done && *name != NULL; name++)
      {
        WpStacksFile file = { .side = side, .said = { .path = (char *) *name } };

        file.stacks = open_stacks (self, &file.said, options, progress, error);
        done = file.stacks != NULL;
        wp_array_push (&files, file);
      }
  done = done && wp_comparer_add_stacks (self, files.data, files.len, options, progress, error);
  for (guint32 i = 0; i < files.len; i++)
    {
      for (guint f = 0; f < WP_N_FACTS; f++)
        g_free (files.data[i].said.facts[f]);
      wp_stacks_unref (files.data[i].stacks);
    }
  wp_array_clear (&files);
  return done;
}

/* --- all of it --------------------------------------------------------------------------------------------------------- */

static WpComparer *
comparer_for (const WpCompareOptions *options)
{
  return wp_comparer_new (g_strv_length ((char **) options->files[WP_SIDE_A]), g_strv_length ((char **) options->files[WP_SIDE_B]));
}

/* Where one explains nothing, all are compared as stacks. */
static WpComparer *
gather (const WpCompareOptions *options, WpProgress *progress, GError **error)
{
  g_autoptr (WpComparer) whole = comparer_for (options), stacks = comparer_for (options);
  gboolean is_filtered = options->filter != NULL || options->sample_index != NULL;
  g_autoptr (GError) problem = NULL;

  if (!is_filtered && add_files (whole, options, progress, &problem))
    return g_steal_pointer (&whole);
  if (is_filtered || g_error_matches (problem, WP_READ_ERROR, WP_READ_ERROR_EVENTS))
    return add_files_as_stacks (stacks, options, progress, error) ? g_steal_pointer (&stacks) : NULL;
  g_propagate_error (error, g_steal_pointer (&problem));
  return NULL;
}

/* Of files that do not say their commit. */
static void
take_commits (WpComparison *self, WpSide side, const char *const *commits)
{
  for (guint32 i = 0; commits != NULL && i < self->profiles[side].len; i++)
    {
      WpCompared *profile = &self->profiles[side].data[i];

      if (*profile->facts[WP_FACT_COMMIT] == '\0')
        wp_compared_set_fact (profile, WP_FACT_COMMIT, commits[i]);
    }
}

WpComparison *
wp_compare (const WpCompareOptions *options, WpProgress *progress, GError **error)
{
  g_autoptr (WpComparer) comparer = gather (options, progress, error);

  if (comparer == NULL)
    return NULL;
  for (guint side = 0; side < WP_N_SIDES; side++)
    {
      comparer->result->names[side] = g_strdup (options->names[side]);
      take_commits (comparer->result, side, options->commits[side]);
    }
  wp_progress_phase (progress, "Comparing");
  return wp_comparer_finish (comparer, options->normalise);
}
