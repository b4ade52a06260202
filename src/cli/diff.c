/* diff: two profiles or two sets of them compared. */
#include "cli/command.h"
#include "cli/open.h"
#include "cli/store.h"
#include "paint/paint.h"
#include "view/layout.h"

#include <glib/gstdio.h>
#include <string.h>

#define PICTURE_WIDTH 1920
#define DEGRADATION 3 /* exit status */

typedef struct
{
  char *task, *idle_task, *format, *view, *output;
  gboolean normalise;
  double threshold; /* percent; 0: none */
  GPtrArray *files[WP_N_SIDES], *commits[WP_N_SIDES]; /* char *, NULL-terminated at last */
  char *folder; /* of what was taken out of the store, or NULL */
  WpCliStore store;
} Diff;

static void
diff_clear (Diff *self)
{
  for (guint side = 0; side < WP_N_SIDES; side++)
    {
      for (guint i = 0; self->folder != NULL && i < self->files[side]->len; i++)
        if (self->files[side]->pdata[i] != NULL && g_str_has_prefix (self->files[side]->pdata[i], self->folder))
          {
            g_autofree char *folder = g_path_get_dirname (self->files[side]->pdata[i]);

            g_unlink (self->files[side]->pdata[i]);
            g_rmdir (folder);
          }
      g_clear_pointer (&self->files[side], g_ptr_array_unref);
      g_clear_pointer (&self->commits[side], g_ptr_array_unref);
    }
  if (self->folder != NULL)
    g_rmdir (self->folder);
  wp_cli_store_clear (&self->store);
  g_free (self->folder);
  g_free (self->task);
  g_free (self->idle_task);
  g_free (self->format);
  g_free (self->view);
  g_free (self->output);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Diff, diff_clear)

static void
add_file (Diff *self, WpSide side, char *file, const char *commit)
{
  g_ptr_array_add (self->files[side], file);
  g_ptr_array_add (self->commits[side], g_strdup (commit));
}

/* --- names of the store ---------------------------------------------------------------------------------------------- */

/* A copy of a registered profile under its own name, in a folder of its own: names may be the same on both sides. */
static char *
take_out (Diff *self, const WpStoreEntry *entry, GError **error)
{
  g_autoptr (GBytes) bytes = wp_store_read (self->store.store, entry, error);
  g_autofree char *template = NULL, *base = g_path_get_basename (entry->path);
  char *path;

  if (bytes != NULL && self->folder == NULL)
    self->folder = g_dir_make_tmp ("wakepath-diff-XXXXXX", error);
  if (bytes == NULL || self->folder == NULL)
    return NULL;
  template = g_build_filename (self->folder, "XXXXXX", NULL);
  if (g_mkdtemp (template) == NULL)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "%s: no folder can be made here", self->folder);
      return NULL;
    }
  path = g_build_filename (template, base, NULL);
  if (!g_file_set_contents (path, g_bytes_get_data (bytes, NULL), (gssize) g_bytes_get_size (bytes), error))
    g_clear_pointer (&path, g_free);
  return path;
}

/* The commit that a name in the store means: COMMIT:NAME says it, else it is HEAD. */
static void
commit_of (const Diff *self, const char *spec, char commit[41])
{
  const char *colon = strchr (spec, ':');
  g_autofree char *name = colon != NULL ? g_strndup (spec, (gsize) (colon - spec)) : NULL;

  g_strlcpy (commit, self->store.minor, 41);
  if (name != NULL && wp_store_vcs (self->store.store) != NULL)
    wp_vcs_resolve (wp_store_vcs (self->store.store), name, commit, NULL);
}

static int
add_entry (Diff *self, WpSide side, const char *spec, const WpStoreEntry *entry)
{
  gboolean registered = *entry->sha1 != '\0';
  GError *error = NULL;
  char commit[41];
  char *file = registered ? take_out (self, entry, &error) : wp_store_entry_file (self->store.store, entry);

  if (registered && file == NULL)
    return wp_cli_fail (error);
  commit_of (self, spec, commit);
  add_file (self, side, file, registered ? commit : entry->origin);
  return 0;
}

static int
add_from_store (Diff *self, WpSide side, const char *spec)
{
  g_autoptr (GPtrArray) found = NULL;
  int status = self->store.store == NULL ? wp_cli_store_open (&self->store, NULL, FALSE) : 0;

  if (status == 0)
    found = wp_cli_store_find (&self->store, spec, &status);
  for (guint i = 0; status == 0 && i < found->len; i++)
    status = add_entry (self, side, spec, found->pdata[i]);
  return status;
}

static gboolean
in_a_store (void)
{
  g_autoptr (WpStore) store = wp_store_open (".", NULL);

  return store != NULL;
}

