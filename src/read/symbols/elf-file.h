/* One open ELF file. Everything in it may be damaged: libelf checks the bounds of sections, and their readers check the rest. */
#pragma once

#include <gelf.h>
#include <glib.h>

#define WP_ELF_SEGMENTS_MAX 64

typedef struct
{
  Elf *elf;
  char *path;   /* NULL for what is in memory only */
  int fd;       /* -1 likewise */
  gpointer memory;
  char *build_id; /* hexadecimal, or NULL */
  struct
  {
    guint64 offset, size, address;
  } segments[WP_ELF_SEGMENTS_MAX]; /* the executable ones */
  guint n_segments;
} WpElfFile;

/* NULL: no regular file, not ELF, or of another build id than `build_id` (hexadecimal; NULL or "": any). */
WpElfFile *wp_elf_file_open (const char *path, const char *build_id);
WpElfFile *wp_elf_file_of_memory (gpointer memory, gsize size); /* takes the memory, to be freed with g_free() */
WpElfFile *wp_elf_file_vdso (void);                             /* of the running system */
void wp_elf_file_close (WpElfFile *self); /* nothing of it is read any more; addresses and offsets are still known */
void wp_elf_file_free (WpElfFile *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpElfFile, wp_elf_file_free)

/* The build id in the notes of this file, in hexadecimal, or NULL; reads no more of it than its head and them. */
char *wp_elf_build_id (int fd);

/* The address that the file gives to what stands at this offset in it; the offset itself where no segment says. */
guint64 wp_elf_file_address (const WpElfFile *self, guint64 offset);

/* The other way round. */
guint64 wp_elf_file_offset (const WpElfFile *self, guint64 address);

/* The next section of a type (SHT_NULL: any) and name (NULL: any), or NULL. */
Elf_Scn *wp_elf_file_section (const WpElfFile *self, guint32 type, const char *name, GElf_Shdr *header);
