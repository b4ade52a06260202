#include "base/json-scan.h"

#include "base/bytes.h"

/* --- ways of looking at a block --------------------------------------------------------------------------------------- */

/* With 0x20 set, [ is {, and ] is }; nothing else becomes one of these two. */

/* Eight bytes in a number, the first one lowest. What is found has the upper bit of a byte set. */

#define EACH(c) (G_GUINT64_CONSTANT (0x0101010101010101) * (c))
#define UPPER EACH (0x80)

static inline guint64
equal_plain (guint64 bytes, guint8 c)
{
  const guint64 other = bytes ^ EACH (c);

  return ~((other & ~UPPER) + ~UPPER) & ~other & UPPER;
}

/* Control characters lack both of 0x20 and 0x40, bytes beyond ASCII have 0x80. */
static inline guint64
special_plain (guint64 bytes)
{
  return (~(bytes << 1 | bytes << 2) | bytes) & UPPER;
}

/* Bit 8 i goes to 56 + i; no two of the sums meet. */
static inline guint64
bits_plain (guint64 found)
{
  return (found >> 7) * G_GUINT64_CONSTANT (0x0102040810204080) >> 56;
}

static void
look_plain (const guint8 *data, gsize n_blocks, WpJsonBlock *blocks)
{
  for (gsize b = 0; b < n_blocks; b++)
    {
      WpJsonBlock block = { 0 };

      for (guint i = 0; i < WP_JSON_SCAN_BLOCK; i += 8)
        {
          const guint64 bytes = GUINT64_FROM_LE (wp_read_u64 (data + b * WP_JSON_SCAN_BLOCK + i)), lower = bytes | EACH (0x20);
          const guint64 quotes = equal_plain (bytes, '"'), backslashes = equal_plain (bytes, '\\');

          block.special |= bits_plain (quotes | backslashes | special_plain (bytes)) << i;
          block.quotes |= bits_plain (quotes) << i;
          block.backslashes |= bits_plain (backslashes) << i;
          block.brackets |= bits_plain (equal_plain (lower, '{') | equal_plain (lower, '}')) << i;
        }
      blocks[b] = block;
    }
}

static gboolean
works_always (void)
{
  return TRUE;
}

#ifdef __x86_64__
#include <immintrin.h>

/* Bytes beyond ASCII are negative, so that one comparison finds them and control characters. */

static inline guint64
bits_sse2 (__m128i bytes)
{
  return (guint) _mm_movemask_epi8 (bytes);
}

static void
look_sse2 (const guint8 *data, gsize n_blocks, WpJsonBlock *blocks)
{
  for (gsize b = 0; b < n_blocks; b++)
    {
      WpJsonBlock block = { 0 };

      for (guint i = 0; i < WP_JSON_SCAN_BLOCK; i += 16)
        {
          const __m128i bytes = _mm_loadu_si128 ((const __m128i *) (data + b * WP_JSON_SCAN_BLOCK + i));
          const __m128i quotes = _mm_cmpeq_epi8 (bytes, _mm_set1_epi8 ('"')), backslashes = _mm_cmpeq_epi8 (bytes, _mm_set1_epi8 ('\\'));
          const __m128i control = _mm_cmplt_epi8 (bytes, _mm_set1_epi8 (0x20)), lower = _mm_or_si128 (bytes, _mm_set1_epi8 (0x20));

          block.special |= bits_sse2 (_mm_or_si128 (_mm_or_si128 (quotes, backslashes), control)) << i;
          block.quotes |= bits_sse2 (quotes) << i;
          block.backslashes |= bits_sse2 (backslashes) << i;
          block.brackets |= bits_sse2 (_mm_or_si128 (_mm_cmpeq_epi8 (lower, _mm_set1_epi8 ('{')), _mm_cmpeq_epi8 (lower, _mm_set1_epi8 ('}')))) << i;
        }
      blocks[b] = block;
    }
}

#define AVX2 __attribute__ ((target ("avx2")))

static inline AVX2 guint64
bits_avx2 (__m256i bytes)
{
  return (guint) _mm256_movemask_epi8 (bytes);
}

static AVX2 void
look_avx2 (const guint8 *data, gsize n_blocks, WpJsonBlock *blocks)
{
  for (gsize b = 0; b < n_blocks; b++)
    {
      WpJsonBlock block = { 0 };

      for (guint i = 0; i < WP_JSON_SCAN_BLOCK; i += 32)
        {
          const __m256i bytes = _mm256_loadu_si256 ((const __m256i *) (data + b * WP_JSON_SCAN_BLOCK + i));
          const __m256i quotes = _mm256_cmpeq_epi8 (bytes, _mm256_set1_epi8 ('"')), backslashes = _mm256_cmpeq_epi8 (bytes, _mm256_set1_epi8 ('\\'));
          const __m256i control = _mm256_cmpgt_epi8 (_mm256_set1_epi8 (0x20), bytes), lower = _mm256_or_si256 (bytes, _mm256_set1_epi8 (0x20));

          block.special |= bits_avx2 (_mm256_or_si256 (_mm256_or_si256 (quotes, backslashes), control)) << i;
          block.quotes |= bits_avx2 (quotes) << i;
          block.backslashes |= bits_avx2 (backslashes) << i;
          block.brackets
            |= bits_avx2 (_mm256_or_si256 (_mm256_cmpeq_epi8 (lower, _mm256_set1_epi8 ('{')), _mm256_cmpeq_epi8 (lower, _mm256_set1_epi8 ('}')))) << i;
        }
      blocks[b] = block;
    }
}

