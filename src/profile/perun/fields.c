/* One table of documented fields, and the look at a document that it steers. */
#include "profile/perun/fields.h"

#include "base/table.h"

#include <glib/gi18n.h>
#include <math.h>

#define KIND(kind) (1u << WP_VALUE_##kind)
#define NUMBER (KIND (INT) | KIND (NUMBER) | KIND (REAL))
#define TRUTH (KIND (FALSE) | KIND (TRUE)) /* counts as 1 and 0 where Perun adds up */

static const char left_out[] = N_ ("left out"), as_it_is[] = N_ ("shown as it is"), stack[] = N_ ("those stacks are left out"),
                  amount[] = N_ ("left out of totals, means and checks"), model[] = N_ ("such models are left out"),
                  grouped[] = N_ ("left out of bars, flows, models and checks"), placed[] = N_ ("left out of the maps of memory");

typedef struct
{
  WpFieldPlace where;
  const char *key; /* NULL: any */
  guint kinds;
  const char *means;
} Field;

static const Field fields[] = {
  { WP_IN_DOCUMENT, "origin", KIND (STRING), left_out },
  { WP_IN_DOCUMENT, "chunks", KIND (OBJECT), left_out },
  { WP_IN_DOCUMENT, "resources", KIND (OBJECT), left_out },
  { WP_IN_DOCUMENT, "resource_type_map", KIND (OBJECT), left_out },
  { WP_IN_DOCUMENT, "models", KIND (ARRAY), left_out },
  { WP_IN_HEADER, "cmd", KIND (STRING), left_out },
  { WP_IN_HEADER, "args", KIND (STRING), left_out },
  { WP_IN_HEADER, "params", KIND (STRING), left_out },
  { WP_IN_HEADER, "workload", KIND (STRING), left_out },
  { WP_IN_HEADER, "label", KIND (STRING), left_out },
  { WP_IN_HEADER, "units", KIND (OBJECT), left_out },
  { WP_IN_UNITS, NULL, KIND (STRING), left_out },
  { WP_IN_STEP, "name", KIND (STRING), left_out },
  { WP_IN_STEP, "params", KIND (OBJECT) | KIND (ARRAY), as_it_is }, /* Perun writes [] */
  { WP_IN_SNAPSHOT, "time", KIND (STRING) | NUMBER, left_out },
  { WP_IN_GLOBAL, "time", KIND (STRING) | NUMBER, left_out },
  { WP_IN_GLOBAL, "timestamp", KIND (STRING) | NUMBER, left_out },
  { WP_IN_RESOURCE, "amount", NUMBER | TRUTH, amount },
  { WP_IN_RESOURCE, "exclusive", NUMBER | TRUTH, amount },
  { WP_IN_RESOURCE, "address", NUMBER, placed },
  { WP_IN_RESOURCE, "uid", KIND (STRING) | KIND (OBJECT), as_it_is },
  { WP_IN_RESOURCE, "type", KIND (STRING), as_it_is },
  { WP_IN_RESOURCE, "subtype", KIND (STRING), as_it_is },
  { WP_IN_RESOURCE, "location", KIND (STRING), as_it_is },
  { WP_IN_RESOURCE, "structure-unit-size", NUMBER, grouped },
  { WP_IN_RESOURCE, "snapshot", NUMBER, N_ ("taken for the first one") },
  { WP_IN_RESOURCE, "order", NUMBER, as_it_is },
  { WP_IN_RESOURCE, "call-order", NUMBER, as_it_is },
  { WP_IN_RESOURCE, "allocation_order", NUMBER, as_it_is },
  { WP_IN_RESOURCE, "timestamp", NUMBER, as_it_is },
  { WP_IN_RESOURCE, "time", KIND (STRING) | NUMBER, as_it_is },
  { WP_IN_RESOURCE, "workload", KIND (STRING), as_it_is },
  { WP_IN_RESOURCE, "command", KIND (STRING), as_it_is },
  { WP_IN_FRAME, "function", KIND (STRING), as_it_is },
  { WP_IN_FRAME, "func", KIND (STRING), as_it_is },
  { WP_IN_FRAME, "source", KIND (STRING), as_it_is },
  { WP_IN_FRAME, "line", NUMBER, as_it_is },
  { WP_IN_MODEL, "uid", KIND (STRING) | KIND (OBJECT), as_it_is },
  { WP_IN_MODEL, "model", KIND (STRING), model },
  { WP_IN_MODEL, "method", KIND (STRING), as_it_is },
  { WP_IN_MODEL, "r_square", NUMBER, left_out },
  { WP_IN_MODEL, "coeffs", KIND (ARRAY), model },
  { WP_IN_MODEL, "bucket_stats", KIND (ARRAY), model },
  { WP_IN_MODEL, "kernel_stats", KIND (ARRAY), model },
  { WP_IN_MODEL, "x_interval_start", NUMBER, model },
  { WP_IN_MODEL, "x_interval_end", NUMBER, model },
  { WP_IN_MODEL, "x_start", NUMBER, model },
  { WP_IN_MODEL, "x_end", NUMBER, model },
  { WP_IN_COEFF, "name", KIND (STRING), as_it_is },
  { WP_IN_COEFF, "value", NUMBER, model },
};

