/* Completing stacks that frame pointers cut: a hand-made trace of two tasks that sleep, wait and are sampled. */
#include "read/read-private.h"
#include "trace-maker.h"

#include <stdarg.h>

typedef struct
{
  TraceMaker maker;
  WpId kernel, program;
  gint64 now;
} Fixture;

static void
fixture_init (Fixture *self)
{
  *self = (Fixture) { .now = 1000 };
  trace_maker_init (&self->maker);
  self->kernel = wp_trace_module (self->maker.trace, "[kernel]", NULL);
  self->program = wp_trace_module (self->maker.trace, "/usr/bin/work", NULL);
}

/* A stack of functions, outermost first, ended by NULL; "k:" stands before those of the kernel. */
static WpId
stack_of (Fixture *self, ...) G_GNUC_NULL_TERMINATED;

static WpId
stack_of (Fixture *self, ...)
{
  WpTrace *trace = self->maker.trace;
  WpId stack = 0;
  va_list names;

  va_start (names, self);
  for (const char *name = va_arg (names, const char *); name != NULL; name = va_arg (names, const char *))
    stack = wp_trace_stack (trace, stack, g_str_has_prefix (name, "k:") ? wp_trace_kernel_frame (trace, self->kernel, name + 2)
                                                                        : wp_trace_named_frame (trace, self->program, name));
  va_end (names);
  return stack;
}

/* The task runs for a while, is sampled with the one stack and falls asleep with the other. */
static void
turn (Fixture *self, gint32 tid, WpId sample, WpId sleep)
{
  WpEvent event = { .time = self->now + 100, .tid = tid, .pid = tid, .kind = WP_EVENT_SAMPLE, .stack = sample };

  trace_maker_switch (&self->maker, self->now, 0, 0, 0, tid);
  wp_assembler_event (self->maker.assembler, &event);
  self->maker.stack = sleep;
  trace_maker_switch (&self->maker, self->now + 200, 0, tid, 1, 0);
  self->now += 1000;
}

/* The stacks of a task's samples and sleeps in the order of time, as "sample outermost;…;innermost". */
static char *
stacks_of (const Fixture *self, gint32 tid)
{
  const WpTrace *trace = self->maker.trace;
  g_autoptr (GString) out = g_string_new (NULL);

  for (WpId i = 1; i < trace->ops.len; i++)
    {
      const WpOp *op = &trace->ops.data[i];
      gboolean run = op->kind == WP_OP_RUN;
      WpId stack = run && op->detail != 0 ? trace->samples.data[op->detail].stack : run ? 0 : op->detail;
      g_autoptr (GString) line = g_string_new (NULL);

      if (trace->tasks.data[op->task].tid != tid || stack == 0)
        continue;
      for (; stack != 0; stack = trace->stacks.data[stack].parent)
        {
          WpId function = trace->frames.data[trace->stacks.data[stack].frame].function;

          g_string_prepend (line, wp_trace_function_name (trace, function));
          g_string_prepend_c (line, ';');
        }
      g_string_append_printf (out, "%s%s\n", run ? "sample" : "sleep", line->str);
    }
  return g_string_free (g_steal_pointer (&out), FALSE);
}

/* After completing, the task's stacks are these, and so many were completed. */
static void
assert_stacks (Fixture *self, gint32 tid, guint64 completed, const char *expected)
{
  g_autofree char *stacks = stacks_of (self, tid);

  g_assert_cmpstr (stacks, ==, expected);
  g_assert_cmpuint (self->maker.trace->diagnostics.n[WP_DIAG_STACKS_COMPLETED], ==, completed);
  g_assert_cmpstr (wp_trace_check (self->maker.trace), ==, NULL);
}

static void
complete (Fixture *self)
{
  trace_maker_finish (&self->maker);
  wp_complete_stacks (self->maker.trace);
}

static void
fixture_clear (Fixture *self)
{
  wp_trace_free (self->maker.trace);
}

