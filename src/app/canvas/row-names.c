#include "app/canvas/row-names.h"

#include <glib/gi18n.h>

#include "app/canvas/picture-widget.h"

#define WIDTH 190
#define INDENT 12
#define PADDING 8 /* of a name's button, in the style sheet */
#define ARROW 20 /* where rows fold: room for what folds them, and at the other end for the pin */

struct _WpRowNames
{
  GtkWidget parent_instance;

  WpCanvas *canvas; /* a sibling: outlives this one's use of it */
  GPtrArray *buttons; /* GtkWidget: a pool, owned as children; … */
  GPtrArray *arrows, *pins; /* … each with an arrow and a pin beside it */
  gint32 chosen;      /* the key of the row that is marked; 0: none */
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

/* An action on the row. The target comes first: an action without the one that it wants is warned of. */
static GtkWidget *
new_tool (WpRowNames *self, const char *css_class)
{
  GtkWidget *button = gtk_button_new ();

  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, css_class);
  gtk_widget_set_focusable (button, FALSE);
  gtk_widget_set_parent (button, GTK_WIDGET (self));
  return button;
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
  g_ptr_array_add (self->arrows, new_tool (self, "row-arrow"));
  g_ptr_array_add (self->pins, new_tool (self, "row-pin"));
  return button;
}

static void
set_tool (GtkWidget *button, const char *icon, const char *action, gint32 key, const char *text)
{
  g_autofree char *target = g_strdup_printf ("%d", key);

  if (g_strcmp0 (gtk_button_get_icon_name (GTK_BUTTON (button)), icon) != 0)
    gtk_button_set_icon_name (GTK_BUTTON (button), icon);
  gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", target);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  gtk_widget_set_tooltip_text (button, text);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
}

static void
set_tools (WpRowNames *self, guint i, const WpRows *rows, guint32 row)
{
  const WpRow *r = &rows->rows.data[row];
  const char *name = wp_strings_get (rows->strings, r->label);
  gboolean open = r->fold == WP_FOLD_OPEN, chosen = r->key != 0 && r->key == self->chosen;
  gsize state = (gsize) ((((rows->fingerprint * 31 + row) * 31 + (guint32) r->key) * 4 + r->fold) * 4 + r->pinned * 2u + (guint) chosen);
  g_autofree char *fold = NULL, *pin = NULL;

  if (GPOINTER_TO_SIZE (g_object_get_data (G_OBJECT (self->arrows->pdata[i]), "state")) == state)
    return; /* as it is while one pans */
  g_object_set_data (G_OBJECT (self->arrows->pdata[i]), "state", GSIZE_TO_POINTER (state));
  fold = g_strdup_printf (open ? _("Fold %s") : _("Unfold %s"), name);
  pin = g_strdup_printf (r->pinned ? _("Unpin %s") : _("Pin %s to the top"), name);

  gtk_widget_set_visible (self->arrows->pdata[i], r->fold != WP_FOLD_NONE);
  gtk_widget_set_visible (self->pins->pdata[i], r->key > 0);
  if (r->fold != WP_FOLD_NONE)
    set_tool (self->arrows->pdata[i], open ? "pan-down-symbolic" : "pan-end-symbolic", "win.turn-row", r->key, fold);
  if (r->key > 0)
    set_tool (self->pins->pdata[i], "view-pin-symbolic", "win.pin-row", r->key, pin);
  (r->pinned ? gtk_widget_add_css_class : gtk_widget_remove_css_class) (self->pins->pdata[i], "pinned");
  (chosen ? gtk_widget_add_css_class : gtk_widget_remove_css_class) (self->buttons->pdata[i], "chosen");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->buttons->pdata[i]), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  chosen ? _("The other views are about it") : "", -1);
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
  gtk_widget_set_margin_start (label, r->indent * INDENT + (rows->folds ? ARROW : 0));
  gtk_widget_set_margin_end (label, r->key > 0 ? ARROW - PADDING : 0); /* the pin's */
  if (g_strcmp0 (gtk_label_get_text (GTK_LABEL (label)), name) == 0)
    return;
  gtk_label_set_text (GTK_LABEL (label), name);
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
    {
      guint32 row = first + i < last ? first + i : below;

      set_button (i < self->buttons->len ? self->buttons->pdata[i] : new_button (self), rows, row);
      set_tools (self, i, rows, row);
    }
  for (guint i = n; i < self->buttons->len; i++)
    {
      gtk_widget_set_visible (self->buttons->pdata[i], FALSE);
      g_object_set_data (self->arrows->pdata[i], "state", NULL);
      gtk_widget_set_visible (self->arrows->pdata[i], FALSE);
      gtk_widget_set_visible (self->pins->pdata[i], FALSE);
    }
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
place_tool (GtkWidget *button, int x, int y, int height)
{
  int minimum;

  if (!gtk_widget_get_visible (button))
    return;
  gtk_widget_measure (button, GTK_ORIENTATION_VERTICAL, ARROW, &minimum, NULL, NULL, NULL);
  gtk_widget_measure (button, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL, NULL, NULL);
  gtk_widget_size_allocate (button, &(GtkAllocation) { x, y, MAX (minimum, ARROW), height }, -1);
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
      place_tool (self->arrows->pdata[i], rows->rows.data[row].indent * INDENT, y, MAX (minimum, (int) viewport->row_height));
      place_tool (self->pins->pdata[i], width - ARROW - 2, y, MAX (minimum, (int) viewport->row_height));
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
    {
      gtk_widget_unparent (self->buttons->pdata[i]);
      gtk_widget_unparent (self->arrows->pdata[i]);
      gtk_widget_unparent (self->pins->pdata[i]);
    }
  g_ptr_array_set_size (self->buttons, 0);
  G_OBJECT_CLASS (wp_row_names_parent_class)->dispose (object);
}

static void
wp_row_names_finalize (GObject *object)
{
  g_ptr_array_unref (WP_ROW_NAMES (object)->buttons);
  g_ptr_array_unref (WP_ROW_NAMES (object)->arrows);
  g_ptr_array_unref (WP_ROW_NAMES (object)->pins);
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
  self->arrows = g_ptr_array_new ();
  self->pins = g_ptr_array_new ();
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

void
wp_row_names_choose (WpRowNames *self, gint32 key)
{
  if (self->chosen == key)
    return;
  self->chosen = key;
  on_place_changed (self->canvas, self);
}
