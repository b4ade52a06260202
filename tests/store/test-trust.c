/* What a store would run, how it is shown, and when it is trusted. */
#include "base/plain-file.h"
#include "store/trust.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct
{
  char *folder; /* holds all of a test's stores */
  char *repo;
} Fixture;

static const char commands[] = "execute:\n  pre_run: [make]\ncmds: [./program]\nargs: [-x 1, -y]\n";
static char *state, *config; /* folders of the user's */

static char *
settings_path (const char *repo)
{
  return g_build_filename (repo, ".perun", "local.yml", NULL);
}

static void
set_settings (const char *repo, const char *text)
{
  g_autofree char *path = settings_path (repo);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

static void
set_shared (const char *text)
{
  g_autofree char *path = g_build_filename (config, "shared.yml", NULL);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

static void
run (const char *format, ...)
{
  g_autofree char *line = NULL;
  va_list args;
  int status;

  va_start (args, format);
  line = g_strdup_vprintf (format, args);
  va_end (args);
  g_assert_true (g_spawn_command_line_sync (line, NULL, NULL, &status, NULL));
  g_assert_cmpint (status, ==, 0);
}

static void
set_up (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (WpStore) store = NULL;

  self->folder = g_dir_make_tmp ("wakepath-trust-XXXXXX", NULL);
  self->repo = g_build_filename (self->folder, "repo", NULL);
  store = wp_store_init (self->repo, NULL, NULL);
  g_assert_nonnull (store);
  set_shared ("");
}

static void
tear_down (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  run ("rm -rf '%s' '%s/wakepath'", self->folder, state);
  g_free (self->folder);
  g_free (self->repo);
}

/* As another program would find it now. */
static gboolean
is_trusted (const char *repo)
{
  g_autoptr (WpStore) store = wp_store_open (repo, NULL);
  g_autoptr (WpStoreCommands) would_run = wp_store_commands_new (store);

  return wp_store_is_trusted (would_run);
}

static void
trust (const char *repo)
{
  g_autoptr (WpStore) store = wp_store_open (repo, NULL);
  g_autoptr (WpStoreCommands) would_run = wp_store_commands_new (store);
  GError *error = NULL;

  g_assert_true (wp_store_trust (would_run, &error));
  g_assert_no_error (error);
}

/* The one file there is. */
static char *
record (void)
{
  g_autofree char *folder = g_build_filename (state, "wakepath", "trusted-stores", NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  char *path = g_build_filename (folder, g_dir_read_name (dir), NULL);

  g_assert_null (g_dir_read_name (dir));
  return path;
}

/* A new store asks for nothing; commands are asked about once, and again when they change. */
static void
test_changes (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_assert_true (is_trusted (self->repo));
  set_settings (self->repo, commands);
  g_assert_false (is_trusted (self->repo));
  trust (self->repo);
  g_assert_true (is_trusted (self->repo));
  set_settings (self->repo, "## other words\nargs:\n  - -x 1\n  - -y\ncmds:\n  - ./program\nexecute: {pre_run: make}\nformat: {status: x}\n");
  g_assert_true (is_trusted (self->repo));
  set_settings (self->repo, "execute:\n  pre_run: [make]\ncmds: [./program]\nargs: [-x 1, -z]\n");
  g_assert_false (is_trusted (self->repo));
  set_settings (self->repo, "execute:\n  pre_run: [make, ' ']\ncmds: [./program]\nargs: [-x 1, -y]\n");
  g_assert_false (is_trusted (self->repo));
  set_settings (self->repo, commands);
  g_assert_true (is_trusted (self->repo));
}

/* What would be run tells, by what stands where: no two of these are the same. */
static void
test_hashes (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  static const char *const rows[] = { "cmds: [a, b]\n",           "cmds: ['a b']\n",        "cmds: [b, a]\n",
                                      "execute: {pre_run: [a, b]}\n", "execute: {pre_run: ['a b']}\n",
                                      "execute: {pre_run: [\"a\\nb\"]}\n", "execute: {pre_run: [a]}\ncmds: [b]\n",
                                      "execute: {pre_run: [\"a\\eb\"]}\n", "execute: {pre_run: ['a\\x1bb']}\n", "" };
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (WpStore) store = NULL;
      g_autoptr (WpStoreCommands) would_run = NULL;

      set_settings (self->repo, rows[i]);
      store = wp_store_open (self->repo, NULL);
      would_run = wp_store_commands_new (store);
      g_assert_cmpuint (strlen (would_run->hash), ==, 64);
      g_assert_true (g_hash_table_add (seen, g_strdup (would_run->hash)));
    }
}

/* The same bytes elsewhere, or another folder in this place, are not what was trusted. */
static void
test_places (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *other = g_build_filename (self->folder, "other", NULL), *link = g_build_filename (self->folder, "link", NULL);

  set_settings (self->repo, commands);
  trust (self->repo);
  g_assert_no_errno (symlink ("repo", link));
  g_assert_true (is_trusted (link));
  run ("cp -a '%s' '%s'", self->repo, other);
  g_assert_false (is_trusted (other));
  run ("mv '%s' '%s.away'", self->repo, self->repo);
  run ("mv '%s' '%s'", other, self->repo);
  g_assert_false (is_trusted (self->repo));
  run ("rm -r '%s'", self->repo);
  run ("mv '%s.away' '%s'", self->repo, self->repo);
  g_assert_true (is_trusted (self->repo));
}

/* A record that somebody else may have written, or that is none, is none. */
static void
test_records (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *path = NULL, *aside = NULL, *folder = NULL;
  struct stat st;

  set_settings (self->repo, commands);
  umask (0);
  trust (self->repo);
  umask (022);
  path = record ();
  aside = g_strconcat (path, ".aside", NULL);
  folder = g_path_get_dirname (path);
  g_assert_no_errno (stat (path, &st));
  g_assert_cmpuint (st.st_mode & 07777, ==, 0600);
  g_assert_no_errno (stat (folder, &st));
  g_assert_cmpuint (st.st_mode & 07777, ==, 0700);

  g_assert_no_errno (chmod (path, 0620));
  g_assert_false (is_trusted (self->repo));
  g_assert_no_errno (chmod (path, 0600));
  g_assert_true (is_trusted (self->repo));
  if (geteuid () == 0)
    {
      g_assert_no_errno (chown (path, 65534, 65534));
      g_assert_false (is_trusted (self->repo));
      g_assert_no_errno (chown (path, 0, 0));
    }
  g_assert_no_errno (rename (path, aside));
  g_assert_no_errno (symlink (aside, path));
  g_assert_false (is_trusted (self->repo));
  g_assert_no_errno (unlink (path));
  g_assert_no_errno (mkfifo (path, 0600));
  g_assert_false (is_trusted (self->repo));
  g_assert_no_errno (unlink (path));
  g_assert_true (g_file_set_contents (path, "[store]\n", -1, NULL));
  g_assert_false (is_trusted (self->repo));
  trust (self->repo);
  g_assert_true (is_trusted (self->repo));
}

/* The user's own settings need no trust, unless the store's are multiplied with them. */
static void
test_shared (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  set_shared ("cmds: [python3]\nargs: [-V]\nexecute: {pre_run: make}\n");
  set_settings (self->repo, "vcs: {type: git}\n");
  g_assert_true (is_trusted (self->repo));
  set_settings (self->repo, "workloads: [\"-c 'evil()'\"]\n");
  g_assert_false (is_trusted (self->repo));
  trust (self->repo);
  g_assert_true (is_trusted (self->repo));
  set_shared ("cmds: [python2]\nargs: [-V]\n");
  g_assert_false (is_trusted (self->repo));
}

/* A matrix that cannot be taken apart is not run; what stands beside it would be. */
static void
test_broken (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (WpStore) store = NULL;
  g_autoptr (WpStoreCommands) would_run = NULL;

  set_settings (self->repo, "cmds: ['a \"']\n");
  g_assert_true (is_trusted (self->repo));
  set_settings (self->repo, "cmds: ['a \"']\nexecute: {pre_run: x}\n");
  store = wp_store_open (self->repo, NULL);
  would_run = wp_store_commands_new (store);
  g_assert_cmpuint (wp_store_commands_count (would_run), ==, 1);
  g_assert_cmpstr (would_run->build[0], ==, "x");
  g_assert_false (is_trusted (self->repo));
}

static void
test_shown (void)
{
  static const struct
  {
    const char *command, *shown;
  } rows[] = {
    { "make -j2 && ./größer 'a  b'", "  $ make -j2 && ./größer 'a  b'\n" },
    { "sed 's/\\./x/'", "  $ sed 's/\\./x/'\n" },
    { "for i in 1 2\ndo x\n\ndone", "  $ for i in 1 2\n  > do x\n  > \n  > done\n" },
    { "a\x1b[2K\rb\t\x7f\b", "  $ a\\x1b[2K\\x0db\\x09\\x7f\\x08\n" },
    { "a\xc2\x9b" "2K", "  $ a\\x9b2K\n" },                                      /* CSI as one character */
    { "rm \xe2\x80\xae x \xe2\x81\xa6", "  $ rm \\u202e x \\u2066\n" },           /* turned round */
    { "a\xe2\x80\x8b\xef\xbb\xbf\xc2\xad" "b", "  $ a\\u200b\\ufeff\\xadb\n" },   /* no width */
    { "a\xc2\xa0" "b\xe3\x80\x80" "c\xe2\x80\xa8", "  $ a\\xa0b\\u3000c\\u2028\n" }, /* blanks that are none */
    { "a\xff\xfe" "b\xc3", "  $ a\\xff\\xfeb\\xc3\n" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GString) out = g_string_new (NULL);

      wp_store_command_show (out, "  ", rows[i].command);
      g_assert_cmpstr (out->str, ==, rows[i].shown);
    }
}

static void
test_forgetting (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *other = g_build_filename (self->folder, "ö ther\n", NULL), *store = g_build_filename (other, ".perun", NULL);
  g_autoptr (GPtrArray) two = NULL, one = NULL, none = NULL;
  g_autoptr (WpStore) made = wp_store_init (other, NULL, NULL);
  g_autoptr (GError) error = NULL;

  set_settings (self->repo, commands);
  set_settings (other, commands);
  trust (self->repo);
  trust (other);
  two = wp_store_trusted_folders ();
  g_assert_cmpuint (two->len, ==, 2);
  g_assert_true (g_str_has_suffix (two->pdata[0], "/repo/.perun"));
  g_assert_true (g_str_has_suffix (two->pdata[1], store));

  g_assert_true (wp_store_forget (self->repo, &error));
  g_assert_no_error (error);
  g_assert_false (is_trusted (self->repo));
  g_assert_true (is_trusted (other));
  one = wp_store_trusted_folders ();
  g_assert_cmpuint (one->len, ==, 1);

  run ("mv '%s' '%s/gone'", other, self->folder);
  g_assert_true (wp_store_forget (two->pdata[1], &error));
  g_assert_no_error (error);
  none = wp_store_trusted_folders ();
  g_assert_cmpuint (none->len, ==, 0);
  g_assert_false (wp_store_forget (self->repo, &error));
  g_assert_error (error, WP_STORE_ERROR, WP_STORE_ERROR_NOT_FOUND);
}

/* Where it cannot be kept it is not given. */
static void
test_no_place (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *place = g_build_filename (state, "wakepath", NULL);
  g_autoptr (WpStore) store = NULL;
  g_autoptr (WpStoreCommands) would_run = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (place, "", 0, NULL));
  set_settings (self->repo, commands);
  store = wp_store_open (self->repo, NULL);
  would_run = wp_store_commands_new (store);
  g_assert_false (wp_store_trust (would_run, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED);
  g_assert_nonnull (strstr (error->message, place));
  g_assert_false (wp_store_is_trusted (would_run));
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *name;
    void (*run) (Fixture *self, gconstpointer data);
  } tests[] = { { "/trust/changes", test_changes }, { "/trust/hashes", test_hashes },     { "/trust/places", test_places },
                { "/trust/records", test_records }, { "/trust/shared", test_shared },     { "/trust/broken", test_broken },
                { "/trust/forgetting", test_forgetting }, { "/trust/no-place", test_no_place } };
  int status;

  state = g_dir_make_tmp ("wakepath-state-XXXXXX", NULL);
  config = g_dir_make_tmp ("wakepath-config-XXXXXX", NULL);
  g_setenv ("XDG_STATE_HOME", state, TRUE);
  g_setenv ("PERUN_CONFIG_DIR", config, TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/trust/shown", test_shown);
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].name, Fixture, NULL, set_up, tests[i].run, tear_down);
  status = g_test_run ();
  run ("rm -rf '%s' '%s'", state, config);
  return status;
}
