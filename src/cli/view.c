/* view: a profile that explains no process, in the views that suit it: lists and texts as they are, charts and boxes as pictures. */
#include "base/find.h"
#include "cli/command.h"
#include "cli/named.h"
#include "cli/output.h"
#include "cli/profiles.h"
#include "cli/stacks.h"
#include "paint/paint.h"
#include "plots/plots.h"
#include "profile/model/profile-stacks.h"
#include "view/layout.h"
#include "workspace/stacks/stacks-views.h"

#define PICTURE_WIDTH 1280
#define PICTURE_HEIGHT 800

typedef struct
{
  char *func, *of, *per, *by, *mode, *output;
  int snapshot;
  gboolean grouped, plain, icicle, inverted;
  WpCliStacksOptions stacks; /* of which only what filters */
} Options;

static const char *const modes[WP_N_ALLOCATIONS] = { "all", "top", "most", "sum", "func" };

static int
list_views (const WpPlots *plots)
{
  for (guint k = 0; k < WP_PLOT_COUNT; k++)
    if (plots->offered & 1u << k)
      g_print ("%s\t%s\n", wp_plot_id ((WpPlot) k), wp_plot_name ((WpPlot) k));
  return 0;
}

static int
write_text (const char *text, const char *output)
{
  g_autoptr (GString) out = g_string_new (text);

  return wp_cli_put (out, output);
}

static int
write_grid (const WpGrid *grid, const char *output)
{
  g_autoptr (GString) text = g_string_new (NULL);
  guint32 n;
  g_autofree guint32 *order = wp_grid_order (grid, NULL, G_MAXUINT32, FALSE, &n, NULL);

  wp_grid_write (grid, order, n, text);
  return wp_cli_put (text, output);
}

/* The name of the picture tells its format. */
static int
write_picture (const WpPlotPicture *picture, const char *title, const char *output)
{
  WpPictureFormat format = output != NULL ? wp_picture_format_of_file (output, NULL) : WP_PICTURE_FORMAT_COUNT;
  GError *error = NULL;

  if (format == WP_PICTURE_FORMAT_COUNT)
    return wp_cli_usage ("this view is a picture: -o FILE.png, .svg or .pdf says where it goes");
  if (picture->chart != NULL)
    wp_picture_write_chart (output, format, &(WpChartPlace) { picture->chart, NULL, PICTURE_WIDTH, PICTURE_HEIGHT }, WP_THEME_LIGHT,
                            &error);
  else
    wp_picture_write (output, format, picture->rows, title, PICTURE_WIDTH, &(WpPictureStyle) { 0 }, &error);
  return error != NULL ? wp_cli_fail (error) : 0;
}

static int
show (WpPlots *plots, WpPlot kind, const WpPlotOptions *options, const char *output)
{
  GError *error = NULL;
  g_autoptr (WpPlotPicture) picture = wp_plots_draw (plots, kind, options, NULL, &error);
  g_autofree char *command = wp_profile_command (plots->profile);
  g_autofree char *title = g_strdup_printf ("%s — %s", command, wp_plot_name (kind));

  wp_cli_tell_omissions (plots->profile);
  if (picture == NULL)
    return wp_cli_fail (error);
  if (picture->grid != NULL)
    return write_grid (picture->grid, output);
  if (picture->text != NULL)
    return write_text (picture->text, output);
  return write_picture (picture, title, output);
}

/* A flame view of what the options leave. */
static int
show_filtered (const WpProfile *profile, const Options *given)
{
  GError *error = NULL;
  WpStacks *stacks = wp_profile_stacks (profile, NULL, &error);
  g_auto (WpCliStacks) filtered = { 0 };
  g_autoptr (WpTree) tree = NULL;
  g_autoptr (WpRows) rows = NULL;
  g_autofree char *title = wp_profile_command (profile);
  int status = stacks != NULL ? wp_cli_stacks_take (&filtered, &given->stacks, stacks) : wp_cli_fail (error);

  if (status != 0)
    return status;
  tree = wp_cli_stacks_tree (&filtered, &given->stacks, given->inverted, FALSE, FALSE, &error);
  if (tree == NULL)
    return wp_cli_fail (error);
  rows = wp_layout_tree (tree, given->icicle, NULL);
  wp_stacks_set_unit (rows, filtered.unit);
  return write_picture (&(WpPlotPicture) { .rows = rows }, title, given->output);
}

