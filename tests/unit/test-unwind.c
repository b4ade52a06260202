/* Unwinding: the test captures its own registers and stack bytes, as the kernel would, and compares with what the C library's
 * own walker says at the same place. */
#include "perf-maker.h"
#include "read/condense.h"
#include "read/read-private.h"
#include "read/unwind.h"
#include "unwind-victim.h"

#include <execinfo.h>
#include <glib/gstdio.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>
#include <unistd.h>

#define MASK G_GUINT64_CONSTANT (0xff01ff) /* the general registers and the program counter, as perf numbers them */
#define ROOM 60000
#define SECRET G_GUINT64_CONSTANT (0x5ec2e75ec2e75ec2)

typedef struct
{
  guint64 registers[17];
  guint8 stack[ROOM];
  gsize size;
  void *walked[WP_STACK_DEPTH_MAX]; /* by the C library, from the same frame on */
  int n_walked;
} Captured;

static Captured captured;
static guint8 *stack_end; /* of the thread that captures */

/* --- capturing ---------------------------------------------------------------------------------------------------- */

static void
take_registers (const ucontext_t *context)
{
  static const int order[] = { REG_RAX, REG_RBX, REG_RCX, REG_RDX, REG_RSI, REG_RDI, REG_RBP, REG_RSP, REG_RIP,
                               REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15 };

  for (guint i = 0; i < G_N_ELEMENTS (order); i++)
    captured.registers[i] = (guint64) context->uc_mcontext.gregs[order[i]];
}

/* A sanitizer has objections against reading all of a stack. */
__attribute__ ((no_sanitize ("address"), noinline)) static void
take_stack (void)
{
  const volatile guint8 *from = GSIZE_TO_POINTER (captured.registers[7]);

  captured.size = MIN ((gsize) (stack_end - (const guint8 *) from), ROOM);
  for (gsize i = 0; i < captured.size; i++)
    captured.stack[i] = from[i];
}

__attribute__ ((noinline)) static void
capture (void)
{
  ucontext_t context;

  captured.n_walked = backtrace (captured.walked, WP_STACK_DEPTH_MAX);
  getcontext (&context);
  take_registers (&context);
  take_stack ();
}

static void
on_signal (int number)
{
  capture ();
}

static void
capture_in_signal (void)
{
  raise (SIGUSR1);
}

static void
on_signal_interrupted (int number, siginfo_t *info, void *context)
{
  capture ();
  take_registers (context);
  take_stack ();
}

static void
capture_expression (void)
{
  victim_expression (capture);
}

static void
capture_bare (void)
{
  victim_bare (capture);
}

/* --- unwinding what was captured ---------------------------------------------------------------------------------- */

typedef void (*MapFunc) (guint64 start, guint64 size, guint64 offset, const char *path, gpointer data);

static void
each_mapping (MapFunc func, gpointer data)
{
  FILE *maps = fopen ("/proc/self/maps", "re");
  char line[4096 + 128];

  g_assert_nonnull (maps);
  while (fgets (line, sizeof line, maps) != NULL)
    {
      guint64 start, end, offset;
      char rights[8], path[4096] = "//anon";

      g_assert_cmpint (sscanf (line, "%" G_GINT64_MODIFIER "x-%" G_GINT64_MODIFIER "x %7s %" G_GINT64_MODIFIER
                                     "x %*s %*s %4095[^\n]", &start, &end, rights, &offset, path), >=, 4);
      if (rights[2] == 'x')
        func (start, end - start, offset, path, data);
    }
  fclose (maps);
}

static void
map_into (guint64 start, guint64 size, guint64 offset, const char *path, gpointer data)
{
  wp_unwinder_map (data, 1, start, size, offset, path, NULL);
}

static WpUnwinder *
unwinder_of_myself (void)
{
  WpUnwinder *self = wp_unwinder_new (wp_cfi_arch (NULL), NULL, TRUE);

  each_mapping (map_into, self);
  return self;
}

typedef struct
{
  guint64 pcs[WP_STACK_DEPTH_MAX];
  guint n;
  WpUnwindEnd end;
} Stack;

