/* Makes a git repository for the window's tests: make-repository FOLDER COMMITS. Its commits are a minute apart, the last one at a fixed
 * time, on a branch named main; a second branch, side, ends at the first one. With 0 nothing is committed. The work tree has the one file
 * that they have, main.c. */
#include <git2.h>
#include <stdio.h>
#include <stdlib.h>

#define LAST 1700000000

static void
check (int result, const char *what)
{
  if (result == 0)
    return;
  fprintf (stderr, "make-repository: %s: %s\n", what, git_error_last () != NULL ? git_error_last ()->message : "?");
  exit (1);
}

static void
commit (git_repository *repository, const git_tree *tree, git_oid *id, int i, int n)
{
  char message[64];
  git_signature *author;
  git_commit *parent = NULL;

  snprintf (message, sizeof message, i == 0 ? "Begin" : "Change number %d", i);
  check (git_signature_new (&author, i % 3 == 0 ? "Ada Lovelace" : "Grace Hopper", "someone@example.org",
                            LAST - 60 * (git_time_t) (n - 1 - i), 0), "signature");
  if (i > 0)
    check (git_commit_lookup (&parent, repository, id), "parent");
  check (git_commit_create (id, repository, NULL, author, author, NULL, message, tree, i > 0, (const git_commit **) &parent), "commit");
  git_commit_free (parent);
  git_signature_free (author);
}

/* The same file everywhere: in the tree of every commit, in the index and in the work tree. */
static git_tree *
make_tree (git_repository *repository, const char *folder)
{
  static const char text[] = "int main (void) { return 0; }\n";
  char path[4096];
  git_index *index;
  git_oid id;
  git_tree *tree;
  FILE *file;

  snprintf (path, sizeof path, "%s/main.c", folder);
  file = fopen (path, "w");
  if (file == NULL || fputs (text, file) < 0 || fclose (file) != 0)
    exit (1);
  check (git_repository_index (&index, repository), "index");
  check (git_index_add_bypath (index, "main.c"), "index");
  check (git_index_write_tree (&id, index), "tree");
  check (git_index_write (index), "index");
  check (git_tree_lookup (&tree, repository, &id), "tree");
  git_index_free (index);
  return tree;
}

int
main (int argc, char **argv)
{
  git_repository_init_options options = GIT_REPOSITORY_INIT_OPTIONS_INIT;
  git_repository *repository;
  git_reference *reference;
  git_oid id, first;
  git_tree *tree;
  int n = argc == 3 ? atoi (argv[2]) : -1;

  if (n < 0)
    return 2;
  git_libgit2_init ();
  options.flags = GIT_REPOSITORY_INIT_MKPATH;
  options.initial_head = "main";
  check (git_repository_init_ext (&repository, argv[1], &options), "repository");
  tree = make_tree (repository, argv[1]);
  for (int i = 0; i < n; i++)
    {
      commit (repository, tree, &id, i, n);
      if (i == 0)
        first = id;
    }
  if (n > 0)
    {
      check (git_reference_create (&reference, repository, "refs/heads/main", &id, 1, NULL), "main");
      git_reference_free (reference);
      check (git_reference_create (&reference, repository, "refs/heads/side", &first, 1, NULL), "side");
      git_reference_free (reference);
      printf ("%s\n", git_oid_tostr_s (&id));
    }
  git_tree_free (tree);
  git_repository_free (repository);
  git_libgit2_shutdown ();
  return 0;
}
