#include "app/stacks/source-text-view.h"

#include <glib/gi18n.h>

#include "app/stacks/source-gutter.h"
#include "config.h"
#include "stacks/sums.h"

#ifdef HAVE_SOURCEVIEW
#include <gtksourceview/gtksource.h>

#define PARENT_TYPE GTK_SOURCE_TYPE_VIEW
typedef GtkSourceView Parent;
typedef GtkSourceViewClass ParentClass;
#else
#define PARENT_TYPE GTK_TYPE_TEXT_VIEW
typedef GtkTextView Parent;
typedef GtkTextViewClass ParentClass;
#endif

#define BAR_INSET 1 /* pixels free above and below a bar */

struct _WpSourceTextView
{
  Parent parent_instance;

  WpSourceGutter *gutter;
  WpSourceValues values;
  double most; /* what the longest bar stands for */
  GtkTextTag *function, *source; /* headings among instructions */
  guint scrolling;               /* tick: the cursor will be scrolled into sight; 0: not */
  double height;                 /* of all lines, when that was done last */
};

typedef struct
{
  ParentClass parent_class;
} WpSourceTextViewClass;

G_DEFINE_TYPE (WpSourceTextView, wp_source_text_view, PARENT_TYPE)

WpSourceGutter *
wp_source_text_view_gutter (WpSourceTextView *self)
{
  return self->gutter;
}

gboolean
wp_source_text_view_has_colours (void)
{
#ifdef HAVE_SOURCEVIEW
  return TRUE;
#else
  return FALSE;
#endif
}

/* --- bars ----------------------------------------------------------------------------------------------------------- */

static void
draw_bar (GtkSnapshot *snapshot, GdkRGBA colour, double alpha, const GdkRectangle *area, int y, int height, double share)
{
  double width = MIN (fabs (share), 1) * area->width;

  colour.alpha = alpha;
  if (width >= 1)
    gtk_snapshot_append_color (snapshot, &colour, &GRAPHENE_RECT_INIT (area->x, y + BAR_INSET, width, MAX (height - 2 * BAR_INSET, 1)));
}

static void
draw_bars (WpSourceTextView *self, GtkSnapshot *snapshot)
{
  const WpSourceText *text = self->values.text;
  GdkRectangle area;
  GtkTextIter line;
  GdkRGBA colour;
  int y, height;

  if (!gtk_style_context_lookup_color (gtk_widget_get_style_context (GTK_WIDGET (self)), "heat_color", &colour))
    return;
  gtk_text_view_get_visible_rect (GTK_TEXT_VIEW (self), &area);
  gtk_text_view_get_line_at_y (GTK_TEXT_VIEW (self), &line, area.y, NULL);
  for (guint32 row = (guint32) gtk_text_iter_get_line (&line); row < text->rows.len; row++)
    {
      const WpSourceRow *r = &text->rows.data[row];

      gtk_text_view_get_line_yrange (GTK_TEXT_VIEW (self), &line, &y, &height);
      if (y > area.y + area.height)
        return;
      draw_bar (snapshot, colour, 0.10, &area, y, height, (double) r->cum / self->most);
      draw_bar (snapshot, colour, 0.18, &area, y, height, (double) r->flat / self->most);
      gtk_text_iter_forward_line (&line);
    }
}

static void
wp_source_text_view_snapshot_layer (GtkTextView *view, GtkTextViewLayer layer, GtkSnapshot *snapshot)
{
  WpSourceTextView *self = WP_SOURCE_TEXT_VIEW (view);
  GtkTextViewClass *parent = GTK_TEXT_VIEW_CLASS (wp_source_text_view_parent_class);

  if (parent->snapshot_layer != NULL)
    parent->snapshot_layer (view, layer, snapshot);
  if (layer == GTK_TEXT_VIEW_LAYER_BELOW_TEXT && self->values.text != NULL)
    draw_bars (self, snapshot);
}

/* --- text ----------------------------------------------------------------------------------------------------------- */

