/* A workspace from end to end, without a window: opening, explaining, a marked range, cuts and options; what banners say; jobs. */
#include <glib/gstdio.h>
#include <sys/resource.h>

#include "main-loop.h"
#include "profile-fixture.h"
#include "stacks/formats.h"
#include "stacks/graph.h"
#include "store/incoming.h"
#include "store/objects.h"
#include "workspace/file/boxes.h"
#include "workspace/worker.h"
#include "workspace/file/open-file.h"
#include "workspace/file/plot-requests.h"
#include "workspace/file/search.h"
#include "paths/stacks.h"
#include "workspace/stacks/calls-model.h"
#include "workspace/store/store-session.h"
#include "workspace/file/workspace.h"

/* --- jobs --- */

typedef struct
{
  gboolean done, told, cancelled;
  int result;
} Outcome;

static int
niceness (void)
{
  return getpriority (PRIO_PROCESS, 0); /* of Linux: of this thread */
}

static gpointer
niceness_of_thread (gpointer data)
{
  return GINT_TO_POINTER (niceness ());
}

static gpointer
count (gpointer data, WpProgress *progress, GError **error)
{
  GThread *thread = g_thread_new ("count", niceness_of_thread, NULL);

  g_assert_cmpint (niceness (), >, 0);
  g_assert_cmpint (GPOINTER_TO_INT (g_thread_join (thread)), ==, niceness ());
  wp_progress_phase (progress, "counting");
  for (guint i = 0; i < *(guint *) data; i++)
    {
      if (!wp_progress_step (progress, i / 1e3, error))
        return NULL;
      g_usleep (1000);
    }
  return g_memdup2 (&(int) { 17 }, sizeof (int));
}

static void
on_job_told (const char *phase, double fraction, gpointer data)
{
  g_assert_cmpstr (phase, ==, "counting");
  ((Outcome *) data)->told = TRUE;
}

static void
on_job_done (gpointer result, const GError *error, gpointer data)
{
  Outcome *outcome = data;

  outcome->done = TRUE;
  outcome->cancelled = g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  outcome->result = result != NULL ? *(int *) result : -1;
  g_free (result);
}

static WpWorker *
start_counting (guint n, Outcome *outcome)
{
  return wp_worker_start (&(WpWorkerSpec) { .run = count,
                                            .told = on_job_told,
                                            .done = on_job_done,
                                            .data = g_memdup2 (&n, sizeof n),
                                            .free_data = g_free,
                                            .free_result = g_free,
                                            .user_data = outcome });
}

static void
test_job (void)
{
  Outcome finished = { 0 }, dropped = { 0 }, cancelled = { 0 };
  WpWorker *job = start_counting (60, &finished), *other = start_counting (100000, &dropped);
  const int before = niceness ();
  gint64 start;

  wp_worker_drop (&other);
  g_assert_null (other);
  RUN_UNTIL (finished.done);
  g_assert_cmpint (finished.result, ==, 17);
  g_assert_true (finished.told);
  g_assert_nonnull (job);

  job = start_counting (100000, &cancelled);
  run_for (50);
  start = g_get_monotonic_time ();
  wp_worker_cancel (job);
  RUN_UNTIL (cancelled.done);
  g_assert_true (cancelled.cancelled);
  g_assert_cmpint (g_get_monotonic_time () - start, <, 100000);
  g_assert_false (dropped.done || dropped.told);
  g_assert_cmpint (niceness (), ==, before);
}

/* --- a workspace, and what it told --- */

typedef struct
{
  WpWorkspace *workspace;
  guint explained, ranges, differing, cuts, processes, symbols, explaining, changes;
  gboolean again, anew;
} Fixture;

static void
on_explained (WpWorkspace *workspace, gboolean again, Fixture *f)
{
  f->explained++;
  f->again = again;
}

static void
on_range_explained (WpWorkspace *workspace, gboolean differs, Fixture *f)
{
  f->ranges++;
  f->differing += differs;
}

static void
on_explaining (WpWorkspace *workspace, const char *phase, double fraction, gboolean anew, Fixture *f)
{
  f->explaining++;
  f->anew = anew;
}

static void
on_symbols_read (WpWorkspace *workspace, const char *problem, Fixture *f)
{
  g_assert_null (problem);
  f->symbols++;
}

static void
add_one (WpWorkspace *workspace, guint *n)
{
  ++*n;
}

static char *
test_file (const char *folder, const char *name)
{
  return g_build_filename (g_getenv ("WP_TESTS"), folder, name, NULL);
}

/* Opens a file and waits until nothing goes on any more. */
static void
open_path (Fixture *f, const char *path, const WpViewOptions *options)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (WpOpened) opened = wp_open_file (path, options, NULL, &error);

  g_assert_no_error (error);
  g_assert_nonnull (opened->document);
  g_assert_null (opened->plots);
  *f = (Fixture) { .workspace = wp_workspace_new (opened->document, opened->rows, options) };
  g_signal_connect (f->workspace, "explained", G_CALLBACK (on_explained), f);
  g_signal_connect (f->workspace, "range-explained", G_CALLBACK (on_range_explained), f);
  g_signal_connect (f->workspace, "explaining", G_CALLBACK (on_explaining), f);
  g_signal_connect (f->workspace, "symbols-read", G_CALLBACK (on_symbols_read), f);
  g_signal_connect (f->workspace, "cuts-changed", G_CALLBACK (add_one), &f->cuts);
  g_signal_connect (f->workspace, "processes-changed", G_CALLBACK (add_one), &f->processes);
  g_signal_connect (f->workspace, "changed", G_CALLBACK (add_one), &f->changes);
  wp_workspace_start (f->workspace);
}

static void
open_scenario (Fixture *f, const char *name)
{
  const WpViewOptions options = { 0 };
  g_autofree char *file = g_strconcat (name, ".trace", NULL), *path = test_file ("scenarios", file);

  open_path (f, path, &options);
  RUN_UNTIL (f->symbols == 1);
}

static const WpExplanation *
explain_task (Fixture *f, const char *name)
{
  guint before = f->explained;

  wp_workspace_explain (f->workspace, fixture_task (wp_workspace_trace (f->workspace), name));
  RUN_UNTIL (f->explained > before);
  g_assert_null (wp_workspace_failure (f->workspace));
  return wp_workspace_analysis (f->workspace)->explanation;
}

static void
wait_until_explained (Fixture *f)
{
  guint before = f->explained;

  RUN_UNTIL (f->explained > before);
}

static void
close_workspace (Fixture *f)
{
  g_object_unref (f->workspace);
}

static gint64
unaccounted (Fixture *f)
{
  return wp_workspace_analysis (f->workspace)->explanation->ns[WP_CATEGORY_UNACCOUNTED];
}

/* --- opening and explaining --- */

static void
test_open (void)
{
  Fixture f;
  WpTrace *trace;

  open_scenario (&f, "fork-wait-file");
  g_assert_true (wp_workspace_is_recording (f.workspace));
  g_assert_null (wp_workspace_analysis (f.workspace)); /* nobody knows what was to be explained */
  g_assert_cmpuint (f.explained, ==, 0);
  g_assert_false (wp_workspace_busy (f.workspace));
  g_assert_null (wp_workspace_recorder_text (f.workspace, "folder"));
  trace = (WpTrace *) wp_workspace_trace (f.workspace);
  g_assert_nonnull (trace);
  close_workspace (&f);
}

