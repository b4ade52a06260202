/* flame: the flame views as folded stacks, a picture, or their boxes. */
#include "base/json-writer.h"
#include "cli/open.h"
#include "cli/output.h"
#include "cli/stacks.h"
#include "paint/paint.h"
#include "paths/stacks.h"
#include "paths/tree.h"
#include "view/layout.h"
#include "view/rows-trace.h"
#include "workspace/stacks/stacks-views.h"

#define PICTURE_WIDTH 1920
#define FORMATS "folded|svg|png|pdf|json|trace"
#define COLORS "process|state|code|module"
/* Folded stacks: so many bytes always, and so many for each thing that was recorded. */
#define FOLDED_ALWAYS (G_GUINT64_CONSTANT (128) << 20)
#define FOLDED_EACH 1024

typedef struct
{
  WpCliPathOptions paths;
  WpCliStacksOptions stacks; /* of which only what filters, and which frames there are */
  char *format, *output, *colors;
  gboolean consolidated, wait_chain;
  gboolean inverted, collapse_recursion, icicle; /* of what is consolidated */
} Options;

static gboolean
is_folded (const Options *options)
{
  return g_str_equal (options->format, "folded");
}

static gboolean
is_gathered (const Options *options)
{
  return options->consolidated || is_folded (options);
}

static void
write_box (WpJsonWriter *json, const WpRows *rows, const WpBox *box)
{
  wp_json_writer_object (json, NULL, WP_JSON_SPACED);
  wp_json_writer_int (json, "start", box->start);
  wp_json_writer_int (json, "end", box->end);
  wp_json_writer_string (json, "kind", wp_box_kind_id (box->kind));
  wp_json_writer_string (json, "name", wp_strings_get (rows->strings, box->label));
  wp_json_writer_end (json);
}

/* Of what goes to the terminal or a pipe only so much is kept. */
static void
rows_json (GString *out, const WpRows *rows, gboolean kept)
{
  g_autoptr (WpJsonWriter) json = wp_json_writer_new_text (out);

  wp_json_writer_object (json, NULL, WP_JSON_SPACED);
  wp_json_writer_int (json, "start", rows->start);
  wp_json_writer_int (json, "end", rows->end);
  wp_json_writer_bool (json, "is_time", rows->is_time);
  wp_json_writer_array (json, "rows", WP_JSON_SPACED);
  for (guint32 r = 0; r < rows->rows.len; r++)
    {
      const WpRow *row = &rows->rows.data[r];

      wp_json_writer_line (json);
      wp_json_writer_array (json, NULL, WP_JSON_TIGHT);
      for (guint32 b = row->first; b < row->first + row->n; b++)
        {
          write_box (json, rows, &rows->boxes.data[b]);
          if (!kept)
            wp_cli_flush_full (out);
        }
      wp_json_writer_end (json);
    }
  wp_json_writer_line (json);
  wp_json_writer_end (json);
  wp_json_writer_end (json);
}

/* What is drawn. */
typedef struct
{
  const WpCliFile *file;
  const Options *options;
  WpDepthChoice depth;
  GString *out;
  WpRows *rows, *strip; /* NULL: it was written as folded stacks; there is none */
} Drawing;

static char *
title_of (const Drawing *self)
{
  g_autofree char *base = g_path_get_basename (self->file->spec);

  if (self->file->paths == NULL)
    return g_steal_pointer (&base);
  return g_strdup_printf ("%s — %s", self->file->paths->name, self->options->consolidated ? "consolidated" : "in time order");
}

static int
write_picture (const Drawing *self)
{
  const Options *options = self->options;
  g_autofree char *title = title_of (self), *file = g_strdup (options->output);
  WpColors colors = options->colors != NULL ? wp_colors_from_id (options->colors) : WP_COLORS_PROCESS;
  const WpPictureStyle style = { WP_THEME_LIGHT, colors, self->strip };
  GError *error = NULL;

  if (file == NULL)
    file = self->file->paths != NULL ? wp_cli_file_of (self->file->paths, options->format) : g_strdup_printf ("%s.%s", title, options->format);
  if (!wp_picture_write (file, wp_picture_format_from_id (options->format), self->rows, title, PICTURE_WIDTH, &style, &error))
    return wp_cli_fail (error);
  g_print ("%s\n", file);
  return 0;
}

static int
write_trace (const Drawing *self)
{
  g_autoptr (WpJsonWriter) json = wp_json_writer_new_text (self->out);
  g_autofree char *title = title_of (self);

  wp_rows_write_trace (self->rows, title, json);
  return wp_cli_put (self->out, self->options->output);
}

/* Each line has the whole stack: of stacks on stacks on stacks that is much. `things` were recorded. */
static int
write_folded (Drawing *self, const WpTree *tree, guint64 things)
{
  guint64 size = wp_tree_folded_size (tree);
  g_autofree char *text = g_format_size_full (size, G_FORMAT_SIZE_IEC_UNITS);

  if (size > FOLDED_ALWAYS + FOLDED_EACH * things)
    return wp_cli_fail (g_error_new (G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, "%s: its folded stacks would be %s of text; a picture shows them",
                                     self->file->spec, text));
  wp_tree_folded (tree, self->out);
  return wp_cli_put (self->out, self->options->output);
}