/* A key of the resource that was looked at last: the next one has most often the same. */
typedef struct
{
  WpValue key;
  guint kinds; /* that its value may have without another look */
} LastKey;

struct WpFieldCheck
{
  WpProfile *profile;
  GHashTable *known[WP_N_FIELD_PLACES]; /* key (WpValue) -> Field */
  GHashTable *traces;                   /* trace (WpValue) -> the Field that is wrong in it first, or whole_trace */
  WP_TABLE (WpValue) right;             /* traces and uids in which nothing is wrong */
  WP_ARRAY (LastKey) last;
  gint32 last_uid, last_trace;          /* rows of `last`; -1: it had none */
  WpValue amount, exclusive, trace, chunk, uid, coeffs;
};

static const Field whole_trace, wrong_frame = { WP_IN_RESOURCE, "trace", KIND (OBJECT) | KIND (STRING), as_it_is };

WpFieldCheck *
wp_field_check_new (WpProfile *profile)
{
  WpFieldCheck *self = g_new0 (WpFieldCheck, 1);
  const WpValues *values = profile->values;

  self->profile = profile;
  self->traces = g_hash_table_new (wp_hash_pointer, NULL);
  self->last_uid = self->last_trace = -1;
  for (guint i = 0; i < WP_N_FIELD_PLACES; i++)
    self->known[i] = g_hash_table_new (wp_hash_pointer, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    {
      WpValue key = fields[i].key != NULL ? wp_values_find_string (values, fields[i].key) : 0;

      if (key != 0 || fields[i].key == NULL)
        g_hash_table_insert (self->known[fields[i].where], GUINT_TO_POINTER (key), (gpointer) &fields[i]);
    }
  self->amount = wp_values_find_string (values, "amount");
  self->exclusive = wp_values_find_string (values, "exclusive");
  self->trace = wp_values_find_string (values, "trace");
  self->chunk = wp_values_find_string (values, "chunk");
  self->uid = wp_values_find_string (values, "uid");
  self->coeffs = wp_values_find_string (values, "coeffs");
  return self;
}

void
wp_field_check_free (WpFieldCheck *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < WP_N_FIELD_PLACES; i++)
    g_hash_table_unref (self->known[i]);
  g_hash_table_unref (self->traces);
  WP_TABLE_CLEAR (&self->right);
  wp_array_clear (&self->last);
  g_free (self);
}

static const char *
wanted_kind (guint kinds)
{
  return kinds & KIND (ARRAY) && kinds & KIND (OBJECT) ? N_ ("is neither object nor list")
         : kinds & KIND (ARRAY)                          ? N_ ("is no list")
         : kinds & KIND (OBJECT) && kinds & KIND (STRING) ? N_ ("is neither text nor object")
         : kinds & KIND (OBJECT)                        ? N_ ("is no object")
         : kinds & KIND (STRING) && kinds & KIND (INT)  ? N_ ("is neither text nor number")
         : kinds & KIND (STRING)                        ? N_ ("is no text")
                                                        : N_ ("is no number");
}

