/* The store without the command line: settings, pending profiles, watching, the lock. */
#include "store/jobs.h"
#include "store/names.h"
#include "store/objects.h"
#include "store/store-private.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct
{
  char *folder;
  WpStore *store;
} Fixture;

static const char profile_text[]
  = "{\"header\": {\"type\": \"time\", \"cmd\": \"./bin/run\", \"args\": \"-n 1\", \"workload\": \"a/b\", \"units\": {\"time\": \"s\"}},"
    " \"collector_info\": {\"name\": \"%s\", \"params\": {}}, \"postprocessors\": [], \"global\": {\"resources\": []}}";
static const char minor[] = "0123456789012345678901234567890123456789";

static void
set_up (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GError) error = NULL;

  self->folder = g_dir_make_tmp ("wakepath-store-XXXXXX", &error);
  g_assert_no_error (error);
  self->store = wp_store_init (self->folder, NULL, &error);
  g_assert_no_error (error);
}

static void
tear_down (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *command = g_strdup_printf ("rm -rf '%s'", self->folder);

  wp_store_free (self->store);
  g_assert_true (g_spawn_command_line_sync (command, NULL, NULL, NULL, NULL));
  g_free (self->folder);
}

static char *
write_profile (const Fixture *self, const char *collector)
{
  g_autofree char *text = g_strdup_printf (profile_text, collector);
  char *path = g_build_filename (self->folder, "new.perf", NULL);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  return path;
}

static void
test_settings (void)
{
  static const char text[] = "vcs:\n  type: git\n  url: \"/a b\"\ncmds: [one, two]\nargs: alone\ncollectors:\n  - name: time\n"
                             "    params: {rate: 7, deep: {er: x}}\n  - name: memory\nempty:\n";
  g_autoptr (GError) error = NULL;
  g_autoptr (WpYaml) yaml = wp_yaml_parse ("local.yml", text, strlen (text), &error), nothing = wp_yaml_parse ("x", "", 0, NULL);
  g_auto (GStrv) cmds = wp_yaml_list (yaml, "cmds"), args = wp_yaml_list (yaml, "args"), keys = NULL, rows = NULL, none = NULL;
  static const char *const broken[] = { "a: [", "\t- x", "a: b: c", "*nobody", "a: \x01", "{{{{{{{{" };

  g_assert_no_error (error);
  g_assert_cmpstr (wp_yaml_get (yaml, "vcs.url"), ==, "/a b");
  g_assert_cmpstr (wp_yaml_get (yaml, "collectors.1.name"), ==, "memory");
  g_assert_cmpstr (wp_yaml_get (yaml, "collectors.0.params.deep.er"), ==, "x");
  g_assert_null (wp_yaml_get (yaml, "collectors.2.name"));
  g_assert_null (wp_yaml_get (yaml, "collectors.-1.name"));
  g_assert_null (wp_yaml_get (yaml, "vcs"));
  g_assert_null (wp_yaml_get (yaml, "vcs.type.x"));
  g_assert_null (wp_yaml_get (nothing, "vcs.type"));
  g_assert_cmpuint (g_strv_length (cmds), ==, 2);
  g_assert_cmpstr (args[0], ==, "alone");
  keys = wp_yaml_keys (yaml, "collectors.0.params");
  g_assert_cmpstr (keys[0], ==, "rate");
  rows = wp_yaml_keys (yaml, "collectors");
  g_assert_cmpuint (g_strv_length (rows), ==, 2);
  none = wp_yaml_list (yaml, "vcs");
  g_assert_null (none);
  for (guint i = 0; i < G_N_ELEMENTS (broken); i++)
    {
      g_assert_null (wp_yaml_parse ("local.yml", broken[i], strlen (broken[i]), &error));
      g_assert_error (error, WP_STORE_ERROR, WP_STORE_ERROR_DAMAGED);
      g_assert_true (g_str_has_prefix (error->message, "local.yml: "));
      g_clear_error (&error);
    }
}

