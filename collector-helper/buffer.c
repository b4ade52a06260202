/* Growable bytes and reading files; see buffer.h. */
#include "buffer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FIRST 65536
#define NO_MEMORY 4 /* exit status: there is nothing left to say it with */

static void
reserve (WpcBuffer *self, size_t more)
{
  size_t cap = self->cap > 0 ? self->cap : FIRST;
  void *data;

  while (cap - self->len < more)
    cap *= 2;
  if (cap == self->cap)
    return;
  data = self->data == NULL ? mmap (NULL, cap, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
                            : mremap (self->data, self->cap, cap, MREMAP_MAYMOVE);
  if (data == MAP_FAILED)
    syscall (SYS_exit_group, NO_MEMORY);
  self->data = data;
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
wpc_buffer_clear (WpcBuffer *self)
{
  if (self->data != NULL)
    munmap (self->data, self->cap);
  *self = (WpcBuffer) { 0 };
}

/* One byte more than `most` is asked for: whether there is any. */
static int
add_rest (WpcBuffer *self, int fd, size_t most)
{
  size_t before = self->len;

  for (;;)
    {
      size_t left = most - (self->len - before), room;
      ssize_t n;

      reserve (self, FIRST);
      room = self->cap - self->len;
      n = read (fd, self->data + self->len, room <= left ? room : left + 1);
      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        return n < 0 ? errno : 0;
      if ((size_t) n > left)
        {
          self->len += left;
          return EFBIG;
        }
      self->len += (size_t) n;
    }
}

int
wpc_buffer_add_file (WpcBuffer *self, const char *path, size_t most)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC), error;

  if (fd < 0)
    return errno;
  error = add_rest (self, fd, most);
  close (fd);
  return error;
}

int
wpc_read_text (const char *path, char *text, size_t size)
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
  return error;
}

int
wpc_read_line (const char *path, char *text, size_t size)
{
  int error = wpc_read_text (path, text, size);

  text[strcspn (text, "\n")] = '\0';
  return error;
}
