/* Figures of profiles that were made of stacks (stacks/perun.h). Each value type has its own; what they come to stands before the resources. */
#pragma once

#include "profile/model/figures.h"
#include "profile/model/profile.h"

typedef struct
{
  char *name, *unit;
  gint64 total;
  gboolean is_default;
} WpTypeTotal;

/* Of the beginning of a document: its value types, WpTypeTotal. Free with g_ptr_array_unref(). NULL: it was not made of stacks, or is too short. */
GPtrArray *wp_type_totals_read (const char *name, const char *text, gsize n);

/* What a function took, of one of these types. */
gboolean wp_figure_of_stacks (const WpFigure *figure, const WpProfile *profile, const char *type, WpFigureValue *value, WpProgress *progress,
                              GError **error);

void wp_figure_set_measured (WpFigureValue *value, double number, const char *unit);