/* What the kernel did is the cut stack's own, not that of the whole one. */
static void
test_kernel_part_stays (void)
{
  Fixture f;

  fixture_init (&f);
  turn (&f, 10, stack_of (&f, "_start", "main", "work", "read", NULL), stack_of (&f, "work", "read", "k:ksys_read", "k:schedule", NULL));
  turn (&f, 10, stack_of (&f, "read", "k:vfs_read", NULL), stack_of (&f, "k:exit_to_user_mode", NULL));
  complete (&f);
  assert_stacks (&f, 10, 2,
                 "sample;_start;main;work;read\n"
                 "sleep;_start;main;work;read;ksys_read;schedule\n"
                 "sample;_start;main;work;read;vfs_read\n"
                 "sleep;exit_to_user_mode\n");
  fixture_clear (&f);
}

/* Frames in the middle of a whole stack, or beyond its tip, say nothing. */
static void
test_only_the_tip (void)
{
  Fixture f;

  fixture_init (&f);
  turn (&f, 10, stack_of (&f, "_start", "main", "work", "read", NULL), stack_of (&f, "main", "work", NULL));
  turn (&f, 10, stack_of (&f, "other", "read", NULL), stack_of (&f, "work", "read", "more", NULL));
  turn (&f, 10, stack_of (&f, "work", "write", NULL), stack_of (&f, "main", "read", NULL));
  complete (&f);
  assert_stacks (&f, 10, 0,
                 "sample;_start;main;work;read\n"
                 "sleep;main;work\n"
                 "sample;other;read\n"
                 "sleep;work;read;more\n"
                 "sample;work;write\n"
                 "sleep;main;read\n");
  fixture_clear (&f);
}

/* Of two whole stacks the one before it in time counts, and none that comes later. */
static void
test_the_last_whole_one (void)
{
  Fixture f;

  fixture_init (&f);
  turn (&f, 10, stack_of (&f, "read", NULL), stack_of (&f, "_start", "main", "first", "read", NULL));
  turn (&f, 10, stack_of (&f, "read", NULL), stack_of (&f, "read", NULL));
  turn (&f, 10, stack_of (&f, "_start", "main", "second", "read", NULL), stack_of (&f, "read", NULL));
  complete (&f);
  assert_stacks (&f, 10, 3,
                 "sample;read\n"
                 "sleep;_start;main;first;read\n"
                 "sample;_start;main;first;read\n"
                 "sleep;_start;main;first;read\n"
                 "sample;_start;main;second;read\n"
                 "sleep;_start;main;second;read\n");
  fixture_clear (&f);
}

/* Two threads of one program have the same functions at their tips, for different reasons. */
static void
test_each_task_by_itself (void)
{
  Fixture f;

  fixture_init (&f);
  turn (&f, 10, stack_of (&f, "_start", "main", "accept", "read", NULL), stack_of (&f, "accept", "read", NULL));
  turn (&f, 11, stack_of (&f, "accept", "read", NULL), stack_of (&f, "read", "k:schedule", NULL));
  turn (&f, 11, stack_of (&f, "_start", "main", "serve", "read", NULL), stack_of (&f, "read", "k:schedule", NULL));
  turn (&f, 10, stack_of (&f, "read", NULL), stack_of (&f, "read", "k:schedule", NULL));
  complete (&f);
  assert_stacks (&f, 11, 4,
                 "sample;accept;read\n"
                 "sleep;read;schedule\n"
                 "sample;_start;main;serve;read\n"
                 "sleep;_start;main;serve;read;schedule\n");
  assert_stacks (&f, 10, 4,
                 "sample;_start;main;accept;read\n"
                 "sleep;_start;main;accept;read\n"
                 "sample;_start;main;accept;read\n"
                 "sleep;_start;main;accept;read;schedule\n");
  fixture_clear (&f);
}

/* Names may come twice: what is whole stays as it is, and is counted once. */
static void
test_twice (void)
{
  Fixture f;
  g_autofree char *once = NULL;

  fixture_init (&f);
  turn (&f, 10, stack_of (&f, "_start", "main", "read", NULL), stack_of (&f, "read", "k:schedule", NULL));
  complete (&f);
  once = stacks_of (&f, 10);
  wp_complete_stacks (f.maker.trace);
  assert_stacks (&f, 10, 1, once);
  fixture_clear (&f);
}

