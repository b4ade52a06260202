/* The values of a document as they come out of a JSON reader. */
#include "profile/model/values-private.h"

/* Open objects and arrays keep what they have so far on one stack. */
typedef struct
{
  guint32 first; /* of the stack */
  gboolean array;
} Open;

/* A key that is there already: its value is replaced. */
static gboolean
replace_key (WpIdArray *stack, guint32 first, WpValue key, WpValue value)
{
  for (guint32 i = first; i + 2 < stack->len; i += 2)
    if (stack->data[i] == key)
      {
        stack->data[i + 1] = value;
        return TRUE;
      }
  return FALSE;
}

static void
close_key (WpIdArray *stack, const Open *open)
{
  WpValue key = stack->data[stack->len - 2], value = stack->data[stack->len - 1];

  if (stack->len - open->first <= 2 * 64 && replace_key (stack, open->first, key, value))
    stack->len -= 2;
}

/* Objects with many keys: their double keys are found with a set, not by comparing each with all. */
static void
drop_double_keys (WpIdArray *stack, guint32 first)
{
  g_autoptr (GHashTable) seen = NULL;
  guint32 kept = first;

  if (stack->len - first <= 2 * 64)
    return;
  seen = g_hash_table_new (wp_hash_pointer, NULL);
  for (guint32 i = first; i < stack->len; i += 2)
    {
      gpointer at = g_hash_table_lookup (seen, GUINT_TO_POINTER (stack->data[i]));

      if (at != NULL)
        stack->data[GPOINTER_TO_UINT (at) - 1] = stack->data[i + 1];
      else
        {
          stack->data[kept] = stack->data[i];
          stack->data[kept + 1] = stack->data[i + 1];
          g_hash_table_insert (seen, GUINT_TO_POINTER (stack->data[i]), GUINT_TO_POINTER (kept + 2));
          kept += 2;
        }
    }
  stack->len = kept;
}

static WpValue
read_plain (WpValues *self, WpJsonReader *reader, WpJsonKind kind)
{
  gint64 whole;
  double real;

  switch (kind)
    {
    case WP_JSON_STRING:
      return wp_values_string (self, wp_json_reader_exact_string (reader));
    case WP_JSON_BOOL:
      return wp_values_bool (self, wp_json_reader_bool (reader));
    case WP_JSON_NUMBER:
      switch (wp_json_reader_number (reader, &whole, &real))
        {
        case WP_JSON_WHOLE:
          return wp_values_int (self, whole);
        case WP_JSON_REAL:
          return wp_values_real (self, real);
        default:
          return wp_values_digits (self, wp_json_reader_digits (reader));
        }
    default:
      wp_json_reader_skip (reader);
      return wp_values_null (self);
    }
}

static WpValue
close_level (WpValues *self, WpIdArray *stack, const Open *open)
{
  WpValue value;

  if (!open->array)
    drop_double_keys (stack, open->first);
  value = open->array ? wp_values_array (self, stack->data + open->first, stack->len - open->first)
                      : wp_values_object (self, stack->data + open->first, (stack->len - open->first) / 2);
  stack->len = open->first;
  return value;
}

/* Steps to the next value of the innermost level. FALSE: that level is over. */
static gboolean
next_value (WpValues *self, WpJsonReader *reader, const Open *open, WpIdArray *stack)
{
  const char *key;

  if (open->array)
    return wp_json_reader_item (reader);
  key = wp_json_reader_key (reader);
  if (key == NULL)
    return FALSE;
  wp_array_push (stack, wp_values_string (self, key));
  return TRUE;
}

WpValue
wp_values_read (WpValues *self, WpJsonReader *reader)
{
  Open open[WP_JSON_MAX_DEPTH + 1];
  guint n = 0;
  WpIdArray stack = { 0 };
  WpValue value = 0;

  do
    {
      WpJsonKind kind = wp_json_reader_kind (reader);

      value = 0;
      if (wp_values_are_full (self, stack.len))
        wp_json_reader_fail (reader, NULL, "more than there is room for: too many different values");
      else if (kind == WP_JSON_OBJECT || kind == WP_JSON_ARRAY)
        {
          if (kind == WP_JSON_ARRAY ? wp_json_reader_array (reader) : wp_json_reader_object (reader))
            open[n++] = (Open) { .first = stack.len, .array = kind == WP_JSON_ARRAY };
        }
      else
        value = read_plain (self, reader, kind);
      /* Puts the value where it belongs and goes on to the next one, closing what is over. */
      while (n > 0 && !wp_json_reader_failed (reader))
        {
          if (value != 0)
            wp_array_push (&stack, value);
          if (value != 0 && !open[n - 1].array)
            close_key (&stack, &open[n - 1]);
          if (next_value (self, reader, &open[n - 1], &stack) || wp_json_reader_failed (reader))
            break;
          value = close_level (self, &stack, &open[--n]);
        }
    }
  while (n > 0 && !wp_json_reader_failed (reader));
  wp_array_clear (&stack);
  return wp_json_reader_failed (reader) ? 0 : value;
}
