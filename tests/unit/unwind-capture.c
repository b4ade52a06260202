#include "unwind-capture.h"

#include <execinfo.h>
#include <stdio.h>

Captured captured;
guint8 *capture_stack_end;

void
capture_begin (void)
{
  extern void *__libc_stack_end;
  void *warm[4];

  capture_stack_end = (guint8 *) __libc_stack_end;
  backtrace (warm, 4); /* loads what it needs before mappings are read */
}

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

  captured.size = MIN ((gsize) (capture_stack_end - (const guint8 *) from), CAPTURE_ROOM);
  for (gsize i = 0; i < captured.size; i++)
    captured.stack[i] = from[i];
}

void
capture_take (const ucontext_t *context)
{
  take_registers (context);
  take_stack ();
}

__attribute__ ((noinline)) void
capture (void)
{
  ucontext_t context;

  captured.n_walked = backtrace (captured.walked, WP_STACK_DEPTH_MAX);
  getcontext (&context);
  capture_take (&context);
}

void
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