/* What is asked for while symbols are being read is done afterwards, and the trace is nobody's meanwhile. */
static void
test_wanted_meanwhile (void)
{
  const WpViewOptions options = { .on = { [WP_OPTION_SHOW_SLEEPS] = TRUE } };
  g_autofree char *path = test_file ("scenarios", "fork-wait-file.trace");
  Fixture f;
  const WpDocument *document;
  WpId task;

  open_path (&f, path, &options);
  g_assert_null (wp_workspace_trace (f.workspace));
  g_assert_null (wp_workspace_problems (f.workspace));
  g_assert_true (wp_workspace_busy (f.workspace));
  document = wp_shared_get (wp_workspace_document (f.workspace));
  task = fixture_task (document->trace, "B");
  wp_workspace_explain (f.workspace, fixture_task (document->trace, "A"));
  wp_workspace_explain (f.workspace, task);
  g_assert_false (f.anew);
  wp_workspace_set_option (f.workspace, WP_OPTION_SUMMARY, TRUE);
  RUN_UNTIL (f.explained == 1 && f.processes == 1);
  g_assert_true (wp_analysis_is_of (wp_workspace_analysis (f.workspace), task));
  g_assert_cmpstr (wp_workspace_analysis (f.workspace)->paths->name, ==, "B");
  close_workspace (&f);
}

static void
test_explain (void)
{
  Fixture f;
  const WpExplanation *explanation;

  open_scenario (&f, "fork-wait-file");
  explanation = explain_task (&f, "A");
  g_assert_cmpint (explanation->total, ==, 400000);
  g_assert_cmpint (explanation->ns[WP_CATEGORY_UNDERSTOOD], ==, 200000);
  g_assert_true (f.anew);
  g_assert_false (f.again);
  g_assert_cmpuint (f.ranges, ==, 1);
  g_assert_cmpuint (f.differing, ==, 0);

  /* what is shown already is not made anew, another process is */
  wp_workspace_explain (f.workspace, fixture_task (wp_workspace_trace (f.workspace), "A"));
  g_assert_false (wp_workspace_busy (f.workspace));
  explain_task (&f, "B");
  g_assert_cmpuint (f.explained, ==, 2);
  g_assert_false (f.again);

  /* one that was asked for by mistake */
  wp_workspace_explain (f.workspace, fixture_task (wp_workspace_trace (f.workspace), "A"));
  g_assert_true (wp_workspace_busy (f.workspace));
  g_assert_true (wp_workspace_cancel (f.workspace)); /* B is chosen again */
  g_assert_false (wp_workspace_busy (f.workspace));
  g_assert_cmpuint (wp_workspace_task (f.workspace), ==, fixture_task (wp_workspace_trace (f.workspace), "B"));
  wp_workspace_explain (f.workspace, fixture_task (wp_workspace_trace (f.workspace), "A"));
  g_assert_true (wp_workspace_busy (f.workspace)); /* which A is not */
  wp_workspace_cancel (f.workspace);
  wp_workspace_set_option (f.workspace, WP_OPTION_MERGE_THREADS, TRUE);
  g_assert_true (wp_workspace_cancel (f.workspace)); /* it was of what is shown, which knows nothing of that */
  g_assert_false (wp_workspace_option (f.workspace, WP_OPTION_MERGE_THREADS));
  wp_workspace_set_depth (f.workspace, WP_DEPTH_ALL);
  g_assert_true (wp_workspace_hide (f.workspace, WP_HIDE_FUNCTION, "main", NULL));
  wp_workspace_cancel (f.workspace);
  g_assert_cmpuint (wp_workspace_depth (f.workspace), ==, wp_workspace_analysis (f.workspace)->depth.depth);
  g_assert_null (wp_workspace_hide_rules (f.workspace));
  g_assert_cmpuint (f.explained, ==, 2);
  close_workspace (&f);
}

/* A saved profile explains its process at once, and no other. */
static void
test_saved (void)
{
  const WpViewOptions options = { 0 };
  g_autofree char *folder = fixture_folder (), *path = g_build_filename (folder, "saved.perf", NULL);
  g_autoptr (GError) error = NULL;
  const WpAnalysis *analysis;
  Fixture f;
  gint64 total;

  open_scenario (&f, "fork-wait-file");
  total = explain_task (&f, "A")->total;
  analysis = wp_workspace_analysis (f.workspace);
  g_assert_true (wp_perun_save (path, analysis->paths, analysis->explanation, NULL, &error));
  g_assert_no_error (error);
  close_workspace (&f);

  open_path (&f, path, &options);
  RUN_UNTIL (f.explained == 1);
  g_assert_cmpuint (f.symbols, ==, 0);
  g_assert_false (wp_workspace_is_recording (f.workspace));
  analysis = wp_workspace_analysis (f.workspace);
  g_assert_cmpint (analysis->explanation->total, ==, total);
  for (WpId part = 0; part < analysis->paths->parts.len; part++)
    g_assert_false (wp_workspace_can_cut (f.workspace, part));
  wp_workspace_explain (f.workspace, fixture_task (wp_workspace_trace (f.workspace), "B"));
  RUN_UNTIL (f.explained == 2);
  g_assert_nonnull (strstr (wp_workspace_failure (f.workspace), "explains “A” only"));
  g_assert_null (wp_workspace_analysis (f.workspace));
  close_workspace (&f);
  fixture_remove (folder);
}

/* --- a marked range --- */

static void
test_range (void)
{
  Fixture f;
  const WpAnalysis *whole, *range;
  gint64 disk = 0;

  open_scenario (&f, "fork-wait-file");
  explain_task (&f, "A");
  whole = wp_workspace_analysis (f.workspace);
  for (WpId op = 1; op < wp_workspace_trace (f.workspace)->ops.len; op++)
    if (wp_workspace_trace (f.workspace)->ops.data[op].kind == WP_OP_DISK)
      disk = wp_workspace_trace (f.workspace)->ops.data[op].start;
  wp_workspace_mark (f.workspace, disk, disk + 10000);
  RUN_UNTIL (f.differing == 1);
  range = wp_workspace_analysis (f.workspace);
  g_assert_true (wp_workspace_has_range (f.workspace));
  g_assert_true (range != whole && wp_shared_get (wp_workspace_whole (f.workspace)) == whole);
  g_assert_true (wp_analysis_whole (range) == whole && range->paths == whole->paths && range->flame == whole->flame);
  g_assert_cmpint (range->explanation->total, ==, 10000);
  g_assert_cmpint (range->explanation->ns[WP_CATEGORY_UNDERSTOOD], ==, 0);
  g_assert_cmpint (((const WpRows *) wp_shared_get (range->consolidated))->end, ==, 10000);

  /* an option makes the whole anew, and the range of it */
  wp_workspace_set_option (f.workspace, WP_OPTION_ICICLE, TRUE);
  RUN_UNTIL (f.differing == 2);
  g_assert_true (f.again);
  g_assert_cmpint (wp_workspace_analysis (f.workspace)->explanation->total, ==, 10000);
  wp_workspace_mark (f.workspace, 0, 0);
  g_assert_cmpuint (f.differing, ==, 3);
  g_assert_false (wp_workspace_has_range (f.workspace));
  g_assert_cmpint (wp_workspace_analysis (f.workspace)->explanation->total, ==, 400000);
  close_workspace (&f);
}

/* --- cuts --- */