/* Small files that take libyaml minutes, or more memory than they should: each is refused, by the line. */
static void
test_bounds (void)
{
  static const struct
  {
    const char *piece, *problem;
  } rows[] = { { "[", "line 1: nested too deep" },   { "{a: ", "line 1: nested too deep" }, { "{? ", "line 1: nested too deep" },
               { "- ", "line 1: nested too deep" },  { "- x\n", "line 20000: too many values" }, { "- &a x\n", "line 201: too many anchors" } };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GString) text = g_string_new (NULL);
      g_autoptr (GError) error = NULL;

      while (text->len < 250 * 1024)
        g_string_append (text, rows[i].piece);
      g_assert_null (wp_yaml_parse ("local.yml", text->str, text->len, &error));
      g_assert_error (error, WP_STORE_ERROR, WP_STORE_ERROR_DAMAGED);
      g_assert_nonnull (strstr (error->message, rows[i].problem));
    }
}

/* Ten of ten of ten …: what is asked for is found, and nothing is multiplied out. */
static void
test_aliases (void)
{
  g_autoptr (GString) text = g_string_new ("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
  g_autoptr (WpYaml) yaml = NULL;
  g_auto (GStrv) list = NULL;
  g_autoptr (GError) error = NULL;

  for (guint i = 1; i < 40; i++)
    {
      g_string_append_printf (text, "a%u: &a%u [", i, i);
      for (guint k = 0; k < 10; k++)
        g_string_append_printf (text, "*a%u, ", i - 1);
      g_string_append (text, "]\n");
    }
  g_string_append (text, "cycle: &c [*c, deep]\n");
  yaml = wp_yaml_parse ("local.yml", text->str, text->len, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (wp_yaml_get (yaml, "a2.0.1.2"), ==, "x");
  g_assert_cmpstr (wp_yaml_get (yaml, "cycle.0.0.0.1"), ==, "deep");
  list = wp_yaml_list (yaml, "a39");
  g_assert_cmpuint (g_strv_length (list), ==, 0);
}

static WpStore *
open_with (const Fixture *self, const char *settings)
{
  g_autofree char *path = g_build_filename (self->folder, ".perun", "local.yml", NULL);

  g_assert_true (g_file_set_contents (path, settings, -1, NULL));
  return wp_store_open (self->folder, NULL);
}

/* Words with bars between, and the line in brackets. */
static char *
describe_jobs (const Fixture *self, const char *settings, GError **error)
{
  g_autoptr (WpStore) store = open_with (self, settings);
  g_autoptr (GPtrArray) jobs = NULL;
  GString *text = g_string_new (NULL);

  jobs = wp_store_jobs (store, error);
  for (guint i = 0; jobs != NULL && i < jobs->len; i++)
    {
      const WpStoreJob *job = jobs->pdata[i];
      g_autofree char *line = wp_store_job_line (job), *words = g_strjoinv ("|", job->command);

      g_string_append_printf (text, "%s (%s)\n", words, line);
    }
  return g_string_free (text, jobs == NULL);
}

/* Each program with each workload and each line of arguments, as Perun goes through them. */
static void
test_jobs (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  static const struct
  {
    const char *settings, *jobs, *message; /* the end of the message */
  } rows[] = {
    { "cmds: [a, ./b]\nargs: [-x 1, -y]\nworkloads: [w, 'v v']\n",
      "a|-x|1|w (a -x 1 w)\na|-y|w (a -y w)\na|-x|1|v|v (a -x 1 v v)\na|-y|v|v (a -y v v)\n"
      "./b|-x|1|w (./b -x 1 w)\n./b|-y|w (./b -y w)\n./b|-x|1|v|v (./b -x 1 v v)\n./b|-y|v|v (./b -y v v)\n", NULL },
    { "cmds: make all\n", "make|all (make all)\n", NULL },
    { "cmds: [a]\nargs:\nworkloads: ['\"one word\"', '']\n", "a|one word (a \"one word\")\na (a)\n", NULL },
    { "cmds:\nargs: [-x]\n", NULL, "local.yml: cmds: no program is named; list what is to be profiled there" },
    { "args: [-x]\n", NULL, "local.yml: cmds: no program is named; list what is to be profiled there" },
    { "cmds: ['a \"']\n", NULL, "" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *jobs = describe_jobs (self, rows[i].settings, &error);

      g_assert_cmpstr (jobs, ==, rows[i].jobs);
      g_assert_true ((error != NULL) == (rows[i].message != NULL));
      g_assert_true (error == NULL || g_str_has_suffix (error->message, rows[i].message));
    }
}

/* What is done to each profile, with parameters as Perun calls them, in the order of the list. */
static void
test_postprocesses (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  static const char *const wrong[][2] = {
    { "postprocessors:\n  - name: odd\n", "local.yml: postprocessors.0.name: there is no postprocessor “odd”" },
    { "postprocessors:\n  - name: filter\n  - nme: filter\n", "local.yml: postprocessors.1.name: missing" },
    { "postprocessors:\n  - name: filter\n    params: {of: x}\n", "local.yml: postprocessors.0.params.of: the postprocessor “filter” has no" },
    { "postprocessors:\n  - name: clusterizer\n    params: {window_width: wide}\n", "postprocessors.0.params.window_width: “wide” is none" },
    { "postprocessors:\n  - name: regression_analysis\n    params: {steps: 0}\n", "postprocessors.0.params.steps: “0” is none" },
    { "postprocessors:\n  - name: regression_analysis\n    params: {regression_models: []}\n", "regression_models: “” is none" },
  };
  g_autoptr (WpStore) store
    = open_with (self, "postprocessors:\n  - name: normalizer\n  - name: regression-analysis\n    params:\n      method: bisection\n"
                       "      regression_models: [linear, power]\n      steps: 5\n      of_key: a\n      per_key: b\n"
                       "  - name: clusterizer\n    params: {strategy: sort_order, window_width: 4, width_measure: absolute, window_height: 0.5}\n");
  g_autoptr (GArray) steps = wp_store_postprocesses (store, NULL);
  const WpPostprocess *step = (const WpPostprocess *) (gpointer) steps->data;

  g_assert_cmpuint (steps->len, ==, 3);
  g_assert_cmpint (step[0].which, ==, WP_POSTPROCESS_NORMALIZER);
  g_assert_cmpint (step[1].which, ==, WP_POSTPROCESS_REGRESSION);
  g_assert_cmpint (step[1].regression.method, ==, WP_REGRESSION_BISECTION);
  g_assert_cmpuint (step[1].regression.models, ==, 1u << WP_MODEL_LINEAR | 1u << WP_MODEL_POWER);
  g_assert_cmpuint (step[1].regression.steps, ==, 5);
  g_assert_cmpstr (step[1].regression.of, ==, "a");
  g_assert_cmpstr (step[1].regression.per, ==, "b");
  g_assert_cmpint (step[2].clusters.strategy, ==, WP_CLUSTER_SORT_ORDER);
  g_assert_true (step[2].clusters.width == 4 && !step[2].clusters.relative_width);
  g_assert_true (step[2].clusters.height == 0.5 && step[2].clusters.relative_height);
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (WpStore) other = open_with (self, wrong[i][0]);
      g_autoptr (GError) error = NULL;

      g_assert_null (wp_store_postprocesses (other, &error));
      g_assert_nonnull (strstr (error->message, wrong[i][1]));
    }
}

static void
test_pending (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *source = write_profile (self, "../../evil"), *jobs = g_build_filename (self->folder, ".perun", "jobs", NULL);
  g_autofree char *first = NULL, *second = NULL, *folder = NULL, *name = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) pending = NULL;
  g_autoptr (WpProfile) profile = NULL;

  first = wp_store_add_pending (self->store, source, minor, NULL, &error);
  g_assert_no_error (error);
  folder = g_path_get_dirname (first);
  name = g_path_get_basename (first);
  g_assert_cmpstr (folder, ==, jobs);
  g_assert_true (g_str_has_prefix (name, "_._.._evil-run-[-n_1]-[b]-20"));
  second = wp_store_add_pending (self->store, source, minor, NULL, &error);
  g_assert_cmpstr (second, !=, first);
  g_assert_true (g_file_test (source, G_FILE_TEST_EXISTS));
  pending = wp_store_pending (self->store, &error);
  g_assert_cmpuint (pending->len, ==, 2);
  g_assert_cmpstr (((WpStoreEntry *) pending->pdata[0])->origin, ==, minor);
  g_assert_null (((WpStoreEntry *) pending->pdata[0])->problem);
  profile = wp_store_load (self->store, pending->pdata[0], NULL, &error);
  g_assert_cmpstr (profile->origin, ==, minor);
  g_assert_true (wp_store_remove_pending (self->store, pending->pdata[0], &error));
  g_assert_false (wp_store_remove_pending (self->store, pending->pdata[0], &error));
  g_clear_error (&error);
  g_ptr_array_unref (pending);
  pending = wp_store_pending (self->store, &error);
  g_assert_cmpuint (pending->len, ==, 1);
}

/* The hash of a new commit. Free with g_free(). */
static char *
make_commit (const Fixture *self)
{
  g_autofree char *line = g_strdup_printf ("git init -q '%s' && cd '%s' && git -c user.name=A -c user.email=a@b commit -q --allow-empty"
                                           " -m x && git rev-parse HEAD", self->folder, self->folder);
  const char *argv[] = { "sh", "-c", line, NULL };
  char *hash = NULL;

  g_assert_true (g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &hash, NULL, NULL, NULL));
  return g_strstrip (hash);
}

