/* The functions of one ELF file: its symbol table, or that of its separate debug file, or the dynamic one.
 * Everything in the file may be damaged; libelf checks the sections' bounds, the rest is checked here. */
#include "read/elf-symbols.h"

#include "base/array.h"

#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#define SEGMENTS_MAX 64

typedef struct
{
  guint64 start, end;
  guint32 name;  /* in `names` */
  guint16 order; /* how good a name it is, for those that share an address: less is better */
  guint32 note;
} Function;

struct WpElfSymbols
{
  WP_ARRAY (Function) functions; /* sorted, one for each address */
  GString *names;
  struct
  {
    guint64 offset, size, address;
  } segments[SEGMENTS_MAX];
  guint n_segments;
};

/* --- what the file is --------------------------------------------------------------------------------------------- */

static char *
build_id_of (Elf *elf)
{
  Elf_Scn *section = NULL;
  GElf_Shdr header;

  while ((section = elf_nextscn (elf, section)) != NULL)
    {
      Elf_Data *data = gelf_getshdr (section, &header) != NULL && header.sh_type == SHT_NOTE
        ? elf_getdata (section, NULL) : NULL;
      size_t at = 0, name, content;
      GElf_Nhdr note;

      while (data != NULL && (at = gelf_getnote (data, at, &note, &name, &content)) > 0)
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && memcmp ((char *) data->d_buf + name, "GNU", 4) == 0)
          {
            GString *hex = g_string_new (NULL);

            for (guint i = 0; i < MIN (note.n_descsz, 20); i++)
              g_string_append_printf (hex, "%02x", ((guint8 *) data->d_buf)[content + i]);
            return g_string_free (hex, FALSE);
          }
    }
  return NULL;
}

static void
read_segments (WpElfSymbols *self, Elf *elf)
{
  size_t n = 0;
  GElf_Phdr header;

  if (elf_getphdrnum (elf, &n) != 0)
    return;
  for (size_t i = 0; i < n && self->n_segments < SEGMENTS_MAX; i++)
    if (gelf_getphdr (elf, i, &header) != NULL && header.p_type == PT_LOAD && (header.p_flags & PF_X))
      {
        self->segments[self->n_segments].offset = header.p_offset;
        self->segments[self->n_segments].size = header.p_filesz;
        self->segments[self->n_segments++].address = header.p_vaddr;
      }
}

/* --- functions ---------------------------------------------------------------------------------------------------- */

static void
add_function (WpElfSymbols *self, guint64 start, guint64 size, guint16 order, const char *name, const char *suffix)
{
  Function *function;

  if (self->names->len > G_MAXUINT32 / 2 || self->functions.len > G_MAXUINT32 / 4)
    return;
  function = wp_array_add (&self->functions);
  function->start = start;
  function->end = start + MIN (size, G_MAXUINT64 - start);
  function->order = order;
  function->name = self->names->len;
  g_string_append_len (self->names, name, strcspn (name, "@")); /* without a version: name@@GLIBC_2.3.4 */
  g_string_append (self->names, suffix);
  g_string_append_c (self->names, '\0');
}

static void
add_symbol (WpElfSymbols *self, Elf *elf, size_t strings, const GElf_Sym *symbol)
{
  int type = GELF_ST_TYPE (symbol->st_info), underscores = 0;
  const char *name;

  if ((type != STT_FUNC && type != STT_GNU_IFUNC) || symbol->st_shndx == SHN_UNDEF || symbol->st_value == 0)
    return;
  name = elf_strptr (elf, strings, symbol->st_name);
  if (name == NULL || name[0] == '\0')
    return;
  while (name[underscores] == '_' && underscores < 255)
    underscores++;
  add_function (self, symbol->st_value, symbol->st_size,
                (symbol->st_size == 0) * 1024 + (GELF_ST_BIND (symbol->st_info) != STB_GLOBAL) * 256 + underscores,
                  name, "");
}