static void
test_cuts (void)
{
  g_autoptr (WpCuts) cuts = wp_cuts_new (), before = NULL;
  g_autofree char *none = wp_cuts_text (cuts), *one = NULL, *two = NULL;

  g_assert_null (none);
  g_assert_false (wp_cuts_clear (cuts));
  g_assert_true (wp_cuts_add (cuts, 7));
  one = wp_cuts_text (cuts);
  g_assert_cmpstr (one, ==, "1 branch is cut: its time is unexplained");
  g_assert_true (wp_cuts_add (cuts, 3));
  g_assert_false (wp_cuts_add (cuts, 7));
  two = wp_cuts_text (cuts);
  g_assert_cmpstr (two, ==, "2 branches are cut: their time is unexplained");
  g_assert_cmpuint (g_array_index (wp_cuts_ops (cuts), WpId, 0), ==, 3);
  g_assert_cmpuint (g_array_index (wp_cuts_ops (cuts), WpId, 1), ==, 7);
  before = wp_cuts_copy (cuts);
  g_assert_true (wp_cuts_clear (cuts));
  g_assert_cmpuint (wp_cuts_ops (cuts)->len, ==, 0);
  g_assert_cmpuint (wp_cuts_ops (before)->len, ==, 2);
}

/* The part of B's run that a box named `of` begins: what A's sleep led to. */
static WpId
part_of_task (const WpAnalysis *analysis, const char *name)
{
  const WpTrace *trace = wp_analysis_trace (analysis);

  for (WpId part = 1; part < analysis->paths->parts.len; part++)
    if (g_str_equal (wp_trace_task_name (trace, trace->ops.data[analysis->paths->parts.data[part].op].task), name))
      return part;
  g_assert_not_reached ();
}

static void
test_cut_branch (void)
{
  Fixture f;
  const WpAnalysis *analysis;
  WpId part, op;
  gint64 cut;

  open_scenario (&f, "fork-wait-file");
  explain_task (&f, "A");
  analysis = wp_workspace_analysis (f.workspace);
  g_assert_cmpint (unaccounted (&f), ==, 0);
  g_assert_false (wp_workspace_can_cut (f.workspace, 0));
  g_assert_false (wp_workspace_can_cut (f.workspace, part_of_task (analysis, "A"))); /* nothing waits for it */
  part = part_of_task (analysis, "B");
  g_assert_true (wp_workspace_can_cut (f.workspace, part));
  op = analysis->paths->parts.data[part].op;

  wp_workspace_cut (f.workspace, op);
  RUN_UNTIL (f.explained == 2);
  g_assert_true (f.again);
  cut = unaccounted (&f);
  g_assert_cmpint (cut, >, 0);
  g_assert_cmpint (wp_workspace_analysis (f.workspace)->explanation->total, ==, 400000);
  wp_workspace_cut (f.workspace, op); /* it is cut already */
  g_assert_false (wp_workspace_busy (f.workspace));
  wp_workspace_undo (f.workspace);
  RUN_UNTIL (f.explained == 3);
  g_assert_cmpint (unaccounted (&f), ==, 0);
  wp_workspace_undo (f.workspace); /* there is nothing more */
  g_assert_false (wp_workspace_busy (f.workspace));
  wp_workspace_cut (f.workspace, op);
  RUN_UNTIL (f.explained == 4);
  g_assert_cmpint (unaccounted (&f), ==, cut);
  wp_workspace_restore_cuts (f.workspace);
  RUN_UNTIL (f.explained == 5);
  g_assert_cmpint (unaccounted (&f), ==, 0);
  g_assert_true (wp_workspace_can_undo (f.workspace));
  wp_workspace_cut (f.workspace, op);
  RUN_UNTIL (f.explained == 6);
  explain_task (&f, "B"); /* its cuts are its own */
  g_assert_cmpuint (wp_cuts_ops (wp_workspace_cuts (f.workspace))->len, ==, 0);
  wp_workspace_undo (f.workspace);
  wait_until_explained (&f);
  g_assert_cmpint (unaccounted (&f), ==, cut);
  close_workspace (&f);
}

/* --- what is not made again --- */

typedef struct
{
  WpShared *explained, *flame, *consolidated;
} Made;

/* Made anew until then, with references. */
static Made
made (Fixture *f)
{
  const WpAnalysis *analysis;

  RUN_UNTIL (!wp_workspace_busy (f->workspace));
  analysis = wp_workspace_analysis (f->workspace);
  return (Made) { wp_shared_ref (analysis->explained), wp_shared_ref (analysis->flame), wp_shared_ref (analysis->consolidated) };
}

static void
made_clear (Made *self)
{
  wp_shared_unref (self->explained);
  wp_shared_unref (self->flame);
  wp_shared_unref (self->consolidated);
}

/* Whether of what was made before, which goes, both are the same as now. */
static void
check_made (Fixture *f, Made *before, gboolean same_explained, gboolean same_flame)
{
  Made now = made (f);

  g_assert_cmpint (now.explained == before->explained, ==, same_explained);
  g_assert_cmpint (now.flame == before->flame, ==, same_flame);
  g_assert_true (now.consolidated != before->consolidated);
  made_clear (before);
  *before = now;
}

static guint64
fingerprint (WpShared *rows)
{
  return ((const WpRows *) wp_shared_get (rows))->fingerprint;
}

/* Another way to look at the same explains nothing anew; where only what is gathered changes, the flame view stays. */
static void
test_kept (void)
{
  const WpViewOptions options = { .depth = WP_DEPTH_WAITS, .on = { [WP_OPTION_INVERTED] = TRUE } };
  g_autofree char *path = test_file ("scenarios", "fork-wait-file.trace");
  Fixture f, other;
  Made kept, anew;
  WpId op;

  open_scenario (&f, "fork-wait-file");
  explain_task (&f, "A");
  kept = made (&f);
  wp_workspace_set_option (f.workspace, WP_OPTION_INVERTED, TRUE);
  check_made (&f, &kept, TRUE, TRUE);
  wp_workspace_set_depth (f.workspace, WP_DEPTH_FUNCTIONS);
  check_made (&f, &kept, TRUE, FALSE);
  wp_workspace_set_colors (f.workspace, WP_COLORS_MODULE);
  check_made (&f, &kept, TRUE, FALSE);
  wp_workspace_set_colors (f.workspace, WP_COLORS_PROCESS);
  check_made (&f, &kept, TRUE, FALSE);
  wp_workspace_set_option (f.workspace, WP_OPTION_MERGE_THREADS, TRUE);
  check_made (&f, &kept, FALSE, FALSE);
  wp_workspace_set_option (f.workspace, WP_OPTION_MERGE_THREADS, FALSE);
  check_made (&f, &kept, FALSE, FALSE);
  op = wp_workspace_analysis (f.workspace)->paths->parts.data[part_of_task (wp_workspace_analysis (f.workspace), "B")].op;
  wp_workspace_cut (f.workspace, op);
  check_made (&f, &kept, FALSE, FALSE);
  wp_workspace_undo (f.workspace);
  check_made (&f, &kept, FALSE, FALSE);
  wp_workspace_set_depth (f.workspace, WP_DEPTH_WAITS);
  check_made (&f, &kept, TRUE, FALSE);

  open_path (&other, path, &options);
  RUN_UNTIL (other.symbols == 1);
  explain_task (&other, "A");
  anew = made (&other);
  g_assert_cmpuint (fingerprint (kept.flame), ==, fingerprint (anew.flame));
  g_assert_cmpuint (fingerprint (kept.consolidated), ==, fingerprint (anew.consolidated));
  made_clear (&kept);
  explain_task (&other, "B");
  check_made (&other, &anew, FALSE, FALSE);
  made_clear (&anew);
  close_workspace (&f);
  close_workspace (&other);
}

