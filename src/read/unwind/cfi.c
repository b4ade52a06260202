/* The rows of one file: libdw finds and runs the tables, once for each address. */
#include "read/unwind/cfi.h"

#include "base/table.h"
#include "read/symbols/debug-files.h"

#include <dwarf.h>
#include <sys/utsname.h>

#define OPERATIONS_MAX 256        /* of one rule */
#define ADDRESSES_MAX (1u << 24)  /* that are remembered of one file */

typedef struct
{
  guint32 offset; /* in the file */
  guint32 row;    /* + 1; 0: empty */
} AddressSlot;

/* Addresses that are known to share a row. Where a row ends libdw knows for sure, but not where it begins: what restores
 * a remembered row brings its old beginning along. */
typedef struct
{
  guint64 start, end;
  guint32 row;
} RowRange;

struct WpCfi
{
  const WpCfiArch *arch;
  WpElfFile *file;
  Dwarf *dwarf;
  Dwarf_CFI *frames;       /* .eh_frame */
  Dwarf_CFI *debug_frames; /* .debug_frame, once it was wanted */
  gboolean wanted_debug_frames;
  WP_TABLE (AddressSlot) addresses;
  GTree *ranges; /* of addresses with one row: RowRange, in the order of their ends */
  WP_ARRAY (WpCfiRow) rows; /* each once; row 0 is WP_CFI_NONE */
  GHashTable *row_ids;      /* of the rows in GBytes */
  WP_ARRAY (WpCfiRules) rules;
  WP_ARRAY (Dwarf_Op) operations;
};

/* --- processors --------------------------------------------------------------------------------------------------- */

static const WpCfiArch archs[] = {
  { "x86_64", EM_X86_64, 17, 7, 6, 16, FALSE, 7, { 16, 6, 3, 12, 13, 14, 15 }, 0x1f0c8, 24,
    { 0, 3, 2, 1, 4, 5, 6, 7, -1, -1, -1, -1, -1, -1, -1, -1, 8, 9, 10, 11, 12, 13, 14, 15 }, 8, G_MAXUINT64 },
  { "aarch64", EM_AARCH64, 32, 31, 29, 30, TRUE, 12, { 30, 29, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28 }, 0xfff80000, 33,
    { 0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16,
      17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, -1 }, 32, G_GUINT64_CONSTANT (0xffffffffffff) },
};

const WpCfiArch *
wp_cfi_arch (const char *name)
{
  struct utsname host;

  if (name == NULL)
    name = uname (&host) == 0 ? host.machine : "";
  for (guint i = 0; i < G_N_ELEMENTS (archs); i++)
    if (g_str_equal (archs[i].name, name))
      return &archs[i];
  return NULL;
}

/* --- opening ------------------------------------------------------------------------------------------------------ */

static int
compare_ranges (const void *a, const void *b, void *data)
{
  const RowRange *x = a, *y = b;

  return (x->end > y->end) - (x->end < y->end);
}

WpCfi *
wp_cfi_open (const char *path, const char *build_id, const WpCfiArch *arch)
{
  WpCfi *self = g_new0 (WpCfi, 1);
  GElf_Ehdr header;

  self->arch = arch;
  self->file = g_str_equal (path, "[vdso]") ? wp_elf_file_vdso () : wp_main_file_open (path, build_id, NULL);
  self->row_ids = g_hash_table_new_full (g_bytes_hash, g_bytes_equal, (GDestroyNotify) g_bytes_unref, NULL);
  self->ranges = g_tree_new_full (compare_ranges, NULL, g_free, NULL);
  wp_array_add (&self->rows);
  if (self->file == NULL || gelf_getehdr (self->file->elf, &header) == NULL || header.e_machine != arch->machine
      || header.e_ident[EI_CLASS] != ELFCLASS64)
    {
      wp_cfi_free (self);
      return NULL;
    }
  self->frames = dwarf_getcfi_elf (self->file->elf);
  return self;
}

