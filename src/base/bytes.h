/* Numbers in the machine's byte order at any address, aligned or not. */
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
