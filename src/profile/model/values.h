/* The values of a JSON document, each distinct one kept once: a trace that a million resources share costs four bytes in
 * each of them, and two values are equal when their ids are.
 *
 * A value is a 32-bit id; 0 is no value at all (not null). Numbers keep the difference between 1 and 1.0, as Python does;
 * NaN and the infinities are numbers, as Python reads and writes them. The order of an object's keys is kept; of two equal keys the
 * last value counts, in the place of the first. */
#pragma once

#include "base/intern.h"
#include "base/json-reader.h"

typedef WpId WpValue;

typedef enum
{
  WP_VALUE_NONE,
  WP_VALUE_NULL,
  WP_VALUE_FALSE,
  WP_VALUE_TRUE,
  WP_VALUE_INT,    /* fits 64 bits */
  WP_VALUE_NUMBER, /* a whole number that does not: its digits */
  WP_VALUE_REAL,
  WP_VALUE_STRING,
  WP_VALUE_ARRAY,
  WP_VALUE_OBJECT,
} WpValueKind;

typedef struct WpValues WpValues;

WpValues *wp_values_new (void);
void wp_values_free (WpValues *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpValues, wp_values_free)

/* The value that comes next in the reader; 0 after an error, which the reader keeps. Where the reader finds spans (base/json-spans.h), it takes a fraction
 * of the time, and is the same. */
WpValue wp_values_read (WpValues *self, WpJsonReader *reader);

/* --- looking -------------------------------------------------------------------------------------------------------- */

WpValueKind wp_value_kind (const WpValues *self, WpValue value);
gint64 wp_value_int (const WpValues *self, WpValue value);          /* INT, FALSE and TRUE; else 0 */
double wp_value_number (const WpValues *self, WpValue value);       /* of any number or truth value; else NaN */
gboolean wp_value_is_number (const WpValues *self, WpValue value);  /* INT, NUMBER, REAL: no truth value */
const char *wp_value_string (const WpValues *self, WpValue value);  /* STRING, for people (NUL is \x00), and the digits of a NUMBER; else "" */
gboolean wp_value_is_true (const WpValues *self, WpValue value);    /* as Python has it: not null, false, 0, "" or empty */

guint32 wp_value_count (const WpValues *self, WpValue value);              /* items of an array, keys of an object; else 0 */
WpValue wp_value_item (const WpValues *self, WpValue value, guint32 i);    /* of an array or object */
WpValue wp_value_key (const WpValues *self, WpValue value, guint32 i);     /* a STRING; of an object */
const WpValue *wp_value_words (const WpValues *self, WpValue value, guint32 *n); /* its items, or keys and values in turn, until another one is made */
WpValue wp_value_find (const WpValues *self, WpValue object, WpValue key); /* 0 when there is none */
WpValue wp_value_get (const WpValues *self, WpValue object, const char *key);

/* --- making --------------------------------------------------------------------------------------------------------- */

WpValue wp_values_null (WpValues *self);
WpValue wp_values_bool (WpValues *self, gboolean b);
WpValue wp_values_int (WpValues *self, gint64 i);
WpValue wp_values_real (WpValues *self, double d);
WpValue wp_values_string (WpValues *self, const char *s);
WpValue wp_values_find_string (const WpValues *self, const char *s); /* 0 when the document does not have it */
WpValue wp_values_array (WpValues *self, const WpValue *items, guint32 n);
WpValue wp_values_object (WpValues *self, const WpValue *keys_and_values, guint32 n_keys); /* key, value, key, value, … */
WpValue wp_values_set (WpValues *self, WpValue object, const char *key, WpValue value); /* the object with this key changed or added; 0: removed */

/* --- text ----------------------------------------------------------------------------------------------------------- */

/* As Python's json.dumps() writes it: ", " and ": ", everything beyond ASCII escaped, numbers as repr() gives them.
 * `indent` < 0: in one line; else like json.dumps (indent=…). Appends. */
void wp_value_write (const WpValues *self, WpValue value, int indent, GString *out);

/* As Python's str() has it: 1, 1.0, 1e-05, None, True, text without quotes; arrays and objects with repr() within. Appends. */
void wp_value_str (const WpValues *self, WpValue value, GString *out);

/* repr() of a float: the shortest digits that read back the same. Appends. */
void wp_python_float (double d, GString *out);
