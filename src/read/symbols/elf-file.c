#include "read/symbols/elf-file.h"

#include "base/asked-files.h"
#include "base/mapped.h"
#include "base/plain-file.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#define PAGE 4096
#define SIZE_MAX_READ (G_GUINT64_CONSTANT (16) << 30)
#define HEADERS_MAX 256
#define NOTES_MAX 65536

static char *
hex_of (const guint8 *bytes, gsize n)
{
  GString *hex = g_string_new (NULL);

  for (gsize i = 0; i < MIN (n, 20); i++)
    g_string_append_printf (hex, "%02x", bytes[i]);
  return g_string_free (hex, FALSE);
}

static char *
id_in_notes (Elf_Data *data)
{
  size_t at = 0, name, content;
  GElf_Nhdr note;

  while (data != NULL && (at = gelf_getnote (data, at, &note, &name, &content)) > 0)
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && memcmp ((char *) data->d_buf + name, "GNU", 4) == 0)
      return hex_of ((guint8 *) data->d_buf + content, note.n_descsz);
  return NULL;
}

static char *
id_in_segments (Elf *elf)
{
  char *id = NULL;
  size_t n = 0;
  GElf_Phdr header;

  if (elf_getphdrnum (elf, &n) != 0)
    return NULL;
  for (size_t i = 0; i < MIN (n, HEADERS_MAX) && id == NULL; i++)
    if (gelf_getphdr (elf, i, &header) != NULL && header.p_type == PT_NOTE && header.p_filesz <= NOTES_MAX)
      id = id_in_notes (elf_getdata_rawchunk (elf, header.p_offset, header.p_filesz, header.p_align == 8 ? ELF_T_NHDR8 : ELF_T_NHDR));
  return id;
}

/* A separate debug file has its notes in sections only, a file without sections in segments. */
static char *
read_build_id (Elf *elf)
{
  char *id = NULL;
  Elf_Scn *section = NULL;
  GElf_Shdr header;

  while (id == NULL && (section = elf_nextscn (elf, section)) != NULL)
    if (gelf_getshdr (section, &header) != NULL && header.sh_type == SHT_NOTE)
      id = id_in_notes (elf_getdata (section, NULL));
  return id != NULL ? id : id_in_segments (elf);
}

char *
wp_elf_build_id (int fd)
{
  Elf *elf;
  char *id;

  elf_version (EV_CURRENT);
  elf = elf_begin (fd, ELF_C_READ, NULL);
  id = elf != NULL && elf_kind (elf) == ELF_K_ELF ? id_in_segments (elf) : NULL;
  elf_end (elf);
  return id;
}

/* objcopy leaves no offsets in a separate debug file. Where the code begins on a page of its own, the linker has put it as far
 * into the file as into memory. */
static void
guess_offset (GElf_Phdr *header, guint64 base)
{
  if (header->p_filesz != 0 || header->p_vaddr % PAGE != 0 || header->p_vaddr < base)
    return;
  header->p_offset = header->p_vaddr - base;
  header->p_filesz = header->p_memsz;
}

static void
read_segments (WpElfFile *self)
{
  guint64 base = G_MAXUINT64;
  size_t n = 0;
  GElf_Phdr header;

  if (elf_getphdrnum (self->elf, &n) != 0)
    return;
  for (size_t i = 0; i < n && self->n_segments < WP_ELF_SEGMENTS_MAX; i++)
    {
      if (gelf_getphdr (self->elf, i, &header) == NULL || header.p_type != PT_LOAD)
        continue;
      base = MIN (base, header.p_vaddr);
      if (!(header.p_flags & PF_X))
        continue;
      guess_offset (&header, base);
      self->segments[self->n_segments].offset = header.p_offset;
      self->segments[self->n_segments].size = header.p_filesz;
      self->segments[self->n_segments++].address = header.p_vaddr;
    }
}

