/* Indexes that are cut: at every byte, of one, two and three profiles, in every layout, with our old checksum and without, with the
 * profiles there and gone. What is read is what was written; nothing is left out or misread without a word; and a change either keeps
 * all that was read or is refused and changes nothing. */
#include "store/objects.h"
#include "store/store-private.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#define N_MOST 3

static const char *const layout_names[] = { "paths", "args", "no args", "label" };

/* A profile as its header says it; in every layout some of it is not known. */
typedef struct
{
  const char *path, *cmd, *args, *workload, *label, *collector, *postprocessors[3];
} Row;

static const Row rows[N_MOST] = {
  { "a.perf", "./a.out", "-x 1", "in.txt", "one", "time", { "normalizer", "clusterizer", NULL } },
  { "b.perf", "b", "", "", "", "memory", { NULL } },
  { "c.perf", "./c", "-y", "time", "l", "time", { "normalizer", NULL } },
};

typedef struct
{
  char *folder, commit[41], sha1s[4][N_MOST][41]; /* of objects by layout and row */
  WpStore *store;
} Fixture;

/* --- what is written ---------------------------------------------------------------------------------------------------- */

static void
put_u32 (GByteArray *out, guint32 value)
{
  value = GUINT32_TO_LE (value);
  g_byte_array_append (out, (const guint8 *) &value, 4);
}

static void
put_string (GByteArray *out, const char *text)
{
  put_u32 (out, (guint32) strlen (text));
  g_byte_array_append (out, (const guint8 *) text, (guint) strlen (text));
}

static char *
joined_cmd (const Row *row)
{
  return g_strjoin (*row->args != '\0' ? " " : "", row->cmd, row->args, NULL);
}

static void
put_strings (GByteArray *out, WpIndexLayout layout, const Row *row)
{
  g_autofree char *postprocessors = g_strjoinv (" ", (char **) row->postprocessors), *cmd = joined_cmd (row);

  put_string (out, "time");
  put_string (out, layout == WP_INDEX_ARGS ? row->cmd : cmd);
  if (layout == WP_INDEX_ARGS)
    put_string (out, row->args);
  put_string (out, row->workload);
  if (layout == WP_INDEX_LABEL)
    put_string (out, row->label);
  put_string (out, row->collector);
  put_string (out, postprocessors);
}

static GByteArray *
make_index (const Fixture *self, WpIndexLayout layout, guint n, gboolean summed)
{
  GByteArray *out = g_byte_array_new ();

  g_byte_array_append (out, (const guint8 *) "pidx", 4);
  put_u32 (out, layout == WP_INDEX_PATHS ? 1 : 2);
  put_u32 (out, n);
  for (guint i = 0; i < n; i++)
    {
      put_u32 (out, 1500000000 + i);
      for (guint byte = 0; byte < 20; byte++)
        {
          const char *hex = self->sha1s[layout][i] + 2 * byte;
          guint8 value = (guint8) (g_ascii_xdigit_value (hex[0]) << 4 | g_ascii_xdigit_value (hex[1]));

          g_byte_array_append (out, &value, 1);
        }
      g_byte_array_append (out, (const guint8 *) rows[i].path, (guint) strlen (rows[i].path) + 1);
      if (layout != WP_INDEX_PATHS)
        put_strings (out, layout, &rows[i]);
    }
  if (summed)
    {
      g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA1);
      guint8 digest[20];
      gsize size = sizeof digest;

      g_checksum_update (sum, out->data, out->len);
      g_checksum_get_digest (sum, digest, &size);
      g_byte_array_append (out, digest, 20);
    }
  return out;
}

/* The profile of a row as the Perun of that layout has it. */
static char *
profile_text (WpIndexLayout layout, const Row *row)
{
  g_autoptr (GString) steps = g_string_new (NULL);
  g_autofree char *cmd = joined_cmd (row), *texts = NULL;

  for (guint i = 0; row->postprocessors[i] != NULL; i++)
    g_string_append_printf (steps, "%s{\"name\": \"%s\", \"params\": {}}", i > 0 ? ", " : "", row->postprocessors[i]);
  if (layout == WP_INDEX_LABEL)
    texts = g_strdup_printf ("\"cmd\": \"%s\", \"label\": \"%s\"", cmd, row->label);
  else if (layout == WP_INDEX_NO_ARGS)
    texts = g_strdup_printf ("\"cmd\": \"%s\"", cmd);
  else
    texts = g_strdup_printf ("\"cmd\": \"%s\", \"args\": \"%s\"", row->cmd, row->args);
  return g_strdup_printf ("{\"header\": {\"type\": \"time\", %s, \"workload\": \"%s\", \"units\": {\"time\": \"s\"}}, \"collector_info\": "
                          "{\"name\": \"%s\", \"params\": {}}, \"postprocessors\": [%s], \"global\": {\"resources\": []}}",
                          texts, row->workload, row->collector, steps->str);
}

