/* Readable names of C++ and Rust functions. Names come from files and recordings that others made, and a short one can stand for
 * gigabytes or for years of work: a program of its own (src/demangler), with limits for memory and time, reads them. It is started
 * at the first name that needs it and stays until the end.
 *
 * Any number of threads may use one WpDemangler. */
#pragma once

#include "base/diagnostics.h"

#include <gio/gio.h>

typedef struct WpDemangler WpDemangler;

/* `cancellable`: ends every wait within 20 ms; may be NULL. */
WpDemangler *wp_demangler_new (GCancellable *cancellable);
void wp_demangler_free (WpDemangler *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpDemangler, wp_demangler_free)

/* NULL: it is neither C++ nor Rust, costs too much, or is not wanted any more. One that is longer than 32 times the symbol and 4 KiB, or
 * than 64 KiB, is cut and ends with an ellipsis. Free with g_free(). */
char *wp_demangle (WpDemangler *self, const char *symbol);

/* What it could not do, for who opens the file: WP_DIAG_NAMES_GIVEN_UP, WP_DIAG_NO_DEMANGLER. Once, when all is done. */
void wp_demangler_tell (WpDemangler *self, WpDiagnostics *diagnostics);
