/* diff: two profiles or two sets of them compared. */
#include "base/find.h"
#include "base/hash.h"
#include "base/sort.h"
#include "cli/command.h"
#include "cli/named.h"
#include "cli/output.h"
#include "cli/stacks.h"
#include "paint/paint.h"
#include "profile/compare/compare.h"
#include "profile/model/profile.h"
#include "view/layout.h"
#include "workspace/stacks/open-stacks.h"

#include <string.h>

#define PICTURE_WIDTH 1920
#define FORMATS "text|json|markdown|tsv|folded|svg|png|pdf"

typedef struct
{
  char *task, *idle_task, *format, *view, *output, *command;
  WpCliStacksOptions stacks; /* of which only what filters, and which frames there are */
  gboolean normalise;
  double threshold; /* percent; 0: none */
} Options;

typedef struct
{
  const Options *options;
  WpCliNames names;
  char *filter;                       /* in its text form; or NULL */
  GPtrArray *sides[WP_N_SIDES];       /* WpCliNamed * */
  gboolean whole_commit[WP_N_SIDES];  /* a commit alone was named */
} Diff;

static void
diff_clear (Diff *self)
{
  for (guint side = 0; side < WP_N_SIDES; side++)
    g_clear_pointer (&self->sides[side], g_ptr_array_unref);
  g_free (self->filter);
  wp_cli_names_clear (&self->names);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Diff, diff_clear)

/* --- the two sides --------------------------------------------------------------------------------------------------- */

static int
add_one (Diff *self, WpSide side, const char *spec)
{
  int status;

  if (!wp_cli_names_find_commit (&self->names, spec, self->sides[side], &status))
    return status != 0 ? status : wp_cli_names_find (&self->names, spec, self->sides[side]);
  self->whole_commit[side] = TRUE;
  if (status == 0 && self->sides[side]->len == 0)
    {
      g_printerr ("wakepath-cli: %s: this commit has no profiles\n", spec);
      status = 1;
    }
  return status;
}

static int
add_side (Diff *self, WpSide side, const char *text)
{
  g_auto (GStrv) specs = wp_cli_names_split (text);
  int status = specs != NULL ? 0 : 2;

  for (char **spec = specs; status == 0 && *spec != NULL; spec++)
    status = add_one (self, side, *spec);
  return status;
}

/* --- profiles of the same work --------------------------------------------------------------------------------------- */

/* "collector: command args workload", or NULL where a file cannot say. Free with g_free(). */
static char *
work_of (const WpCliNamed *named)
{
  const WpStoreEntry *entry = named->entry;
  g_autoptr (WpProfile) profile = entry == NULL ? wp_profile_load (named->file, NULL, NULL) : NULL;
  g_autofree char *command = profile != NULL ? wp_profile_command (profile) : NULL;
  g_autoptr (GString) text = g_string_new (NULL);

  if (entry == NULL)
    return profile != NULL ? g_strdup_printf ("%s: %s", wp_profile_collector_name (profile), command) : NULL;
  g_string_append_printf (text, "%s: %s", entry->collector, entry->cmd);
  if (*entry->args != '\0')
    g_string_append_printf (text, " %s", entry->args);
  if (*entry->workload != '\0')
    g_string_append_printf (text, " %s", entry->workload);
  return g_strdup (text->str);
}

static GHashTable *
works_of (const GPtrArray *side)
{
  GHashTable *works = g_hash_table_new_full (wp_hash_string, g_str_equal, g_free, NULL);

  for (guint i = 0; i < side->len; i++)
    {
      char *work = work_of (side->pdata[i]);

      if (work != NULL)
        g_hash_table_add (works, work);
    }
  return works;
}

/* What both sides have profiles of, and --command chooses. */
static GPtrArray *
common_works (const Diff *self)
{
  g_autoptr (GHashTable) a = works_of (self->sides[WP_SIDE_A]), b = works_of (self->sides[WP_SIDE_B]);
  GPtrArray *common = g_ptr_array_new_with_free_func (g_free);
  GHashTableIter iter;
  gpointer work;

  g_hash_table_iter_init (&iter, a);
  while (g_hash_table_iter_next (&iter, &work, NULL))
    if (g_hash_table_contains (b, work))
      g_ptr_array_add (common, g_strdup (work));
  wp_cli_keep_commands (common, self->options->command);
  g_ptr_array_sort (common, wp_compare_texts);
  return common;
}