static void
unwind (WpUnwinder *unwinder, gint32 tid, gsize size, Stack *stack)
{
  WpUserState user = { .abi = PERF_SAMPLE_REGS_ABI_64, .mask = MASK, .registers = (const guint8 *) captured.registers,
                       .stack = captured.stack, .stack_size = MIN (size, captured.size) };

  stack->n = wp_unwind (unwinder, 1, tid, &user, stack->pcs, &stack->end);
}

/* All but the first frame, which is at two calls of the same function. A sanitizer's walker begins one frame further in. */
static void
assert_as_walked (const Stack *stack)
{
  g_assert_cmpint (stack->end, ==, WP_UNWIND_WHOLE);
  g_assert_cmpint (stack->n, <=, captured.n_walked);
  g_assert_cmpint (stack->n, >=, captured.n_walked - 1);
  for (guint i = 1; i < stack->n; i++)
    g_assert_cmphex (stack->pcs[stack->n - i], ==, (guint64) captured.walked[captured.n_walked - (int) i]);
}

static guint
count_in (const Stack *stack, const void *function, gsize size)
{
  guint n = 0;

  for (guint i = 0; i < stack->n; i++)
    n += stack->pcs[i] - GPOINTER_TO_SIZE (function) < size;
  return n;
}

static void
test_depths (void)
{
  static const int depths[] = { 0, 1, 2, 17, 60, 200 };
  WpUnwinder *unwinder = unwinder_of_myself ();
  Stack stack;

  for (guint i = 0; i < G_N_ELEMENTS (depths); i++)
    {
      victim_recurse (depths[i], capture);
      unwind (unwinder, 1, ROOM, &stack);
      assert_as_walked (&stack);
      g_assert_cmpint (count_in (&stack, victim_recurse, 256), ==, depths[i] + 1);
    }
  wp_unwinder_free (unwinder);
}

static void
test_signal (void)
{
  struct sigaction action = { .sa_handler = on_signal }, before;
  WpUnwinder *unwinder = unwinder_of_myself ();
  Stack stack, interrupted;

  g_assert_cmpint (sigaction (SIGUSR1, &action, &before), ==, 0);
  victim_recurse (5, capture_in_signal);
  unwind (unwinder, 1, ROOM, &stack);
  assert_as_walked (&stack);
  g_assert_cmpint (count_in (&stack, victim_recurse, 256), ==, 6);

  action = (struct sigaction){ .sa_sigaction = on_signal_interrupted, .sa_flags = SA_SIGINFO };
  g_assert_cmpint (sigaction (SIGUSR1, &action, NULL), ==, 0);
  victim_recurse (5, capture_in_signal);
  unwind (unwinder, 1, ROOM, &interrupted);
  g_assert_cmpint (interrupted.end, ==, WP_UNWIND_WHOLE);
  g_assert_cmpint (interrupted.n, <, stack.n);
  for (guint i = 1; i <= 8; i++)
    g_assert_cmphex (interrupted.pcs[interrupted.n - i], ==, (guint64) captured.walked[captured.n_walked - i]);
  g_assert_cmpint (count_in (&interrupted, victim_recurse, 256), ==, 6);
  sigaction (SIGUSR1, &before, NULL);
  wp_unwinder_free (unwinder);
}

static gpointer
in_thread (gpointer data)
{
  guint8 *main_end = stack_end;
  pthread_attr_t attr;
  void *start;
  size_t size;

  pthread_getattr_np (pthread_self (), &attr);
  pthread_attr_getstack (&attr, &start, &size);
  pthread_attr_destroy (&attr);
  stack_end = (guint8 *) start + size;
  victim_recurse (3, capture);
  stack_end = main_end;
  return NULL;
}

static void
test_thread (void)
{
  WpUnwinder *unwinder = unwinder_of_myself ();
  Stack stack;

  g_thread_join (g_thread_new ("captured", in_thread, NULL));
  unwind (unwinder, 1, ROOM, &stack);
  assert_as_walked (&stack);
  g_assert_cmpint (count_in (&stack, victim_recurse, 256), ==, 4);
  wp_unwinder_free (unwinder);
}