/* --- the call graph --- */

static const WpCalls *
calls_of (Fixture *f, WpCallsModel *model)
{
  const WpCallsPicture *picture;

  RUN_UNTIL (!wp_workspace_busy (f->workspace) && !wp_calls_model_busy (model));
  g_assert_cmpstr (wp_calls_model_failure (model), ==, NULL);
  picture = wp_shared_get (wp_calls_model_picture (model));
  return picture != NULL ? wp_shared_get (picture->calls) : NULL;
}

/* What a function took with all that it calls; 0: it is none of the graph. */
static WpExact
time_of (const WpCalls *calls, const char *name)
{
  for (guint32 i = 1; i < calls->nodes.len; i++)
    if (g_str_equal (wp_calls_text (calls, calls->nodes.data[i].name), name))
      return calls->nodes.data[i].total;
  return 0;
}

static double
total_ns (const WpCalls *calls)
{
  return 1e6 * wp_calls_real (calls, calls->total);
}

/* The graph is of the process that is explained, with what it waited for across processes; it follows a marked range, cuts and other processes, whatever the depth. */
static void
test_calls (void)
{
  WpCallsChoice choice = { .type = WP_TIME_LATENCY, .hide_self = { 5, 100 }, .hide_subs = { 1, 1 } };
  g_autoptr (WpCallsModel) model = NULL;
  g_autoptr (WpShared) before = NULL;
  WpExact whole;
  Fixture f;

  open_scenario (&f, "fork-wait-file");
  model = wp_calls_model_new_of_process (f.workspace);
  wp_calls_model_set_wanted (model, TRUE);
  g_assert_null (calls_of (&f, model)); /* no process has been chosen */
  explain_task (&f, "A");
  g_assert_cmpfloat (total_ns (calls_of (&f, model)), ==, 400000); /* its latency, which is its wall time */
  g_assert_true (time_of (calls_of (&f, model), "A") > 0 && time_of (calls_of (&f, model), "do_wait") > 0);
  whole = time_of (calls_of (&f, model), "B");
  g_assert_true (whole > 0);

  wp_calls_model_choose (model, &choice);
  calls_of (&f, model);
  before = wp_shared_ref (wp_calls_model_picture (model));
  choice.hide_self.part = 1;
  wp_calls_model_choose (model, &choice);
  g_assert_true (calls_of (&f, model) == wp_shared_get (((const WpCallsPicture *) wp_shared_get (before))->calls));
  g_assert_true (wp_calls_model_picture (model) != before);
  choice.type = WP_TIME_WAITING;
  wp_calls_model_choose (model, &choice);
  g_assert_cmpfloat (total_ns (calls_of (&f, model)), ==, 200000);

  wp_workspace_set_depth (f.workspace, WP_DEPTH_WAITS);
  wait_until_explained (&f);
  g_assert_true (time_of (calls_of (&f, model), "do_wait") > 0);
  choice.type = WP_TIME_LATENCY;
  wp_calls_model_choose (model, &choice);
  g_assert_cmpfloat (total_ns (calls_of (&f, model)), ==, 400000);
  wp_workspace_mark (f.workspace, 100000, 200000);
  RUN_UNTIL (wp_workspace_has_range (f.workspace));
  g_assert_cmpfloat (total_ns (calls_of (&f, model)), <=, 100000);
  wp_workspace_mark (f.workspace, 0, 0);
  wp_workspace_cut (f.workspace, wp_workspace_analysis (f.workspace)->paths->parts.data[part_of_task (wp_workspace_analysis (f.workspace), "B")].op);
  wait_until_explained (&f);
  g_assert_true (time_of (calls_of (&f, model), "B") < whole);
  explain_task (&f, "B");
  g_assert_true (time_of (calls_of (&f, model), "B") > 0 && time_of (calls_of (&f, model), "A") == 0);
  close_workspace (&f);
}

/* --- depth --- */

static gboolean
has_label (const WpRows *rows, const char *label)
{
  WpId id = wp_strings_find (rows->strings, label);

  for (guint32 i = 0; i < rows->boxes.len && id != 0; i++)
    if (rows->boxes.data[i].label == id)
      return TRUE;
  return FALSE;
}

static const WpRows *
flame_of (Fixture *f)
{
  return wp_shared_get (wp_workspace_analysis (f->workspace)->flame);
}

static guint32
hidden_in (const WpRows *rows, const char *label)
{
  for (guint32 i = 0; i < rows->boxes.len; i++)
    if (g_str_equal (wp_rows_string (rows, rows->boxes.data[i].label), label))
      return rows->boxes.data[i].hidden;
  return 0;
}

/* What is folded is opened by a box and by what is searched for, in both views, and closed by any choice of a depth. */
static void
test_depth (void)
{
  const WpViewOptions options = { .depth = WP_DEPTH_FUNCTIONS };
  g_autofree char *path = test_file ("scenarios", "fork-wait-file.trace");
  Fixture f;
  gint64 total;
  guint folded;

  open_path (&f, path, &options);
  RUN_UNTIL (f.symbols == 1);
  total = explain_task (&f, "A")->total;
  folded = wp_workspace_analysis (f.workspace)->n_folded[0];
  g_assert_cmpuint (folded, >, 0);
  g_assert_true (has_label (flame_of (&f), "waits for child B"));
  g_assert_false (has_label (flame_of (&f), "do_wait"));
  wp_workspace_open_folds (f.workspace, flame_of (&f), hidden_in (flame_of (&f), "waits for child B"));
  wait_until_explained (&f);
  g_assert_true (has_label (flame_of (&f), "do_wait"));
  g_assert_false (has_label (flame_of (&f), "filemap_read"));
  g_assert_cmpuint (wp_workspace_analysis (f.workspace)->n_folded[0], <, folded);
  wp_workspace_open_matching (f.workspace, "FILEMAP_");
  wait_until_explained (&f);
  g_assert_true (has_label (flame_of (&f), "filemap_read") && has_label (flame_of (&f), "do_wait"));
  g_assert_true (has_label (wp_shared_get (wp_workspace_analysis (f.workspace)->consolidated), "filemap_read"));
  g_assert_cmpuint (wp_workspace_analysis (f.workspace)->n_folded[0], ==, 0);
  g_assert_false (wp_workspace_open_matching (f.workspace, "filemap_read"));
  g_assert_false (wp_workspace_busy (f.workspace)); /* that is open */
  wp_workspace_close_found (f.workspace);
  wait_until_explained (&f);
  g_assert_true (!has_label (flame_of (&f), "filemap_read") && has_label (flame_of (&f), "do_wait")); /* which was opened by hand */
  wp_workspace_set_depth (f.workspace, WP_DEPTH_FUNCTIONS);
  wait_until_explained (&f);
  g_assert_cmpuint (wp_workspace_analysis (f.workspace)->n_folded[0], ==, folded);
  wp_workspace_set_depth (f.workspace, WP_DEPTH_WAITS);
  wait_until_explained (&f);
  g_assert_false (has_label (flame_of (&f), "main"));
  g_assert_true (has_label (flame_of (&f), "runs"));
  g_assert_cmpint (wp_workspace_analysis (f.workspace)->explanation->total, ==, total);
  close_workspace (&f);
}

