#include "store/trust.h"

#include "base/own-folder.h"
#include "base/plain-file.h"
#include "base/quote.h"
#include "base/sort.h"
#include "store/jobs.h"
#include "store/store-private.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define GROUP "store"
#define RECORD_LIMIT (64 * 1024) /* bytes */

/* --- what would be run ---------------------------------------------------------------------------------------------------- */

static gboolean
says (const WpStore *store, const char *path)
{
  g_auto (GStrv) list = store->local != NULL ? wp_yaml_list (store->local, path) : NULL;

  return list != NULL && list[0] != NULL;
}

static char **
build_lines (const WpStore *store)
{
  return says (store, "execute.pre_run") ? wp_store_setting_list (store, "execute.pre_run") : g_new0 (char *, 1);
}

/* A matrix that cannot be taken apart cannot be run either. */
static char **
program_lines (const WpStore *store)
{
  gboolean own = says (store, "cmds") || says (store, "args") || says (store, "workloads");
  g_autoptr (GPtrArray) jobs = own ? wp_store_jobs (store, NULL) : NULL;
  g_autoptr (GStrvBuilder) lines = g_strv_builder_new ();

  for (guint i = 0; jobs != NULL && i < jobs->len; i++)
    {
      g_autofree char *line = wp_store_job_line (jobs->pdata[i]);

      g_strv_builder_add (lines, line);
    }
  return g_strv_builder_end (lines);
}

/* Each with the NUL at its end: no two lists have the same bytes. */
static void
add_lines (GChecksum *sum, const char *kind, char **lines)
{
  for (char **line = lines; *line != NULL; line++)
    {
      g_checksum_update (sum, (const guchar *) kind, (gssize) strlen (kind) + 1);
      g_checksum_update (sum, (const guchar *) *line, (gssize) strlen (*line) + 1);
    }
}

/* Tells a folder or file from another one in its place; "": there is none. */
static char *
identity_of (const char *path)
{
  struct stat st;

  return stat (path, &st) == 0 ? g_strdup_printf ("%" G_GUINT64_FORMAT ":%" G_GUINT64_FORMAT, (guint64) st.st_dev, (guint64) st.st_ino)
                               : g_strdup ("");
}

/* A work tree's ".git" may be a file that says where its repository is. */
static void
add_repository (GChecksum *sum, const char *path)
{
  g_autofree char *git = g_build_filename (path, ".git", NULL), *leads = wp_plain_file_read (git, RECORD_LIMIT, NULL, NULL);
  g_autofree char *folder_id = identity_of (path), *git_id = identity_of (git);

  add_lines (sum, "repository", (char *[]) { (char *) path, folder_id, git_id, leads, NULL });
}

WpStoreCommands *
wp_store_commands_new (const WpStore *store)
{
  WpStoreCommands *self = g_new0 (WpStoreCommands, 1);
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);

  self->folder = g_strdup (wp_store_folder (store));
  self->file = g_build_filename (self->folder, "local.yml", NULL);
  self->build = build_lines (store);
  self->programs = program_lines (store);
  add_lines (sum, "build", self->build);
  add_lines (sum, "program", self->programs);
  self->repository = g_strdup (store->foreign);
  self->within = store->foreign_within;
  if (self->repository != NULL)
    add_repository (sum, self->repository);
  g_strlcpy (self->hash, g_checksum_get_string (sum), sizeof self->hash);
  return self;
}

void
wp_store_commands_free (WpStoreCommands *self)
{
  if (self == NULL)
    return;
  g_free (self->folder);
  g_free (self->file);
  g_strfreev (self->build);
  g_strfreev (self->programs);
  g_free (self->repository);
  g_free (self);
}

guint
wp_store_commands_count (const WpStoreCommands *self)
{
  return g_strv_length (self->build) + g_strv_length (self->programs);
}

gboolean
wp_store_commands_ask (const WpStoreCommands *self)
{
  return self->repository != NULL || wp_store_commands_count (self) > 0;
}

void
wp_store_command_show (GString *out, const char *indent, const char *command)
{
  g_auto (GStrv) lines = g_strsplit (command, "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_string_append_printf (out, "%s%c ", indent, i == 0 ? '$' : '>');
      wp_quote_visible (out, lines[i]);
      g_string_append_c (out, '\n');
    }
}

/* --- records --------------------------------------------------------------------------------------------------------------- */

static char *
records_folder (GError **error)
{
  g_auto (WpOwnFolder) folder = WP_OWN_FOLDER_NONE;

  return wp_own_folder_open (&folder, WP_OWN_STATE, "trusted-stores", error) ? g_strdup (folder.path) : NULL;
}

