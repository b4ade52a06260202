/* Walks stacks outwards: mapping, row, step. What a thread's last whole stack was is kept, to complete those that its copied
 * bytes cut: a frame is known by where it begins and where it will be returned to. */
#include "read/unwind/unwind.h"

#include "base/bytes.h"
#include "base/hash.h"
#include "base/search.h"
#include "read/symbols/address-spaces.h"

#include <linux/perf_event.h>

typedef struct
{
  guint64 cfa; /* of the frame */
  guint64 pc;
} Known;

/* The last stack of one thread that reached the entry. */
typedef struct
{
  guint n, room;
  Known frames[]; /* innermost first, `cfa` grows */
} Whole;

struct WpUnwinder
{
  const WpCfiArch *arch;
  char *root;
  gboolean vdso;
  const WpBuilds *builds; /* or NULL */
  WpTrace *modules; /* for its table of modules only */
  WpSpaces *spaces;
  WP_ARRAY (WpCfi *) tables; /* by module; NULL: none, or not tried */
  WP_ARRAY (guint8) tried;
  GHashTable *wholes; /* tid → Whole */
  Known walk[WP_STACK_DEPTH_MAX];
};

WpUnwinder *
wp_unwinder_new (const WpCfiArch *arch, const char *symbol_root, gboolean vdso)
{
  WpUnwinder *self = g_new0 (WpUnwinder, 1);

  self->arch = arch;
  self->root = g_strdup (symbol_root != NULL ? symbol_root : "");
  self->vdso = vdso;
  self->modules = wp_trace_new ();
  self->spaces = wp_spaces_new (self->modules, NULL);
  self->wholes = g_hash_table_new_full (wp_hash_pointer, NULL, NULL, g_free);
  return self;
}

void
wp_unwinder_free (WpUnwinder *self)
{
  if (self == NULL)
    return;
  for (guint32 i = 0; i < self->tables.len; i++)
    wp_cfi_free (self->tables.data[i]);
  wp_array_clear (&self->tables);
  wp_array_clear (&self->tried);
  g_hash_table_unref (self->wholes);
  wp_spaces_free (self->spaces);
  wp_trace_free (self->modules);
  g_free (self->root);
  g_free (self);
}

void
wp_unwinder_set_builds (WpUnwinder *self, const WpBuilds *builds)
{
  self->builds = builds;
}

/* --- address spaces ----------------------------------------------------------------------------------------------- */

void
wp_unwinder_map (WpUnwinder *self, gint32 pid, guint64 start, guint64 size, guint64 file_offset, const char *path,
                 const char *build_id)
{
  wp_spaces_map (self->spaces, pid, start, size, file_offset, wp_trace_module (self->modules, path, build_id));
}

void
wp_unwinder_fork (WpUnwinder *self, gint32 parent, gint32 child)
{
  wp_spaces_fork (self->spaces, parent, child);
}

void
wp_unwinder_exec (WpUnwinder *self, gint32 pid, gint32 tid)
{
  wp_spaces_clear (self->spaces, pid);
  g_hash_table_remove (self->wholes, GINT_TO_POINTER (tid));
}

void
wp_unwinder_exit (WpUnwinder *self, gint32 pid, gint32 tid)
{
  if (pid == tid)
    wp_spaces_clear (self->spaces, pid);
  g_hash_table_remove (self->wholes, GINT_TO_POINTER (tid));
}

static WpCfi *
open_table (WpUnwinder *self, WpId module)
{
  const WpModule *row = &self->modules->modules.data[module];
  const char *path = wp_trace_string (self->modules, row->path), *build_id = wp_trace_string (self->modules, row->build_id);
  const char *place = self->builds != NULL ? wp_builds_place (self->builds, build_id) : NULL;
  g_autofree char *full = NULL;

  if (g_str_equal (path, "[vdso]"))
    return self->vdso ? wp_cfi_open (path, NULL, self->arch) : NULL;
  if (path[0] != '/')
    return NULL;
  full = g_strconcat (self->root, path, NULL);
  return wp_cfi_open (place != NULL ? place : full, build_id, self->arch);
}

static inline WpCfi *
table_of (WpUnwinder *self, WpId module)
{
  if (module >= self->tried.len)
    {
      wp_array_resize (&self->tried, self->modules->modules.len);
      wp_array_resize (&self->tables, self->modules->modules.len);
    }
  if (!self->tried.data[module])
    {
      self->tried.data[module] = TRUE;
      self->tables.data[module] = open_table (self, module);
    }
  return self->tables.data[module];
}

/* --- completing --------------------------------------------------------------------------------------------------- */

/* The frame of the last whole stack that begins there and is at that place. */
static guint
find_known (const Whole *whole, const Known *frame)
{
  guint low;

  low = WP_SEARCH (0, whole->n, i, whole->frames[i].cfa < frame->cfa);
  while (low < whole->n && whole->frames[low].cfa == frame->cfa && whole->frames[low].pc != frame->pc)
    low++;
  return low < whole->n && whole->frames[low].cfa == frame->cfa ? low : whole->n;
}

