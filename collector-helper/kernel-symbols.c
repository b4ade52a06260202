/* Kernel symbols from /proc/kallsyms; see kernel-symbols.h. */
#include "kernel-symbols.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define READ_MAX (64u << 20)    /* of /proc/kallsyms */
#define SYMBOLS_MAX (32u << 20) /* of that, functions */

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

/* Appends the functions among whole lines. Returns whether an address was seen. */
static bool
add_functions (WpcBuffer *text, const char *line, bool *cut)
{
  size_t before = text->len, length;
  bool visible = false;

  for (; *line != '\0'; line += length + (line[length] == '\n'))
    {
      length = strcspn (line, "\n");
      if (line[length] == '\0' || !is_function (line, length))
        continue;
      if (text->len - before + length + 1 > SYMBOLS_MAX)
        {
          *cut = true;
          break;
        }
      visible = visible || strspn (line, "0") < strcspn (line, " ");
      wpc_buffer_add (text, line, length + 1);
    }
  return visible;
}

bool
wpc_add_kallsyms (WpcBuffer *text, bool *cut)
{
  WpcBuffer all = { 0 };
  size_t before = text->len;
  int error = wpc_buffer_add_file (&all, "/proc/kallsyms", READ_MAX);
  bool visible = false;

  *cut = error == EFBIG;
  wpc_buffer_add (&all, NULL, 1);
  if (error == 0 || error == EFBIG)
    visible = add_functions (text, all.data, cut);
  wpc_buffer_clear (&all);
  if (!visible)
    text->len = before;
  *cut = *cut && visible;
  return visible;
}

bool
wpc_kernel_code (WpcKernelCode *code)
{
  int start = landmarks[0].address != 0 ? 0 : 1;

  *code = (WpcKernelCode) { landmarks[start].name, landmarks[start].address, landmarks[2].address };
  return code->address != 0 && code->end > code->address;
}
