#include "read/symbols/call-chains.h"

#include "base/bytes.h"
#include "base/hash.h"

#include <linux/perf_event.h>

#define FIRST 256 /* chains remembered at first, and at most; powers of two */
#define MOST 32768

typedef struct
{
  const guint8 *addresses; /* NULL: empty */
  guint32 hash, base, n;   /* base: what it belongs to, a space or the name of a user part */
  guint32 name;
} Slot;

typedef struct
{
  Slot *slots;
  guint32 mask, missed;
  guint32 last_name;
} Cache;

struct WpChainMemory
{
  Cache user, kernel;
};

/* --- parts -------------------------------------------------------------------------------------------------------- */

static inline guint64
entry_of (const guint8 *chain, gsize i)
{
  return wp_read_u64 (chain + 8 * i);
}

/* The entries up to the next context marker. */
static gsize
part_length (const guint8 *chain, gsize at, gsize n)
{
  gsize i = at;

  while (i < n && entry_of (chain, i) < PERF_CONTEXT_MAX)
    i++;
  return i - at;
}

void
wp_call_chain_split (const guint8 *addresses, gsize n, WpCallChain *chain)
{
  *chain = (WpCallChain){ 0 };
  for (gsize i = 0; i < n;)
    {
      guint64 context = entry_of (addresses, i);
      gsize start = context >= PERF_CONTEXT_MAX ? i + 1 : i, length = part_length (addresses, start, n);
      WpChainPart *part = NULL;

      if (context == PERF_CONTEXT_USER || (context < PERF_CONTEXT_MAX && context >> 63 == 0))
        part = &chain->user;
      else if (context == PERF_CONTEXT_KERNEL || context < PERF_CONTEXT_MAX)
        part = &chain->kernel;
      if (part != NULL)
        {
          part->addresses = addresses + 8 * start;
          part->n = (guint32) length;
        }
      i = start + length;
    }
}

/* --- the memory --------------------------------------------------------------------------------------------------- */

WpChainMemory *
wp_chain_memory_new (void)
{
  return g_new0 (WpChainMemory, 1);
}

void
wp_chain_memory_free (WpChainMemory *self)
{
  if (self == NULL)
    return;
  g_free (self->user.slots);
  g_free (self->kernel.slots);
  g_free (self);
}

/* Where a part is remembered, which may be another's place by now. A cache that is too small forgets everything and grows: most recordings
 * are small. */
static Slot *
find_slot (Cache *self, guint64 hash)
{
  if (self->slots == NULL || (self->missed > self->mask && self->mask < MOST - 1))
    {
      self->mask = self->slots == NULL ? FIRST - 1 : MIN (self->mask * 8 + 7, MOST - 1);
      self->missed = 0;
      g_free (self->slots);
      self->slots = g_new0 (Slot, (gsize) self->mask + 1);
    }
  return &self->slots[(hash >> 40) & self->mask];
}

static gboolean
is_part (const Slot *slot, const WpChainPart *part, guint32 hash, guint32 base)
{
  return slot->hash == hash && slot->addresses != NULL && slot->base == base && slot->n == part->n
         && memcmp (slot->addresses, part->addresses, 8 * (gsize) part->n) == 0;
}

static void
recognize (Cache *self, guint32 base, WpChainPart *part)
{
  guint64 hash = wp_hash_pair (wp_hash_bytes (part->addresses, 8 * (gsize) part->n), base);
  Slot *slot = find_slot (self, hash);

  if (!is_part (slot, part, (guint32) hash, base))
    {
      self->missed++;
      *slot = (Slot){ .addresses = part->addresses, .hash = (guint32) hash, .base = base, .n = part->n, .name = ++self->last_name };
    }
  part->place = (guint32) (slot - self->slots) + 1;
  part->name = slot->name;
}

void
wp_chain_memory_recognize (WpChainMemory *self, guint32 space, WpCallChain *chain)
{
  if (space != 0 && chain->user.n > 0)
    recognize (&self->user, space, &chain->user);
  if (chain->kernel.n > 0)
    recognize (&self->kernel, chain->user.name, &chain->kernel);
}
