/* The kernel's functions by address: the recording's own kallsyms, or else the running kernel's where it is the same
 * one. */
#include "read/symbols/kernel-symbols.h"

#include "base/asked-files.h"
#include "base/search.h"
#include "base/sort.h"
#include "read/symbols/address-ranges.h"
#include "read/symbols/kept-kernel.h"

#include <sys/utsname.h>

#define CACHE_SIZE 16384          /* addresses remembered; a power of two */
#define NAME_LENGTH_MAX 512       /* the kernel's own limit for a symbol's name */

typedef WP_ARRAY (WpKernelSymbol) SymbolArray;

struct WpKernelTable
{
  char *text;
  gsize size;
  SymbolArray symbols; /* of that text */
  char *modules;       /* which ones the running kernel had, whose text it is; NULL: it is a recording's own */
};

struct WpKernelSymbols
{
  WpTrace *trace;
  WpKernelTable *table; /* or NULL */
  const char *root; /* or NULL */
  const char *text;
  char *own_text; /* read here */
  gsize size;
  gboolean loaded;
  WpKeptKernel kept;   /* of the running kernel; once it was asked for */
  gboolean asked_kept;
  gboolean is_kept;    /* its symbols are those at hand, with their text */
  char *reference;
  guint64 reference_address;
  SymbolArray symbols;
  WpAddressRanges *ranges;
  WpId modules; /* root of their ranges */
  WpId unknown;
  struct
  {
    guint64 address;
    WpId frame;
  } cache[CACHE_SIZE];
};

WpKernelSymbols *
wp_kernel_symbols_new (WpTrace *trace, const char *root)
{
  WpKernelSymbols *self = g_new0 (WpKernelSymbols, 1);

  self->trace = trace;
  self->root = root;
  self->ranges = wp_address_ranges_new ();
  return self;
}

void
wp_kernel_symbols_free (WpKernelSymbols *self)
{
  if (self == NULL)
    return;
  g_free (self->own_text);
  g_free (self->reference);
  wp_array_clear (&self->symbols);
  wp_kept_kernel_close (&self->kept);
  wp_address_ranges_free (self->ranges);
  g_free (self);
}

WpKernelTable *
wp_kernel_table_new (void)
{
  return g_new0 (WpKernelTable, 1);
}

void
wp_kernel_table_free (WpKernelTable *self)
{
  if (self == NULL)
    return;
  g_free (self->text);
  g_free (self->modules);
  wp_array_clear (&self->symbols);
  g_free (self);
}

void
wp_kernel_symbols_keep (WpKernelSymbols *self, WpKernelTable *table)
{
  self->table = table;
}

void
wp_kernel_symbols_set_text (WpKernelSymbols *self, const char *text, gsize n)
{
  if (n > 0 && n < G_MAXUINT32)
    {
      self->text = text;
      self->size = n;
    }
}

void
wp_kernel_symbols_set_reference (WpKernelSymbols *self, const char *symbol, guint64 address)
{
  g_free (self->reference);
  self->reference = g_strdup (symbol);
  self->reference_address = address;
}

void
wp_kernel_symbols_add_module (WpKernelSymbols *self, const char *name, guint64 start, guint64 size)
{
  const WpMapping range = { .start = start, .end = start + size, .module = wp_trace_module (self->trace, name, NULL) };

  if (size > 0 && size <= G_MAXUINT64 - start)
    self->modules = wp_address_ranges_put (self->ranges, self->modules, 0, &range);
}

/* --- parsing ------------------------------------------------------------------------------------------------------ */

