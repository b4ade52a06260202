/* Saving and reopening: nothing that a view or the table shows may change, whatever the trace is. */
#include "profile-fixture.h"
#include "profile/model/document.h"
#include "trace/notes.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static char *folder;

static void
save (const char *path, const WpPaths *paths)
{
  g_autoptr (WpExplanation) explanation = wp_explain (paths, 0, G_MAXINT64, NULL, NULL);
  g_autoptr (GError) error = NULL;

  wp_perun_save (path, paths, explanation, NULL, &error);
  g_assert_no_error (error);
}

static char *
read_file (const char *path)
{
  g_autoptr (GError) error = NULL;
  char *text = NULL;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  return text;
}

/* Says where two texts differ rather than printing both. */
static void
assert_same (const char *before, const char *after)
{
  g_auto (GStrv) a = g_strsplit (before, "\n", -1), b = g_strsplit (after, "\n", -1);

  for (guint i = 0; a[i] != NULL && b[i] != NULL; i++)
    g_assert_cmpstr (a[i], ==, b[i]);
  g_assert_cmpuint (g_strv_length (a), ==, g_strv_length (b));
}

/* Saves, reopens, compares, and saves once more: the same file. Returns what was reopened. */
static WpPaths *
round_trip (const WpPaths *paths, WpTrace **trace)
{
  g_autofree char *path = g_build_filename (folder, "round.perf", NULL), *again = g_build_filename (folder, "again.perf", NULL);
  g_autofree char *before = fixture_describe (paths), *after = NULL, *first = NULL, *second = NULL;
  g_autoptr (GError) error = NULL;
  WpPaths *reopened;

  save (path, paths);
  wp_perun_load (path, trace, &reopened, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (wp_trace_check (*trace), ==, NULL);
  g_assert_cmpstr (wp_paths_check (reopened), ==, NULL);
  after = fixture_describe (reopened);
  assert_same (before, after);
  save (again, reopened);
  first = read_file (path);
  second = read_file (again);
  assert_same (first, second);
  return reopened;
}

static void
assert_notes (WpNotes *notes, guint n, const WpNote *expected)
{
  g_autoptr (GArray) list = wp_notes_list (notes);

  g_assert_cmpuint (list->len, ==, n);
  for (guint i = 0; i < n; i++)
    {
      g_assert_cmpint (g_array_index (list, WpNote, i).time, ==, expected[i].time);
      g_assert_cmpstr (g_array_index (list, WpNote, i).text, ==, expected[i].text);
    }
}

/* Notes are in order, one at a moment, and come back with a saved profile. */
static void
test_notes (void)
{
  const WpNote expected[] = { { 0, (char *) "at the beginning" }, { 700, (char *) "\"quoted\"\nand two lines" }, { 5000, (char *) "later" } };
  g_autoptr (WpTrace) trace = fixture_everything (), saved = NULL;
  g_autoptr (WpPaths) paths = fixture_paths (trace, fixture_task (trace, "client")), reopened = NULL;
  g_autofree char *longest = g_strnfill (3 * WP_NOTE_LENGTH, 'x');
  g_autoptr (GArray) cut = NULL;

  assert_notes (trace->notes, 0, NULL);
  g_assert_true (wp_notes_set (trace->notes, 5000, "later"));
  g_assert_true (wp_notes_set (trace->notes, 700, "first thought"));
  g_assert_true (wp_notes_set (trace->notes, 0, "at the beginning"));
  g_assert_true (wp_notes_set (trace->notes, 700, "\"quoted\"\nand two lines"));
  g_assert_true (wp_notes_set (trace->notes, 900, "nothing"));
  g_assert_true (wp_notes_set (trace->notes, 900, ""));
  g_assert_true (wp_notes_set (trace->notes, 901, NULL));
  assert_notes (trace->notes, G_N_ELEMENTS (expected), expected);
  reopened = round_trip (paths, &saved);
  assert_notes (saved->notes, G_N_ELEMENTS (expected), expected);

  g_assert_true (wp_notes_set (trace->notes, 1, longest));
  cut = wp_notes_list (trace->notes);
  g_assert_cmpuint (strlen (g_array_index (cut, WpNote, 1).text), ==, WP_NOTE_LENGTH);
  for (gint64 i = 0; i < WP_NOTES_MAX - 4; i++)
    g_assert_true (wp_notes_set (trace->notes, 10000 + i, "x"));
  g_assert_false (wp_notes_set (trace->notes, 9999, "one too many"));
}

static void
test_everything (void)
{
  g_autoptr (WpTrace) trace = fixture_everything (), saved = NULL;
  g_autoptr (WpPaths) paths = fixture_paths (trace, fixture_task (trace, "client")), reopened = NULL;

  g_assert_cmpuint (paths->parts.len, >, 16);
  g_free (paths->name);
  paths->name = g_strdup ("client");
  reopened = round_trip (paths, &saved);
  g_assert_cmpstr (saved->format, ==, "perun");
  g_assert_cmpstr (saved->command, ==, trace->command);
  g_assert_cmpstr (saved->host, ==, trace->host);
  g_assert_cmpstr (saved->kernel, ==, trace->kernel);
  g_assert_cmpstr (saved->missing, ==, trace->missing);
  g_assert_cmpstr (g_hash_table_lookup (saved->extra, "stacks"), ==, "fp");
  g_assert_cmpint (saved->end, ==, trace->end);
  g_assert_cmpint (saved->clock_start, ==, trace->clock_start);
  g_assert_cmpuint (saved->n_cpus, ==, trace->n_cpus);
  g_assert_cmpint (saved->command_pid, ==, trace->command_pid);
  for (guint i = 0; i < WP_DIAG_COUNT; i++)
    g_assert_cmpuint (saved->diagnostics.n[i], ==, trace->diagnostics.n[i]);
  g_assert_cmpuint (saved->lost.len, ==, 1);
  g_assert_cmpint (saved->lost.data[0].start, ==, 15500);
  g_assert_cmpint (saved->lost.data[0].end, ==, 15700);
  g_assert_cmpuint (saved->lost.data[0].events, ==, 12);
  g_assert_cmpuint (saved->lost.data[0].cpu, ==, 1);
  g_assert_cmpuint (saved->interrupts.len, ==, 2); /* the first one interrupted nothing that is placed */
  g_assert_cmpint (saved->interrupts.data[0].start, ==, 2200);
  g_assert_cmpint (saved->interrupts.data[0].end, ==, 2250);
  g_assert_cmpuint (saved->interrupts.data[0].cpu, ==, 2);
  g_assert_cmpstr (wp_trace_string (saved, saved->interrupts.data[0].name), ==, "virtio7-input.0");
  g_assert_cmpuint (saved->events.data[0].count, ==, 4711);
  g_assert_cmpstr (wp_trace_string (saved, saved->events.data[0].name), ==, "sched:sched_switch");
}

static void
test_devices (void)
{
  g_autoptr (WpTrace) trace = fixture_everything (), saved = NULL;
  g_autoptr (WpPaths) paths = fixture_paths (trace, fixture_task (trace, "client"));
  g_autoptr (WpPaths) reopened = round_trip (paths, &saved);
  const WpDisk *disk = &saved->disks.data[1];
  const WpNet *net = &saved->nets.data[1];

  g_assert_cmpuint (saved->disks.len, ==, 2);
  g_assert_cmpuint (disk->sector, ==, G_MAXUINT64 - 1);
  g_assert_cmpuint (disk->sectors, ==, 8);
  g_assert_cmpuint (disk->dev, ==, 1000 << 20 | 7);
  g_assert_cmpstr (wp_trace_string (saved, disk->rwbs), ==, "RA");
  g_assert_cmpstr (wp_trace_task_name (saved, disk->task), ==, "client");
  g_assert_cmpint (saved->ops.data[disk->queue].end, ==, saved->ops.data[disk->active].start);
  g_assert_cmpuint (saved->nets.len, ==, 2);
  g_assert_cmpstr (wp_trace_string (saved, net->remote), ==, "192.0.2.7:443");
  g_assert_cmpstr (wp_trace_string (saved, net->local), ==, "198.51.100.1:5000");
  g_assert_cmpuint (net->protocol, ==, 6);
  g_assert_cmpuint (net->handshake, ==, 1);
}

/* What no path uses stays out, and nothing of another process is named. */
static void
test_only_ours (void)
{
  g_autoptr (WpTrace) trace = fixture_everything (), saved = NULL;
  g_autoptr (WpPaths) paths = fixture_paths (trace, fixture_task (trace, "client"));
  g_autoptr (WpPaths) reopened = round_trip (paths, &saved);
  g_autofree char *path = g_build_filename (folder, "round.perf", NULL);
  g_autofree char *text = read_file (path);

  g_assert_null (strstr (text, "bystander"));
  g_assert_nonnull (strstr (text, "server\\t"));
  g_assert_cmpuint (saved->tasks.len, <, trace->tasks.len);
  g_assert_cmpuint (saved->samples.len, ==, 6);
}

static void
test_random (void)
{
  guint with_many_parts = 0;

  for (guint seed = 0; seed < 12; seed++)
    {
      g_autoptr (WpTrace) trace = fixture_random (seed, 400);

      for (WpId t = 1; t < trace->tasks.len; t++)
        if (trace->tasks.data[t].kind == WP_TASK_THREAD && trace->tasks.data[t].n_ops > 0)
          {
            g_autoptr (WpPaths) paths = fixture_paths (trace, t);
            g_autoptr (WpTrace) saved = NULL;
            g_autoptr (WpPaths) reopened = round_trip (paths, &saved);

            with_many_parts += reopened->parts.len > 20;
          }
    }
  g_assert_cmpuint (with_many_parts, >, 5);
}

/* Every hand-written trace, for each of its tasks. */
static void
test_scenarios (void)
{
  const char *scenarios = g_getenv ("WP_SCENARIOS"), *name;
  GDir *dir = g_dir_open (scenarios, 0, NULL);
  guint n = 0;

  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (scenarios, name, NULL);
      g_autoptr (WpTrace) trace = NULL;
      g_autoptr (GError) error = NULL;

      if (!g_str_has_suffix (name, ".trace"))
        continue;
      trace = wp_read (path, NULL, NULL, &error);
      g_assert_no_error (error);
      for (WpId t = 1; t < trace->tasks.len; t++)
        if (trace->tasks.data[t].kind == WP_TASK_THREAD && trace->tasks.data[t].n_ops > 0)
          {
            g_autoptr (WpPaths) paths = fixture_paths (trace, t);
            g_autoptr (WpTrace) saved = NULL;
            g_autoptr (WpPaths) reopened = round_trip (paths, &saved);

            n += reopened->parts.len > 1;
          }
    }
  g_dir_close (dir);
  g_assert_cmpuint (n, >, 20);
}

