/* A commit's index: read, with what its bytes do not tell asked from its objects; and written. */
#include "store/profile-head.h"
#include "store/index-sum.h"
#include "store/objects.h"
#include "store/store-private.h"

#include "base/hash.h"
#include "base/save-file.h"

#include <unistd.h>

#define HEAD_BYTES (256 * 1024) /* of an object: most have their header in these */

char *
wp_store_index_path (const WpStore *self, const char *minor)
{
  return wp_store_is_hash (minor) ? wp_object_path (self->objects, minor) : NULL;
}

gboolean
wp_store_has_profiles (const WpStore *self, const char *minor)
{
  g_autofree char *path = wp_store_index_path (self, minor);

  return path != NULL && access (path, F_OK) == 0;
}

static char *
sum_path (const WpStore *self, const char *minor)
{
  return g_strdup_printf ("%s/cache/%s.sha1", self->folder, minor);
}

/* --- what objects tell -------------------------------------------------------------------------------------------------- */

/* What the object of an entry says of itself within so many bytes. FALSE: nothing. `trouble`, where it has none yet, gets why it cannot be
 * read where it may well be there and whole. */
static gboolean
read_object_head (const WpStore *self, const WpStoreEntry *entry, gsize most, WpStoreEntry *head, gboolean *labelled, gboolean *whole,
                  GError **trouble)
{
  g_autofree char *path = wp_object_path (self->objects, entry->sha1);
  g_autoptr (GError) error = NULL;
  gsize n;
  g_autofree char *text = wp_object_peek (path, most, &n, whole, &error);
  g_autoptr (WpJsonReader) reader = text != NULL ? wp_json_reader_new (path, text, n, NULL) : NULL;

  if (error != NULL && error->domain == G_FILE_ERROR && *trouble == NULL)
    *trouble = g_steal_pointer (&error);
  return reader != NULL && wp_head_read (reader, head, labelled);
}

/* Whether the header of an entry's object has a label; most headers stand at the beginning. FALSE: it cannot be read. */
static gboolean
ask_for_label (const WpStore *self, const WpStoreEntry *entry, gboolean *labelled, GError **trouble)
{
  WpStoreEntry *head = wp_store_entry_new ();
  gboolean whole = TRUE, read = read_object_head (self, entry, HEAD_BYTES, head, labelled, &whole, trouble);

  if (!read && !whole)
    read = read_object_head (self, entry, G_MAXSIZE, head, labelled, &whole, trouble);
  wp_store_entry_free (head);
  return read;
}

/* An index of the newest era has the strings of an older one with other meanings; its objects tell. */
static gboolean
has_labels (const WpStore *self, const GPtrArray *entries, GError **trouble)
{
  g_autoptr (GHashTable) asked = g_hash_table_new (wp_hash_string, g_str_equal);
  g_autoptr (GError) unread = NULL;

  for (guint i = 0; i < entries->len; i++)
    {
      WpStoreEntry *entry = entries->pdata[i];
      gboolean labelled = FALSE;

      if (g_hash_table_add (asked, entry->sha1) && ask_for_label (self, entry, &labelled, &unread))
        return labelled;
    }
  if (unread != NULL && *trouble == NULL)
    *trouble = g_steal_pointer (&unread);
  return FALSE;
}

static void
set_text (char **to, const char *from)
{
  g_free (*to);
  *to = g_strdup (from);
}

static void
free_head (gpointer head)
{
  wp_store_entry_free (head);
}

/* What an object says, read once for each: many entries may name the same. One that cannot be read has a problem. */
static const WpStoreEntry *
head_of (const WpStore *self, GHashTable *heads, const char *sha1, GError **trouble)
{
  WpStoreEntry *head = g_hash_table_lookup (heads, sha1);
  gboolean labelled, whole;

  if (head != NULL)
    return head;
  head = wp_store_entry_new ();
  g_strlcpy (head->sha1, sha1, sizeof head->sha1);
  if (!read_object_head (self, head, G_MAXSIZE, head, &labelled, &whole, trouble))
    head->problem = g_strdup_printf ("the object %s cannot be read", sha1);
  g_hash_table_insert (heads, head->sha1, head);
  return head;
}

