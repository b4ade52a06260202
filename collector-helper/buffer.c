/* Growable bytes and reading files; see buffer.h. */
#include "buffer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void
reserve (WpcBuffer *self, size_t more)
{
  size_t cap = self->cap > 0 ? self->cap : 4096;

  while (cap - self->len < more)
    cap *= 2;
  if (cap == self->cap)
    return;
  self->data = realloc (self->data, cap);
  if (self->data == NULL)
    abort ();
  self->cap = cap;
}

void
wpc_buffer_add (WpcBuffer *self, const void *data, size_t len)
{
  reserve (self, len);
  if (len == 0)
    return;
  if (data != NULL)
    memcpy (self->data + self->len, data, len);
  else
    memset (self->data + self->len, 0, len);
  self->len += len;
}

void
wpc_buffer_add_string (WpcBuffer *self, const char *text)
{
  wpc_buffer_add (self, text, strlen (text) + 1);
}

void
wpc_buffer_add_u32 (WpcBuffer *self, uint32_t value)
{
  wpc_buffer_add (self, &value, sizeof value);
}

void
wpc_buffer_add_u64 (WpcBuffer *self, uint64_t value)
{
  wpc_buffer_add (self, &value, sizeof value);
}

void
wpc_buffer_align (WpcBuffer *self, size_t to)
{
  wpc_buffer_add (self, NULL, (to - self->len % to) % to);
}

void
wpc_buffer_clear (WpcBuffer *self)
{
  free (self->data);
  *self = (WpcBuffer) { 0 };
}

int
wpc_buffer_add_file (WpcBuffer *self, const char *path)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC);
  ssize_t n;

  if (fd < 0)
    return errno;
  for (;;)
    {
      reserve (self, 65536);
      n = read (fd, self->data + self->len, self->cap - self->len);
      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        break;
      self->len += (size_t) n;
    }
  n = n < 0 ? errno : 0;
  close (fd);
  return (int) n;
}

int
wpc_read_line (const char *path, char *text, size_t size)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC), error = 0;
  ssize_t n;

  text[0] = '\0';
  if (fd < 0)
    return errno;
  n = read (fd, text, size - 1);
  if (n < 0)
    error = errno;
  close (fd);
  text[n < 0 ? 0 : n] = '\0';
  text[strcspn (text, "\n")] = '\0';
  return error;
}
