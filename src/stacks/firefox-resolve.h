/* Rows of Firefox's tables become functions, locations and stacks. Private to this folder. */
#pragma once

#include "base/pair-map.h"
#include "stacks/firefox-tables.h"
#include "stacks/maker.h"

/* A file in memory, of profiles whose addresses are those of memory (Gecko's). */
typedef struct
{
  guint64 start, limit;
  WpId module;
} WpFirefoxRange;

/* What belongs to one process of a file: everything that its threads have in common. */
typedef struct
{
  WP_ARRAY (WpFirefoxRange) ranges;
  WpPairMap modules;   /* name of a lib, 0 → module */
  WpPairMap functions; /* Gecko's text of a location, 0 → function; name of a symbol, 1 → function */
} WpFirefoxMemory;

/* Tables, and what their rows have become so far. */
typedef struct WpFirefoxCode WpFirefoxCode;
struct WpFirefoxCode
{
  WpFirefoxTables tables;
  char *place;                /* "threads[2].": in front of its tables' names in messages */
  const WpFirefoxCode *outer; /* has the strings, libs and sources where these tables have none; may be NULL */
  WpFirefoxMemory *memory;
  gboolean done;              /* stacks were made */
  guint8 *wanted;             /* row of stackTable → whether a sample needs it */
  WpIdArray stacks, below;    /* row of stackTable → stack; the stack that its location stands on */
  WpIdArray stack_locations;  /* row of stackTable → its location */
  WpIdArray locations;        /* row of frameTable → location; 0: not yet */
  WpIdArray functions;        /* row of funcTable → function; 0: not yet */
  WpPairMap inlined;          /* location, row of frameTable → location with that function, too */
};

typedef struct
{
  WpJsonReader *json; /* of which errors are */
  WpStacksMaker *maker;
} WpFirefoxResolver;

/* The number of a row that a cell holds, and one more; 0: none. 0 and an error where there are fewer than n. */
guint32 wp_firefox_row (const WpFirefoxResolver *self, const WpFirefoxCode *code, WpFirefoxColumnId column, guint32 row, guint32 n);

/* A row of stackTable will be asked for. Before wp_firefox_make_stacks(). */
void wp_firefox_want (WpFirefoxCode *self, guint32 row);

/* Makes all stacks that are wanted, once. */
void wp_firefox_make_stacks (const WpFirefoxResolver *self, WpFirefoxCode *code);

void wp_firefox_code_clear (WpFirefoxCode *self);

/* --- Gecko's texts: firefox-gecko.c ------------------------------------------------------------------------------- */

/* What a text like "f (https://a/b.js:3:7)", "f (in libc.so)" or "0x7fe01" says. */
typedef struct
{
  WpId name;             /* 0: nothing but the address is known */
  WpId file;
  gint64 line;           /* that the function begins in; 0: not known */
  WpId lib;              /* the name of its file */
  guint32 source;        /* one more than its row of the sources; 0: none */
  guint64 address;
} WpGeckoLocation;

/* "0x7fe01" and nothing else. */
gboolean wp_gecko_is_address (const char *text, guint64 *address);

void wp_gecko_location_parse (const char *text, WpStrings *strings, WpGeckoLocation *location);
