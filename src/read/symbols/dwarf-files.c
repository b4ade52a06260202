#include "read/symbols/dwarf-files.h"

#include "base/plain-file.h"
#include "read/symbols/debug-files.h"

#include <dwarf.h>
#include <fcntl.h>
#include <unistd.h>

/* The name of the shared file and its build id, as hexadecimal. FALSE: there is no link, or a damaged one. */
static gboolean
read_link (const WpElfFile *file, const char **name, char **build_id, gboolean *has_link)
{
  GElf_Shdr header;
  Elf_Scn *section = wp_elf_file_section (file, SHT_PROGBITS, ".gnu_debugaltlink", &header);
  Elf_Data *data = section != NULL ? elf_rawdata (section, NULL) : NULL;
  gsize n = data != NULL && data->d_buf != NULL ? strnlen (data->d_buf, data->d_size) : 0;
  GString *hex;

  *has_link = section != NULL;
  if (n == 0 || n + 1 >= data->d_size || data->d_size - n - 1 > 64)
    return FALSE;
  hex = g_string_new (NULL);
  for (gsize i = n + 1; i < data->d_size; i++)
    g_string_append_printf (hex, "%02x", ((const guint8 *) data->d_buf)[i]);
  *name = data->d_buf;
  *build_id = g_string_free (hex, FALSE);
  return TRUE;
}

static char *
folder_of (const WpElfFile *file)
{
  g_autofree char *link = g_strdup_printf ("/proc/self/fd/%d", file->fd), *path = g_file_read_link (link, NULL);

  return path != NULL ? g_path_get_dirname (path) : g_strdup ("/");
}

static WpElfFile *
open_shared (const WpElfFile *file, const char *name, const char *build_id, const char *root)
{
  WpElfFile *shared = wp_debug_file_open (NULL, build_id, root);
  g_autofree char *folder = folder_of (file), *path = name[0] == '/' ? g_strdup (name) : g_build_filename (folder, name, NULL);

  return shared != NULL ? shared : wp_elf_file_open (path, build_id);
}

/* Without it libdw would look for the file itself. */
static gboolean
attach_shared (WpDwarf *self, const WpElfFile *file, const char *root)
{
  g_autofree char *build_id = NULL;
  gboolean has_link;
  const char *name;

  if (!read_link (file, &name, &build_id, &has_link))
    return !has_link;
  self->shared = open_shared (file, name, build_id, root);
  self->shared_dwarf = self->shared != NULL ? dwarf_begin_elf (self->shared->elf, DWARF_C_READ, NULL) : NULL;
  if (self->shared_dwarf != NULL)
    dwarf_setalt (self->dwarf, self->shared_dwarf);
  return self->shared_dwarf != NULL;
}

WpDwarf
wp_dwarf_begin (const WpElfFile *file, const char *root)
{
  WpDwarf self = { .dwarf = file != NULL ? dwarf_begin_elf (file->elf, DWARF_C_READ, NULL) : NULL };
  Dwarf_Off next;
  size_t header;

  if (self.dwarf != NULL
      && (!attach_shared (&self, file, root) || dwarf_nextcu (self.dwarf, 0, &next, &header, NULL, NULL, NULL) != 0))
    wp_dwarf_end (&self);
  return self;
}

void
wp_dwarf_end (WpDwarf *self)
{
  dwarf_end (self->dwarf);
  dwarf_end (self->shared_dwarf);
  wp_elf_file_free (self->shared);
  *self = (WpDwarf) { 0 };
}

static gboolean
is_plain_or_absent (const char *path)
{
  g_autoptr (GError) error = NULL;
  int fd = wp_plain_file_open (AT_FDCWD, path, 0, WP_PLAIN_FILE_ANY_SIZE, &error);

  if (fd >= 0)
    close (fd);
  return fd >= 0 || !g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_INVAL);
}

static const char *
text_of (Dwarf_Die *unit, guint first, guint other)
{
  Dwarf_Attribute attribute;

  if (dwarf_attr (unit, first, &attribute) == NULL && (other == 0 || dwarf_attr (unit, other, &attribute) == NULL))
    return NULL;
  return dwarf_formstring (&attribute);
}

/* Beside the file, or where the compiler ran. */
gboolean
wp_dwarf_split_is_plain (const WpElfFile *file, Dwarf_Die *unit)
{
  const char *name = text_of (unit, DW_AT_dwo_name, DW_AT_GNU_dwo_name), *ran = text_of (unit, DW_AT_comp_dir, 0);
  g_autofree char *folder = folder_of (file), *packed = g_strconcat (file->path != NULL ? file->path : "", ".dwp", NULL);
  g_autofree char *beside = NULL, *root = NULL, *there = NULL;

  if (name == NULL)
    return TRUE;
  beside = g_canonicalize_filename (name, folder);
  root = g_canonicalize_filename (ran != NULL ? ran : "", folder);
  there = g_canonicalize_filename (name, root);
  return is_plain_or_absent (packed) && is_plain_or_absent (beside) && is_plain_or_absent (there);
}