static void
test_expression (void)
{
  WpUnwinder *unwinder = unwinder_of_myself ();
  Stack stack;

  victim_recurse (2, capture_expression);
  unwind (unwinder, 1, ROOM, &stack);
  assert_as_walked (&stack);
  g_assert_cmpint (count_in (&stack, victim_expression, 48), ==, 1);
  wp_unwinder_free (unwinder);
}

/* The C library's walker gives up there, ours goes on by the frame pointer. */
static void
test_frame_pointer (void)
{
  WpUnwinder *unwinder = unwinder_of_myself ();
  Stack stack;

  victim_recurse (2, capture_bare);
  unwind (unwinder, 1, ROOM, &stack);
  g_assert_cmpint (stack.end, ==, WP_UNWIND_WHOLE);
  g_assert_cmpint (count_in (&stack, victim_bare, 16), ==, 1);
  g_assert_cmpint (count_in (&stack, victim_recurse, 256), ==, 3);
  g_assert_cmpint (stack.n, >, captured.n_walked);
  wp_unwinder_free (unwinder);
}

static void
test_stops (void)
{
  WpUnwinder *unwinder = unwinder_of_myself (), *empty = wp_unwinder_new (wp_cfi_arch (NULL), NULL, TRUE);
  WpUserState user = { .mask = MASK, .registers = (const guint8 *) captured.registers };
  Stack stack, whole;

  victim_recurse (20, capture);
  unwind (unwinder, 1, ROOM, &whole);
  assert_as_walked (&whole);
  for (gsize size = 0; size < 2000; size += 8)
    {
      guint before = size > 0 ? stack.n : 1;

      unwind (unwinder, (gint32) size + 100, size, &stack);
      g_assert_cmpint (stack.end, ==, WP_UNWIND_CUT);
      g_assert_cmpint (stack.n, >=, before);
      g_assert_cmpmem (stack.pcs, stack.n * sizeof *stack.pcs, whole.pcs, stack.n * sizeof *whole.pcs);
    }
  unwind (empty, 1, ROOM, &stack);
  g_assert_cmpint (stack.n, ==, 0);
  user.abi = PERF_SAMPLE_REGS_ABI_32;
  g_assert_cmpint (wp_unwind (unwinder, 1, 1, &user, stack.pcs, &stack.end), ==, 0);
  g_assert_cmpint (stack.end, ==, WP_UNWIND_NONE);
  wp_unwinder_free (unwinder);
  wp_unwinder_free (empty);
}

/* --- completing --------------------------------------------------------------------------------------------------- */

static void
test_completes (void)
{
  WpUnwinder *unwinder = unwinder_of_myself ();
  Stack whole, cut, deeper;

  victim_recurse (12, capture);
  unwind (unwinder, 7, ROOM, &whole);
  g_assert_cmpint (whole.end, ==, WP_UNWIND_WHOLE);
  unwind (unwinder, 8, 1500, &cut);
  g_assert_cmpint (cut.end, ==, WP_UNWIND_CUT);
  g_assert_cmpint (cut.n, <, whole.n);
  unwind (unwinder, 7, 1500, &cut);
  g_assert_cmpint (cut.end, ==, WP_UNWIND_COMPLETED);
  g_assert_cmpmem (cut.pcs, cut.n * sizeof *cut.pcs, whole.pcs, whole.n * sizeof *whole.pcs);

  /* A deeper stack of the same calls: its bytes end at a frame that the completed one has too. */
  victim_recurse (16, capture);
  unwind (unwinder, 99, ROOM, &deeper);
  assert_as_walked (&deeper);
  unwind (unwinder, 7, 2000, &cut);
  g_assert_cmpint (cut.n, >, 20);
  g_assert_cmpint (cut.end, ==, WP_UNWIND_COMPLETED);
  g_assert_cmpint (cut.n, ==, deeper.n);
  g_assert_cmpint (count_in (&cut, victim_recurse, 256), ==, 17);

  /* One whose bytes end before that is left as it is; so is one after an exec. */
  victim_recurse (100, capture);
  unwind (unwinder, 7, 1500, &cut);
  g_assert_cmpint (cut.end, ==, WP_UNWIND_CUT);
  victim_recurse (12, capture);
  unwind (unwinder, 7, ROOM, &whole);
  wp_unwinder_exec (unwinder, 1, 7);
  each_mapping (map_into, unwinder);
  unwind (unwinder, 7, 1500, &cut);
  g_assert_cmpint (cut.end, ==, WP_UNWIND_CUT);
  wp_unwinder_free (unwinder);
}