/* `of_paths`: its nodes' functions are the trace's, not those of stacks. */
static int
draw_tree (Drawing *self, const WpTree *tree, gboolean of_paths, guint64 things)
{
  WpBodies bodies = { 0 };
  WpModuleHues modules = { 0 };

  if (is_folded (self->options))
    return write_folded (self, tree, things);
  if (of_paths && self->depth.by_module)
    {
      wp_module_hues_init (&modules, self->file->paths);
      self->rows = wp_layout_tree_by_module (tree, self->options->icicle, &modules);
      wp_module_hues_clear (&modules);
      return 0;
    }
  if (self->file->paths != NULL)
    wp_bodies_of_paths (&bodies, self->file->paths);
  self->rows = wp_layout_tree (tree, self->options->icicle, self->file->paths != NULL ? &bodies : NULL);
  wp_bodies_clear (&bodies);
  return 0;
}

static int
draw_stacks (Drawing *self, WpStacks *stacks)
{
  g_auto (WpCliStacks) filtered = { 0 };
  g_autoptr (WpTree) tree = NULL;
  GError *error = NULL;
  int status = wp_cli_stacks_take (&filtered, &self->options->stacks, stacks);

  if (status != 0)
    return status;
  tree = wp_cli_stacks_tree (&filtered, &self->options->stacks, self->options->inverted, self->options->collapse_recursion, is_folded (self->options), &error);
  if (tree == NULL)
    return wp_cli_fail (error);
  status = draw_tree (self, tree, FALSE, filtered.stacks->n_samples + filtered.stacks->frames->runs.n);
  if (self->rows != NULL)
    wp_stacks_set_unit (self->rows, filtered.unit);
  return status;
}

static int
draw_gathered (Drawing *self)
{
  const WpCliFile *file = self->file;
  const WpTrace *trace = file->document->trace;
  g_autoptr (WpExplanation) explanation = wp_explain (file->paths, file->from_ns, file->to_ns, NULL, NULL);
  const WpTreeOptions options = { .inverted = self->options->inverted, .collapse_recursion = self->options->collapse_recursion,
                                  .explanation = explanation, .depth = self->depth };
  GError *error = NULL;
  g_autoptr (WpTree) tree = NULL;

  if (wp_cli_stacks_filters (&self->options->stacks))
    return draw_stacks (self, wp_paths_stacks (file->paths, explanation, options.depth, NULL, NULL));
  tree = wp_tree_new (file->paths, &options, NULL, &error);
  return tree != NULL ? draw_tree (self, tree, TRUE, (guint64) trace->ops.len + trace->samples.len) : wp_cli_fail (error);
}

static int
draw_in_order (Drawing *self)
{
  g_autoptr (WpExplanation) explanation = wp_explain (self->file->paths, 0, G_MAXINT64, NULL, NULL);
  GError *error = NULL;

  if (self->options->wait_chain)
    self->strip = wp_layout_strip (self->file->paths, explanation);
  self->rows = wp_layout_flame (self->file->paths, explanation, self->depth, NULL, &error);
  return self->rows != NULL ? 0 : wp_cli_fail (error);
}

static int
draw (const WpCliFile *file, const Options *options, WpDepthChoice depth)
{
  g_autoptr (GString) out = g_string_new (NULL);
  Drawing drawing = { .file = file, .options = options, .depth = depth, .out = out };
  g_autoptr (WpRows) rows = NULL, strip = NULL;
  int status;

  if (file->stacks != NULL)
    status = draw_stacks (&drawing, wp_stacks_ref (file->stacks));
  else
    status = is_gathered (options) ? draw_gathered (&drawing) : draw_in_order (&drawing);
  rows = drawing.rows;
  strip = drawing.strip;
  if (status != 0 || rows == NULL)
    return status;
  if (g_str_equal (options->format, "trace"))
    return write_trace (&drawing);
  if (!g_str_equal (options->format, "json"))
    return write_picture (&drawing);
  rows_json (out, rows, options->output != NULL);
  return wp_cli_put (out, options->output);
}

/* What changes the view of all stacks gathered, or needs it. */
static gboolean
changes_gathered (const Options *options)
{
  return options->paths.from != NULL || options->paths.to != NULL || options->inverted || options->collapse_recursion || options->icicle
         || wp_cli_stacks_filters (&options->stacks);
}

