/* A test's own registers and stack bytes, captured as the kernel would. */
#pragma once

#include "read/read-private.h"

#include <ucontext.h>

#define CAPTURE_MASK G_GUINT64_CONSTANT (0xff01ff) /* the general registers and the program counter, as perf numbers them */
#define CAPTURE_ROOM 60000

typedef struct
{
  guint64 registers[17];
  guint8 stack[CAPTURE_ROOM];
  gsize size;
  void *walked[WP_STACK_DEPTH_MAX]; /* by the C library, from the same frame on */
  int n_walked;
} Captured;

extern Captured captured;
extern guint8 *capture_stack_end; /* of the thread that captures */

void capture_begin (void); /* on the main thread, before anything else */
void capture (void);       /* into `captured` */
void capture_take (const ucontext_t *context); /* registers and stack bytes only, of what a signal interrupted */

/* The executable mappings of this program. */
typedef void (*MapFunc) (guint64 start, guint64 size, guint64 offset, const char *path, gpointer data);
void each_mapping (MapFunc func, gpointer data);
