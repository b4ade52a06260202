/* Stores: settings, indexes, objects, pending profiles and what was found are the input's, and every command is run on them.
 *
 * An input is sections, each behind a line "@@NAME": local.yml, shared.yml, index and older (of the last commit, and of the one before),
 * jobs (the index of pending profiles), object (before it is packed; in the indexes OBJECT-ONE-SHA1-HERE stands for its name),
 * packed (an object as it is), pending, changes. */
#include "shut-in.h"
#include "fuzz.h"

#include "cli/command.h"
#include "profile/model/profile.h"
#include "store/index.h"
#include "store/objects.h"
#include "store/store-private.h"
#include "store/yaml-file.h"

#include <fcntl.h>
#include <git2.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

static const char placeholder[] = "OBJECT-ONE-SHA1-HERE";
static char repository[64], commits[2][41]; /* the last one first */

/* --- what stays ------------------------------------------------------------------------------------------------------- */

static void
no_error (int code)
{
  if (code < 0)
    g_error ("git: %s", git_error_last () != NULL ? git_error_last ()->message : "?");
}

static void
make_commit (git_repository *repo, guint i)
{
  git_index *index;
  git_signature *who;
  git_oid tree, id, parent = { 0 };
  git_tree *contents;
  git_commit *before = NULL;

  no_error (git_repository_index (&index, repo));
  no_error (git_index_write_tree (&tree, index));
  no_error (git_tree_lookup (&contents, repo, &tree));
  no_error (git_signature_new (&who, "A", "a@example.org", 1500000000 + i, 0));
  if (git_reference_name_to_id (&parent, repo, "HEAD") == 0)
    no_error (git_commit_lookup (&before, repo, &parent));
  no_error (git_commit_create_v (&id, repo, "HEAD", who, who, NULL, "Commit", contents, before != NULL ? 1 : 0, before));
  git_oid_tostr (commits[1 - i], sizeof commits[0], &id);
  git_commit_free (before);
  git_tree_free (contents);
  git_signature_free (who);
  git_index_free (index);
}

static void
make_repository (void)
{
  git_repository *repo;

  git_libgit2_init ();
  git_libgit2_opts (GIT_OPT_SET_OWNER_VALIDATION, 0);
  g_snprintf (repository, sizeof repository, "%s/repo", fuzz_folder ());
  no_error (git_repository_init (&repo, repository, 0));
  make_commit (repo, 0);
  make_commit (repo, 1);
  git_repository_free (repo);
}

/* Nothing of the user's is read. */
static void
set_up (void)
{
  static const char *const own[] = { "HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR",
                                     "PERUN_CONFIG_DIR", "TMPDIR" };

  for (guint i = 0; i < G_N_ELEMENTS (own); i++)
    g_setenv (own[i], fuzz_folder (), TRUE);
  make_repository ();
}

/* In the process that runs inputs: nothing is asked, nothing printed, no harm done. */
static void
begin_process (void)
{
  static gboolean begun;
  int null = open ("/dev/null", O_RDWR | O_CLOEXEC);

  if (!begun && (null < 0 || dup2 (null, STDIN_FILENO) < 0 || dup2 (null, STDOUT_FILENO) < 0))
    g_error ("/dev/null cannot be opened");
  if (!begun)
    fuzz_shut_in (fuzz_folder ());
  begun = TRUE;
  close (null);
}

/* --- what an input brings --------------------------------------------------------------------------------------------- */

/* A path within the store. Free with g_free(). */
static char *
in_store (const char *path)
{
  return g_build_filename (repository, ".perun", path, NULL);
}

static void
write_file (const char *path, gconstpointer data, gsize n)
{
  g_autofree char *folder = g_path_get_dirname (path);
  int fd;

  g_mkdir_with_parents (folder, 0700);
  fd = open (path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (fd < 0 || write (fd, data, n) != (ssize_t) n)
    g_error ("%s: cannot be written", path);
  close (fd);
}

static char *
object_path (const char *sha1)
{
  g_autofree char *path = g_strdup_printf ("objects/%.2s/%s", sha1, sha1 + 2);

  return in_store (path);
}

/* Writes the object and gives its name. */
static void
write_object (const guint8 *data, gsize n, gboolean packed, guint8 name[20])
{
  g_autofree char *sha1 = g_compute_checksum_for_data (G_CHECKSUM_SHA1, data, n), *path = object_path (sha1);
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA1);
  gsize size = 20;
  uLongf room = compressBound (n);
  g_autofree guint8 *out = g_malloc (room);

  g_checksum_update (sum, data, (gssize) n);
  g_checksum_get_digest (sum, name, &size);
  if (packed)
    write_file (path, data, n);
  else if (compress (out, &room, data, n) == Z_OK)
    write_file (path, out, room);
}

