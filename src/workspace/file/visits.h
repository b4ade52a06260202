/* Where one has been in a file: in which view, of which process, at which place, and what was selected there. Back and
 * forward lead through all of them, whatever changed from one to the next. Plain rows: nothing here knows a window. */
#pragma once

#include "base/intern.h"

typedef struct
{
  int view;           /* whoever shows it knows which */
  guint32 processes;  /* that are explained: wp_workspace_chosen_number() */
  gboolean explained; /* FALSE: none is yet */
  double start, end, y; /* the viewport: what is seen of the rows; start = end: nothing yet */

  /* The selection. */
  guint64 rows;       /* the fingerprint of the rows that `box` is one of */
  guint32 box;        /* or G_MAXUINT32 */
  double moment;      /* of the box, that was pointed at; NAN: none */
  WpId op;            /* the operation behind it, to find it in other rows; or 0 */
} WpVisit;

typedef struct WpVisits WpVisits;

WpVisits *wp_visits_new (void);
void wp_visits_free (WpVisits *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpVisits, wp_visits_free)

/* One is somewhere. Another view, process or stretch is another visit, and what was forward is dropped; where it is the same,
 * only how far it is scrolled and what is selected there is noted. A visit at which there was nothing to see yet becomes this one. */
void wp_visits_arrive (WpVisits *self, const WpVisit *visit);

/* The same at the end of a link: what it selects is a visit of its own, even where it was in sight already. */
void wp_visits_follow (WpVisits *self, const WpVisit *visit);

/* Another selection at the same place: back and forward lead to what was selected last. */
void wp_visits_select (WpVisits *self, const WpVisit *visit);

/* One is where the last step led, as far as that is still there. */
void wp_visits_replace (WpVisits *self, const WpVisit *visit);

gboolean wp_visits_can (const WpVisits *self, int direction); /* -1 back, +1 forward */
const WpVisit *wp_visits_go (WpVisits *self, int direction);  /* NULL: there is nothing. Valid until the next change */