static guint32
box_named (const WpRows *rows, const char *label)
{
  for (guint32 i = 0; i < rows->boxes.len; i++)
    if (g_str_equal (wp_rows_string (rows, rows->boxes.data[i].label), label))
      return i;
  g_assert_not_reached ();
}

static const char *
hideable (Fixture *f, gboolean consolidated, const char *label, WpHideKind kind)
{
  const WpRows *rows = consolidated ? wp_shared_get (wp_workspace_analysis (f->workspace)->consolidated) : flame_of (f);

  return wp_workspace_hideable (f->workspace, rows, box_named (rows, label), kind);
}

static void
hide (Fixture *f, WpHideKind kind, const char *text)
{
  g_assert_true (wp_workspace_hide (f->workspace, kind, text, NULL));
  wait_until_explained (f);
}

/* What is hidden is folded into its caller in both views, with all numbers as they were: search finds it there and opens it. Each rule is taken
 * back by itself or by undo; rules go with the workspace to another process. */
static void
test_hide (void)
{
  const WpViewOptions options = { .depth = WP_DEPTH_ALL };
  g_autofree char *path = test_file ("scenarios", "fork-wait-file.trace");
  g_autofree guint32 *stacks = NULL;
  g_autoptr (WpSearch) search = wp_search_new ();
  g_autoptr (GError) error = NULL;
  Fixture f;
  gint64 total, whole;

  open_path (&f, path, &options);
  RUN_UNTIL (f.symbols == 1);
  total = explain_task (&f, "A")->total;
  whole = wp_workspace_analysis (f.workspace)->tree->nodes.data[0].total;
  g_assert_false (wp_workspace_can_undo (f.workspace));
  for (guint consolidated = 0; consolidated < 2; consolidated++)
    {
      g_assert_cmpstr (hideable (&f, consolidated, "do_wait", WP_HIDE_FUNCTION), ==, "do_wait");
      g_assert_cmpstr (hideable (&f, consolidated, "do_wait", WP_HIDE_MODULE), ==, "[kernel]");
      g_assert_null (hideable (&f, consolidated, "B", WP_HIDE_FUNCTION));
      g_assert_null (hideable (&f, consolidated, "B", WP_HIDE_MODULE));
    }
  hide (&f, WP_HIDE_FUNCTION, "do_wait");
  g_assert_false (has_label (flame_of (&f), "do_wait"));
  g_assert_false (has_label (wp_shared_get (wp_workspace_analysis (f.workspace)->consolidated), "do_wait"));
  g_assert_true (has_label (flame_of (&f), "kernel_wait4") && has_label (flame_of (&f), "schedule"));
  g_assert_cmpuint (wp_workspace_analysis (f.workspace)->n_folded[0], ==, 1);
  g_assert_cmpuint (wp_workspace_analysis (f.workspace)->n_folded[1], ==, 1);
  g_assert_cmpint (wp_workspace_analysis (f.workspace)->explanation->total, ==, total);
  g_assert_cmpint (wp_workspace_analysis (f.workspace)->tree->nodes.data[0].total, ==, whole);
  stacks = wp_search_matching_stacks (wp_workspace_trace (f.workspace), "DO_WAIT");
  g_free (wp_search_run (search, flame_of (&f), stacks, "DO_WAIT", G_MAXUINT32));
  g_assert_cmpuint (wp_search_count_folded (search), ==, 1);

  wp_workspace_open_matching (f.workspace, "do_wait");
  wait_until_explained (&f);
  g_assert_true (has_label (flame_of (&f), "do_wait"));
  g_assert_true (wp_workspace_hide (f.workspace, WP_HIDE_FUNCTION, "do_wait", NULL)); /* closes what shows it, and is no change */
  wait_until_explained (&f);
  g_assert_false (has_label (flame_of (&f), "do_wait"));
  g_assert_cmpuint (wp_workspace_hide_rules (f.workspace)->len, ==, 1);

  hide (&f, WP_HIDE_MODULE, "[kernel]");
  g_assert_false (has_label (flame_of (&f), "kernel_wait4"));
  g_assert_false (wp_workspace_hide (f.workspace, WP_HIDE_MATCHING, "a(", &error));
  g_assert_nonnull (error);
  g_assert_false (wp_workspace_busy (f.workspace));
  hide (&f, WP_HIDE_MATCHING, WP_HIDE_ANY_CASE "^LOAD$");
  g_assert_false (has_label (flame_of (&f), "load"));
  wp_workspace_unhide (f.workspace, 1);
  wait_until_explained (&f);
  g_assert_true (has_label (flame_of (&f), "kernel_wait4"));
  g_assert_false (has_label (flame_of (&f), "do_wait") || has_label (flame_of (&f), "load"));
  wp_workspace_unhide_all (f.workspace);
  wait_until_explained (&f);
  g_assert_null (wp_workspace_hide_rules (f.workspace));
  g_assert_true (has_label (flame_of (&f), "do_wait") && has_label (flame_of (&f), "load"));
  for (guint n = 5; n > 0; n--) /* all, the module, the matches, the module, the function */
    {
      wp_workspace_undo (f.workspace);
      wait_until_explained (&f);
      g_assert_cmpint (wp_workspace_can_undo (f.workspace), ==, n > 1);
      if (n == 4)
        g_assert_cmpuint (wp_workspace_hide_rules (f.workspace)->len, ==, 3);
    }
  g_assert_null (wp_workspace_hide_rules (f.workspace));
  hide (&f, WP_HIDE_FUNCTION, "load");
  explain_task (&f, "B");
  g_assert_false (has_label (flame_of (&f), "load"));
  g_assert_cmpuint (wp_workspace_hide_rules (f.workspace)->len, ==, 1);
  close_workspace (&f);
}

static guint
rows_shown (Fixture *f)
{
  return ((const WpRows *) wp_shared_get (wp_workspace_rows (f->workspace)))->rows.len;
}

/* Two processes together: their times add up in one table, each has a lane, numbers lead from the first to both, and undo to the first alone. */
static void
test_together (void)
{
  Fixture f;
  guint first, together;
  gint64 a, b, both;
  const WpTrace *trace;
  WpId task = 0;

  open_scenario (&f, "fork-wait-file");
  b = explain_task (&f, "B")->total;
  a = explain_task (&f, "A")->total;
  trace = wp_workspace_trace (f.workspace);
  for (WpId t = 1; t < trace->tasks.len; t++)
    if (g_str_equal (wp_trace_task_name (trace, t), "B"))
      task = t;
  first = wp_workspace_chosen_number (f.workspace);
  g_assert_true (wp_workspace_can_explain_also (f.workspace, task));
  wp_workspace_explain_also (f.workspace, task);
  wait_until_explained (&f);
  both = wp_workspace_analysis (f.workspace)->explanation->total;
  g_assert_cmpstr (wp_workspace_analysis (f.workspace)->paths->name, ==, "A, B");
  g_assert_cmpuint (wp_workspace_analysis (f.workspace)->paths->base_tasks.len, ==, 2);
  g_assert_cmpint (both, ==, a + b);
  g_assert_false (wp_workspace_can_explain_also (f.workspace, task));
  together = wp_workspace_chosen_number (f.workspace);
  wp_workspace_choose_number (f.workspace, first);
  wait_until_explained (&f);
  g_assert_cmpstr (wp_workspace_analysis (f.workspace)->paths->name, ==, "A");
  wp_workspace_choose_number (f.workspace, together);
  wait_until_explained (&f);
  g_assert_cmpstr (wp_workspace_analysis (f.workspace)->paths->name, ==, "A, B");
  g_assert_cmpuint (wp_workspace_chosen_number (f.workspace), ==, together);
  wp_workspace_undo (f.workspace);
  wait_until_explained (&f);
  g_assert_cmpstr (wp_workspace_analysis (f.workspace)->paths->name, ==, "A");
  close_workspace (&f);
}

