/* What stands above the two flame views: whose they are, and their options. */
#pragma once

#include "app/page/views.h"

typedef struct
{
  GtkLabel *names[WP_N_VIEWS]; /* of the flame views */
  GtkWidget *depths;           /* the chooser of the one in time order */
} WpFlameBars;

WpFlameBars wp_flame_bars_build (WpViews *views); /* fills their toolbars, which own the widgets */
void wp_flame_bars_show (const WpFlameBars *self, const WpAnalysis *analysis, gboolean of_range); /* analysis: NULL: nobody's */
