/* The file that a recording is written to until it is complete. It has no name, so that nothing is left of it whatever ends the program: it may
 * hold other people's memory. A file system that has no such files gets a hidden one, in the folder of what it becomes. Private to this
 * folder. */
#pragma once

#include "record/recorder.h"

typedef struct
{
  char *path; /* by which we can open it; NULL: there is none */
  int fd;     /* at its end; -1 then */
  gboolean hidden;
} WpOutput;

#define WP_OUTPUT_NONE ((WpOutput) { .fd = -1 })

/* How many bytes of a file's path come before its suffix, or all: what stands beside a recording is named after it. */
int wp_output_stem (const char *path);

/* For what is to be `wanted`, empty, for our eyes only. */
gboolean wp_output_open (WpOutput *self, const char *wanted, GError **error);
void wp_output_drop (WpOutput *self); /* fine for one that is none */

/* It gets its name, mode 0600 whatever the umask is, in place of another file of that name, and is none of ours any more, but still open. */
gboolean wp_output_keep (WpOutput *self, const char *wanted, GError **error);
