/* The live view of a recording without a display: when its last seconds are looked at, of which process, and what
 * that costs. A look is a worker's, one at a time.
 *
 * Signals:
 *   looked ()    there is another reading, or it failed
 *   changed ()   what is chosen, or whether it is on */
#pragma once

#include "workspace/live/live-reading.h"

#define WP_TYPE_LIVE_MODEL (wp_live_model_get_type ())
G_DECLARE_FINAL_TYPE (WpLiveModel, wp_live_model, WP, LIVE_MODEL, GObject)

/* No look begins earlier after the one before: at most every second, and so that looks take at most a twentieth of a
 * processor. `seconds`: of a processor that one takes. In µs. */
gint64 wp_live_interval_us (double seconds);

WpLiveModel *wp_live_model_new (void);

/* A recording begins; see wp_live_reader_new(). What was of another one goes. `forgets`: what is old goes from its stream (a flight recorder), which
 * is followed while nobody looks, too. */
void wp_live_model_begin (WpLiveModel *self, int fd, const char *output, gint32 pid, gboolean forgets);
void wp_live_model_end (WpLiveModel *self); /* nothing is looked at any more; the last reading, or why there is none, stays */
void wp_live_model_clear (WpLiveModel *self); /* … goes, too */
gboolean wp_live_model_has_begun (WpLiveModel *self); /* and not ended; whether or not it can be looked at */

void wp_live_model_grown (WpLiveModel *self, guint64 whole); /* so many bytes are whole: looks, if it is time to */
void wp_live_model_spent (WpLiveModel *self, double seconds); /* of a processor, for showing the last look */

void wp_live_model_set_on (WpLiveModel *self, gboolean on);
gboolean wp_live_model_is_on (WpLiveModel *self);
void wp_live_model_set_seconds (WpLiveModel *self, guint seconds); /* that are looked at; up to WP_LIVE_SECONDS_MAX */
void wp_live_model_set_depth (WpLiveModel *self, WpDepth depth); /* of the consolidated view; at first “functions” */
WpDepth wp_live_model_depth (WpLiveModel *self);
void wp_live_model_choose (WpLiveModel *self, gint32 pid); /* 0: the recorded process, or the busiest */

const WpLiveReading *wp_live_model_reading (WpLiveModel *self); /* NULL: none yet */
const char *wp_live_model_failure (WpLiveModel *self); /* why the last look gave none, or NULL */
double wp_live_model_share (WpLiveModel *self);     /* of a processor that looks take */
double wp_live_model_interval (WpLiveModel *self);  /* seconds from one to the next */
