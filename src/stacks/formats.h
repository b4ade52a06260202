/* The formats that stacks are read from and written to: a row each. Which one a file has is told by its content, never by its name. */
#pragma once

#include "base/input.h"
#include "stacks/proportion.h"
#include "stacks/stacks.h"

typedef struct
{
  const char *id;   /* "pprof": of export --to */

  /* Whether an unpacked file that begins with these bytes may be one; NULL: it is only written. */
  gboolean (*is) (const guint8 *data, gsize n);
  WpStacks *(*read) (const char *path, const WpInput *input, WpProgress *progress, GError **error);
  gboolean (*write) (const WpStacks *stacks, int fd, WpProgress *progress, GError **error); /* NULL: it is only read */
  WpWrittenFrames frames; /* how much of stacks is written */
} WpStacksFormat;

extern const WpStacksFormat wp_stacks_formats[]; /* ends with an empty row */

const WpStacksFormat *wp_stacks_format_of (const guint8 *data, gsize n); /* NULL: none of them */
const WpStacksFormat *wp_stacks_format_named (const char *id);
const WpStacksFormat *wp_stacks_format_of_file (const char *path); /* NULL: none of them, or it cannot be opened */

/* Reads a file of any of these formats. The errors name the file, the place in it and what to do; G_IO_ERROR_NOT_SUPPORTED: it has another
 * format. `format` may be NULL. */
WpStacks *wp_stacks_open (const char *path, const WpStacksFormat **format, WpProgress *progress, GError **error);

/* Of a format that is written. The error does not name the file. Stacks that would be out of all proportion there are refused. */
gboolean wp_stacks_write (const WpStacks *stacks, const WpStacksFormat *format, int fd, WpProgress *progress, GError **error);

/* The same to a file, which it replaces as a whole or not at all. */
gboolean wp_stacks_save (const WpStacks *stacks, const WpStacksFormat *format, const char *path, WpProgress *progress, GError **error);
