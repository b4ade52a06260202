/* Changes of a protocol buffer by its fields, so that what comes out still has lengths that fit: numbers become others, fields are doubled, dropped
 * and moved, in messages within messages, too. */
#include "fuzz.h"

#include <string.h>

#define GROWN_MAX (1 << 20)
#define FIELDS_MAX 100000
#define DROPPED 8 /* fields, where an input is shortened */

typedef struct
{
  guint32 at, n;     /* of the field, tag and all */
  guint32 value, n_value;
  guint type;
} Field;

static gboolean
varint (const guint8 *data, gsize n, gsize *at, guint64 *value)
{
  *value = 0;
  for (guint i = 0; i < 10 && *at < n; i++)
    {
      guint8 byte = data[(*at)++];

      *value |= (guint64) (byte & 0x7f) << (7 * i);
      if (byte < 0x80)
        return TRUE;
    }
  return FALSE;
}

static void
put_varint (GByteArray *out, guint64 value)
{
  for (; value >= 0x80; value >>= 7)
    {
      guint8 byte = (guint8) (value | 0x80);

      g_byte_array_append (out, &byte, 1);
    }
  g_byte_array_append (out, &(guint8) { (guint8) value }, 1);
}

/* Of one level, as far as it makes sense. */
static GArray *
find_fields (const guint8 *data, gsize n)
{
  GArray *fields = g_array_new (FALSE, FALSE, sizeof (Field));
  gsize at = 0;

  while (at < n && fields->len < FIELDS_MAX)
    {
      Field field = { .at = (guint32) at };
      guint64 tag, length = 0;

      if (!varint (data, n, &at, &tag))
        break;
      field.type = tag & 7;
      field.value = (guint32) at;
      if (field.type == 0 && !varint (data, n, &at, &length))
        break;
      else if (field.type == 2 && !varint (data, n, &at, &length))
        break;
      if (field.type == 2)
        field.value = (guint32) at;
      else
        length = field.type == 1 ? 8 : field.type == 5 ? 4 : 0;
      if ((field.type != 0 && length == 0 && field.type != 2) || length > n - at)
        break;
      at += length;
      field.n_value = (guint32) (at - field.value);
      field.n = (guint32) (at - field.at);
      g_array_append_val (fields, field);
    }
  return fields;
}

static gboolean
is_message (const guint8 *data, gsize n)
{
  g_autoptr (GArray) fields = find_fields (data, n);
  const Field *last = fields->len > 0 ? &g_array_index (fields, Field, fields->len - 1) : NULL;

  return last != NULL && last->at + last->n == n;
}

/* A field with another value. */
static void
put_field (GByteArray *out, const guint8 *data, const Field *field, const guint8 *value, gsize n)
{
  gsize at = field->at;
  guint64 tag;

  varint (data, field->at + field->n, &at, &tag);
  put_varint (out, tag);
  if (field->type == 2)
    put_varint (out, n);
  g_byte_array_append (out, value, (guint) n);
}

static void
change_number (GByteArray *value, FuzzRandom *random)
{
  gsize at = 0;
  guint64 old = 0;

  varint (value->data, value->len, &at, &old);
  g_byte_array_set_size (value, 0);
  put_varint (value, fuzz_one_in (random, 2) ? old + fuzz_below (random, 5) - 2 : fuzz_one_in (random, 2) ? fuzz_below (random, 64) : fuzz_number (random));
}

/* `depth`: messages in one another are few. */
static void
change_fields (GByteArray *input, FuzzRandom *random, guint depth)
{
  g_autoptr (GArray) fields = find_fields (input->data, input->len);
  g_autoptr (GByteArray) out = g_byte_array_new (), value = g_byte_array_new ();
  const Field *field, *other;

  if (fields->len == 0 || input->len > GROWN_MAX)
    {
      fuzz_change_bytes (input, random);
      return;
    }
  field = &g_array_index (fields, Field, fuzz_below (random, fields->len));
  other = &g_array_index (fields, Field, fuzz_below (random, fields->len));
  g_byte_array_append (value, input->data + field->value, field->n_value);
  switch (fuzz_below (random, 8))
    {
    case 0: /* gone */
      fuzz_replace (input, field->at, field->n, NULL, 0);
      return;
    case 1: /* once more, here or there */
      g_byte_array_append (out, input->data + field->at, field->n);
      fuzz_replace (input, fuzz_one_in (random, 2) ? field->at : other->at, 0, out->data, out->len);
      return;
    case 2: /* another one's value */
      if (other->type == field->type)
        {
          put_field (out, input->data, field, input->data + other->value, other->n_value);
          fuzz_replace (input, field->at, field->n, out->data, out->len);
          return;
        }
      break;
    default:
      break;
    }
  if (field->type == 0)
    change_number (value, random);
  else if (field->type == 2 && depth < 4 && is_message (value->data, value->len))
    change_fields (value, random, depth + 1);
  else
    fuzz_change_bytes (value, random);
  put_field (out, input->data, field, value->data, value->len);
  fuzz_replace (input, field->at, field->n, out->data, out->len);
}

void
fuzz_change_proto (GByteArray *input, FuzzRandom *random)
{
  change_fields (input, random, 0);
}

void
fuzz_splice_proto (GByteArray *input, const guint8 *other, gsize n, FuzzRandom *random)
{
  g_autoptr (GArray) fields = find_fields (other, n), own = find_fields (input->data, input->len);
  const Field *field;

  if (fields->len == 0 || own->len == 0 || input->len > GROWN_MAX)
    return;
  field = &g_array_index (fields, Field, fuzz_below (random, fields->len));
  fuzz_replace (input, g_array_index (own, Field, fuzz_below (random, own->len)).at, 0, other + field->at, field->n);
}

void
fuzz_shorten_proto (GByteArray *input, FuzzRandom *random)
{
  for (guint i = 0; i < DROPPED; i++)
    {
      g_autoptr (GArray) fields = find_fields (input->data, input->len);
      const Field *field;

      if (fields->len < 2)
        return;
      field = &g_array_index (fields, Field, fuzz_below (random, fields->len));
      fuzz_replace (input, field->at, field->n, NULL, 0);
    }
}
