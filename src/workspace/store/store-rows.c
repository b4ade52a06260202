#include "workspace/store/store-rows.h"

#include "base/hash.h"

#include <string.h>

/* --- an item -------------------------------------------------------------------------------------------------------------- */

struct _WpStoreRow
{
  GObject parent_instance;

  WpStoreCommit *commit;
  WpStoreProfile *profile;
  GPtrArray *runs;
  guint run;
  guint count;
};

G_DEFINE_FINAL_TYPE (WpStoreRow, wp_store_row, G_TYPE_OBJECT)

WpStoreRowKind
wp_store_row_kind (const WpStoreRow *self)
{
  if (self->runs != NULL)
    return WP_STORE_ROW_RUNS;
  if (self->profile != NULL)
    return self->commit != NULL ? WP_STORE_ROW_PROFILE : WP_STORE_ROW_PENDING;
  return self->commit != NULL ? WP_STORE_ROW_COMMIT : WP_STORE_ROW_HEADING;
}

WpStoreCommit *
wp_store_row_commit (const WpStoreRow *self)
{
  return self->commit;
}

WpStoreProfile *
wp_store_row_profile (const WpStoreRow *self)
{
  return self->profile;
}

GPtrArray *
wp_store_row_runs (const WpStoreRow *self)
{
  return self->runs;
}

guint
wp_store_row_run (const WpStoreRow *self)
{
  return self->run;
}

gboolean
wp_store_row_folds (const WpStoreRow *self)
{
  return self->runs != NULL || (self->profile == NULL && self->commit != NULL && self->commit->profiles != NULL);
}

void
wp_store_row_add_profiles (const WpStoreRow *self, GPtrArray *profiles)
{
  for (guint i = 0; self->runs != NULL && i < self->runs->len; i++)
    g_ptr_array_add (profiles, wp_store_profile_ref (self->runs->pdata[i]));
  if (self->profile != NULL)
    g_ptr_array_add (profiles, wp_store_profile_ref (self->profile));
}

guint
wp_store_row_count (const WpStoreRow *self)
{
  return self->count;
}

static void
wp_store_row_finalize (GObject *object)
{
  WpStoreRow *self = WP_STORE_ROW (object);

  wp_store_commit_unref (self->commit);
  wp_store_profile_unref (self->profile);
  g_clear_pointer (&self->runs, g_ptr_array_unref);
  G_OBJECT_CLASS (wp_store_row_parent_class)->finalize (object);
}

static void
wp_store_row_class_init (WpStoreRowClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = wp_store_row_finalize;
}

static void
wp_store_row_init (WpStoreRow *self)
{
}

/* --- the list --------------------------------------------------------------------------------------------------------------- */

typedef struct
{
  WpStoreCommit *commit;   /* of the list's, which hold them */
  WpStoreProfile *profile;
  GPtrArray *runs; /* WpStoreProfile, at least two; or NULL */
  guint run;       /* of a profile among repeats: which one, from 1 */
} Row;

struct _WpStoreRows
{
  GObject parent_instance;

  GPtrArray *pending, *commits;
  GArray *rows;          /* Row */
  guint gap_at, gap;     /* so many from here on are not reported yet */
  guint n_pending;       /* of those that the filter lets through */
  GHashTable *by_hash;   /* `commits` */
  GHashTable *turned;    /* keys of rows that are not folded, or not unfolded, as rows of their kind are at first */
  GHashTable *kinds[2];  /* distinct types and commands of all profiles */
  WpStoreFilter filter;
  char **words;          /* of the filter's text */
};

static GType
get_item_type (GListModel *model)
{
  return WP_TYPE_STORE_ROW;
}

static guint
get_n_items (GListModel *model)
{
  const WpStoreRows *self = WP_STORE_ROWS (model);

  return self->rows->len - self->gap;
}

