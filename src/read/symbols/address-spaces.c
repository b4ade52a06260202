/* Address spaces and call chains. A space is shared by all processes that have the same mappings (a fork copies
 * nothing, and what either maps then is all that differs), and equal chains in one space are looked up once: the user part by space and addresses, the kernel part
 * by what it stands on. */
#include "read/symbols/address-spaces.h"

#include "base/bytes.h"
#include "base/hash.h"
#include "read/read-private.h"

#include <linux/perf_event.h>

#define CHAIN_CACHE_FIRST 256 /* chains remembered at first, and at most; powers of two */
#define CHAIN_CACHE 32768
#define FRAME_CACHE 16384

typedef struct
{
  guint id; /* changes with its mappings; never 0 */
  guint users;
  WpId root;       /* of its ranges */
  guint32 edition; /* … of which these are its own */
} Space;

/* A call chain without context markers. */
typedef struct
{
  const guint8 *addresses;
  guint32 n;
  guint32 base;   /* what it is looked up in or stands on: the identity of a space, or a stack */
  gboolean lasts; /* the addresses stay where they are */
} Chain;

typedef struct
{
  const guint8 *addresses; /* NULL: empty */
  guint32 hash, base, n;
  WpId stack;
} CachedChain;

typedef struct
{
  CachedChain *slots;
  guint32 mask, missed;
} ChainCache;

typedef struct
{
  guint64 address;
  guint space;
  WpId frame;
} CachedFrame;

struct WpSpaces
{
  WpTrace *trace;
  WpKernelSymbols *kernel;
  WpAddressRanges *ranges;
  GHashTable *by_pid; /* pid → Space */
  gint32 last_pid; /* looked up last, while last_known */
  Space *last;
  gboolean last_known;
  guint next_id;
  gboolean any;
  ChainCache user_chains, kernel_chains;
  CachedFrame frames[FRAME_CACHE];
};

static void
space_unref (gpointer data)
{
  Space *space = data;

  if (--space->users == 0)
    g_free (space);
}

WpSpaces *
wp_spaces_new (WpTrace *trace, WpKernelSymbols *kernel)
{
  WpSpaces *self = g_new0 (WpSpaces, 1);

  self->trace = trace;
  self->kernel = kernel;
  self->ranges = wp_address_ranges_new ();
  self->by_pid = g_hash_table_new_full (wp_hash_pointer, NULL, NULL, space_unref);
  return self;
}

void
wp_spaces_free (WpSpaces *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->by_pid);
  wp_address_ranges_free (self->ranges);
  g_free (self->user_chains.slots);
  g_free (self->kernel_chains.slots);
  g_free (self);
}

static Space *
find_space (WpSpaces *self, gint32 pid)
{
  if (!self->last_known || self->last_pid != pid)
    {
      self->last_known = TRUE;
      self->last_pid = pid;
      self->last = g_hash_table_lookup (self->by_pid, GINT_TO_POINTER (pid));
    }
  return self->last;
}

static void
set_space (WpSpaces *self, gint32 pid, Space *space)
{
  g_hash_table_insert (self->by_pid, GINT_TO_POINTER (pid), space);
  self->last_known = FALSE;
}

/* The space of a process, for changing: its own, and with a new identity. */
static Space *
own_space (WpSpaces *self, gint32 pid)
{
  Space *old = find_space (self, pid), *space = old;

  if (old == NULL || old->users > 1)
    {
      space = g_new0 (Space, 1);
      space->users = 1;
      space->edition = wp_address_ranges_new_edition (self->ranges);
      if (old != NULL)
        {
          space->root = old->root;
          old->edition = wp_address_ranges_new_edition (self->ranges);
        }
      set_space (self, pid, space);
    }
  space->id = ++self->next_id;
  return space;
}

gboolean
wp_spaces_map (WpSpaces *self, gint32 pid, guint64 start, guint64 size, guint64 file_offset, WpId module)
{
  const WpMapping range = { .start = start, .end = start + size, .file_offset = file_offset, .module = module };
  Space *space;

  if (size == 0 || size > G_MAXUINT64 - start)
    return FALSE;
  self->any = TRUE;
  space = own_space (self, pid);
  space->root = wp_address_ranges_put (self->ranges, space->root, space->edition, &range);
  return TRUE;
}

void
wp_spaces_fork (WpSpaces *self, gint32 parent, gint32 child)
{
  Space *space = parent != child ? find_space (self, parent) : NULL;

  if (parent == child)
    return;
  if (space == NULL)
    {
      wp_spaces_clear (self, child);
      return;
    }
  space->users++;
  set_space (self, child, space);
}

void
wp_spaces_clear (WpSpaces *self, gint32 pid)
{
  g_hash_table_remove (self->by_pid, GINT_TO_POINTER (pid));
  self->last_known = FALSE;
}

gboolean
wp_spaces_has_maps (const WpSpaces *self, gint32 pid)
{
  return g_hash_table_lookup (self->by_pid, GINT_TO_POINTER (pid)) != NULL;
}

gboolean
wp_spaces_any (const WpSpaces *self)
{
  return self->any;
}

const WpMapping *
wp_spaces_find (WpSpaces *self, gint32 pid, guint64 address)
{
  const Space *space = find_space (self, pid);

  return space != NULL ? wp_address_ranges_find (self->ranges, space->root, address) : NULL;
}

/* --- call chains -------------------------------------------------------------------------------------------------- */

static inline guint64
chain_entry (const guint8 *chain, gsize i)
{
  return wp_read_u64 (chain + 8 * i);
}