/* Appends what an earlier stack has further out than the outermost frame whose beginning is known. Returns the new number of
 * frames, 0 when there is no such stack or not enough room. */
static guint
complete (WpUnwinder *self, gint32 tid, guint n_known)
{
  const Whole *whole = g_hash_table_lookup (self->wholes, GINT_TO_POINTER (tid));
  guint at = whole != NULL && n_known > 0 ? find_known (whole, &self->walk[n_known - 1]) + 1 : 0, n;

  if (at == 0 || at >= whole->n || whole->n - at > WP_STACK_DEPTH_MAX - n_known)
    return 0;
  n = whole->n - at;
  memcpy (&self->walk[n_known], &whole->frames[at], n * sizeof (Known));
  return n_known + n;
}

static void
remember (WpUnwinder *self, gint32 tid, guint n)
{
  Whole *whole = g_hash_table_lookup (self->wholes, GINT_TO_POINTER (tid));

  if (whole == NULL || whole->room < n)
    {
      guint room = MAX (n + n / 2, 24);

      whole = g_malloc (sizeof *whole + room * sizeof (Known));
      whole->room = room;
      g_hash_table_insert (self->wholes, GINT_TO_POINTER (tid), whole);
    }
  whole->n = n;
  memcpy (whole->frames, self->walk, n * sizeof (Known));
}

/* --- walking ------------------------------------------------------------------------------------------------------ */

static gboolean
begin (const WpUnwinder *self, const WpUserState *user, WpCfiState *state)
{
  const WpCfiArch *arch = self->arch;
  guint at = 0;
  gboolean has_pc = FALSE;

  if (user->abi != PERF_SAMPLE_REGS_ABI_64)
    return FALSE;
  *state = (WpCfiState){ .arch = arch, .exact = TRUE, .stack = user->stack, .stack_size = user->stack_size };
  for (guint64 bits = user->mask; bits != 0; bits &= bits - 1, at++)
    {
      guint i = (guint) __builtin_ctzll (bits);
      guint64 value = wp_read_u64 (user->registers + 8 * at);

      if (i < arch->n_sampled && arch->sampled[i] >= 0)
        {
          state->registers[arch->sampled[i]] = value;
          state->known |= G_GUINT64_CONSTANT (1) << arch->sampled[i];
        }
      if (i == arch->sampled_pc)
        {
          state->pc = value;
          has_pc = TRUE;
        }
    }
  if (!arch->return_is_register)
    {
      state->registers[arch->return_column] = state->pc;
      state->known |= G_GUINT64_CONSTANT (1) << arch->return_column;
    }
  state->stack_start = state->registers[arch->stack_pointer];
  return has_pc && (state->known >> arch->stack_pointer & 1);
}

/* Goes as far as it can. `n_known`: how many of the frames have a beginning that is known. */
static guint
walk (WpUnwinder *self, gint32 pid, WpCfiState *state, guint *n_known, WpUnwindEnd *end)
{
  const WpMapping *mapping = NULL;
  WpCfi *table = NULL;
  guint n = 0;

  *end = WP_UNWIND_CUT;
  *n_known = 0;
  while (n < WP_STACK_DEPTH_MAX)
    {
      guint64 pc = state->exact ? state->pc : state->pc - 1;
      WpCfiStep step;

      if (mapping == NULL || pc < mapping->start || pc >= mapping->end)
        {
          mapping = wp_spaces_find (self->spaces, pid, pc);
          if (mapping == NULL)
            break;
          table = table_of (self, mapping->module);
        }
      self->walk[n] = (Known){ .pc = state->pc };
      state->cfa = 0;
      step = table != NULL
        ? wp_cfi_step (state, table, wp_cfi_find (table, pc - mapping->start + mapping->file_offset))
        : wp_cfi_step_frame_pointer (state);
      self->walk[n].cfa = state->cfa;
      n++;
      if (state->cfa != 0 && *n_known == n - 1)
        *n_known = n;
      if (step == WP_STEP_END)
        {
          self->walk[n - 1].cfa = state->cfa != 0 ? state->cfa : G_MAXUINT64;
          *end = WP_UNWIND_WHOLE;
        }
      if (step != WP_STEP_DONE)
        break;
    }
  return n;
}

guint
wp_unwind (WpUnwinder *self, gint32 pid, gint32 tid, const WpUserState *user, guint64 *addresses, WpUnwindEnd *end)
{
  WpCfiState state;
  guint n, n_known, completed;

  *end = WP_UNWIND_NONE;
  if (!begin (self, user, &state))
    return 0;
  n = walk (self, pid, &state, &n_known, end);
  if (n == 0)
    *end = WP_UNWIND_NONE;
  else if (*end == WP_UNWIND_CUT && (completed = complete (self, tid, n_known)) > 0)
    {
      n = completed;
      *end = WP_UNWIND_COMPLETED;
    }
  if (*end >= WP_UNWIND_COMPLETED)
    remember (self, tid, n);
  for (guint i = 0; i < n; i++)
    addresses[i] = self->walk[i].pc;
  return n;
}