static gpointer
get_item (GListModel *model, guint position)
{
  WpStoreRows *self = WP_STORE_ROWS (model);
  guint at = position < self->gap_at ? position : position + self->gap;
  const Row *row = at < self->rows->len ? &g_array_index (self->rows, Row, at) : NULL;
  WpStoreRow *item;

  if (row == NULL)
    return NULL;
  item = g_object_new (WP_TYPE_STORE_ROW, NULL);
  item->commit = wp_store_commit_ref (row->commit);
  item->profile = wp_store_profile_ref (row->profile);
  item->runs = row->runs != NULL ? g_ptr_array_ref (row->runs) : NULL;
  item->run = row->run;
  item->count = self->n_pending;
  return item;
}

static void
list_model_init (GListModelInterface *interface)
{
  interface->get_item_type = get_item_type;
  interface->get_n_items = get_n_items;
  interface->get_item = get_item;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (WpStoreRows, wp_store_rows, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, list_model_init))

static guint folded_signal;

/* --- what the filter lets through ------------------------------------------------------------------------------------------ */

#define SHORT 3 /* characters */

static gboolean
begins_a_word (const char *text, const char *at)
{
  return at == text || !g_unichar_isalnum (g_utf8_get_char (g_utf8_prev_char (at)));
}

static gboolean
contains (const char *text, const char *word, gboolean anywhere)
{
  const char *at = strstr (text, word);

  while (at != NULL && !anywhere && !begins_a_word (text, at))
    at = strstr (at + 1, word);
  return at != NULL;
}

/* Each word in the commit's text or the profile's. */
static gboolean
has_words (WpStoreRows *self, const WpStoreCommit *commit, const WpStoreProfile *profile)
{
  for (guint i = 0; self->words != NULL && self->words[i] != NULL; i++)
    {
      const char *word = self->words[i];
      gboolean is_long = g_utf8_strlen (word, -1) > SHORT;

      if ((commit == NULL || (!contains (commit->search, word, is_long) && !(is_long && g_str_has_prefix (commit->hash, word))))
          && (profile == NULL || (!contains (profile->search, word, is_long) && !(is_long && strstr (profile->file, word) != NULL))))
        return FALSE;
    }
  return TRUE;
}

static gboolean
is_wanted (const char *wanted, const char *text)
{
  return wanted == NULL || g_str_equal (wanted, text);
}

gboolean
wp_store_rows_lets_through (WpStoreRows *self, const WpStoreCommit *commit, const WpStoreProfile *profile)
{
  return is_wanted (self->filter.type, profile->entry->type) && is_wanted (self->filter.command, profile->entry->cmd)
         && has_words (self, commit, profile);
}

static gboolean
needs_profiles (WpStoreRows *self)
{
  return self->filter.type != NULL || self->filter.command != NULL || self->filter.with_profiles;
}

static void
clear_row (gpointer data)
{
  Row *row = data;

  g_clear_pointer (&row->runs, g_ptr_array_unref);
}

static GArray *
rows_new (guint reserved)
{
  GArray *rows = g_array_sized_new (FALSE, FALSE, sizeof (Row), reserved);

  g_array_set_clear_func (rows, clear_row);
  return rows;
}

static void
push (GArray *rows, WpStoreCommit *commit, WpStoreProfile *profile, guint run)
{
  Row row = { commit, profile, NULL, run };

  g_array_append_val (rows, row);
}

static char *
key_of_runs (const WpStoreProfile *first)
{
  return g_strjoin ("\n", first->minor, first->entry->origin, first->configuration, NULL);
}

static gboolean
is_turned (WpStoreRows *self, const char *key)
{
  return g_hash_table_contains (self->turned, key);
}

/* Repeats are folded at first. */
static gboolean
are_folded (WpStoreRows *self, const GPtrArray *runs)
{
  g_autofree char *key = key_of_runs (runs->pdata[0]);

  return !is_turned (self, key);
}

/* Takes over the reference to `runs`: what the filter lets through of repeats. */
static void
push_runs (WpStoreRows *self, GArray *rows, WpStoreCommit *commit, GPtrArray *runs)
{
  g_autoptr (GPtrArray) taken = runs;
  Row row = { .commit = commit };

  if (runs->len == 1)
    push (rows, commit, runs->pdata[0], 0);
  if (runs->len < 2)
    return;
  row.runs = g_ptr_array_ref (runs);
  g_array_append_val (rows, row);
  for (guint i = 0; !are_folded (self, runs) && i < runs->len; i++)
    push (rows, commit, runs->pdata[i], i + 1);
}

