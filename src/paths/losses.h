/* When events were lost, on any CPU, or recording was paused. */
#pragma once

#include "trace/trace.h"

typedef struct
{
  gint64 start, end;
  gboolean paused; /* else something was lost */
} WpStretch;

typedef WP_ARRAY (WpStretch) WpStretches; /* sorted, apart */

/* What overlaps is joined; pauses stay apart, and what is lost in one belongs to it. The caller clears it. */
void wp_losses_find (const WpTrace *trace, WpStretches *losses);

/* The first one that ends after this moment, or how many there are. */
guint32 wp_losses_after (const WpStretches *losses, gint64 time);

/* The first one that begins at this moment or later, or how many there are. */
guint32 wp_losses_from (const WpStretches *losses, gint64 time);
