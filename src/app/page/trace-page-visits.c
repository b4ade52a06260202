/* Where one has been in a recording, and back (workspace/file/visits.h). What leads somewhere at once, as a link does or a process that is
 * chosen, is one step, however many things move: between wp_trace_page_set_out() and wp_trace_page_arrive() none of them counts. */
#include "app/page/trace-page-private.h"

#include <math.h>

static WpVisit
find_here (WpTracePage *self)
{
  WpCanvas *canvas = wp_views_canvas (self->views);
  const WpRows *rows = wp_canvas_rows (canvas);
  const WpViewport *viewport = wp_canvas_viewport (canvas);
  WpVisit here = { .view = (int) wp_views_current (self->views), .processes = wp_workspace_chosen_number (self->workspace),
                   .explained = wp_workspace_whole (self->workspace) != NULL, .box = WP_NO_BOX, .moment = NAN };

  if (!wp_canvas_ready (canvas))
    return here;
  here.start = viewport->start;
  here.end = viewport->end;
  here.y = viewport->y;
  here.rows = rows->fingerprint;
  here.box = wp_canvas_selected (canvas);
  here.moment = wp_canvas_selected_moment (canvas);
  here.op = here.box != WP_NO_BOX ? self->selection.op : 0;
  return here;
}

static gboolean
is_on_the_way (const WpTracePage *self)
{
  return self->workspace == NULL || self->visits == NULL || self->on_the_way;
}

void
wp_trace_page_set_out (WpTracePage *self)
{
  self->on_the_way = TRUE;
}

void
wp_trace_page_arrive (WpTracePage *self)
{
  WpVisit here = find_here (self);

  self->on_the_way = FALSE;
  wp_visits_follow (self->visits, &here);
}

void
wp_trace_page_note_place (WpTracePage *self)
{
  WpVisit here;

  if (is_on_the_way (self))
    return;
  here = find_here (self);
  wp_visits_arrive (self->visits, &here);
}

void
wp_trace_page_note_selection (WpTracePage *self)
{
  WpVisit here;

  if (is_on_the_way (self))
    return;
  here = find_here (self);
  wp_visits_select (self->visits, &here);
}

/* --- back and forward --- */

/* In rows that were laid out anew the box is another one, of the same operation. */
static guint
box_of (WpTracePage *self, const WpVisit *visit, const WpRows *rows)
{
  if (visit->box == WP_NO_BOX || visit->rows == rows->fingerprint)
    return visit->box;
  return visit->op != 0 ? wp_box_of_op (rows, wp_workspace_analysis (self->workspace), visit->op) : WP_NO_BOX;
}

static void
return_to (WpTracePage *self, const WpVisit *visit)
{
  WpCanvas *canvas;
  WpVisit here;

  if (wp_views_current (self->views) != (WpViewId) visit->view)
    wp_views_switch (self->views, (WpViewId) visit->view);
  canvas = wp_views_canvas (self->views);
  wp_canvas_return_to (canvas, visit->start, visit->end, visit->y);
  if (wp_canvas_rows (canvas) != NULL && isnan (visit->moment))
    wp_canvas_select (canvas, box_of (self, visit, wp_canvas_rows (canvas)), FALSE);
  else if (wp_canvas_rows (canvas) != NULL)
    wp_canvas_select_at (canvas, box_of (self, visit, wp_canvas_rows (canvas)), visit->moment, FALSE);
  self->on_the_way = FALSE;
  self->returning = FALSE;
  here = find_here (self);
  wp_visits_replace (self->visits, &here);
  wp_content_changed (WP_CONTENT (self));
}

gboolean
wp_trace_page_can_go (WpTracePage *self, int direction)
{
  return self->visits != NULL && wp_visits_can (self->visits, direction);
}

/* What is still moving has been somewhere, too. Other processes are explained first; on the way to them one may go further. */
void
wp_trace_page_go (WpTracePage *self, int direction)
{
  const WpVisit *visit;

  if (!self->returning)
    {
      self->on_the_way = FALSE;
      wp_canvas_settle (wp_views_canvas (self->views));
    }
  visit = wp_visits_go (self->visits, direction);
  if (visit == NULL)
    return;
  self->on_the_way = TRUE;
  self->return_to = *visit;
  if (visit->explained && visit->processes != wp_workspace_chosen_number (self->workspace))
    {
      self->returning = TRUE;
      wp_views_switch (self->views, (WpViewId) visit->view);
      wp_workspace_choose_number (self->workspace, visit->processes);
    }
  if (!self->returning || !wp_workspace_busy (self->workspace))
    return_to (self, &self->return_to);
}

void
wp_trace_page_explained_anew (WpTracePage *self)
{
  if (self->returning)
    return_to (self, &self->return_to);
  else if (self->on_the_way)
    wp_trace_page_arrive (self);
}