static Elf_Scn *
find_section (Elf *elf, guint32 type, const char *name, GElf_Shdr *header)
{
  Elf_Scn *section = NULL;
  size_t strings;

  if (elf_getshdrstrndx (elf, &strings) != 0)
    return NULL;
  while ((section = elf_nextscn (elf, section)) != NULL)
    if (gelf_getshdr (section, header) != NULL && (type == SHT_NULL || header->sh_type == type)
        && (name == NULL || g_strcmp0 (elf_strptr (elf, strings, header->sh_name), name) == 0))
      return section;
  return NULL;
}

static gboolean
read_table (WpElfSymbols *self, Elf *elf, guint32 type)
{
  GElf_Shdr header;
  Elf_Scn *section = find_section (elf, type, NULL, &header);
  Elf_Data *data = section != NULL ? elf_getdata (section, NULL) : NULL;
  guint32 before = self->functions.len;
  GElf_Sym symbol;

  if (data == NULL || header.sh_entsize == 0)
    return FALSE;
  for (size_t i = 0; i < MIN (data->d_size / header.sh_entsize, G_MAXINT)
       && gelf_getsym (data, i, &symbol) != NULL; i++)
    add_symbol (self, elf, header.sh_link, &symbol);
  return self->functions.len > before;
}

/* The stubs that calls into other libraries go through: one for each relocation, behind a first one in ".plt". */
static void
read_stubs (WpElfSymbols *self, Elf *elf)
{
  GElf_Shdr stubs, relocations, symbols;
  Elf_Scn *section = find_section (elf, SHT_RELA, ".rela.plt", &relocations),
    *dynamic = find_section (elf, SHT_DYNSYM, NULL, &symbols);
  Elf_Data *data = section != NULL ? elf_getdata (section, NULL) : NULL;
  Elf_Data *names = dynamic != NULL ? elf_getdata (dynamic, NULL) : NULL;
  guint first = 0;
  GElf_Rela relocation;
  GElf_Sym symbol;

  if (data == NULL || names == NULL)
    return;
  if (find_section (elf, SHT_NULL, ".plt.sec", &stubs) == NULL)
    {
      if (find_section (elf, SHT_NULL, ".plt", &stubs) == NULL)
        return;
      first = 1;
    }
  for (int i = 0; gelf_getrela (data, i, &relocation) != NULL && (guint64) (i + first + 1) * 16 <= stubs.sh_size; i++)
    {
      const char *name = gelf_getsym (names, GELF_R_SYM (relocation.r_info), &symbol) != NULL
                           ? elf_strptr (elf, symbols.sh_link, symbol.st_name) : NULL;

      if (name != NULL && name[0] != '\0')
        add_function (self, stubs.sh_addr + (i + first) * 16, 16, 2048, name, "@plt");
    }
}

static int
compare_functions (const void *a, const void *b)
{
  const Function *x = a, *y = b;

  if (x->start != y->start)
    return x->start < y->start ? -1 : 1;
  if (x->order != y->order)
    return x->order < y->order ? -1 : 1;
  return (x->name > y->name) - (x->name < y->name);
}

/* One function for each address; one without a size reaches to the next. */
static void
sort_functions (WpElfSymbols *self)
{
  guint32 n = 0;

  if (self->functions.len > 0)
    qsort (self->functions.data, self->functions.len, sizeof (Function), compare_functions);
  for (guint32 i = 0; i < self->functions.len; i++)
    if (n == 0 || self->functions.data[n - 1].start != self->functions.data[i].start)
      self->functions.data[n++] = self->functions.data[i];
  self->functions.len = n;
  for (guint32 i = 0; i < n; i++)
    if (self->functions.data[i].end == self->functions.data[i].start)
      self->functions.data[i].end = i + 1 < n ? self->functions.data[i + 1].start : G_MAXUINT64;
}

/* --- opening ------------------------------------------------------------------------------------------------------ */

/* Without waiting for a pipe, and nothing but regular files. */
static int
open_regular (const char *path)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat st;

  if (fd >= 0 && (fstat (fd, &st) != 0 || !S_ISREG (st.st_mode)))
    {
      close (fd);
      fd = -1;
    }
  return fd;
}