static void
test_options (void)
{
  g_autoptr (WpTrace) trace = fixture_random (7, 400), saved = NULL;
  WpPathOptions options = { .grace = 12345, .merge_threads = TRUE };
  const WpId task = 1;
  g_autoptr (WpPaths) paths = wp_paths_new (trace, &task, 1, &options, NULL, NULL);
  g_autoptr (WpPaths) reopened = round_trip (paths, &saved);

  g_assert_cmpint (reopened->options.grace, ==, 12345);
  g_assert_true (reopened->options.merge_threads);
}

/* A document of a saved profile: opened by content, and only for the process that it explains. */
static void
test_document (void)
{
  static const char *const good[] = { NULL, "", "client", "100", "client:100" };
  static const char *const bad[] = { "server", "101", "client:101", "clien:100", "client:", "x" };
  g_autoptr (WpTrace) trace = fixture_everything ();
  g_autoptr (WpPaths) paths = fixture_paths (trace, fixture_task (trace, "client"));
  g_autofree char *path = g_build_filename (folder, "misnamed.txt", NULL);
  g_autoptr (WpDocument) document = NULL;
  g_autoptr (GError) error = NULL;
  gboolean owned = TRUE;

  save (path, paths);
  document = wp_document_open (path, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (document->format, ==, WP_FORMAT_PERUN);
  for (guint i = 0; i < G_N_ELEMENTS (good); i++)
    {
      g_assert_true (wp_document_paths (document, good[i], NULL, &owned, NULL, &error) == document->saved);
      g_assert_no_error (error);
      g_assert_false (owned);
    }
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_assert_null (wp_document_paths (document, bad[i], NULL, &owned, NULL, &error));
      g_assert_nonnull (strstr (error->message, "explains client"));
      g_clear_error (&error);
    }
}

