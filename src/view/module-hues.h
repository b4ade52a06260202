/* Which colour the boxes of each module have, where flame views are coloured by modules: programs and libraries. The largest have hues of their own, which hang
 * on their names like those of processes (view/bodies.h); all others share one, and the kernel's frames have that in pale. */
#pragma once

#include "paths/depth.h"
#include "view/rows.h"

#define WP_MODULE_HUES 8 /* WP_BODY_FIRST … */

typedef struct
{
  const WpTrace *trace;
  guint8 *of_module; /* by module of the trace: WP_BODY_* */
  WpIdArray order;   /* modules with hues, the largest first */
  gboolean others;   /* some have none */
} WpModuleHues;

/* By how long each was on the stacks of the paths' parts. Linear in parts, their samples, and stacks. */
void wp_module_hues_init (WpModuleHues *self, const WpPaths *paths);
void wp_module_hues_clear (WpModuleHues *self);

/* Of a frame's module and code (wp_depth_code()). Module 0: of what is no function. */
guint8 wp_module_hue (const WpModuleHues *self, WpId module, guint8 code);

/* Tells rows which modules there are. */
void wp_module_hues_tell (const WpModuleHues *self, WpRows *rows);