/* Names tell the second: what is made and registered within one does not stand in the next one's way. */
static void
test_same_second (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) registered = NULL;
  g_autofree char *commit = make_commit (self);

  for (guint i = 0; i < 3; i++)
    {
      g_autofree char *source = write_profile (self, "time");
      g_autofree char *pending = wp_store_add_pending (self->store, source, commit, NULL, &error);
      char sha1[41];

      g_assert_no_error (error);
      wp_store_add (self->store, commit, pending, 0, sha1, &error);
      g_assert_no_error (error);
    }
  registered = wp_store_registered (self->store, commit, &error);
  g_assert_cmpuint (registered->len, ==, 3);
}

/* A pending file that is edited is read anew. */
static void
test_edited (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *source = write_profile (self, "one"), *job = g_build_filename (self->folder, ".perun", "jobs", "x.perf", NULL), *again = NULL;
  g_autoptr (GPtrArray) before = NULL, after = NULL;

  g_assert_cmpint (g_rename (source, job), ==, 0);
  before = wp_store_pending (self->store, NULL);
  again = write_profile (self, "another");
  g_assert_cmpint (g_rename (again, job), ==, 0);
  after = wp_store_pending (self->store, NULL);
  g_assert_cmpstr (((WpStoreEntry *) before->pdata[0])->collector, ==, "one");
  g_assert_cmpstr (((WpStoreEntry *) after->pdata[0])->collector, ==, "another");
}