static int
add_one (Diff *self, WpSide side, const char *spec)
{
  if (g_file_test (spec, G_FILE_TEST_EXISTS) || !in_a_store ())
    {
      add_file (self, side, g_strdup (spec), "");
      return 0;
    }
  return add_from_store (self, side, spec);
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

/* --- output ---------------------------------------------------------------------------------------------------------- */

static const struct
{
  const char *name;
  WpPictureFormat format;
} pictures[] = { { "svg", WP_PICTURE_SVG }, { "png", WP_PICTURE_PNG }, { "pdf", WP_PICTURE_PDF } };

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
  GError *error = NULL;

  wp_comparison_write (out, comparison, format, self->threshold / 100);
  if (self->output == NULL)
    wp_cli_flush (out);
  else if (!g_file_set_contents (self->output, out->str, (gssize) out->len, &error))
    return wp_cli_fail (error);
  return 0;
}

static guint
find_view (const char *name)
{
  guint i = 0;

  while (i < G_N_ELEMENTS (views) && name != NULL && !g_str_equal (views[i].name, name))
    i++;
  return i;
}

/* What the format's name stands for; FALSE: nothing. */
static gboolean
find_format (const char *name, guint *picture, guint *text)
{
  for (*picture = 0; *picture < G_N_ELEMENTS (pictures); ++*picture)
    if (g_str_equal (pictures[*picture].name, name))
      return TRUE;
  for (*text = 0; *text < WP_COMPARE_FORMAT_COUNT; ++*text)
    if (g_str_equal (wp_compare_format_id (*text), name))
      return TRUE;
  return FALSE;
}

static int
compare (Diff *self)
{
  g_autoptr (WpComparison) comparison = NULL;
  WpCompareOptions options = { .task = self->task, .idle_task = self->idle_task, .normalise = self->normalise };
  GError *error = NULL;
  guint picture = 0, text = 0, view = find_view (self->view);
  int status;

  if (!find_format (self->format, &picture, &text))
    return wp_cli_usage ("diff", "there is no format “%s”, only text, json, markdown, tsv, folded, svg, png, pdf", self->format);
  if (view == G_N_ELEMENTS (views))
    return wp_cli_usage ("diff", "--view: “%s” is none of b, a, vanished", self->view);
  for (guint side = 0; side < WP_N_SIDES; side++)
    {
      g_ptr_array_add (self->files[side], NULL);
      options.files[side] = (const char *const *) self->files[side]->pdata;
      options.commits[side] = (const char *const *) self->commits[side]->pdata;
    }
  comparison = wp_compare (&options, NULL, &error);
  if (comparison == NULL)
    return wp_cli_fail (error);
  status = picture < G_N_ELEMENTS (pictures) ? draw (self, comparison, view, pictures[picture].format)
                                             : print (self, comparison, text);
  if (status == 0 && wp_comparison_verdict (comparison, self->threshold / 100) == WP_VERDICT_DEGRADATION)
    status = DEGRADATION;
  return status;
}

int
wp_cmd_diff (int argc, char **argv)
{
  g_auto (Diff) self = { 0 };
  const GOptionEntry entries[] = {
    { "task", 't', 0, G_OPTION_ARG_STRING, &self.task, "The process of interest", "NAME|NAME:TID|TID" },
    { "idle-task", 0, 0, G_OPTION_ARG_STRING, &self.idle_task, "A spinner that plays the idle task", "NAME" },
    { "format", 'f', 0, G_OPTION_ARG_STRING, &self.format, "The output's format", "FORMAT" },
    { "view", 0, 0, G_OPTION_ARG_STRING, &self.view, "Of pictures: as wide as in B, as in A, or what vanished", "b|a|vanished" },
    { "normalise", 'n', 0, G_OPTION_ARG_NONE, &self.normalise, "Frames as if A had lasted as long as B", NULL },
    { "normalize", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_NONE, &self.normalise, NULL, NULL },
    { "threshold", 0, 0, G_OPTION_ARG_DOUBLE, &self.threshold, "A change of less is none", "PERCENT" },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &self.output, "Write to this file", "FILE" },
    G_OPTION_ENTRY_NULL
  };
  int status = 0;

  for (guint side = 0; side < WP_N_SIDES; side++)
    {
      self.files[side] = g_ptr_array_new_with_free_func (g_free);
      self.commits[side] = g_ptr_array_new_with_free_func (g_free);
    }
  if (!wp_cli_parse (&argc, &argv, entries))
    return 2;
  if (argc != 3)
    return wp_cli_usage ("diff", "name two profiles, or two lists of them: A[,A2…] B[,B2…]");
  if (!(self.threshold >= 0))
    return wp_cli_usage ("diff", "--threshold: not a share in percent");
  wp_cli_default (&self.format, "text");
  for (guint side = 0; side < WP_N_SIDES && status == 0; side++)
    status = add_side (&self, side, argv[1 + side]);
  return status == 0 ? compare (&self) : status;
}