typedef struct
{
  const char *name;
  const guint8 *data;
  gsize n;
} Section;

static void
put_names (guint8 *data, gsize n, const guint8 name[20])
{
  for (guint8 *at = data; (at = memmem (at, n - (gsize) (at - data), placeholder, 20)) != NULL; at += 20)
    memcpy (at, name, 20);
}

/* A section's file; the last commit's index and changes have their places among the objects. */
static void
write_section (const Section *section, const guint8 name[20])
{
  g_autofree char *changes = g_strconcat (commits[0], ".changes", NULL);
  const struct
  {
    const char *name;
    char *path;
  } places[] = {
    { "local.yml", in_store ("local.yml") },     { "shared.yml", g_build_filename (fuzz_folder (), "shared.yml", NULL) },
    { "index", object_path (commits[0]) },       { "older", object_path (commits[1]) },
    { "jobs", in_store ("jobs/.index") },        { "pending", in_store ("jobs/p.perf") },
    { "changes", object_path (changes) },
  };
  g_autofree guint8 *copy = g_malloc (section->n + 1); /* a section may be empty */

  memcpy (copy, section->data, section->n);
  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    {
      if (g_str_equal (places[i].name, section->name))
        {
          put_names (copy, section->n, name);
          write_file (places[i].path, copy, section->n);
        }
      g_free (places[i].path);
    }
}

/* The next section; FALSE: there is none. */
static gboolean
next_section (const guint8 **at, const guint8 *end, Section *section, char name[16])
{
  const guint8 *line = *at, *stop = memchr (line, '\n', (gsize) (end - line));
  gsize n = stop != NULL ? (gsize) (stop - line) : 0;

  if (n < 3 || line[0] != '@' || line[1] != '@')
    return FALSE;
  memcpy (name, line + 2, MIN (15, n - 2));
  name[MIN (15, n - 2)] = '\0';
  section->name = name;
  section->data = stop + 1;
  stop = memmem (section->data, (gsize) (end - section->data), "\n@@", 3);
  section->n = (gsize) ((stop != NULL ? stop : end) - section->data);
  *at = stop != NULL ? stop + 1 : end;
  return TRUE;
}

static gboolean
write_sections (const guint8 *data, gsize n)
{
  const guint8 *end = data + n, *at = data;
  guint8 name[20] = { 0 };
  char text[16];
  Section section;
  guint sections = 0;

  while (at < end && next_section (&at, end, &section, text))
    if (g_str_equal (text, "object") || g_str_equal (text, "packed"))
      write_object (section.data, section.n, text[0] == 'p', name);
  for (at = data; at < end && next_section (&at, end, &section, text); sections++)
    write_section (&section, name);
  return sections > 0;
}

/* As `init` makes it. */
static void
begin (void)
{
  static const char settings[] = "vcs:\n  type: git\n  url: ../\n";
  g_autofree char *store = in_store (""), *local = in_store ("local.yml"), *jobs = in_store ("jobs"), *logs = in_store ("logs"),
                  *objects = in_store ("objects"), *shared = g_build_filename (fuzz_folder (), "shared.yml", NULL);

  fuzz_remove (store);
  g_unlink (shared);
  g_mkdir_with_parents (jobs, 0700);
  g_mkdir_with_parents (logs, 0700);
  g_mkdir_with_parents (objects, 0700);
  write_file (local, settings, sizeof settings - 1);
}

/* --- what is done to it ----------------------------------------------------------------------------------------------- */

#define MAX_WORDS 10
#define COMMANDS_RUN 8 /* of an input; which, it says itself */
#define RANGE_EVERY 20

static const char *const commands[][MAX_WORDS] = {
  { "status" },
  { "status", "--format", "json", "--sort-by", "amount" },
  { "status", "--short", "-m", "HEAD~1" },
  { "log" },
  { "log", "--short" },
  { "log", "--format", "json" },
  { "log", "--history", "total" },
  { "show", "0@i" },
  { "show", "0@p", "json" },
  { "show", "p.perf", "raw" },
  { "report", "0@i" },
  { "info", "0@i" },
  { "query", "0@i", "all_items_of" },
  { "query", "0@p", "unique_resource_values_of", "uid" },
  { "convert", "0@i", "table" },
  { "convert", "0@i", "heap-map" },
  { "convert", "0@p", "flow" },
  { "view", "0@i" },
  { "view", "0@i", "resources" },
  { "postprocess", "0@i", "regression-analysis", "-o", "out.perf" },
  { "diff", "HEAD~1", "HEAD" },
  { "diff", "0@i", "0@p", "--format", "json" },
  { "check", "head" },
  { "trust", "--yes" },
  { "trust", "--list" },
  { "check", "all", "--format", "json" },
  { "check", "profiles", "0@i", "0@p" },
  { "add", "0@p", "--keep-profile" },
  { "add", "p.perf", "--force", "--yes" },
  { "save", "0@i", "--pending" },
  { "rm", "0@i", "--yes" },
  { "rm", "0@p", "--yes" },
  { "range", "HEAD~1..HEAD" }, /* the last one: it takes as long as all the others */
};

