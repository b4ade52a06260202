#include "profile/model/profile-stacks.h"

#include "base/pair-map.h"
#include "base/unit.h"
#include "profile/model/profile-stacks-head.h"
#include "stacks/maker.h"
#include "stacks/perun.h"

#include <glib/gi18n.h>
#include <math.h>

#define STEP 4096  /* resources from one look at the progress to the next */
#define MOST_TYPES 64 /* each has a column */
#define FINE 1e6   /* shares are no whole numbers: this many to one */

typedef struct
{
  WpValue resources; /* the type of those that have it; of ours the name of the type. 0: those without one */
  double factor;     /* of amounts */
} Type;

/* Keys of resources and frames; 0: the profile has none. */
typedef struct
{
  WpValue amount, uid, trace, snapshot, time, type, subtype, timestamp, values, labels, numbers, function, func, source, line, module, mapping,
    address, inlined, no_symbol, folded, value, unit, free;
} Keys;

typedef struct
{
  const WpProfile *profile;
  const WpValues *values;
  Keys keys;
  gboolean ours; /* written by wp_perun_write() */
  gboolean has_snapshots, has_moments;
  WpStacksMaker maker;
  WpStacks *stacks;       /* the maker's */
  WP_ARRAY (Type) types;  /* as those of the stacks */
  guint32 default_type;
  WpPairMap traces;    /* trace → stack + 1 */
  WpPairMap functions; /* frame → function */
  WpPairMap locations; /* frame, row of those that are inlined in it → location */
  WpPairMap rows;      /* row of inlined frames, one more → the longer row */
  WpId inlined;        /* row at hand */
  WP_ARRAY (WpStackLine) lines; /* of that row */
  WpPairMap modules;   /* name → module */
  guint32 n_mappings;  /* modules that the collector names; 0: it names none */
  WpIdArray run;       /* of the stack at hand */
} Reader;

static WpId
intern (Reader *self, const char *text)
{
  return wp_strings_intern (self->stacks->strings, text);
}

static WpId
intern_value (Reader *self, WpValue value)
{
  return intern (self, wp_value_string (self->values, value));
}

static void
find_keys (Reader *self)
{
#define KEY(name) self->keys.name = wp_values_find_string (self->values, #name)
  KEY (amount), KEY (uid), KEY (trace), KEY (snapshot), KEY (time), KEY (type), KEY (subtype), KEY (timestamp), KEY (values), KEY (labels);
  KEY (numbers), KEY (function), KEY (func), KEY (source), KEY (line), KEY (module), KEY (address), KEY (inlined), KEY (no_symbol), KEY (value);
  KEY (unit), KEY (free), KEY (mapping), KEY (folded);
#undef KEY
}

/* --- types -------------------------------------------------------------------------------------------------------- */

/* Of a few: each resource is compared with all. */
static guint32
find_type (const Reader *self, WpValue resources)
{
  guint32 t = 0;

  while (t < self->types.len && self->types.data[t].resources != resources)
    t++;
  return t;
}

static void
add_type (Reader *self, WpValue resources, const char *name, const char *unit, double factor)
{
  wp_array_push (&self->types, ((Type) { resources, factor }));
  wp_stacks_maker_type (&self->maker, intern (self, name), intern (self, unit));
}

static const char *
unit_of (const Reader *self, WpValue type)
{
  WpValue units = wp_value_get (self->values, self->profile->header, "units"), unit = wp_value_find (self->values, units, type);

  return unit != 0 ? wp_value_string (self->values, unit) : wp_profile_unit (self->profile);
}

static gboolean
has_fractions (const Reader *self, WpValue type)
{
  for (guint32 i = 0; i < self->profile->resources.len; i++)
    {
      WpValue resource = self->profile->resources.data[i].value, amount = wp_value_find (self->values, resource, self->keys.amount);

      if (wp_value_kind (self->values, amount) == WP_VALUE_REAL && wp_value_find (self->values, resource, self->keys.type) == type
          && wp_value_number (self->values, amount) != floor (wp_value_number (self->values, amount)))
        return TRUE;
    }
  return FALSE;
}