/* As a list that can be pasted: a line each. */
static void
test_notes (void)
{
  g_autofree char *none = NULL, *text = NULL;
  Fixture f;

  open_scenario (&f, "fork-wait-file");
  none = wp_workspace_notes_text (f.workspace, 0);
  g_assert_cmpstr (none, ==, "");
  g_assert_true (wp_workspace_note (f.workspace, 60000, "sleeps\nhere"));
  g_assert_true (wp_workspace_note (f.workspace, 20000, "begins"));
  text = wp_workspace_notes_text (f.workspace, 10000);
  g_assert_cmpstr (text, ==, "- **10 µs** begins\n- **50 µs** sleeps here\n");
  close_workspace (&f);
}

/* Whatever changes of what is seen goes back, one step at a time, the latest first; what is there already takes no step. */
static void
test_undo (void)
{
  const WpViewOptions options = { .depth = WP_DEPTH_ALL };
  g_autofree char *path = test_file ("scenarios", "fork-wait-file.trace");
  Fixture f;
  gint64 from, to;
  WpId a;

  open_path (&f, path, &options);
  RUN_UNTIL (f.symbols == 1);
  wp_workspace_set_view (f.workspace, 0);
  explain_task (&f, "A");
  a = wp_workspace_task (f.workspace);
  g_assert_false (wp_workspace_can_undo (f.workspace));

  wp_workspace_set_view (f.workspace, 1);
  wp_workspace_set_depth (f.workspace, WP_DEPTH_WAITS);
  wait_until_explained (&f);
  wp_workspace_set_option (f.workspace, WP_OPTION_INVERTED, TRUE);
  wait_until_explained (&f);
  wp_workspace_mark (f.workspace, 0, 100000);
  RUN_UNTIL (wp_workspace_has_range (f.workspace));
  explain_task (&f, "B");
  wp_workspace_set_option (f.workspace, WP_OPTION_SUMMARY, TRUE);
  wp_workspace_set_view (f.workspace, 2);
  wp_workspace_set_view (f.workspace, 1); /* back by another way: nothing to undo but the way there */
  wp_workspace_set_colors (f.workspace, WP_COLORS_MODULE); /* boxes are made anew for it */
  wait_until_explained (&f);
  g_assert_true (flame_of (&f)->by_module);
  wp_workspace_set_colors (f.workspace, WP_COLORS_CODE);
  wait_until_explained (&f);
  g_assert_false (flame_of (&f)->by_module);
  wp_workspace_set_sort (f.workspace, WP_SORT_NAME);
  for (guint i = 0; i < 3; i++)
    wp_workspace_set_filter (f.workspace, ((const char *const[]) { "B", "Bo", "" })[i]); /* typed on, then cleared */

  wp_workspace_undo (f.workspace);
  g_assert_cmpstr (wp_workspace_filter (f.workspace), ==, "Bo");
  g_assert_cmpint (wp_workspace_sort (f.workspace), ==, WP_SORT_NAME);
  wp_workspace_undo (f.workspace);
  g_assert_cmpstr (wp_workspace_filter (f.workspace), ==, "");
  RUN_UNTIL (rows_shown (&f) > 0);
  wp_workspace_undo (f.workspace);
  g_assert_cmpint (wp_workspace_sort (f.workspace), ==, WP_SORT_RELATED);
  g_assert_cmpint (wp_workspace_colors (f.workspace), ==, WP_COLORS_CODE);
  wp_workspace_undo (f.workspace);
  g_assert_cmpint (wp_workspace_colors (f.workspace), ==, WP_COLORS_MODULE);
  wait_until_explained (&f);
  g_assert_true (flame_of (&f)->by_module);
  wp_workspace_undo (f.workspace);
  g_assert_cmpint (wp_workspace_colors (f.workspace), ==, WP_COLORS_PROCESS);
  wait_until_explained (&f);
  wp_workspace_undo (f.workspace);
  g_assert_cmpint (wp_workspace_view (f.workspace), ==, 2);
  wp_workspace_undo (f.workspace);
  g_assert_cmpint (wp_workspace_view (f.workspace), ==, 1);
  wp_workspace_undo (f.workspace);
  g_assert_false (wp_workspace_option (f.workspace, WP_OPTION_SUMMARY));
  wp_workspace_undo (f.workspace);
  wait_until_explained (&f);
  g_assert_cmpuint (wp_workspace_task (f.workspace), ==, a);
  g_assert_true (wp_analysis_is_of (wp_shared_get (wp_workspace_whole (f.workspace)), a));
  RUN_UNTIL (wp_workspace_has_range (f.workspace));
  wp_workspace_undo (f.workspace);
  wp_workspace_range (f.workspace, &from, &to);
  g_assert_cmpint (from, ==, to);
  RUN_UNTIL (!wp_workspace_has_range (f.workspace));
  g_assert_true (wp_workspace_analysis (f.workspace)->tree->inverted);
  wp_workspace_undo (f.workspace);
  wait_until_explained (&f);
  g_assert_false (wp_workspace_analysis (f.workspace)->tree->inverted);
  g_assert_cmpint (wp_workspace_depth (f.workspace), ==, WP_DEPTH_WAITS);
  wp_workspace_undo (f.workspace);
  wait_until_explained (&f);
  g_assert_cmpint (wp_workspace_depth (f.workspace), ==, WP_DEPTH_ALL);
  wp_workspace_undo (f.workspace);
  g_assert_cmpint (wp_workspace_view (f.workspace), ==, 0);
  g_assert_false (wp_workspace_can_undo (f.workspace));
  close_workspace (&f);
}

/* --- options --- */

static void
test_options_of_processes (void)
{
  Fixture f;
  guint all, boxes;

  open_scenario (&f, "fork-wait-file");
  all = rows_shown (&f);
  boxes = ((const WpRows *) wp_shared_get (wp_workspace_rows (f.workspace)))->boxes.len;
  wp_workspace_set_option (f.workspace, WP_OPTION_SHOW_SLEEPS, TRUE);
  g_assert_true (wp_workspace_option (f.workspace, WP_OPTION_SHOW_SLEEPS));
  RUN_UNTIL (f.processes == 1);
  g_assert_cmpuint (((const WpRows *) wp_shared_get (wp_workspace_rows (f.workspace)))->boxes.len, >, boxes);
  wp_workspace_set_filter (f.workspace, "B");
  RUN_UNTIL (f.processes == 2);
  g_assert_cmpuint (rows_shown (&f), <, all);
  g_assert_cmpuint (rows_shown (&f), >, 0);
  wp_workspace_set_filter (f.workspace, "nobody");
  RUN_UNTIL (f.processes == 3);
  g_assert_cmpuint (rows_shown (&f), ==, 0);
  wp_workspace_set_filter (f.workspace, "");
  RUN_UNTIL (f.processes == 4);
  g_assert_cmpuint (rows_shown (&f), ==, all);
  wp_workspace_set_sort (f.workspace, WP_SORT_NAME);
  wp_workspace_set_sort (f.workspace, WP_SORT_CPU_TIME); /* the first is given up */
  RUN_UNTIL (f.processes == 5);
  run_for (20);
  g_assert_cmpuint (f.processes, ==, 5);
  g_assert_cmpuint (f.explained, ==, 0); /* none of these is about what is explained */
  close_workspace (&f);
}

