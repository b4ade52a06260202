/* `.changes` files: what checks have found for a commit, a line each. Reading; changes-save.c writes.
 *
 *   LOCATION PerformanceChange.RESULT TYPE FROM TO [RATE] CONFIDENCE VALUE [RATE] SOURCE COMMAND
 *
 * Locations and commands may hold blanks. The rate came with 0.16.6, the second one with 0.20.4. */
#include "store/store-private.h"

#include "base/plain-file.h"
#include "profile/checks/checks.h"

#include <string.h>

#define MARK " PerformanceChange."
#define MAX_FIELDS 8 /* between the result and the command */

static void
free_change (gpointer data)
{
  WpStoreChange *change = data;

  g_free (change->location);
  g_free (change->result);
  g_free (change->type);
  g_free (change->from);
  g_free (change->to);
  g_free (change->rate);
  g_free (change->confidence_type);
  g_free (change->confidence);
  g_free (change->source);
  g_free (change->command);
  g_free (change);
}

/* The last mark that is followed by something: a location may hold the words too. */
static const char *
find_mark (const char *line)
{
  return g_strrstr (line, MARK);
}

/* Cuts the next word off; NULL when there is none. */
static char *
next_word (const char **at)
{
  const char *start = *at;
  gsize n = strcspn (start, " ");

  if (n == 0 || start[n] == '\0')
    return NULL;
  *at = start + n + 1;
  return g_strndup (start, n);
}

/* The words up to the commit that was compared with, that one included: 6 before 0.16.6, 7, or 8 since 0.20.4. 0: no such line. */
static guint
take_words (const char **at, char *words[MAX_FIELDS + 1])
{
  for (guint n = 0; n < MAX_FIELDS; n++)
    {
      words[n] = next_word (at);
      if (words[n] == NULL)
        return 0;
      if (n >= 5 && wp_store_is_hash (words[n]))
        return n + 1;
    }
  return 0;
}

static gboolean
is_number (const char *text)
{
  char *end;

  g_ascii_strtod (text, &end);
  return end != text && *end == '\0';
}

static WpStoreChange *
parse_line (const char *line)
{
  const char *mark = find_mark (line), *at = mark != NULL ? mark + strlen (MARK) : NULL;
  g_autofree char *result = at != NULL && mark > line ? next_word (&at) : NULL;
  char *words[MAX_FIELDS + 1] = { NULL };
  guint n = result != NULL ? take_words (&at, words) : 0, ctype = n == 6 ? 3 : 4;
  WpStoreChange *change = NULL;

  /* A kind of confidence is no number: where it is, the fields are scrambled. */
  if (n > 0 && *at != '\0' && !is_number (words[ctype]))
    {
      change = g_new (WpStoreChange, 1);
      *change = (WpStoreChange) { .location = g_strndup (line, (gsize) (mark - line)), .result = g_steal_pointer (&result),
                                  .type = g_steal_pointer (&words[0]), .from = g_steal_pointer (&words[1]),
                                  .to = g_steal_pointer (&words[2]),
                                  .rate = n == 6 ? g_strdup ("") : g_steal_pointer (&words[3]),
                                  .confidence_type = g_steal_pointer (&words[ctype]),
                                  .confidence = g_steal_pointer (&words[ctype + 1]),
                                  .source = g_steal_pointer (&words[n - 1]), .command = g_strdup (at) };
    }
  for (guint i = 0; i < MAX_FIELDS; i++)
    g_free (words[i]);
  return change;
}

char *
wp_store_change_key (const char *line)
{
  WpStoreChange *change = g_utf8_validate (line, -1, NULL) ? parse_line (line) : NULL;
  char *key = change != NULL ? g_strjoin ("\n", change->location, change->type, change->command, NULL) : NULL;

  if (change != NULL)
    free_change (change);
  return key;
}

GPtrArray *
wp_store_changes (WpStore *self, const char *minor, guint *unreadable, GError **error)
{
  g_autofree char *index = wp_store_index_path (self, minor), *path = g_strconcat (index != NULL ? index : minor, ".changes", NULL);
  g_autofree char *text = NULL;
  g_autoptr (GError) problem = NULL;
  g_auto (GStrv) lines = NULL;
  GPtrArray *changes = g_ptr_array_new_with_free_func (free_change);
  guint bad = 0;

  if (index == NULL || (text = wp_plain_file_read (path, WP_INDEX_LIMIT, NULL, &problem)) == NULL)
    {
      if (problem == NULL || g_error_matches (problem, G_FILE_ERROR, G_FILE_ERROR_NOENT))
        text = g_strdup ("");
      else
        {
          g_propagate_error (error, g_steal_pointer (&problem));
          g_ptr_array_unref (changes);
          return NULL;
        }
    }
  lines = g_strsplit (text, "\n", -1);
  for (char **line = lines; *line != NULL; line++)
    {
      WpStoreChange *change = g_utf8_validate (*line, -1, NULL) ? parse_line (*line) : NULL;

      if (change != NULL)
        g_ptr_array_add (changes, change);
      else
        bad += **line != '\0';
    }
  if (unreadable != NULL)
    *unreadable = bad;
  return changes;
}

void
wp_store_count_changes (const GPtrArray *changes, guint *better, guint *worse)
{
  *better = *worse = 0;
  for (guint i = 0; i < changes->len; i++)
    {
      WpCheckChange change;

      if (!wp_change_find (((const WpStoreChange *) changes->pdata[i])->result, &change))
        continue;
      *better += wp_change_is_optimization (change);
      *worse += wp_change_is_degradation (change);
    }
}
