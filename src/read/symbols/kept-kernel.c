#include "read/symbols/kept-kernel.h"

#include "base/array.h"
#include "base/asked-files.h"
#include "base/own-folder.h"
#include "base/plain-file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#define NAME "functions"

static const char *const references[] = { "_text", "_stext", NULL };
#define N_REFERENCES (G_N_ELEMENTS (references) - 1)

typedef WP_ARRAY (WpKernelSymbol) SymbolArray;

const char *
wp_kept_kernel_reference (guint i)
{
  return references[MIN (i, N_REFERENCES)];
}

static void
empty (WpKeptKernel *self)
{
  static const guint32 rows[] = { [WP_KEPT_SYMBOLS] = sizeof (WpKernelSymbol), [WP_KEPT_TEXT] = 1, [WP_KEPT_REFERENCES] = sizeof (guint64) };

  for (guint i = 0; i < WP_KEPT_BLOCKS; i++)
    self->blocks[i] = (WpBlock) { .row = rows[i] };
  self->map = NULL;
}

static char *
title_of (guint64 system)
{
  return g_strdup_printf ("kernel 1 %016" G_GINT64_MODIFIER "x", system);
}

/* --- opening -------------------------------------------------------------------------------------------------------- */

static gboolean
fits (gpointer data, guint block, guint32 from, guint32 to)
{
  const WpBlock *blocks = data;
  const WpKernelSymbol *symbols = blocks[WP_KEPT_SYMBOLS].data;

  for (guint32 i = from; block == WP_KEPT_SYMBOLS && i < to; i++)
    if (symbols[i].name >= blocks[WP_KEPT_TEXT].n || (i > 0 && symbols[i - 1].address >= symbols[i].address))
      return FALSE;
  return TRUE;
}

static gboolean
map_file (WpKeptKernel *self, int fd)
{
  g_autofree char *title = title_of (self->system);

  if (!wp_blocks_map (fd, title, self->blocks, WP_KEPT_BLOCKS, &self->map, &self->size))
    return FALSE;
  if (self->blocks[WP_KEPT_REFERENCES].n == N_REFERENCES && wp_blocks_check (self->map, self->blocks, WP_KEPT_BLOCKS, fits, self->blocks))
    return TRUE;
  wp_kept_kernel_close (self);
  return FALSE;
}

gboolean
wp_kept_kernel_open (WpKeptKernel *self)
{
  g_auto (WpOwnFolder) folder = WP_OWN_FOLDER_NONE;
  gboolean mapped;
  int fd = -1;

  empty (self);
  self->system = wp_file_stamp ("/proc").inode;
  if (wp_own_folder_exists (WP_OWN_CACHE, WP_KEPT_KERNEL_FOLDER) && wp_own_folder_open (&folder, WP_OWN_CACHE, WP_KEPT_KERNEL_FOLDER, NULL))
    fd = wp_plain_file_open (folder.fd, NAME, O_NOFOLLOW, WP_PLAIN_FILE_ANY_SIZE, NULL);
  if (fd < 0)
    return FALSE;
  mapped = map_file (self, fd);
  close (fd);
  return mapped;
}

void
wp_kept_kernel_close (WpKeptKernel *self)
{
  if (self->map != NULL)
    munmap (self->map, self->size);
  empty (self);
}

/* --- keeping -------------------------------------------------------------------------------------------------------- */

/* In a text of kallsyms: of what comes and goes without any module. */
static gboolean
is_passing (const char *module, gsize n)
{
  static const char *const passing[] = { "[bpf]", "[__builtin__" };

  for (guint i = 0; i < G_N_ELEMENTS (passing); i++)
    if (n >= strlen (passing[i]) && memcmp (module, passing[i], strlen (passing[i])) == 0)
      return TRUE;
  return FALSE;
}

static void
add (SymbolArray *kept, GString *names, const WpKernelSymbol *symbol, const char *text, gsize size)
{
  const char *name = text + symbol->name, *newline = memchr (name, '\n', size - symbol->name), *end = newline != NULL ? newline : text + size;
  const char *tab = memchr (name, '\t', (gsize) (end - name));

  if (tab != NULL && is_passing (tab + 1, (gsize) (end - tab - 1)))
    return;
  wp_array_push (kept, ((WpKernelSymbol) { .address = symbol->address, .name = (guint32) names->len }));
  g_string_append_len (names, name, end - name);
  g_string_append_c (names, '\n');
}

void
wp_kept_kernel_write (const WpKeptKernel *self, const WpKernelSymbol *symbols, guint32 n, const char *text, gsize size, const guint64 *at)
{
  g_auto (WpOwnFolder) folder = WP_OWN_FOLDER_NONE;
  g_autoptr (GString) names = NULL;
  g_autofree char *path = NULL, *title = title_of (self->system);
  SymbolArray kept = { 0 };
  WpKeptKernel file;

  if (n == 0 || !wp_own_folder_open (&folder, WP_OWN_CACHE, WP_KEPT_KERNEL_FOLDER, NULL))
    return;
  names = g_string_sized_new (size);
  wp_array_reserve (&kept, n);
  for (guint32 i = 0; i < n; i++)
    add (&kept, names, &symbols[i], text, size);
  empty (&file);
  file.blocks[WP_KEPT_SYMBOLS].data = kept.data;
  file.blocks[WP_KEPT_SYMBOLS].n = kept.len;
  file.blocks[WP_KEPT_TEXT].data = names->str;
  file.blocks[WP_KEPT_TEXT].n = (guint32) names->len;
  file.blocks[WP_KEPT_REFERENCES].data = at;
  file.blocks[WP_KEPT_REFERENCES].n = N_REFERENCES;
  path = g_build_filename (folder.path, NAME, NULL);
  wp_blocks_keep (path, title, file.blocks, WP_KEPT_BLOCKS, NULL);
  wp_array_clear (&kept);
}