void
wp_cfi_free (WpCfi *self)
{
  if (self == NULL)
    return;
  if (self->frames != NULL)
    dwarf_cfi_end (self->frames);
  if (self->dwarf != NULL)
    dwarf_end (self->dwarf);
  wp_elf_file_free (self->file);
  WP_TABLE_CLEAR (&self->addresses);
  g_hash_table_unref (self->row_ids);
  g_tree_unref (self->ranges);
  wp_array_clear (&self->rows);
  wp_array_clear (&self->rules);
  wp_array_clear (&self->operations);
  g_free (self);
}

/* The second choice: opening DWARF looks at every section of the file. */
static Dwarf_CFI *
debug_frames (WpCfi *self)
{
  GElf_Shdr header;

  if (!self->wanted_debug_frames)
    {
      self->wanted_debug_frames = TRUE;
      if (wp_elf_file_section (self->file, SHT_NULL, ".debug_frame", &header) != NULL
          || wp_elf_file_section (self->file, SHT_NULL, ".zdebug_frame", &header) != NULL)
        self->dwarf = dwarf_begin_elf (self->file->elf, DWARF_C_READ, NULL);
      if (self->dwarf != NULL)
        self->debug_frames = dwarf_getcfi (self->dwarf);
    }
  return self->debug_frames;
}

/* --- rows --------------------------------------------------------------------------------------------------------- */

static gboolean
offset_from_cfa (const Dwarf_Op *ops, size_t n, gint64 *offset)
{
  if (n == 0 || n > 2 || ops[0].atom != DW_OP_call_frame_cfa || (n == 2 && ops[1].atom != DW_OP_plus_uconst))
    return FALSE;
  *offset = n == 2 ? (gint64) ops[1].number : 0;
  return *offset % 8 == 0 && *offset / 8 >= G_MININT16 && *offset / 8 <= G_MAXINT16;
}

static gboolean
register_and_offset (const WpCfiArch *arch, const Dwarf_Op *ops, size_t n, guint64 *reg, gint64 *offset)
{
  if (n != 1)
    return FALSE;
  if (ops[0].atom == DW_OP_bregx)
    {
      *reg = ops[0].number;
      *offset = (gint64) ops[0].number2;
    }
  else if (ops[0].atom >= DW_OP_breg0 && ops[0].atom <= DW_OP_breg31)
    {
      *reg = ops[0].atom - DW_OP_breg0;
      *offset = (gint64) ops[0].number;
    }
  else
    return FALSE;
  return *reg < arch->n_registers && *offset == (gint32) *offset;
}

/* FALSE: it takes rules. */
static gboolean
make_plain (const WpCfi *self, Dwarf_Frame *frame, WpCfiRow *row)
{
  const WpCfiArch *arch = self->arch;
  Dwarf_Op memory[3], *ops;
  guint64 reg;
  gint64 offset;
  size_t n;

  if (dwarf_frame_cfa (frame, &ops, &n) != 0 || !register_and_offset (arch, ops, n, &reg, &offset))
    return FALSE;
  *row = (WpCfiRow){ .kind = WP_CFI_PLAIN, .cfa_register = reg, .cfa_offset = offset };
  for (guint i = 0; i < arch->n_saved; i++)
    {
      if (dwarf_frame_register (frame, arch->saved[i], memory, &ops, &n) != 0)
        return FALSE;
      if (n == 0) /* libdw forgets that calls preserve rbx */
        continue;
      if (!offset_from_cfa (ops, n, &offset))
        return FALSE;
      row->saved |= 1u << i;
      row->at[i] = (gint16) (offset / 8);
    }
  return TRUE;
}

