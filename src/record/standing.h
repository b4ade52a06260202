/* What stands at one moment of a recording: which tasks live, their names, what each sleeps in, whose children their processes
 * are, and what these have mapped. It is as large as what lives, however long the recording is. Private to this folder. */
#pragma once

#include "read/perf/perf-parts.h"
#include "trace/event.h"

#define WP_STANDING_MAPS_MAX 16384 /* of one process; further ones are left out */

typedef struct WpStanding WpStanding;

WpStanding *wp_standing_new (void);
WpStanding *wp_standing_copy (const WpStanding *self); /* mappings are shared: both on one thread */
void wp_standing_free (WpStanding *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpStanding, wp_standing_free)

/* Whether a record changes what stands. */
gboolean wp_standing_concerns (const WpPerfRecord *header);

/* Takes such a record in, in the order of time. `tail`: so many of its last bytes say who, when and where. */
void wp_standing_take (WpStanding *self, const WpPerfRecord *header, gint64 time, gsize tail);

/* WP_PERF_FEATURE_WAIT: what a task waited in before the recording. */
void wp_standing_told (WpStanding *self, const WpPerfRecord *header);

/* A task switch: time and numbers of the event, and its stack. In any order, once the tasks that lived then are taken in. */
void wp_standing_switched (WpStanding *self, const WpEvent *event, const WpPerfSample *sample);

/* Until then nothing was seen: what was slept in before says nothing any more. */
void wp_standing_paused (WpStanding *self, gint64 end);

/* As records without a time, such as a recording begins with. `file` has the symbols of the kernel. */
void wp_standing_write (const WpStanding *self, const WpPerfFile *file, gsize tail, GByteArray *out);