/* The oldest indexes know names only. */
static void
fill_from_object (const WpStore *self, GHashTable *heads, WpStoreEntry *entry, GError **trouble)
{
  const WpStoreEntry *head = head_of (self, heads, entry->sha1, trouble);

  set_text (&entry->problem, head->problem);
  if (head->problem != NULL)
    return;
  set_text (&entry->type, head->type);
  set_text (&entry->cmd, head->cmd);
  set_text (&entry->args, head->args);
  set_text (&entry->workload, head->workload);
  set_text (&entry->collector, head->collector);
  g_strfreev (entry->postprocessors);
  entry->postprocessors = g_strdupv (head->postprocessors);
}

static void
note_missing (const WpStore *self, WpStoreEntry *entry)
{
  g_autofree char *path = wp_object_path (self->objects, entry->sha1);

  if (entry->problem == NULL && access (path, R_OK) != 0)
    entry->problem = g_strdup_printf ("the object %s is missing", entry->sha1);
}

/* Whether the last entry, as it was read without args, is what its object says. */
static gboolean
is_without_args (const WpStoreEntry *entry, const WpStoreEntry *head)
{
  g_autofree char *joined = g_strjoin (*head->args != '\0' ? " " : "", head->cmd, head->args, NULL);

  return (g_str_equal (entry->cmd, joined) || g_str_equal (entry->cmd, head->cmd)) && g_str_equal (entry->workload, head->workload)
         && g_str_equal (entry->collector, head->collector)
         && g_strv_equal ((const char *const *) entry->postprocessors, (const char *const *) head->postprocessors);
}

/* The end is missing, or nobody can tell now. */
static gboolean
fail_end (const char *path, GError **trouble, GError **error)
{
  if (*trouble == NULL)
    return wp_index_fail_cut (path, error);
  g_propagate_error (error, g_steal_pointer (trouble));
  return FALSE;
}

/* An index whose end is in doubt, or gone: the last entry's object tells what it was. FALSE: an error. */
static gboolean
settle_end (WpStore *self, const char *path, WpStoreEntry *last, WpIndexForm *form, GError **trouble, GError **error)
{
  WpStoreEntry *head = wp_store_entry_new ();
  gboolean labelled, whole, read = read_object_head (self, last, G_MAXSIZE, head, &labelled, &whole, trouble);
  gboolean fits = !form->doubtful || (read && is_without_args (last, head));

  if (form->cut && read)
    {
      g_strfreev (last->postprocessors);
      last->postprocessors = g_steal_pointer (&head->postprocessors);
      form->cut = FALSE;
      wp_store_note (self, path, g_strdup_printf ("%s: the end is missing; the object %s told what was there, and the next change mends it",
                                                  path, last->sha1));
    }
  wp_store_entry_free (head);
  return fits || fail_end (path, trouble, error);
}

/* Of what the bytes alone do not tell. FALSE: an error. */
static gboolean
settle (WpStore *self, const char *path, GPtrArray *entries, WpIndexForm *form, GError **trouble, GError **error)
{
  if ((form->doubtful || form->cut) && !settle_end (self, path, entries->pdata[entries->len - 1], form, trouble, error))
    return FALSE;
  if (form->layout == WP_INDEX_ARGS && has_labels (self, entries, trouble))
    {
      wp_index_take_as_label (entries);
      form->layout = WP_INDEX_LABEL;
    }
  return TRUE;
}

