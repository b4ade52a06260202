/* Kernel symbols from /proc/kallsyms; see kernel-symbols.h. */
#include "kernel-symbols.h"

#include <stdlib.h>
#include <string.h>

static struct
{
  const char *name;
  uint64_t address;
} landmarks[] = { { "_text" }, { "_stext" }, { "_etext" } };

/* Lines are "ffffffff81000000 T name[\t[module]]". */
static void
note_landmark (const char *line, const char *name, size_t length)
{
  for (size_t i = 0; i < sizeof landmarks / sizeof *landmarks; i++)
    if (strlen (landmarks[i].name) == length && memcmp (landmarks[i].name, name, length) == 0)
      landmarks[i].address = strtoull (line, NULL, 16);
}

/* Handles one line; length without its newline. Returns whether it is a function. */
static bool
is_function (const char *line, size_t length)
{
  const char *space = memchr (line, ' ', length);

  if (space == NULL || (size_t) (space - line) + 3 >= length || space[2] != ' ')
    return false;
  if (strchr ("tTwW", space[1]) == NULL)
    return false;
  if (space[3] == '_')
    note_landmark (line, space + 3, length - (size_t) (space + 3 - line));
  return true;
}

bool
wpc_add_kallsyms (WpcBuffer *text)
{
  WpcBuffer all = { 0 };
  size_t before = text->len, length;
  bool visible = false;

  if (wpc_buffer_add_file (&all, "/proc/kallsyms") != 0)
    return false;
  wpc_buffer_add (&all, NULL, 1);
  for (const char *line = all.data; *line != '\0'; line += length + (line[length] == '\n'))
    {
      length = strcspn (line, "\n");
      if (!is_function (line, length))
        continue;
      visible = visible || strspn (line, "0") < strcspn (line, " ");
      wpc_buffer_add (text, line, length);
      wpc_buffer_add (text, "\n", 1);
    }
  wpc_buffer_clear (&all);
  if (!visible)
    text->len = before;
  return visible;
}

bool
wpc_kernel_code (WpcKernelCode *code)
{
  int start = landmarks[0].address != 0 ? 0 : 1;

  *code = (WpcKernelCode) { landmarks[start].name, landmarks[start].address, landmarks[2].address };
  return code->address != 0 && code->end > code->address;
}