static void
tag_rows (WpSourceTextView *self, GtkTextBuffer *buffer)
{
  const WpSourceText *text = self->values.text;
  GtkTextIter start, end;

  gtk_text_buffer_get_start_iter (buffer, &start);
  for (guint32 i = 0; i < text->rows.len; i++)
    {
      GtkTextTag *tag = text->rows.data[i].kind == WP_ROW_FUNCTION ? self->function
                        : text->rows.data[i].kind == WP_ROW_SOURCE ? self->source
                                                                   : NULL;

      end = start;
      if (!gtk_text_iter_ends_line (&end))
        gtk_text_iter_forward_to_line_end (&end);
      if (tag != NULL)
        gtk_text_buffer_apply_tag (buffer, tag, &start, &end);
      gtk_text_iter_forward_line (&start);
    }
}

static void
choose_language (WpSourceTextView *self, GtkTextBuffer *buffer)
{
#ifdef HAVE_SOURCEVIEW
  const char *file = self->values.text->path;
  GtkSourceLanguage *language
    = file != NULL ? gtk_source_language_manager_guess_language (gtk_source_language_manager_get_default (), file, NULL) : NULL;

  gtk_source_buffer_set_language (GTK_SOURCE_BUFFER (buffer), language);
#endif
}

/* From its top to its bottom: of a line that is cut one does not see what it says. */
static gboolean
is_within (const GdkRectangle *line, const GdkRectangle *area)
{
  return line->y >= area->y && line->y + line->height <= area->y + area->height;
}

/* Where there is no room yet, or the heights of lines above are not known yet, it would be scrolled to another place: until nothing changes. */
static gboolean
on_tick (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  WpSourceTextView *self = WP_SOURCE_TEXT_VIEW (widget);
  GtkTextView *view = GTK_TEXT_VIEW (self);
  GtkTextMark *cursor = gtk_text_buffer_get_insert (gtk_text_view_get_buffer (view));
  double height = gtk_adjustment_get_upper (gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (self)));
  GdkRectangle area, place;
  GtkTextIter at;

  if (gtk_widget_get_height (widget) <= 1)
    return G_SOURCE_CONTINUE;
  gtk_text_buffer_get_iter_at_mark (gtk_text_view_get_buffer (view), &at, cursor);
  gtk_text_view_get_iter_location (view, &at, &place);
  gtk_text_view_get_visible_rect (view, &area);
  if (height == self->height && (is_within (&place, &area) || area.height < place.height))
    {
      self->scrolling = 0;
      return G_SOURCE_REMOVE;
    }
  self->height = height;
  gtk_text_view_scroll_to_mark (view, cursor, 0, TRUE, 0, 0.35);
  return G_SOURCE_CONTINUE;
}

static void
scroll_to_hottest (WpSourceTextView *self, GtkTextBuffer *buffer)
{
  GtkTextIter line;

  gtk_text_buffer_get_iter_at_line (buffer, &line, (int) self->values.text->hottest);
  gtk_text_buffer_place_cursor (buffer, &line);
  self->height = -1;
  if (self->scrolling == 0)
    self->scrolling = gtk_widget_add_tick_callback (GTK_WIDGET (self), on_tick, NULL, NULL);
}

static double
most_of (const WpSourceText *text)
{
  gint64 most = 1;

  for (guint32 i = 0; i < text->rows.len; i++)
    most = MAX (most, MAX (wp_magnitude (text->rows.data[i].flat), wp_magnitude (text->rows.data[i].cum)));
  return (double) most;
}

void
wp_source_text_view_set (WpSourceTextView *self, const WpSourceValues *values)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (self));
  const WpSourceText *text = values->text;

  self->values = *values;
  gtk_text_buffer_set_text (buffer, text != NULL ? text->text->str : "", text != NULL ? (int) text->text->len : 0);
  wp_source_gutter_set (self->gutter, &self->values);
  if (text == NULL || text->rows.len == 0)
    return;
  self->most = most_of (text);
  choose_language (self, buffer);
  tag_rows (self, buffer);
  scroll_to_hottest (self, buffer);
}