/* --- files -------------------------------------------------------------------------------------------------------- */

static void
test_modules (void)
{
  const WpCfiArch *arch = wp_cfi_arch ("x86_64"), *other = wp_cfi_arch ("aarch64");
  WpCfi *cfi;

  g_assert_null (wp_cfi_arch ("pdp11"));
  g_assert_null (wp_cfi_open ("/nowhere/at/all", NULL, arch));
  g_assert_null (wp_cfi_open ("/tmp", NULL, arch));
  g_assert_null (wp_cfi_open ("/etc/passwd", NULL, arch));
  g_assert_null (wp_cfi_open ("/proc/self/exe", "00112233", arch));
  g_assert_null (wp_cfi_open ("/proc/self/exe", NULL, other));
  cfi = wp_cfi_open ("/proc/self/exe", "", arch);
  g_assert_nonnull (cfi);
  g_assert_cmpint (wp_cfi_find (cfi, 1)->kind, ==, WP_CFI_NONE);
  g_assert_cmpint (wp_cfi_find (cfi, G_MAXUINT64)->kind, ==, WP_CFI_NONE);
  wp_cfi_free (cfi);
}

/* Steps from everywhere in a file whose tables make no sense. */
static void
try_all (const char *path, gsize size)
{
  WpCfi *cfi = wp_cfi_open (path, NULL, wp_cfi_arch ("x86_64"));

  for (guint64 at = 0; cfi != NULL && at < size; at += 13)
    {
      WpCfiState state = { .arch = wp_cfi_arch ("x86_64"), .known = 0x1ffff, .pc = at, .stack = captured.stack,
                           .stack_start = captured.registers[7], .stack_size = captured.size };

      for (guint i = 0; i < 17; i++)
        state.registers[i] = captured.registers[7] + 8 * i;
      wp_cfi_step (&state, cfi, wp_cfi_find (cfi, at));
    }
  wp_cfi_free (cfi);
}

static void
test_damaged_modules (void)
{
  g_autofree char *folder = g_dir_make_tmp ("wakepath-unwind-XXXXXX", NULL), *path = g_build_filename (folder, "elf", NULL);
  g_autoptr (GRand) random = g_rand_new_with_seed (11);
  g_autofree char *whole = NULL;
  gsize size;

  g_assert_true (g_file_get_contents (g_getenv ("WP_VICTIM"), &whole, &size, NULL));
  for (guint round = 0; round < 400; round++)
    {
      g_autofree char *copy = g_memdup2 (whole, size);
      gsize n = round % 5 == 0 ? (gsize) g_rand_int_range (random, 0, (gint32) size) : size;

      for (guint i = 0; i < 1 + round % 200; i++)
        copy[g_rand_int_range (random, round % 2 ? 64 : 0, (gint32) size)] = (char) g_rand_int (random);
      g_assert_true (g_file_set_contents (path, copy, (gssize) n, NULL));
      try_all (path, size);
    }
  g_unlink (path);
  g_rmdir (folder);
}

/* --- condensing --------------------------------------------------------------------------------------------------- */

