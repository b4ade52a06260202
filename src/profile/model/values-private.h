/* What the two halves of a document's values share. */
#pragma once

#include "base/pair-map.h"
#include "profile/model/values.h"

typedef struct
{
  guint32 hash, row; /* row 0: free */
} WpValueSlot;

typedef WP_TABLE (WpValueSlot) WpValueTable; /* finds a row by what it holds */

struct WpValues
{
  WpStrings *strings;
  GHashTable *readable; /* exact string -> the one for people, where these differ; NULL: nowhere */
  WP_ARRAY (guint64) wide;  /* whole numbers that are not small, and floats; row 0 is empty */
  WpIdArray words;          /* arrays and objects; row 0 is empty */
  WpValueTable ints, reals, arrays, objects;
  WpPairMap members; /* of all objects with many keys: object, key → index there + 1 */
};

/* With what UTF-8 cannot hold as the reader has it. */
const char *wp_value_exact_string (const WpValues *self, WpValue value);
void wp_value_exact_str (const WpValues *self, WpValue value, GString *out);

WpValue wp_values_plain_string (WpValues *self, const char *s, gsize n); /* a STRING of ASCII without control characters */

/* An object of fewer than WP_VALUES_FEW_KEYS keys in two steps: its place in a large table is fetched while something else is done. */
#define WP_VALUES_FEW_KEYS 32
guint32 wp_values_expect_object (const WpValues *self, const WpValue *keys_and_values, guint32 n_keys);
WpValue wp_values_expected_object (WpValues *self, guint32 expected, const WpValue *keys_and_values, guint32 n_keys);
WpValue wp_values_digits (WpValues *self, const char *digits); /* a NUMBER */

/* Whether another value, of any kind, might not fit beside so many items that are not kept yet. */
gboolean wp_values_are_full (const WpValues *self, guint32 more);