static int
run (gpointer data, int n G_GNUC_UNUSED, char **operands)
{
  const Options *given = data;
  const char *id = operands[1];
  WpPlotOptions options = WP_PLOT_OPTIONS_DEFAULT;
  GError *error = NULL;
  g_auto (WpCliNames) names = { 0 };
  g_autoptr (WpPlots) plots = NULL;
  WpProfile *profile;
  WpPlot kind = WP_PLOT_RAW;
  int status;

  options.of = given->of;
  options.per = given->per;
  options.by = given->by;
  options.stacked = !given->grouped;
  options.accumulate = !given->plain;
  options.icicle = given->icicle;
  options.inverted = given->inverted;
  options.snapshot = (guint) MAX (given->snapshot, 0);
  if (given->func != NULL)
    wp_group_func_find (given->func, &options.func);
  if (given->mode != NULL)
    options.mode = WP_FIND_NAME (modes, given->mode);
  if (id != NULL && !wp_plot_find (id, &kind))
    return wp_cli_usage ("there is no view “%s”; without a name those that suit the profile are listed", id);
  if (wp_cli_stacks_filters (&given->stacks) && (id == NULL || kind != WP_PLOT_FLAME))
    return wp_cli_usage ("what filters stacks goes with the view flame");
  profile = wp_cli_names_profile (&names, operands[0], &status);
  if (profile == NULL)
    return status;
  plots = wp_plots_new (profile, NULL, &error);
  if (plots == NULL)
    return wp_cli_fail (error);
  if (wp_cli_stacks_filters (&given->stacks))
    return show_filtered (profile, given);
  return id == NULL ? list_views (plots) : show (plots, kind, &options, given->output);
}

static const WpOption rows[] = {
  WP_OPTION_OF (Options, of),
  WP_OPTION_PER (Options, per),
  { "through", 0, G_OPTION_ARG_STRING, offsetof (Options, per), "KEY", "Another name of *--per*, for _flow_" },
  WP_OPTION_BY (Options, by),
  { "func", 0, G_OPTION_ARG_STRING, offsetof (Options, func), WP_GROUP_FUNCTIONS, "How values are made one" },
  { "mode", 0, G_OPTION_ARG_STRING, offsetof (Options, mode), "all|top|most|sum|func", "Of _allocations_: which are listed, or their sums" },
  { "snapshot", 0, G_OPTION_ARG_INT, offsetof (Options, snapshot), "N", "Only this snapshot, counted from 1" },
  { "grouped", 0, G_OPTION_ARG_NONE, offsetof (Options, grouped), NULL, "Of _bars_: series beside one another, not stacked" },
  { "no-accumulate", 0, G_OPTION_ARG_NONE, offsetof (Options, plain), NULL, "Of _flow_: values as they are, not summed up" },
  { "inverted", 0, G_OPTION_ARG_NONE, offsetof (Options, inverted), NULL, "Of _flame_: the innermost functions first" },
  { "icicle", 0, G_OPTION_ARG_NONE, offsetof (Options, icicle), NULL, "Of _flame_: the roots at the top" },
  WP_OPTIONS_FILTER (Options, stacks),
  { "output", 'o', G_OPTION_ARG_FILENAME, offsetof (Options, output), "FILE", "Write to this file; of a picture its name tells the format" },
  WP_OPTION_END,
};

const WpCommand wp_cmd_view = {
  .name = "view",
  .group = WP_GROUP_PROFILES,
  .operands = "PROFILE [flame|heap-map|heat-map|allocations|scatter|bars|flow|resources|models|raw]",
  .summary = "A profile of another collector in the views that suit it",
  .description = "Without the name of a view these are listed. What filters stacks goes with _flame_. Lists and texts go to standard output, pictures to the file of *-o*.",
  .options = rows,
  .size = sizeof (Options),
  .least = 1,
  .most = 2,
  .run = run,
};