/* What the filter lets through; gives how many that are. `shown`: whether they get rows. */
static guint
push_profiles (WpStoreRows *self, GArray *rows, WpStoreCommit *commit, const GPtrArray *profiles, gboolean shown)
{
  guint n = 0;

  for (guint i = 0, end; profiles != NULL && i < profiles->len; i = end)
    {
      GPtrArray *runs = g_ptr_array_new_with_free_func ((GDestroyNotify) wp_store_profile_unref);

      for (end = i; end == i || (end < profiles->len && wp_store_profile_repeats (profiles->pdata[i], profiles->pdata[end])); end++)
        if (wp_store_rows_lets_through (self, commit, profiles->pdata[end]))
          g_ptr_array_add (runs, wp_store_profile_ref (profiles->pdata[end]));
      n += runs->len;
      if (shown)
        push_runs (self, rows, commit, runs);
      else
        g_ptr_array_unref (runs);
    }
  return n;
}

static void
push_commit (WpStoreRows *self, GArray *rows, WpStoreCommit *commit)
{
  guint at = rows->len;

  push (rows, commit, NULL, 0);
  if (push_profiles (self, rows, commit, commit->profiles, !is_turned (self, commit->hash)) == 0
      && (needs_profiles (self) || !has_words (self, commit, NULL)))
    g_array_set_size (rows, at);
}

static void
push_pending (WpStoreRows *self, GArray *rows)
{
  push (rows, NULL, NULL, 0);
  self->n_pending = push_profiles (self, rows, NULL, self->pending, TRUE);
  if (self->n_pending == 0)
    g_array_set_size (rows, 0);
}

static GArray *
build (WpStoreRows *self)
{
  GArray *rows = rows_new (self->rows->len);

  push_pending (self, rows);
  for (guint i = 0; i < self->commits->len; i++)
    push_commit (self, rows, self->commits->pdata[i]);
  return rows;
}

/* --- changing --------------------------------------------------------------------------------------------------------------- */

static gboolean
rows_equal (const Row *a, const Row *b)
{
  if ((a->commit == NULL) != (b->commit == NULL) || (a->profile == NULL) != (b->profile == NULL))
    return FALSE;
  if ((a->runs == NULL) != (b->runs == NULL) || a->run != b->run)
    return FALSE;
  if (a->runs != NULL)
    return wp_store_profiles_equal (a->runs, b->runs);
  if (a->profile != NULL)
    return a->profile == b->profile || wp_store_profile_equal (a->profile, b->profile);
  return a->commit != NULL && wp_store_commit_equal (a->commit, b->commit); /* a heading has a number in it */
}

static gboolean
same (const GArray *a, guint i, const GArray *b, guint k)
{
  return rows_equal (&g_array_index (a, Row, i), &g_array_index (b, Row, k));
}

/* Where rows come in place of others, GTK looks at each new one, whether it is one of those that went; rows that are only added cost nothing
 * until they are seen. So of many new rows the first are reported in place of what went, and the others as added. */
#define TOGETHER 256

static void
report_change (WpStoreRows *self, guint at, guint removed, guint added)
{
  guint now = removed > 0 ? MIN (added, TOGETHER) : added;

  self->gap_at = at + now;
  self->gap = added - now;
  g_list_model_items_changed (G_LIST_MODEL (self), at, removed, now);
  self->gap = 0;
  if (now < added)
    g_list_model_items_changed (G_LIST_MODEL (self), at + now, 0, added - now);
}

/* Reports what differs, so that what is the same keeps its place and stays selected. Takes over `rows`. */
static void
replace (WpStoreRows *self, GArray *rows)
{
  GArray *before = self->rows;
  guint shorter = MIN (rows->len, before->len), head = 0, tail = 0;

  while (head < shorter && same (before, head, rows, head))
    head++;
  while (tail < shorter - head && same (before, before->len - 1 - tail, rows, rows->len - 1 - tail))
    tail++;
  self->rows = rows;
  if (before->len != rows->len || head < shorter)
    report_change (self, head, before->len - head - tail, rows->len - head - tail);
  g_array_unref (before);
}

