#include "app/page/callouts.h"

#include <glib/gi18n.h>

#include "app/page/trace-page-private.h"
#include "app/shell/settings.h"

#define SEEN "callouts-seen"
#define MARGIN 6
#define BEGINNING 120 /* of what is longer than the panel, this much is pointed at */
#define WIDTH 34 /* characters */

enum
{
  ANSWER,
  TABLE,
  BOXES,
  DEPTHS,
  N_CALLOUTS
};

static const struct
{
  const char *title, *text;
  gboolean in_panel;
} callouts[N_CALLOUTS] = {
  [ANSWER] = { N_("The Answer in Words"),
               N_("This is why it took so long. Click a sentence, and the picture goes to the longest stretch of it."), TRUE },
  [TABLE] = { N_("Where All the Time Went"),
              N_("Each row is one way to spend time. Choose one, and its boxes stand out in the picture."), TRUE },
  [BOXES] = { N_("What It Waited For"),
              N_("Time runs from left to right. While a process waits, what it waits for stands on top of it: another process, "
                 "or a disk."), FALSE },
  [DEPTHS] = { N_("As Deep as You Like"),
               N_("Only what is waited for, the functions too, or every frame: choose here, or press 1, 2 or 3. "
                  "No number changes."), FALSE },
};

/* The part of what the process waited for most, as the answer says; 0: it did not. */
static WpId
longest_wait (const WpAnswer *answer)
{
  const WpSpent *most = NULL;

  for (guint32 i = 0; answer != NULL && i < answer->spent.len; i++)
    if (answer->spent.data[i].words != 0 && (most == NULL || answer->spent.data[i].ns > most->ns))
      most = &answer->spent.data[i];
  return most != NULL ? most->part : 0;
}

/* The middle of that; where there is none, that of the picture. */
static GdkRectangle
place_of_wait (WpTracePage *self)
{
  WpCanvas *canvas = wp_views_canvas_of (self->views, WP_VIEW_FLAME);
  const WpAnalysis *analysis = wp_workspace_analysis (self->workspace);
  const WpRows *rows = wp_canvas_rows (canvas);
  WpId part = analysis != NULL ? longest_wait (analysis->answer) : 0;
  const WpPart *wait = part != 0 ? &analysis->paths->parts.data[part] : NULL;
  guint box = rows != NULL && wait != NULL ? wp_box_of_part (rows, analysis, part, wait->start, wait->end) : WP_NO_BOX;
  double x, y;

  wp_canvas_middle (canvas, box, &x, &y);
  return (GdkRectangle) { (int) x, (int) y, 1, 1 };
}

static GtkWidget *
target_of (WpTracePage *self, guint which)
{
  GtkWidget *targets[N_CALLOUTS] = {
    [ANSWER] = wp_explanation_panel_answer (self->panel),
    [TABLE] = wp_explanation_panel_table (self->panel),
    [BOXES] = GTK_WIDGET (wp_views_canvas_of (self->views, WP_VIEW_FLAME)),
    [DEPTHS] = self->flame_bars.depths,
  };

  return targets[which];
}

static gboolean
set_panel (WpTracePage *self, gboolean shown)
{
  GActionGroup *window = G_ACTION_GROUP (gtk_widget_get_root (GTK_WIDGET (self)));
  g_autoptr (GVariant) before = g_action_group_get_action_state (window, "panel");

  if (shown)
    g_action_group_change_action_state (window, "side-page", g_variant_new_string ("explanation"));
  g_action_group_change_action_state (window, "panel", g_variant_new_boolean (shown));
  return shown && !g_variant_get_boolean (before);
}

/* --- one callout --- */

static gboolean go_on (gpointer page);

/* The keyboard goes back to the picture: left to itself it would go to a row of the table, and choose it. */
static void
on_closed (GtkPopover *popover, WpTracePage *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (self));
  if (self->callouts.source == 0)
    self->callouts.source = g_idle_add (go_on, self);
}

