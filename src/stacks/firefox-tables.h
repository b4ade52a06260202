/* Tables of Firefox's profiles as the file has them: columns of numbers, kept until everything is there that they refer to. Private to this
 * folder. */
#pragma once

#include "base/json-reader.h"
#include "stacks/stacks.h"

/* Those that are read; any other is skipped. */
typedef enum
{
  WP_FIREFOX_STACK_FRAME,
  WP_FIREFOX_STACK_PREFIX,
  WP_FIREFOX_STACK_PREFIX_OFFSET, /* since version 66: how many rows before; 0: none */
  WP_FIREFOX_FRAME_FUNC,
  WP_FIREFOX_FRAME_LOCATION,      /* Gecko's: a text for all that the others say */
  WP_FIREFOX_FRAME_ADDRESS,
  WP_FIREFOX_FRAME_LIB,           /* since version 70, before that of the function's resource */
  WP_FIREFOX_FRAME_INLINE_DEPTH,
  WP_FIREFOX_FRAME_SYMBOL,
  WP_FIREFOX_FRAME_LINE,
  WP_FIREFOX_FRAME_COLUMN,
  WP_FIREFOX_FUNC_NAME,
  WP_FIREFOX_FUNC_RESOURCE,
  WP_FIREFOX_FUNC_FILE,           /* before version 58: a text; since then a source */
  WP_FIREFOX_FUNC_SOURCE,
  WP_FIREFOX_FUNC_LINE,
  WP_FIREFOX_RESOURCE_LIB,
  WP_FIREFOX_SYMBOL_NAME,
  WP_FIREFOX_SOURCE_FILE,         /* a text's number; Gecko's are texts, and their ids stand here */
  WP_FIREFOX_SAMPLE_STACK,
  WP_FIREFOX_SAMPLE_TIME,
  WP_FIREFOX_SAMPLE_TIME_DELTA,   /* since version 50, instead of it */
  WP_FIREFOX_SAMPLE_WEIGHT,
  WP_FIREFOX_SAMPLE_CPU,
  WP_FIREFOX_N_COLUMNS
} WpFirefoxColumnId;

typedef WP_ARRAY (double) WpFirefoxColumn; /* NaN: null */

typedef enum
{
  WP_FIREFOX_SAMPLES,
  WP_FIREFOX_TRACING_MS,
  WP_FIREFOX_BYTES,
  WP_FIREFOX_N_WEIGHTS
} WpFirefoxWeight;

/* Of a thread, or of all of them. */
typedef struct
{
  WpFirefoxColumn columns[WP_FIREFOX_N_COLUMNS];
  WpIdArray strings; /* a text's number → text */
  WpIdArray libs;    /* a lib's number → module */
  WpFirefoxWeight weight;
} WpFirefoxTables;

/* A member of an object that has tables: a table, in either shape, or the strings. FALSE: it is neither, and still to be read. */
gboolean wp_firefox_tables_read (WpFirefoxTables *self, const char *key, WpJsonReader *json, WpStrings *strings);
void wp_firefox_tables_clear (WpFirefoxTables *self);

/* "stackTable.frame" */
char *wp_firefox_column_name (WpFirefoxColumnId column);