static void
copy_into (GPtrArray *to, GPtrArray *from, gpointer (*ref) (gpointer))
{
  for (guint i = 0; from != NULL && i < from->len; i++)
    g_ptr_array_add (to, ref (from->pdata[i]));
}

static void
gather (WpStoreRows *self, const GPtrArray *profiles)
{
  for (guint i = 0; profiles != NULL && i < profiles->len; i++)
    {
      const WpStoreEntry *entry = ((const WpStoreProfile *) profiles->pdata[i])->entry;
      const char *texts[2] = { entry->type, entry->cmd };

      for (guint k = 0; k < 2; k++)
        if (*texts[k] != '\0' && !g_hash_table_contains (self->kinds[k], texts[k]))
          g_hash_table_add (self->kinds[k], g_strdup (texts[k]));
    }
}

/* From the commit `first` on. */
static void
gather_commits (WpStoreRows *self, guint first)
{
  for (guint i = first; i < self->commits->len; i++)
    {
      WpStoreCommit *commit = self->commits->pdata[i];

      gather (self, commit->profiles);
      g_hash_table_replace (self->by_hash, commit->hash, commit);
    }
}

void
wp_store_rows_set (WpStoreRows *self, GPtrArray *pending, GPtrArray *commits)
{
  g_autoptr (GPtrArray) old_pending = self->pending;
  GPtrArray *old_commits = self->commits;

  self->pending = g_ptr_array_new_with_free_func ((GDestroyNotify) wp_store_profile_unref);
  self->commits = g_ptr_array_new_with_free_func ((GDestroyNotify) wp_store_commit_unref);
  copy_into (self->pending, pending, (gpointer (*) (gpointer)) wp_store_profile_ref);
  copy_into (self->commits, commits, (gpointer (*) (gpointer)) wp_store_commit_ref);
  for (guint k = 0; k < 2; k++)
    g_hash_table_remove_all (self->kinds[k]);
  g_hash_table_remove_all (self->by_hash);
  gather (self, self->pending);
  gather_commits (self, 0);
  replace (self, build (self));
  wp_store_commits_drop (old_commits);
}

void
wp_store_rows_append (WpStoreRows *self, GPtrArray *commits)
{
  guint at = self->rows->len, first = self->commits->len;

  copy_into (self->commits, commits, (gpointer (*) (gpointer)) wp_store_commit_ref);
  gather_commits (self, first);
  for (guint i = first; i < self->commits->len; i++)
    push_commit (self, self->rows, self->commits->pdata[i]);
  if (self->rows->len > at)
    g_list_model_items_changed (G_LIST_MODEL (self), at, 0, self->rows->len - at);
}

GPtrArray *
wp_store_rows_commits (WpStoreRows *self)
{
  return self->commits;
}

guint
wp_store_rows_n_minors (WpStoreRows *self)
{
  guint n = 0;

  for (guint i = 0; i < self->commits->len; i++)
    n += ((const WpStoreCommit *) self->commits->pdata[i])->profiles != NULL;
  return n;
}

/* Commits without profiles are passed over, but not without end. */
#define PASSED_MOST 1000

WpStoreCommit *
wp_store_rows_before (WpStoreRows *self, const WpStoreCommit *commit)
{
  WpStoreCommit *before = g_hash_table_lookup (self->by_hash, commit->parent);

  for (guint i = 0; before != NULL && before->profiles == NULL && i < PASSED_MOST; i++)
    before = g_hash_table_lookup (self->by_hash, before->parent);
  return before != NULL && before->profiles != NULL ? before : NULL;
}

guint
wp_store_rows_find (WpStoreRows *self, const char *hash)
{
  for (guint i = 0; i < self->rows->len; i++)
    {
      const Row *row = &g_array_index (self->rows, Row, i);

      if (row->commit != NULL && g_str_equal (row->commit->hash, hash))
        return i;
    }
  return G_MAXUINT;
}

static void
filter_clear (WpStoreRows *self)
{
  g_free (self->filter.text);
  g_free (self->filter.type);
  g_free (self->filter.command);
  g_strfreev (self->words);
}

