#include "store/names.h"
#include "store/store-private.h"

#include "base/table.h"
#include "store/hash-id.h"

#include <errno.h>

#define N_FOLDERS 256
#define DIGITS 16 /* of a hash, as many as a number holds: enough to hardly ever be those of another one */

struct WpStoreNames
{
  gboolean unknown[N_FOLDERS]; /* it is there, and nobody may look into it */
  WP_TABLE (guint64) names;
};

void
wp_store_names_free (WpStoreNames *self)
{
  if (self == NULL)
    return;
  WP_TABLE_CLEAR (&self->names);
  g_free (self);
}

/* FALSE: that is no hash. */
static gboolean
read_digits (const char *hash, guint n, guint64 *number)
{
  for (guint i = 0; i < n; i++)
    {
      const int digit = wp_hash_digit (hash[i]);

      if (digit < 0)
        return FALSE;
      *number = *number << 4 | (guint64) digit;
    }
  return TRUE;
}

static void
add_name (WpStoreNames *self, guint folder, const char *name)
{
  guint64 number = folder, *slot;

  if (!read_digits (name, DIGITS - 2, &number) || number == 0)
    return;
  WP_TABLE_RESERVE (&self->names, 1024, 2, old, *old != 0, wp_hash_number (*old));
  slot = WP_TABLE_FIND (&self->names, wp_hash_number (number), free, *free == 0 || *free == number);
  self->names.n += *slot == 0;
  *slot = number;
}

static void
list_folder (WpStoreNames *self, const WpStore *store, guint folder)
{
  g_autofree char *path = g_strdup_printf ("%s/%02x", store->objects, folder);
  g_autoptr (GError) error = NULL;
  g_autoptr (GDir) dir = g_dir_open (path, 0, &error);
  const char *name;

  self->unknown[folder] = dir == NULL && !g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_NOENT);
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    add_name (self, folder, name);
}

WpStoreNames *
wp_store_names_new (const WpStore *self)
{
  WpStoreNames *names = g_new0 (WpStoreNames, 1);

  for (guint i = 0; i < N_FOLDERS; i++)
    list_folder (names, self, i);
  return names;
}

gboolean
wp_store_names_may_have (const WpStoreNames *self, const char *minor)
{
  guint64 number = 0;

  if (!read_digits (minor, DIGITS, &number) || number == 0 || self->unknown[number >> (4 * (DIGITS - 2))])
    return TRUE;
  return self->names.slots != NULL
         && *WP_TABLE_FIND (&self->names, wp_hash_number (number), slot, *slot == 0 || *slot == number) == number;
}
