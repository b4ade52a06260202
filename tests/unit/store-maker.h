/* Repositories with a store for tests, in a folder of their own: commits made at once by git fast-import, profiles as another tool writes them. */
#pragma once

#include <gio/gio.h>
#include <glib/gstdio.h>

typedef struct
{
  char *folder; /* of this test; everything is within */
} StoreMaker;

/* Runs a shell script in a folder; gives what it prints without the last line end. */
G_GNUC_PRINTF (2, 3) static inline char *
run_in (const char *folder, const char *script, ...)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL, *out = NULL, *err = NULL;
  int status;
  va_list args;

  va_start (args, script);
  text = g_strdup_vprintf (script, args);
  va_end (args);
  g_spawn_sync (folder, (char *[]) { "/bin/sh", "-ec", text, NULL }, NULL, G_SPAWN_DEFAULT, NULL, NULL, &out, &err, &status, &error);
  g_assert_no_error (error);
  if (status != 0)
    g_error ("%s: %s", text, err);
  g_strchomp (out);
  return g_steal_pointer (&out);
}
#define RUN_IN(...) g_free (run_in (__VA_ARGS__))

/* Runs the tests with folders of the user that are the program's own: what is trusted, and work trees, must not be found by others. */
static inline int
run_tests_at_home (void)
{
  static const char *const ours[] = { "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME" };
  g_autofree char *home = g_dir_make_tmp ("wakepath-home-XXXXXX", NULL);
  int failed;

  for (guint i = 0; i < G_N_ELEMENTS (ours); i++)
    {
      g_autofree char *path = g_build_filename (home, ours[i], NULL);

      g_setenv (ours[i], path, TRUE);
    }
  failed = g_test_run ();
  RUN_IN ("/", "rm -rf %s", home);
  return failed;
}

/* Waits in the main loop; what never comes is ended by the test's own limit. */
#define RUN_UNTIL(condition) \
  while (!(condition)) \
  g_main_context_iteration (NULL, TRUE)

static inline void
store_maker_set_up (StoreMaker *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GError) error = NULL;

  self->folder = g_dir_make_tmp ("wakepath-workspace-XXXXXX", &error);
  g_assert_no_error (error);
}

static inline gboolean
works_still (void)
{
  g_autoptr (GDir) threads = g_dir_open ("/proc/self/task", 0, NULL);
  gboolean works = FALSE;
  const char *thread;

  while (!works && (thread = g_dir_read_name (threads)) != NULL)
    {
      g_autofree char *path = g_build_filename ("/proc/self/task", thread, "comm", NULL), *name = NULL;

      works = g_file_get_contents (path, &name, NULL, NULL) && g_str_equal (name, "worker\n");
    }
  return works;
}

/* What nobody waits for any more may still be at work (worker.h). libgit2 loses memory where a repository goes away beneath it. */
static inline void
store_maker_tear_down (StoreMaker *self, gconstpointer data G_GNUC_UNUSED)
{
  while (works_still ())
    g_usleep (G_TIME_SPAN_MILLISECOND);
  RUN_IN ("/", "rm -rf %s", self->folder);
  g_free (self->folder);
}

/* A repository whose commits are “Begin”, “Change number 1” …, the last one on main, the first one on side, each a minute after the one
 * before, with the one file main.c. Gives its path. */
static inline char *
make_repository (const StoreMaker *self, const char *name, guint commits)
{
  char *path = g_build_filename (self->folder, name, NULL);
  g_autoptr (GString) stream = g_string_new ("blob\nmark :1\ndata 14\nint main () {}\n");
  g_autofree char *file = g_build_filename (self->folder, "stream", NULL);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < commits; i++)
    {
      g_autofree char *message = i == 0 ? g_strdup ("Begin") : g_strdup_printf ("Change number %u", i);

      g_string_append_printf (stream, "commit refs/heads/main\ncommitter %s <a@b> %u +0000\ndata %zu\n%s\n", i % 3 == 0 ? "Ada" : "Grace",
                              1700000000 + 60 * i, strlen (message), message);
      g_string_append (stream, i == 0 ? "M 644 :1 main.c\n\nreset refs/heads/side\nfrom refs/heads/main\n\n" : "\n");
    }
  g_file_set_contents (file, stream->str, -1, &error);
  g_assert_no_error (error);
  RUN_IN (self->folder, "git init -q -b main '%s'; cd '%s'; %s", path, path,
          commits > 0 ? "git fast-import --quiet < ../stream; git reset -q --hard" : "true");
  return path;
}

static inline char *
commit_of (const char *repository, const char *name)
{
  return run_in (repository, "git rev-parse '%s'", name);
}

/* A profile of a command, an amount of milliseconds for the function “work”. `origin`: a commit, or "". */
static inline void
write_profile (const char *path, const char *origin, const char *type, const char *command, const char *workload, double amount)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = g_strdup_printf (
    "{\"origin\": \"%s\", \"header\": {\"type\": \"%s\", \"cmd\": \"%s\", \"args\": \"\", \"workload\": \"%s\", \"units\": {\"%s\": \"ms\"}}, "
    "\"collector_info\": {\"name\": \"hand\", \"params\": {}}, \"postprocessors\": [], "
    "\"global\": {\"resources\": [{\"type\": \"%s\", \"amount\": %g, \"uid\": \"work\", \"trace\": [{\"function\": \"work\", \"source\": \"a.c\", \"line\": 1}]}]}}",
    origin, type, command, workload, type, type, amount);

  g_file_set_contents (path, text, -1, &error);
  g_assert_no_error (error);
}

/* The same among the store's pending profiles, as another tool puts it there. Gives its path. */
static inline char *
add_pending (const char *repository, const char *name, const char *origin, const char *type, const char *command, const char *workload)
{
  char *path = g_build_filename (repository, ".perun", "jobs", name, NULL);

  write_profile (path, origin, type, command, workload, 10);
  return path;
}
