/* With what arguments processes were started: what the recording says of their numbers. */
#include "base/hash.h"
#include "base/quote.h"
#include "trace/trace.h"

#define NAME_LENGTH 15 /* the kernel's names of tasks are no longer */
#define SHOWN 16       /* characters of arguments that a row has room for */

void
wp_trace_set_arguments (WpTrace *self, gint32 pid, const char *line)
{
  g_autofree char *plain = wp_quoted_line (line); /* whatever a file says */

  if (self->arguments == NULL)
    self->arguments = g_hash_table_new (wp_hash_pointer, NULL);
  g_hash_table_insert (self->arguments, GINT_TO_POINTER (pid), GUINT_TO_POINTER (wp_strings_intern (self->strings, plain)));
}

/* Whether a program is that of a task: "/usr/lib/git-core/git", "-bash", "postgres:". */
static gboolean
is_program (const char *word, gsize n, const char *name)
{
  for (gsize i = n; i-- > 0;)
    if (word[i] == '/')
      {
        word += i + 1;
        n -= i + 1;
        break;
      }
  if (n > 0 && *word == '-')
    {
      word++;
      n--;
    }
  if (n > 0 && word[n - 1] == ':')
    n--;
  n = MIN (n, NAME_LENGTH);
  return n > 0 && strlen (name) == n && strncmp (word, name, n) == 0;
}

/* What comes behind the program, or behind the script that it was started with; NULL: the line is another program's, of before an exec or a fork. */
static const char *
behind_program (const char *line, const char *name)
{
  const char *word = line;

  for (guint i = 0; i < 2 && *word != '\0'; i++)
    {
      gsize n = strcspn (word, " ");
      gboolean found = is_program (word, n, name);

      word += n + strspn (word + n, " ");
      if (found)
        return word;
    }
  return NULL;
}

static const char *
line_of (const WpTrace *self, WpId task)
{
  gpointer line = self->arguments != NULL ? g_hash_table_lookup (self->arguments, GINT_TO_POINTER (self->tasks.data[task].pid)) : NULL;

  return line != NULL ? wp_trace_string (self, GPOINTER_TO_UINT (line)) : NULL;
}

const char *
wp_trace_arguments (const WpTrace *self, WpId task)
{
  const char *line = line_of (self, task);

  return line != NULL && behind_program (line, wp_trace_task_name (self, task)) != NULL ? line : NULL;
}

/* Of a path the last part, which says more. */
static void
append_word (GString *out, const char *word, gsize n)
{
  while (n > 1 && *word == '/' && memchr (word + 1, '/', n - 1) != NULL)
    {
      const char *next = memchr (word + 1, '/', n - 1);

      n -= (gsize) (next - word);
      word = next;
    }
  if (n > 1 && *word == '/')
    {
      word++;
      n--;
    }
  if (out->len > 0)
    g_string_append_c (out, ' ');
  g_string_append_len (out, word, (gssize) n);
}

char *
wp_trace_told_apart (const WpTrace *self, WpId task)
{
  const char *line = line_of (self, task), *name = wp_trace_task_name (self, task), *at = line != NULL ? behind_program (line, name) : NULL;
  g_autoptr (GString) out = g_string_new (NULL);

  for (gsize before = 0; at != NULL && *at != '\0'; at += strspn (at, " "))
    {
      gsize n = strcspn (at, " ");

      append_word (out, at, n);
      at += n;
      if (before > 0 && g_utf8_strlen (out->str, -1) > SHOWN) /* whole words, but for the first */
        {
          g_string_truncate (out, before);
          break;
        }
      before = out->len;
    }
  if (out->len == 0)
    return NULL;
  if (g_utf8_strlen (out->str, -1) > SHOWN)
    {
      g_string_truncate (out, (gsize) (g_utf8_offset_to_pointer (out->str, SHOWN) - out->str));
      g_string_append (out, "…");
    }
  return g_string_free (g_steal_pointer (&out), FALSE);
}
