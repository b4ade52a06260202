#include "app/canvas/row-names.h"

#include <glib/gi18n.h>

#include "app/canvas/picture-widget.h"

#define WIDTH 190
#define INDENT 12

struct _WpRowNames
{
  GtkWidget parent_instance;

  WpCanvas *canvas; /* a sibling: outlives this one's use of it */
  GPtrArray *buttons; /* GtkWidget: a pool, owned as children */
  guint tick;
};

enum
{
  SIGNAL_ROW_OPENED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (WpRowNames, wp_row_names, GTK_TYPE_WIDGET)

static void
on_clicked (GtkButton *button, WpRowNames *self)
{
  guint row = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (button), "row"));

  g_signal_emit (self, signals[SIGNAL_ROW_OPENED], 0, row);
}

static GtkWidget *
new_button (WpRowNames *self)
{
  GtkWidget *button = gtk_button_new (), *label = gtk_label_new (NULL);

  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_button_set_child (GTK_BUTTON (button), label);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "row-name");
  gtk_widget_set_focusable (button, FALSE);
  gtk_widget_set_cursor_from_name (button, "pointer");
  g_signal_connect (button, "clicked", G_CALLBACK (on_clicked), self);
  gtk_widget_set_parent (button, GTK_WIDGET (self));
  g_ptr_array_add (self->buttons, button);
  return button;
}

static void
set_button (GtkWidget *button, const WpRows *rows, guint32 row)
{
  const WpRow *r = &rows->rows.data[row];
  const char *name = wp_strings_get (rows->strings, r->label);
  GtkWidget *label = gtk_button_get_child (GTK_BUTTON (button));
  g_autofree char *tip = NULL;

  g_object_set_data (G_OBJECT (button), "row", GUINT_TO_POINTER (row));
  gtk_widget_set_visible (button, *name != '\0');
  if (g_strcmp0 (gtk_label_get_text (GTK_LABEL (label)), name) == 0)
    return;
  gtk_label_set_text (GTK_LABEL (label), name);
  gtk_widget_set_margin_start (label, r->indent * INDENT);
  tip = r->ref_kind != WP_REF_NONE ? g_strdup_printf (_("%s: open its flame view"), name) : NULL;
  gtk_widget_set_tooltip_text (button, tip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

/* The row that names the lane at the bottom, when it is below what is seen; or G_MAXUINT32. */
static guint32
named_below (const WpRows *rows, guint32 last)
{
  guint32 row = last > 0 ? last - 1 : 0;

  while (last > 0 && row < rows->rows.len && rows->rows.data[row].label == 0)
    row++;
  if (last == 0 || row < last || row >= rows->rows.len || rows->rows.data[row].ref_kind != WP_REF_PATH)
    return G_MAXUINT32;
  return row;
}

static void
update (WpRowNames *self)
{
  const WpRows *rows = wp_canvas_rows (self->canvas);
  const WpViewport *viewport = wp_canvas_viewport (self->canvas);
  guint32 first = 0, last = 0, below = G_MAXUINT32;
  guint n;

  if (rows != NULL)
    {
      wp_rows_visible (rows, viewport, &first, &last);
      below = named_below (rows, last);
    }
  n = last - first + (below != G_MAXUINT32);
  for (guint i = 0; i < n; i++)
    set_button (i < self->buttons->len ? self->buttons->pdata[i] : new_button (self), rows,
                first + i < last ? first + i : below);
  for (guint i = n; i < self->buttons->len; i++)
    gtk_widget_set_visible (self->buttons->pdata[i], FALSE);
  gtk_widget_queue_allocate (GTK_WIDGET (self));
}

/* Runs before the layout of the same frame, so the names never lag behind the canvas. */
static gboolean
on_tick (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  WpRowNames *self = WP_ROW_NAMES (widget);

  self->tick = 0;
  update (self);
  return G_SOURCE_REMOVE;
}

static void
on_place_changed (WpCanvas *canvas, WpRowNames *self)
{
  if (self->tick == 0)
    self->tick = gtk_widget_add_tick_callback (GTK_WIDGET (self), on_tick, NULL, NULL);
}

static void
wp_row_names_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  WpRowNames *self = WP_ROW_NAMES (widget);
  const WpRows *rows = wp_canvas_rows (self->canvas);
  const WpViewport *viewport = wp_canvas_viewport (self->canvas);

  for (guint i = 0; i < self->buttons->len; i++)
    {
      GtkWidget *button = self->buttons->pdata[i];
      guint row = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (button), "row"));
      int minimum, y;

      if (!gtk_widget_get_visible (button) || rows == NULL || row >= rows->rows.len)
        continue;
      gtk_widget_measure (button, GTK_ORIENTATION_VERTICAL, width, &minimum, NULL, NULL, NULL);
      y = (int) (wp_rows_y (rows, viewport, row) - viewport->y);
      if (rows->rows.data[row].ref_kind == WP_REF_PATH) /* a lane's name stays in sight as long as anything of the lane does */
        y = MIN (y, height - (int) viewport->row_height);
      gtk_widget_size_allocate (button, &(GtkAllocation) { 0, y, width, MAX (minimum, (int) viewport->row_height) }, -1);
    }
}

static void
wp_row_names_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                      int *minimum_baseline, int *natural_baseline)
{
  *minimum = *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? WIDTH : 0;
}

/* Wheel and touchpad work here as they do on the canvas' rows. */
static gboolean
on_scroll (GtkEventControllerScroll *controller, double dx, double dy, WpRowNames *self)
{
  wp_canvas_pan (self->canvas, 0, wp_scroll_notches (controller, dy) * wp_canvas_viewport (self->canvas)->row_height * 3);
  return GDK_EVENT_STOP;
}

static void
wp_row_names_dispose (GObject *object)
{
  WpRowNames *self = WP_ROW_NAMES (object);

  for (guint i = 0; i < self->buttons->len; i++)
    gtk_widget_unparent (self->buttons->pdata[i]);
  g_ptr_array_set_size (self->buttons, 0);
  G_OBJECT_CLASS (wp_row_names_parent_class)->dispose (object);
}

static void
wp_row_names_finalize (GObject *object)
{
  g_ptr_array_unref (WP_ROW_NAMES (object)->buttons);
  G_OBJECT_CLASS (wp_row_names_parent_class)->finalize (object);
}

static void
wp_row_names_class_init (WpRowNamesClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = wp_row_names_dispose;
  G_OBJECT_CLASS (klass)->finalize = wp_row_names_finalize;
  widget_class->size_allocate = wp_row_names_size_allocate;
  widget_class->measure = wp_row_names_measure;
  signals[SIGNAL_ROW_OPENED] = g_signal_new ("row-opened", WP_TYPE_ROW_NAMES, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                             G_TYPE_NONE, 1, G_TYPE_UINT);
  gtk_widget_class_set_css_name (widget_class, "wprownames");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_LIST);
}

static void
wp_row_names_init (WpRowNames *self)
{
  GtkEventController *scroll = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_VERTICAL);

  self->buttons = g_ptr_array_new ();
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  g_signal_connect (scroll, "scroll", G_CALLBACK (on_scroll), self);
  gtk_widget_add_controller (GTK_WIDGET (self), scroll);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Row names"), -1);
}

GtkWidget *
wp_row_names_new (WpCanvas *canvas)
{
  WpRowNames *self = g_object_new (WP_TYPE_ROW_NAMES, NULL);

  self->canvas = canvas;
  g_signal_connect_object (canvas, "place-changed", G_CALLBACK (on_place_changed), self, 0);
  return GTK_WIDGET (self);
}
