/* Names of devices and files, as JSON; see number-names.h. */
#include "record/number-names.h"

#include "base/json-writer.h"
#include "record/inode-paths.h"
#include "read/local-devices.h"
#include "trace/thresholds.h"

#include <string.h>

#define TEXT_MAX 49152 /* a record has 16 bits for its size */
#define PLAIN_MAX 64   /* a figure, and what stands between texts */

/* --- JSON in pieces ----------------------------------------------------------------------------------------------- */

/* {"section": {"group": {"key": "value"}}}, or without groups; begun anew when it is long enough. */
typedef struct
{
  GPtrArray *texts;
  GString *out;       /* the piece that is written; empty: none */
  WpJsonWriter *json; /* writes to it */
  char *group;        /* that is open, or NULL */
} Pieces;

static void
pieces_init (Pieces *self, GPtrArray *texts)
{
  *self = (Pieces) { .texts = texts, .out = g_string_new (NULL) };
  self->json = wp_json_writer_new_text (self->out);
}

static void
pieces_clear (Pieces *self)
{
  wp_json_writer_free (self->json);
  g_string_free (self->out, TRUE);
}

static void
end_group (Pieces *self)
{
  if (self->group != NULL)
    wp_json_writer_end (self->json);
  g_clear_pointer (&self->group, g_free);
}

static void
end_piece (Pieces *self)
{
  if (self->out->len == 0)
    return;
  end_group (self);
  wp_json_writer_end (self->json);
  wp_json_writer_end (self->json);
  g_ptr_array_add (self->texts, g_strndup (self->out->str, self->out->len));
  g_string_truncate (self->out, 0);
}

static void
change_group (Pieces *self, const char *group)
{
  if (g_strcmp0 (self->group, group) == 0)
    return;
  end_group (self);
  self->group = g_strdup (group);
  wp_json_writer_object (self->json, group, WP_JSON_TIGHT);
}

static gsize
most_in_json (const char *text)
{
  return text != NULL ? 6 * strlen (text) : 0; /* \u001b */
}

/* A text, or where that is NULL, a figure. */
static void
add (Pieces *self, const char *section, const char *group, const char *key, const char *value, gint64 figure)
{
  if (self->out->len + most_in_json (group) + most_in_json (key) + most_in_json (value) + PLAIN_MAX > TEXT_MAX)
    end_piece (self);
  if (self->out->len == 0)
    {
      wp_json_writer_object (self->json, NULL, WP_JSON_TIGHT);
      wp_json_writer_object (self->json, section, WP_JSON_TIGHT);
    }
  if (group != NULL)
    change_group (self, group);
  if (value != NULL)
    wp_json_writer_string (self->json, key, value);
  else
    wp_json_writer_int (self->json, key, figure);
}

/* --- devices ------------------------------------------------------------------------------------------------------ */

static void
add_devices (Pieces *pieces)
{
  static const struct
  {
    const char *section;
    char *(*of) (const char *number);
  } sections[] = { { "devices", wp_local_device_name }, { "below", wp_local_devices_below }, { "backing", wp_local_device_backing } };
  g_autoptr (GPtrArray) numbers = wp_local_devices ();

  for (guint s = 0; s < G_N_ELEMENTS (sections); s++)
    {
      for (guint i = 0; i < numbers->len; i++)
        {
          g_autofree char *text = sections[s].of (g_ptr_array_index (numbers, i));

          if (text != NULL)
            add (pieces, sections[s].section, NULL, g_ptr_array_index (numbers, i), text, 0);
        }
      end_piece (pieces);
    }
}

/* --- files -------------------------------------------------------------------------------------------------------- */

static void
try_what_was_mapped (WpFileNames *files, const WpMappedFiles *mapped)
{
  for (guint i = 0; i < mapped->files->len && wp_file_names_left (files) > 0; i++)
    {
      const WpMappedFile *row = &g_array_index (mapped->files, WpMappedFile, i);

      wp_file_names_try (files, row->file.dev, row->file.inode, row->path);
    }
}

static void
write_device (guint32 number, char dev[32])
{
  g_snprintf (dev, 32, "%u:%u", number >> 20, number & ((1u << 20) - 1));
}

static void
write_number (const WpInode *row, char dev[32], char inode[32])
{
  write_device (row->dev, dev);
  g_snprintf (inode, 32, "%" G_GUINT64_FORMAT, row->inode);
}

static void
add_files (Pieces *pieces, const WpInodeArray *inodes, const WpFileNames *files, guint *named)
{
  for (guint i = 0; i < inodes->len; i++)
    {
      const char *path = wp_file_names_get (files, i);
      g_autofree char *shown = path != NULL ? g_filename_display_name (path) : NULL;
      char dev[32], inode[32];

      if (shown == NULL)
        continue;
      write_number (&inodes->data[i], dev, inode);
      add (pieces, "files", dev, inode, shown, 0);
      *named += 1;
    }
  end_piece (pieces);
}

/* Of those whose number may have been another file's when the recording spoke of it first. */
static void
add_made (Pieces *pieces, const WpInodeArray *inodes, const WpFileNames *files)
{
  for (guint i = 0; i < inodes->len; i++)
    {
      gint64 made = wp_file_names_made (files, i);
      char dev[32], inode[32];

      if (wp_file_names_get (files, i) == NULL || made + WP_SLOW_CLOCK_NS <= inodes->data[i].first)
        continue;
      write_number (&inodes->data[i], dev, inode);
      add (pieces, "born", dev, inode, NULL, made);
    }
  end_piece (pieces);
}

/* Of those whose path does not tell it. */
static void
add_builds (Pieces *pieces, const WpMappedFiles *mapped)
{
  for (guint i = 0; i < mapped->files->len; i++)
    {
      const WpMappedFile *row = &g_array_index (mapped->files, WpMappedFile, i);
      char dev[32], number[64];

      if (row->by_path || row->build == NULL)
        continue;
      write_device (row->file.dev, dev);
      g_snprintf (number, sizeof number, "%" G_GUINT64_FORMAT ":%" G_GUINT64_FORMAT, row->file.inode, row->file.generation);
      add (pieces, "builds", dev, number, row->build, 0);
    }
  end_piece (pieces);
}

void
wp_names_find (WpNames *self, const char *path, const WpMappedFiles *mapped, const char *folder, WpProgress *progress)
{
  g_autofree char *first = folder != NULL ? g_canonicalize_filename (folder, NULL) : g_get_current_dir ();
  WpInodeArray inodes = { 0 };
  WpFileNames *files;
  Pieces pieces;

  *self = (WpNames) { .texts = g_ptr_array_new_with_free_func (g_free) };
  pieces_init (&pieces, self->texts);
  add_devices (&pieces);
  add_builds (&pieces, mapped);
  if (wp_recording_inodes (path, &inodes, progress, NULL) && inodes.len > 0)
    {
      files = wp_file_names_new (inodes.data, inodes.len, progress != NULL ? progress->cancellable : NULL);
      try_what_was_mapped (files, mapped); /* first: of a file with several names, that is the one that was used */
      wp_file_names_by_handle (files);
      wp_file_names_by_walk (files, first);
      add_files (&pieces, &inodes, files, &self->named);
      add_made (&pieces, &inodes, files);
      self->cut = wp_file_names_cut (files);
      wp_file_names_free (files);
    }
  wp_array_clear (&inodes);
  pieces_clear (&pieces);
}

void
wp_names_clear (WpNames *self)
{
  g_clear_pointer (&self->texts, g_ptr_array_unref);
}
