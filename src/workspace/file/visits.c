#include "workspace/file/visits.h"

#include "base/array.h"

#define VISITS_MAX 200

struct WpVisits
{
  WP_ARRAY (WpVisit) past; /* all of them, also those that are forward */
  guint32 here;            /* meaningless while there is none */
};

WpVisits *
wp_visits_new (void)
{
  return g_new0 (WpVisits, 1);
}

void
wp_visits_free (WpVisits *self)
{
  if (self == NULL)
    return;
  wp_array_clear (&self->past);
  g_free (self);
}

static WpVisit *
current (WpVisits *self)
{
  return self->past.len > 0 ? &self->past.data[self->here] : NULL;
}

/* The same stretch of the same picture, however far it is scrolled up or down. */
static gboolean
is_same_stretch (const WpVisit *a, const WpVisit *b)
{
  return a->view == b->view && a->processes == b->processes && a->explained == b->explained && a->start == b->start && a->end == b->end;
}

static gboolean
is_placed (const WpVisit *self)
{
  return self->end > self->start;
}

/* Nothing was seen there: what comes is the first that is. */
static gboolean
is_begin_of (const WpVisit *self, const WpVisit *next)
{
  return !is_placed (self) && self->view == next->view && (self->processes == next->processes || !self->explained);
}

void
wp_visits_select (WpVisits *self, const WpVisit *visit)
{
  WpVisit *now = current (self);

  if (now == NULL || !is_same_stretch (now, visit))
    return;
  now->rows = visit->rows;
  now->box = visit->box;
  now->moment = visit->moment;
  now->op = visit->op;
}

void
wp_visits_replace (WpVisits *self, const WpVisit *visit)
{
  if (self->past.len > 0)
    self->past.data[self->here] = *visit;
}

static void
add (WpVisits *self, const WpVisit *visit)
{
  if (self->past.len > 0)
    self->past.len = self->here + 1;
  if (self->past.len == VISITS_MAX)
    memmove (self->past.data, self->past.data + 1, --self->past.len * sizeof *self->past.data);
  wp_array_push (&self->past, *visit);
  self->here = self->past.len - 1;
}

void
wp_visits_arrive (WpVisits *self, const WpVisit *visit)
{
  const WpVisit *now = current (self);

  if (now != NULL && (is_begin_of (now, visit) || is_same_stretch (now, visit)))
    wp_visits_replace (self, visit);
  else
    add (self, visit);
}

void
wp_visits_follow (WpVisits *self, const WpVisit *visit)
{
  const WpVisit *now = current (self);

  if (now != NULL && is_same_stretch (now, visit) && now->rows == visit->rows && now->box != visit->box)
    add (self, visit);
  else
    wp_visits_arrive (self, visit);
}

gboolean
wp_visits_can (const WpVisits *self, int direction)
{
  return direction < 0 ? self->past.len > 0 && self->here > 0 : (guint64) self->here + 1 < self->past.len;
}

const WpVisit *
wp_visits_go (WpVisits *self, int direction)
{
  if (!wp_visits_can (self, direction))
    return NULL;
  self->here += direction;
  return &self->past.data[self->here];
}
