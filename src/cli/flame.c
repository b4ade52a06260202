/* flame: the flame views as folded stacks, a picture, or their boxes. */
#include "base/json-writer.h"
#include "cli/open.h"
#include "cli/output.h"
#include "paint/paint.h"
#include "paths/tree.h"
#include "view/layout.h"

#define PICTURE_WIDTH 1920
#define FORMATS "folded|svg|png|pdf|json"
/* Folded stacks: so many bytes always, and so many for each thing that was recorded. */
#define FOLDED_ALWAYS (G_GUINT64_CONSTANT (128) << 20)
#define FOLDED_EACH 1024

typedef struct
{
  WpCliPathOptions paths;
  char *format, *output;
  gboolean consolidated;
  gboolean inverted, collapse_recursion, icicle; /* of what is consolidated */
} Options;

static void
write_box (WpJsonWriter *json, const WpRows *rows, const WpBox *box)
{
  wp_json_writer_object (json, NULL, WP_JSON_SPACED);
  wp_json_writer_int (json, "start", box->start);
  wp_json_writer_int (json, "end", box->end);
  wp_json_writer_string (json, "kind", wp_box_kind_name (box->kind));
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

static int
write_picture (const WpRows *rows, const WpPaths *paths, const Options *options)
{
  g_autofree char *title = g_strdup_printf ("%s — %s", paths->name, options->consolidated ? "consolidated" : "in time order");
  g_autofree char *file = g_strdup (options->output);
  GError *error = NULL;

  if (file == NULL)
    file = wp_cli_file_of (paths, options->format);
  if (!wp_picture_write (file, wp_picture_format_from_id (options->format), rows, title, PICTURE_WIDTH, WP_THEME_LIGHT, &error))
    return wp_cli_fail (error);
  g_print ("%s\n", file);
  return 0;
}

/* Each line has the whole stack: of stacks on stacks on stacks that is much. */
static int
write_folded (const WpTree *tree, const WpCliFile *file, const Options *options, GString *out)
{
  const WpTrace *trace = file->document->trace;
  guint64 size = wp_tree_folded_size (tree);
  g_autofree char *text = g_format_size_full (size, G_FORMAT_SIZE_IEC_UNITS);

  if (size > FOLDED_ALWAYS + FOLDED_EACH * (guint64) (trace->ops.len + trace->samples.len))
    return wp_cli_fail (g_error_new (G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, "%s: its folded stacks would be %s of text; a picture shows them",
                                     file->spec, text));
  wp_tree_folded (tree, out);
  return wp_cli_put (out, options->output);
}

static int
draw_gathered (const WpCliFile *file, const Options *options, GString *out, WpRows **rows)
{
  const WpTreeOptions tree_options = { .inverted = options->inverted, .collapse_recursion = options->collapse_recursion,
                                       .from = file->from_ns, .to = file->to_ns };
  GError *error = NULL;
  g_autoptr (WpTree) tree = wp_tree_new (file->paths, &tree_options, NULL, &error);

  if (tree == NULL)
    return wp_cli_fail (error);
  if (g_str_equal (options->format, "folded"))
    return write_folded (tree, file, options, out);
  *rows = wp_layout_tree (tree, options->icicle);
  return 0;
}

static int
draw_in_order (const WpCliFile *file, WpRows **rows)
{
  g_autoptr (WpExplanation) explanation = wp_explain (file->paths, 0, G_MAXINT64, NULL, NULL);
  GError *error = NULL;

  *rows = wp_layout_flame (file->paths, explanation, NULL, &error);
  return *rows != NULL ? 0 : wp_cli_fail (error);
}

static int
draw (const WpCliFile *file, const Options *options, gboolean gathered)
{
  g_autoptr (GString) out = g_string_new (NULL);
  g_autoptr (WpRows) rows = NULL;
  int status = gathered ? draw_gathered (file, options, out, &rows) : draw_in_order (file, &rows);

  if (status != 0 || rows == NULL)
    return status;
  if (!g_str_equal (options->format, "json"))
    return write_picture (rows, file->paths, options);
  rows_json (out, rows, options->output != NULL);
  return wp_cli_put (out, options->output);
}

static int
run (gpointer data, int n G_GNUC_UNUSED, char **operands)
{
  Options *options = data;
  g_auto (WpCliFile) file = { 0 };
  gboolean gathered;
  int status;

  wp_cli_default_format (&options->format, options->output, FORMATS);
  gathered = options->consolidated || g_str_equal (options->format, "folded");
  if (!gathered && (options->paths.from != NULL || options->paths.to != NULL || options->inverted || options->collapse_recursion || options->icicle))
    return wp_cli_usage ("in time order all is drawn as it was; --from, --to, --inverted, --collapse-recursion and --icicle go with "
                         "--consolidated");
  status = wp_cli_open_for_paths (&file, operands[0], &options->paths);
  if (status == 0)
    status = wp_cli_find_paths (&file, &options->paths);
  return status == 0 ? draw (&file, options, gathered) : status;
}

static const WpOption rows[] = {
  WP_OPTIONS_PATHS (Options, paths),
  { "consolidated", 'c', G_OPTION_ARG_NONE, offsetof (Options, consolidated), NULL, "All stacks gathered, instead of in time order" },
  WP_OPTIONS_FROM_TO (Options, paths),
  { "inverted", 0, G_OPTION_ARG_NONE, offsetof (Options, inverted), NULL, "Of all stacks gathered: the innermost functions first" },
  { "collapse-recursion", 0, G_OPTION_ARG_NONE, offsetof (Options, collapse_recursion), NULL,
    "Of all stacks gathered: a function that calls itself is one box" },
  { "icicle", 0, G_OPTION_ARG_NONE, offsetof (Options, icicle), NULL, "Of all stacks gathered: the roots at the top" },
  WP_OPTION_FORMAT (Options, format, FORMATS),
  WP_OPTION_OUTPUT (Options, output),
  WP_OPTION_END,
};

const WpCommand wp_cmd_flame = {
  .name = "flame",
  .group = WP_GROUP_RECORDINGS,
  .operands = "FILE",
  .summary = "The flame views of a process, as a picture or folded stacks",
  .description = "Without *--task* it is the process of the command that was recorded. Folded stacks are all gathered, and go to standard output; a picture "
                 "goes to a file that is named after the process where *-o* does not say otherwise. *--from*, *--to* and what changes the "
                 "order of functions go with *--consolidated* and with folded stacks.",
  .options = rows,
  .size = sizeof (Options),
  .least = 1,
  .most = 1,
  .run = run,
};
