/* diff: two profiles or two sets of them compared. */
#include "base/find.h"
#include "base/hash.h"
#include "base/sort.h"
#include "cli/command.h"
#include "cli/named.h"
#include "cli/open.h"
#include "paint/paint.h"
#include "profile/compare/compare.h"
#include "profile/model/profile.h"
#include "view/layout.h"

#include <string.h>

#define PICTURE_WIDTH 1920
#define DEGRADATION 3 /* exit status */

typedef struct
{
  char *task, *idle_task, *format, *view, *output, *command;
  gboolean normalise;
  double threshold; /* percent; 0: none */
  WpCliNames names;
  GPtrArray *sides[WP_N_SIDES];       /* WpCliNamed * */
  gboolean whole_commit[WP_N_SIDES];  /* a commit alone was named */
} Diff;

static void
diff_clear (Diff *self)
{
  for (guint side = 0; side < WP_N_SIDES; side++)
    g_clear_pointer (&self->sides[side], g_ptr_array_unref);
  wp_cli_names_clear (&self->names);
  g_free (self->task);
  g_free (self->idle_task);
  g_free (self->format);
  g_free (self->view);
  g_free (self->output);
  g_free (self->command);
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

/* "a.perf,b.perf,0@i": a file of the whole name comes first. */
static int
add_side (Diff *self, WpSide side, const char *text)
{
  g_auto (GStrv) specs = g_file_test (text, G_FILE_TEST_EXISTS) ? NULL : g_strsplit (text, ",", -1);
  int status = 0;

  if (specs == NULL)
    return add_one (self, side, text);
  for (guint i = 0; specs[i] != NULL && status == 0; i++)
    status = *specs[i] != '\0' ? add_one (self, side, specs[i])
                               : wp_cli_usage ("diff", "“%s”: a name is missing before or after a comma", text);
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
    if (g_hash_table_contains (b, work) && (self->command == NULL || strstr (work, self->command) != NULL))
      g_ptr_array_add (common, g_strdup (work));
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
      g_printerr ("wakepath-cli: %s and %s have no profiles of the same command%s%s%s\n", a, b, self->command != NULL ? " like “" : "",
                  self->command != NULL ? self->command : "", self->command != NULL ? "”" : "");
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
draw (const Diff *self, const WpComparison *comparison, guint view, WpPictureFormat format)
{
  g_autoptr (WpRows) rows = wp_layout_diff (comparison, views[view].width, FALSE);
  g_autofree char *a = wp_comparison_side_name (comparison, WP_SIDE_A), *b = wp_comparison_side_name (comparison, WP_SIDE_B);
  g_autofree char *title = g_strdup_printf ("A: %s → B: %s — %s%s", a, b, views[view].title,
                                            comparison->normalised ? ", normalised" : "");
  g_autofree char *file = self->output != NULL ? g_strdup (self->output) : g_strdup_printf ("diff.%s", self->format);
  GError *error = NULL;

  if (!wp_picture_write (file, format, rows, title, PICTURE_WIDTH, WP_THEME_LIGHT, &error))
    return wp_cli_fail (error);
  g_print ("%s\n", file);
  return 0;
}

static int
print (const Diff *self, const WpComparison *comparison, WpCompareFormat format)
{
  g_autoptr (GString) out = g_string_new (NULL);

  wp_comparison_write (out, comparison, format, self->threshold / 100);
  return wp_cli_put (out, self->output);
}

static guint
find_view (const char *name)
{
  return name != NULL ? WP_FIND_ROW (views, name, name) : 0;
}

/* What the format's name stands for; FALSE: nothing. */
static gboolean
find_format (const char *name, WpPictureFormat *picture, WpCompareFormat *text)
{
  *picture = wp_picture_format_from_id (name);
  *text = wp_compare_format_from_id (name);
  return *picture < WP_PICTURE_FORMAT_COUNT || *text < WP_COMPARE_FORMAT_COUNT;
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
make_comparison (const Diff *self, GError **error)
{
  WpCompareOptions options = { .task = self->task, .idle_task = self->idle_task, .normalise = self->normalise };
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
  g_autoptr (WpComparison) comparison = NULL;
  GError *error = NULL;
  WpPictureFormat picture;
  WpCompareFormat text;
  guint view = find_view (self->view);
  int status;

  if (!find_format (self->format, &picture, &text))
    return wp_cli_usage ("diff", "there is no format “%s”, only text, json, markdown, tsv, folded, svg, png, pdf", self->format);
  if (view == G_N_ELEMENTS (views))
    return wp_cli_usage ("diff", "--view: “%s” is none of b, a, vanished", self->view);
  comparison = make_comparison (self, &error);
  if (comparison == NULL)
    return wp_cli_fail (error);
  status = picture < WP_PICTURE_FORMAT_COUNT ? draw (self, comparison, view, picture)
                                             : print (self, comparison, text);
  if (status == 0 && wp_comparison_verdict (comparison, self->threshold / 100) == WP_VERDICT_DEGRADATION)
    status = DEGRADATION;
  return status;
}

int
wp_cmd_diff (int argc, char **argv)
{
  static const char *const formats[] = { "text", "json", "markdown", "tsv", "folded", "svg", "png", "pdf", NULL };
  g_auto (Diff) self = { 0 };
  const GOptionEntry entries[] = {
    { "task", 't', 0, G_OPTION_ARG_STRING, &self.task, "The process of interest", "NAME|NAME:TID|TID" },
    { "idle-task", 0, 0, G_OPTION_ARG_STRING, &self.idle_task, "A spinner that plays the idle task", "NAME" },
    { "format", 'f', 0, G_OPTION_ARG_STRING, &self.format, "The output's format", "FORMAT" },
    { "view", 0, 0, G_OPTION_ARG_STRING, &self.view, "Of pictures: as wide as in B, as in A, or what vanished", "b|a|vanished" },
    { "normalise", 'n', 0, G_OPTION_ARG_NONE, &self.normalise, "Frames as if A had lasted as long as B", NULL },
    { "normalize", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_NONE, &self.normalise, NULL, NULL },
    { "threshold", 0, 0, G_OPTION_ARG_DOUBLE, &self.threshold, "A change of less is none", "PERCENT" },
    { "command", 0, 0, G_OPTION_ARG_STRING, &self.command, "Of commits: profiles of the command with this in it", "TEXT" },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &self.output, "Write to this file", "FILE" },
    G_OPTION_ENTRY_NULL
  };
  int status = 0;

  for (guint side = 0; side < WP_N_SIDES; side++)
    self.sides[side] = g_ptr_array_new_with_free_func ((GDestroyNotify) wp_cli_named_free);
  if (!wp_cli_parse (&argc, &argv, entries))
    return 2;
  if (argc != 3)
    return wp_cli_usage ("diff", "name two profiles, or two lists of them: A[,A2…] B[,B2…]");
  if (!(self.threshold >= 0))
    return wp_cli_usage ("diff", "--threshold: not a share in percent");
  wp_cli_default (&self.format, wp_cli_format_of (self.output, formats));
  for (guint side = 0; side < WP_N_SIDES && status == 0; side++)
    status = add_side (&self, side, argv[1 + side]);
  if (status == 0)
    status = self.sides[WP_SIDE_A]->len > 0 && self.sides[WP_SIDE_B]->len > 0
               ? match_works (&self, argv[1], argv[2])
               : wp_cli_usage ("diff", "an empty name is no profile");
  return status == 0 ? compare (&self) : status;
}