static void
test_document_recording (void)
{
  g_autofree char *path = g_build_filename (folder, "recording.perf", NULL);
  g_autoptr (WpDocument) document = NULL;
  g_autoptr (WpPaths) paths = NULL;
  g_autoptr (GError) error = NULL;
  gboolean owned = FALSE;
  static const char text[] =
    " swapper 0/0 [000] 1.000000: sched:sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> "
    "next_comm=A next_pid=10 next_prio=120\n\n"
    "       A 10/10 [000] 1.000110: sched:sched_switch: prev_comm=A prev_pid=10 prev_prio=120 prev_state=S ==> "
    "next_comm=swapper/0 next_pid=0 next_prio=120\n\n";

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  document = wp_document_open (path, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (document->format, ==, WP_FORMAT_PERF_SCRIPT);
  g_assert_null (document->saved);
  paths = wp_document_paths (document, "A", NULL, &owned, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (owned);
  g_assert_cmpint (paths->wall_end - paths->wall_start, ==, 110000);
  g_assert_null (wp_document_paths (document, "B", NULL, &owned, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
}

static void
test_document_errors (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_build_filename (folder, "short.perf", NULL);

  g_assert_null (wp_document_open ("/no/such/file", NULL, NULL, &error));
  g_assert_nonnull (strstr (error->message, "/no/such/file"));
  g_clear_error (&error);
  g_assert_null (wp_document_open (folder, NULL, NULL, &error));
  g_assert_nonnull (strstr (error->message, folder));
  g_clear_error (&error);
  g_assert_true (g_file_set_contents (path, "{\"header\": {\"type\": \"time\"", -1, NULL));
  g_assert_null (wp_document_open (path, NULL, NULL, &error));
  g_assert_nonnull (strstr (error->message, "header.type: the file ends too early"));
}

/* --- replacing a file --------------------------------------------------------------------------------------------- */

static guint
count_files (void)
{
  GDir *dir = g_dir_open (folder, 0, NULL);
  guint n = 0;

  while (g_dir_read_name (dir) != NULL)
    n++;
  g_dir_close (dir);
  return n;
}

/* A write that fails, as on a full disk: the file stays as it was and no other is left behind. */
static void
test_full (void)
{
  g_autoptr (WpTrace) trace = fixture_everything ();
  g_autoptr (WpPaths) paths = fixture_paths (trace, fixture_task (trace, "client"));
  g_autoptr (WpExplanation) explanation = wp_explain (paths, 0, G_MAXINT64, NULL, NULL);
  g_autofree char *path = g_build_filename (folder, "full.perf", NULL), *text = NULL;
  g_autoptr (GError) error = NULL;
  struct rlimit old, small;
  guint files;

  g_assert_true (g_file_set_contents (path, "as it was", -1, NULL));
  files = count_files ();
  signal (SIGXFSZ, SIG_IGN);
  getrlimit (RLIMIT_FSIZE, &old);
  small = (struct rlimit) { .rlim_cur = 2000, .rlim_max = old.rlim_max };
  setrlimit (RLIMIT_FSIZE, &small);
  g_assert_false (wp_perun_save (path, paths, explanation, NULL, &error));
  setrlimit (RLIMIT_FSIZE, &old);
  g_assert_true (g_str_has_prefix (error->message, path));
  g_assert_nonnull (strstr (error->message, "File too large; the file is as it was before"));
  text = read_file (path);
  g_assert_cmpstr (text, ==, "as it was");
  g_assert_cmpuint (count_files (), ==, files);
}

static void
test_cancel (void)
{
  g_autoptr (WpTrace) trace = fixture_random (3, 20000);
  g_autoptr (WpPaths) paths = fixture_paths (trace, 1);
  g_autoptr (WpExplanation) explanation = wp_explain (paths, 0, G_MAXINT64, NULL, NULL);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  WpProgress progress = { .cancellable = cancellable };
  g_autofree char *path = g_build_filename (folder, "cancelled.perf", NULL);
  g_autoptr (GError) error = NULL;
  WpTrace *saved;
  WpPaths *reopened;

  g_cancellable_cancel (cancellable);
  g_assert_false (wp_perun_save (path, paths, explanation, &progress, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
  g_clear_error (&error);
  save (path, paths);
  g_assert_false (wp_perun_load (path, &saved, &reopened, &progress, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static void
test_places (void)
{
  g_autoptr (WpTrace) trace = fixture_everything ();
  g_autoptr (WpPaths) paths = fixture_paths (trace, fixture_task (trace, "client"));
  g_autoptr (WpExplanation) explanation = wp_explain (paths, 0, G_MAXINT64, NULL, NULL);
  g_autofree char *path = g_build_filename (folder, "real.perf", NULL), *link = g_build_filename (folder, "link.perf", NULL);
  g_autofree char *nowhere = g_build_filename (folder, "no", "such", "folder.perf", NULL);
  g_autoptr (GError) error = NULL;
  GStatBuf st;

  save (path, paths);
  g_assert_cmpint (g_chmod (path, 0640), ==, 0);
  g_assert_cmpint (symlink (path, link), ==, 0);
  save (link, paths);
  g_assert_true (g_file_test (link, G_FILE_TEST_IS_SYMLINK));
  g_assert_cmpint (g_stat (path, &st), ==, 0);
  g_assert_cmpint (st.st_mode & 0777, ==, 0640);
  g_assert_false (wp_perun_save (nowhere, paths, explanation, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  g_assert_true (g_str_has_prefix (error->message, nowhere));
  g_clear_error (&error);
  g_assert_false (wp_perun_save (folder, paths, explanation, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_IS_DIRECTORY);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  folder = fixture_folder ();
  g_test_add_func ("/profile/everything", test_everything);
  g_test_add_func ("/profile/notes", test_notes);
  g_test_add_func ("/profile/devices", test_devices);
  g_test_add_func ("/profile/only-ours", test_only_ours);
  g_test_add_func ("/profile/random", test_random);
  g_test_add_func ("/profile/scenarios", test_scenarios);
  g_test_add_func ("/profile/options", test_options);
  g_test_add_func ("/profile/document", test_document);
  g_test_add_func ("/profile/document-recording", test_document_recording);
  g_test_add_func ("/profile/document-errors", test_document_errors);
  g_test_add_func ("/profile/full", test_full);
  g_test_add_func ("/profile/cancel", test_cancel);
  g_test_add_func ("/profile/places", test_places);
  status = g_test_run ();
  fixture_remove (folder);
  g_free (folder);
  return status;
}
