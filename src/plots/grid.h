/* A table to look at: columns of numbers or texts, which stand for themselves, so that whoever shows them needs no profile. */
#pragma once

#include "base/array.h"
#include "base/format.h"
#include "base/intern.h"
#include "base/progress.h"

/* How a table shows numbers; files and details have the texts. */
typedef enum
{
  WP_GRID_TEXT,     /* as they stand */
  WP_GRID_ROUNDED,  /* fractions by six digits */
  WP_GRID_DECIMALS, /* three decimals, all below one another */
  WP_GRID_SHARE,    /* as they stand, beside a bar: the numbers are parts of 1 */
} WpGridShown;

typedef struct
{
  WpId name;       /* string of the grid */
  double *numbers; /* by row, NAN: empty; NULL where some value is a text */
  WpId *texts;     /* by row, 0: empty; always there */
  guint8 shown;    /* WpGridShown */
} WpGridColumn;

typedef struct
{
  WpStrings *strings;
  WP_ARRAY (WpGridColumn) columns;
  guint32 n_rows;
  WpId *details; /* by row: what more there is to say of it, a text of several lines; NULL: nothing of any */
} WpGrid;

WpGrid *wp_grid_new (guint32 n_rows);
void wp_grid_free (WpGrid *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpGrid, wp_grid_free)

/* Adds an empty column. Of `texts` and `numbers` each is there; a column is numeric until wp_grid_set_text() says otherwise. */
guint32 wp_grid_add (WpGrid *self, const char *name);
void wp_grid_set_text (WpGrid *self, guint32 column, guint32 row, const char *text);
void wp_grid_set_number (WpGrid *self, guint32 column, guint32 row, double number, const char *text);

static inline const char *
wp_grid_text (const WpGrid *self, guint32 column, guint32 row)
{
  return wp_strings_get (self->strings, self->columns.data[column].texts[row]);
}

/* What a table shows: in the buffer, or the text itself. */
const char *wp_grid_shown (const WpGrid *self, guint32 column, guint32 row, char buffer[WP_FORMAT_MAX]);

/* The rows that hold `filter` somewhere (whatever its case; NULL or "": all), in the order of a column (G_MAXUINT32: as they
 * stand), empty ones last. Numbers by their size, texts by the alphabet of the user. Equal rows keep their order. Returns a
 * plain list; NULL when cancelled. */
guint32 *wp_grid_order (const WpGrid *self, const char *filter, guint32 column, gboolean descending, guint32 *n,
                        WpProgress *progress);

/* The rows in that order as tab separated text, a header line first. */
void wp_grid_write (const WpGrid *self, const guint32 *order, guint32 n, GString *out);

/* The same with commas and quotes, as RFC 4180 has it. */
void wp_grid_write_csv (const WpGrid *self, const guint32 *order, guint32 n, GString *out);