void
wp_store_rows_set_filter (WpStoreRows *self, const WpStoreFilter *filter)
{
  WpStoreFilter copy = { .text = g_utf8_casefold (filter->text != NULL ? filter->text : "", -1),
                         .type = g_strdup (filter->type),
                         .command = g_strdup (filter->command),
                         .with_profiles = filter->with_profiles };

  filter_clear (self);
  self->filter = copy;
  self->words = g_strsplit_set (copy.text, " \t\n", -1);
  replace (self, build (self));
}

gboolean
wp_store_rows_is_filtered (WpStoreRows *self)
{
  return needs_profiles (self) || (self->filter.text != NULL && *self->filter.text != '\0');
}

gboolean
wp_store_rows_with_profiles (WpStoreRows *self)
{
  return self->filter.with_profiles;
}

static char *
key_of (const WpStoreRow *row)
{
  return row->runs != NULL ? key_of_runs (row->runs->pdata[0]) : g_strdup (row->commit->hash);
}

gboolean
wp_store_rows_is_folded (WpStoreRows *self, const WpStoreRow *row)
{
  g_autofree char *key = key_of (row);

  return (row->runs != NULL) != is_turned (self, key);
}

void
wp_store_rows_set_folded (WpStoreRows *self, const WpStoreRow *row, gboolean folded)
{
  if (folded == (row->runs != NULL)) /* as it was at first */
    {
      g_autofree char *key = key_of (row);

      g_hash_table_remove (self->turned, key);
    }
  else
    g_hash_table_add (self->turned, key_of (row));
  replace (self, build (self));
  g_signal_emit (self, folded_signal, 0);
}

void
wp_store_rows_toggle_folded (WpStoreRows *self, const WpStoreRow *row)
{
  wp_store_rows_set_folded (self, row, !wp_store_rows_is_folded (self, row));
}

static int
by_text (gconstpointer a, gconstpointer b)
{
  return g_utf8_collate (*(char *const *) a, *(char *const *) b);
}

GPtrArray *
wp_store_rows_distinct (WpStoreRows *self, gboolean commands)
{
  GPtrArray *texts = g_ptr_array_new_with_free_func (g_free);
  GHashTableIter iter;
  gpointer text;

  g_hash_table_iter_init (&iter, self->kinds[commands ? 1 : 0]);
  while (g_hash_table_iter_next (&iter, &text, NULL))
    g_ptr_array_add (texts, g_strdup (text));
  g_ptr_array_sort (texts, by_text);
  return texts;
}

static void
wp_store_rows_finalize (GObject *object)
{
  WpStoreRows *self = WP_STORE_ROWS (object);

  g_ptr_array_unref (self->pending);
  g_ptr_array_unref (self->commits);
  g_array_unref (self->rows);
  g_hash_table_unref (self->turned);
  g_hash_table_unref (self->by_hash);
  for (guint k = 0; k < 2; k++)
    g_hash_table_unref (self->kinds[k]);
  filter_clear (self);
  G_OBJECT_CLASS (wp_store_rows_parent_class)->finalize (object);
}

static void
wp_store_rows_class_init (WpStoreRowsClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = wp_store_rows_finalize;
  folded_signal = g_signal_new ("folded", WP_TYPE_STORE_ROWS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
wp_store_rows_init (WpStoreRows *self)
{
  self->pending = g_ptr_array_new_with_free_func ((GDestroyNotify) wp_store_profile_unref);
  self->commits = g_ptr_array_new_with_free_func ((GDestroyNotify) wp_store_commit_unref);
  self->rows = rows_new (0);
  self->by_hash = g_hash_table_new (wp_hash_string, g_str_equal);
  self->turned = g_hash_table_new_full (wp_hash_string, g_str_equal, g_free, NULL);
  for (guint k = 0; k < 2; k++)
    self->kinds[k] = g_hash_table_new_full (wp_hash_string, g_str_equal, g_free, NULL);
}

WpStoreRows *
wp_store_rows_new (void)
{
  return g_object_new (WP_TYPE_STORE_ROWS, NULL);
}
