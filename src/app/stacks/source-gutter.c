#include "app/stacks/source-gutter.h"

#include <glib/gi18n.h>

#include "stacks/measure.h"
#include "stacks/sums.h"

#define MARGIN 8 /* left and right of all columns */
#define GAP 14   /* between two of them */

struct _WpSourceGutter
{
  GtkWidget parent_instance;

  GtkTextView *view; /* not owned: it is the parent */
  WpSourceValues values;
  PangoLayout *layout;
  int widths[WP_SOURCE_COLUMNS];
};

G_DEFINE_FINAL_TYPE (WpSourceGutter, wp_source_gutter, GTK_TYPE_WIDGET)

/* --- texts ---------------------------------------------------------------------------------------------------------- */

/* What stands in a cell; NULL: nothing. */
static char *
cell_text (const WpSourceValues *values, guint32 row, int column)
{
  const WpSourceRow *r = &values->text->rows.data[row];
  gint64 value = column == WP_SOURCE_SELF ? r->flat : r->cum;

  if (column == WP_SOURCE_NUMBER && r->number == 0)
    return NULL;
  if (column == WP_SOURCE_NUMBER)
    return g_strdup_printf (r->kind == WP_ROW_INSTRUCTION ? "%" G_GINT64_MODIFIER "x" : "%" G_GINT64_MODIFIER "u", r->number);
  return value != 0 ? wp_measure_words (value, values->unit) : NULL;
}

const char *
wp_source_values_number_title (const WpSourceValues *self)
{
  return self->text != NULL && self->text->rows.len > 0 && self->text->rows.data[0].kind == WP_ROW_LINE ? _("Line") : _("Address");
}

char *
wp_source_values_describe (const WpSourceValues *self, guint32 row)
{
  g_autofree char *number = NULL, *flat = NULL, *cum = NULL;
  char flat_share[WP_FORMAT_MAX], cum_share[WP_FORMAT_MAX];
  const WpSourceRow *r;

  if (self->text == NULL || row >= self->text->rows.len)
    return NULL;
  r = &self->text->rows.data[row];
  if (r->flat == 0 && r->cum == 0)
    return NULL;
  number = cell_text (self, row, WP_SOURCE_NUMBER);
  flat = r->flat != 0 ? cell_text (self, row, WP_SOURCE_SELF) : g_strdup ("0");
  cum = r->cum != 0 ? cell_text (self, row, WP_SOURCE_TOTAL) : g_strdup ("0");
  if (self->total == 0)
    return g_strdup_printf (_("%s: itself %s, with all it called %s"), number != NULL ? number : _("Unknown line"), flat, cum);
  /* Translators: a line number or an address; a value and its share, twice */
  return g_strdup_printf (_("%s: itself %s (%s), with all it called %s (%s)"), number != NULL ? number : _("Unknown line"), flat,
                          wp_measure_share_words (r->flat, self->total, flat_share), cum, wp_measure_share_words (r->cum, self->total, cum_share));
}

/* --- room ----------------------------------------------------------------------------------------------------------- */

static int
width_of (WpSourceGutter *self, const char *text)
{
  int width;

  pango_layout_set_text (self->layout, text, -1);
  pango_layout_get_pixel_size (self->layout, &width, NULL);
  return width;
}

/* All digits are as wide: the longest text is the widest one, and the largest number has the longest. */
static int
column_width (WpSourceGutter *self, WpSourceColumn column, const char *title)
{
  const WpSourceText *text = self->values.text;
  g_autofree char *longest = g_strdup (title);
  guint64 most = 0;

  for (guint32 i = 0; text != NULL && i < text->rows.len; i++)
    {
      g_autofree char *cell = NULL;

      if (column == WP_SOURCE_NUMBER && text->rows.data[i].number <= most)
        continue;
      most = text->rows.data[i].number;
      cell = cell_text (&self->values, i, column);
      if (cell == NULL || g_utf8_strlen (cell, -1) <= g_utf8_strlen (longest, -1))
        continue;
      g_free (longest);
      longest = g_steal_pointer (&cell);
    }
  return width_of (self, longest);
}

static void
find_widths (WpSourceGutter *self)
{
  self->widths[WP_SOURCE_SELF] = column_width (self, WP_SOURCE_SELF, _("Self"));
  self->widths[WP_SOURCE_TOTAL] = column_width (self, WP_SOURCE_TOTAL, _("Total"));
  self->widths[WP_SOURCE_NUMBER] = column_width (self, WP_SOURCE_NUMBER, wp_source_values_number_title (&self->values));
}

int
wp_source_gutter_column_end (WpSourceGutter *self, WpSourceColumn column)
{
  int end = MARGIN;

  for (int c = 0; c <= column; c++)
    end += self->widths[c] + (c > 0 ? GAP : 0);
  return end;
}

static void
wp_source_gutter_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural, int *minimum_baseline,
                          int *natural_baseline)
{
  WpSourceGutter *self = WP_SOURCE_GUTTER (widget);

  *minimum = *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? wp_source_gutter_column_end (self, WP_SOURCE_NUMBER) + MARGIN : 0;
}