/* --- the store ---------------------------------------------------------------------------------------------------------- */

static char *
put_file (const Fixture *self, const char *text)
{
  char *path = g_build_filename (self->folder, "new.perf", NULL);

  g_unlink (path); /* what is replaced is synced */
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  return path;
}

static void
make_objects (Fixture *self)
{
  for (WpIndexLayout layout = 0; layout < G_N_ELEMENTS (layout_names); layout++)
    for (guint i = 0; i < N_MOST; i++)
      {
        g_autofree char *text = profile_text (layout, &rows[i]), *path = put_file (self, text),
                        *objects = g_build_filename (wp_store_folder (self->store), "objects", NULL);
        g_autoptr (GError) error = NULL;
        g_autoptr (WpProfile) profile = wp_profile_load (path, NULL, &error);

        g_assert_no_error (error);
        g_assert_true (wp_object_write (objects, profile, self->sha1s[layout][i], &error));
      }
}

static void
set_up (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *line = NULL;
  const char *argv[] = { "sh", "-c", NULL, NULL };
  g_autofree char *hash = NULL;

  self->folder = g_dir_make_tmp ("wakepath-cuts-XXXXXX", &error);
  g_assert_no_error (error);
  line = g_strdup_printf ("git init -q '%s' && cd '%s' && git -c user.name=A -c user.email=a@b commit -q --allow-empty -m x && git rev-parse HEAD",
                          self->folder, self->folder);
  argv[2] = line;
  g_assert_true (g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &hash, NULL, NULL, NULL));
  g_strlcpy (self->commit, hash, 41);
  self->store = wp_store_init (self->folder, NULL, &error);
  g_assert_no_error (error);
  make_objects (self);
}

static void
tear_down (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *command = g_strdup_printf ("rm -rf '%s'", self->folder);

  wp_store_free (self->store);
  g_assert_true (g_spawn_command_line_sync (command, NULL, NULL, NULL, NULL));
  g_free (self->folder);
}

/* --- what is read ------------------------------------------------------------------------------------------------------- */

/* One state of an index. */
typedef struct
{
  WpIndexLayout layout;
  guint n;
  gsize at;      /* bytes that are left */
  gboolean cut;  /* some that matter are gone */
  gboolean gone; /* the objects are not there */
} State;

static void
fail_at (const State *state, const char *what, const char *detail)
{
  g_error ("%u profiles, layout “%s”, objects %s, cut at %" G_GSIZE_FORMAT ": %s: %s", state->n, layout_names[state->layout],
           state->gone ? "gone" : "there", state->at, what, detail != NULL ? detail : "");
}

static void
same_text (const State *state, const char *found, const char *wanted)
{
  if (!g_str_equal (found, wanted))
    fail_at (state, "misread", found);
}

/* Without its object a label cannot be told from args. */
static void
check_entry (const State *state, const WpStoreEntry *entry, const Row *row, gboolean told)
{
  gboolean args = state->layout == WP_INDEX_ARGS || (state->layout == WP_INDEX_PATHS && !state->gone);
  g_autofree char *cmd = args ? g_strdup (row->cmd) : joined_cmd (row), *wanted = g_strjoinv (" ", (char **) row->postprocessors);
  g_autofree char *found = g_strjoinv (" ", entry->postprocessors);

  same_text (state, entry->path, row->path);
  if (state->layout == WP_INDEX_PATHS && state->gone)
    return;
  same_text (state, entry->cmd, cmd);
  same_text (state, entry->collector, row->collector);
  if (state->layout != WP_INDEX_LABEL || !state->gone)
    {
      same_text (state, entry->workload, row->workload);
      same_text (state, entry->args, args ? row->args : "");
      same_text (state, entry->label, state->layout == WP_INDEX_LABEL ? row->label : "");
    }
  if (!told || !g_str_has_prefix (wanted, found))
    same_text (state, found, wanted);
}

/* Whether the last one's postprocessors are said to be lost. */
static gboolean
tells_of_end (const char *notice)
{
  return notice != NULL && strstr (notice, "not all known") != NULL;
}

