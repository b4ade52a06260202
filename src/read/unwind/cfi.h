/* How to get from a function's registers to its caller's: the call frame information of one ELF file, turned once for each
 * address into a compact row, for all processes that have the file mapped.
 *
 * Registers go by their DWARF numbers. A file may be damaged in any way: what cannot be read has no rows. */
#pragma once

#include "base/array.h"

#include <elfutils/libdw.h>

#define WP_CFI_REGISTERS 33
#define WP_CFI_SAVED 12

/* One processor. */
typedef struct
{
  const char *name;     /* as uname says it */
  guint16 machine;      /* EM_* */
  guint8 n_registers;
  guint8 stack_pointer, frame_pointer;
  guint8 return_column; /* where the return address is, as DWARF sees it */
  gboolean return_is_register; /* that is a register of its own; else it stands for the program counter */
  guint8 n_saved;
  guint8 saved[WP_CFI_SAVED]; /* what calls preserve; the return column first */
  guint64 kept;               /* bits: these and the stack pointer */
  guint8 n_sampled;
  gint8 sampled[WP_CFI_REGISTERS]; /* registers in the order in which perf samples them; -1: of no use */
  guint8 sampled_pc;               /* the one of these that is the program counter */
  guint64 address_mask;            /* without what marks pointers as authentic */
} WpCfiArch;

const WpCfiArch *wp_cfi_arch (const char *name); /* NULL: the running one, where that is known */

typedef enum
{
  WP_CFI_NONE,  /* nothing is known of this address */
  WP_CFI_PLAIN, /* the frame begins at a register + offset; registers are saved at fixed places in it */
  WP_CFI_RULES, /* anything else: expressions, frames of signals */
  WP_CFI_END,   /* the outermost frame: it has no caller */
} WpCfiKind;

typedef struct
{
  guint8 kind; /* WpCfiKind */
  guint8 cfa_register;
  guint16 saved;             /* bits: which of arch->saved[] are in the frame */
  gint32 cfa_offset;         /* PLAIN: what the canonical frame address (CFA) is from its register */
  gint16 at[WP_CFI_SAVED];   /* where, in words of 8 bytes from the CFA */
} WpCfiRow;

/* One register's rule among those of a WP_CFI_RULES row. */
typedef struct
{
  guint32 first; /* of its operations */
  guint16 n;     /* 0: see `same` */
  guint8 same;   /* the register keeps its value; else it is lost */
} WpCfiRule;

typedef struct
{
  WpCfiRule registers[WP_CFI_REGISTERS];
  WpCfiRule cfa;
  gboolean signal; /* the frame that a signal put there: what called it was interrupted, not calling */
} WpCfiRules;

typedef struct WpCfi WpCfi;

/* NULL: no such file, not ELF, for another processor, or of another build id than `build_id` (hexadecimal; NULL or "": any).
 * "[vdso]" is that of the running system. */
WpCfi *wp_cfi_open (const char *path, const char *build_id, const WpCfiArch *arch);
void wp_cfi_free (WpCfi *self);

/* The row for the instruction at this offset in the file, valid until the next call. */
const WpCfiRow *wp_cfi_find (WpCfi *self, guint64 file_offset);

/* Of a WP_CFI_RULES row. */
const WpCfiRules *wp_cfi_rules (const WpCfi *self, const WpCfiRow *row);
const Dwarf_Op *wp_cfi_operations (const WpCfi *self, const WpCfiRule *rule);

/* --- one step (cfi-step.c) ---------------------------------------------------------------------------------------- */

/* A frame on its way outwards. */
typedef struct
{
  const WpCfiArch *arch;
  guint64 registers[WP_CFI_REGISTERS];
  guint64 known;       /* bits: registers whose value is known */
  guint64 pc;
  guint64 cfa;         /* of the frame that the last step left; 0 where it is not known */
  gboolean exact;      /* the pc is that of an instruction itself, not behind a call */
  const guint8 *stack; /* the copied bytes */
  guint64 stack_start; /* the address of the first */
  gsize stack_size;
} WpCfiState;

typedef enum
{
  WP_STEP_DONE,
  WP_STEP_END, /* there is no caller */
  WP_STEP_CUT, /* it cannot be known */
} WpCfiStep;

WpCfiStep wp_cfi_step (WpCfiState *state, const WpCfi *cfi, const WpCfiRow *row);

/* By the frame pointer, for code that nothing is known of. */
WpCfiStep wp_cfi_step_frame_pointer (WpCfiState *state);

static inline gboolean
wp_cfi_read (const WpCfiState *state, guint64 address, guint64 *value)
{
  guint64 at = address - state->stack_start;

  if (state->stack_size < 8 || at > state->stack_size - 8)
    return FALSE;
  memcpy (value, state->stack + at, sizeof *value);
  return TRUE;
}
