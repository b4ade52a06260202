/* What the two halves of a document's values share. */
#pragma once

#include "profile/model/values.h"

typedef struct
{
  guint32 hash, row; /* row 0: free */
} WpValueSlot;

/* A key of a large object, and where it stands there. */
typedef struct
{
  WpValue object, key; /* object 0: free */
  guint32 at;          /* index + 1 */
} WpMemberSlot;

/* Finds a row by what it holds. */
typedef struct
{
  WpValueSlot *slots;
  guint32 mask, n;
} WpValueTable;

struct WpValues
{
  WpStrings *strings;
  GHashTable *readable; /* exact string -> the one for people, where these differ; NULL: nowhere */
  WP_ARRAY (guint64) wide;  /* whole numbers that are not small, and floats; row 0 is empty */
  WpIdArray words;          /* arrays and objects; row 0 is empty */
  WpValueTable ints, reals, arrays, objects;
  WpMemberSlot *members; /* of all objects with many keys, at most half full */
  guint32 members_mask, n_members;
};

/* With what UTF-8 cannot hold as the reader has it. */
const char *wp_value_exact_string (const WpValues *self, WpValue value);
void wp_value_exact_str (const WpValues *self, WpValue value, GString *out);

WpValue wp_values_digits (WpValues *self, const char *digits); /* a NUMBER */