/* A sample with registers and stack bytes; `id` and `raw` as maker_sample() has them. */
static void
stack_sample (GByteArray *out, guint64 id, gint32 pid, guint64 time, gsize room, GByteArray *raw)
{
  static const guint64 kernel[] = { PERF_CONTEXT_KERNEL, MAKER_KERNEL + 0x110, MAKER_KERNEL + 0x220 };
  gsize start = out->len;
  guint16 size;

  if (raw == NULL)
    raw = g_byte_array_new ();
  while (raw->len % 8 != 4) /* as the kernel pads it */
    maker_bytes (raw, "", 1);
  maker_sample (out, id, pid, time, 0, kernel, 3, raw);
  maker_u64 (out, PERF_SAMPLE_REGS_ABI_64);
  maker_bytes (out, captured.registers, sizeof captured.registers);
  maker_u64 (out, room);
  maker_bytes (out, captured.stack, room);
  maker_u64 (out, MIN (room, captured.size));
  size = (guint16) (out->len - start);
  memcpy (out->data + start + 6, &size, 2);
}

static void
stack_switch (GByteArray *out, guint64 time, gint32 prev, gint32 next, gsize room)
{
  GByteArray *raw = maker_raw (MAKER_SWITCH, 0, prev);

  maker_text (raw, "victim", 16);
  maker_u32 (raw, (guint32) prev);
  maker_u32 (raw, 120);
  maker_u64 (raw, 1);
  maker_text (raw, "victim", 16);
  maker_u32 (raw, (guint32) next);
  maker_u32 (raw, 120);
  stack_sample (out, 1, prev, time, room, raw);
}

static void
map_record (guint64 start, guint64 size, guint64 offset, const char *path, gpointer data)
{
  maker_mmap2 (data, 11, start, size, offset, path, 0);
}

static void
ask_for_stacks (GByteArray *stream, guint which)
{
  gsize at = 16 + which * (8 + sizeof (struct perf_event_attr) + 8) + 8;
  struct perf_event_attr attr;

  memcpy (&attr, stream->data + at, sizeof attr);
  attr.sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
  attr.exclude_callchain_user = 1;
  attr.sample_regs_user = MASK;
  attr.sample_stack_user = 8192;
  memcpy (stream->data + at, &attr, sizeof attr);
}

/* Two tasks of one process; of the events, switches and CPU samples come with stack bytes, wakings do not. */
static GByteArray *
make_recording (void)
{
  GByteArray *records = g_byte_array_new (), *stream;
  volatile guint64 secret[2] = { SECRET, SECRET };

  maker_comm (records, 11, "victim", FALSE, 0, 0);
  maker_comm (records, 12, "victim", FALSE, 0, 0);
  each_mapping (map_record, records);
  maker_fork (records, 11, 12, 500);
  maker_waking (records, 900, 0, 0, 11, "victim", 0);
  for (guint i = 0; i < 40; i++)
    {
      victim_recurse ((int) i / 2, capture);
      stack_switch (records, 1000 + 1000 * i, 11 + i % 2, 12 - i % 2, 8192);
      stack_sample (records, 3, 12 - i % 2, 1500 + 1000 * i, i % 3 == 2 ? 512 : 8192, NULL);
      maker_waking (records, 1700 + 1000 * i, 0, 12 - i % 2, 11 + i % 2, "victim", 0);
    }
  g_assert_cmphex (secret[0], ==, SECRET);
  stream = maker_stream (records, FALSE);
  ask_for_stacks (stream, 0);
  ask_for_stacks (stream, 2);
  return stream;
}

/* Without tracepoints, whose made-up formats perf would not take. */
static GByteArray *
make_samples (void)
{
  GByteArray *out = g_byte_array_new (), *body = g_byte_array_new ();

  maker_bytes (out, "PERFILE2", 8);
  maker_u64 (out, 16);
  maker_attr (body, maker_events[2].type, maker_events[2].config, FALSE);
  maker_u64 (body, 3);
  maker_record (out, 64, 0, body);
  ask_for_stacks (out, 0);
  maker_comm (out, 11, "victim", FALSE, 0, 0);
  each_mapping (map_record, out);
  for (guint i = 0; i < 40; i++)
    {
      victim_recurse ((int) i, capture);
      stack_sample (out, 3, 11, 1500 + 1000 * i, 16384, NULL);
    }
  return out;
}

typedef struct
{
  char *folder, *from, *to;
} Files;

