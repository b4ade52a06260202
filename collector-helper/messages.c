/* JSON lines on standard error; see messages.h. */
#include "messages.h"

#include "caller.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char failure[1200];

/* One character, escaped; returns its length. */
static size_t
escape (char to[8], char c)
{
  if (c == '"' || c == '\\')
    return (size_t) snprintf (to, 8, "\\%c", c);
  if ((unsigned char) c < 0x20 || c == 0x7f)
    return (size_t) snprintf (to, 8, "\\u%04x", (unsigned) (unsigned char) c);
  to[0] = c;
  return 1;
}

void
wpc_send (const char *data, size_t len)
{
  wpc_write (STDERR_FILENO, data, len);
}

void
wpc_json_escape (WpcBuffer *line, const char *text)
{
  char escaped[8];

  for (; *text != '\0'; text++)
    wpc_buffer_add (line, escaped, escape (escaped, *text));
}

void
wpc_json_string (WpcBuffer *line, const char *text)
{
  wpc_json_text (line, "\"");
  wpc_json_escape (line, text);
  wpc_json_text (line, "\"");
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
  char line[384];
  int n;

  n = snprintf (line, sizeof line,
                "{\"message\":\"%s\",\"bytes\":%" PRIu64 ",\"events\":%" PRIu64 ",\"lost\":%" PRIu64 ",\"commands\":%" PRIu64
                ",\"rate\":%" PRIu64 "%s%s%s}\n", message, counters->bytes, counters->events, counters->lost, counters->commands,
                counters->rate, why != NULL ? ",\"why\":\"" : "", why != NULL ? why : "",
                why != NULL ? "\"" : "");
  wpc_send (line, (size_t) n);
}

int
wpc_fail (const char *code, const char *format, ...)
{
  char text[512], quoted[1024];
  size_t n = 0;
  va_list arguments;

  va_start (arguments, format);
  vsnprintf (text, sizeof text, format, arguments);
  va_end (arguments);
  for (const char *c = text; *c != '\0' && n + 8 < sizeof quoted; c++)
    n += escape (quoted + n, *c);
  quoted[n] = '\0';
  if (failure[0] == '\0')
    snprintf (failure, sizeof failure, "{\"message\":\"error\",\"code\":\"%s\",\"text\":\"%s\"}\n", code, quoted);
  return 1;
}

int
wpc_fail_output (int error)
{
  if (error == ETIMEDOUT)
    return wpc_fail ("output", "nobody takes the recording");
  return wpc_fail ("output", "cannot write the recording: %s", strerror (error));
}

void
wpc_tell_failure (void)
{
  wpc_send (failure, strlen (failure));
}

bool
wpc_somebody_reads (void)
{
  struct pollfd p = { .fd = STDERR_FILENO, .events = POLLOUT };

  return poll (&p, 1, 0) == 1 && (p.revents & POLLOUT) != 0;
}