static gboolean
add_rule (WpCfi *self, WpCfiRule *rule, const Dwarf_Op *ops, size_t n)
{
  if (n > OPERATIONS_MAX)
    return FALSE;
  rule->first = self->operations.len;
  rule->n = (guint16) n;
  rule->same = n == 0 && ops == NULL;
  for (size_t i = 0; i < n; i++)
    wp_array_push (&self->operations, ops[i]);
  return TRUE;
}

static gboolean
make_rules (WpCfi *self, Dwarf_Frame *frame, gboolean is_signal, WpCfiRow *row)
{
  WpCfiRules *rules = wp_array_add (&self->rules);
  Dwarf_Op memory[3], *ops;
  size_t n;

  rules->signal = is_signal;
  if (dwarf_frame_cfa (frame, &ops, &n) != 0 || n == 0 || !add_rule (self, &rules->cfa, ops, n))
    return FALSE;
  for (guint i = 0; i < self->arch->n_registers; i++)
    {
      if (dwarf_frame_register (frame, i, memory, &ops, &n) != 0 || !add_rule (self, &rules->registers[i], ops, n))
        return FALSE;
      rules->registers[i].same |= n == 0 && (self->arch->kept >> i & 1);
    }
  *row = (WpCfiRow){ .kind = WP_CFI_RULES, .cfa_offset = self->rules.len - 1 };
  return TRUE;
}

/* The entries of a procedure linkage table have a rule for all of them: the frame is a word larger from the 11th of 16 bytes
 * on. */
static gboolean
make_stub (const WpCfi *self, Dwarf_Frame *frame, guint64 address, WpCfiRow *row)
{
  static const guint8 atoms[] = { DW_OP_breg7, DW_OP_breg16, DW_OP_lit15, DW_OP_and, 0, DW_OP_ge, DW_OP_lit3, DW_OP_shl,
                                  DW_OP_plus };
  Dwarf_Op *ops;
  guint limit;
  size_t n;

  if (self->arch->machine != EM_X86_64 || dwarf_frame_cfa (frame, &ops, &n) != 0 || n != G_N_ELEMENTS (atoms))
    return FALSE;
  for (guint i = 0; i < n; i++)
    if (atoms[i] != 0 && ops[i].atom != atoms[i])
      return FALSE;
  if (ops[0].number != 8 || ops[1].number != 0 || ops[4].atom < DW_OP_lit0 || ops[4].atom > DW_OP_lit31)
    return FALSE;
  limit = ops[4].atom - DW_OP_lit0;
  *row = (WpCfiRow){ .kind = WP_CFI_PLAIN, .cfa_register = self->arch->stack_pointer,
                     .cfa_offset = address % 16 >= limit ? 16 : 8, .saved = 1, .at = { -1 } };
  return TRUE;
}

/* Says up to where the row holds. */
static void
make_row (WpCfi *self, Dwarf_Frame *frame, guint64 address, WpCfiRow *row, guint64 *end)
{
  Dwarf_Op memory[3], *ops;
  Dwarf_Addr start;
  bool is_signal = false;
  size_t n;

  if (dwarf_frame_info (frame, &start, end, &is_signal) != self->arch->return_column
      || dwarf_frame_register (frame, self->arch->return_column, memory, &ops, &n) != 0
      || (n == 0 && ops == NULL && !self->arch->return_is_register))
    return;
  if (n == 0 && ops != NULL)
    row->kind = WP_CFI_END;
  else if (!is_signal && make_stub (self, frame, address, row))
    *end = 0;
  else if ((is_signal || !make_plain (self, frame, row)) && !make_rules (self, frame, is_signal, row))
    *row = (WpCfiRow){ .kind = WP_CFI_NONE };
}

static gboolean
address_of (const WpCfi *self, guint64 file_offset, guint64 *address)
{
  const WpElfFile *file = self->file;

  for (guint i = 0; i < file->n_segments; i++)
    if (file_offset >= file->segments[i].offset && file_offset - file->segments[i].offset < file->segments[i].size)
      {
        *address = file_offset - file->segments[i].offset + file->segments[i].address;
        return TRUE;
      }
  return FALSE;
}

