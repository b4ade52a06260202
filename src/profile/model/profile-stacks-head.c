#include "profile/model/profile-stacks-head.h"

#include "base/find.h"
#include "profile/model/profile-stacks.h"
#include "stacks/perun.h"

typedef struct
{
  const WpProfile *profile;
  const WpValues *values;
  WpValue params; /* of the collector */
  WpStacks *stacks;
} Head;

static WpId
text_of (const Head *self, WpValue object, const char *key)
{
  return wp_strings_intern (self->stacks->strings, wp_value_string (self->values, wp_value_get (self->values, object, key)));
}

static gint64
number_of (const Head *self, const char *key)
{
  return wp_value_int (self->values, wp_value_get (self->values, self->params, key));
}

guint64
wp_profile_address (const WpProfile *profile, WpValue address)
{
  const WpValues *values = profile->values;

  return wp_value_kind (values, address) == WP_VALUE_NUMBER ? g_ascii_strtoull (wp_value_string (values, address), NULL, 10)
                                                            : (guint64) wp_value_int (values, address);
}

/* The items of a list; without one there are none. */
static guint32
count_of (const Head *self, WpValue list)
{
  return wp_value_kind (self->values, list) == WP_VALUE_ARRAY ? wp_value_count (self->values, list) : 0;
}

static void
read_header (const Head *self)
{
  WpStacksHeader *header = &self->stacks->header;
  WpValue period_type = wp_value_get (self->values, self->params, "period_type");

  header->default_type = text_of (self, self->params, "default");
  header->period = number_of (self, "period");
  header->time = number_of (self, "time");
  header->duration = number_of (self, "duration");
  header->period_type = (WpValueType) { text_of (self, period_type, "type"), text_of (self, period_type, "unit") };
  header->drop = text_of (self, self->params, "drop");
  header->keep = text_of (self, self->params, "keep");
  header->doc_url = text_of (self, self->params, "doc_url");
}

static void
read_comments (const Head *self)
{
  WpValue comments = wp_value_get (self->values, self->params, "comments");

  for (guint32 i = 0, n = count_of (self, comments); i < n; i++)
    wp_array_push (&self->stacks->comments,
                   wp_strings_intern (self->stacks->strings, wp_value_string (self->values, wp_value_item (self->values, comments, i))));
}

static guint64
address_of (const Head *self, WpValue object, const char *key)
{
  return wp_profile_address (self->profile, wp_value_get (self->values, object, key));
}

/* Words that are not known are skipped. */
static guint8
read_has (const Head *self, WpValue module)
{
  WpValue list = wp_value_get (self->values, module, "has");
  guint8 has = 0;

  if (wp_value_kind (self->values, list) != WP_VALUE_ARRAY)
    return WP_MODULE_HAS_FUNCTIONS;
  for (guint32 i = 0, n = count_of (self, list); i < n; i++)
    {
      guint bit = WP_FIND_NAME (wp_perun_module_has, wp_value_string (self->values, wp_value_item (self->values, list, i)));

      if (bit < WP_PERUN_MODULE_HAS)
        has |= (guint8) (1u << bit);
    }
  return has;
}

static void
read_modules (const Head *self)
{
  WpValue modules = wp_value_get (self->values, self->params, "modules");

  for (guint32 i = 0, n = count_of (self, modules); i < n; i++)
    {
      WpValue module = wp_value_item (self->values, modules, i);

      wp_array_push (&self->stacks->frames->modules, ((WpStackModule) { .file = text_of (self, module, "file"),
                                                                        .build_id = text_of (self, module, "build_id"),
                                                                        .start = address_of (self, module, "start"),
                                                                        .limit = address_of (self, module, "limit"),
                                                                        .offset = address_of (self, module, "offset"),
                                                                        .has = read_has (self, module) }));
    }
}

void
wp_profile_stacks_head (const WpProfile *profile, WpStacks *stacks)
{
  const Head self = { profile, profile->values, wp_value_get (profile->values, profile->collector, "params"), stacks };

  read_header (&self);
  read_comments (&self);
  read_modules (&self);
}

gboolean
wp_profile_is_stacks (const WpProfile *profile)
{
  return g_str_equal (wp_profile_collector_name (profile), WP_PERUN_STACKS);
}