/* What is shown beside the rows makes nothing anew, and is taken back like anything else. */
static void
test_options_beside (void)
{
  Fixture f;
  const WpOption options[] = { WP_OPTION_LEGEND, WP_OPTION_LINKS, WP_OPTION_WAIT_CHAIN, WP_OPTION_DETAILS, WP_OPTION_SINCE_PROCESS };

  open_scenario (&f, "two-threads");
  explain_task (&f, "A");
  f.processes = f.explained = 0;
  for (guint i = 0; i < G_N_ELEMENTS (options); i++)
    {
      gboolean before = wp_workspace_option (f.workspace, options[i]);

      g_assert_cmpint (wp_option_of (options[i]), ==, WP_OPTION_BESIDE);
      wp_workspace_set_option (f.workspace, options[i], !before);
      g_assert_cmpint (wp_workspace_option (f.workspace, options[i]), ==, !before);
      g_assert_false (wp_workspace_busy (f.workspace));
      wp_workspace_undo (f.workspace);
      g_assert_cmpint (wp_workspace_option (f.workspace, options[i]), ==, before);
      g_assert_false (wp_workspace_busy (f.workspace));
    }
  g_assert_cmpuint (f.processes, ==, 0);
  g_assert_cmpuint (f.explained, ==, 0);
  close_workspace (&f);
}

static void
test_options_of_analysis (void)
{
  Fixture f;
  const WpOption options[] = { WP_OPTION_MERGE_THREADS, WP_OPTION_STARTED_WORK, WP_OPTION_INVERTED, WP_OPTION_COLLAPSE_RECURSION, WP_OPTION_ICICLE };

  open_scenario (&f, "two-threads");
  wp_workspace_set_option (f.workspace, WP_OPTION_STARTED_WORK, TRUE); /* there is nothing to make anew yet */
  g_assert_false (wp_workspace_busy (f.workspace));
  wp_workspace_set_option (f.workspace, WP_OPTION_STARTED_WORK, FALSE);
  explain_task (&f, "A");
  f.explaining = 0;
  for (guint i = 0; i < G_N_ELEMENTS (options); i++)
    {
      g_assert_cmpint (wp_option_of (options[i]), !=, WP_OPTION_OF_PROCESSES);
      wp_workspace_set_option (f.workspace, options[i], TRUE);
      RUN_UNTIL (f.explained == i + 2);
      g_assert_true (f.again);
      g_assert_cmpint (wp_workspace_analysis (f.workspace)->explanation->total, ==, 6960000);
    }
  g_assert_cmpuint (f.processes, ==, 0);
  g_assert_cmpuint (f.explaining, ==, 0); /* what takes but a moment is not told */
  close_workspace (&f);
}

/* --- what banners say --- */

static void
test_problems (void)
{
  Fixture f;
  g_autoptr (WpProblems) problems = NULL, sometime = NULL;
  g_autofree char *headline = NULL;

  open_scenario (&f, "lost-events");
  problems = wp_workspace_problems (f.workspace);
  headline = wp_problems_headline (problems);
  g_assert_true (g_str_has_prefix (headline, "1204 events were lost, between "));
  g_assert_nonnull (strstr (problems->rows.data[0].means, "that time is shown as unknown"));
  ((WpTrace *) wp_workspace_trace (f.workspace))->diagnostics.n[WP_DIAG_LOST] += 7;
  sometime = wp_workspace_problems (f.workspace);
  g_assert_true (g_str_has_prefix (sometime->rows.data[0].what, "1204 events were lost, between "));
  g_assert_cmpstr (sometime->rows.data[1].what, ==, "7 events were lost");
  g_assert_nonnull (strstr (sometime->rows.data[1].means, "does not say when"));
  close_workspace (&f);
}

static void
test_no_problems (void)
{
  Fixture f;
  g_autoptr (WpProblems) problems = NULL;

  open_scenario (&f, "fork-wait-file");
  problems = wp_workspace_problems (f.workspace);
  g_assert_cmpuint (problems->rows.len, ==, 0);
  g_assert_null (wp_problems_headline (problems));
  close_workspace (&f);
}

static char *
headline_of (const WpTrace *trace, const WpAnalysis *analysis, guint n)
{
  g_autoptr (WpProblems) problems = wp_problems_of_recording (trace, analysis);

  g_assert_cmpuint (problems->rows.len, ==, n);
  return wp_problems_headline (problems);
}

/* Shares are told when they are worth it, the worst first, and how many more there are. */
static void
test_shares (void)
{
  g_autoptr (WpTrace) trace = wp_trace_new ();
  WpPaths paths = { .name = (char *) "make" };
  WpAnalysis analysis = { .paths = &paths, .stacks = { .stacks = 1000, .whole = 900 } };
  g_autofree char *cut = NULL, *both = NULL, *more = NULL;

  g_assert_null (headline_of (trace, &analysis, 0)); /* nine of ten will do */
  analysis.stacks.whole = 899;
  cut = headline_of (trace, &analysis, 1);
  g_assert_cmpstr (cut, ==, "89.9 % of the stacks of make are whole");
  analysis.stacks = (WpStackCount) { .stacks = 9 };
  g_assert_null (headline_of (trace, &analysis, 0)); /* too few for a share */
  trace->diagnostics.n[WP_DIAG_STACKS] = 1000;
  trace->diagnostics.n[WP_DIAG_STACKS_COMPLETED] = 249;
  g_assert_null (headline_of (trace, &analysis, 0));
  trace->diagnostics.n[WP_DIAG_STACKS_COMPLETED] = 250;
  analysis.stacks = (WpStackCount) { .stacks = 10 };
  both = headline_of (trace, &analysis, 2);
  g_assert_cmpstr (both, ==, "0 % of the stacks of make are whole, and 1 more thing to know");
  trace->missing = g_strdup ("no kprobes\n\n  no cycles");
  more = headline_of (trace, NULL, 3);
  g_assert_cmpstr (more, ==, "25.0 % of the stacks were cut and have been completed, and 2 more things to know");
}

/* What is inferred is told when it is more than one operation of a hundred. */
static void
test_inferred (void)
{
  g_autoptr (WpTrace) trace = wp_trace_new ();
  g_autofree char *text = NULL;

  wp_array_resize (&trace->ops, 1000);
  trace->diagnostics.n[WP_DIAG_INFERRED_WAKEUPS] = 10;
  g_assert_null (headline_of (trace, NULL, 0));
  trace->diagnostics.n[WP_DIAG_INFERRED_WAKEUPS] = 11;
  text = headline_of (trace, NULL, 1);
  g_assert_nonnull (strstr (text, "11"));
}

/* What could not be read of another profile. */
static void
test_problems_of_plots (void)
{
  const WpViewOptions options = { 0 };
  g_autofree char *path = test_file ("data/kinds", "memory.perf"), *headline = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (WpOpened) opened = wp_open_file (path, &options, NULL, &error);
  g_autoptr (WpProblems) none = NULL, some = NULL;
  WpPlots *plots;

  g_assert_no_error (error);
  g_assert_null (opened->document);
  plots = wp_shared_get (opened->plots);
  none = wp_problems_of_plots (plots);
  g_assert_cmpuint (none->rows.len, ==, 0);
  wp_omissions_add (&plots->profile->omissions, "trace", "is no list", "those stacks are left out", "snapshots[%u]", 1u);
  some = wp_problems_of_plots (plots);
  headline = wp_problems_headline (some);
  g_assert_nonnull (strstr (headline, "snapshots[1]"));
}

