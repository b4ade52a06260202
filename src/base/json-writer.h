/* Writes JSON as it comes: to a file descriptor, with nothing kept but a buffer, or to the end of a text.
 *
 * `key` is NULL for the items of an array and on the top level. There may be several values on the top level; an object or an array there
 * ends its line, so that JSON an object a line is just that. */
#pragma once

#include <glib.h>

typedef struct WpJsonWriter WpJsonWriter;

/* To a file: errors stick; after the first one nothing is written any more, and wp_json_writer_finish() returns it. The descriptor stays the
 * caller's. */
WpJsonWriter *wp_json_writer_new (int fd);

/* To a text, which the caller may empty between two values (when it has grown, say). Line ends and tabs in strings are numbers there,
 * \u000a, as in all that Wakepath prints. */
WpJsonWriter *wp_json_writer_new_text (GString *out);

void wp_json_writer_free (WpJsonWriter *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpJsonWriter, wp_json_writer_free)

typedef enum
{
  WP_JSON_TIGHT,  /* {"a": 1, "b": 2} */
  WP_JSON_SPACED, /* { "a": 1, "b": 2 }; lines that begin in it are indented by two blanks more than the one it was opened in */
  WP_JSON_LINES,  /* each of its items begins a line of its own, and so does its end: for files */
} WpJsonLayout;

/* Opens an object or array. At most 30 levels. */
void wp_json_writer_object (WpJsonWriter *self, const char *key, WpJsonLayout layout);
void wp_json_writer_array (WpJsonWriter *self, const char *key, WpJsonLayout layout);
void wp_json_writer_end (WpJsonWriter *self);

/* What comes next begins a line of its own: a value, or the end of what is open. */
void wp_json_writer_line (WpJsonWriter *self);

void wp_json_writer_int (WpJsonWriter *self, const char *key, gint64 value);
void wp_json_writer_uint (WpJsonWriter *self, const char *key, guint64 value);
void wp_json_writer_bool (WpJsonWriter *self, const char *key, gboolean value);

/* Whole numbers without a point, others with as many digits as tell all apart; what is not finite is null. */
void wp_json_writer_real (WpJsonWriter *self, const char *key, double value);
void wp_json_append_real (GString *out, double value); /* the same within another format */

/* What is not UTF-8 in `text` is written as U+FFFD; NULL counts as "". */
void wp_json_writer_string (WpJsonWriter *self, const char *key, const char *text);
void wp_json_writer_string_or_null (WpJsonWriter *self, const char *key, const char *text);

/* A value that the caller appends to what is returned, as JSON and at once: what has a format of its own. */
GString *wp_json_writer_value (WpJsonWriter *self, const char *key);

/* To a file: writes out what is buffered. Returns 0, or the errno of the first write that failed. */
int wp_json_writer_finish (WpJsonWriter *self);
gboolean wp_json_writer_done (WpJsonWriter *self, GError **error); /* the same; the error, of G_FILE_ERROR, does not name the file */