static int
check_stacks (const WpCliFile *file, const Options *options)
{
  const WpCliPathOptions *paths = &options->paths;

  if (wp_cli_depth_hides (&options->stacks.explained))
    {
      g_printerr ("wakepath-cli: %s explains no process: instead of --hide-function, --hide-module and --hide-matching there is --hide\n",
                  file->spec);
      return 1;
    }
  if (options->stacks.explained.depth == NULL && paths->task == NULL && paths->from == NULL && paths->to == NULL && paths->cut == NULL
      && !paths->merge_threads && !paths->started_work && !options->wait_chain)
    return 0;
  g_printerr ("wakepath-cli: %s explains no process: leave out --task, --from, --to, --cut, --merge-threads, "
              "--started-work, --depth and --wait-chain\n", file->spec);
  return 1;
}

static int
run (gpointer data, int n G_GNUC_UNUSED, char **operands)
{
  Options *options = data;
  g_auto (WpCliFile) file = { 0 };
  g_auto (WpHideRules) hide = { 0 };
  WpDepthChoice depth;
  int status = wp_cli_depth_choose (&options->stacks.explained, &hide, &depth);

  if (status != 0)
    return status;
  depth.by_module = options->colors != NULL && wp_colors_from_id (options->colors) == WP_COLORS_MODULE;
  wp_cli_default_format (&options->format, options->output, FORMATS);
  status = wp_cli_open_for_paths (&file, operands[0], &options->paths, WP_CLI_STACKS);
  if (status == 0 && file.stacks != NULL)
    status = check_stacks (&file, options);
  else if (status == 0 && !is_gathered (options) && changes_gathered (options))
    status = wp_cli_usage ("in time order all is drawn as it was; --from, --to, --inverted, --collapse-recursion, --icicle and what filters go with "
                           "--consolidated");
  else if (status == 0 && is_gathered (options) && options->wait_chain)
    status = wp_cli_usage ("--wait-chain goes with pictures in time order: without --consolidated and folded stacks");
  else if (status == 0 && depth.by_module && wp_cli_stacks_filters (&options->stacks))
    status = wp_cli_usage ("--colours module goes with all stacks: without what filters them");
  else if (status == 0)
    status = wp_cli_find_paths (&file, &options->paths);
  return status == 0 ? draw (&file, options, depth) : status;
}

static const WpOption rows[] = {
  WP_OPTIONS_PATHS (Options, paths),
  { "consolidated", 'c', G_OPTION_ARG_NONE, offsetof (Options, consolidated), NULL, "All stacks gathered, instead of in time order" },
  WP_OPTIONS_FROM_TO (Options, paths),
  WP_OPTIONS_DEPTH (Options, stacks.explained),
  { "colours", 0, G_OPTION_ARG_STRING, offsetof (Options, colors), COLORS,
    "Of pictures, what colours tell: the process, which is the default; what is done, as in the paper on the method; whose code it is: "
    "the program's own, a library's or the kernel's; or the module: each large program and library" },
  { "wait-chain", 0, G_OPTION_ARG_NONE, offsetof (Options, wait_chain), NULL,
    "Of pictures in time order: the wait chain above them, a band for each process and device that takes part" },
  { "inverted", 0, G_OPTION_ARG_NONE, offsetof (Options, inverted), NULL, "Of all stacks gathered: the innermost functions first" },
  { "collapse-recursion", 0, G_OPTION_ARG_NONE, offsetof (Options, collapse_recursion), NULL,
    "Of all stacks gathered: a function that calls itself is one box" },
  { "icicle", 0, G_OPTION_ARG_NONE, offsetof (Options, icicle), NULL, "Of all stacks gathered: the roots at the top" },
  WP_OPTIONS_FILTER (Options, stacks),
  WP_OPTION_FORMAT (Options, format, FORMATS),
  WP_OPTION_OUTPUT (Options, output),
  WP_OPTION_END,
};

const WpCommand wp_cmd_flame = {
  .name = "flame",
  .group = WP_GROUP_RECORDINGS,
  .operands = "FILE",
  .summary = "Flame views of a process or profile, as picture or folded stacks",
  .description = "Without *--task* it is the process of the command that was recorded. Folded stacks are all "
                 "gathered, and go to standard output; a picture goes to a file that is named after the process "
                 "where *-o* does not say otherwise. *--from*, *--to*, what changes the order of functions and what "
                 "filters go with *--consolidated* and with folded stacks. _trace_ are Chrome's trace events, a lane "
                 "a thread, with links as arrows.\n\n"
                 "*--depth* changes no number, only which frames are boxes of their own. _waits_: each process and "
                 "what it waited for, in words. _functions_: the program's own functions; what they ask of the "
                 "kernel is one box, in words, and neighbours without names are one, too. Nor do *--hide-function*, "
                 "*--hide-module* and *--hide-matching*: the boxes go, and their time is charged to their callers. "
                 "*--hide* does the same afterwards, to all boxes with a match, in words or not.\n\n"
                 "Of any other profile with stacks (of pprof, speedscope or Perun, folded stacks, Chrome's trace "
                 "events) all stacks are gathered. *--sample-index* says which values are drawn; of a process these "
                 "are _running_, _waiting_ (both without it) and _latency_, each one's share of the elapsed time.",
  .options = rows,
  .size = sizeof (Options),
  .least = 1,
  .most = 1,
  .run = run,
};