/* Of a store's real path; NULL: there is no place for records. */
static char *
record_path (const char *real, GError **error)
{
  g_autofree char *folder = records_folder (error), *name = g_compute_checksum_for_string (G_CHECKSUM_SHA256, real, -1);

  return folder != NULL ? g_build_filename (folder, name, NULL) : NULL;
}

static char *
real_path (const char *path)
{
  char *found = realpath (path, NULL), *copy = g_strdup (found);

  free (found);
  return copy;
}

/* What a folder is known by: its path as an URI, which holds names of any bytes, and what tells it from another one in its place. */
static GKeyFile *
describe (const char *real, const char *hash)
{
  g_autoptr (GKeyFile) record = NULL;
  g_autofree char *uri = g_filename_to_uri (real, NULL, NULL);
  struct stat st;

  if (uri == NULL || stat (real, &st) != 0)
    return NULL;
  record = g_key_file_new ();
  g_key_file_set_string (record, GROUP, "folder", uri);
  g_key_file_set_uint64 (record, GROUP, "device", st.st_dev);
  g_key_file_set_uint64 (record, GROUP, "inode", st.st_ino);
  g_key_file_set_string (record, GROUP, "commands", hash);
  return g_steal_pointer (&record);
}

/* A record counts only if nobody else can have written it. */
static char *
read_record (const char *path)
{
  struct stat st;

  if (lstat (path, &st) != 0 || !S_ISREG (st.st_mode) || st.st_uid != geteuid () || (st.st_mode & 022) != 0)
    return NULL;
  return wp_plain_file_read (path, RECORD_LIMIT, NULL, NULL);
}

gboolean
wp_store_is_trusted (const WpStoreCommands *commands)
{
  g_autofree char *real = real_path (commands->folder), *path = NULL, *kept = NULL, *now = NULL;
  g_autoptr (GKeyFile) record = real != NULL ? describe (real, commands->hash) : NULL;

  if (!wp_store_commands_ask (commands))
    return TRUE;
  if (record == NULL)
    return FALSE;
  path = record_path (real, NULL);
  kept = path != NULL ? read_record (path) : NULL;
  now = g_key_file_to_data (record, NULL, NULL);
  return g_strcmp0 (kept, now) == 0;
}

gboolean
wp_store_trust (const WpStoreCommands *commands, GError **error)
{
  g_autofree char *real = real_path (commands->folder), *path = NULL, *text = NULL;
  g_autoptr (GKeyFile) record = real != NULL ? describe (real, commands->hash) : NULL;

  if (record == NULL)
    {
      int code = errno;

      g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), "%s: %s", commands->folder, g_strerror (code));
      return FALSE;
    }
  path = record_path (real, error);
  if (path == NULL)
    return FALSE;
  text = g_key_file_to_data (record, NULL, NULL);
  return g_file_set_contents_full (path, text, -1, G_FILE_SET_CONTENTS_CONSISTENT | G_FILE_SET_CONTENTS_DURABLE, 0600, error);
}

/* --- what has been trusted --------------------------------------------------------------------------------------------------- */

/* The folder that a record is of, or NULL. */
static char *
folder_of (const char *path)
{
  g_autofree char *text = read_record (path), *uri = NULL;
  g_autoptr (GKeyFile) record = g_key_file_new ();

  if (text == NULL || !g_key_file_load_from_data (record, text, strlen (text), G_KEY_FILE_NONE, NULL))
    return NULL;
  uri = g_key_file_get_string (record, GROUP, "folder", NULL);
  return uri != NULL ? g_filename_from_uri (uri, NULL, NULL) : NULL;
}

GPtrArray *
wp_store_trusted_folders (void)
{
  GPtrArray *found = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *folder = records_folder (NULL);
  g_autoptr (GDir) dir = folder != NULL ? g_dir_open (folder, 0, NULL) : NULL;
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL), *of = folder_of (path);

      if (of != NULL)
        g_ptr_array_add (found, g_steal_pointer (&of));
    }
  g_ptr_array_sort (found, wp_compare_texts);
  return found;
}

gboolean
wp_store_forget (const char *folder, GError **error)
{
  g_autofree char *real = real_path (folder), *there = real != NULL ? g_steal_pointer (&real) : g_canonicalize_filename (folder, NULL);
  g_autofree char *holds = g_build_filename (there, WP_STORE_FOLDER, NULL);
  const char *const places[] = { holds, there };

  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    {
      g_autofree char *path = record_path (places[i], NULL);

      if (path != NULL && g_unlink (path) == 0)
        return TRUE;
    }
  g_set_error (error, WP_STORE_ERROR, WP_STORE_ERROR_NOT_FOUND, "%s: no commands are trusted there", folder);
  return FALSE;
}
