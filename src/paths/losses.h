/* When events were lost, on any CPU. */
#pragma once

#include "trace/trace.h"

/* In a loss of this length much can have happened: a *burst*. What else was known of a wait is doubtful where a burst lasts at least
 * such a share of it. */
#define WP_BURST_NS (5 * G_GINT64_CONSTANT (1000000))
#define WP_BURST_SHARE 10

typedef struct
{
  gint64 start, end;
} WpStretch;

typedef WP_ARRAY (WpStretch) WpStretches; /* sorted, apart */

/* Those that last at least so long; what overlaps is joined. The caller clears it. */
void wp_losses_find (const WpTrace *trace, gint64 shortest, WpStretches *losses);

/* The first one that ends after this moment, or how many there are. */
guint32 wp_losses_after (const WpStretches *losses, gint64 time);

/* The first one that begins at this moment or later, or how many there are. */
guint32 wp_losses_from (const WpStretches *losses, gint64 time);

/* From when on it is known what lasted from `start` to `end` and ended as it did: where the last burst in it, of the last few, that takes a
 * share of it is over, at most `end`; `start` if there is none. */
gint64 wp_losses_known_since (const WpStretches *bursts, gint64 start, gint64 end);