static void
on_next (GtkButton *button, WpTracePage *self)
{
  self->callouts.goes_on = self->callouts.which + 1 < N_CALLOUTS;
  gtk_popover_popdown (GTK_POPOVER (self->callouts.popover));
}

static void
on_skip (GtkButton *button, WpTracePage *self)
{
  gtk_popover_popdown (GTK_POPOVER (self->callouts.popover));
}

static GtkWidget *
add_label (GtkBox *box, const char *text, const char *style)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), WIDTH);
  if (style != NULL)
    gtk_widget_add_css_class (label, style);
  gtk_box_append (box, label);
  return label;
}

static GtkWidget *
add_button (GtkBox *box, const char *label, const char *style, GCallback clicked, WpTracePage *self)
{
  GtkWidget *button = gtk_button_new_with_label (label);

  gtk_widget_add_css_class (button, style);
  g_signal_connect (button, "clicked", clicked, self);
  gtk_box_append (box, button);
  return button;
}

static GtkWidget *
new_buttons (WpTracePage *self, GtkWidget **next)
{
  guint which = self->callouts.which;
  gboolean last = which + 1 == N_CALLOUTS;
  g_autofree char *position = g_strdup_printf (_("%u of %u"), which + 1, N_CALLOUTS);
  GtkWidget *bar = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, MARGIN), *at = add_label (GTK_BOX (bar), position, "dim-label");

  gtk_widget_set_hexpand (at, TRUE);
  if (!last)
    add_button (GTK_BOX (bar), _("Skip"), "flat", G_CALLBACK (on_skip), self);
  *next = add_button (GTK_BOX (bar), last ? _("Done") : _("Next"), "suggested-action", G_CALLBACK (on_next), self);
  return bar;
}

/* Where a popover points to a side, GTK measures how high its lines are as if the arrow's width were theirs, too: it would be a line too short. */
static void
keep_size (GtkWidget *label)
{
  int width, height;

  gtk_widget_measure (label, GTK_ORIENTATION_HORIZONTAL, -1, &width, NULL, NULL, NULL);
  gtk_widget_measure (label, GTK_ORIENTATION_VERTICAL, width, &height, NULL, NULL, NULL);
  gtk_widget_set_size_request (label, width, height);
}

/* A screen reader says title and text with the button that has the keyboard. */
static GtkWidget *
new_popover (WpTracePage *self, GtkWidget **next)
{
  guint which = self->callouts.which;
  GtkWidget *popover = gtk_popover_new (), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, MARGIN), *text;
  g_autofree char *said = g_strdup_printf ("%s\n%s", _(callouts[which].title), _(callouts[which].text));

  add_label (GTK_BOX (box), _(callouts[which].title), "heading");
  text = add_label (GTK_BOX (box), _(callouts[which].text), NULL);
  gtk_label_set_width_chars (GTK_LABEL (text), WIDTH);
  keep_size (text);
  gtk_widget_add_css_class (box, "callout");
  gtk_box_append (GTK_BOX (box), new_buttons (self, next));
  gtk_popover_set_child (GTK_POPOVER (popover), box);
  gtk_popover_set_default_widget (GTK_POPOVER (popover), *next);
  gtk_accessible_update_property (GTK_ACCESSIBLE (popover), GTK_ACCESSIBLE_PROPERTY_LABEL, _(callouts[which].title), -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (*next), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, said, -1);
  g_signal_connect (popover, "closed", G_CALLBACK (on_closed), self);
  return popover;
}

/* What is beside the picture is pointed at from there, so that all of it is seen. */
static void
place (WpTracePage *self, GtkWidget *popover, GtkWidget *target)
{
  gboolean mirrored = gtk_widget_get_direction (target) == GTK_TEXT_DIR_RTL;
  GdkRectangle at = { 0, 0, gtk_widget_get_width (target), MIN (gtk_widget_get_height (target), BEGINNING) };

  gtk_widget_set_parent (popover, target);
  if (callouts[self->callouts.which].in_panel)
    gtk_popover_set_position (GTK_POPOVER (popover), mirrored ? GTK_POS_RIGHT : GTK_POS_LEFT);
  if (self->callouts.which == BOXES)
    at = place_of_wait (self);
  gtk_popover_set_pointing_to (GTK_POPOVER (popover), &at);
}