/* Where a chain is remembered, which may be another's place by now. A cache that is too small forgets everything and grows: most recordings
 * are small. */
static CachedChain *
chain_slot (ChainCache *self, guint64 hash)
{
  if (self->slots == NULL || (self->missed > self->mask && self->mask < CHAIN_CACHE - 1))
    {
      self->mask = self->slots == NULL ? CHAIN_CACHE_FIRST - 1 : MIN (self->mask * 8 + 7, CHAIN_CACHE - 1);
      self->missed = 0;
      g_free (self->slots);
      self->slots = g_new0 (CachedChain, (gsize) self->mask + 1);
    }
  return &self->slots[(hash >> 40) & self->mask];
}

static gboolean
is_chain (const CachedChain *slot, const Chain *chain, guint32 hash)
{
  return slot->hash == hash && slot->addresses != NULL && slot->base == chain->base && slot->n == chain->n
         && memcmp (slot->addresses, chain->addresses, 8 * (gsize) chain->n) == 0;
}

/* The stack that is remembered for a chain; 0 for a new one, which the caller then sets. Valid until the next call. */
static WpId *
chain_stack (ChainCache *self, const Chain *chain)
{
  guint64 hash = wp_hash_pair (wp_hash_bytes (chain->addresses, 8 * (gsize) chain->n), chain->base);
  CachedChain *slot = chain_slot (self, hash);

  if (!is_chain (slot, chain, (guint32) hash))
    {
      self->missed++;
      *slot = (CachedChain){ .addresses = chain->addresses, .hash = (guint32) hash, .base = chain->base, .n = chain->n };
    }
  return &slot->stack;
}

static WpId
user_frame (WpSpaces *self, const Space *space, guint64 address)
{
  CachedFrame *cached = &self->frames[((address ^ (guint64) space->id << 40) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15)) >> 50];
  const WpMapping *mapping;

  if (cached->space == space->id && cached->address == address)
    return cached->frame;
  mapping = wp_address_ranges_find (self->ranges, space->root, address);
  if (mapping == NULL)
    return 0;
  cached->space = space->id;
  cached->address = address;
  cached->frame = wp_trace_user_frame (self->trace, mapping->module, address - mapping->start + mapping->file_offset);
  return cached->frame;
}

/* Interns the user part; what is behind an address outside of all mappings is cut. */
static WpId
make_user_stack (WpSpaces *self, const Space *space, const Chain *chain)
{
  WpId frames[WP_STACK_DEPTH_MAX], stack = 0;
  gsize depth = 0;

  for (; depth < MIN (chain->n, WP_STACK_DEPTH_MAX); depth++)
    {
      guint64 address = chain_entry (chain->addresses, depth);

      frames[depth] = user_frame (self, space, address - (depth > 0));
      if (frames[depth] == 0)
        break;
    }
  while (depth > 0)
    stack = wp_trace_stack (self->trace, stack, frames[--depth]);
  return stack;
}

static WpId
make_kernel_stack (WpSpaces *self, const Chain *chain)
{
  WpId stack = chain->base;

  for (gsize i = MIN (chain->n, WP_STACK_DEPTH_MAX); i-- > 0;)
    stack = wp_trace_stack (self->trace, stack,
                            wp_kernel_symbols_frame (self->kernel, chain_entry (chain->addresses, i) - (i > 0)));
  return stack;
}

static WpId
user_stack (WpSpaces *self, gint32 pid, Chain *chain)
{
  const Space *space = find_space (self, pid);
  WpId *stack;

  if (space == NULL || chain->n == 0)
    return 0;
  if (!chain->lasts)
    return make_user_stack (self, space, chain);
  chain->base = space->id;
  stack = chain_stack (&self->user_chains, chain);
  if (*stack == 0)
    *stack = make_user_stack (self, space, chain);
  return *stack;
}

static WpId
kernel_stack (WpSpaces *self, WpId below, Chain *chain)
{
  WpId *stack;

  if (chain->n == 0)
    return below;
  chain->base = below;
  if (!chain->lasts)
    return make_kernel_stack (self, chain);
  stack = chain_stack (&self->kernel_chains, chain);
  if (*stack == 0)
    *stack = make_kernel_stack (self, chain);
  return *stack;
}

/* The entries up to the next context marker. */
static gsize
part_length (const guint8 *chain, gsize at, gsize n)
{
  gsize i = at;

  while (i < n && chain_entry (chain, i) < PERF_CONTEXT_MAX)
    i++;
  return i - at;
}

WpId
wp_spaces_stack (WpSpaces *self, gint32 pid, const guint8 *chain, gsize n, gboolean lasts)
{
  Chain user = { .lasts = lasts }, kernel = { .lasts = lasts };

  for (gsize i = 0; i < n;)
    {
      guint64 context = chain_entry (chain, i);
      gsize start = context >= PERF_CONTEXT_MAX ? i + 1 : i, length = part_length (chain, start, n);
      Chain *part = NULL;

      if (context == PERF_CONTEXT_USER || (context < PERF_CONTEXT_MAX && context >> 63 == 0))
        part = &user;
      else if (context == PERF_CONTEXT_KERNEL || context < PERF_CONTEXT_MAX)
        part = &kernel;
      if (part != NULL)
        {
          part->addresses = chain + 8 * start;
          part->n = (guint32) length;
        }
      i = start + length;
    }
  return kernel_stack (self, user_stack (self, pid, &user), &kernel);
}