/* Amounts become whole numbers of the smallest unit of their kind. */
static void
add_type_of_resources (Reader *self, WpValue type)
{
  const char *name = type != 0 ? wp_value_string (self->values, type) : wp_profile_header (self->profile, "type"), *unit = unit_of (self, type);
  double factor;
  WpUnit kind = wp_unit_from_name (unit, &factor);
  g_autofree char *fine = NULL;

  if (kind == WP_UNIT_PLAIN && has_fractions (self, type))
    {
      unit = fine = g_strdup_printf ("1e-6 %s", unit);
      factor = FINE;
    }
  else if (kind != WP_UNIT_PLAIN)
    unit = kind == WP_UNIT_TIME ? "nanoseconds" : "bytes";
  add_type (self, type, g_str_equal (name, "memory") ? "alloc_space" : *name != '\0' ? name : "amount", *unit != '\0' ? unit : "count", factor);
}

static gboolean
find_types_of_resources (Reader *self, GError **error)
{
  for (guint32 i = 0; i < self->profile->resources.len; i++)
    {
      WpValue type = wp_value_find (self->values, self->profile->resources.data[i].value, self->keys.type);

      if (wp_value_kind (self->values, type) != WP_VALUE_STRING)
        type = 0;
      if (find_type (self, type) == self->types.len)
        add_type_of_resources (self, type);
      if (self->types.len <= MOST_TYPES)
        continue;
      g_set_error (error, WP_JSON_ERROR, WP_JSON_ERROR_VALUE, _("%s: there are more than %d types of resources"), self->profile->path, MOST_TYPES);
      return FALSE;
    }
  if (self->types.len == 0)
    add_type_of_resources (self, 0);
  self->default_type = self->types.len - 1;
  self->has_snapshots = self->has_moments = self->profile->snapshots.len > 0;
  return TRUE;
}

/* As the collector says them. */
static gboolean
find_own_types (Reader *self, GError **error)
{
  const WpValues *values = self->values;
  WpValue params = wp_value_get (values, self->profile->collector, "params"), types = wp_value_get (values, params, "types");
  guint32 n = wp_value_kind (values, types) == WP_VALUE_ARRAY ? wp_value_count (values, types) : 0;

  if (n == 0 || n > MOST_TYPES)
    {
      g_set_error (error, WP_JSON_ERROR, WP_JSON_ERROR_VALUE, _("%s: collector_info.params.types: must be a list of 1 to %d types"),
                   self->profile->path, MOST_TYPES);
      return FALSE;
    }
  for (guint32 i = 0; i < n; i++)
    {
      WpValue type = wp_value_item (values, types, i), name = wp_value_find (values, type, self->keys.type);

      add_type (self, name, wp_value_string (values, name), wp_value_string (values, wp_value_find (values, type, self->keys.unit)), 1);
    }
  self->default_type = find_type (self, wp_value_get (values, params, "default")) % n;
  wp_profile_stacks_head (self->profile, self->stacks);
  self->n_mappings = self->stacks->frames->modules.len;
  self->has_snapshots = wp_value_is_true (values, wp_value_get (values, params, "snapshots"));
  self->has_moments = wp_value_is_true (values, wp_value_get (values, params, "moments"));
  return TRUE;
}

/* --- stacks ------------------------------------------------------------------------------------------------------- */

/* Those of ours are rows of a table; others have a name. */
static WpId
module_of (Reader *self, WpValue frame)
{
  gint64 mapping = wp_value_int (self->values, wp_value_find (self->values, frame, self->keys.mapping));
  WpValue name = wp_value_find (self->values, frame, self->keys.module);
  WpId *module = name != 0 ? wp_pair_map_at (&self->modules, name, 0) : NULL;

  if (mapping > 0 && mapping < self->n_mappings)
    return (WpId) mapping;
  if (module == NULL)
    return 0;
  if (*module == 0)
    {
      wp_array_push (&self->stacks->frames->modules, ((WpStackModule) { .file = intern_value (self, name), .has = WP_MODULE_HAS_FUNCTIONS }));
      *module = self->stacks->frames->modules.len - 1;
    }
  return *module;
}