static Files
write_files (const guint8 *data, gsize n)
{
  Files self = { .folder = g_dir_make_tmp ("wakepath-condense-XXXXXX", NULL) };

  self.from = g_build_filename (self.folder, "from.data", NULL);
  self.to = g_build_filename (self.folder, "to.data", NULL);
  g_assert_true (g_file_set_contents (self.from, (const char *) data, (gssize) n, NULL));
  return self;
}

static void
remove_files (Files *self)
{
  g_unlink (self->from);
  g_unlink (self->to);
  g_assert_cmpint (g_rmdir (self->folder), ==, 0);
  g_free (self->from);
  g_free (self->to);
  g_free (self->folder);
}

static void
assert_same_stack (const WpTrace *a, WpId x, const WpTrace *b, WpId y)
{
  while (x != 0 && y != 0)
    {
      const WpFrame *p = &a->frames.data[a->stacks.data[x].frame], *q = &b->frames.data[b->stacks.data[y].frame];

      g_assert_cmpstr (wp_trace_string (a, a->modules.data[p->module].path), ==,
                       wp_trace_string (b, b->modules.data[q->module].path));
      g_assert_cmphex (p->offset, ==, q->offset);
      g_assert_cmpstr (wp_trace_function_name (a, p->function), ==, wp_trace_function_name (b, q->function));
      x = a->stacks.data[x].parent;
      y = b->stacks.data[y].parent;
    }
  g_assert_cmpint (x, ==, y);
}

static void
assert_same_trace (const WpTrace *a, const WpTrace *b)
{
  guint32 deep = 0;

  g_assert_cmpint (a->samples.len, ==, b->samples.len);
  g_assert_cmpint (a->ops.len, ==, b->ops.len);
  g_assert_cmpint (a->diagnostics.n[WP_DIAG_EVENTS], ==, b->diagnostics.n[WP_DIAG_EVENTS]);
  g_assert_cmpint (b->diagnostics.n[WP_DIAG_DAMAGED_RECORDS], ==, 0);
  for (guint32 i = 1; i < a->samples.len; i++)
    assert_same_stack (a, a->samples.data[i].stack, b, b->samples.data[i].stack);
  for (guint32 i = 1; i < a->ops.len; i++)
    if (a->ops.data[i].kind == WP_OP_SLEEP)
      {
        assert_same_stack (a, a->ops.data[i].detail, b, b->ops.data[i].detail);
        for (WpId s = a->ops.data[i].detail, n = 0; s != 0; s = a->stacks.data[s].parent)
          deep += ++n == 20;
      }
  g_assert_cmpint (deep, >, 10);
}

static gboolean
holds_secret (const char *path)
{
  static const guint64 secret = SECRET;
  g_autofree char *data = NULL;
  gsize n;

  g_assert_true (g_file_get_contents (path, &data, &n, NULL));
  return memmem (data, n, &secret, sizeof secret) != NULL;
}

static void
test_condense (void)
{
  g_autoptr (GByteArray) stream = make_recording ();
  Files files = write_files (stream->data, stream->len);
  WpCondenseStats stats;
  GError *error = NULL;
  GStatBuf st;
  WpTrace *before, *after;

  g_assert_true (wp_condense_needed (files.from));
  g_assert_true (wp_condense (files.from, files.to, &stats, NULL, &error));
  g_assert_no_error (error);
  g_assert_false (wp_condense_needed (files.to));
  g_assert_cmpint (stats.stacks, ==, 80);
  g_assert_cmpint (stats.whole + stats.completed, >=, 60);
  g_assert_cmpint (stats.completed, >, 0);
  g_assert_cmpint (stats.bytes_in, ==, stream->len);
  g_assert_cmpint (g_stat (files.to, &st), ==, 0);
  g_assert_cmpint (st.st_mode & 0777, ==, 0600);
  g_assert_cmpint (st.st_size, ==, stats.bytes_out);
  g_assert_true (holds_secret (files.from));
  g_assert_false (holds_secret (files.to));

  before = wp_read (files.from, NULL, NULL, &error);
  g_assert_no_error (error);
  after = wp_read (files.to, NULL, NULL, &error);
  g_assert_no_error (error);
  assert_same_trace (before, after);
  g_assert_cmpint (before->diagnostics.n[WP_DIAG_STACKS_COMPLETED], ==, stats.completed);
  wp_trace_free (before);
  wp_trace_free (after);

  g_assert_false (wp_condense (files.from, files.to, NULL, NULL, &error)); /* it is there */
  g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_EXIST);
  g_clear_error (&error);
  g_assert_true (g_file_test (files.to, G_FILE_TEST_EXISTS));
  remove_files (&files);
}