static void
run_command (guint i)
{
  const char *words[MAX_WORDS + 1] = { NULL };
  char **copies;

  memcpy (words, commands[i], sizeof commands[i]);
  copies = g_strdupv ((char **) words);
  for (guint n = g_strv_length (copies), k = 0; k < n; k++)
    words[k] = copies[k];
  wp_command_run (wp_command_find (words[0]), (int) g_strv_length (copies), (char **) words);
  g_strfreev (copies);
}

static void
run_commands (FuzzRandom *choice)
{
  for (guint i = 0; i < COMMANDS_RUN; i++)
    run_command (fuzz_below (choice, G_N_ELEMENTS (commands) - 1));
  if (fuzz_one_in (choice, RANGE_EVERY))
    run_command (G_N_ELEMENTS (commands) - 1);
}

static gboolean
run (const guint8 *data, gsize n)
{
  FuzzRandom choice = fuzz_choice (data, n);
  int here = open (".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  gboolean any;

  begin_process ();
  begin ();
  any = write_sections (data, n);
  if (any && chdir (repository) == 0)
    run_commands (&choice);
  if (fchdir (here) != 0)
    g_error ("the working folder is gone");
  close (here);
  return any;
}

/* --- reading only ----------------------------------------------------------------------------------------------------- */

static gboolean
parse_settings (const Section *section)
{
  g_autoptr (WpYaml) settings = wp_yaml_parse ("fuzz", (const char *) section->data, section->n, NULL);

  return settings != NULL;
}

static gboolean
parse_index (const Section *section)
{
  char path[40];
  int fd = fuzz_open (section->data, section->n, path);
  WpIndexForm form;
  g_autofree char *notice = NULL;
  g_autoptr (GPtrArray) entries = wp_index_read (path, NULL, &form, &notice, NULL);

  close (fd);
  return entries != NULL;
}

static gboolean
parse_profile (const Section *section)
{
  g_autoptr (WpProfile) profile = wp_profile_parse ("fuzz", (const char *) section->data, section->n, NULL, NULL);

  return profile != NULL;
}

/* What it is called, it is not: that is found last. */
static gboolean
parse_object (const Section *section)
{
  char path[40];
  int fd = fuzz_open (section->data, section->n, path);
  gsize n;
  gboolean whole;
  g_autofree char *text = wp_object_read (path, "", &n, NULL), *some = wp_object_peek (path, 1000, &n, &whole, NULL);

  close (fd);
  return some != NULL;
}

static gboolean
parse_changes (const Section *section)
{
  g_autofree char *text = g_strndup ((const char *) section->data, section->n);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    g_free (wp_store_change_key (lines[i]));
  return TRUE;
}

static gboolean
parse_section (const Section *section)
{
  static const struct
  {
    const char *name;
    gboolean (*parse) (const Section *section);
  } parsers[] = {
    { "local.yml", parse_settings }, { "shared.yml", parse_settings }, { "index", parse_index },     { "older", parse_index },
    { "jobs", parse_index },         { "object", parse_profile },      { "pending", parse_profile }, { "packed", parse_object },
    { "changes", parse_changes },
  };

  for (guint i = 0; i < G_N_ELEMENTS (parsers); i++)
    if (g_str_equal (parsers[i].name, section->name))
      return parsers[i].parse (section);
  return FALSE;
}

/* Whether all sections could be read. */
static gboolean
parse (const guint8 *data, gsize n)
{
  const guint8 *end = data + n, *at = data;
  char text[16];
  Section section;
  gboolean good = TRUE;

  while (at < end && next_section (&at, end, &section, text))
    good &= parse_section (&section);
  return good;
}

const FuzzTarget fuzz_target = {
  .name = "store",
  .set_up = set_up,
  .run = run,
  .parse = parse,
  .changes = { fuzz_change_lines, fuzz_change_json },
  .splice = fuzz_splice_lines,
};