static WpId
name_of (Reader *self, WpValue frame)
{
  WpValue name = wp_value_find (self->values, frame, self->keys.function);
  g_autoptr (GString) text = g_string_new (NULL);

  if (name == 0)
    name = wp_value_find (self->values, frame, self->keys.func);
  wp_value_str (self->values, name != 0 ? name : frame, text);
  return intern (self, text->str);
}

/* The line of a frame: {"function", "source", "line"}, {"func"} or a text. */
static WpStackLine
line_of (Reader *self, WpValue frame)
{
  WpFrames *frames = self->stacks->frames;
  WpId *function = wp_pair_map_at (&self->functions, frame, 0), name;

  if (*function == 0)
    {
      name = name_of (self, frame);
      wp_array_push (&frames->functions, ((WpStackFunction) { .name = name, .system_name = name,
                                                              .file = intern_value (self, wp_value_find (self->values, frame, self->keys.source)) }));
      *function = frames->functions.len - 1;
    }
  return (WpStackLine) { .function = *function, .line = wp_value_int (self->values, wp_value_find (self->values, frame, self->keys.line)) };
}

/* The location of a frame in which the inlined ones at hand stand. Equal frames are one value, and rows of inlined ones have a number. */
static WpId
location_of (Reader *self, WpValue frame)
{
  WpFrames *frames = self->stacks->frames;
  WpId *location = wp_pair_map_at (&self->locations, frame, self->inlined);
  guint64 address = self->ours ? wp_profile_address (self->profile, wp_value_find (self->values, frame, self->keys.address)) : 0;
  gboolean folded = self->ours && wp_value_is_true (self->values, wp_value_find (self->values, frame, self->keys.folded));

  if (*location != 0)
    return *location;
  if (!self->ours || !wp_value_is_true (self->values, wp_value_find (self->values, frame, self->keys.no_symbol)))
    wp_array_push (&self->lines, line_of (self, frame));
  wp_array_push (&frames->locations, ((WpLocation) { address, module_of (self, frame), frames->lines.len, self->lines.len, (guint8) folded }));
  for (guint32 l = 0; l < self->lines.len; l++)
    wp_array_push (&frames->lines, self->lines.data[l]);
  return *location = frames->locations.len - 1;
}

/* Innermost first; inlined ones of ours wait for what they stand in. */
static void
push_frame (Reader *self, WpValue frame, gboolean inlined)
{
  if (inlined)
    {
      WpId *row = wp_pair_map_at (&self->rows, self->inlined, frame);

      if (*row == 0)
        *row = self->rows.n;
      self->inlined = *row;
      wp_array_push (&self->lines, line_of (self, frame));
      return;
    }
  wp_array_push (&self->run, location_of (self, frame));
  self->inlined = 0;
  self->lines.len = 0;
}

static gboolean
is_outermost_first (const Reader *self, WpValue trace)
{
  return wp_value_kind (self->values, trace) == WP_VALUE_ARRAY && wp_value_count (self->values, trace) > 0
         && wp_value_find (self->values, wp_value_item (self->values, trace, 0), self->keys.func) != 0;
}

static WpId
stack_of_trace (Reader *self, WpValue trace)
{
  const WpValues *values = self->values;
  guint32 n = wp_value_kind (values, trace) == WP_VALUE_ARRAY ? wp_value_count (values, trace) : 0;
  gboolean outermost_first = is_outermost_first (self, trace);
  WpId *stack = wp_pair_map_at (&self->traces, trace, 0);

  if (*stack != 0)
    return *stack - 1;
  self->run.len = 0;
  for (guint32 i = 0; i < n; i++)
    {
      WpValue frame = wp_value_item (values, trace, outermost_first ? n - 1 - i : i);

      push_frame (self, frame, self->ours && i + 1 < n && wp_value_is_true (values, wp_value_find (values, frame, self->keys.inlined)));
    }
  wp_stack_reverse (&self->run);
  *stack = wp_stacks_maker_stack (&self->maker, 0, self->run.data, self->run.len) + 1;
  return *stack - 1;
}

