/* Files that are read through a mapping, and become shorter meanwhile: somebody records over them, or builds the program
 * anew. What is gone cannot be read (SIGBUS), which would end the program. */
#pragma once

#include <glib.h>

/* From here on zeros are read there, in the whole program. Any other SIGBUS goes where it went. Cheap when called again. */
void wp_mapped_guard (void);

/* How many pages were found gone so far. */
guint wp_mapped_gone (void);