static gboolean
read_debug_file (WpElfSymbols *self, const char *build_id)
{
  g_autofree char *path = build_id != NULL && strlen (build_id) > 2
                            ? g_strdup_printf ("/usr/lib/debug/.build-id/%.2s/%s.debug", build_id, build_id + 2) : NULL;
  int fd = path != NULL ? open_regular (path) : -1;
  gboolean found = FALSE;
  Elf *elf;

  if (fd < 0)
    return FALSE;
  elf = elf_begin (fd, ELF_C_READ_MMAP, NULL);
  if (elf != NULL && elf_kind (elf) == ELF_K_ELF)
    found = read_table (self, elf, SHT_SYMTAB);
  elf_end (elf);
  close (fd);
  return found;
}

static WpElfSymbols *
read_elf (Elf *elf, const char *wanted)
{
  g_autofree char *build_id = NULL;
  WpElfSymbols *self;

  if (elf == NULL || elf_kind (elf) != ELF_K_ELF)
    return NULL;
  build_id = build_id_of (elf);
  if (wanted != NULL && wanted[0] != '\0' && g_strcmp0 (wanted, build_id) != 0)
    return NULL;
  self = g_new0 (WpElfSymbols, 1);
  self->names = g_string_new (NULL);
  read_segments (self, elf);
  if (!read_table (self, elf, SHT_SYMTAB) && !read_debug_file (self, build_id))
    read_table (self, elf, SHT_DYNSYM);
  read_stubs (self, elf);
  sort_functions (self);
  return self;
}

/* The running system's own vdso lies in our memory. */
static WpElfSymbols *
open_vdso (void)
{
  guint64 start = getauxval (AT_SYSINFO_EHDR), from, to;
  FILE *maps = fopen ("/proc/self/maps", "re");
  WpElfSymbols *self = NULL;
  char line[512];

  while (maps != NULL && self == NULL && fgets (line, sizeof line, maps) != NULL)
    if (sscanf (line, "%" G_GINT64_MODIFIER "x-%" G_GINT64_MODIFIER "x", &from, &to) == 2 && from == start
        && start != 0)
      {
        g_autofree char *copy = g_memdup2 (GSIZE_TO_POINTER (from), to - from);
        Elf *elf = elf_memory (copy, to - from);

        self = read_elf (elf, NULL);
        elf_end (elf);
      }
  if (maps != NULL)
    fclose (maps);
  return self;
}

WpElfSymbols *
wp_elf_symbols_open (const char *path, const char *build_id)
{
  WpElfSymbols *self;
  Elf *elf;
  int fd;

  elf_version (EV_CURRENT);
  if (g_str_equal (path, "[vdso]"))
    return open_vdso ();
  fd = path[0] == '/' ? open_regular (path) : -1;
  if (fd < 0)
    return NULL;
  elf = elf_begin (fd, ELF_C_READ_MMAP, NULL);
  self = read_elf (elf, build_id);
  elf_end (elf);
  close (fd);
  return self;
}

void
wp_elf_symbols_free (WpElfSymbols *self)
{
  if (self == NULL)
    return;
  wp_array_clear (&self->functions);
  g_string_free (self->names, TRUE);
  g_free (self);
}

/* --- looking up --------------------------------------------------------------------------------------------------- */

gint64
wp_elf_symbols_find (const WpElfSymbols *self, guint64 file_offset)
{
  guint64 address = file_offset;
  guint32 low = 0, high = self->functions.len;

  for (guint i = 0; i < self->n_segments; i++)
    if (file_offset >= self->segments[i].offset && file_offset - self->segments[i].offset < self->segments[i].size)
      {
        address = file_offset - self->segments[i].offset + self->segments[i].address;
        break;
      }
  while (low < high)
    {
      guint32 middle = low + (high - low) / 2;

      if (self->functions.data[middle].start <= address)
        low = middle + 1;
      else
        high = middle;
    }
  return low > 0 && address < self->functions.data[low - 1].end ? (gint64) low - 1 : -1;
}

const char *
wp_elf_symbols_name (const WpElfSymbols *self, guint32 row)
{
  return self->names->str + self->functions.data[row].name;
}

guint32 *
wp_elf_symbols_note (WpElfSymbols *self, guint32 row)
{
  return &self->functions.data[row].note;
}