/* Frames with "function" stand innermost first, and the uid is one of them; those with "func" (since 0.22) stand outermost first, and the uid is
 * what they called. */
static WpId
stack_of (Reader *self, WpValue trace, WpValue uid)
{
  WpId stack = stack_of_trace (self, trace);

  if (!wp_value_is_true (self->values, uid) || (stack != 0 && !is_outermost_first (self, trace)) || self->ours)
    return stack;
  self->run.len = 0;
  push_frame (self, uid, FALSE);
  return wp_stacks_maker_stack (&self->maker, stack, self->run.data, self->run.len);
}

/* --- labels ------------------------------------------------------------------------------------------------------- */

static void
add_label (Reader *self, WpValue key, WpValue value, WpValue unit)
{
  WpValueKind kind = wp_value_kind (self->values, value);

  if (kind == WP_VALUE_STRING)
    wp_stacks_maker_label (&self->maker, intern_value (self, key), intern_value (self, value));
  else if (kind == WP_VALUE_INT)
    wp_stacks_maker_number (&self->maker, intern_value (self, key), wp_value_int (self->values, value), intern_value (self, unit));
}

/* Of ours, several values of a key are an array, and a number with a unit an object of both. */
static void
add_own_label (Reader *self, WpValue key, WpValue value)
{
  const WpValues *values = self->values;
  gboolean several = wp_value_kind (values, value) == WP_VALUE_ARRAY;

  for (guint32 i = 0; i < (several ? wp_value_count (values, value) : 1); i++)
    {
      WpValue one = several ? wp_value_item (values, value, i) : value;

      if (wp_value_kind (values, one) == WP_VALUE_OBJECT)
        add_label (self, key, wp_value_find (values, one, self->keys.value), wp_value_find (values, one, self->keys.unit));
      else
        add_label (self, key, one, 0);
    }
}

/* Whether a resource's field is something else than a label. */
static gboolean
is_known (const Reader *self, WpValue key)
{
  const Keys *keys = &self->keys;

  if (key == keys->amount || key == keys->uid || key == keys->trace || key == keys->snapshot || key == keys->time)
    return TRUE;
  return self->ours && (key == keys->type || key == keys->timestamp || key == keys->values || key == keys->labels || key == keys->numbers);
}

static void
add_own_labels (Reader *self, WpValue labels)
{
  for (guint32 i = 0, n = wp_value_kind (self->values, labels) == WP_VALUE_OBJECT ? wp_value_count (self->values, labels) : 0; i < n; i++)
    add_own_label (self, wp_value_key (self->values, labels, i), wp_value_item (self->values, labels, i));
}

static void
add_labels (Reader *self, const WpResource *resource)
{
  const WpValues *values = self->values;

  for (guint32 i = 0, n = wp_value_count (values, resource->value); i < n; i++)
    {
      WpValue key = wp_value_key (values, resource->value, i), value = wp_value_item (values, resource->value, i);

      if (!is_known (self, key) && !(self->ours && key == self->keys.subtype && find_type (self, value) < self->types.len))
        add_label (self, key, value, 0);
    }
  if (self->ours)
    {
      add_own_labels (self, wp_value_find (values, resource->value, self->keys.labels));
      add_own_labels (self, wp_value_find (values, resource->value, self->keys.numbers));
    }
  if (self->has_snapshots && resource->snapshot < self->profile->snapshots.len)
    wp_stacks_maker_number (&self->maker, intern (self, WP_PERUN_SNAPSHOT), resource->snapshot, 0);
}

/* --- samples ------------------------------------------------------------------------------------------------------ */

static gint64
whole (const Reader *self, WpValue number, double factor)
{
  double d = wp_value_number (self->values, number) * factor;

  if (wp_value_kind (self->values, number) == WP_VALUE_INT && factor == 1)
    return wp_value_int (self->values, number);
  return isfinite (d) ? (gint64) CLAMP (round (d), -9.2e18, 9.2e18) : 0;
}

