/* What the charts of a profile share: fields, units and how many series there are. */
#pragma once

#include "view/kind-others.h"
#include "view/kinds-private.h"

#define WP_KIND_SERIES_MOST 7             /* beside the others, which have the last of the colours */
#define WP_KIND_ALL (G_MAXUINT32 - 1)     /* as many as there are */

const char *wp_kind_field_or (const char *chosen, const char *otherwise);
gboolean wp_kind_has_number (const WpKinds *self, const char *field); /* whether it is one of the fields that hold numbers */

/* Amounts have the unit of the profile, after they have been multiplied by their factor; other fields have none, and 1. */
void wp_kind_set_unit (WpKinds *self, WpChartAxis *axis, const char *field);
double wp_kind_factor (const WpKinds *self, const char *field);
gboolean wp_kind_keeps_unit (WpGroupFunc func); /* counts have no unit */

WpChart *wp_kind_grouped_chart (WpKinds *self, WpGroupFunc func, const char *of, const char *per); /* with title and axes */