static void
scroll_to (GtkWidget *target)
{
  GtkWidget *within = gtk_widget_get_ancestor (gtk_widget_get_parent (target), GTK_TYPE_VIEWPORT);
  graphene_rect_t bounds;

  if (within != NULL && gtk_widget_compute_bounds (target, gtk_viewport_get_child (GTK_VIEWPORT (within)), &bounds))
    gtk_adjustment_clamp_page (gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (within)), bounds.origin.y,
                               bounds.origin.y + MIN (bounds.size.height, BEGINNING));
}

static gboolean
show (gpointer page)
{
  WpTracePage *self = page;
  GtkWidget *target = target_of (self, self->callouts.which), *next;

  self->callouts.source = 0;
  self->callouts.goes_on = FALSE;
  self->callouts.popover = new_popover (self, &next);
  scroll_to (target);
  place (self, self->callouts.popover, target);
  gtk_popover_popup (GTK_POPOVER (self->callouts.popover));
  gtk_widget_grab_focus (next);
  return G_SOURCE_REMOVE;
}

static void
show_soon (WpTracePage *self)
{
  if (self->callouts.source == 0)
    self->callouts.source = g_idle_add_full (G_PRIORITY_LOW, show, self, NULL); /* sizes are given out before */
}

static void
on_mapped (GtkWidget *target, WpTracePage *self)
{
  g_signal_handlers_disconnect_by_func (target, on_mapped, self);
  show_soon (self);
}

/* --- one after the other --- */

static void
show_which (WpTracePage *self, guint which)
{
  GtkWidget *target = target_of (self, which);

  self->callouts.which = which;
  if (callouts[which].in_panel)
    self->callouts.opened_panel |= set_panel (self, TRUE);
  else if (wp_views_current (self->views) != WP_VIEW_FLAME)
    wp_views_switch (self->views, WP_VIEW_FLAME);
  if (!callouts[which].in_panel && self->callouts.opened_panel)
    self->callouts.opened_panel = set_panel (self, FALSE);
  if (gtk_widget_get_mapped (target))
    show_soon (self);
  else
    g_signal_connect_object (target, "map", G_CALLBACK (on_mapped), self, 0);
}

static void
remove_popover (WpTracePage *self)
{
  GtkWidget *popover = self->callouts.popover;

  self->callouts.popover = NULL;
  if (popover == NULL)
    return;
  g_signal_handlers_disconnect_by_data (popover, self);
  gtk_widget_unparent (popover);
}

static gboolean
go_on (gpointer page)
{
  WpTracePage *self = page;

  self->callouts.source = 0;
  remove_popover (self);
  if (self->callouts.goes_on)
    {
      show_which (self, self->callouts.which + 1);
      return G_SOURCE_REMOVE;
    }
  wp_settings_set_boolean (SEEN, TRUE);
  if (self->callouts.opened_panel)
    self->callouts.opened_panel = set_panel (self, FALSE);
  return G_SOURCE_REMOVE;
}

void
wp_callouts_close (WpTracePage *self)
{
  g_clear_handle_id (&self->callouts.source, g_source_remove);
  g_signal_handlers_disconnect_by_func (target_of (self, self->callouts.which), on_mapped, self);
  remove_popover (self);
}

static gboolean
begin (gpointer page)
{
  WpTracePage *self = page;

  self->callouts.source = 0;
  show_which (self, ANSWER);
  return G_SOURCE_REMOVE;
}

/* The page may not have come into its window yet. */
void
wp_callouts_start (WpTracePage *self)
{
  wp_callouts_close (self);
  self->callouts.source = g_idle_add (begin, self);
}

void
wp_callouts_start_once (WpTracePage *self)
{
  if (!wp_settings_boolean (SEEN, TRUE))
    wp_callouts_start (self);
}
