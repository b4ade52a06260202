/* Functions with what their source lines took, and their code with what its instructions took: for `wakepath-cli source` and the window. */
#pragma once

#include "read/symbols/instructions.h"
#include "stacks/lines.h"
#include "workspace/stacks/source-file.h"

typedef struct
{
  WpRoutines *routines;
  WpSourceFile **sources; /* by routine; NULL: the profile names no file */
  GPtrArray *files;       /* of WpSourceFile: each once */
} WpListing;

/* On a worker: sources that are nowhere here are asked for where DEBUGINFOD_URLS says. NULL where it was cancelled. */
WpListing *wp_listing_new (const WpStacks *stacks, const WpRoutineOptions *options, const WpSourcePlaces *places, WpProgress *progress,
                           GError **error);
void wp_listing_free (WpListing *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpListing, wp_listing_free)

/* The last line to show: not beyond the file, where it was found. */
gint64 wp_listing_end (const WpListing *self, guint32 routine);

typedef struct
{
  WpGraphValue flat, cum;
} WpInstructionValue;

typedef struct
{
  WpId module_file;
  WpInstructions *instructions;
  WpInstructionValue *values; /* of each; what was counted within an instruction is its own */
} WpCodeBlock;

typedef struct
{
  WP_ARRAY (WpCodeBlock) blocks; /* plain list: functions of machine code, by file, then by address */
  GPtrArray *problems;           /* char *: why code that has values is not among them */
} WpCodeListing;

/* On a worker. The code in which such functions are, themselves or inlined; NULL where it was cancelled. */
WpCodeListing *wp_code_listing_new (const WpStacks *stacks, const WpRoutineOptions *options, WpProgress *progress, GError **error);
void wp_code_listing_free (WpCodeListing *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpCodeListing, wp_code_listing_free)