/* --- drawing -------------------------------------------------------------------------------------------------------- */

/* Where a row stands in the widget. FALSE: there is no such row. */
static gboolean
row_place (WpSourceGutter *self, guint32 row, int *y, int *height)
{
  GtkTextIter line;

  if (!gtk_text_buffer_get_iter_at_line (gtk_text_view_get_buffer (self->view), &line, (int) row))
    return FALSE;
  gtk_text_view_get_line_yrange (self->view, &line, y, height);
  *y += gtk_text_view_get_pixels_above_lines (self->view);
  gtk_text_view_buffer_to_window_coords (self->view, GTK_TEXT_WINDOW_LEFT, 0, *y, NULL, y);
  return TRUE;
}

static guint32
row_at (WpSourceGutter *self, double y)
{
  GtkTextIter line;
  int buffer_y;

  gtk_text_view_window_to_buffer_coords (self->view, GTK_TEXT_WINDOW_LEFT, 0, (int) y, NULL, &buffer_y);
  gtk_text_view_get_line_at_y (self->view, &line, buffer_y, NULL);
  return (guint32) gtk_text_iter_get_line (&line);
}

static void
draw_row (WpSourceGutter *self, GtkSnapshot *snapshot, guint32 row, int y, const GdkRGBA *colour)
{
  const WpSourceRow *r = &self->values.text->rows.data[row];
  int x = MARGIN;

  for (int c = 0; c < WP_SOURCE_COLUMNS; c++)
    {
      g_autofree char *text = cell_text (&self->values, row, c);
      GdkRGBA faint = *colour;

      x += self->widths[c];
      if (text != NULL)
        {
          faint.alpha *= c == WP_SOURCE_NUMBER ? (r->cum != 0 || r->flat != 0 ? 0.75 : 0.45) : c == WP_SOURCE_SELF ? 1 : 0.8;
          gtk_snapshot_save (snapshot);
          gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (x - width_of (self, text), y));
          gtk_snapshot_append_layout (snapshot, self->layout, &faint);
          gtk_snapshot_restore (snapshot);
        }
      x += GAP;
    }
}

static void
wp_source_gutter_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  WpSourceGutter *self = WP_SOURCE_GUTTER (widget);
  int bottom = gtk_widget_get_height (widget), y, height;
  GdkRGBA colour;

  if (self->values.text == NULL)
    return;
  gtk_style_context_get_color (gtk_widget_get_style_context (widget), &colour);
  for (guint32 row = row_at (self, 0); row < self->values.text->rows.len && row_place (self, row, &y, &height) && y < bottom; row++)
    draw_row (self, snapshot, row, y, &colour);
}

static gboolean
on_query_tooltip (GtkWidget *widget, int x, int y, gboolean keyboard, GtkTooltip *tooltip, gpointer data)
{
  WpSourceGutter *self = WP_SOURCE_GUTTER (widget);
  g_autofree char *text = !keyboard ? wp_source_values_describe (&self->values, row_at (self, y)) : NULL;

  gtk_tooltip_set_text (tooltip, text);
  return text != NULL;
}

/* --- the widget ----------------------------------------------------------------------------------------------------- */

void
wp_source_gutter_set (WpSourceGutter *self, const WpSourceValues *values)
{
  self->values = *values;
  find_widths (self);
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

static void
new_layout (WpSourceGutter *self)
{
  g_clear_object (&self->layout);
  self->layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), NULL);
}

static void
wp_source_gutter_css_changed (GtkWidget *widget, GtkCssStyleChange *change)
{
  WpSourceGutter *self = WP_SOURCE_GUTTER (widget);

  GTK_WIDGET_CLASS (wp_source_gutter_parent_class)->css_changed (widget, change);
  new_layout (self);
  find_widths (self);
  gtk_widget_queue_resize (widget);
}

static void
wp_source_gutter_finalize (GObject *object)
{
  g_clear_object (&WP_SOURCE_GUTTER (object)->layout);
  G_OBJECT_CLASS (wp_source_gutter_parent_class)->finalize (object);
}

static void
wp_source_gutter_class_init (WpSourceGutterClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = wp_source_gutter_finalize;
  widget_class->measure = wp_source_gutter_measure;
  widget_class->snapshot = wp_source_gutter_snapshot;
  widget_class->css_changed = wp_source_gutter_css_changed;
  gtk_widget_class_set_css_name (widget_class, "wpsourcegutter");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
wp_source_gutter_init (WpSourceGutter *self)
{
  new_layout (self);
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  g_signal_connect (self, "query-tooltip", G_CALLBACK (on_query_tooltip), NULL);
}

GtkWidget *
wp_source_gutter_new (GtkTextView *view)
{
  WpSourceGutter *self = g_object_new (WP_TYPE_SOURCE_GUTTER, NULL);

  self->view = view;
  gtk_widget_add_css_class (GTK_WIDGET (self), "monospace");
  gtk_text_view_set_gutter (view, GTK_TEXT_WINDOW_LEFT, GTK_WIDGET (self));
  return GTK_WIDGET (self);
}
