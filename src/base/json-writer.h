/* Writes JSON to a file descriptor as it comes: nothing is kept but a buffer.
 *
 * `key` is NULL for the items of an array. Errors stick: after the first one nothing is written any more, and
 * wp_json_writer_finish() tells. */
#pragma once

#include <glib.h>

typedef struct WpJsonWriter WpJsonWriter;

WpJsonWriter *wp_json_writer_new (int fd); /* the descriptor stays the caller's */
void wp_json_writer_free (WpJsonWriter *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpJsonWriter, wp_json_writer_free)

/* Opens an object or array; with `lines`, each of its items begins on a line of its own. At most 30 levels. */
void wp_json_writer_object (WpJsonWriter *self, const char *key, gboolean lines);
void wp_json_writer_array (WpJsonWriter *self, const char *key, gboolean lines);
void wp_json_writer_end (WpJsonWriter *self);

void wp_json_writer_int (WpJsonWriter *self, const char *key, gint64 value);
void wp_json_writer_uint (WpJsonWriter *self, const char *key, guint64 value);
void wp_json_writer_bool (WpJsonWriter *self, const char *key, gboolean value);

/* What is not UTF-8 in `text` is written as U+FFFD; NULL counts as "". */
void wp_json_writer_string (WpJsonWriter *self, const char *key, const char *text);

/* Writes out what is buffered. Returns 0, or the errno of the first write that failed. */
int wp_json_writer_finish (WpJsonWriter *self);
