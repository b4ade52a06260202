/* Arguments that name files or profiles of the store. */
#include "cli/named.h"

#include "base/remove-tree.h"
#include "cli/command.h"
#include "workspace/stacks/open-stacks.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

#define STANDARD_INPUT "-" /* where no file is called so */

void
wp_cli_named_free (WpCliNamed *named)
{
  if (named == NULL)
    return;
  g_free (named->spec);
  g_free (named->file);
  if (named->entry != NULL)
    wp_store_entry_free (named->entry);
  g_free (named);
}

void
wp_cli_names_clear (WpCliNames *self)
{
  wp_remove_made_folder (self->folder);
  g_clear_pointer (&self->folder, g_free);
  wp_cli_store_clear (&self->store);
}

static WpCliNamed *
named_new (const char *spec, char *file, const WpStoreEntry *entry)
{
  WpCliNamed *named = g_new0 (WpCliNamed, 1);

  named->spec = g_strdup (spec);
  named->file = file;
  if (entry == NULL)
    return named;
  named->entry = wp_store_entry_copy (entry);
  g_strlcpy (named->commit, *entry->minor != '\0' ? entry->minor : entry->origin, sizeof named->commit);
  return named;
}

/* --- copies ------------------------------------------------------------------------------------------------------------- */

static gboolean
make_folders (WpCliNames *self, char **folder, GError **error)
{
  if (self->folder == NULL)
    self->folder = g_dir_make_tmp ("wakepath-XXXXXX", error);
  if (self->folder == NULL)
    return FALSE;
  *folder = g_build_filename (self->folder, "XXXXXX", NULL);
  if (g_mkdtemp (*folder) != NULL)
    return TRUE;
  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno), "%s: %s", *folder, g_strerror (errno));
  return FALSE;
}

/* Under its own name, in a folder of its own: those of several commits may be called the same. */
static char *
take_out (WpCliNames *self, const WpStoreEntry *entry, GError **error)
{
  g_autoptr (GBytes) bytes = wp_store_read (self->store.store, entry, error);
  g_autofree char *folder = NULL, *base = g_path_get_basename (entry->path);
  char *path;

  if (bytes == NULL || !make_folders (self, &folder, error))
    return NULL;
  path = g_build_filename (folder, base, NULL);
  if (!g_file_set_contents (path, g_bytes_get_data (bytes, NULL), (gssize) g_bytes_get_size (bytes), error))
    g_clear_pointer (&path, g_free);
  return path;
}

static int
add_entry (WpCliNames *self, const char *spec, const WpStoreEntry *entry, GPtrArray *found)
{
  gboolean registered = *entry->sha1 != '\0';
  GError *error = NULL;
  char *file = registered ? take_out (self, entry, &error) : wp_store_entry_file (self->store.store, entry);

  if (file == NULL)
    return wp_cli_fail (error);
  g_ptr_array_add (found, named_new (spec, file, entry));
  return 0;
}

static int
add_entries (WpCliNames *self, const char *spec, const GPtrArray *entries, GPtrArray *found)
{
  int status = 0;

  for (guint i = 0; i < entries->len && status == 0; i++)
    status = add_entry (self, spec, entries->pdata[i], found);
  return status;
}

/* --- finding ------------------------------------------------------------------------------------------------------------ */

static gboolean
in_a_store (const WpCliNames *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (WpStore) store = self->store.store == NULL ? wp_store_open (".", &error) : NULL;

  return !g_error_matches (error, WP_STORE_ERROR, WP_STORE_ERROR_NONE_HERE);
}

static int
open_store (WpCliNames *self)
{
  return self->store.store == NULL ? wp_cli_store_open (&self->store, NULL, FALSE) : 0;
}

char **
wp_cli_names_split (const char *text)
{
  g_auto (GStrv) names = g_file_test (text, G_FILE_TEST_EXISTS) ? g_strdupv ((char *[]) { (char *) text, NULL }) : g_strsplit (text, ",", -1);

  if (names[0] == NULL)
    {
      wp_cli_usage ("an empty name is no profile");
      return NULL;
    }
  for (char **name = names; *name != NULL; name++)
    if (**name == '\0')
      {
        wp_cli_usage ("“%s”: a name is missing before or after a comma", text);
        return NULL;
      }
  return g_steal_pointer (&names);
}

int
wp_cli_names_find (WpCliNames *self, const char *spec, GPtrArray *found)
{
  g_autoptr (GPtrArray) entries = NULL;
  int status;

  if (g_file_test (spec, G_FILE_TEST_EXISTS) || g_str_equal (spec, STANDARD_INPUT) || !in_a_store (self))
    {
      gboolean input = g_str_equal (spec, STANDARD_INPUT) && !g_file_test (spec, G_FILE_TEST_EXISTS);

      if (!input && *spec != '\0' && strchr (spec, '/') == NULL && !g_file_test (spec, G_FILE_TEST_EXISTS))
        {
          g_printerr ("wakepath-cli: %s: no file is called that, and there is no store of profiles here nor above\n", spec);
          return 1;
        }
      g_ptr_array_add (found, named_new (spec, g_strdup (input ? "/dev/stdin" : spec), NULL));
      return 0;
    }
  status = open_store (self);
  if (status != 0)
    return status;
  entries = wp_cli_store_find (&self->store, spec, &status);
  if (entries != NULL)
    status = add_entries (self, spec, entries, found);
  wp_cli_store_notice (&self->store);
  return status;
}

