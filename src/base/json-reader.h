/* Reads JSON from a file piece by piece: what is asked for, in the order of the file, without a tree in memory.
 *
 *   if (wp_json_reader_object (r))
 *     while ((key = wp_json_reader_key (r)) != NULL)
 *       if (g_str_equal (key, "amount"))
 *         amount = wp_json_reader_int (r, 0, G_MAXINT64);
 *       else
 *         wp_json_reader_skip (r);
 *
 * Each value must be taken or skipped. Errors stick: after the first one every call says that there is nothing more, so
 * it is enough to ask wp_json_reader_finish() at the end. The message names the file and the place in it
 * ("FILE: global.resources[17].amount: not a number"). Numbers are exact; escapes and UTF-8 are checked; depth and the
 * length of strings are limited. */
#pragma once

#include "base/input.h"

#define WP_JSON_ERROR (wp_json_error_quark ())
GQuark wp_json_error_quark (void);
typedef enum
{
  WP_JSON_ERROR_SYNTAX, /* not JSON */
  WP_JSON_ERROR_VALUE,  /* JSON, but not what belongs there */
  WP_JSON_ERROR_FOREIGN, /* what belongs to another kind of document, which its reader says */
} WpJsonError;

/* What an escape can say and UTF-8 cannot (\u0000, half of a surrogate pair) stands in an exact string as WP_JSON_ODD, which is no
 * character, and the character WP_JSON_ODD_BASE + its number: for who writes the escape again. For people it is \x00 or \ud800, as
 * Python's repr() has it. */
#define WP_JSON_ODD 0x10fffe
#define WP_JSON_ODD_BASE 0x100000

int wp_json_odd_code (const char *s); /* at the two characters: the number that was escaped; -1: they are not there */
gboolean wp_json_is_odd (const char *s);
void wp_json_append_readable (GString *out, const char *s);

#define WP_JSON_MAX_DEPTH 64
#define WP_JSON_MAX_STRING (1024 * 1024)
#define WP_JSON_MAX_NUMBER 65536 /* characters */

typedef struct WpJsonReader WpJsonReader;

/* NULL when the file, which may be packed with gzip or zstd, cannot be opened. `progress` may be NULL; it must outlive the reader. */
WpJsonReader *wp_json_reader_open (const char *path, WpProgress *progress, GError **error);
WpJsonReader *wp_json_reader_new (const char *name, const char *text, gsize n, WpProgress *progress); /* not copied; `name` is for messages */
WpJsonReader *wp_json_reader_new_input (const char *name, const WpInput *input, WpProgress *progress); /* whose memory need not hold what was read */
void wp_json_reader_free (WpJsonReader *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpJsonReader, wp_json_reader_free)

gboolean wp_json_reader_object (WpJsonReader *self);    /* enters an object; fails on any other value */
const char *wp_json_reader_key (WpJsonReader *self);    /* its next key, or NULL when it is over (and left) */
gboolean wp_json_reader_array (WpJsonReader *self);     /* enters an array */
gboolean wp_json_reader_item (WpJsonReader *self);      /* TRUE: an item follows; FALSE when it is over (and left) */

gint64 wp_json_reader_int (WpJsonReader *self, gint64 min, gint64 max);
guint64 wp_json_reader_uint (WpJsonReader *self, guint64 max);
gboolean wp_json_reader_bool (WpJsonReader *self);
const char *wp_json_reader_string (WpJsonReader *self); /* never NULL; valid until the next call. No NUL is in it: that is \x00 */
void wp_json_reader_skip (WpJsonReader *self);          /* any value, checked for syntax */

/* Where the next value begins, or what was read last ends: bytes from the start of the document. */
guint64 wp_json_reader_offset (WpJsonReader *self);

/* For documents of any shape: what the next value is, and numbers of any kind. */
typedef enum
{
  WP_JSON_NONE, /* an error; the file ends */
  WP_JSON_NULL,
  WP_JSON_BOOL,
  WP_JSON_NUMBER, /* NaN, Infinity and -Infinity too, which Python writes */
  WP_JSON_STRING,
  WP_JSON_ARRAY,
  WP_JSON_OBJECT,
} WpJsonKind;

typedef enum
{
  WP_JSON_NO_NUMBER, /* an error */
  WP_JSON_WHOLE,
  WP_JSON_REAL,
  WP_JSON_DIGITS, /* whole, but beyond 64 bits: wp_json_reader_digits() until the next call */
} WpJsonNumber;

const char *wp_json_reader_exact_string (WpJsonReader *self);
WpJsonKind wp_json_reader_kind (WpJsonReader *self);
WpJsonNumber wp_json_reader_number (WpJsonReader *self, gint64 *whole, double *real);
const char *wp_json_reader_digits (const WpJsonReader *self);
double wp_json_reader_real (WpJsonReader *self); /* of any of these; 0 of what is not finite or has too many digits */

/* Makes an error about the value that was taken last (or about `place`, when it is not NULL). */
void wp_json_reader_fail (WpJsonReader *self, const char *place, const char *format, ...) G_GNUC_PRINTF (3, 4);
gboolean wp_json_reader_failed (const WpJsonReader *self);

/* Checks that nothing follows. FALSE and an error when anything was wrong since the file was opened. */
gboolean wp_json_reader_finish (WpJsonReader *self, GError **error);
