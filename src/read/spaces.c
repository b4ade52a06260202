/* Address spaces and call chains. A space is shared by all processes that have the same mappings (a fork copies
 * nothing), and equal chains in one space are looked up once: the user part by space and addresses, the kernel part
 * by what it stands on. */
#include "read/spaces.h"

#include "base/hash.h"
#include "read/read-private.h"

#include <linux/perf_event.h>

#define MAPPINGS_MAX 16384   /* executable ones of one process */
#define CHAIN_CACHE 65536    /* chains remembered; a power of two */
#define FRAME_CACHE 16384

typedef struct
{
  guint id; /* changes with its mappings; never 0 */
  guint users;
  WP_ARRAY (WpMapping) mappings; /* sorted, none overlaps */
} Space;

typedef struct
{
  guint64 hash; /* 0: empty */
  WpId stack;
} CachedChain;

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
  GHashTable *by_pid; /* pid → Space */
  gint32 last_pid;
  Space *last;
  guint next_id;
  gboolean any;
  CachedChain user_chains[CHAIN_CACHE], kernel_chains[CHAIN_CACHE];
  CachedFrame frames[FRAME_CACHE];
};

static void
space_unref (gpointer data)
{
  Space *space = data;

  if (--space->users > 0)
    return;
  wp_array_clear (&space->mappings);
  g_free (space);
}

WpSpaces *
wp_spaces_new (WpTrace *trace, WpKernelSymbols *kernel)
{
  WpSpaces *self = g_new0 (WpSpaces, 1);

  self->trace = trace;
  self->kernel = kernel;
  self->by_pid = g_hash_table_new_full (wp_hash_pointer, NULL, NULL, space_unref);
  self->last_pid = -1;
  return self;
}

void
wp_spaces_free (WpSpaces *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->by_pid);
  g_free (self);
}

static Space *
find_space (WpSpaces *self, gint32 pid)
{
  if (self->last_pid != pid)
    {
      self->last_pid = pid;
      self->last = g_hash_table_lookup (self->by_pid, GINT_TO_POINTER (pid));
    }
  return self->last;
}

static void
set_space (WpSpaces *self, gint32 pid, Space *space)
{
  g_hash_table_insert (self->by_pid, GINT_TO_POINTER (pid), space);
  self->last_pid = -1;
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
      if (old != NULL)
        {
          wp_array_resize (&space->mappings, old->mappings.len);
          memcpy (space->mappings.data, old->mappings.data, old->mappings.len * sizeof (WpMapping));
        }
      set_space (self, pid, space);
    }
  space->id = ++self->next_id;
  return space;
}

