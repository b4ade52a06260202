#include "workspace/file/view-state.h"

#include <string.h>

void
wp_view_state_init (WpViewState *self)
{
  *self = (WpViewState) { .cuts = wp_cuts_new (), .also = g_array_new (FALSE, FALSE, sizeof (WpId)) };
}

void
wp_view_state_clear (WpViewState *self)
{
  wp_view_options_clear (&self->options);
  g_clear_pointer (&self->opened, wp_shared_unref);
  g_clear_pointer (&self->hide, wp_shared_unref);
  g_clear_pointer (&self->ghosts, wp_shared_unref);
  g_clear_pointer (&self->cuts, wp_cuts_free);
  g_clear_pointer (&self->also, g_array_unref);
}

WpViewState
wp_view_state_copy (const WpViewState *self)
{
  WpViewState copy = *self;

  wp_view_options_copy (&copy.options, &self->options);
  copy.opened = wp_shared_ref (self->opened);
  copy.hide = wp_shared_ref (self->hide);
  copy.ghosts = wp_shared_ref (self->ghosts);
  copy.cuts = wp_cuts_copy (self->cuts);
  copy.also = g_array_copy (self->also);
  return copy;
}

/* Colours hang on the analysis as far as they are those of modules, or not. */
static void
take_options_of_analysis (WpViewOptions *self, const WpViewOptions *other)
{
  for (WpOption o = 0; o < WP_N_OPTIONS; o++)
    if (wp_option_of (o) == WP_OPTION_OF_PATHS || wp_option_of (o) == WP_OPTION_OF_TREE)
      self->on[o] = other->on[o];
  self->depth = other->depth;
  if ((self->colors == WP_COLORS_MODULE) != (other->colors == WP_COLORS_MODULE))
    self->colors = other->colors;
}

void
wp_view_state_analyse_as (WpViewState *self, const WpViewState *other)
{
  take_options_of_analysis (&self->options, &other->options);
  self->task = other->task;
  g_array_unref (self->also);
  self->also = g_array_copy (other->also);
  wp_cuts_free (self->cuts);
  self->cuts = wp_cuts_copy (other->cuts);
  wp_shared_unref (self->opened);
  self->opened = wp_shared_ref (other->opened);
  wp_shared_unref (self->hide);
  self->hide = wp_shared_ref (other->hide);
  wp_shared_unref (self->ghosts);
  self->ghosts = wp_shared_ref (other->ghosts);
}

/* --- comparing ---------------------------------------------------------------------------------------------------- */

gboolean
wp_same_ids (const GArray *a, const GArray *b)
{
  return a->len == b->len && (a->len == 0 || memcmp (a->data, b->data, a->len * sizeof (WpId)) == 0);
}

static gboolean
same_keys (const WpKeys *a, const WpKeys *b)
{
  return a->len == b->len && (a->len == 0 || memcmp (a->data, b->data, a->len * sizeof *a->data) == 0);
}

/* Of what sorts the switches are that are set in one alone: bits. */
static guint
switches_that_differ (const WpViewOptions *a, const WpViewOptions *b)
{
  guint sorts = 0;

  for (WpOption o = 0; o < WP_N_OPTIONS; o++)
    if (a->on[o] != b->on[o])
      sorts |= 1u << wp_option_of (o);
  return sorts;
}

WpViewStateChange
wp_view_state_compare (const WpViewState *a, const WpViewState *b)
{
  const WpViewOptions *x = &a->options, *y = &b->options;
  guint switched = switches_that_differ (x, y);
  WpViewStateChange change = { .range = a->from != b->from || a->to != b->to,
                          .task = a->task != b->task || !wp_same_ids (a->also, b->also),
                          .hide = a->hide != b->hide,
                          .cuts = !wp_same_ids (wp_cuts_ops (a->cuts), wp_cuts_ops (b->cuts)) };

  change.processes = (switched & 1u << WP_OPTION_OF_PROCESSES) || !same_keys (&x->turned, &y->turned) || !same_keys (&x->pinned, &y->pinned)
                     || x->sort != y->sort || g_strcmp0 (x->filter, y->filter) != 0;
  change.analysis = (switched & (1u << WP_OPTION_OF_PATHS | 1u << WP_OPTION_OF_TREE)) || change.hide || change.cuts || a->ghosts != b->ghosts || a->opened != b->opened
                    || x->depth != y->depth || (x->colors == WP_COLORS_MODULE) != (y->colors == WP_COLORS_MODULE);
  change.any = change.range || change.task || change.processes || change.analysis || switched != 0 || x->colors != y->colors || a->view != b->view;
  return change;
}