gboolean
wp_cli_names_find_commit (WpCliNames *self, const char *spec, GPtrArray *found, int *status)
{
  g_autoptr (GPtrArray) entries = NULL;
  GError *error = NULL;
  char minor[41];

  *status = 0;
  if (g_file_test (spec, G_FILE_TEST_EXISTS) || !in_a_store (self))
    return FALSE;
  *status = open_store (self);
  if (*status != 0)
    return TRUE;
  if (wp_store_vcs (self->store.store) == NULL || !wp_vcs_resolve (wp_store_vcs (self->store.store), spec, minor, NULL))
    return FALSE;
  entries = wp_store_registered (self->store.store, minor, &error);
  *status = entries != NULL ? add_entries (self, spec, entries, found) : wp_cli_fail (error);
  return TRUE;
}

WpCliNamed *
wp_cli_names_one (WpCliNames *self, const char *spec, int *status)
{
  g_autoptr (GPtrArray) found = g_ptr_array_new_with_free_func ((GDestroyNotify) wp_cli_named_free);

  *status = wp_cli_names_find (self, spec, found);
  if (*status == 0 && found->len == 1)
    return g_ptr_array_steal_index (found, 0);
  if (*status == 0)
    {
      g_printerr ("wakepath-cli: %s: means %u profiles, and one is wanted\n", spec, found->len);
      *status = 2;
    }
  return NULL;
}

/* --- opening ------------------------------------------------------------------------------------------------------------ */

/* What a copy is called: COMMIT:NAME, cut short. */
static char *
shown_name (const WpCliNamed *named)
{
  if (named->entry == NULL || *named->entry->sha1 == '\0')
    return g_strdup (named->file);
  return g_strdup_printf ("%.8s:%s", named->commit, named->entry->path);
}

void
wp_cli_tell_omissions (WpProfile *profile)
{
  g_autofree char *text = wp_omissions_tell (&profile->omissions, profile->path);
  g_auto (GStrv) lines = g_strsplit (text != NULL ? text : "", "\n", -1);

  for (char **line = lines; *line != NULL; line++)
    g_printerr ("wakepath-cli: %s\n", *line);
}

/* The message with the copy's path replaced. */
static int
fail (const WpCliNamed *named, GError *error)
{
  g_autofree char *name = shown_name (named), *old = error->message;
  g_auto (GStrv) parts = g_strsplit (old, named->file, -1);

  error->message = g_strjoinv (name, parts);
  return wp_cli_fail (error);
}

WpProfile *
wp_cli_named_profile (const WpCliNamed *named, int *status)
{
  GError *error = NULL;
  WpProfile *profile = wp_profile_load (named->file, NULL, &error);

  if (profile == NULL)
    {
      *status = fail (named, error);
      return NULL;
    }
  g_free (profile->path);
  profile->path = shown_name (named);
  wp_cli_tell_omissions (profile);
  return profile;
}

WpProfile *
wp_cli_names_profile (WpCliNames *self, const char *spec, int *status)
{
  g_autoptr (WpCliNamed) named = wp_cli_names_one (self, spec, status);

  return named != NULL ? wp_cli_named_profile (named, status) : NULL;
}

/* Whether what opens no document may be something else. */
static gboolean
may_be_stacks (const GError *error)
{
  return g_error_matches (error, WP_JSON_ERROR, WP_JSON_ERROR_FOREIGN) || g_error_matches (error, WP_READ_ERROR, WP_READ_ERROR_FORMAT)
         || g_error_matches (error, WP_READ_ERROR, WP_READ_ERROR_EVENTS);
}

/* Where it is nothing of that kind either, the message stays the document's. */
static WpStacks *
open_stacks (const WpCliNamed *named, GError **error)
{
  GError *wrong = NULL;
  WpStacks *stacks = wp_open_stacks (named->file, NULL, NULL, NULL, &wrong);

  if (stacks != NULL)
    g_clear_error (error);
  else if (g_error_matches (wrong, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED))
    g_error_free (wrong);
  else
    {
      g_clear_error (error);
      *error = wrong;
    }
  return stacks;
}

static WpDocument *
open_plain (const WpCliNamed *named, const WpReadOptions *options, GError **error)
{
  WpReadOptions all = *options;

  all.all_samples = TRUE;
  return wp_document_open (named->file, &all, NULL, error);
}

WpDocument *
wp_cli_names_document (WpCliNames *self, const char *spec, const WpReadOptions *options, const WpCliOthers *others, int *status)
{
  g_autoptr (WpCliNamed) named = wp_cli_names_one (self, spec, status);
  GError *error = NULL;
  WpDocument *document = named != NULL ? wp_document_open (named->file, options, NULL, &error) : NULL;

  if (document == NULL && others->plain && g_error_matches (error, WP_READ_ERROR, WP_READ_ERROR_EVENTS))
    {
      g_clear_error (&error);
      document = open_plain (named, options, &error);
    }
  if (document != NULL)
    {
      g_free (document->path);
      document->path = shown_name (named);
    }
  else if (others->profile != NULL && g_error_matches (error, WP_JSON_ERROR, WP_JSON_ERROR_FOREIGN))
    {
      g_clear_error (&error);
      *others->profile = wp_cli_named_profile (named, status);
    }
  else if (others->stacks != NULL && may_be_stacks (error))
    *others->stacks = open_stacks (named, &error);
  if (error != NULL)
    *status = fail (named, error);
  return document;
}