static void
keep_work (GPtrArray *side, const char *wanted)
{
  for (guint i = side->len; i > 0; i--)
    {
      g_autofree char *work = work_of (side->pdata[i - 1]);

      if (g_strcmp0 (work, wanted) != 0)
        g_ptr_array_remove_index (side, i - 1);
    }
}

/* Of a commit alone those profiles count that were made by the same work as the other side's. */
static int
match_works (Diff *self, const char *a, const char *b)
{
  g_autoptr (GPtrArray) common = NULL;

  if (!self->whole_commit[WP_SIDE_A] && !self->whole_commit[WP_SIDE_B])
    return 0;
  common = common_works (self);
  if (common->len == 0)
    {
      g_printerr ("wakepath-cli: %s and %s have no profiles of the same command%s%s%s\n", a, b, self->options->command != NULL ? " like “" : "",
                  self->options->command != NULL ? self->options->command : "", self->options->command != NULL ? "”" : "");
      return 1;
    }
  if (common->len > 1)
    {
      g_printerr ("wakepath-cli: %s and %s have profiles of %u commands; choose one by --command:\n", a, b, common->len);
      for (guint i = 0; i < common->len; i++)
        g_printerr ("  %s\n", (char *) common->pdata[i]);
      return 2;
    }
  for (guint side = 0; side < WP_N_SIDES; side++)
    keep_work (self->sides[side], common->pdata[0]);
  return 0;
}

/* --- output ---------------------------------------------------------------------------------------------------------- */

static const struct
{
  const char *name;
  WpDiffWidth width;
  const char *title;
} views[] = { { "b", WP_DIFF_B, "widths of B" }, { "a", WP_DIFF_A, "widths of A" },
              { "vanished", WP_DIFF_VANISHED, "what vanished, as wide as in A" } };

static int
draw (const Diff *self, const WpComparison *comparison, WpPictureFormat format)
{
  guint view = self->options->view != NULL ? WP_FIND_ROW (views, name, self->options->view) : 0;
  g_autoptr (WpRows) rows = wp_layout_diff (comparison, views[view].width, FALSE);
  g_autofree char *a = wp_comparison_side_name (comparison, WP_SIDE_A), *b = wp_comparison_side_name (comparison, WP_SIDE_B);
  g_autofree char *title = g_strdup_printf ("A: %s → B: %s — %s%s", a, b, views[view].title,
                                            comparison->normalised ? ", normalised" : "");
  g_autofree char *file = self->options->output != NULL ? g_strdup (self->options->output) : g_strdup_printf ("diff.%s", self->options->format);
  GError *error = NULL;

  if (!wp_picture_write (file, format, rows, title, PICTURE_WIDTH, &(WpPictureStyle) { 0 }, &error))
    return wp_cli_fail (error);
  g_print ("%s\n", file);
  return 0;
}

static int
print (const Diff *self, const WpComparison *comparison, WpCompareFormat format)
{
  g_autoptr (GString) out = g_string_new (NULL);

  wp_comparison_write (out, comparison, format, self->options->threshold / 100);
  return wp_cli_put (out, self->options->output);
}

static char **
texts_of (const GPtrArray *side, gboolean commits)
{
  char **texts = g_new0 (char *, side->len + 1);

  for (guint i = 0; i < side->len; i++)
    {
      const WpCliNamed *named = side->pdata[i];

      texts[i] = g_strdup (commits ? named->commit : named->file);
    }
  return texts;
}

static WpComparison *
make_comparison (const Diff *self, WpDepthChoice depth, GError **error)
{
  WpCompareOptions options = { .task = self->options->task, .idle_task = self->options->idle_task,
                               .normalise = self->options->normalise, .depth = depth,
                               .filter = self->filter, .sample_index = self->options->stacks.sample_index, .open_stacks = wp_open_stacks };
  WpComparison *comparison;

  for (guint side = 0; side < WP_N_SIDES; side++)
    {
      options.files[side] = (const char *const *) texts_of (self->sides[side], FALSE);
      options.commits[side] = (const char *const *) texts_of (self->sides[side], TRUE);
    }
  comparison = wp_compare (&options, NULL, error);
  for (guint side = 0; side < WP_N_SIDES; side++)
    {
      g_strfreev ((char **) options.files[side]);
      g_strfreev ((char **) options.commits[side]);
    }
  return comparison;
}

