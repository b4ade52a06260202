/* The commit a folder is at, read from the repository's own files; see commit.h. */
#include "record/commit.h"

#include "base/plain-file.h"

#include <string.h>

#define LINE_LIMIT 4096 /* bytes */
#define PACKED_LIMIT (64 * 1024 * 1024)

static char *
read_line (const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  char *text = wp_plain_file_read (path, LINE_LIMIT, NULL, NULL);

  if (text == NULL)
    return NULL;
  text[strcspn (text, "\r\n")] = '\0';
  return text;
}

/* The repository of a work tree: its .git folder, or what a .git file (a worktree, a submodule) points to. */
static char *
find_repository (const char *folder)
{
  g_autofree char *at = g_strdup (folder);

  for (;;)
    {
      g_autofree char *git = g_build_filename (at, ".git", NULL), *line = NULL, *up = NULL;

      if (g_file_test (git, G_FILE_TEST_IS_DIR))
        return g_steal_pointer (&git);
      line = read_line (at, ".git");
      if (line != NULL && g_str_has_prefix (line, "gitdir: "))
        return g_canonicalize_filename (line + strlen ("gitdir: "), at);
      up = g_path_get_dirname (at);
      if (g_str_equal (up, at))
        return NULL;
      g_free (at);
      at = g_steal_pointer (&up);
    }
}

static char *
find_packed (const char *repository, const char *reference)
{
  g_autofree char *path = g_build_filename (repository, "packed-refs", NULL);
  g_autofree char *text = wp_plain_file_read (path, PACKED_LIMIT, NULL, NULL);
  g_auto (GStrv) lines = NULL;

  if (text == NULL)
    return NULL;
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      char *space = strchr (lines[i], ' ');

      if (space != NULL && g_str_equal (space + 1, reference))
        return g_strndup (lines[i], space - lines[i]);
    }
  return NULL;
}

char *
wp_commit_of_folder (const char *folder)
{
  g_autofree char *repository = find_repository (folder), *head = NULL, *common = NULL, *shared = NULL, *commit = NULL;
  const char *reference;

  head = repository != NULL ? read_line (repository, "HEAD") : NULL;
  if (head == NULL)
    return NULL;
  if (!g_str_has_prefix (head, "ref: "))
    return g_steal_pointer (&head);
  reference = head + strlen ("ref: ");
  common = read_line (repository, "commondir"); /* a worktree keeps its branches with the main one */
  shared = common != NULL ? g_canonicalize_filename (common, repository) : g_strdup (repository);
  commit = read_line (shared, reference);
  return commit != NULL ? g_steal_pointer (&commit) : find_packed (shared, reference);
}
