/* See local-devices.h. */
#include "read/local-devices.h"

#include "base/asked-files.h"
#include "base/sort.h"

#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#define FOLDER "/sys/dev/block"

/* What the file says, without the end of the line; NULL if it is not there or empty. */
static char *
read_line (const char *number, const char *file)
{
  g_autofree char *path = g_build_filename (FOLDER, number, file, NULL), *text = NULL;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return NULL;
  text[strcspn (text, "\n")] = '\0';
  return *text != '\0' && g_utf8_validate (text, -1, NULL) ? g_steal_pointer (&text) : NULL;
}

GPtrArray *
wp_local_devices (void)
{
  GPtrArray *numbers = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GDir) folder = g_dir_open (FOLDER, 0, NULL);
  const char *number;

  while (folder != NULL && (number = g_dir_read_name (folder)) != NULL)
    g_ptr_array_add (numbers, g_strdup (number));
  g_ptr_array_sort (numbers, wp_compare_texts);
  return numbers;
}

/* /sys/dev/block/254:0 is a link to …/block/vda. */
char *
wp_local_device_name (const char *number)
{
  g_autofree char *given = read_line (number, "dm/name"), *backing = read_line (number, "loop/backing_file");
  g_autofree char *path = g_build_filename (FOLDER, number, NULL), *target = g_file_read_link (path, NULL);
  g_autofree char *name = target != NULL ? g_path_get_basename (target) : NULL;

  if (given != NULL)
    return g_steal_pointer (&given);
  if (name == NULL || !g_utf8_validate (name, -1, NULL))
    return NULL;
  return backing != NULL ? g_strdup_printf ("%s (%s)", name, backing) : g_steal_pointer (&name);
}

char *
wp_local_device_backing (const char *number)
{
  g_autofree char *path = read_line (number, "loop/backing_file");

  return path != NULL && *path == '/' && !g_str_has_suffix (path, " (deleted)") ? g_steal_pointer (&path) : NULL;
}

/* --- what is below ------------------------------------------------------------------------------------------------ */

/* Takes the number. */
static void
add_below (GPtrArray *numbers, char *number)
{
  if (number != NULL && !g_ptr_array_find_with_equal_func (numbers, number, g_str_equal, NULL))
    g_ptr_array_add (numbers, number);
  else
    g_free (number);
}

static void
add_directly_below (GPtrArray *numbers, const char *number)
{
  g_autofree char *part = read_line (number, "partition"), *backing = wp_local_device_backing (number);
  g_autofree char *path = g_build_filename (FOLDER, number, "slaves", NULL);
  g_autoptr (GDir) slaves = g_dir_open (path, 0, NULL);
  const char *slave;
  struct stat found;

  if (part != NULL)
    add_below (numbers, read_line (number, "../dev"));
  if (backing != NULL && stat (backing, &found) == 0)
    add_below (numbers, g_strdup_printf ("%u:%u", major (found.st_dev), minor (found.st_dev)));
  while (slaves != NULL && (slave = g_dir_read_name (slaves)) != NULL)
    {
      g_autofree char *file = g_build_filename ("slaves", slave, "dev", NULL);

      add_below (numbers, read_line (number, file));
    }
}

char *
wp_local_devices_below (const char *number)
{
  g_autoptr (GPtrArray) numbers = g_ptr_array_new_with_free_func (g_free);

  add_directly_below (numbers, number);
  for (guint i = 0; i < numbers->len; i++)
    add_directly_below (numbers, g_ptr_array_index (numbers, i));
  g_ptr_array_add (numbers, NULL);
  return g_strjoinv (" ", (char **) numbers->pdata);
}

void
wp_local_devices_name (WpTrace *trace)
{
  g_autoptr (GPtrArray) numbers = wp_local_devices ();

  wp_asked_files_note (FOLDER "/");
  for (guint i = 0; i < numbers->len; i++)
    {
      const char *number = g_ptr_array_index (numbers, i);
      g_autofree char *name = wp_local_device_name (number);
      guint32 dev;

      if (name != NULL && wp_trace_parse_device (number, &dev) && !wp_trace_has_device_name (trace, dev))
        wp_trace_set_device_name (trace, dev, name);
    }
}