/* What perf makes of it: as many frames of the recursion as there were. */
static void
test_condense_for_perf (void)
{
  g_autofree char *perf = g_find_program_in_path ("perf"), *output = NULL;
  g_autoptr (GByteArray) stream = NULL;
  guint frames = 0;
  Files files;

  if (perf == NULL)
    {
      g_test_skip ("there is no perf here (package linux-perf)");
      return;
    }
  stream = make_samples ();
  files = write_files (stream->data, stream->len);
  g_assert_true (wp_condense (files.from, files.to, NULL, NULL, NULL));
  g_assert_true (g_spawn_sync (NULL, (char *[]){ perf, "script", "-F", "comm,event,ip,sym", "-i", files.to, NULL }, NULL,
                               G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, &output, NULL, NULL, NULL));
  for (const char *at = output; (at = strstr (at, "victim_recurse")) != NULL; at++)
    frames++;
  g_assert_cmpint (frames, ==, 40 * 41 / 2);
  remove_files (&files);
}

static void
test_condense_cancelled (void)
{
  g_autoptr (GByteArray) stream = make_recording ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  WpProgress progress = { .cancellable = cancellable };
  Files files = write_files (stream->data, stream->len);
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancellable);
  g_assert_false (wp_condense (files.from, files.to, NULL, &progress, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_false (g_file_test (files.to, G_FILE_TEST_EXISTS));
  remove_files (&files);
}

/* Cut off anywhere, it is condensed up to the cut; damaged anywhere, nothing crashes, and no stack bytes get through. */
static void
test_condense_damaged (void)
{
  g_autoptr (GByteArray) stream = make_recording ();
  g_autoptr (GRand) random = g_rand_new_with_seed (5);
  guint64 stacks = 0;

  for (gsize n = 17; n < stream->len; n += 4711)
    {
      Files files = write_files (stream->data, n);
      WpCondenseStats stats;

      g_assert_true (wp_condense (files.from, files.to, &stats, NULL, NULL));
      g_assert_cmpint (stats.stacks, >=, stacks);
      stacks = stats.stacks;
      remove_files (&files);
    }
  for (guint round = 0; round < 60; round++)
    {
      g_autofree guint8 *copy = g_memdup2 (stream->data, stream->len);
      Files files;

      for (guint i = 0; i < 1 + round; i++)
        copy[g_rand_int_range (random, 1200, (gint32) stream->len)] = (guint8) g_rand_int (random);
      files = write_files (copy, stream->len);
      wp_condense (files.from, files.to, NULL, NULL, NULL);
      remove_files (&files);
    }
}

int
main (int argc, char **argv)
{
  extern void *__libc_stack_end;
  void *warm[4];

  stack_end = (guint8 *) __libc_stack_end;
  backtrace (warm, 4); /* loads what it needs before mappings are read */
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/unwind/depths", test_depths);
  g_test_add_func ("/unwind/signal", test_signal);
  g_test_add_func ("/unwind/thread", test_thread);
  g_test_add_func ("/unwind/expression", test_expression);
  g_test_add_func ("/unwind/frame-pointer", test_frame_pointer);
  g_test_add_func ("/unwind/stops", test_stops);
  g_test_add_func ("/unwind/completes", test_completes);
  g_test_add_func ("/unwind/modules", test_modules);
  g_test_add_func ("/unwind/damaged-modules", test_damaged_modules);
  g_test_add_func ("/condense/same-stacks", test_condense);
  g_test_add_func ("/condense/for-perf", test_condense_for_perf);
  g_test_add_func ("/condense/cancelled", test_condense_cancelled);
  g_test_add_func ("/condense/damaged", test_condense_damaged);
  return g_test_run ();
}
