/* convert: what each conversion needs of the command line, and their rows. */
#pragma once

#include "cli/profiles.h"

typedef struct
{
  WpProfile *profile;
  const char *format, *frames, *function, *of, *per, *by, *through; /* as they were given, else defaults; `per` may be NULL */
  gboolean accumulate;
  GString *out;
  WpJsonWriter *json; /* writes to it */
} WpConversion;

/* Return FALSE and an error when the profile has not what it takes. */
typedef gboolean (*WpConvertFunc) (WpConversion *self, GError **error);

gboolean wp_convert_heap_map (WpConversion *self, GError **error);
gboolean wp_convert_heat_map (WpConversion *self, GError **error);
gboolean wp_convert_plot (WpConversion *self, GError **error);
gboolean wp_convert_bars (WpConversion *self, GError **error);
gboolean wp_convert_flow (WpConversion *self, GError **error);
gboolean wp_convert_scatter (WpConversion *self, GError **error);
