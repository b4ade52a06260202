/* Debugging information, and the other files that it names: an ELF file of a stranger may name a pipe or a device, which libdw would open
 * without a look. */
#pragma once

#include "read/symbols/elf-file.h"

#include <elfutils/libdw.h>

typedef struct
{
  Dwarf *dwarf;        /* NULL: none, or a part of it is in a file that is not there */
  WpElfFile *shared;   /* what several files have in common (dwz); NULL: nothing */
  Dwarf *shared_dwarf;
} WpDwarf;

/* Of `file`, which may be NULL and must stay open. `root`: prefix for the places of debugging information, or NULL. */
WpDwarf wp_dwarf_begin (const WpElfFile *file, const char *root);
void wp_dwarf_end (WpDwarf *self);

/* Whether libdw may look for what a compiler has split off from this unit of `file`: whatever is at these names is a plain file. */
gboolean wp_dwarf_split_is_plain (const WpElfFile *file, Dwarf_Die *unit);
