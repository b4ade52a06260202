/* For readers of large documents in which much comes again: what stands there is seen as bytes before it is read, so that it can be
 * recognised and passed by. All of it is help only: where it says no, the value or key is read with base/json-reader.h. */
#pragma once

#include "base/json-reader.h"

/* From here on the reader looks for spans; it stands before a value. */
void wp_json_reader_find_spans (WpJsonReader *self);

/* The bytes of the next value where that is an object or array of at most WP_JSON_MAX_SPAN bytes; NULL where it is not, or nobody can
 * tell. Nothing is taken. They are an educated guess: where they equal what was read as a whole value before, in any place of the document,
 * they are that value, since a value ends where its last bracket does; else they may not even be JSON. Valid until the next call. */
#define WP_JSON_MAX_SPAN (16 * 1024)
const guint8 *wp_json_reader_span (WpJsonReader *self, gsize *n);
void wp_json_reader_pass (WpJsonReader *self, gsize n); /* takes such a value */

/* What was taken from this wp_json_reader_offset() on; NULL: it is gone. */
const guint8 *wp_json_reader_since (WpJsonReader *self, guint64 from, gsize *n);

/* Takes the next value where that is a string without escapes, in ASCII, which the buffer holds: its n bytes, valid until the next call.
 * NULL: it is none. */
const char *wp_json_reader_plain_string (WpJsonReader *self, gsize *n);

/* What stands from the end of the value before the key that was taken last to the beginning of its own value, say `, "amount": `. Keys of objects of
 * one shape are recognised by it. */
#define WP_JSON_MAX_KEY_TEXT 56
typedef struct
{
  guint8 text[WP_JSON_MAX_KEY_TEXT];
  guint8 n;         /* 0: it is longer, or was not all there */
  guint8 key, n_key; /* where in it the key stands; no escapes are in it */
  gboolean first;   /* of its object */
} WpJsonKeyText;

void wp_json_reader_key_text (WpJsonReader *self, WpJsonKeyText *text);
gboolean wp_json_reader_key_as (WpJsonReader *self, const WpJsonKeyText *text); /* takes the next key where it stands there as this one did */