/* The amount is of the type that the subtype names, other types' values stand in "values". */
static void
take_own_values (const Reader *self, WpValue resource, gint64 *numbers)
{
  const WpValues *values = self->values;
  WpValue others = wp_value_find (values, resource, self->keys.values);
  guint32 type = find_type (self, wp_value_find (values, resource, self->keys.subtype));

  numbers[type < self->types.len ? type : self->default_type] = whole (self, wp_value_find (values, resource, self->keys.amount), 1);
  for (guint32 i = 0, n = wp_value_kind (values, others) == WP_VALUE_OBJECT ? wp_value_count (values, others) : 0; i < n; i++)
    {
      type = find_type (self, wp_value_key (values, others, i));
      if (type < self->types.len)
        numbers[type] = whole (self, wp_value_item (values, others, i), 1);
    }
}

static void
take_amount (const Reader *self, WpValue resource, gint64 *numbers)
{
  WpValue type = wp_value_find (self->values, resource, self->keys.type), subtype = wp_value_find (self->values, resource, self->keys.subtype);
  guint32 t = find_type (self, wp_value_kind (self->values, type) == WP_VALUE_STRING ? type : 0);

  if (subtype == 0 || subtype != self->keys.free)
    numbers[t] = whole (self, wp_value_find (self->values, resource, self->keys.amount), self->types.data[t].factor);
}

/* The time of a snapshot is a text, in seconds. */
static gint64
moment_of (const Reader *self, const WpResource *resource)
{
  const WpProfile *profile = self->profile;
  WpValue timestamp = wp_value_find (self->values, resource->value, self->keys.timestamp);
  WpValue time = resource->snapshot < profile->snapshots.len ? profile->snapshots.data[resource->snapshot] : 0;

  if (self->ours && timestamp != 0)
    return whole (self, timestamp, 1);
  return (gint64) CLAMP (round (g_ascii_strtod (wp_value_string (self->values, time), NULL) * 1e9), -9.2e18, 9.2e18);
}

static void
add_sample (Reader *self, const WpResource *resource)
{
  gint64 numbers[MOST_TYPES] = { 0 };
  WpId stack = stack_of (self, wp_value_find (self->values, resource->value, self->keys.trace),
                         wp_value_find (self->values, resource->value, self->keys.uid));

  if (self->ours)
    take_own_values (self, resource->value, numbers);
  else
    take_amount (self, resource->value, numbers);
  add_labels (self, resource);
  wp_stacks_maker_sample (&self->maker, stack, numbers);
  if (self->has_moments)
    wp_array_push (&self->stacks->moments, moment_of (self, resource));
}

static gboolean
add_samples (Reader *self, WpProgress *progress, GError **error)
{
  guint32 n = self->profile->resources.len;

  wp_progress_phase (progress, "Gathering stacks");
  for (guint32 i = 0; i < n; i++)
    {
      add_sample (self, &self->profile->resources.data[i]);
      if (i % STEP == 0 && !wp_progress_step (progress, (double) i / n, error))
        return FALSE;
    }
  return TRUE;
}

WpStacks *
wp_profile_stacks (const WpProfile *profile, WpProgress *progress, GError **error)
{
  Reader self = { .profile = profile, .values = profile->values };
  g_autofree char *command = wp_profile_command (profile);
  WpStacks *stacks = NULL;

  wp_stacks_maker_init (&self.maker);
  self.stacks = self.maker.stacks;
  self.ours = wp_profile_is_stacks (profile);
  find_keys (&self);
  if (*command != '\0' && !self.ours)
    wp_array_push (&self.stacks->comments, intern (&self, command));
  if ((self.ours ? find_own_types (&self, error) : find_types_of_resources (&self, error)) && add_samples (&self, progress, error))
    stacks = wp_stacks_maker_take (&self.maker);
  wp_stacks_maker_clear (&self.maker);
  wp_array_clear (&self.types);
  wp_pair_map_clear (&self.traces);
  wp_pair_map_clear (&self.functions);
  wp_pair_map_clear (&self.locations);
  wp_pair_map_clear (&self.rows);
  wp_array_clear (&self.lines);
  wp_pair_map_clear (&self.modules);
  wp_array_clear (&self.run);
  return stacks;
}
