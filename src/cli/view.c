/* view: a profile that explains no process, in the views that suit it: lists and texts as they are, charts and boxes as pictures. */
#include "base/find.h"
#include "cli/command.h"
#include "cli/named.h"
#include "cli/open.h"
#include "cli/store.h"
#include "paint/paint.h"
#include "plots/plots.h"

#define PICTURE_WIDTH 1280
#define PICTURE_HEIGHT 800

typedef struct
{
  char *func, *of, *per, *by, *mode, *output;
  int snapshot;
  gboolean grouped, plain, icicle, inverted;
} ViewOptions;

static const char *const modes[WP_N_ALLOCATIONS] = { "all", "top", "most", "sum", "func" };

static gboolean
find_mode (const char *id, WpAllocationsMode *mode)
{
  guint row = WP_FIND_NAME (modes, id);

  if (row < WP_N_ALLOCATIONS)
    *mode = (WpAllocationsMode) row;
  return row < WP_N_ALLOCATIONS;
}

static int
list_views (const WpPlots *kinds)
{
  for (guint k = 0; k < WP_PLOT_COUNT; k++)
    if (kinds->offered & 1u << k)
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
    return wp_cli_usage ("view", "this view is a picture: -o FILE.png, .svg or .pdf says where it goes");
  if (picture->chart != NULL)
    wp_picture_write_chart (output, format, &(WpChartPlace) { picture->chart, NULL, PICTURE_WIDTH, PICTURE_HEIGHT }, WP_THEME_LIGHT,
                            &error);
  else
    wp_picture_write (output, format, picture->rows, title, PICTURE_WIDTH, WP_THEME_LIGHT, &error);
  return error != NULL ? wp_cli_fail (error) : 0;
}

static int
show (WpPlots *kinds, WpPlot kind, const WpPlotOptions *options, const char *output)
{
  GError *error = NULL;
  g_autoptr (WpPlotPicture) picture = wp_plots_draw (kinds, kind, options, NULL, &error);
  g_autofree char *command = wp_profile_command (kinds->profile);
  g_autofree char *title = g_strdup_printf ("%s — %s", command, wp_plot_name (kind));

  wp_cli_tell_omissions (kinds->profile);
  if (picture == NULL)
    return wp_cli_fail (error);
  if (picture->grid != NULL)
    return write_grid (picture->grid, output);
  if (picture->text != NULL)
    return write_text (picture->text, output);
  return write_picture (picture, title, output);
}

static int
view (const ViewOptions *given, const char *spec, const char *id)
{
  WpPlotOptions options = WP_PLOT_OPTIONS_DEFAULT;
  GError *error = NULL;
  g_auto (WpCliNames) names = { 0 };
  g_autoptr (WpPlots) kinds = NULL;
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
  if (given->func != NULL && !wp_group_func_find (given->func, &options.func))
    return wp_cli_usage ("view", "--func is sum, mean, count, nunique, median, min or max, not “%s”", given->func);
  if (given->mode != NULL && !find_mode (given->mode, &options.mode))
    return wp_cli_usage ("view", "--mode is all, top, most, sum or func, not “%s”", given->mode);
  if (id != NULL && !wp_plot_find (id, &kind))
    return wp_cli_usage ("view", "there is no view “%s”; without a name those that suit the profile are listed", id);
  profile = wp_cli_names_profile (&names, spec, &status);
  if (profile == NULL)
    return status;
  kinds = wp_plots_new (profile, NULL, &error);
  if (kinds == NULL)
    return wp_cli_fail (error);
  return id == NULL ? list_views (kinds) : show (kinds, kind, &options, given->output);
}

static void
view_options_clear (ViewOptions *self)
{
  g_free (self->func);
  g_free (self->of);
  g_free (self->per);
  g_free (self->by);
  g_free (self->mode);
  g_free (self->output);
}

int
wp_cmd_view (int argc, char **argv)
{
  ViewOptions given = { 0 };
  const GOptionEntry entries[] = {
    { "func", 0, 0, G_OPTION_ARG_STRING, &given.func, NULL, NULL },
    { "of", 0, 0, G_OPTION_ARG_STRING, &given.of, NULL, NULL },
    { "per", 0, 0, G_OPTION_ARG_STRING, &given.per, NULL, NULL },
    { "through", 0, 0, G_OPTION_ARG_STRING, &given.per, NULL, NULL },
    { "by", 0, 0, G_OPTION_ARG_STRING, &given.by, NULL, NULL },
    { "mode", 0, 0, G_OPTION_ARG_STRING, &given.mode, NULL, NULL },
    { "snapshot", 0, 0, G_OPTION_ARG_INT, &given.snapshot, NULL, NULL },
    { "grouped", 0, 0, G_OPTION_ARG_NONE, &given.grouped, NULL, NULL },
    { "no-accumulate", 0, 0, G_OPTION_ARG_NONE, &given.plain, NULL, NULL },
    { "icicle", 0, 0, G_OPTION_ARG_NONE, &given.icicle, NULL, NULL },
    { "inverted", 0, 0, G_OPTION_ARG_NONE, &given.inverted, NULL, NULL },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &given.output, NULL, NULL },
    { NULL, 0, 0, 0, NULL, NULL, NULL },
  };
  int status;

  if (!wp_cli_parse (&argc, &argv, entries))
    status = 2;
  else if (argc < 2 || argc > 3)
    status = wp_cli_usage ("view", "one profile is expected, and the name of a view");
  else
    status = view (&given, argv[1], argc > 2 ? argv[2] : NULL);
  view_options_clear (&given);
  return status;
}