/* The first mapping that ends behind `address`. */
static guint32
first_behind (const Space *space, guint64 address)
{
  guint32 low = 0, high = space->mappings.len;

  while (low < high)
    {
      guint32 middle = low + (high - low) / 2;

      if (space->mappings.data[middle].end <= address)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* Puts `n` rows in place of those from `at` to `end`. */
static void
replace_mappings (Space *space, guint32 at, guint32 end, const WpMapping *rows, guint n)
{
  guint32 tail = space->mappings.len - end, len = space->mappings.len - (end - at) + n;

  wp_array_reserve (&space->mappings, len);
  memmove (space->mappings.data + at + n, space->mappings.data + end, tail * sizeof (WpMapping));
  memcpy (space->mappings.data + at, rows, n * sizeof (WpMapping));
  space->mappings.len = len;
}

gboolean
wp_spaces_map (WpSpaces *self, gint32 pid, guint64 start, guint64 size, guint64 file_offset, WpId module)
{
  WpMapping rows[3];
  guint32 at, end;
  guint n = 0;
  Space *space;

  if (size == 0 || size > G_MAXUINT64 - start)
    return FALSE;
  space = find_space (self, pid);
  if (space != NULL && space->mappings.len >= MAPPINGS_MAX)
    return FALSE;
  self->any = TRUE;
  space = own_space (self, pid);
  at = first_behind (space, start);
  for (end = at; end < space->mappings.len && space->mappings.data[end].start < start + size; end++)
    ;
  if (end > at && space->mappings.data[at].start < start)
    {
      rows[n] = space->mappings.data[at];
      rows[n++].end = start;
    }
  rows[n++] = (WpMapping){ .start = start, .end = start + size, .file_offset = file_offset, .module = module };
  if (end > at && space->mappings.data[end - 1].end > start + size)
    {
      rows[n] = space->mappings.data[end - 1];
      rows[n].file_offset += start + size - rows[n].start;
      rows[n++].start = start + size;
    }
  replace_mappings (space, at, end, rows, n);
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
  self->last_pid = -1;
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

static inline const WpMapping *
mapping_at (const Space *space, guint64 address)
{
  guint32 row = first_behind (space, address);

  return row < space->mappings.len && space->mappings.data[row].start <= address ? &space->mappings.data[row] : NULL;
}

const WpMapping *
wp_spaces_find (WpSpaces *self, gint32 pid, guint64 address)
{
  const Space *space = find_space (self, pid);

  return space != NULL ? mapping_at (space, address) : NULL;
}

/* --- call chains -------------------------------------------------------------------------------------------------- */

static inline guint64
chain_entry (const guint8 *chain, gsize i)
{
  guint64 value;

  memcpy (&value, chain + 8 * i, sizeof value);
  return value;
}

static guint64
hash_chain (const guint8 *chain, gsize n, guint64 seed)
{
  guint64 h = (seed + n) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

  for (gsize i = 0; i < n; i++)
    {
      h = (h ^ chain_entry (chain, i)) * G_GUINT64_CONSTANT (0xff51afd7ed558ccd);
      h ^= h >> 32;
    }
  return h | 1;
}

static WpId
user_frame (WpSpaces *self, const Space *space, guint64 address)
{
  CachedFrame *cached = &self->frames[((address ^ (guint64) space->id << 40) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15)) >> 50];
  const WpMapping *mapping;

  if (cached->space == space->id && cached->address == address)
    return cached->frame;
  mapping = mapping_at (space, address);
  if (mapping == NULL)
    return 0;
  cached->space = space->id;
  cached->address = address;
  cached->frame = wp_trace_user_frame (self->trace, mapping->module, address - mapping->start + mapping->file_offset);
  return cached->frame;
}

/* Interns the user part; what is behind an address outside of all mappings is cut. */
static WpId
make_user_stack (WpSpaces *self, const Space *space, const guint8 *chain, gsize n)
{
  WpId frames[WP_STACK_DEPTH_MAX], stack = 0;
  gsize depth = 0;

  for (; depth < MIN (n, WP_STACK_DEPTH_MAX); depth++)
    {
      guint64 address = chain_entry (chain, depth);

      frames[depth] = user_frame (self, space, address - (depth > 0));
      if (frames[depth] == 0)
        break;
    }
  while (depth > 0)
    stack = wp_trace_stack (self->trace, stack, frames[--depth]);
  return stack;
}

static WpId
make_kernel_stack (WpSpaces *self, WpId stack, const guint8 *chain, gsize n)
{
  for (gsize i = MIN (n, WP_STACK_DEPTH_MAX); i-- > 0;)
    stack = wp_trace_stack (self->trace, stack, wp_kernel_symbols_frame (self->kernel,
                                                                         chain_entry (chain, i) - (i > 0)));
  return stack;
}

static WpId
user_stack (WpSpaces *self, gint32 pid, const guint8 *chain, gsize n)
{
  const Space *space = find_space (self, pid);
  CachedChain *cached;
  guint64 hash;

  if (space == NULL || n == 0)
    return 0;
  hash = hash_chain (chain, n, space->id);
  cached = &self->user_chains[(hash >> 40) % CHAIN_CACHE];
  if (cached->hash != hash)
    *cached = (CachedChain){ .hash = hash, .stack = make_user_stack (self, space, chain, n) };
  return cached->stack;
}

static WpId
kernel_stack (WpSpaces *self, WpId stack, const guint8 *chain, gsize n)
{
  guint64 hash;
  CachedChain *cached;

  if (n == 0)
    return stack;
  hash = hash_chain (chain, n, (guint64) stack << 32);
  cached = &self->kernel_chains[(hash >> 40) % CHAIN_CACHE];
  if (cached->hash != hash)
    *cached = (CachedChain){ .hash = hash, .stack = make_kernel_stack (self, stack, chain, n) };
  return cached->stack;
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
wp_spaces_stack (WpSpaces *self, gint32 pid, const guint8 *chain, gsize n)
{
  gsize user = 0, n_user = 0, kernel = 0, n_kernel = 0;

  for (gsize i = 0; i < n;)
    {
      guint64 context = chain_entry (chain, i);
      gsize start = context >= PERF_CONTEXT_MAX ? i + 1 : i, length = part_length (chain, start, n);

      if (context == PERF_CONTEXT_USER || (context < PERF_CONTEXT_MAX && context >> 63 == 0))
        user = start, n_user = length;
      else if (context == PERF_CONTEXT_KERNEL || context < PERF_CONTEXT_MAX)
        kernel = start, n_kernel = length;
      i = start + length;
    }
  return kernel_stack (self, user_stack (self, pid, chain + 8 * user, n_user), chain + 8 * kernel, n_kernel);
}
