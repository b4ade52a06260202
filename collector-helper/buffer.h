/* A growable run of bytes: what is put together before it is written to the stream. It has memory of its own, not the heap's, so that it
 * is given back by munmap(), which the system-call filter lets through. Running out of memory ends the program. */
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef struct
{
  char *data;
  size_t len;
  size_t cap;
} WpcBuffer;

void wpc_buffer_add (WpcBuffer *self, const void *data, size_t len); /* data NULL: zeroes */
void wpc_buffer_add_string (WpcBuffer *self, const char *text);      /* with its final 0 */
void wpc_buffer_add_u32 (WpcBuffer *self, uint32_t value);
void wpc_buffer_add_u64 (WpcBuffer *self, uint64_t value);
void wpc_buffer_clear (WpcBuffer *self);

/* Appends a file, also one of /proc or /sys whose size is not known. Returns 0 or an errno: EFBIG where there is more of it than
 * `most`, which is what was appended then. */
int wpc_buffer_add_file (WpcBuffer *self, const char *path, size_t most);

/* Reads a short file as text without its last newline. Returns 0 or an errno; text is always ended. */
int wpc_read_line (const char *path, char *text, size_t size);

/* The same with all its lines, as far as they fit. */
int wpc_read_text (const char *path, char *text, size_t size);
