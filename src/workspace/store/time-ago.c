#include "workspace/store/time-ago.h"

#include <glib/gi18n.h>

char *
wp_ago (GDateTime *time)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autoptr (GDateTime) local = g_date_time_to_local (time);
  GTimeSpan span = g_date_time_difference (now, local);
  gboolean today = g_date_time_get_year (now) == g_date_time_get_year (local) && g_date_time_get_day_of_year (now) == g_date_time_get_day_of_year (local);

  if (span < G_TIME_SPAN_MINUTE)
    return g_strdup (_("just now"));
  if (span < G_TIME_SPAN_HOUR)
    return g_strdup_printf (ngettext ("%d minute ago", "%d minutes ago", (int) (span / G_TIME_SPAN_MINUTE)),
                            (int) (span / G_TIME_SPAN_MINUTE));
  return g_date_time_format (local, today ? "%R" : "%x");
}