/* What a store's object of the profile opens as: it is unpacked, and called by what was run. */
static WpOpened *
open_object (WpProfile *profile)
{
  const WpViewOptions options = { 0 };
  g_autofree char *folder = fixture_folder (), *path = NULL, *parent = NULL, *end = NULL;
  g_autoptr (GError) error = NULL;
  WpOpened *object;
  char sha1[41];

  g_assert_true (wp_object_write (folder, profile, sha1, &error));
  path = wp_object_path (folder, sha1);
  object = wp_open_file (path, &options, NULL, &error);
  g_assert_no_error (error);
  end = g_strdup_printf (" · %.7s", sha1);
  g_assert_true (g_str_has_suffix (object->name, end));
  g_assert_cmpuint (strlen (object->name), >, strlen (end));
  g_unlink (path);
  parent = g_path_get_dirname (path);
  g_rmdir (parent);
  fixture_remove (folder);
  wp_store_unpacked_clear ();
  return object;
}

static void
test_object (void)
{
  const WpViewOptions options = { 0 };
  g_autofree char *source = test_file ("data/kinds", "memory.perf");
  g_autoptr (GError) error = NULL;
  g_autoptr (WpOpened) plain = wp_open_file (source, &options, NULL, &error), object = NULL;

  g_assert_no_error (error);
  g_assert_null (plain->name);
  object = open_object (((WpPlots *) wp_shared_get (plain->plots))->profile);
  g_assert_nonnull (object->plots);
}

/* A profile of another format is stacks with values again when it comes from the store. */
static void
test_object_of_stacks (void)
{
  g_autofree char *source = test_file ("data/pprof/samples/real", "go-cpu.pb.gz");
  g_autoptr (GError) error = NULL;
  g_autoptr (WpStacks) stacks = wp_stacks_open (source, NULL, NULL, &error);
  gboolean converted;
  g_autoptr (WpProfile) profile = wp_store_incoming (source, &converted, NULL, &error);
  g_autoptr (WpOpened) object = NULL;
  const WpStacks *again;

  g_assert_no_error (error);
  g_assert_true (converted);
  object = open_object (profile);
  again = wp_shared_get (object->stacks);
  g_assert_nonnull (again);
  g_assert_cmpuint (again->n_samples, ==, stacks->n_samples);
  g_assert_cmpuint (again->types.len, ==, stacks->types.len);
  for (guint32 t = 0; t < stacks->types.len; t++)
    {
      g_assert_cmpstr (wp_stacks_text (again, again->types.data[t].type), ==, wp_stacks_text (stacks, stacks->types.data[t].type));
      g_assert_cmpstr (wp_stacks_text (again, again->types.data[t].unit), ==, wp_stacks_text (stacks, stacks->types.data[t].unit));
      g_assert_cmpint (wp_stacks_total (again, t, FALSE), ==, wp_stacks_total (stacks, t, FALSE));
    }
  g_assert_cmpuint (wp_stacks_default_type (again), ==, wp_stacks_default_type (stacks));
}

/* What workers do for the views of another profile. */
static void
test_plot_requests (void)
{
  const WpViewOptions options = { 0 };
  const WpPlotOptions plain = WP_PLOT_OPTIONS_DEFAULT;
  g_autofree char *path = test_file ("data/kinds", "models.perf"), *text = NULL, *none = NULL, *changed = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (WpOpened) opened = wp_open_file (path, &options, NULL, &error);
  WpPlotDrawing *drawing = wp_plot_drawing_new (opened->plots, WP_PLOT_SCATTER, &plain);
  g_autoptr (WpPlotPicture) picture = wp_plot_drawing_run (drawing, NULL, &error);
  WpPostprocess what;
  WpPlotAnalysing *analysing;
  g_autofree WpPlotAnalysed *result = NULL;
  WpPlotAnalysed nothing = { .which = WP_POSTPROCESS_REGRESSION, .skipped = 1 };

  g_assert_no_error (error);
  g_assert_nonnull (picture->chart);
  wp_plot_drawing_free (drawing);
  g_assert_true (wp_postprocess_find ("regression-analysis", &what));
  analysing = wp_plot_analysing_new (opened->plots, &what);
  result = wp_plot_analysing_run (analysing, NULL, &error);
  wp_plot_analysing_free (analysing);
  g_assert_no_error (error);
  g_assert_cmpuint (result->n_models, ==, 12); /* six for each of the two functions that have more than one size */
  text = wp_plot_analysed_text (result);
  g_assert_true (g_str_has_prefix (text, "12 models added"));
  g_assert_true (wp_plot_analysed_changes (result));
  none = wp_plot_analysed_text (&nothing);
  g_assert_cmpstr (none, ==, "0 models added; 1 uid has too few points");
  g_assert_false (wp_plot_analysed_changes (&nothing));
  nothing = (WpPlotAnalysed) { .which = WP_POSTPROCESS_NORMALIZER };
  changed = wp_plot_analysed_text (&nothing);
  g_assert_cmpstr (changed, ==, "The profile is changed; Save Profile keeps it");
  g_assert_true (wp_plot_analysed_changes (&nothing));
}

static void
test_no_file (void)
{
  const WpViewOptions options = { 0 };
  g_autofree char *folder = fixture_folder (), *path = g_build_filename (folder, "none.perf", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_null (wp_open_file (path, &options, NULL, &error));
  g_assert_nonnull (strstr (error->message, path));
  fixture_remove (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/job", test_job);
  g_test_add_func ("/workspace/open", test_open);
  g_test_add_func ("/workspace/no-file", test_no_file);
  g_test_add_func ("/workspace/object", test_object);
  g_test_add_func ("/workspace/wanted-meanwhile", test_wanted_meanwhile);
  g_test_add_func ("/workspace/explain", test_explain);
  g_test_add_func ("/workspace/saved", test_saved);
  g_test_add_func ("/workspace/range", test_range);
  g_test_add_func ("/cuts", test_cuts);
  g_test_add_func ("/workspace/cut-branch", test_cut_branch);
  g_test_add_func ("/workspace/kept", test_kept);
  g_test_add_func ("/workspace/calls", test_calls);
  g_test_add_func ("/workspace/depth", test_depth);
  g_test_add_func ("/workspace/hide", test_hide);
  g_test_add_func ("/workspace/undo", test_undo);
  g_test_add_func ("/workspace/notes", test_notes);
  g_test_add_func ("/workspace/together", test_together);
  g_test_add_func ("/workspace/options-of-processes", test_options_of_processes);
  g_test_add_func ("/workspace/options-beside", test_options_beside);
  g_test_add_func ("/workspace/options-of-analysis", test_options_of_analysis);
  g_test_add_func ("/workspace/object-of-stacks", test_object_of_stacks);
  g_test_add_func ("/plots/requests", test_plot_requests);
  g_test_add_func ("/problems/lost", test_problems);
  g_test_add_func ("/problems/none", test_no_problems);
  g_test_add_func ("/problems/shares", test_shares);
  g_test_add_func ("/problems/inferred", test_inferred);
  g_test_add_func ("/problems/plots", test_problems_of_plots);
  return g_test_run ();
}