static void
test_no_commit (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *source = write_profile (self, "time");
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) none = NULL;
  char sha1[41];

  g_assert_false (wp_store_add (self->store, minor, source, WP_STORE_ADD_FORCE, sha1, &error));
  g_assert_error (error, WP_VCS_ERROR, WP_VCS_ERROR_UNKNOWN);
  g_clear_error (&error);
  g_assert_null (wp_store_lookup (self->store, NULL, "0@i", &error));
  g_assert_error (error, WP_STORE_ERROR, WP_STORE_ERROR_TAG);
  g_clear_error (&error);
  g_assert_null (wp_store_registered (self->store, "HEAD", &error));
  g_assert_error (error, WP_STORE_ERROR, WP_STORE_ERROR_NOT_FOUND);
  none = wp_store_registered (self->store, minor, NULL);
  g_assert_cmpuint (none->len, ==, 0);
  g_assert_false (wp_store_has_profiles (self->store, minor));
}

/* --- watching ------------------------------------------------------------------------------------------------------------ */

typedef struct
{
  guint calls;
  GMainLoop *loop;
} Watched;

static void
on_changed (WpStore *store G_GNUC_UNUSED, gpointer data)
{
  Watched *self = data;

  self->calls++;
  g_main_loop_quit (self->loop);
}

