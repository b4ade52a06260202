/* A listing as a window shows it: text, a line for each row, and what each row took. */
#pragma once

#include "workspace/stacks/listing.h"

typedef enum
{
  WP_ROW_LINE,        /* of a source file */
  WP_ROW_INSTRUCTION,
  WP_ROW_SOURCE,      /* the source line of the instructions below it */
  WP_ROW_FUNCTION,    /* the name of the function that the instructions below it are of */
} WpSourceRowKind;

typedef struct
{
  WpSourceRowKind kind;
  guint64 number; /* line, or address; 0: not known, or none */
  gint64 flat, cum;
} WpSourceRow;

typedef struct
{
  GString *text;               /* UTF-8; as many lines as there are rows */
  WP_ARRAY (WpSourceRow) rows; /* plain list */
  gint64 flat, cum;            /* of the function in this file; of code the sum of its own, and the most that any instruction took */
  guint32 hottest;             /* row: which took most itself, else with all it called */
  char *file;                  /* as the profile has it, valid UTF-8; of code the file of the first block; NULL: it names none */
  char *path;                  /* where it was found; NULL: nowhere, and rows have no text */
  char *tried;                 /* where it is not; why some code is missing: a line each */
} WpSourceText;

/* One for each routine, in which most was spent first: a list of WpSourceText with a free function. */
GPtrArray *wp_source_texts (const WpListing *listing);

/* Of all blocks; lines of sources that are found stand above their instructions. */
WpSourceText *wp_code_text (const WpCodeListing *listing, const WpStacks *stacks, const WpSourcePlaces *places);

void wp_source_text_free (WpSourceText *self);
