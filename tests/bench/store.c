/* The store at a large repository: 100,000 commits, 10,000 profiles, made once in a folder that stays.
 *
 *   bench-store FOLDER [COMMITS PROFILES]
 *
 * Medians of how long the Store page and the commands wait: opening, the first rows, a status, 50 rows of log, all that have profiles. */
#include "store/index.h"
#include "store/objects.h"

#include <git2.h>
#include <git2/sys/mempack.h>
#include <git2/sys/odb_backend.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS 50
#define TIMES 15

static const char profile_text[]
  = "{\"header\": {\"type\": \"time\", \"cmd\": \"./run\", \"args\": \"-n %u\", \"workload\": \"load\", \"units\": {\"time\": \"s\"}},"
    " \"collector_info\": {\"name\": \"time\", \"params\": {}}, \"postprocessors\": [],"
    " \"global\": {\"resources\": [{\"type\": \"time\", \"amount\": %u, \"uid\": \"real\"}]}}";

/* --- making ------------------------------------------------------------------------------------------------------------- */

static void
must (int code)
{
  if (code != 0)
    g_error ("libgit2: %s", git_error_last () != NULL ? git_error_last ()->message : "?");
}

static void
write_pack (git_repository *repo, const git_buf *bytes)
{
  g_autofree char *objects = g_build_filename (git_repository_path (repo), "objects", NULL);
  git_indexer_progress stats = { 0 };
  git_odb_writepack *writer;
  git_odb *odb;

  must (git_odb_open (&odb, objects));
  must (git_odb_write_pack (&writer, odb, NULL, NULL));
  must (writer->append (writer, bytes->ptr, bytes->size, &stats));
  must (writer->commit (writer, &stats));
  writer->free (writer);
  git_odb_free (odb);
}

/* A line of commits through one pack, each a minute after the one before; gives their hashes. */
typedef char Hash[41];

static Hash *
make_commits (const char *folder, guint n)
{
  Hash *hashes = g_new (Hash, n);
  git_repository *repo;
  git_odb *odb;
  git_odb_backend *pack;
  git_treebuilder *builder;
  git_tree *tree;
  git_oid tree_id, parent;
  git_reference *branch;
  git_buf bytes = GIT_BUF_INIT;

  must (git_repository_init (&repo, folder, FALSE));
  must (git_repository_odb (&odb, repo));
  must (git_mempack_new (&pack));
  must (git_odb_add_backend (odb, pack, 999));
  must (git_treebuilder_new (&builder, repo, NULL));
  must (git_treebuilder_write (&tree_id, builder));
  must (git_tree_lookup (&tree, repo, &tree_id));
  for (guint i = 0; i < n; i++)
    {
      git_signature *who;
      git_commit *before = NULL;
      g_autofree char *message = g_strdup_printf ("Commit %u\n\nWhat it is about.\n", i);

      must (git_signature_new (&who, "A U Thor", "author@example.org", 1500000000 + (git_time_t) i * 60, 0));
      if (i > 0)
        must (git_commit_lookup (&before, repo, &parent));
      must (git_commit_create_v (&parent, repo, NULL, who, who, NULL, message, tree, i > 0 ? 1 : 0, before));
      git_oid_tostr (hashes[i], 41, &parent);
      git_commit_free (before);
      git_signature_free (who);
    }
  must (git_mempack_dump (&bytes, repo, pack));
  must (git_mempack_reset (pack));
  write_pack (repo, &bytes);
  must (git_reference_create (&branch, repo, "refs/heads/main", &parent, TRUE, NULL));
  must (git_repository_set_head (repo, "refs/heads/main"));
  git_reference_free (branch);
  git_buf_dispose (&bytes);
  git_tree_free (tree);
  git_treebuilder_free (builder);
  git_odb_free (odb);
  git_repository_free (repo);
  return hashes;
}

