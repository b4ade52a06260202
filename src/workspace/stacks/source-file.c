#include "workspace/stacks/source-file.h"

#include "base/plain-file.h"

#include <limits.h>
#include <string.h>

#define SIZE_MAX_READ (16 * 1024 * 1024)
#define LINE_MAX_SHOWN 4000 /* bytes: generated sources have lines of megabytes, which no view can show */

/* --- reading -------------------------------------------------------------------------------------------------------- */

static void
find_lines (WpSourceFile *self, gsize n)
{
  const char *end = self->text + n;

  for (const char *at = self->text; at < end;)
    {
      const char *next = memchr (at, '\n', end - at);

      wp_array_push (&self->starts, at - self->text);
      at = next != NULL ? next + 1 : end;
    }
  wp_array_push (&self->starts, n);
}

gboolean
wp_source_file_read (WpSourceFile *self, const char *path)
{
  g_autoptr (GError) error = NULL;
  gsize n;

  self->text = strlen (path) < PATH_MAX ? wp_plain_file_read (path, SIZE_MAX_READ, &n, &error) : NULL;
  if (self->text == NULL)
    {
      gboolean missing = error == NULL || error->code == G_FILE_ERROR_NOENT || error->code == G_FILE_ERROR_NOTDIR;

      g_ptr_array_add (self->tried, g_strdup (missing ? path : error->message));
      return FALSE;
    }
  self->path = g_strdup (path);
  find_lines (self, n);
  return TRUE;
}

/* --- places --------------------------------------------------------------------------------------------------------- */

/* What of a path stands behind a folder that it begins with, without a slash before it; NULL: it begins otherwise. What is not absolute stands
 * behind "". */
static const char *
behind (const char *path, const char *folder)
{
  gsize n = strlen (folder);

  if (n == 0)
    return path[0] != '/' ? path : NULL;
  while (n > 0 && folder[n - 1] == '/')
    n--;
  if (strncmp (path, folder, n) != 0 || path[n] != '/')
    return NULL;
  path += n;
  path += strspn (path, "/");
  return *path != '\0' ? path : NULL;
}

static gboolean
try (WpSourceFile *self, const char *folder, const char *rest)
{
  g_autofree char *path = g_canonicalize_filename (rest, folder);

  for (guint i = 0; i < self->tried->len; i++)
    if (g_str_equal (self->tried->pdata[i], path))
      return FALSE;
  return wp_source_file_read (self, path);
}

/* In a folder, and in all above it. */
static gboolean
try_upwards (WpSourceFile *self, const char *folder, const char *rest)
{
  g_autofree char *at = g_canonicalize_filename (folder, NULL);

  for (;;)
    {
      char *above;

      if (try (self, at, rest))
        return TRUE;
      above = g_path_get_dirname (at);
      if (g_str_equal (above, at))
        {
          g_free (above);
          return FALSE;
        }
      g_free (at);
      at = above;
    }
}

/* The ends of a path, the longest one first. The one that is there, or NULL. */
static const char *
try_ends (WpSourceFile *self, const char *folder, const char *path)
{
  g_autofree char *full = g_canonicalize_filename (folder, NULL);

  for (const char *end = path; end != NULL; end = strchr (end, '/'))
    {
      end += strspn (end, "/");
      if (*end != '\0' && try (self, full, end))
        return end;
    }
  return NULL;
}

static gboolean
try_mappings (WpSourceFile *self, char **mappings)
{
  for (; mappings != NULL && *mappings != NULL; mappings++)
    {
      const char *equals = strchr (*mappings, '=');
      g_autofree char *from = equals != NULL ? g_strndup (*mappings, equals - *mappings) : NULL;
      const char *rest = from != NULL ? behind (self->name, from) : NULL;

      if (rest != NULL && try (self, equals + 1, rest))
        return TRUE;
    }
  return FALSE;
}

static const char *
trimmed (const char *path, char **trims)
{
  static char *const usual[] = { (char *) "/proc/self/cwd/.", (char *) "/proc/self/cwd", NULL };
  char *const *const lists[] = { trims, usual };

  for (guint l = 0; l < G_N_ELEMENTS (lists); l++)
    for (char *const *trim = lists[l]; trim != NULL && *trim != NULL; trim++)
      {
        const char *rest = behind (path, *trim);

        if (rest != NULL)
          return rest;
      }
  return path;
}

static gboolean
try_relative (WpSourceFile *self, const char *path, const WpSourcePlaces *places)
{
  g_autofree char *here = g_get_current_dir ();

  for (char **folder = places->folders; folder != NULL && *folder != NULL; folder++)
    if (try_upwards (self, *folder, path))
      return TRUE;
  return (places->beside != NULL && try_upwards (self, places->beside, path)) || try_upwards (self, here, path);
}

static WpSourceFile *
new_file (const char *name)
{
  WpSourceFile *self = g_new0 (WpSourceFile, 1);

  self->name = g_strdup (name);
  self->tried = g_ptr_array_new_with_free_func (g_free);
  return self;
}

WpSourceFile *
wp_source_file_find (const char *name, const WpSourcePlaces *places)
{
  WpSourceFile *self = new_file (name);
  const char *path = trimmed (name, places->trims);

  if (*name == '\0' || strlen (name) >= PATH_MAX || try_mappings (self, places->mappings))
    return self;
  if (path[0] == '/' ? try (self, "/", path) : try_relative (self, path, places))
    return self;
  for (char **folder = places->folders; folder != NULL && *folder != NULL; folder++)
    if (try_ends (self, *folder, path) != NULL)
      return self;
  return self;
}

void
wp_source_file_free (WpSourceFile *self)
{
  g_free (self->name);
  g_free (self->path);
  g_ptr_array_unref (self->tried);
  g_free (self->text);
  wp_array_clear (&self->starts);
  g_free (self);
}

/* --- lines ---------------------------------------------------------------------------------------------------------- */

char *
wp_source_file_line (const WpSourceFile *self, gint64 line)
{
  const char *start;
  g_autofree char *text = NULL;
  gsize n, shown;

  if (line < 1 || line > wp_source_file_lines (self))
    return NULL;
  start = self->text + self->starts.data[line - 1];
  n = self->starts.data[line] - self->starts.data[line - 1];
  while (n > 0 && (start[n - 1] == '\n' || start[n - 1] == '\r'))
    n--;
  shown = MIN (n, LINE_MAX_SHOWN);
  while (shown < n && shown > 0 && ((guint8) start[shown] & 0xc0) == 0x80) /* within a character */
    shown--;
  text = g_utf8_make_valid (start, (gssize) shown);
  return shown < n ? g_strconcat (text, "…", NULL) : g_steal_pointer (&text);
}

/* --- mappings ------------------------------------------------------------------------------------------------------- */

/* Both without the folders that they end with alike, but not without all. */
static void
shorten (char *from, char *to)
{
  for (;;)
    {
      char *a = strrchr (from, '/'), *b = strrchr (to, '/');

      if (a == NULL || b == NULL || a == from || b == to || !g_str_equal (a, b))
        return;
      *a = *b = '\0';
    }
}

char *
wp_source_mapping (const char *name, const char *folder)
{
  g_autoptr (WpSourceFile) found = new_file (name);
  g_autofree char *from = NULL, *to = g_canonicalize_filename (folder, NULL);
  const char *end = strlen (name) < PATH_MAX ? try_ends (found, folder, name) : NULL;

  if (end == NULL)
    return NULL;
  from = g_strndup (name, end > name ? end - name - 1 : 0);
  shorten (from, to);
  return strchr (from, '=') == NULL ? g_strconcat (from, "=", to, NULL) : NULL;
}