static WpElfFile *
new_file (Elf *elf, int fd, gpointer memory, const char *path)
{
  WpElfFile *self = g_new0 (WpElfFile, 1);

  self->elf = elf;
  self->fd = fd;
  self->memory = memory;
  self->path = g_strdup (path);
  if (elf != NULL && elf_kind (elf) == ELF_K_ELF)
    {
      self->build_id = read_build_id (elf);
      read_segments (self);
    }
  else
    g_clear_pointer (&self, wp_elf_file_free);
  return self;
}

WpElfFile *
wp_elf_file_open (const char *path, const char *build_id)
{
  WpElfFile *self;
  int fd;

  if (path[0] != '/')
    return NULL;
  wp_asked_files_note (path);
  fd = wp_plain_file_open (AT_FDCWD, path, 0, SIZE_MAX_READ, NULL);
  if (fd < 0)
    return NULL;
  wp_mapped_guard ();
  elf_version (EV_CURRENT);
  self = new_file (elf_begin (fd, ELF_C_READ_MMAP, NULL), fd, NULL, path);
  if (self != NULL && build_id != NULL && build_id[0] != '\0' && g_strcmp0 (build_id, self->build_id) != 0)
    g_clear_pointer (&self, wp_elf_file_free);
  return self;
}

WpElfFile *
wp_elf_file_of_memory (gpointer memory, gsize size)
{
  elf_version (EV_CURRENT);
  return new_file (elf_memory (memory, size), -1, memory, NULL);
}

/* It lies in our memory. */
WpElfFile *
wp_elf_file_vdso (void)
{
  guint64 start = getauxval (AT_SYSINFO_EHDR), from, to;
  FILE *maps = start != 0 ? fopen ("/proc/self/maps", "re") : NULL;
  WpElfFile *self = NULL;
  char line[512];

  while (maps != NULL && self == NULL && fgets (line, sizeof line, maps) != NULL)
    if (sscanf (line, "%" G_GINT64_MODIFIER "x-%" G_GINT64_MODIFIER "x", &from, &to) == 2 && from == start)
      self = wp_elf_file_of_memory (g_memdup2 (GSIZE_TO_POINTER (from), to - from), to - from);
  if (maps != NULL)
    fclose (maps);
  return self;
}

void
wp_elf_file_close (WpElfFile *self)
{
  elf_end (g_steal_pointer (&self->elf));
  if (self->fd >= 0)
    close (self->fd);
  self->fd = -1;
}

void
wp_elf_file_free (WpElfFile *self)
{
  if (self == NULL)
    return;
  wp_elf_file_close (self);
  g_free (self->memory);
  g_free (self->build_id);
  g_free (self->path);
  g_free (self);
}

guint64
wp_elf_file_address (const WpElfFile *self, guint64 offset)
{
  for (guint i = 0; i < self->n_segments; i++)
    if (offset >= self->segments[i].offset && offset - self->segments[i].offset < self->segments[i].size)
      return offset - self->segments[i].offset + self->segments[i].address;
  return offset;
}

guint64
wp_elf_file_offset (const WpElfFile *self, guint64 address)
{
  for (guint i = 0; i < self->n_segments; i++)
    if (address >= self->segments[i].address && address - self->segments[i].address < self->segments[i].size)
      return address - self->segments[i].address + self->segments[i].offset;
  return address;
}

Elf_Scn *
wp_elf_file_section (const WpElfFile *self, guint32 type, const char *name, GElf_Shdr *header)
{
  Elf_Scn *section = NULL;
  size_t strings;

  if (elf_getshdrstrndx (self->elf, &strings) != 0)
    return NULL;
  while ((section = elf_nextscn (self->elf, section)) != NULL)
    if (gelf_getshdr (section, header) != NULL && (type == SHT_NULL || header->sh_type == type)
        && (name == NULL || g_strcmp0 (elf_strptr (self->elf, strings, header->sh_name), name) == 0))
      return section;
  return NULL;
}