static gboolean
works_avx2 (void)
{
  return __builtin_cpu_supports ("avx2") != 0;
}
#endif

#ifdef __aarch64__
#include <arm_neon.h>

/* One bit of each byte stays, eight neighbours are added up. */
static inline guint64
bits_neon (uint8x16_t bytes)
{
  static const guint8 weights[16] = { 1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128 };
  const uint8x16_t weighed = vandq_u8 (bytes, vld1q_u8 (weights));

  return vaddv_u8 (vget_low_u8 (weighed)) | (guint64) vaddv_u8 (vget_high_u8 (weighed)) << 8;
}

static void
look_neon (const guint8 *data, gsize n_blocks, WpJsonBlock *blocks)
{
  for (gsize b = 0; b < n_blocks; b++)
    {
      WpJsonBlock block = { 0 };

      for (guint i = 0; i < WP_JSON_SCAN_BLOCK; i += 16)
        {
          const uint8x16_t bytes = vld1q_u8 (data + b * WP_JSON_SCAN_BLOCK + i), lower = vorrq_u8 (bytes, vdupq_n_u8 (0x20));
          const uint8x16_t quotes = vceqq_u8 (bytes, vdupq_n_u8 ('"')), backslashes = vceqq_u8 (bytes, vdupq_n_u8 ('\\'));
          const uint8x16_t control = vcltq_s8 (vreinterpretq_s8_u8 (bytes), vdupq_n_s8 (0x20));

          block.special |= bits_neon (vorrq_u8 (vorrq_u8 (quotes, backslashes), control)) << i;
          block.quotes |= bits_neon (quotes) << i;
          block.backslashes |= bits_neon (backslashes) << i;
          block.brackets |= bits_neon (vorrq_u8 (vceqq_u8 (lower, vdupq_n_u8 ('{')), vceqq_u8 (lower, vdupq_n_u8 ('}')))) << i;
        }
      blocks[b] = block;
    }
}
#endif

static const WpJsonScanWay ways[] = {
#ifdef __x86_64__
  { "avx2", works_avx2, look_avx2 },
  { "sse2", works_always, look_sse2 },
#endif
#ifdef __aarch64__
  { "neon", works_always, look_neon },
#endif
  { "plain", works_always, look_plain },
};

const WpJsonScanWay *
wp_json_scan_ways (guint *n)
{
  *n = G_N_ELEMENTS (ways);
  return ways;
}

static const WpJsonScanWay *
best_way (void)
{
  guint i = 0;

  while (!ways[i].works ())
    i++;
  return &ways[i];
}

/* --- strings and brackets --------------------------------------------------------------------------------------------- */

/* The bytes that a backslash stands before which does not belong to one itself; `first`: there was such a one before the block. */
static guint64
escaped_bytes (guint64 backslashes, gboolean first, gboolean *next)
{
  guint64 escaped = first;

  *next = FALSE;
  for (backslashes &= ~escaped; backslashes != 0;)
    {
      const guint64 low = backslashes & -backslashes;

      escaped |= low << 1;
      *next = low >> 63;
      backslashes &= ~(low | low << 1);
    }
  return escaped;
}

/* Each bit becomes the sum, without carry, of all bits up to it: from a quote to before the next one all are set. */
static inline guint64
sum_up (guint64 bits)
{
  for (guint shift = 1; shift < 64; shift *= 2)
    bits ^= bits << shift;
  return bits;
}

/* Most blocks have up to four, which are written without asking how many there are. */
static inline guint32
list (guint16 *at, guint32 n, guint64 bits, gsize first)
{
  while (bits != 0)
    {
      guint taken = 0;

      for (guint i = 0; i < 4; i++)
        {
          at[n + i] = (guint16) (first + (gsize) __builtin_ctzll (bits | G_GUINT64_CONSTANT (1) << 63));
          taken += bits != 0;
          bits &= bits - 1;
        }
      n += taken;
    }
  return n;
}

void
wp_json_scan (WpJsonScan *self, const guint8 *data, gsize n, const WpJsonScanWay *way)
{
  const gsize n_blocks = (n + WP_JSON_SCAN_BLOCK - 1) / WP_JSON_SCAN_BLOCK;
  guint64 in_string = self->in_string ? G_MAXUINT64 : 0;
  guint32 n_brackets = 0;

  (way != NULL ? way : best_way ())->look (data, n_blocks, self->blocks);
  for (gsize b = 0; b < n_blocks; b++)
    {
      const WpJsonBlock *block = &self->blocks[b];
      guint64 quotes = block->quotes, within;

      if (block->backslashes != 0 || self->escaped)
        {
          const gsize rest = n - b * WP_JSON_SCAN_BLOCK;
          const guint64 escaped = escaped_bytes (block->backslashes, self->escaped, &self->escaped);

          if (rest < WP_JSON_SCAN_BLOCK)
            self->escaped = escaped >> rest & 1;
          quotes &= ~escaped;
        }
      within = sum_up (quotes) ^ in_string;
      in_string = within >> 63 != 0 ? G_MAXUINT64 : 0;
      n_brackets = list (self->brackets, n_brackets, block->brackets & ~within, b * WP_JSON_SCAN_BLOCK);
    }
  self->in_string = in_string != 0;
  self->n_brackets = n_brackets;
}
