/* The columns in front of an event's name: any of them may be missing, and names may look like numbers. */
#include "read/script/script-private.h"

#include "base/format.h"

#include <stdlib.h>

#define LOOK_AT (1024 * 1024) /* for telling which columns there are */

const char *
wp_skip_blanks (const char *p)
{
  while (*p == ' ' || *p == '\t')
    p++;
  return p;
}

/* "[003]" where it stands; no column is no error. */
static const char *
take_cpu (const char *p, gint32 *cpu)
{
  char *end;
  unsigned long value;

  *cpu = -1;
  if (*p != '[')
    return p;
  value = strtoul (p + 1, &end, 10);
  if (end == p + 1 || *end != ']' || value > 65535)
    return p;
  *cpu = value;
  return wp_skip_blanks (end + 1);
}

/* "K" or "UM": where the CPU was (-F misc). It stands before the time only. */
static const char *
skip_mode (const char *p)
{
  gsize n = strspn (p, "KUHGgEMSP");

  return n > 0 && p[n] == ' ' ? wp_skip_blanks (p + n) : p;
}

/* "1234.567890:" → ns; NULL when it is not there. */
static const char *
take_time (const char *p, gint64 *time)
{
  gint64 seconds = 0, fraction = 0, unit = WP_NS_PER_S;
  const char *start = p;

  for (; g_ascii_isdigit (*p) && p - start < 10; p++)
    seconds = seconds * 10 + (*p - '0');
  if (p == start || *p++ != '.')
    return NULL;
  for (start = p; g_ascii_isdigit (*p); p++)
    if (unit > 1)
      {
        unit /= 10;
        fraction += (*p - '0') * unit;
      }
  if (p == start || *p != ':')
    return NULL;
  *time = seconds * WP_NS_PER_S + fraction;
  return p + 1;
}

/* "pid/tid" or "tid" */
static const char *
take_ids (const char *p, gint32 *pid, gint32 *tid)
{
  char *end;
  long value = strtol (p, &end, 10);

  if (end == p || value < -1 || value > G_MAXINT32)
    return NULL;
  *pid = -1;
  *tid = value;
  if (*end == '/')
    {
      const char *second = end + 1;

      *pid = value;
      value = strtol (second, &end, 10);
      if (end == second || value < -1 || value > G_MAXINT32)
        return NULL;
      *tid = value;
    }
  return *end == ' ' || *end == '\t' ? wp_skip_blanks (end) : NULL;
}

static const char *
take_columns (const char *p, gboolean with_ids, WpScriptHead *head)
{
  if (with_ids)
    p = take_ids (p, &head->pid, &head->tid);
  else
    head->pid = head->tid = G_MININT32;
  if (p == NULL)
    return NULL;
  p = take_cpu (p, &head->cpu);
  return take_time (head->cpu >= 0 ? skip_mode (p) : p, &head->time);
}

/* Where the name ends is only known by what follows. */
const char *
wp_script_head (const char *line, gboolean may_have_ids, WpScriptHead *head)
{
  for (guint with_ids = may_have_ids ? 2 : 1; with_ids-- > 0;)
    for (const char *p = line; *p != '\0'; p++)
      {
        const char *rest;

        if ((p > line && p[-1] != ' ') || *p == ' ' || !(g_ascii_isdigit (*p) || *p == '-' || *p == '['))
          continue;
        rest = take_columns (p, with_ids, head);
        if (rest == NULL)
          continue;
        head->comm = wp_skip_blanks (line);
        while (p > head->comm && p[-1] == ' ')
          p--;
        head->comm_length = p - head->comm;
        return rest;
      }
  return NULL;
}

/* Who leaves the CPU is whose event a switch is: where the number before the CPU is another, it belongs to the name. */
gboolean
wp_script_has_ids (const char *data, gsize size)
{
  const char *p = data, *end = data + MIN (size, LOOK_AT);
  guint same = 0, other = 0;

  while ((p = memmem (p, end - p, " prev_pid=", 10)) != NULL)
    {
      const char *newline = memrchr (data, '\n', p - data), *line = newline != NULL ? newline + 1 : data;
      g_autofree char *text = g_strndup (line, MIN (p - line, WP_SCRIPT_LINE_MAX));
      WpScriptHead head = { .tid = G_MININT32 };

      p += 10;
      if (wp_script_head (text, TRUE, &head) != NULL && head.tid == strtol (p, NULL, 10))
        same++;
      else
        other++;
      p = memchr (p, '\n', end - p); /* the first of each line */
      if (p == NULL)
        break;
    }
  return same >= other;
}
