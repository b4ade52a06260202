#include "large-store.h"

#include <git2.h>
#include <git2/sys/mempack.h>
#include <git2/sys/odb_backend.h>
#include <stdio.h>
#include <string.h>

#include "store/index.h"
#include "store/objects.h"

static const char *const commands[] = { "./sort", "./merge", "./write" };

static const char profile_text[]
  = "{\"header\": {\"type\": \"time\", \"cmd\": \"%s\", \"args\": \"-n %u\", \"workload\": \"load\", \"units\": {\"time\": \"s\"}},"
    " \"collector_info\": {\"name\": \"time\", \"params\": {}}, \"postprocessors\": [],"
    " \"global\": {\"resources\": [{\"type\": \"time\", \"amount\": %u, \"uid\": \"real\"}]}}";

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
  must (git_oid_fromstr (&parent, hashes[(n - 1) / 2]));
  must (git_reference_create (&branch, repo, "refs/heads/half", &parent, TRUE, NULL));
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
  const char *command = commands[i % G_N_ELEMENTS (commands)];
  g_autofree char *text = g_strdup_printf (profile_text, command, i, i), *plain = NULL, *path = NULL, *index = wp_object_path (objects, minor);
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
  g_free (entry->cmd);
  entry->cmd = g_strdup (command);
  g_free (entry->workload);
  entry->workload = g_strdup ("load");
  wp_index_insert (entries, entry);
  bytes = wp_index_bytes (entries, WP_INDEX_ARGS);
  write_without_sync (index, bytes->data, bytes->len);
}

void
large_store_make (const char *folder, guint commits, guint profiles)
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