/* --- the widget ----------------------------------------------------------------------------------------------------- */

/* What is in the gutter is not text: who listens hears it of the line with the cursor. */
static void
on_cursor (GtkTextBuffer *buffer, GParamSpec *pspec, WpSourceTextView *self)
{
  GtkTextIter at;
  g_autofree char *text = NULL;

  gtk_text_buffer_get_iter_at_mark (buffer, &at, gtk_text_buffer_get_insert (buffer));
  text = wp_source_values_describe (&self->values, (guint32) gtk_text_iter_get_line (&at));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text != NULL ? text : "", -1);
}

static void
follow_theme (WpSourceTextView *self)
{
  gboolean dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
#ifdef HAVE_SOURCEVIEW
  const char *scheme = dark ? "Adwaita-dark" : "Adwaita";

  gtk_source_buffer_set_style_scheme (GTK_SOURCE_BUFFER (gtk_text_view_get_buffer (GTK_TEXT_VIEW (self))),
                                      gtk_source_style_scheme_manager_get_scheme (gtk_source_style_scheme_manager_get_default (), scheme));
#endif
  g_object_set (self->source, "foreground", dark ? "#9a9996" : "#5e5c64", NULL); /* of GNOME's palette */
}

static void
on_adjustment (WpSourceTextView *self, GParamSpec *pspec, gpointer data)
{
  GtkAdjustment *vertical = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (self));

  if (vertical != NULL)
    g_signal_connect_object (vertical, "value-changed", G_CALLBACK (gtk_widget_queue_draw), self->gutter, G_CONNECT_SWAPPED);
}

/* Not before: GtkSourceView makes its own arrangements with its buffer when it is constructed. */
static void
wp_source_text_view_constructed (GObject *object)
{
  WpSourceTextView *self = WP_SOURCE_TEXT_VIEW (object);
  GtkTextView *view = GTK_TEXT_VIEW (self);
  GtkTextBuffer *buffer;

  G_OBJECT_CLASS (wp_source_text_view_parent_class)->constructed (object);
  buffer = gtk_text_view_get_buffer (view);
#ifdef HAVE_SOURCEVIEW
  gtk_source_buffer_set_highlight_matching_brackets (GTK_SOURCE_BUFFER (buffer), FALSE);
#endif
  gtk_text_view_set_editable (view, FALSE);
  gtk_text_view_set_monospace (view, TRUE);
  gtk_text_view_set_top_margin (view, 6);
  gtk_text_view_set_bottom_margin (view, 6);
  gtk_text_view_set_left_margin (view, 8);
  gtk_text_view_set_pixels_above_lines (view, 1);
  gtk_text_view_set_pixels_below_lines (view, 1);
  self->function = gtk_text_buffer_create_tag (buffer, NULL, "weight", PANGO_WEIGHT_BOLD, NULL);
  self->source = gtk_text_buffer_create_tag (buffer, NULL, "style", PANGO_STYLE_ITALIC, "pixels-above-lines", 6, NULL);
  self->gutter = WP_SOURCE_GUTTER (wp_source_gutter_new (view));
  g_signal_connect (self, "notify::vadjustment", G_CALLBACK (on_adjustment), NULL);
  g_signal_connect_object (buffer, "notify::cursor-position", G_CALLBACK (on_cursor), self, 0);
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark", G_CALLBACK (follow_theme), self, G_CONNECT_SWAPPED);
  follow_theme (self);
}

static void
wp_source_text_view_class_init (WpSourceTextViewClass *klass)
{
  G_OBJECT_CLASS (klass)->constructed = wp_source_text_view_constructed;
  GTK_TEXT_VIEW_CLASS (klass)->snapshot_layer = wp_source_text_view_snapshot_layer;
}

static void
wp_source_text_view_init (WpSourceTextView *self)
{
  gtk_widget_add_css_class (GTK_WIDGET (self), "source-text");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Source"), -1);
}
