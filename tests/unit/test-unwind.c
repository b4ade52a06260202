/* Unwinding: the test captures its own registers and stack bytes, as the kernel would, and compares with what the C library's
 * own walker says at the same place. */
#include "read/unwind/unwind.h"
#include "unwind-capture.h"
#include "unwind-victim.h"

#include <glib/gstdio.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

/* --- capturing ---------------------------------------------------------------------------------------------------- */

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
  capture_take (context);
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
  WpUserState user = { .abi = PERF_SAMPLE_REGS_ABI_64, .mask = CAPTURE_MASK, .registers = (const guint8 *) captured.registers,
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
      unwind (unwinder, 1, CAPTURE_ROOM, &stack);
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
  unwind (unwinder, 1, CAPTURE_ROOM, &stack);
  assert_as_walked (&stack);
  g_assert_cmpint (count_in (&stack, victim_recurse, 256), ==, 6);

  action = (struct sigaction){ .sa_sigaction = on_signal_interrupted, .sa_flags = SA_SIGINFO };
  g_assert_cmpint (sigaction (SIGUSR1, &action, NULL), ==, 0);
  victim_recurse (5, capture_in_signal);
  unwind (unwinder, 1, CAPTURE_ROOM, &interrupted);
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
  guint8 *main_end = capture_stack_end;
  pthread_attr_t attr;
  void *start;
  size_t size;

  pthread_getattr_np (pthread_self (), &attr);
  pthread_attr_getstack (&attr, &start, &size);
  pthread_attr_destroy (&attr);
  capture_stack_end = (guint8 *) start + size;
  victim_recurse (3, capture);
  capture_stack_end = main_end;
  return NULL;
}

static void
test_thread (void)
{
  WpUnwinder *unwinder = unwinder_of_myself ();
  Stack stack;

  g_thread_join (g_thread_new ("captured", in_thread, NULL));
  unwind (unwinder, 1, CAPTURE_ROOM, &stack);
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
  unwind (unwinder, 1, CAPTURE_ROOM, &stack);
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
  unwind (unwinder, 1, CAPTURE_ROOM, &stack);
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
  WpUserState user = { .mask = CAPTURE_MASK, .registers = (const guint8 *) captured.registers };
  Stack stack, whole;

  victim_recurse (20, capture);
  unwind (unwinder, 1, CAPTURE_ROOM, &whole);
  assert_as_walked (&whole);
  for (gsize size = 0; size < 2000; size += 8)
    {
      guint before = size > 0 ? stack.n : 1;

      unwind (unwinder, (gint32) size + 100, size, &stack);
      g_assert_cmpint (stack.end, ==, WP_UNWIND_CUT);
      g_assert_cmpint (stack.n, >=, before);
      g_assert_cmpmem (stack.pcs, stack.n * sizeof *stack.pcs, whole.pcs, stack.n * sizeof *whole.pcs);
    }
  unwind (empty, 1, CAPTURE_ROOM, &stack);
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
  unwind (unwinder, 7, CAPTURE_ROOM, &whole);
  g_assert_cmpint (whole.end, ==, WP_UNWIND_WHOLE);
  unwind (unwinder, 8, 1500, &cut);
  g_assert_cmpint (cut.end, ==, WP_UNWIND_CUT);
  g_assert_cmpint (cut.n, <, whole.n);
  unwind (unwinder, 7, 1500, &cut);
  g_assert_cmpint (cut.end, ==, WP_UNWIND_COMPLETED);
  g_assert_cmpmem (cut.pcs, cut.n * sizeof *cut.pcs, whole.pcs, whole.n * sizeof *whole.pcs);

  /* A deeper stack of the same calls: its bytes end at a frame that the completed one has too. */
  victim_recurse (16, capture);
  unwind (unwinder, 99, CAPTURE_ROOM, &deeper);
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
  unwind (unwinder, 7, CAPTURE_ROOM, &whole);
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

int
main (int argc, char **argv)
{
  capture_begin ();
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
  return g_test_run ();
}