static int
compare (Diff *self)
{
  g_auto (WpHideRules) hide = { 0 };
  WpDepthChoice depth;
  g_autoptr (WpComparison) comparison = NULL;
  WpPictureFormat picture = wp_picture_format_from_id (self->options->format);
  GError *error = NULL;
  int status = wp_cli_depth_choose (&self->options->stacks.explained, &hide, &depth);

  if (status != 0)
    return status;
  comparison = make_comparison (self, depth, &error);
  if (comparison == NULL)
    return wp_cli_fail (error);
  status = picture < WP_PICTURE_FORMAT_COUNT ? draw (self, comparison, picture)
                                             : print (self, comparison, wp_compare_format_from_id (self->options->format));
  if (status == 0 && wp_comparison_verdict (comparison, self->options->threshold / 100) == WP_VERDICT_DEGRADATION)
    status = WP_STATUS_DEGRADATION;
  return status;
}

static int
run (gpointer data, int n G_GNUC_UNUSED, char **operands)
{
  Options *options = data;
  g_auto (Diff) self = { .options = options };
  int status = 0;

  for (guint side = 0; side < WP_N_SIDES; side++)
    self.sides[side] = g_ptr_array_new_with_free_func ((GDestroyNotify) wp_cli_named_free);
  if (!(options->threshold >= 0))
    return wp_cli_usage ("--threshold: not a share in percent");
  wp_cli_default_format (&options->format, options->output, FORMATS);
  if (!wp_cli_stacks_filter_text (&options->stacks, &self.filter))
    return 1;
  for (guint side = 0; side < WP_N_SIDES && status == 0; side++)
    status = add_side (&self, side, operands[side]);
  if (status == 0)
    status = match_works (&self, operands[0], operands[1]);
  return status == 0 ? compare (&self) : status;
}

static const WpOption rows[] = {
  WP_OPTION_COMMAND (Options, command, "Of commits: profiles of the command with this in it, or of the one that is just this"),
  WP_OPTION_TASK (Options, task),
  WP_OPTION_IDLE_TASK (Options, idle_task),
  { "normalise", 'n', G_OPTION_ARG_NONE, offsetof (Options, normalise), NULL, "Frames as if A had lasted as long as B" },
  { "normalize", 0, G_OPTION_ARG_NONE, offsetof (Options, normalise), NULL, NULL },
  { "threshold", 0, G_OPTION_ARG_DOUBLE, offsetof (Options, threshold), "PERCENT", "A change of less is none" },
  { "view", 0, G_OPTION_ARG_STRING, offsetof (Options, view), "b|a|vanished", "Of pictures: as wide as in B, as in A, or what vanished" },
  WP_OPTIONS_DEPTH (Options, stacks.explained),
  WP_OPTIONS_FILTER (Options, stacks),
  WP_OPTION_FORMAT (Options, format, FORMATS),
  WP_OPTION_OUTPUT (Options, output),
  WP_OPTION_END,
};

const WpCommand wp_cmd_diff = {
  .name = "diff",
  .group = WP_GROUP_PROFILES,
  .operands = "A[,A2…] B[,B2…]",
  .summary = "Two profiles compared, or two sets of them",
  .description = "A is what was, B is what is now; the exit status is 3 when B is worse. A commit alone means all "
                 "profiles that it has of the command that the other side has too.\n\n"
                 "Of explained processes it says first, in words, how much longer it takes and what most of that "
                 "time goes to; the figures follow, and whose waits changed most. *--depth*, *--hide-function*, "
                 "*--hide-module* and *--hide-matching* change none of that, only which frames are compared.\n\n"
                 "Several profiles on a side are told from noise by the test of Mann and Whitney: the verdict by itself, the other lines of a table "
                 "by p that are adjusted for how many lines there are (Benjamini and Hochberg).\n\n"
                 "Profiles of pprof and speedscope, folded stacks and Chrome's trace events are compared by their "
                 "stacks, and so is whatever a filter leaves of other profiles and explained processes.",
  .options = rows,
  .size = sizeof (Options),
  .least = 2,
  .most = 2,
  .run = run,
};