/* A stack as deep as stacks can be. */
static void
test_deep (void)
{
  Fixture f;
  WpId whole, cut = 0;

  fixture_init (&f);
  whole = stack_of (&f, "_start", "main", NULL);
  for (guint i = 2; i < WP_STACK_DEPTH_MAX; i++)
    {
      WpId frame = wp_trace_user_frame (f.maker.trace, f.program, 0x1000 + i);

      whole = wp_trace_stack (f.maker.trace, whole, frame);
      if (i > 2)
        cut = wp_trace_stack (f.maker.trace, cut, frame);
    }
  turn (&f, 10, whole, cut);
  complete (&f);
  g_assert_cmpuint (f.maker.trace->diagnostics.n[WP_DIAG_STACKS_COMPLETED], ==, 1);
  for (WpId i = 1; i < f.maker.trace->ops.len; i++)
    if (f.maker.trace->ops.data[i].kind == WP_OP_SLEEP)
      g_assert_cmpuint (f.maker.trace->ops.data[i].detail, !=, cut);
  fixture_clear (&f);
}

/* Of a preemption and of what only the kernel did no user part was asked for: they count neither as whole nor as cut. */
static void
test_count_what_was_asked_for (void)
{
  Fixture f;
  WpStackCountArray counts = { 0 };
  guint32 stacks = 0, whole = 0;

  fixture_init (&f);
  turn (&f, 10, stack_of (&f, "_start", "main", NULL), stack_of (&f, "k:exit_to_user_mode", "k:schedule", "k:__schedule", NULL));
  turn (&f, 10, stack_of (&f, "k:ret_from_fork", NULL), stack_of (&f, "k:exit_to_user_mode", "k:schedule", "k:__schedule", NULL));
  turn (&f, 10, stack_of (&f, "work", NULL), stack_of (&f, "_start", "main", "k:ksys_read", NULL));
  trace_maker_finish (&f.maker);
  wp_count_stacks (f.maker.trace);
  g_assert_cmpuint (f.maker.trace->diagnostics.n[WP_DIAG_STACKS], ==, 3);
  g_assert_cmpuint (f.maker.trace->diagnostics.n[WP_DIAG_STACKS_WHOLE], ==, 2);
  wp_count_process_stacks (f.maker.trace, &counts);
  for (guint32 i = 0; i < counts.len; i++)
    {
      stacks += counts.data[i].stacks;
      whole += counts.data[i].whole;
    }
  g_assert_cmpuint (stacks, ==, 3);
  g_assert_cmpuint (whole, ==, 2);
  wp_array_clear (&counts);
  fixture_clear (&f);
}

/* C, threads, and Go: whose routines begin at one function, and what its runtime does on a stack of its own at others. */
static void
test_entries (void)
{
  static const char *const entries[] = { "main", "_start", "start_thread", "__libc_start_main@@GLIBC_2.34", "runtime.goexit.abi0",
                                         "runtime.mcall", "runtime.systemstack.abi0", "runtime.clone.abi0" };
  static const char *const others[] = { "domain", "main_loop", "runtime.mallocgc", "main_init", "start_threads" };

  for (guint i = 0; i < G_N_ELEMENTS (entries); i++)
    g_assert_true (wp_is_entry_function (entries[i]));
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    g_assert_false (wp_is_entry_function (others[i]));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/whole-stacks/kernel-part-stays", test_kernel_part_stays);
  g_test_add_func ("/whole-stacks/only-the-tip", test_only_the_tip);
  g_test_add_func ("/whole-stacks/the-last-whole-one", test_the_last_whole_one);
  g_test_add_func ("/whole-stacks/each-task-by-itself", test_each_task_by_itself);
  g_test_add_func ("/whole-stacks/twice", test_twice);
  g_test_add_func ("/whole-stacks/deep", test_deep);
  g_test_add_func ("/whole-stacks/entries", test_entries);
  g_test_add_func ("/whole-stacks/count-what-was-asked-for", test_count_what_was_asked_for);
  return g_test_run ();
}
