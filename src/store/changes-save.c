/* Writing what checks found into a commit's `.changes`. */
#include "store/checker.h"
#include "store/objects.h"
#include "store/store-private.h"

#include "base/hash.h"
#include "base/plain-file.h"
#include "base/save-file.h"
#include "base/sort.h"

#include <string.h>
#include <unistd.h>

/* Perun cannot read a line with nothing, or a blank, where a word belongs, and fails on the whole file. */
static char *
one_word (const char *text)
{
  char *word = g_strstrip (g_strdup (text));

  g_strdelimit (word, " \t\n\r", '_');
  if (*word != '\0')
    return word;
  g_free (word);
  return g_strdup ("-");
}

static char *
line_of (const WpStoreChecked *checked, const WpCheckVerdict *verdict)
{
  g_autofree char *location = g_strdelimit (g_strdup (verdict->location), "\n\r", ' ');
  g_autofree char *type = one_word (verdict->type), *from = one_word (verdict->from), *to = one_word (verdict->to);
  g_autofree char *command = g_strdelimit (g_strdup (*checked->command != '\0' ? checked->command : "-"), "\n\r", ' ');
  g_autoptr (GString) line = g_string_new (NULL);
  WpCheckVerdict plain = *verdict;

  plain.location = location;
  plain.type = type;
  plain.from = from;
  plain.to = to;
  wp_verdict_record (&plain, line);
  return g_strdup_printf ("%s %s %s", line->str, checked->source, command);
}

/* Lines by what tells them apart; one that makes no sense is kept as it is. */
static void
put_line (GHashTable *lines, char *line)
{
  char *key = wp_store_change_key (line);

  g_hash_table_replace (lines, key != NULL ? key : g_strconcat ("\n", line, NULL), line);
}

static guint
put_found (GHashTable *lines, const GPtrArray *checked)
{
  guint n = 0;

  for (guint i = 0; i < checked->len; i++)
    {
      const WpStoreChecked *one = checked->pdata[i];

      for (guint v = 0; one->verdicts != NULL && v < one->verdicts->len; v++)
        if (((const WpCheckVerdict *) one->verdicts->pdata[v])->change != WP_CHANGE_NONE)
          {
            put_line (lines, line_of (one, one->verdicts->pdata[v]));
            n++;
          }
    }
  return n;
}

static char *
join_sorted (GHashTable *lines)
{
  g_autoptr (GPtrArray) sorted = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer line;

  g_hash_table_iter_init (&iter, lines);
  while (g_hash_table_iter_next (&iter, NULL, &line))
    g_ptr_array_add (sorted, line);
  g_ptr_array_sort (sorted, wp_compare_texts);
  g_ptr_array_add (sorted, NULL);
  return g_strjoinv ("\n", (char **) sorted->pdata);
}

/* Under the lock. */
static gboolean
save (WpStore *self, const char *path, const GPtrArray *checked, GError **error)
{
  g_autoptr (GHashTable) lines = g_hash_table_new_full (wp_hash_string, g_str_equal, g_free, g_free);
  g_autoptr (GError) problem = NULL;
  g_autofree char *old = wp_plain_file_read (path, WP_INDEX_LIMIT, NULL, &problem), *text = NULL;
  g_auto (GStrv) there = NULL;

  if (old == NULL && !g_error_matches (problem, G_FILE_ERROR, G_FILE_ERROR_NOENT))
    {
      g_propagate_error (error, g_steal_pointer (&problem));
      return FALSE;
    }
  there = g_strsplit (old != NULL ? old : "", "\n", -1);
  for (char **line = there; *line != NULL; line++)
    if (**line != '\0')
      put_line (lines, g_strdup (*line));
  if (put_found (lines, checked) == 0)
    return TRUE;
  text = join_sorted (lines);
  return g_strcmp0 (text, old) == 0
         || (wp_object_prepare (path, error) && wp_save_text (path, text, strlen (text), error));
}

gboolean
wp_store_save_changes (WpStore *store, const char *minor, const GPtrArray *checked, GError **error)
{
  g_autofree char *index = wp_store_index_path (store, minor), *path = g_strconcat (index != NULL ? index : minor, ".changes", NULL);
  int lock;
  gboolean done;

  if (index == NULL)
    {
      g_set_error (error, WP_STORE_ERROR, WP_STORE_ERROR_NOT_FOUND, "%s: not the full hash of a commit", minor);
      return FALSE;
    }
  lock = wp_store_lock (store, error);
  if (lock < 0)
    return FALSE;
  done = save (store, path, checked, error);
  close (lock);
  return done;
}