static void
write_without_sync (const char *path, const void *data, gsize n)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autoptr (GError) error = NULL;

  g_mkdir_with_parents (folder, 0755);
  if (!g_file_set_contents_full (path, data, (gssize) n, G_FILE_SET_CONTENTS_NONE, 0644, &error))
    g_error ("%s", error->message);
}

/* As wp_store_add() leaves it, without its syncs: 10,000 of them take minutes. */
static void
put_profile (const char *objects, const char *minor, guint i)
{
  g_autoptr (GPtrArray) entries = g_ptr_array_new_with_free_func ((GDestroyNotify) wp_store_entry_free);
  WpStoreEntry *entry = wp_store_entry_new ();
  g_autofree char *text = g_strdup_printf (profile_text, i, i), *plain = NULL, *path = NULL, *index = wp_object_path (objects, minor);
  g_autofree char *sha1 = NULL, *packed = NULL;
  g_autoptr (GByteArray) bytes = NULL;
  gsize n_head = (gsize) snprintf (NULL, 0, "profile time %zu", strlen (text)) + 1, n = n_head + strlen (text);
  g_autoptr (GConverter) deflate = G_CONVERTER (g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_ZLIB, -1));
  gsize n_read, n_packed;

  plain = g_malloc (n + 1);
  g_snprintf (plain, n_head, "profile time %zu", strlen (text));
  memcpy (plain + n_head, text, strlen (text));
  sha1 = g_compute_checksum_for_data (G_CHECKSUM_SHA1, (const guchar *) plain, n);
  packed = g_malloc (n + 100);
  g_assert_cmpint (g_converter_convert (deflate, plain, n, packed, n + 100, G_CONVERTER_INPUT_AT_END, &n_read, &n_packed, NULL), ==,
                   G_CONVERTER_FINISHED);
  path = wp_object_path (objects, sha1);
  write_without_sync (path, packed, n_packed);
  g_strlcpy (entry->sha1, sha1, 41);
  entry->time = 1500000000 + i;
  g_free (entry->path);
  entry->path = g_strdup_printf ("time-run-%u.perf", i);
  g_free (entry->type);
  entry->type = g_strdup ("time");
  g_free (entry->collector);
  entry->collector = g_strdup ("time");
  wp_index_insert (entries, entry);
  bytes = wp_index_bytes (entries, WP_INDEX_ARGS);
  write_without_sync (index, bytes->data, bytes->len);
}

static void
make (const char *folder, guint commits, guint profiles)
{
  g_autofree char *done = g_build_filename (folder, "made", NULL), *repo = g_build_filename (folder, "repo", NULL), *objects = NULL;
  g_autofree char *wanted = g_strdup_printf ("%u %u", commits, profiles), *found = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (WpStore) store = NULL;
  Hash *hashes;

  if (g_file_get_contents (done, &found, NULL, NULL) && g_str_equal (found, wanted))
    return;
  g_assert_false (g_file_test (repo, G_FILE_TEST_EXISTS)); /* one of another size: another folder, please */
  g_mkdir_with_parents (folder, 0755);
  git_libgit2_init ();
  hashes = make_commits (repo, commits);
  store = wp_store_init (repo, NULL, &error);
  if (store == NULL)
    g_error ("%s", error->message);
  objects = g_build_filename (wp_store_folder (store), "objects", NULL);
  /* Evenly, the newest commit among them. */
  for (guint i = 0; i < profiles; i++)
    put_profile (objects, hashes[commits - 1 - (guint) ((guint64) i * (commits - 1) / MAX (profiles - 1, 1))], i);
  g_file_set_contents (done, wanted, -1, NULL);
  g_free (hashes);
  git_libgit2_shutdown ();
}

/* --- measuring ---------------------------------------------------------------------------------------------------------- */

typedef struct
{
  const char *repo;
  WpStore *store;
  guint rows, found;
} Run;

