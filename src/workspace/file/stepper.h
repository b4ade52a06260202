/* Stepping through what a row of the explanation is about, in one view: stretch by stretch in time order, or in a consolidated view box
 * by box, since a node gathers many pieces. */
#pragma once

#include "workspace/file/highlight.h"

typedef struct WpStepper WpStepper;

/* Where a step leads: a box, and the stretch of it that is meant, in the unit of the rows. */
typedef struct
{
  guint32 box;
  double start, end;
} WpStop;

typedef enum
{
  WP_STEP_PREVIOUS = -1,
  WP_STEP_LONGEST = 0,
  WP_STEP_NEXT = 1,
} WpStep;

WpStepper *wp_stepper_new (void);
void wp_stepper_free (WpStepper *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpStepper, wp_stepper_free)

/* The stops of a choice in these rows. Rows and analysis are read until the next choice. */
void wp_stepper_choose (WpStepper *self, const WpRows *rows, const WpAnalysis *analysis, const WpChoice *choice);
void wp_stepper_clear (WpStepper *self); /* nothing is chosen */

guint wp_stepper_count (const WpStepper *self);

/* Goes on from where the last step led, round at the ends; what the view does not draw is stepped over. Returns the number of
 * the stop, from 1; 0: none of them is drawn. */
guint wp_stepper_step (WpStepper *self, WpStep step, WpStop *stop);
