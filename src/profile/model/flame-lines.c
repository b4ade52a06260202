#include "profile/model/flame-lines.h"

static void
append_text (const WpValues *values, WpValue value, GString *out)
{
  wp_value_str (values, value, out);
}

/* {"func": NAME}, {"function", "source", "line"}, or a plain text. */
static void
append_frame (const WpValues *values, WpValue frame, GString *out)
{
  WpValue func = wp_value_get (values, frame, "func"), function = wp_value_get (values, frame, "function");

  if (func != 0)
    append_text (values, func, out);
  else if (function != 0)
    {
      append_text (values, function, out);
      g_string_append (out, "()~");
      append_text (values, wp_value_get (values, frame, "source"), out);
      g_string_append_c (out, '~');
      append_text (values, wp_value_get (values, frame, "line"), out);
    }
  else
    append_text (values, frame, out);
}

static void
append_trace (const WpValues *values, WpValue trace, gboolean reversed, GString *out)
{
  for (guint32 i = 0, n = wp_value_count (values, trace); i < n; i++)
    {
      g_string_append (out, i > 0 ? ";" : "");
      append_frame (values, wp_value_item (values, trace, reversed ? n - 1 - i : i), out);
    }
}

static gboolean
is_uid_first (const WpProfile *profile, WpValue trace, WpFlameOrder order)
{
  const WpValues *values = profile->values;

  if (order != WP_FLAME_AUTO)
    return order == WP_FLAME_UID_FIRST;
  if (wp_value_count (values, trace) == 0)
    return profile->shape == WP_PROFILE_TYPE_MAP;
  return wp_value_get (values, wp_value_item (values, trace, 0), "func") != 0;
}

gboolean
wp_flame_line (const WpProfile *profile, guint32 resource, WpFlameOrder order, GString *out)
{
  const WpValues *values = profile->values;
  WpValue trace = wp_profile_trace (profile, resource), uid = wp_profile_field (profile, resource, "uid");
  guint32 n = wp_value_count (values, trace);
  gboolean uid_first;

  if (g_str_equal (wp_value_string (values, wp_profile_field (profile, resource, "subtype")), "free"))
    return FALSE;
  if (wp_value_kind (values, trace) != WP_VALUE_ARRAY)
    return FALSE;
  uid_first = is_uid_first (profile, trace, order) && uid != 0;
  if (n == 0 && !uid_first)
    return FALSE;
  if (uid_first)
    {
      append_frame (values, uid, out);
      g_string_append (out, n > 0 ? ";" : "");
    }
  append_trace (values, trace, uid_first, out);
  g_string_append_c (out, ' ');
  append_text (values, wp_profile_field (profile, resource, "amount"), out);
  g_string_append_c (out, '\n');
  return TRUE;
}
