/* flame: the flame views as folded stacks, a picture, or their boxes. */
#include "base/quote.h"
#include "cli/command.h"
#include "cli/open.h"
#include "paint/paint.h"
#include "paths/tree.h"
#include "view/layout.h"

#define PICTURE_WIDTH 1920
#define FLUSH_BYTES (1 << 20)
/* Folded stacks: so many bytes always, and so many for each thing that was recorded. */
#define FOLDED_ALWAYS (G_GUINT64_CONSTANT (128) << 20)
#define FOLDED_EACH 1024

/* Of what goes to the terminal or a pipe only so much is kept. */
static void
rows_json (GString *out, const WpRows *rows, gboolean kept)
{
  g_string_append_printf (out, "{ \"start\": %" G_GINT64_FORMAT ", \"end\": %" G_GINT64_FORMAT ", \"is_time\": %s, \"rows\": [",
                          rows->start, rows->end, rows->is_time ? "true" : "false");
  for (guint32 r = 0; r < rows->rows.len; r++)
    {
      const WpRow *row = &rows->rows.data[r];

      g_string_append_printf (out, "%s\n  [", r > 0 ? "," : "");
      for (guint32 b = row->first; b < row->first + row->n; b++)
        {
          const WpBox *box = &rows->boxes.data[b];

          if (!kept && out->len > FLUSH_BYTES)
            wp_cli_flush (out);
          g_string_append_printf (out, "%s{ \"start\": %" G_GINT64_FORMAT ", \"end\": %" G_GINT64_FORMAT ", \"kind\": ",
                                  b > row->first ? ", " : "", box->start, box->end);
          wp_quote_json (out, wp_box_kind_name (box->kind));
          g_string_append (out, ", \"name\": ");
          wp_quote_json (out, wp_strings_get (rows->strings, box->label));
          g_string_append (out, " }");
        }
      g_string_append_c (out, ']');
    }
  g_string_append (out, "\n] }\n");
}

static int
write_picture (const WpRows *rows, const WpPaths *paths, const WpCliOptions *options)
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
write_folded (const WpTree *tree, const WpTrace *trace, const WpCliOptions *options, GString *out)
{
  guint64 size = wp_tree_folded_size (tree);
  g_autofree char *text = g_format_size_full (size, G_FORMAT_SIZE_IEC_UNITS);

  if (size > FOLDED_ALWAYS + FOLDED_EACH * (guint64) (trace->ops.len + trace->samples.len))
    return wp_cli_fail (g_error_new (G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, "%s: its folded stacks would be %s of text; a picture shows them",
                                     options->file, text));
  wp_tree_folded (tree, out);
  return wp_cli_put (out, options->output);
}

static int
draw (WpDocument *document, const WpPaths *paths, const WpCliOptions *options)
{
  const WpTreeOptions tree_options = { .inverted = options->inverted, .collapse_recursion = options->collapse_recursion,
                                       .from = options->from_ns, .to = options->to_ns };
  gboolean gathered = options->consolidated || g_str_equal (options->format, "folded");
  g_autoptr (GString) out = g_string_new (NULL);
  g_autoptr (WpRows) rows = NULL;
  g_autoptr (WpTree) tree = NULL;
  g_autoptr (WpExplanation) explanation = NULL;
  GError *error = NULL;

  if ((options->from != NULL || options->to != NULL || options->inverted || options->collapse_recursion || options->icicle) && !gathered)
    return wp_cli_usage ("flame", "in time order all is drawn as it was; --from, --to, --inverted, --collapse-recursion and --icicle go with "
                                  "--consolidated");
  if (gathered)
    {
      tree = wp_tree_new (paths, &tree_options, NULL, &error);
      if (tree == NULL)
        return wp_cli_fail (error);
      if (g_str_equal (options->format, "folded"))
        return write_folded (tree, document->trace, options, out);
      rows = wp_layout_tree (tree, options->icicle);
    }
  else
    {
      explanation = wp_explain (paths, 0, G_MAXINT64, NULL, NULL);
      rows = wp_layout_flame (paths, explanation, NULL, &error);
      if (rows == NULL)
        return wp_cli_fail (error);
    }
  if (!g_str_equal (options->format, "json"))
    return write_picture (rows, paths, options);
  rows_json (out, rows, options->output != NULL);
  return wp_cli_put (out, options->output);
}

int
wp_cmd_flame (int argc, char **argv)
{
  static const char *const formats[] = { "folded", "svg", "png", "pdf", "json", NULL };

  return wp_cli_with_paths (argc, argv, formats, NULL, draw);
}
