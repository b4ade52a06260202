/* Where the debugging information of a stripped file is: a file of its own, found by its build id or by the link in the
 * stripped one, or what debuginfod brought earlier. Nothing is fetched here (see debuginfod.h). */
#pragma once

#include "read/symbols/elf-file.h"

char *wp_debuginfod_folder (void); /* where libdebuginfod keeps what it brought, a folder for each build; it need not be there. Free with g_free() */

gboolean wp_debuginfod_has_answered (const char *build_id); /* there is a file that it has brought, or an empty one: it knows none */

/* The file itself: at `path`, which has `root` in front already, or where it has another build id than `build_id` or is gone,
 * wherever that build is kept (/usr/lib/debug/.build-id, what perf and debuginfod keep). NULL: nowhere. */
WpElfFile *wp_main_file_open (const char *path, const char *build_id, const char *root);

/* `main` may be NULL when the file itself is not at hand; `build_id` (hexadecimal) then says what is wanted. `root` is put in
 * front of all paths, and /usr/lib/debug without it is looked at too; NULL: none. NULL when there is no such file. */
WpElfFile *wp_debug_file_open (const WpElfFile *main, const char *build_id, const char *root);

/* The small symbol table that some distributions keep packed within a stripped file (.gnu_debugdata), or NULL. */
WpElfFile *wp_mini_debug_file (const WpElfFile *main);
