/* What the two halves of the JSON reader share. */
#pragma once

#include "base/json-scan.h"
#include "base/json-spans.h"

typedef struct
{
  gboolean array;
  guint64 next;   /* items or keys seen so far */
  gsize keys_len; /* of `keys` when this level was entered */
} Level;

struct WpJsonReader
{
  char *path;
  int fd;              /* -1: what is left of `memory` */
  const char *memory;
  gsize memory_len;
  const WpInput *input; /* that it is; or NULL */
  WpProgress *progress;
  GError *error;
  guint64 offset; /* in the file, of buffer[0] */
  guint64 size;   /* of the file, for the progress */
  gsize at, len;
  GString *text;  /* the string or key read last */
  GString *keys;  /* the keys on the way to the current value, each ended by NUL */
  guint level;    /* 0: outside of the document's value */
  Level levels[WP_JSON_MAX_DEPTH + 1];
  WpJsonScan *scan; /* of the buffer; NULL: nobody asks for spans */
  guint32 bracket;  /* the first of the scan's that was not passed yet */
  guint64 key_from; /* where what stands before the last key begins, in the file */
  guint8 buffer[WP_JSON_SCAN_MAX + WP_JSON_SCAN_BLOCK];
};

/* The next buffer full; FALSE at the end of the file or after an error. */
gboolean wp_json_fill (WpJsonReader *self);

/* The same, but the last `keep` bytes stay, at the beginning. */
gboolean wp_json_fill_behind (WpJsonReader *self, gsize keep);

void wp_json_scan_buffer (WpJsonReader *self); /* where somebody asks for spans */
void wp_json_set_key (WpJsonReader *self, const char *key, gsize n); /* of the innermost level, which has one more */

/* The next byte without taking it; -1 at the end of the file or after an error. */
static inline int
wp_json_peek (WpJsonReader *self)
{
  return self->at < self->len || wp_json_fill (self) ? self->buffer[self->at] : -1;
}

int wp_json_peek_behind_blanks (WpJsonReader *self);

/* The first byte of the next value. */
static inline int
wp_json_peek_value (WpJsonReader *self)
{
  return self->at < self->len && self->buffer[self->at] > ' ' ? self->buffer[self->at] : wp_json_peek_behind_blanks (self);
}

void wp_json_fail_syntax (WpJsonReader *self, const char *what);

const char *wp_json_take_string (WpJsonReader *self); /* at its quotation mark */
void wp_json_skip_plain (WpJsonReader *self, int c);  /* a value other than an object or array, which starts with c */
