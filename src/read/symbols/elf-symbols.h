/* The functions of an ELF file: its symbol table, that of its separate debug file, or the dynamic one. */
#pragma once

#include "read/symbols/elf-file.h"
#include "read/symbols/functions.h"

typedef enum
{
  WP_SYMBOLS_NONE,
  WP_SYMBOLS_EXPORTED, /* what other files may call, and perhaps a packed table: many functions are missing */
  WP_SYMBOLS_ALL,
} WpSymbolsKind;

/* Reads the functions of `file` (may be NULL) and of its debug file (may be NULL). Addresses are the file's own, see
 * wp_elf_file_address(). Stops early when cancelled. */
WpSymbolsKind wp_elf_symbols_read (WpFunctions *functions, const WpElfFile *file, const WpElfFile *debug,
                                   GCancellable *cancellable);
