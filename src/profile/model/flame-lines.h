/* Resources as lines for flame graph programs: frames with ";" between, innermost first, a blank, the amount.
 *
 *   malloc()~unreachable~0;main()~/home/user/test.c~45 4
 */
#pragma once

#include "profile/model/profile.h"

/* Traces stand innermost first up to Perun 0.21 and are complete; since 0.22 they stand outermost first, and the uid is
 * the innermost frame. */
typedef enum
{
  WP_FLAME_AUTO,      /* by the trace: frames with "func" are those of the newer programs */
  WP_FLAME_STORED,    /* as 0.16.9 writes all of them */
  WP_FLAME_UID_FIRST, /* as 0.22 and later write all of them */
} WpFlameOrder;

/* Appends the line of a resource, with its line end. FALSE, and nothing: it frees, or has no trace. */
gboolean wp_flame_line (const WpProfile *profile, guint32 resource, WpFlameOrder order, GString *out);
