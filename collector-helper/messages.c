/* JSON lines on standard error; see messages.h. */
#include "messages.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* As much of text as fits into size bytes, quoted and escaped. Returns what it wrote, without the final 0. */
static size_t
quote (char *to, size_t size, const char *text)
{
  size_t n = 0;

  to[n++] = '"';
  for (; *text != '\0' && n + 8 < size; text++)
    if (*text == '"' || *text == '\\')
      {
        to[n++] = '\\';
        to[n++] = *text;
      }
    else if ((unsigned char) *text < 0x20)
      n += (size_t) snprintf (to + n, size - n, "\\u%04x", (unsigned) (unsigned char) *text);
    else
      to[n++] = *text;
  to[n++] = '"';
  to[n] = '\0';
  return n;
}

void
wpc_send (const char *data, size_t len)
{
  while (len > 0)
    {
      ssize_t n = write (STDERR_FILENO, data, len);

      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        return;
      data += n;
      len -= (size_t) n;
    }
}

void
wpc_json_string (WpcBuffer *line, const char *text)
{
  char quoted[512];

  wpc_buffer_add (line, quoted, quote (quoted, sizeof quoted, text));
}

void
wpc_json_text (WpcBuffer *line, const char *text)
{
  wpc_buffer_add (line, text, strlen (text));
}

void
wpc_json_number (WpcBuffer *line, const char *key, uint64_t value)
{
  char text[96];

  snprintf (text, sizeof text, ",\"%s\":%" PRIu64, key, value);
  wpc_json_text (line, text);
}

void
wpc_send_counters (const char *message, const WpcCounters *counters, const char *why)
{
  char line[256];
  int n;

  n = snprintf (line, sizeof line,
                "{\"message\":\"%s\",\"bytes\":%" PRIu64 ",\"events\":%" PRIu64 ",\"lost\":%" PRIu64 "%s%s%s}\n", message, counters->bytes, counters->events, counters->lost, why != NULL ? ",\"why\":\"" : "",
                why != NULL ? why : "", why != NULL ? "\"" : "");
  wpc_send (line, (size_t) n);
}

int
wpc_fail (const char *code, const char *format, ...)
{
  char text[512], quoted[1024], line[1200];
  va_list arguments;
  int n;

  va_start (arguments, format);
  vsnprintf (text, sizeof text, format, arguments);
  va_end (arguments);
  quote (quoted, sizeof quoted, text);
  n = snprintf (line, sizeof line, "{\"message\":\"error\",\"code\":\"%s\",\"text\":%s}\n", code, quoted);
  wpc_send (line, (size_t) n);
  return 1;
}

bool
wpc_somebody_reads (void)
{
  struct pollfd p = { .fd = STDERR_FILENO, .events = POLLOUT };

  return poll (&p, 1, 0) == 1 && (p.revents & POLLOUT) != 0;
}
