/* The columns beside the lines of a source: what each took itself, what it took in all, and its number. */
#pragma once

#include <gtk/gtk.h>

#include "workspace/stacks/source-text.h"

#define WP_TYPE_SOURCE_GUTTER (wp_source_gutter_get_type ())
G_DECLARE_FINAL_TYPE (WpSourceGutter, wp_source_gutter, WP, SOURCE_GUTTER, GtkWidget)

typedef enum
{
  WP_SOURCE_SELF,
  WP_SOURCE_TOTAL,
  WP_SOURCE_NUMBER,
  WP_SOURCE_COLUMNS
} WpSourceColumn;

typedef struct
{
  const WpSourceText *text; /* NULL: nothing */
  const char *unit; /* of the values */
  gint64 total;             /* that shares are of; 0: none are told */
} WpSourceValues;

/* It stands at the left of this view. What `values` points to must stay until others are set. */
GtkWidget *wp_source_gutter_new (GtkTextView *view);
void wp_source_gutter_set (WpSourceGutter *self, const WpSourceValues *values);

/* Where a column ends, so that its title can stand above it. */
int wp_source_gutter_column_end (WpSourceGutter *self, WpSourceColumn column);

const char *wp_source_values_number_title (const WpSourceValues *self); /* "Line" */

/* "12: itself 30.0 ms (1.5 %), with all it called 50.0 ms (2.5 %)"; NULL where the row took nothing. Free with g_free(). */
char *wp_source_values_describe (const WpSourceValues *self, guint32 row);
