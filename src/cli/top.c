/* top: what each function took by itself, and with all that it called. */
#include "cli/functions.h"
#include "cli/output.h"
#include "stacks/measure.h"

typedef struct
{
  WpCliStacksOptions stacks;
  char *format, *output;
} Options;

static void
put_heading (const WpCliFunctions *self, const Options *options)
{
  g_autofree char *shown = wp_measure_text (self->trimmed->shown, self->profile->unit, self->trimmed->unit);
  g_autofree char *total = wp_measure_text (self->graph->total, self->profile->unit, self->trimmed->unit);
  char share[WP_FORMAT_MAX];

  wp_measure_share (self->trimmed->shown, self->graph->total, share);
  wp_cli_stacks_put_type (self->profile, &options->stacks, self->out);
  g_string_append_printf (self->out, "Showing nodes accounting for %s, %s of %s total\n", shown,
                          g_strchug (share), total);
  if (self->trimmed->dropped > 0)
    {
      g_autofree char *cutoff = wp_measure_text (self->trimmed->cutoff, self->profile->unit, self->trimmed->unit);

      g_string_append_printf (self->out, "Dropped %u node%s (cum <= %s)\n", self->trimmed->dropped, self->trimmed->dropped == 1 ? "" : "s",
                              cutoff);
    }
  if (self->trimmed->nodes.len < self->trimmed->before_most)
    g_string_append_printf (self->out, "Showing top %u nodes out of %u\n", self->trimmed->nodes.len, self->trimmed->before_most);
  g_string_append (self->out, "      flat  flat%   sum%        cum   cum%\n");
}

/* Whether a node was inlined in all, some or none of its calls. */
static guint8 *
find_inlined (const WpGraph *graph)
{
  guint8 *found = g_new0 (guint8, MAX (graph->nodes.len, 1));

  for (guint32 i = 0; i < graph->edges.len; i++)
    found[graph->edges.data[i].callee] |= graph->edges.data[i].inlined ? 1 : 2;
  return found;
}

static void
put_rows (const WpCliFunctions *self)
{
  static const char *const inlined[] = { "", " (inline)", "", " (partial-inline)" };
  g_autofree guint8 *is_inlined = find_inlined (self->graph);
  gint64 sum = 0;

  for (guint32 i = 0; i < self->trimmed->nodes.len; i++)
    {
      guint32 n = self->trimmed->nodes.data[i];

      wp_cli_functions_put_numbers (self, n, &sum);
      g_string_append_printf (self->out, "  %s%s\n", self->graph->nodes.data[n].frame->name, inlined[is_inlined[n]]);
    }
}

static int
run (gpointer data, int n, char **operands)
{
  Options *options = data;
  g_auto (WpCliStacks) profile = { 0 };
  g_auto (WpTrimmed) trimmed = { 0 };
  g_autoptr (WpGraph) graph = NULL;
  g_autoptr (GString) out = g_string_new (NULL);
  WpCliFunctions functions = { &profile, NULL, &trimmed, out };
  int status = wp_cli_stacks_open (&profile, &options->stacks, operands, (guint) n);

  if (status == 0)
    status = wp_cli_stacks_graph (&profile, &options->stacks, &graph, &trimmed);
  if (status != 0)
    return status;
  functions.graph = graph;
  wp_cli_default_format (&options->format, options->output, WP_CLI_FUNCTION_FORMATS);
  if (!g_str_equal (options->format, "text"))
    wp_cli_functions_put_table (&functions, options->format);
  else
    {
      put_heading (&functions, options);
      put_rows (&functions);
    }
  return wp_cli_put (out, options->output);
}

static const WpOption rows[] = {
  WP_OPTIONS_STACKS (Options, stacks),
  WP_OPTIONS_STACKS_BASE (Options, stacks),
  WP_OPTIONS_STACKS_FRAMES (Options, stacks),
  WP_OPTIONS_STACKS_VALUES (Options, stacks),
  WP_OPTIONS_STACKS_TRIM (Options, stacks),
  { "most", 'n', G_OPTION_ARG_INT, offsetof (Options, stacks.most), "N", "At most so many rows" },
  WP_OPTION_FORMAT (Options, format, WP_CLI_FUNCTION_FORMATS),
  WP_OPTION_OUTPUT (Options, output),
  WP_OPTION_END,
};

const WpCommand wp_cmd_top = {
  .name = "top",
  .group = WP_GROUP_PROFILES,
  .operands = "FILE…",
  .summary = "What each function took, by itself and with all that it called",
  .description = WP_STACKS_MERGED " Steps that filter are done in the order in which they are listed here. Tables (_tsv_, _csv_, _json_) have "
                 "values as they are, in the unit of their type, and shares of the whole.",
  .options = rows,
  .size = sizeof (Options),
  .least = 1,
  .most = WP_ANY_NUMBER,
  .run = run,
};