static void
complete (const WpStore *self, const char *minor, WpIndexLayout layout, GPtrArray *entries, GError **trouble)
{
  g_autoptr (GHashTable) heads = g_hash_table_new_full (wp_hash_string, g_str_equal, NULL, free_head);

  for (guint i = 0; i < entries->len; i++)
    {
      WpStoreEntry *entry = entries->pdata[i];

      if (layout == WP_INDEX_PATHS)
        fill_from_object (self, heads, entry, trouble);
      note_missing (self, entry);
      g_strlcpy (entry->minor, minor, sizeof entry->minor);
    }
}

/* `trouble` is set where some of it may only be unknown now. */
static GPtrArray *
read_index (WpStore *self, const char *minor, WpIndexForm *form, GError **trouble, GError **error)
{
  g_autofree char *path = wp_store_index_path (self, minor), *sum = sum_path (self, minor), *notice = NULL;
  g_autoptr (GPtrArray) entries = NULL;

  if (path == NULL)
    {
      g_set_error (error, WP_STORE_ERROR, WP_STORE_ERROR_NOT_FOUND, "%s: not the full hash of a commit", minor);
      return NULL;
    }
  entries = wp_index_read (path, sum, form, &notice, error);
  wp_store_note (self, path, g_steal_pointer (&notice));
  if (entries == NULL || !settle (self, path, entries, form, trouble, error))
    return NULL;
  complete (self, minor, form->layout, entries, trouble);
  return g_steal_pointer (&entries);
}

/* Whether it was read without anything that somebody should know. */
static gboolean
is_untroubled (const WpStore *self, const char *minor, const GPtrArray *entries, const GError *trouble)
{
  g_autofree char *path = wp_store_index_path (self, minor);

  for (guint i = 0; i < entries->len; i++)
    if (((const WpStoreEntry *) entries->pdata[i])->problem != NULL)
      return FALSE;
  return trouble == NULL && !g_hash_table_contains (self->notices, path);
}

GPtrArray *
wp_store_index (WpStore *self, const char *minor, GError **error)
{
  g_autoptr (GError) trouble = NULL;
  GPtrArray *entries = self->kept != NULL && wp_store_is_hash (minor) ? wp_store_kept_entries (self->kept, minor) : NULL;
  WpIndexForm form;

  if (entries != NULL)
    return entries;
  entries = read_index (self, minor, &form, &trouble, error);
  if (self->kept != NULL && entries != NULL && is_untroubled (self, minor, entries, trouble))
    wp_store_kept_set_entries (self->kept, minor, entries);
  return entries;
}

GPtrArray *
wp_store_index_to_change (WpStore *self, const char *minor, WpIndexLayout *layout, GError **error)
{
  g_autofree char *path = wp_store_index_path (self, minor);
  g_autoptr (GPtrArray) entries = NULL;
  g_autoptr (GError) trouble = NULL;
  WpIndexForm form;

  entries = read_index (self, minor, &form, &trouble, error);
  if (entries == NULL || (form.cut && !fail_end (path, &trouble, error)))
    return NULL;
  if (trouble != NULL) /* what is not known would be written as if it were not so */
    {
      g_propagate_error (error, g_steal_pointer (&trouble));
      return NULL;
    }
  *layout = form.layout;
  return g_steal_pointer (&entries);
}

/* --- writing ------------------------------------------------------------------------------------------------------------ */

gboolean
wp_store_write_index (WpStore *self, const char *minor, GPtrArray *entries, WpIndexLayout layout, GError **error)
{
  g_autofree char *path = wp_store_index_path (self, minor), *sum = sum_path (self, minor);
  g_autoptr (GByteArray) bytes = wp_index_bytes (entries, layout);
  g_autoptr (GError) problem = NULL;

  if (!wp_object_prepare (path, error) || !wp_save_text (path, (const char *) bytes->data, bytes->len, error))
    return FALSE;
  if (!wp_index_sum_write (sum, bytes, &problem))
    wp_store_note (self, path, g_strdup_printf ("%s; the index is written, but without a checksum", problem->message));
  return TRUE;
}
