/* Numbers in the machine's byte order at any address, aligned or not; and bytes that are taken one part after another. */
#pragma once

#include <glib.h>
#include <string.h>

static inline guint64
wp_read_u64 (const guint8 *p)
{
  guint64 value;

  memcpy (&value, p, sizeof value);
  return value;
}

static inline guint32
wp_read_u32 (const guint8 *p)
{
  guint32 value;

  memcpy (&value, p, sizeof value);
  return value;
}

typedef struct
{
  const guint8 *p, *end;
} WpCursor;

/* The next n bytes; NULL when fewer are left, which stay. */
static inline const guint8 *
wp_cursor_take (WpCursor *self, guint64 n)
{
  const guint8 *start = self->p;

  if (n > (guint64) (self->end - self->p))
    return NULL;
  self->p += n;
  return start;
}