static void
tell (WpFieldCheck *self, const char *key, const char *why, const char *means, const char *place, gint64 index)
{
  if (index < 0)
    wp_omissions_add (&self->profile->omissions, key, why, means, "%s", place);
  else
    wp_omissions_add (&self->profile->omissions, key, why, means, "%s[%" G_GINT64_FORMAT "]", place, index);
}

static const Field *
field_of (const WpFieldCheck *self, WpFieldPlace where, WpValue key)
{
  const Field *field = g_hash_table_lookup (self->known[where], GUINT_TO_POINTER (key));

  return field != NULL ? field : g_hash_table_lookup (self->known[where], NULL);
}

/* The first field of an object that has a wrong kind, from key `i` on; NULL: none has. */
static const Field *
find_wrong (const WpFieldCheck *self, WpFieldPlace where, WpValue object, guint32 *i)
{
  const WpValues *values = self->profile->values;

  for (guint32 n = wp_value_kind (values, object) == WP_VALUE_OBJECT ? wp_value_count (values, object) : 0; *i < n; ++*i)
    {
      const Field *field = field_of (self, where, wp_value_key (values, object, *i));

      if (field != NULL && !(field->kinds & 1u << wp_value_kind (values, wp_value_item (values, object, *i))))
        return field;
    }
  return NULL;
}

void
wp_field_check (WpFieldCheck *self, WpFieldPlace where, WpValue object, const char *place, gint64 index)
{
  const Field *field;

  for (guint32 i = 0; (field = find_wrong (self, where, object, &i)) != NULL; i++)
    tell (self, field->key != NULL ? field->key : "units", wanted_kind (field->kinds), field->means, place, index);
}

/* Equal traces are one value, which is looked at once. */
static const Field *
find_wrong_in_trace (WpFieldCheck *self, WpValue trace)
{
  const WpValues *values = self->profile->values;
  const Field *wrong = g_hash_table_lookup (self->traces, GUINT_TO_POINTER (trace));

  if (wrong != NULL || wp_value_kind (values, trace) != WP_VALUE_ARRAY)
    return wrong == &whole_trace ? NULL : wrong;
  for (guint32 i = 0; wrong == NULL && i < wp_value_count (values, trace); i++)
    {
      WpValue frame = wp_value_item (values, trace, i);
      guint32 key = 0;

      wrong = wrong_frame.kinds & 1u << wp_value_kind (values, frame) ? find_wrong (self, WP_IN_FRAME, frame, &key) : &wrong_frame;
    }
  g_hash_table_insert (self->traces, GUINT_TO_POINTER (trace), (gpointer) (wrong != NULL ? wrong : &whole_trace));
  return wrong;
}

static void
check_finite (WpFieldCheck *self, WpValue resource, WpValue key, const char *place, gint64 index)
{
  const WpValues *values = self->profile->values;
  WpValue value = wp_value_find (values, resource, key);

  if (wp_value_is_number (values, value) && !isfinite (wp_value_number (values, value)))
    tell (self, key == self->amount ? "amount" : "exclusive", N_ ("is no finite number"), amount, place, index);
}

static void
check_trace (WpFieldCheck *self, WpValue trace, const char *place, gint64 index)
{
  const WpValues *values = self->profile->values;
  const Field *wrong = find_wrong_in_trace (self, trace);

  if (wp_value_find (values, trace, self->chunk) != 0)
    tell (self, "trace", N_ ("names a chunk that is not there"), stack, place, index);
  else if (wp_value_kind (values, trace) != WP_VALUE_ARRAY)
    tell (self, "trace", N_ ("is no list"), stack, place, index);
  else if (wrong == &wrong_frame)
    tell (self, "trace", N_ ("has a frame that is neither text nor object"), as_it_is, place, index);
  else if (wrong != NULL)
    tell (self, wrong->key, wanted_kind (wrong->kinds), wrong->means, place, index);
}

/* --- resources in which all is right ---------------------------------------------------------------------------------- */

static gboolean
is_right (const WpFieldCheck *self, WpValue value)
{
  return self->right.slots != NULL
         && *WP_TABLE_FIND (&self->right, wp_hash_number (value), slot, *slot == 0 || *slot == value) == value;
}

