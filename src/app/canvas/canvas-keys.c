/* What keys do on the canvas: its actions (picture-widget.h), and keys of its own. */
#include "app/canvas/canvas-private.h"
#include "app/canvas/picture-widget.h"
#include "base/search.h"

/* The box whose middle is nearest to `time`: what up and down lead to. */
static guint
nearest_in_row (const WpRows *rows, guint32 row, gint64 time)
{
  const WpRow *r = &rows->rows.data[row];
  guint32 low;

  if (r->n == 0)
    return WP_NO_BOX;
  low = WP_SEARCH (r->first, r->first + r->n, i, rows->boxes.data[i].end <= time);
  if (low == r->first + r->n)
    return low - 1;
  if (low > r->first && rows->boxes.data[low].start > time
      && time - rows->boxes.data[low - 1].end < rows->boxes.data[low].start - time)
    return low - 1;
  return low;
}

/* Where the arrows start when nothing is selected: the middle of what is visible. */
static guint
first_box (WpCanvas *self, const WpRows *rows)
{
  gint64 time = (gint64) ((self->viewport.start + self->viewport.end) / 2);
  guint32 row = wp_rows_row_at_y (rows, &self->viewport, self->viewport.y + self->viewport.height / 2);

  for (guint32 i = MIN (row, rows->rows.len - 1) + 1; i-- > 0;)
    if (rows->rows.data[i].n > 0)
      return nearest_in_row (rows, i, time);
  return rows->boxes.len > 0 ? 0 : WP_NO_BOX;
}

static guint
vertical (WpCanvas *self, const WpRows *rows, guint32 row, int step)
{
  const WpBox *from = &rows->boxes.data[self->state.selected];
  gint64 start = MAX (from->start, (gint64) self->viewport.start), end = MIN (from->end, (gint64) self->viewport.end);
  gint64 time = start < end ? start + (end - start) / 2 : from->start + (from->end - from->start) / 2;

  for (gint64 i = (gint64) row + step; i >= 0 && i < rows->rows.len; i += step)
    if (rows->rows.data[i].n > 0)
      return nearest_in_row (rows, (guint32) i, time);
  return self->state.selected;
}

static guint
horizontal (WpCanvas *self, const WpRows *rows, guint32 row, int step)
{
  const WpRow *r = &rows->rows.data[row];
  gint64 next = (gint64) self->state.selected + step;

  return next >= r->first && next < (gint64) r->first + r->n ? (guint) next : self->state.selected;
}

static void
select_neighbour (GtkWidget *widget, const char *action, GVariant *parameter)
{
  WpCanvas *self = WP_CANVAS (widget);
  const WpRows *rows = wp_canvas_rows (self);
  gint32 dx, dy;
  guint box;

  if (rows == NULL || rows->rows.len == 0)
    return;
  g_variant_get (parameter, "(ii)", &dx, &dy);
  if (self->state.selected == WP_NO_BOX)
    box = first_box (self, rows);
  else
    {
      guint32 row = wp_rows_row_of (rows, self->state.selected);

      box = dy != 0 ? vertical (self, rows, row, dy) : horizontal (self, rows, row, dx);
    }
  wp_canvas_select (self, box, TRUE);
}

static void
zoom (GtkWidget *widget, const char *action, GVariant *parameter)
{
  wp_canvas_zoom (WP_CANVAS (widget), g_variant_get_double (parameter));
}

static void
pan (GtkWidget *widget, const char *action, GVariant *parameter)
{
  WpCanvas *self = WP_CANVAS (widget);

  wp_canvas_pan (self, g_variant_get_double (parameter) * self->viewport.width, 0);
}

static void
page (GtkWidget *widget, const char *action, GVariant *parameter)
{
  WpCanvas *self = WP_CANVAS (widget);

  wp_canvas_pan (self, 0, g_variant_get_double (parameter) * self->viewport.height);
}

static void
fit_selection (GtkWidget *widget, const char *action, GVariant *parameter)
{
  wp_canvas_fit_selection (WP_CANVAS (widget));
}

static void
open_selection (GtkWidget *widget, const char *action, GVariant *parameter)
{
  wp_canvas_emit_opened (WP_CANVAS (widget), WP_CANVAS (widget)->state.selected);
}

/* Marks the selected box's time; without a selection what is visible. */
static void
mark (GtkWidget *widget, const char *action, GVariant *parameter)
{
  WpCanvas *self = WP_CANVAS (widget);
  const WpRows *rows = wp_canvas_rows (self);
  double start = self->viewport.start, end = self->viewport.end;

  if (rows == NULL || !rows->is_time)
    return;
  if (self->state.selected != WP_NO_BOX)
    {
      start = rows->boxes.data[self->state.selected].start;
      end = rows->boxes.data[self->state.selected].end;
    }
  wp_canvas_set_mark (self, start, end);
  wp_canvas_emit_marked (self);
}

static void
clear (GtkWidget *widget, const char *action, GVariant *parameter)
{
  wp_canvas_clear (WP_CANVAS (widget));
}

static void
menu (GtkWidget *widget, const char *action, GVariant *parameter)
{
  WpCanvas *self = WP_CANVAS (widget);
  double x, y;

  wp_canvas_middle (self, self->state.selected, &x, &y);
  wp_canvas_emit_menu (self, self->state.selected, x, y);
}

static const struct
{
  const char *name, *parameter;
  GtkWidgetActionActivateFunc func;
} actions[] = {
  { "canvas.select", "(ii)", select_neighbour },
  { "canvas.zoom", "d", zoom },
  { "canvas.pan", "d", pan },
  { "canvas.page", "d", page },
  { "canvas.fit-selection", NULL, fit_selection },
  { "canvas.open", NULL, open_selection },
  { "canvas.mark", NULL, mark },
  { "canvas.clear", NULL, clear },
  { "canvas.menu", NULL, menu },
};

void
wp_canvas_class_add_keys (GtkWidgetClass *klass)
{
  for (guint i = 0; i < G_N_ELEMENTS (actions); i++)
    gtk_widget_class_install_action (klass, actions[i].name, actions[i].parameter, actions[i].func);
  wp_picture_class_add_keys (klass);
  gtk_widget_class_add_binding_action (klass, GDK_KEY_m, 0, "canvas.mark", NULL);
  gtk_widget_class_add_binding_action (klass, GDK_KEY_b, 0, "win.add-note", NULL);
  gtk_widget_class_add_binding_action (klass, GDK_KEY_r, 0, "win.fit-height", NULL);
  gtk_widget_class_add_binding_action (klass, GDK_KEY_slash, 0, "win.search", NULL);
  gtk_widget_class_add_binding_action (klass, GDK_KEY_1, 0, "win.depth", "s", "waits");
  gtk_widget_class_add_binding_action (klass, GDK_KEY_2, 0, "win.depth", "s", "functions");
  gtk_widget_class_add_binding_action (klass, GDK_KEY_3, 0, "win.depth", "s", "all");
  gtk_widget_class_add_binding_action (klass, GDK_KEY_t, 0, "win.turn-row", "s", "");
  gtk_widget_class_add_binding_action (klass, GDK_KEY_p, 0, "win.pin-row", "s", "");
  gtk_widget_class_add_binding_action (klass, GDK_KEY_e, 0, "win.open-fold", NULL);
  gtk_widget_class_add_binding_action (klass, GDK_KEY_h, 0, "win.hide-function", NULL);
}