static void
open_store (Run *self)
{
  g_autoptr (GError) error = NULL;

  g_clear_pointer (&self->store, wp_store_free);
  self->store = wp_store_open (self->repo, &error);
  if (self->store == NULL || wp_store_vcs (self->store) == NULL)
    g_error ("%s", error != NULL ? error->message : "no repository");
}

static void
walk_rows (Run *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (WpVcsWalk) walk = NULL;
  WpMinorVersion info;
  char head[41];

  self->found = 0;
  if (!wp_vcs_head (wp_store_vcs (self->store), head, &error) || (walk = wp_vcs_walk_new (wp_store_vcs (self->store), head, &error)) == NULL)
    g_error ("%s", error->message);
  for (guint i = 0; i < self->rows && wp_vcs_walk_next (walk, &info, &error); i++)
    {
      g_autoptr (GPtrArray) entries = wp_store_registered (self->store, info.hash, &error);

      self->found += entries != NULL ? entries->len : 0;
      wp_minor_version_clear (&info);
    }
}

/* A window or a command that begins: opened, then the first rows. */
static void
first_rows (Run *self)
{
  self->rows = ROWS;
  open_store (self);
  walk_rows (self);
}

static void
status (Run *self)
{
  g_autoptr (GPtrArray) pending = NULL;
  gboolean dirty;

  self->rows = 1;
  open_store (self);
  walk_rows (self);
  pending = wp_store_pending (self->store, NULL);
  wp_vcs_is_dirty (wp_store_vcs (self->store), &dirty, NULL);
}

/* The first time that a store is asked: every file is looked into. */
static void
all_minors_anew (Run *self)
{
  g_autoptr (GHashTable) minors = NULL;

  open_store (self);
  minors = wp_store_minors (self->store, NULL);
  self->found = g_hash_table_size (minors);
}

static void
all_minors (Run *self)
{
  g_autoptr (GHashTable) minors = wp_store_minors (self->store, NULL);

  self->found = g_hash_table_size (minors);
}

static void
all_rows (Run *self)
{
  self->rows = G_MAXUINT;
  walk_rows (self);
}

static int
compare_times (const void *a, const void *b)
{
  return (*(const gint64 *) a > *(const gint64 *) b) - (*(const gint64 *) a < *(const gint64 *) b);
}

static double
measure (Run *run, const char *name, void (*what) (Run *run), guint times)
{
  gint64 took[TIMES];

  for (guint i = 0; i < times; i++)
    {
      gint64 begun = g_get_monotonic_time ();

      what (run);
      took[i] = g_get_monotonic_time () - begun;
    }
  qsort (took, times, sizeof *took, compare_times);
  g_print ("%-44s %8.2f ms (median of %u, longest %.2f ms), %u profiles\n", name, (double) took[times / 2] / 1000, times,
           (double) took[times - 1] / 1000, run->found);
  return (double) took[times / 2] / 1000;
}

int
main (int argc, char **argv)
{
  guint commits = argc > 2 ? (guint) atoi (argv[2]) : 100000, profiles = argc > 3 ? (guint) atoi (argv[3]) : 10000;
  g_autofree char *repo = NULL;
  Run run = { 0 };
  double rows;

  if (argc < 2)
    g_error ("bench-store FOLDER [COMMITS PROFILES]");
  make (argv[1], commits, profiles);
  repo = g_build_filename (argv[1], "repo", NULL);
  run.repo = repo;
  g_print ("%u commits, %u profiles\n", commits, profiles);
  measure (&run, "opening", open_store, TIMES);
  rows = measure (&run, "opening and the first 50 rows", first_rows, TIMES);
  measure (&run, "status", status, TIMES);
  measure (&run, "which commits have profiles", all_minors_anew, TIMES);
  measure (&run, "the same, asked again", all_minors, TIMES);
  measure (&run, "all commits with their profiles", all_rows, 1);
  wp_store_free (run.store);
  if (rows > 100)
    g_printerr ("the first rows took more than 100 ms\n");
  return rows > 100;
}
