/* The kernel's symbols, and where its code and its modules lie. */
#pragma once

#include "buffer.h"

#include <stdbool.h>

/* Appends the functions of /proc/kallsyms, in its own format: as many as there may be, and `cut` when there were more. False, with nothing
 * added, when the addresses are hidden. */
bool wpc_add_kallsyms (WpcBuffer *text, bool *cut);

typedef struct
{
  const char *symbol; /* "_text" or "_stext": what `address` is the address of */
  uint64_t address;   /* after relocation */
  uint64_t end;
} WpcKernelCode;

/* Known after wpc_add_kallsyms() only. */
bool wpc_kernel_code (WpcKernelCode *code);
