/* The instructions of a function, with the source line of each. Capstone reads them, where it was there when this was built. */
#pragma once

#include "base/progress.h"
#include "read/symbols/code-file.h"
#include "read/symbols/demangle.h"
#include "read/symbols/functions.h"

typedef struct
{
  guint64 address;  /* in the file */
  const char *text; /* "mov    %rax, %rbx"; of calls with the name of what is called */
  const char *file; /* of its source; NULL: not known */
  guint32 line;     /* 0: not known */
  guint8 size;      /* in bytes */
} WpInstruction;

typedef struct
{
  char *function; /* as its symbol says, readable */
  guint64 start;
  guint8 *code; /* bytes from `start` on */
  WP_ARRAY (WpInstruction) rows; /* plain list, by address */
  GStringChunk *texts;
} WpInstructions;

gboolean wp_can_disassemble (void);

/* The function that an address lies in. `functions` are those of the file, sorted. `demangler` may be NULL. NULL and an error that says what
 * is missing: a disassembler, the file with the code, a symbol. */
WpInstructions *wp_instructions_read (WpCodeFile *file, const WpFunctions *functions, guint64 address, WpDemangler *demangler,
                                      WpProgress *progress, GError **error);
void wp_instructions_free (WpInstructions *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpInstructions, wp_instructions_free)