static guint32
intern_row (WpCfi *self, const WpCfiRow *row)
{
  g_autoptr (GBytes) key = NULL;
  gpointer id;

  if (row->kind == WP_CFI_NONE)
    return 0;
  key = g_bytes_new (row, sizeof *row);
  id = g_hash_table_lookup (self->row_ids, key);
  if (id == NULL)
    {
      wp_array_push (&self->rows, *row);
      id = GUINT_TO_POINTER (self->rows.len - 1);
      g_hash_table_insert (self->row_ids, g_steal_pointer (&key), id);
    }
  return GPOINTER_TO_UINT (id);
}

/* The first range that ends behind the address. */
static RowRange *
range_behind (const WpCfi *self, guint64 address)
{
  RowRange key = { .end = address };
  GTreeNode *node = g_tree_upper_bound (self->ranges, &key);

  return node != NULL ? g_tree_node_key (node) : NULL;
}

static void
add_range (WpCfi *self, guint64 address, guint64 end, guint32 row)
{
  RowRange range = { .start = address, .end = end, .row = row }, *known = range_behind (self, address);

  if (known != NULL && known->end == end)
    known->start = MIN (known->start, address);
  else if (end > address)
    g_tree_insert (self->ranges, g_memdup2 (&range, sizeof range), NULL);
}

/* Asks libdw. */
static guint32
find_frame (WpCfi *self, guint64 address)
{
  WpCfiRow row = { .kind = WP_CFI_NONE };
  Dwarf_Frame *frame = NULL;
  guint64 end = 0;
  guint32 id;

  if ((self->frames != NULL && dwarf_cfi_addrframe (self->frames, address, &frame) == 0)
      || (debug_frames (self) != NULL && dwarf_cfi_addrframe (self->debug_frames, address, &frame) == 0))
    make_row (self, frame, address, &row, &end);
  free (frame);
  id = intern_row (self, &row);
  add_range (self, address, end, id);
  return id;
}

static guint32
look_up (WpCfi *self, guint64 file_offset)
{
  const RowRange *range;
  guint64 address;

  if (!address_of (self, file_offset, &address))
    return 0;
  range = range_behind (self, address);
  return range != NULL && range->start <= address ? range->row : find_frame (self, address);
}

/* --- by address --------------------------------------------------------------------------------------------------- */

static inline AddressSlot *
slot_of (const WpCfi *self, guint32 offset)
{
  return WP_TABLE_FIND (&self->addresses, wp_hash_number (offset), slot, slot->row == 0 || slot->offset == offset);
}

static const WpCfiRow *
add (WpCfi *self, guint32 offset)
{
  guint32 row = look_up (self, offset);

  if (self->addresses.n < ADDRESSES_MAX)
    {
      WP_TABLE_RESERVE (&self->addresses, 256, 2, slot, slot->row != 0, wp_hash_number (slot->offset));
      *slot_of (self, offset) = (AddressSlot){ .offset = offset, .row = row + 1 };
      self->addresses.n++;
    }
  return &self->rows.data[row];
}

const WpCfiRow *
wp_cfi_find (WpCfi *self, guint64 file_offset)
{
  if (file_offset > G_MAXUINT32)
    return &self->rows.data[0];
  if (self->addresses.slots != NULL)
    {
      const AddressSlot *slot = slot_of (self, (guint32) file_offset);

      if (slot->row != 0)
        return &self->rows.data[slot->row - 1];
    }
  return add (self, (guint32) file_offset);
}

const WpCfiRules *
wp_cfi_rules (const WpCfi *self, const WpCfiRow *row)
{
  return &self->rules.data[row->cfa_offset];
}

const Dwarf_Op *
wp_cfi_operations (const WpCfi *self, const WpCfiRule *rule)
{
  return &self->operations.data[rule->first];
}
