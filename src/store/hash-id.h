/* SHA-1 hashes of commits and objects as they lie in columns: 20 bytes in place of 40 digits. */
#pragma once

#include "base/bytes.h"
#include "base/hash.h"

typedef struct
{
  guint8 bytes[20];
} WpHashId;

/* What a digit stands for; -1: it is none. g_ascii_xdigit_value(), for who asks millions of times. */
static inline int
wp_hash_digit (char digit)
{
  const guint letter = (guint) (digit | 0x20) - 'a';

  return digit >= '0' && digit <= '9' ? digit - '0' : letter < 6 ? (int) letter + 10 : -1;
}

static inline WpHashId
wp_hash_id (const char *digits) /* 40 of them */
{
  WpHashId id;

  for (guint i = 0; i < sizeof id.bytes; i++)
    id.bytes[i] = (guint8) ((guint) wp_hash_digit (digits[2 * i]) << 4 | (guint) wp_hash_digit (digits[2 * i + 1]));
  return id;
}

/* 40 digits, without a NUL. */
static inline void
wp_hash_id_write (const WpHashId *id, char *digits)
{
  static const char all[] = "0123456789abcdef";

  for (guint i = 0; i < sizeof id->bytes; i++)
    {
      digits[2 * i] = all[id->bytes[i] >> 4];
      digits[2 * i + 1] = all[id->bytes[i] & 15];
    }
}

static inline guint64
wp_hash_id_hash (const WpHashId *id)
{
  return wp_hash_number (wp_read_u64 (id->bytes));
}

static inline gboolean
wp_hash_id_equal (const WpHashId *a, const WpHashId *b)
{
  return memcmp (a, b, sizeof *a) == 0;
}
