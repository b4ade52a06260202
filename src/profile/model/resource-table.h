/* The resources as a table, as Perun's resources_to_pandas_dataframe() makes it: a column for each flat key, in the order in
 * which they come up, and a last one "snapshots" with the number of the snapshot. */
#pragma once

#include "profile/model/query.h"

typedef struct
{
  WpValues *values; /* the profile's, which must outlive the table */
  const char *path; /* the profile's, for messages */
  guint32 n_rows;
  WpIdArray columns; /* STRINGs; plain list */
  GPtrArray *cells;  /* for each column a WpValue for each row; 0: this resource has none (NaN in Python) */
} WpResourceTable;

/* NULL and an error when there are too many different keys for the number of rows. */
WpResourceTable *wp_resource_table_new (WpProfile *profile, WpProgress *progress, GError **error);
void wp_resource_table_free (WpResourceTable *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpResourceTable, wp_resource_table_free)

/* A column by its name; NULL: there is none. */
const WpValue *wp_resource_table_column (const WpResourceTable *self, const char *name);

/* One that must be there, and hold numbers where it has to. NULL and an error that tells which keys there are. */
const WpValue *wp_resource_table_need (const WpResourceTable *self, const char *name, gboolean numerical, GError **error);

/* Rows as text, the header line first: CSV (RFC 4180; a missing cell is empty), TSV (tabs and line breaks become blanks), or JSON
 * ({"columns": […], "rows": [[…], …]}; a missing cell is NaN). Written to a stream in pieces. */
typedef enum
{
  WP_RESOURCE_TABLE_CSV,
  WP_RESOURCE_TABLE_TSV,
  WP_RESOURCE_TABLE_JSON,
} WpResourceTableFormat;

typedef void (*WpTextFunc) (const char *text, gsize n, gpointer data);
void wp_resource_table_write (const WpResourceTable *self, WpResourceTableFormat format, WpTextFunc write, gpointer data);