/* FALSE: it was refused. */
static gboolean
check_reading (Fixture *self, const State *state)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) entries = wp_store_registered_by (self->store, self->commit, "copy", &error);
  const char *notice = wp_store_notice (self->store);

  if (entries == NULL)
    {
      if (!state->cut && !(state->gone && state->layout == WP_INDEX_NO_ARGS && state->n == 1))
        fail_at (state, "refused", error->message);
      if (strstr (error->message, "nothing was changed") == NULL || strstr (error->message, self->commit + 2) == NULL)
        fail_at (state, "refused without a word", error->message);
      return FALSE;
    }
  if (entries->len != state->n || (notice != NULL) != state->cut)
    fail_at (state, "another number of profiles, or a word too few or too many", notice);
  for (guint i = 0; i < entries->len; i++)
    check_entry (state, entries->pdata[i], &rows[i], i + 1 == state->n && tells_of_end (notice));
  return TRUE;
}

/* One more is added: then all is there, or nothing is changed. */
static void
check_adding (Fixture *self, const State *state, const char *path, gboolean readable)
{
  g_autofree char *text = profile_text (WP_INDEX_ARGS, &rows[0]), *file = put_file (self, text), *before = NULL, *after = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) entries = NULL;
  gsize n_before, n_after;
  char sha1[41];
  gboolean lost = readable && tells_of_end (wp_store_notice (self->store)), added;

  g_assert_true (g_file_get_contents (path, &before, &n_before, NULL));
  added = wp_store_add (self->store, self->commit, file, WP_STORE_ADD_FORCE, sha1, &error);
  if (added != (readable && !lost))
    fail_at (state, added ? "written though something is lost" : "not written", error != NULL ? error->message : NULL);
  if (!added)
    {
      g_assert_true (g_file_get_contents (path, &after, &n_after, NULL));
      if (n_after != n_before || memcmp (before, after, n_before) != 0)
        fail_at (state, "refused, but changed", error->message);
      g_assert_true (g_file_test (file, G_FILE_TEST_EXISTS));
      return;
    }
  entries = wp_store_registered_by (self->store, self->commit, "copy", &error);
  if (entries == NULL || entries->len != state->n + 1 || wp_store_notice (self->store) != NULL)
    fail_at (state, "not whole after a change", entries == NULL ? error->message : wp_store_notice (self->store));
  for (guint i = 0; i < state->n; i++)
    check_entry (state, entries->pdata[i], &rows[i], FALSE);
}

static void
check_cuts (Fixture *self, WpIndexLayout layout, guint n, gboolean summed, gboolean gone)
{
  g_autoptr (GByteArray) whole = make_index (self, layout, n, summed);
  g_autofree char *path = wp_store_index_path (self->store, self->commit), *folder = g_path_get_dirname (path);
  g_autofree char *sum = g_strdup_printf ("%s/cache/%s.sha1", wp_store_folder (self->store), self->commit);

  g_mkdir (folder, 0777);
  for (gsize at = 0; at <= whole->len; at++)
    {
      State state = { layout, n, at, at < whole->len && !(summed && at + 20 == whole->len), gone };

      g_unlink (sum);
      g_unlink (path);
      g_assert_true (g_file_set_contents (path, (const char *) whole->data, (gssize) at, NULL));
      check_adding (self, &state, path, check_reading (self, &state));
    }
  g_unlink (path);
}

static void
check_layouts (Fixture *self, gboolean gone)
{
  for (WpIndexLayout layout = 0; layout < G_N_ELEMENTS (layout_names); layout++)
    for (guint n = 1; n <= N_MOST; n++)
      for (int summed = 0; summed <= (layout != WP_INDEX_PATHS); summed++)
        check_cuts (self, layout, n, summed, gone);
}

static void
test_there (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  check_layouts (self, FALSE);
}

/* Names of objects that nobody has. */
static void
test_gone (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  for (WpIndexLayout layout = 0; layout < G_N_ELEMENTS (layout_names); layout++)
    for (guint i = 0; i < N_MOST; i++)
      self->sha1s[layout][i][0] = self->sha1s[layout][i][0] == '0' ? '1' : '0';
  check_layouts (self, TRUE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  if (g_access ("/dev/shm", W_OK) == 0) /* thousands of changes, each synced */
    g_setenv ("TMPDIR", "/dev/shm", TRUE);
  g_setenv ("HOME", "/nonexistent", TRUE);
  g_setenv ("PERUN_CONFIG_DIR", "/nonexistent", TRUE);
  g_test_add ("/store/cuts/objects-there", Fixture, NULL, set_up, test_there, tear_down);
  g_test_add ("/store/cuts/objects-gone", Fixture, NULL, set_up, test_gone, tear_down);
  return g_test_run ();
}
