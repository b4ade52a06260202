#include "read/symbols/elf-symbols.h"

#include "read/symbols/debug-files.h"

#include <string.h>

#define SYMBOLS_PER_LOOK 8192 /* between two looks at whether to stop */
#define STUB_SIZE 16

/* Assembly has names without a type: _start, __restore_rt. Those of code reach to the end of their section at most. Compilers'
 * own marks ($x, .annobin_…) are none. */
static guint64
size_of_label (Elf *elf, const GElf_Sym *symbol, const char *name)
{
  Elf_Scn *section = symbol->st_shndx < SHN_LORESERVE ? elf_getscn (elf, symbol->st_shndx) : NULL;
  GElf_Shdr header;

  if (section == NULL || gelf_getshdr (section, &header) == NULL || !(header.sh_flags & SHF_EXECINSTR)
      || symbol->st_value < header.sh_addr || symbol->st_value - header.sh_addr >= header.sh_size || strchr ("$.", name[0]) != NULL)
    return 0;
  return symbol->st_size != 0 ? symbol->st_size : header.sh_size - (symbol->st_value - header.sh_addr);
}

static void
add_symbol (WpFunctions *functions, Elf *elf, size_t strings, const GElf_Sym *symbol, gboolean all)
{
  int type = GELF_ST_TYPE (symbol->st_info), underscores = 0;
  guint64 size = symbol->st_size;
  guint32 order = (size == 0) * 1024 + (GELF_ST_BIND (symbol->st_info) != STB_GLOBAL) * 256;
  const char *name;
  gsize n;

  if ((type != STT_FUNC && type != STT_GNU_IFUNC && (type != STT_NOTYPE || !all)) || symbol->st_shndx == SHN_UNDEF
      || symbol->st_value == 0)
    return;
  name = elf_strptr (elf, strings, symbol->st_name);
  if (name == NULL || name[0] == '\0')
    return;
  if (type == STT_NOTYPE)
    {
      size = size_of_label (elf, symbol, name);
      if (size == 0)
        return;
    }
  while (name[underscores] == '_' && underscores < 255)
    underscores++;
  n = strcspn (name, "@"); /* without a version: name@@GLIBC_2.3.4 */
  wp_functions_add (functions, symbol->st_value, size, order + underscores, name, n, "");
  if (type == STT_NOTYPE)
    wp_functions_is_label (functions);
}

/* `all`: the table has all functions, so that a label that is in none of them stands for itself. */
static gboolean
read_table (WpFunctions *functions, const WpElfFile *file, guint32 type, gboolean all, GCancellable *cancellable)
{
  GElf_Shdr header;
  Elf_Scn *section = file != NULL ? wp_elf_file_section (file, type, NULL, &header) : NULL;
  Elf_Data *data = section != NULL ? elf_getdata (section, NULL) : NULL;
  guint32 before = wp_functions_count (functions);
  GElf_Sym symbol;

  if (data == NULL || header.sh_entsize == 0)
    return FALSE;
  for (size_t i = 0; i < MIN (data->d_size / header.sh_entsize, G_MAXINT)
       && gelf_getsym (data, i, &symbol) != NULL; i++)
    {
      if (i % SYMBOLS_PER_LOOK == 0 && g_cancellable_is_cancelled (cancellable))
        break;
      add_symbol (functions, file->elf, header.sh_link, &symbol, all);
    }
  return wp_functions_count (functions) > before;
}

/* The stubs that calls into other libraries go through: one for each relocation, behind a first one in ".plt". */
static void
read_stubs (WpFunctions *functions, const WpElfFile *file)
{
  GElf_Shdr stubs, relocations, symbols;
  Elf_Scn *section = wp_elf_file_section (file, SHT_RELA, ".rela.plt", &relocations),
    *dynamic = wp_elf_file_section (file, SHT_DYNSYM, NULL, &symbols);
  Elf_Data *data = section != NULL ? elf_getdata (section, NULL) : NULL;
  Elf_Data *names = dynamic != NULL ? elf_getdata (dynamic, NULL) : NULL;
  guint first = 0;
  GElf_Rela relocation;
  GElf_Sym symbol;

  if (data == NULL || names == NULL)
    return;
  if (wp_elf_file_section (file, SHT_NULL, ".plt.sec", &stubs) == NULL)
    {
      if (wp_elf_file_section (file, SHT_NULL, ".plt", &stubs) == NULL)
        return;
      first = 1;
    }
  for (int i = 0; gelf_getrela (data, i, &relocation) != NULL
       && (guint64) (i + first + 1) * STUB_SIZE <= stubs.sh_size; i++)
    {
      const char *name = gelf_getsym (names, GELF_R_SYM (relocation.r_info), &symbol) != NULL
                           ? elf_strptr (file->elf, symbols.sh_link, symbol.st_name) : NULL;

      if (name != NULL && name[0] != '\0')
        wp_functions_add (functions, stubs.sh_addr + (i + first) * STUB_SIZE, STUB_SIZE, 2048, name, strcspn (name, "@"),
                          "@plt");
    }
}

WpSymbolsKind
wp_elf_symbols_read (WpFunctions *functions, const WpElfFile *file, const WpElfFile *debug, GCancellable *cancellable)
{
  WpSymbolsKind kind = WP_SYMBOLS_ALL;

  if (!read_table (functions, file, SHT_SYMTAB, TRUE, cancellable) && !read_table (functions, debug, SHT_SYMTAB, TRUE, cancellable))
    {
      g_autoptr (WpElfFile) packed = file != NULL ? wp_mini_debug_file (file) : NULL;
      gboolean some = read_table (functions, packed, SHT_SYMTAB, FALSE, cancellable);

      some |= read_table (functions, file, SHT_DYNSYM, FALSE, cancellable);
      kind = some ? WP_SYMBOLS_EXPORTED : WP_SYMBOLS_NONE;
    }
  if (file != NULL)
    read_stubs (functions, file);
  return kind;
}
