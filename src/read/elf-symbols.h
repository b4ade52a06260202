/* The functions of one ELF file, by address. */
#pragma once

#include <glib.h>

typedef struct WpElfSymbols WpElfSymbols;

/* NULL when there is nothing to be had: no such file, not ELF, another build id than `build_id` (hexadecimal, NULL:
 * any). "[vdso]" is that of the running system. */
WpElfSymbols *wp_elf_symbols_open (const char *path, const char *build_id);
void wp_elf_symbols_free (WpElfSymbols *self);

/* The function at this offset in the file; -1: none. */
gint64 wp_elf_symbols_find (const WpElfSymbols *self, guint64 file_offset);

/* As in the file, not demangled; "name@plt" for a stub of the procedure linkage table. */
const char *wp_elf_symbols_name (const WpElfSymbols *self, guint32 row);

/* A number that the caller may keep for each function; 0 at first. */
guint32 *wp_elf_symbols_note (WpElfSymbols *self, guint32 row);
