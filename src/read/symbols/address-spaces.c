/* Address spaces, and stacks. A space is shared by all processes that have the same mappings: a fork copies
 * nothing, and what either maps then is all that differs. */
#include "read/symbols/address-spaces.h"

#include "base/bytes.h"
#include "base/hash.h"
#include "read/read-private.h"

#define FRAME_CACHE 16384

typedef struct
{
  guint id; /* changes with its mappings; never 0 */
  guint users;
  WpId root;       /* of its ranges */
  guint32 edition; /* … of which these are its own */
} Space;

/* The stack of a part of a chain, by the part's place. */
typedef struct
{
  guint32 name; /* the part's; 0: none yet */
  WpId stack;
} PartStack;

typedef WP_ARRAY (PartStack) PartStackArray;

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
  PartStackArray user_stacks, kernel_stacks;
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
  wp_array_clear (&self->user_stacks);
  wp_array_clear (&self->kernel_stacks);
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

guint32
wp_spaces_number (WpSpaces *self, gint32 pid)
{
  const Space *space = find_space (self, pid);

  return space != NULL ? space->id : 0;
}

/* --- stacks --------------------------------------------------------------------------------------------------------- */

static inline guint64
address_of (const WpChainPart *part, gsize i)
{
  return wp_read_u64 (part->addresses + 8 * i);
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
make_user_stack (WpSpaces *self, const Space *space, const WpChainPart *part)
{
  WpId frames[WP_STACK_DEPTH_MAX], stack = 0;
  gsize depth = 0;

  if (space == NULL)
    return 0;
  for (; depth < MIN (part->n, WP_STACK_DEPTH_MAX); depth++)
    {
      guint64 address = address_of (part, depth);

      frames[depth] = user_frame (self, space, address - (depth > 0));
      if (frames[depth] == 0)
        break;
    }
  while (depth > 0)
    stack = wp_trace_stack (self->trace, stack, frames[--depth]);
  return stack;
}

static WpId
make_kernel_stack (WpSpaces *self, WpId below, const WpChainPart *part)
{
  WpId stack = below;

  for (gsize i = MIN (part->n, WP_STACK_DEPTH_MAX); i-- > 0;)
    stack = wp_trace_stack (self->trace, stack, wp_kernel_symbols_frame (self->kernel, address_of (part, i) - (i > 0)));
  return stack;
}

/* The stack that was made of this part; 0 where none was, which the caller then sets. NULL: nobody remembers the part. */
static WpId *
known_stack (PartStackArray *stacks, const WpChainPart *part)
{
  PartStack *known;

  if (part->place == 0)
    return NULL;
  if (part->place > stacks->len)
    wp_array_resize (stacks, part->place);
  known = &stacks->data[part->place - 1];
  if (known->name != part->name)
    *known = (PartStack){ .name = part->name };
  return &known->stack;
}

static WpId
user_stack (WpSpaces *self, gint32 pid, const WpChainPart *part)
{
  WpId *known = known_stack (&self->user_stacks, part), stack;

  if (known != NULL && *known != 0)
    return *known;
  stack = part->n > 0 ? make_user_stack (self, find_space (self, pid), part) : 0;
  if (known != NULL)
    *known = stack;
  return stack;
}

static WpId
kernel_stack (WpSpaces *self, WpId below, const WpChainPart *part)
{
  WpId *known = known_stack (&self->kernel_stacks, part), stack;

  if (known != NULL && *known != 0)
    return *known;
  stack = make_kernel_stack (self, below, part);
  if (known != NULL)
    *known = stack;
  return stack;
}

WpId
wp_spaces_stack (WpSpaces *self, gint32 pid, const WpCallChain *chain)
{
  return kernel_stack (self, user_stack (self, pid, &chain->user), &chain->kernel);
}