static gboolean
give_up (gpointer data)
{
  g_main_loop_quit (((Watched *) data)->loop);
  return G_SOURCE_REMOVE;
}

/* Runs the loop until the store has told, or for so long. */
static guint
wait_for (Watched *self, guint ms)
{
  guint timeout = g_timeout_add (ms, give_up, self), before = self->calls;

  g_main_loop_run (self->loop);
  if (self->calls > before)
    g_source_remove (timeout);
  return self->calls - before;
}

static void
test_watch (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *jobs = g_build_filename (self->folder, ".perun", "jobs", NULL);
  g_autofree char *objects = g_build_filename (self->folder, ".perun", "objects", NULL), *folder = g_build_filename (objects, "ab", NULL);
  g_autofree char *object = g_build_filename (folder, "cdef", NULL), *last = g_build_filename (jobs, "last.perf", NULL);
  Watched watched = { 0, g_main_loop_new (NULL, FALSE) };

  wp_store_watch (self->store, on_changed, &watched);
  for (guint i = 0; i < 20; i++)
    {
      g_autofree char *name = g_strdup_printf ("%s/%u.perf", jobs, i);

      g_assert_true (g_file_set_contents (name, "{}", -1, NULL));
    }
  g_assert_cmpuint (wait_for (&watched, 5000), ==, 1); /* 20 changes, told once */
  while (wait_for (&watched, 600) > 0)
    ;
  g_assert_cmpint (g_mkdir (folder, 0755), ==, 0);
  g_assert_cmpuint (wait_for (&watched, 5000), ==, 1);
  while (wait_for (&watched, 600) > 0)
    ;
  g_assert_true (g_file_set_contents (object, "x", -1, NULL)); /* in a folder that is new itself */
  g_assert_cmpuint (wait_for (&watched, 5000), ==, 1);
  while (wait_for (&watched, 600) > 0)
    ;
  wp_store_watch (self->store, NULL, NULL);
  g_assert_true (g_file_set_contents (last, "x", -1, NULL));
  g_assert_cmpuint (wait_for (&watched, 600), ==, 0);
  g_main_loop_unref (watched.loop);
}

/* Who waits gets the lock when the other one lets it go. */
static gpointer
let_go (gpointer data)
{
  g_usleep (300 * 1000);
  close (GPOINTER_TO_INT (data));
  return NULL;
}

static void
test_lock (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *path = g_build_filename (self->folder, ".perun", ".lock", NULL), *source = write_profile (self, "time"), *made = NULL;
  int fd = open (path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  gint64 begun = g_get_monotonic_time ();
  GThread *thread;
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (flock (fd, LOCK_EX), ==, 0);
  thread = g_thread_new ("holder", let_go, GINT_TO_POINTER (fd));
  made = wp_store_add_pending (self->store, source, minor, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (g_get_monotonic_time () - begun, >=, 290 * 1000);
  g_thread_join (thread);
}

/* A file among the objects, and its folder as if it had last changed long ago. */
static void
put_among_objects (const Fixture *self, const char *name, const char *text, gint64 changed)
{
  g_autofree char *path = g_strdup_printf ("%s/.perun/objects/%.2s/%s", self->folder, name, name + 2), *folder = g_path_get_dirname (path);
  struct timespec times[2] = { { .tv_sec = changed }, { .tv_sec = changed } };

  g_assert_cmpint (g_mkdir_with_parents (folder, 0755), ==, 0);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  g_assert_cmpint (utimensat (AT_FDCWD, folder, times, 0), ==, 0);
}

static guint
count_minors (const Fixture *self, const char *one)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GHashTable) minors = wp_store_minors (self->store, &error);

  g_assert_no_error (error);
  g_assert_true (g_hash_table_contains (minors, one));
  return g_hash_table_size (minors);
}

