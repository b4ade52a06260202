#include "workspace/store/store-model.h"

#include "base/hash.h"

#define FIRST_COMMITS 100 /* so many are there at once */
#define MORE_COMMITS 1000

struct _WpStoreModel
{
  GObject parent_instance;

  WpStoreRows *rows;
  WpStoreFigures *figures;
  WpStoreBadges *badges;

  char *folder;            /* what is shown, or is being read; or NULL */
  char *branch;            /* that the user chose; NULL: the one that is checked out */
  WpStoreSession *session; /* NULL: nothing has been read yet */
  WpStoreReading *last;    /* of an open store */
  char *failure;
  WpStoreTree tree;
  char sought[41];         /* a commit that is to be shown once it has been read; "": none */
  gboolean again;          /* something changed while it was read */

  WpWorker *reading, *reading_more, *looking, *suggesting, *working;
  gboolean changing; /* what `working` does */
};

enum
{
  SIGNAL_READ,
  SIGNAL_CHANGED,
  SIGNAL_FOLDER_CHANGED,
  SIGNAL_FOUND,
  SIGNAL_FAILED,
  SIGNAL_DONE,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (WpStoreModel, wp_store_model, G_TYPE_OBJECT)

static void
changed (WpStoreModel *self)
{
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

static gboolean
is_open (WpStoreModel *self)
{
  return self->session != NULL && self->session->state == WP_STORE_OPEN;
}

/* --- the session --------------------------------------------------------------------------------------------------------- */

static void
on_files_changed (WpStore *store, gpointer data)
{
  wp_store_model_read (data);
}

static void
set_session (WpStoreModel *self, WpStoreSession *session)
{
  if (session == self->session)
    return;
  if (self->session != NULL && self->session->store != NULL)
    wp_store_watch (self->session->store, NULL, NULL);
  wp_store_session_unref (self->session);
  self->session = wp_store_session_ref (session);
  wp_store_figures_set_session (self->figures, session != NULL && session->store != NULL ? session : NULL);
  if (session != NULL && session->store != NULL)
    wp_store_watch (session->store, on_files_changed, self);
}

/* --- the work tree --------------------------------------------------------------------------------------------------------- */

static void
on_looked (gpointer result, const GError *error, gpointer data)
{
  WpStoreModel *self = data;

  self->looking = NULL;
  self->tree = GPOINTER_TO_UINT (result);
  changed (self);
}

/* Whether the work tree is dirty takes a while in a big one. */
static void
look_at_work_tree (WpStoreModel *self)
{
  WpStoreReadRequest *request = g_new0 (WpStoreReadRequest, 1);

  request->folder = g_strdup (self->folder);
  wp_worker_drop (&self->looking);
  self->looking = wp_worker_start (&(WpWorkerSpec) { .run = wp_store_read_dirty, .done = on_looked, .data = request,
                                                     .free_data = wp_store_read_request_free, .user_data = self });
}

/* --- reading it all --------------------------------------------------------------------------------------------------------- */

/* Takes over the reading. */
static void
take_reading (WpStoreModel *self, WpStoreReading *reading)
{
  g_clear_pointer (&self->last, wp_store_reading_free);
  g_clear_pointer (&self->failure, g_free);
  set_session (self, reading->session);
  if (is_open (self))
    {
      wp_store_rows_set (self->rows, reading->pending, reading->commits);
      g_clear_pointer (&reading->commits, g_ptr_array_unref); /* the rows have them */
      self->last = reading;
      g_signal_emit (self, signals[SIGNAL_READ], 0);
      look_at_work_tree (self);
    }
  else
    {
      wp_store_rows_set (self->rows, NULL, NULL);
      wp_store_reading_free (reading);
    }
}

static void
on_read (gpointer result, const GError *error, gpointer data)
{
  WpStoreModel *self = data;

  self->reading = NULL;
  if (result != NULL)
    take_reading (self, result);
  else
    {
      g_free (self->failure);
      self->failure = g_strdup (error->message);
    }
  if (result != NULL && self->again)
    wp_store_model_read (self);
  changed (self);
}

static void
start_reading (WpStoreModel *self, WpStoreReadRequest *request)
{
  request->folder = g_strdup (self->folder);
  request->branch = g_strdup (self->branch);
  request->n = FIRST_COMMITS;
  self->again = FALSE;
  self->reading = wp_worker_start (&(WpWorkerSpec) { .run = wp_store_read_all, .done = on_read, .data = request,
                                                     .free_data = wp_store_read_request_free, .free_result = wp_store_reading_free,
                                                     .user_data = self });
}

/* One after the other: a session goes on reading commits at one place. */
void
wp_store_model_read (WpStoreModel *self)
{
  WpStoreReadRequest *request;

  self->again = TRUE;
  if (self->reading != NULL || self->reading_more != NULL)
    return;
  request = g_new0 (WpStoreReadRequest, 1);
  if (is_open (self))
    {
      request->session = wp_store_session_ref (self->session);
      request->known = g_ptr_array_ref (wp_store_rows_commits (self->rows));
    }
  start_reading (self, request);
}

static void
open_anew (WpStoreModel *self, gboolean create)
{
  WpStoreReadRequest *request = g_new0 (WpStoreReadRequest, 1);

  wp_worker_drop (&self->reading);
  wp_worker_drop (&self->reading_more);
  wp_worker_drop (&self->looking);
  set_session (self, NULL);
  wp_store_rows_set (self->rows, NULL, NULL);
  g_clear_pointer (&self->last, wp_store_reading_free);
  g_clear_pointer (&self->failure, g_free);
  g_clear_pointer (&self->branch, g_free);
  self->tree = WP_STORE_TREE_UNKNOWN;
  request->create = create;
  start_reading (self, request);
  changed (self);
}

void
wp_store_model_create (WpStoreModel *self)
{
  if (self->folder != NULL)
    open_anew (self, TRUE);
}

void
wp_store_model_trust (WpStoreModel *self, WpStoreSession *asked)
{
  g_autoptr (GError) error = NULL;

  if (!wp_store_trust (asked->asked, &error))
    g_signal_emit (self, signals[SIGNAL_FAILED], 0, error->message);
  else if (self->folder != NULL)
    open_anew (self, FALSE);
}

void
wp_store_model_choose_branch (WpStoreModel *self, const char *branch)
{
  char *kept = g_strdup (branch);

  g_free (self->branch);
  self->branch = kept;
  wp_store_model_read (self);
}

/* --- more commits ----------------------------------------------------------------------------------------------------------- */

static void
look_for_sought (WpStoreModel *self)
{
  guint position = *self->sought != '\0' ? wp_store_rows_find (self->rows, self->sought) : G_MAXUINT;

  if (position == G_MAXUINT)
    return;
  *self->sought = '\0';
  g_signal_emit (self, signals[SIGNAL_FOUND], 0, position);
}

void
wp_store_model_seek (WpStoreModel *self, const char *hash)
{
  g_strlcpy (self->sought, hash, sizeof self->sought);
  look_for_sought (self);
  wp_store_model_read_more (self, FALSE);
}

static void
on_more (gpointer result, const GError *error, gpointer data)
{
  WpStoreModel *self = data;
  WpStoreReading *reading = result;

  self->reading_more = NULL;
  self->last->more = reading != NULL && reading->more;
  if (reading != NULL)
    {
      self->last->n_minors = reading->n_minors;
      wp_store_rows_append (self->rows, reading->commits);
      wp_store_reading_free (reading);
    }
  else
    g_signal_emit (self, signals[SIGNAL_FAILED], 0, error->message);
  look_for_sought (self);
  if (self->again)
    wp_store_model_read (self);
  changed (self);
}

/* A filter looks through all of them; one for those with profiles, until all of these are there. */
static gboolean
is_more_wanted (WpStoreModel *self, gboolean end_is_near)
{
  if (*self->sought != '\0')
    return TRUE;
  if (!wp_store_rows_is_filtered (self->rows))
    return end_is_near;
  return !wp_store_rows_with_profiles (self->rows) || wp_store_rows_n_minors (self->rows) < self->last->n_minors;
}

void
wp_store_model_read_more (WpStoreModel *self, gboolean end_is_near)
{
  WpStoreReadRequest *request;

  if (wp_store_model_is_reading (self) || !wp_store_model_has_more (self) || !is_more_wanted (self, end_is_near))
    return;
  request = g_new0 (WpStoreReadRequest, 1);
  request->session = wp_store_session_ref (self->session);
  request->n = MORE_COMMITS;
  self->reading_more = wp_worker_start (&(WpWorkerSpec) { .run = wp_store_read_more, .done = on_more, .data = request,
                                                          .free_data = wp_store_read_request_free, .free_result = wp_store_reading_free,
                                                          .user_data = self });
}

gboolean
wp_store_model_is_reading (WpStoreModel *self)
{
  return self->reading != NULL || self->reading_more != NULL;
}

gboolean
wp_store_model_has_more (WpStoreModel *self)
{
  return self->last != NULL && self->last->more;
}

/* --- the folder --------------------------------------------------------------------------------------------------------------- */

static void
take_folder (WpStoreModel *self, const char *folder)
{
  char *kept = g_strdup (folder);

  g_free (self->folder);
  self->folder = kept;
  g_signal_emit (self, signals[SIGNAL_FOLDER_CHANGED], 0);
  open_anew (self, FALSE);
}

void
wp_store_model_open (WpStoreModel *self, const char *folder)
{
  wp_worker_drop (&self->suggesting);
  take_folder (self, folder);
}

static gpointer
run_suggestion (gpointer data, WpProgress *progress, GError **error)
{
  g_autoptr (WpStore) store = wp_store_open (data, error);

  return store != NULL ? g_path_get_dirname (wp_store_folder (store)) : NULL;
}

static void
on_suggestion (gpointer result, const GError *error, gpointer data)
{
  WpStoreModel *self = data;
  g_autofree char *folder = result;

  self->suggesting = NULL;
  if (folder != NULL && g_strcmp0 (folder, self->folder) != 0)
    take_folder (self, folder);
  else
    changed (self); /* it has come to nothing */
}

void
wp_store_model_suggest (WpStoreModel *self, const char *folder)
{
  wp_worker_drop (&self->suggesting);
  self->suggesting = wp_worker_start (&(WpWorkerSpec) { .run = run_suggestion, .done = on_suggestion, .data = g_strdup (folder),
                                                        .free_data = g_free, .free_result = g_free, .user_data = self });
}

/* --- working ------------------------------------------------------------------------------------------------------------------ */

WpStoreWork *
wp_store_model_work_new (WpStoreModel *self, const GPtrArray *rows)
{
  WpStoreWork *work = wp_store_work_new (self->session, wp_store_model_head (self));
  g_autoptr (GPtrArray) profiles = g_ptr_array_new_with_free_func ((GDestroyNotify) wp_store_profile_unref);
  g_autoptr (GHashTable) seen = g_hash_table_new (wp_hash_pointer, NULL); /* one of repeats may be selected beside all of them */

  for (guint i = 0; rows != NULL && i < rows->len; i++)
    wp_store_row_add_profiles (rows->pdata[i], profiles);
  for (guint i = 0; i < profiles->len; i++)
    if (g_hash_table_add (seen, profiles->pdata[i]))
      g_ptr_array_add (work->profiles, wp_store_profile_ref (profiles->pdata[i]));
  return work;
}

static void
on_unpacked (gpointer result, const GError *error, gpointer data)
{
  WpStoreModel *self = data;

  self->working = NULL;
  if (result != NULL)
    g_signal_emit (self, signals[SIGNAL_DONE], 0, result);
  else
    g_signal_emit (self, signals[SIGNAL_FAILED], 0, error->message);
  g_clear_pointer (&result, wp_store_outcome_free);
  changed (self);
}

static void
on_worked (gpointer result, const GError *error, gpointer data)
{
  on_unpacked (result, error, data);
  wp_store_model_read (data);
}

static gboolean
start_working (WpStoreModel *self, WpStoreWork *work, WpWorkerRun run, WpWorkerDone done)
{
  if (self->working != NULL)
    {
      wp_store_work_free (work);
      return FALSE;
    }
  self->changing = done == on_worked;
  self->working = wp_worker_start (&(WpWorkerSpec) { .run = run, .done = done, .data = work, .free_data = wp_store_work_free,
                                                     .free_result = wp_store_outcome_free, .user_data = self });
  changed (self);
  return TRUE;
}

gboolean
wp_store_model_unpack (WpStoreModel *self, WpStoreWork *work)
{
  return start_working (self, work, wp_store_work_unpack, on_unpacked);
}

gboolean
wp_store_model_change (WpStoreModel *self, WpStoreWork *work, WpWorkerRun run)
{
  return start_working (self, work, run, on_worked);
}

gboolean
wp_store_model_is_working (WpStoreModel *self)
{
  return self->working != NULL;
}

gboolean
wp_store_model_is_changing (WpStoreModel *self)
{
  return self->working != NULL && self->changing;
}

/* --- what there is ------------------------------------------------------------------------------------------------------------ */

const char *
wp_store_model_folder (WpStoreModel *self)
{
  return self->folder;
}

WpStoreRows *
wp_store_model_rows (WpStoreModel *self)
{
  return self->rows;
}

WpStoreFigures *
wp_store_model_figures (WpStoreModel *self)
{
  return self->figures;
}

WpStoreBadges *
wp_store_model_badges (WpStoreModel *self)
{
  return self->badges;
}

WpStoreSession *
wp_store_model_session (WpStoreModel *self)
{
  return self->session;
}

const WpStoreReading *
wp_store_model_last (WpStoreModel *self)
{
  return self->last;
}

const char *
wp_store_model_head (WpStoreModel *self)
{
  return self->last != NULL ? self->last->head : "";
}

const char *
wp_store_model_branch (WpStoreModel *self)
{
  return self->branch;
}

const char *
wp_store_model_failure (WpStoreModel *self)
{
  return self->failure;
}

WpStoreTree
wp_store_model_tree (WpStoreModel *self)
{
  return self->tree;
}

static void
wp_store_model_dispose (GObject *object)
{
  WpStoreModel *self = WP_STORE_MODEL (object);
  WpWorker **const workers[] = { &self->reading, &self->reading_more, &self->looking, &self->suggesting, &self->working };

  for (guint i = 0; i < G_N_ELEMENTS (workers); i++)
    wp_worker_drop (workers[i]);
  set_session (self, NULL);
  G_OBJECT_CLASS (wp_store_model_parent_class)->dispose (object);
}

static void
wp_store_model_finalize (GObject *object)
{
  WpStoreModel *self = WP_STORE_MODEL (object);

  wp_store_reading_free (self->last);
  g_object_unref (self->rows);
  g_object_unref (self->badges);
  g_object_unref (self->figures);
  g_free (self->folder);
  g_free (self->branch);
  g_free (self->failure);
  G_OBJECT_CLASS (wp_store_model_parent_class)->finalize (object);
}

static guint
add_signal (const char *name, GType parameter)
{
  return g_signal_new (name, WP_TYPE_STORE_MODEL, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, parameter != G_TYPE_NONE,
                       parameter);
}

static void
wp_store_model_class_init (WpStoreModelClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = wp_store_model_dispose;
  G_OBJECT_CLASS (klass)->finalize = wp_store_model_finalize;
  signals[SIGNAL_READ] = add_signal ("read", G_TYPE_NONE);
  signals[SIGNAL_CHANGED] = add_signal ("changed", G_TYPE_NONE);
  signals[SIGNAL_FOLDER_CHANGED] = add_signal ("folder-changed", G_TYPE_NONE);
  signals[SIGNAL_FOUND] = add_signal ("found", G_TYPE_UINT);
  signals[SIGNAL_FAILED] = add_signal ("failed", G_TYPE_STRING);
  signals[SIGNAL_DONE] = add_signal ("done", G_TYPE_POINTER);
}

static void
wp_store_model_init (WpStoreModel *self)
{
  self->rows = wp_store_rows_new ();
  self->figures = wp_store_figures_new ();
  self->badges = wp_store_badges_new (self->figures);
}

WpStoreModel *
wp_store_model_new (void)
{
  return g_object_new (WP_TYPE_STORE_MODEL, NULL);
}
