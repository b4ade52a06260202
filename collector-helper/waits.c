/* Reading what threads wait in; see waits.h. */
#include "waits.h"

#include "map-reader.h"
#include "stream.h"

#include <inttypes.h>
#include <seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SYMBOL_LENGTH 512 /* the kernel's own limit */

/* Its state, a letter, and the process that its process is a child of. False: it has ended. A name may hold anything, also what ends it. */
static bool
read_stat (unsigned pid, unsigned tid, char *state, unsigned *parent)
{
  char path[64], text[512];
  const char *name_end;

  snprintf (path, sizeof path, "/proc/%u/task/%u/stat", pid, tid);
  if (wpc_read_text (path, text, sizeof text) != 0)
    return false;
  name_end = strrchr (text, ')');
  return name_end != NULL && sscanf (name_end + 1, " %c %u", state, parent) == 2 && strchr ("ZXx", *state) == NULL;
}

/* The last two words are where its stack is and where it goes on. The numbers of 32-bit programs mean other calls, and threads of
 * the kernel, who have 0, 0, make none. */
static int
number_of (const char *text)
{
  const char *program = strrchr (text, ' '), *stack = program;
  long number;

  while (stack != NULL && stack > text && *--stack != ' ')
    ;
  if (program == NULL || stack == text || sscanf (text, "%ld", &number) != 1 || number < 0 || number > 4095)
    return -1;
  if (sizeof (long) == 8 && strtoull (program, NULL, 0) <= UINT32_MAX && strtoull (stack, NULL, 0) <= UINT32_MAX)
    return -1;
  return (int) number;
}

/* "epoll_wait"; NULL: in none, or nobody knows. Free with free(). */
static char *
call_of (unsigned pid, unsigned tid, bool *stuck)
{
  char text[256];
  int n = *stuck ? 0 : wpc_map_reader_call (pid, tid, text, sizeof text - 1), number;

  *stuck = *stuck || n < 0;
  text[n > 0 ? n : 0] = '\0';
  text[strcspn (text, "\n")] = '\0';
  number = number_of (text);
  return number >= 0 ? seccomp_syscall_resolve_num_arch (SCMP_ARCH_NATIVE, number) : NULL;
}

void
wpc_add_wait (WpcBuffer *out, unsigned pid, unsigned tid, bool *stuck)
{
  char path[64], function[SYMBOL_LENGTH] = "", state[2] = "", number[16], *call;
  unsigned parent;
  size_t at;

  if (!read_stat (pid, tid, state, &parent))
    return;
  call = call_of (pid, tid, stuck);
  snprintf (path, sizeof path, "/proc/%u/task/%u/wchan", pid, tid);
  wpc_read_line (path, function, sizeof function);
  at = wpc_wait_begin (out, pid, tid);
  wpc_buffer_add_string (out, state);
  wpc_buffer_add_string (out, call != NULL ? call : "");
  wpc_buffer_add_string (out, strcmp (function, "0") != 0 ? function : "");
  snprintf (number, sizeof number, "%u", parent);
  wpc_buffer_add_string (out, number);
  wpc_record_end (out, at);
  free (call);
}