/* Objects and other files are no indexes; what was read once counts until its folder changes. */
static void
test_minors (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  static const char other[] = "0123456789012345678901234567890123456788";

  put_among_objects (self, minor, "pidx\2", 1500000000);
  put_among_objects (self, "ab23456789012345678901234567890123456789", "x\234", 1500000000);
  put_among_objects (self, "ab23456789012345678901234567890123456789.changes", "pidx", 1500000000);
  put_among_objects (self, "zz23456789012345678901234567890123456789", "pidx", 1500000000);
  g_assert_cmpuint (count_minors (self, minor), ==, 1);
  g_assert_cmpuint (count_minors (self, minor), ==, 1);
  put_among_objects (self, other, "pidx\2", 1500000000); /* within the same tick: as if nothing had changed */
  g_assert_cmpuint (count_minors (self, minor), ==, 1);
  put_among_objects (self, other, "pidx\2", 1500000001);
  g_assert_cmpuint (count_minors (self, other), ==, 2);
  put_among_objects (self, "0123456789012345678901234567890123456787", "pidx\2", g_get_real_time () / G_USEC_PER_SEC);
  g_assert_cmpuint (count_minors (self, minor), ==, 3);
  put_among_objects (self, "0123456789012345678901234567890123456786", "pidx\2", g_get_real_time () / G_USEC_PER_SEC);
  g_assert_cmpuint (count_minors (self, minor), ==, 4); /* a folder that has just changed is not trusted */
}

/* Any file of a commit counts, whatever it holds. */
static void
test_names (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  static const char changed[] = "ab23456789012345678901234567890123456789", other[] = "ab23456789012346678901234567890123456789";
  g_autoptr (WpStoreNames) none = wp_store_names_new (self->store), some = NULL;

  g_assert_false (wp_store_names_may_have (none, minor));
  put_among_objects (self, minor, "pidx\2", 1500000000);
  put_among_objects (self, "ab23456789012345678901234567890123456789.changes", "", 1500000000);
  put_among_objects (self, "abnothing", "", 1500000000);
  some = wp_store_names_new (self->store);
  g_assert_true (wp_store_names_may_have (some, minor) && wp_store_names_may_have (some, changed));
  g_assert_false (wp_store_names_may_have (some, other));
  g_assert_false (wp_store_names_may_have (some, "ffffffffffffffffffffffffffffffffffffffff"));
  g_assert_true (wp_store_names_may_have (some, "no hash")); /* whoever opens it says so */
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_setenv ("HOME", "/nonexistent", TRUE);
  g_setenv ("PERUN_CONFIG_DIR", "/nonexistent", TRUE);
  g_test_add_func ("/store/settings", test_settings);
  g_test_add_func ("/store/settings-bounds", test_bounds);
  g_test_add_func ("/store/settings-aliases", test_aliases);
  g_test_add ("/store/jobs", Fixture, NULL, set_up, test_jobs, tear_down);
  g_test_add ("/store/postprocessors", Fixture, NULL, set_up, test_postprocesses, tear_down);
  g_test_add ("/store/pending", Fixture, NULL, set_up, test_pending, tear_down);
  g_test_add ("/store/same-second", Fixture, NULL, set_up, test_same_second, tear_down);
  g_test_add ("/store/edited", Fixture, NULL, set_up, test_edited, tear_down);
  g_test_add ("/store/no-commit", Fixture, NULL, set_up, test_no_commit, tear_down);
  g_test_add ("/store/watch", Fixture, NULL, set_up, test_watch, tear_down);
  g_test_add ("/store/lock", Fixture, NULL, set_up, test_lock, tear_down);
  g_test_add ("/store/minors", Fixture, NULL, set_up, test_minors, tear_down);
  g_test_add ("/store/names", Fixture, NULL, set_up, test_names, tear_down);
  return g_test_run ();
}
