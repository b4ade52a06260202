/* The wire format of protocol buffers: fields of a number, a type and a value.
 *
 * As lenient as Go's pprof is: unknown fields are skipped, among them those of number 0; a varint may be longer than it need be, up to 10 bytes, and
 * what is over 64 bits is dropped. Groups and types that do not exist are damage, in unknown fields, too. */
#pragma once

#include <glib.h>

typedef enum
{
  WP_WIRE_VARINT = 0,
  WP_WIRE_FIXED64 = 1,
  WP_WIRE_BYTES = 2,
  WP_WIRE_FIXED32 = 5,
} WpWireType;

typedef struct
{
  guint64 number;
  guint type;         /* WpWireType */
  guint64 value;      /* of a varint */
  const guint8 *data; /* of bytes */
  gsize n;
} WpWireField;

typedef struct
{
  const guint8 *p, *end;
  const char *damage; /* what is wrong at `p`, or NULL */
} WpWire;

static inline gboolean
wp_wire_varint (WpWire *self, guint64 *value)
{
  guint64 sum = 0;

  for (guint i = 0; i < 10; i++)
    {
      if (self->p + i >= self->end)
        {
          self->damage = "a number is cut off";
          return FALSE;
        }
      sum |= (guint64) (self->p[i] & 0x7f) << (7 * i);
      if (self->p[i] < 0x80)
        {
          self->p += i + 1;
          *value = sum;
          return TRUE;
        }
    }
  self->damage = "a number is longer than 10 bytes";
  return FALSE;
}

/* Reads the next field; FALSE at the end, and where there is damage. */
static inline gboolean
wp_wire_next (WpWire *self, WpWireField *field)
{
  const guint8 *start = self->p;
  guint64 n = 0;

  if (self->damage != NULL || self->p >= self->end || !wp_wire_varint (self, &n))
    return FALSE;
  field->number = n >> 3;
  field->type = n & 7;
  switch (field->type)
    {
    case WP_WIRE_VARINT:
      return wp_wire_varint (self, &field->value);
    case WP_WIRE_FIXED64:
      n = 8;
      break;
    case WP_WIRE_FIXED32:
      n = 4;
      break;
    case WP_WIRE_BYTES:
      if (!wp_wire_varint (self, &n))
        return FALSE;
      break;
    default:
      self->p = start;
      self->damage = "a field has a type that does not exist";
      return FALSE;
    }
  if (n > (guint64) (self->end - self->p))
    {
      self->p = start;
      self->damage = "a field is longer than what is left";
      return FALSE;
    }
  field->data = self->p;
  field->n = n;
  self->p += n;
  return TRUE;
}