static void
note_right (WpFieldCheck *self, WpValue value)
{
  WpValue *slot;

  WP_TABLE_RESERVE (&self->right, 1024, 2, old, *old != 0, wp_hash_number (*old));
  slot = WP_TABLE_FIND (&self->right, wp_hash_number (value), free, *free == 0 || *free == value);
  self->right.n += *slot == 0;
  *slot = value;
}

/* Floats and numbers of many digits are looked at for whether they are finite where that matters. */
static void
note_keys (WpFieldCheck *self, WpValue resource)
{
  guint32 n;
  const WpValue *words = wp_value_words (self->profile->values, resource, &n);

  self->last.len = 0;
  self->last_uid = self->last_trace = -1;
  for (guint32 i = 0; i < n; i += 2)
    {
      const Field *field = field_of (self, WP_IN_RESOURCE, words[i]);
      const guint kinds = field != NULL ? field->kinds : G_MAXUINT, odd = KIND (REAL) | KIND (NUMBER);

      if (words[i] == self->uid)
        self->last_uid = self->last.len;
      if (words[i] == self->trace)
        self->last_trace = self->last.len;
      wp_array_push (&self->last, ((LastKey) { words[i], words[i] == self->amount || words[i] == self->exclusive ? kinds & ~odd : kinds }));
    }
}

static gboolean
has_last_keys (const WpFieldCheck *self, WpValue resource)
{
  guint32 n;
  const WpValue *words = wp_value_words (self->profile->values, resource, &n);
  gboolean same = n == 2 * self->last.len;

  for (guint32 i = 0; same && i < self->last.len; i++)
    same = words[2 * i] == self->last.data[i].key;
  return same;
}

/* TRUE: nothing is wrong with it, which has the keys of the one before. FALSE says nothing. */
static gboolean
is_right_resource (const WpFieldCheck *self, WpValue resource)
{
  guint32 n;
  const WpValue *words = wp_value_words (self->profile->values, resource, &n);
  gboolean right = self->last_uid >= 0;

  for (guint32 i = 0; right && i < self->last.len; i++)
    right = self->last.data[i].kinds & 1u << wp_value_kind (self->profile->values, words[2 * i + 1]);
  return right && is_right (self, words[2 * self->last_uid + 1])
         && (self->last_trace < 0 || is_right (self, words[2 * self->last_trace + 1]));
}

void
wp_field_check_resource (WpFieldCheck *self, WpValue resource, const char *place, gint64 index)
{
  const WpValues *values = self->profile->values;
  WpValue uid, trace;
  guint32 key = 0;

  if (!has_last_keys (self, resource))
    note_keys (self, resource);
  if (is_right_resource (self, resource))
    return;
  uid = wp_value_find (values, resource, self->uid);
  trace = wp_value_find (values, resource, self->trace);
  wp_field_check (self, WP_IN_RESOURCE, resource, place, index);
  check_finite (self, resource, self->amount, place, index);
  check_finite (self, resource, self->exclusive, place, index);
  if (uid == 0)
    tell (self, "uid", N_ ("is missing"), grouped, place, index);
  else
    wp_field_check (self, WP_IN_FRAME, uid, place, index);
  if (uid != 0 && wp_value_kind (values, uid) != WP_VALUE_ARRAY && find_wrong (self, WP_IN_FRAME, uid, &key) == NULL)
    note_right (self, uid);
  if (trace != 0)
    check_trace (self, trace, place, index);
  if (wp_value_kind (values, trace) == WP_VALUE_ARRAY && find_wrong_in_trace (self, trace) == NULL)
    note_right (self, trace);
}

void
wp_field_check_model (WpFieldCheck *self, WpValue object, const char *place, gint64 index)
{
  const WpValues *values = self->profile->values;
  WpValue coeffs = wp_value_find (values, object, self->coeffs);

  wp_field_check (self, WP_IN_MODEL, object, place, index);
  for (guint32 i = 0; wp_value_kind (values, coeffs) == WP_VALUE_ARRAY && i < wp_value_count (values, coeffs); i++)
    if (wp_value_kind (values, wp_value_item (values, coeffs, i)) == WP_VALUE_OBJECT)
      wp_field_check (self, WP_IN_COEFF, wp_value_item (values, coeffs, i), place, index);
    else
      tell (self, "coeffs", N_ ("has an element that is no object"), model, place, index);
}
