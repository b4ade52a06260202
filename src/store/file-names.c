/* Names of files by format.output_profile_template. */
#include "store/store.h"

#include "profile/model/query.h"

#include <string.h>

/* What a file's name should not hold becomes "_". */
static void
append_clean (GString *out, const char *text)
{
  for (; *text != '\0'; text++)
    g_string_append_c (out, strchr ("# %&{}\\<>*?/$!'\":@", *text) != NULL ? '_' : *text);
}

static const char *
base_name (const char *path)
{
  const char *slash = strrchr (path, '/');

  return slash != NULL ? slash + 1 : path;
}

static const char *
or_blank (const char *text)
{
  return text != NULL && *text != '\0' ? text : "_";
}

static void
append_bracketed (GString *out, const char *text)
{
  g_string_append_c (out, '[');
  append_clean (out, or_blank (text));
  g_string_append_c (out, ']');
}

static void
put_collector (GString *out, const WpProfile *profile)
{
  g_string_append (out, or_blank (wp_profile_collector_name (profile)));
}

static const char *
name_of (const WpProfile *profile, WpValue postprocessor)
{
  return wp_value_string (profile->values, wp_value_get (profile->values, postprocessor, "name"));
}

static void
put_postprocessors (GString *out, const WpProfile *profile)
{
  if (profile->postprocessors.len == 0)
    g_string_append (out, "_");
  for (guint32 i = 0; i < profile->postprocessors.len; i++)
    g_string_append_printf (out, "%s%s", i == 0 ? "after-" : "-and-", name_of (profile, profile->postprocessors.data[i]));
}

static void
put_cmd (GString *out, const WpProfile *profile)
{
  g_string_append (out, base_name (or_blank (wp_profile_header (profile, "cmd"))));
}

static void
put_args (GString *out, const WpProfile *profile)
{
  append_bracketed (out, wp_profile_header (profile, "args"));
}

static void
put_workload (GString *out, const WpProfile *profile)
{
  append_bracketed (out, base_name (or_blank (wp_profile_header (profile, "workload"))));
}

static void
put_type (GString *out, const WpProfile *profile)
{
  g_string_append (out, or_blank (wp_profile_header (profile, "type")));
}

static void
put_label (GString *out, const WpProfile *profile)
{
  append_clean (out, or_blank (wp_profile_header (profile, "label")));
}

static void
put_date (GString *out, const WpProfile *profile G_GNUC_UNUSED)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();
  g_autofree char *text = g_date_time_format (now, "%Y-%m-%d-%H-%M-%S");

  g_string_append (out, text);
}

static void
put_origin (GString *out, const WpProfile *profile)
{
  g_string_append (out, or_blank (profile->origin));
}

static void
put_counter (GString *out, const WpProfile *profile G_GNUC_UNUSED)
{
  static int counter;

  g_string_append_printf (out, "%d", g_atomic_int_add (&counter, 1) + 1);
}

static void
put_percent (GString *out, const WpProfile *profile G_GNUC_UNUSED)
{
  g_string_append (out, "%%");
}

/* The params of the collector or postprocessor of that name. */
static WpValue
find_params (const WpProfile *profile, const char *unit)
{
  WpValue found = 0;

  if (g_str_equal (wp_profile_collector_name (profile), unit))
    return wp_value_get (profile->values, profile->collector, "params");
  for (guint32 i = 0; i < profile->postprocessors.len; i++)
    if (g_str_equal (name_of (profile, profile->postprocessors.data[i]), unit))
      found = wp_value_get (profile->values, profile->postprocessors.data[i], "params");
  return found;
}

/* "UNIT.PARAM", the param being a path with colons: of what it leads to the first, as "sampling::func" leads to those of all items of a list. */
static void
put_param (GString *out, const WpProfile *profile, const char *token)
{
  const char *dot = strchr (token, '.');
  g_autofree char *unit = g_strndup (token, (gsize) (dot - token));
  g_autoptr (GString) text = g_string_new (NULL);
  WpIdArray found = { 0 };
  WpKeyPath path;

  wp_key_path_init (&path, profile, dot + 1);
  wp_query_key_values (profile->values, find_params (profile, unit), &path, &found);
  if (found.len > 0)
    wp_value_str (profile->values, found.data[0], text);
  append_clean (out, or_blank (text->str));
  wp_key_path_clear (&path);
  wp_array_clear (&found);
}

typedef struct
{
  const char *token;
  void (*put) (GString *out, const WpProfile *profile);
} Tag;

/* Tried in this order; a parameter of a unit stands between the two, and so takes over what looks like one. */
static const Tag first_tags[] = { { "%collector%", put_collector }, { "%postprocessors%", put_postprocessors } };
static const Tag later_tags[] = { { "%cmd%", put_cmd },   { "%args%", put_args },     { "%workload%", put_workload },
                                  { "%type%", put_type }, { "%date%", put_date },     { "%origin%", put_origin },
                                  { "%label%", put_label }, { "%counter%", put_counter }, { "%%", put_percent } };

static gsize
put_tag (GString *out, const WpProfile *profile, const Tag *tags, guint n, const char *at)
{
  for (guint i = 0; i < n; i++)
    if (g_str_has_prefix (at, tags[i].token))
      {
        tags[i].put (out, profile);
        return strlen (tags[i].token);
      }
  return 0;
}

/* "%UNIT.PARAM%", where the unit is all up to the first point, other tags included: that is how Perun reads it. */
static gsize
put_unit (GString *out, const WpProfile *profile, const char *at)
{
  const char *dot = strchr (at + 1, '.'), *end = dot != NULL ? strchr (dot, '%') : NULL;
  g_autofree char *token = NULL;

  if (end == NULL || dot == at + 1 || end == dot + 1)
    return 0;
  token = g_strndup (at + 1, (gsize) (end - at - 1));
  put_param (out, profile, token);
  return (gsize) (end - at) + 1;
}

char *
wp_store_name (const WpProfile *profile, const char *format, GError **error)
{
  g_autoptr (GString) out = g_string_new (NULL);

  for (const char *at = format; *at != '\0';)
    {
      gsize n = strcspn (at, "%");

      g_string_append_len (out, at, (gssize) n);
      at += n;
      if (*at == '\0')
        break;
      n = put_tag (out, profile, first_tags, G_N_ELEMENTS (first_tags), at);
      if (n == 0)
        n = put_unit (out, profile, at);
      if (n == 0)
        n = put_tag (out, profile, later_tags, G_N_ELEMENTS (later_tags), at);
      if (n == 0)
        {
          g_set_error (error, WP_STORE_ERROR, WP_STORE_ERROR_NOT_FOUND,
                       "format.output_profile_template: “%s”: nothing is called “%s”", format, at);
          return NULL;
        }
      at += n;
    }
  g_string_append (out, ".perf");
  return g_string_free (g_steal_pointer (&out), FALSE);
}