static inline int
hex_digit (char c)
{
  return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static gsize
name_length (const WpKernelSymbols *self, guint32 name)
{
  const char *p = self->text + name, *end = p + MIN (self->size - name, NAME_LENGTH_MAX), *q = p;

  while (q < end && *q != '\n' && *q != '\t' && *q != ' ' && *q != '\0')
    q++;
  return q - p;
}

/* A system call without arguments is one function for programs of 64 and of 32 bits. */
static gboolean
is_32_bit_call (const char *name, gsize n)
{
  static const char prefix[] = "__ia32_";

  return n >= sizeof prefix - 1 && memcmp (name, prefix, sizeof prefix - 1) == 0;
}

/* One line: "ffffffff81000000 T name\t[module]". Where the name begins; 0: it is none. */
static gsize
parse_line (const char *line, gsize n, guint64 *address)
{
  gsize i = 0;

  *address = 0;
  for (; i < n && i < 16 && hex_digit (line[i]) >= 0; i++)
    *address = *address << 4 | hex_digit (line[i]);
  return i == 0 || i + 3 >= n || line[i] != ' ' || line[i + 2] != ' ' ? 0 : i + 3;
}

/* Only functions are kept. */
static void
parse_symbol (WpKernelSymbols *self, const char *line, gsize n)
{
  guint32 underscores = 0;
  guint64 address;
  gsize i = parse_line (line, n, &address);
  char type = i > 0 ? line[i - 2] : '\0';

  if (address == 0 || (type != 't' && type != 'T' && type != 'w' && type != 'W'))
    return;
  while (i + underscores < n && line[i + underscores] == '_')
    underscores++;
  wp_array_push (&self->symbols, ((WpKernelSymbol) { .address = address, .name = line + i - self->text,
                                                     .order = (type != 'T') * 512 + is_32_bit_call (line + i, n - i) * 256
                                                              + MIN (underscores, 255) }));
}

WP_DEFINE_COMPARE_2 (compare_symbols, WpKernelSymbol, address, order)

static void
parse_text (WpKernelSymbols *self)
{
  const char *p = self->text, *end = p + self->size;
  gboolean sorted = TRUE;
  guint32 n = 0;

  while (p < end)
    {
      const char *newline = memchr (p, '\n', end - p);

      newline = newline != NULL ? newline : end;
      parse_symbol (self, p, newline - p);
      p = newline + 1;
    }
  for (guint32 i = 1; i < self->symbols.len && sorted; i++)
    sorted = compare_symbols (&self->symbols.data[i - 1], &self->symbols.data[i]) <= 0;
  if (!sorted)
    qsort (self->symbols.data, self->symbols.len, sizeof (WpKernelSymbol), compare_symbols);
  for (guint32 i = 0; i < self->symbols.len; i++) /* the best name of each address */
    if (n == 0 || self->symbols.data[n - 1].address != self->symbols.data[i].address)
      self->symbols.data[n++] = self->symbols.data[i];
  self->symbols.len = n;
}

/* The same, or what was made of the same text before. */
static void
parse_or_take (WpKernelSymbols *self)
{
  WpKernelTable *table = self->table;
  char *text;

  if (table != NULL && table->text != NULL && table->size == self->size
      && (table->text == self->text || memcmp (table->text, self->text, self->size) == 0))
    {
      wp_array_copy (&self->symbols, &table->symbols);
      return;
    }
  parse_text (self);
  if (table == NULL)
    return;
  text = g_memdup2 (self->text, self->size); /* which may be a part of the table's */
  g_free (table->text);
  g_clear_pointer (&table->modules, g_free);
  table->text = text;
  table->size = self->size;
  wp_array_copy (&table->symbols, &self->symbols);
}

/* The address of a symbol in a text of kallsyms, or 0. */
static guint64
find_address (const char *text, gsize size, const char *symbol)
{
  g_autofree char *needle = g_strdup_printf (" %s\n", symbol);
  const char *found = memmem (text, size, needle, strlen (needle));
  const char *line = found;
  guint64 address = 0;

  while (line != NULL && line > text && line[-1] != '\n')
    line--;
  if (line != NULL)
    parse_line (line, (gsize) (text + size - line), &address);
  return address;
}

const char *
wp_kernel_symbols_text (const WpKernelSymbols *self, gsize *n)
{
  *n = self->size;
  return self->text;
}

void
wp_kernel_symbols_each (const WpKernelSymbols *self, WpKernelSymbolFunc func, gpointer user_data)
{
  const char *p = self->text, *end = p + self->size;

  while (p < end)
    {
      const char *newline = memchr (p, '\n', end - p);
      guint64 address;
      gsize at;

      newline = newline != NULL ? newline : end;
      at = parse_line (p, newline - p, &address);
      if (at > 0)
        func (address, p + at, newline - p - at, user_data);
      p = newline + 1;
    }
}

guint64
wp_kernel_symbols_address (const WpKernelSymbols *self, const char *symbol)
{
  return self->text != NULL ? find_address (self->text, self->size, symbol) : 0;
}

/* --- whose symbols ------------------------------------------------------------------------------------------------ */

/* Empty where it has none. */
static char *
read_modules (const WpKernelSymbols *self)
{
  g_autofree char *path = g_strconcat (self->root != NULL ? self->root : "", "/proc/modules", NULL);
  char *text = NULL;

  return g_file_get_contents (path, &text, NULL, NULL) ? text : g_strdup ("");
}

/* The text that was read before: reading it takes longer than all else, and it changes only where modules come or go. */
static gboolean
take_running (WpKernelSymbols *self)
{
  g_autofree char *modules = NULL;

  if (self->table == NULL || self->table->modules == NULL)
    return FALSE;
  modules = read_modules (self);
  if (!g_str_equal (modules, self->table->modules))
    return FALSE;
  self->text = self->table->text;
  self->size = self->table->size;
  return TRUE;
}

static gboolean
read_running (WpKernelSymbols *self)
{
  g_autofree char *path = g_strconcat (self->root != NULL ? self->root : "", "/proc/kallsyms", NULL);
  gsize n;

  wp_asked_files_note (path);
  if (self->own_text == NULL && take_running (self))
    return TRUE;
  if (self->own_text == NULL && !g_file_get_contents (path, &self->own_text, &n, NULL))
    return FALSE;
  if (self->text == NULL || self->text != self->own_text)
    n = strlen (self->own_text);
  else
    n = self->size;
  if (n == 0 || n >= G_MAXUINT32)
    return FALSE;
  self->text = self->own_text;
  self->size = n;
  return TRUE;
}

gboolean
wp_kernel_runs_here (const WpTrace *trace)
{
  struct utsname name;

  return trace->kernel == NULL || (uname (&name) == 0 && g_str_equal (name.release, trace->kernel));
}

/* What is kept of it, where this is to be had: of another system's files, and of who reads again and again, nothing is. */
static gboolean
open_kept (WpKernelSymbols *self)
{
  if (!self->asked_kept && self->root == NULL && self->table == NULL)
    {
      wp_asked_files_note ("/proc/kallsyms");
      wp_kept_kernel_open (&self->kept);
      self->asked_kept = TRUE;
    }
  return self->kept.map != NULL;
}

/* Where the running kernel has the reference symbol; 0: it does not say. */
static guint64
running_reference (WpKernelSymbols *self)
{
  const guint64 *addresses;

  if (open_kept (self))
    {
      addresses = self->kept.blocks[WP_KEPT_REFERENCES].data;
      for (guint i = 0; wp_kept_kernel_reference (i) != NULL; i++)
        if (addresses[i] != 0 && g_str_equal (wp_kept_kernel_reference (i), self->reference))
          return addresses[i];
    }
  return read_running (self) ? find_address (self->text, self->size, self->reference) : 0;
}

gboolean
wp_kernel_symbols_same_boot (WpKernelSymbols *self)
{
  return self->reference != NULL && wp_kernel_runs_here (self->trace) && running_reference (self) == self->reference_address;
}

static void
relocate (WpKernelSymbols *self)
{
  guint64 at = self->reference != NULL ? find_address (self->text, self->size, self->reference) : 0;

  if (at == 0 || at == self->reference_address)
    return;
  for (guint32 i = 0; i < self->symbols.len; i++)
    self->symbols.data[i].address += self->reference_address - at;
}

static gboolean
use_kept (WpKernelSymbols *self)
{
  const WpBlock *blocks = self->kept.blocks;

  self->is_kept = open_kept (self) && wp_kernel_symbols_same_boot (self);
  if (!self->is_kept)
    return FALSE;
  wp_array_clear (&self->symbols);
  wp_array_lend (&self->symbols, (WpKernelSymbol *) blocks[WP_KEPT_SYMBOLS].data, blocks[WP_KEPT_SYMBOLS].n);
  self->text = blocks[WP_KEPT_TEXT].data;
  self->size = blocks[WP_KEPT_TEXT].n;
  return TRUE;
}

static void
keep_running (WpKernelSymbols *self)
{
  g_autofree guint64 *addresses = NULL;
  guint n = 0;

  if (!self->asked_kept || self->kept.map != NULL)
    return;
  while (wp_kept_kernel_reference (n) != NULL)
    n++;
  addresses = g_new (guint64, n);
  for (guint i = 0; i < n; i++)
    addresses[i] = find_address (self->text, self->size, wp_kept_kernel_reference (i));
  wp_kept_kernel_write (&self->kept, self->symbols.data, self->symbols.len, self->text, self->size, addresses);
}

/* The running kernel's symbols serve where it is the same kernel; after another boot its modules are elsewhere. */
static void
load_running (WpKernelSymbols *self)
{
  gboolean known = self->trace->kernel != NULL, same;

  if (!wp_kernel_runs_here (self->trace) || (!known && !wp_kernel_symbols_same_boot (self)) || use_kept (self) || !read_running (self))
    return;
  same = wp_kernel_symbols_same_boot (self);
  if (!same)
    {
      const char *first = memmem (self->text, self->size, "\t[", 2);

      if (first != NULL)
        self->size = first - self->text;
    }
  parse_or_take (self);
  if (self->table != NULL && self->table->modules == NULL)
    self->table->modules = read_modules (self);
  if (same)
    keep_running (self);
  relocate (self);
}

/* What is kept does not know the address. */
static void
load_whole (WpKernelSymbols *self)
{
  wp_array_clear (&self->symbols);
  self->text = NULL;
  self->is_kept = FALSE;
  if (read_running (self))
    parse_or_take (self);
}

static void
load (WpKernelSymbols *self)
{
  self->loaded = TRUE;
  self->unknown = wp_trace_kernel_frame (self->trace, wp_trace_module (self->trace, "[kernel]", NULL), "[unknown]");
  if (self->text != NULL && self->text != self->own_text)
    {
      parse_or_take (self);
      relocate (self);
    }
  if (self->symbols.len == 0)
    {
      self->text = NULL;
      load_running (self);
    }
}

/* --- looking up --------------------------------------------------------------------------------------------------- */

static const WpKernelSymbol *
find_symbol (const WpKernelSymbols *self, guint64 address)
{
  const guint32 low = WP_SEARCH (0, self->symbols.len, i, self->symbols.data[i].address <= address);

  if (low == 0 || address - self->symbols.data[low - 1].address > WP_KERNEL_FUNCTION_MAX)
    return NULL;
  return &self->symbols.data[low - 1];
}

/* "\t[module]\n…" behind a name, or what follows that of the kernel itself. */
static const char *
behind_name (const WpKernelSymbols *self, const WpKernelSymbol *symbol, gsize *n)
{
  const char *name = self->text + symbol->name, *end = self->text + self->size, *after = name + name_length (self, symbol->name);

  *n = 0;
  while (after + *n < end && after[*n] != '\n')
    ++*n;
  return after;
}

/* It lies between two functions of one module, or of the kernel. */
static gboolean
is_known (const WpKernelSymbols *self, const WpKernelSymbol *symbol)
{
  const char *module, *next;
  gsize n, n_next;

  if (symbol == NULL || symbol + 1 == self->symbols.data + self->symbols.len)
    return FALSE;
  module = behind_name (self, symbol, &n);
  next = behind_name (self, symbol + 1, &n_next);
  return n == n_next && memcmp (module, next, n) == 0;
}

static WpId
mapped_frame (const WpKernelSymbols *self, guint64 address)
{
  const WpMapping *module = wp_address_ranges_find (self->ranges, self->modules, address);

  return module != NULL ? wp_trace_kernel_frame (self->trace, module->module, "[unknown]") : self->unknown;
}

static WpId
resolve (WpKernelSymbols *self, guint64 address)
{
  const WpKernelSymbol *symbol = find_symbol (self, address);
  const char *name, *after;
  gsize n;
  g_autofree char *module = NULL, *function = NULL;

  if (self->is_kept && !is_known (self, symbol))
    {
      load_whole (self);
      symbol = find_symbol (self, address);
    }
  if (symbol == NULL)
    return mapped_frame (self, address);
  name = self->text + symbol->name;
  n = name_length (self, symbol->name);
  after = name + n;
  if (self->text + self->size - after > 2 && after[0] == '\t' && after[1] == '[')
    module = g_strndup (after + 1, name_length (self, symbol->name + n + 1));
  function = g_strndup (name, n);
  return wp_trace_kernel_frame (self->trace, wp_trace_module (self->trace, module != NULL ? module : "[kernel]", NULL),
                                function);
}

WpId
wp_kernel_symbols_frame (WpKernelSymbols *self, guint64 address)
{
  guint slot = (address * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15)) >> 50;

  if (self->cache[slot].frame != 0 && self->cache[slot].address == address)
    return self->cache[slot].frame;
  if (!self->loaded)
    load (self);
  self->cache[slot].address = address;
  self->cache[slot].frame = resolve (self, address);
  return self->cache[slot].frame;
}
