/* What was read before, kept in a file of columns below the user's cache folder, "wakepath/kept", which nobody else can look into.
 *
 * Such a file only saves reading: it is never trusted more than what it was read from. One of another version, of another folder that came into
 * its place, cut, changed or from elsewhere is not used, and is made anew. Where there is no such folder all is read as if nothing were kept.
 *
 *   what it is of (text, ends with a NUL) · rows of each column (32 bits each) · the columns · CRC-32 of all that
 *
 * Each part begins at a multiple of 8 bytes. Numbers are this machine's. */
#pragma once

#include "base/array.h"

/* A WP_ARRAY of rows without pointers. */
typedef struct
{
  void **data;
  guint32 *len, *cap;
  guint32 row; /* bytes */
} WpKeptColumn;

#define WP_KEPT_COLUMN(array) { (void **) &(array)->data, &(array)->len, &(array)->cap, sizeof *(array)->data }

typedef struct
{
  const char *kind;  /* what is kept; the file's name begins with it. Another number in it where rows or their meaning change */
  const char *place; /* the folder that it was read from */
  const WpKeptColumn *columns;
  guint n_columns;
} WpKeptFile;

/* Fills the columns, which must be empty. FALSE: nothing fits; they stay empty. What rows say of other rows is for the caller to check. */
gboolean wp_kept_file_load (const WpKeptFile *self);

/* Replaces the file as a whole; where that cannot be done it stays as it is, without a word. What is too large begins anew: the file goes. Files that nobody has
 * used for the longest time go where all together are too large. */
void wp_kept_file_save (const WpKeptFile *self);
