/* What stands at one moment of a recording: which tasks live, their names, and what their processes have mapped. It is as
 * large as what lives, however long the recording is. Private to this folder. */
#pragma once

#include "read/perf/perf-file.h"

#define WP_STANDING_MAPS_MAX 16384 /* of one process; further ones are left out */

typedef struct WpStanding WpStanding;

WpStanding *wp_standing_new (void);
WpStanding *wp_standing_copy (const WpStanding *self); /* mappings are shared: both on one thread */
void wp_standing_free (WpStanding *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpStanding, wp_standing_free)

/* Whether a record changes what stands. */
gboolean wp_standing_concerns (const WpPerfRecord *header);

/* Takes such a record in, in the order of time. `tail`: so many of its last bytes say who, when and where. */
void wp_standing_take (WpStanding *self, const WpPerfRecord *header, gsize tail);

/* As records without a time, such as a recording begins with. */
void wp_standing_write (const WpStanding *self, gsize tail, GByteArray *out);
