/* Names of devices and files, as JSON; see names.h. */
#include "record/names.h"

#include "record/name-files.h"
#include "trace/local-devices.h"

#include <json-glib/json-glib.h>
#include <linux/perf_event.h>
#include <string.h>

#define SLOW_CLOCK_NS 10000000 /* a file system's may be that late */
#define TEXT_MAX 49152 /* a record has 16 bits for its size */

/* --- JSON in pieces ----------------------------------------------------------------------------------------------- */

/* {"section": {"group": {"key": "value"}}}, or without groups; begun anew when it is long enough. */
typedef struct
{
  GPtrArray *texts;
  JsonBuilder *builder; /* NULL: nothing open */
  char *group;
  gsize length;
} Pieces;

static void
end_piece (Pieces *self)
{
  g_autoptr (JsonGenerator) generator = json_generator_new ();
  g_autoptr (JsonNode) root = NULL;

  if (self->builder == NULL)
    return;
  if (self->group != NULL)
    json_builder_end_object (self->builder);
  json_builder_end_object (self->builder);
  json_builder_end_object (self->builder);
  root = json_builder_get_root (self->builder);
  json_generator_set_root (generator, root);
  g_ptr_array_add (self->texts, json_generator_to_data (generator, NULL));
  g_clear_object (&self->builder);
  g_clear_pointer (&self->group, g_free);
  self->length = 0;
}

static void
begin_piece (Pieces *self, const char *section)
{
  self->builder = json_builder_new ();
  json_builder_begin_object (self->builder);
  json_builder_set_member_name (self->builder, section);
  json_builder_begin_object (self->builder);
}

static void
change_group (Pieces *self, const char *group)
{
  if (g_strcmp0 (self->group, group) == 0)
    return;
  if (self->group != NULL)
    json_builder_end_object (self->builder);
  g_free (self->group);
  self->group = g_strdup (group);
  json_builder_set_member_name (self->builder, group);
  json_builder_begin_object (self->builder);
}

/* As long as it is in JSON: what is escaped takes six bytes at most. */
static gsize
length_in_json (const char *text)
{
  gsize length = 2;

  for (; *text != '\0'; text++)
    length += (guchar) *text < 0x20 || strchr ("\"\\\x7f", *text) != NULL ? 6 : 1;
  return length;
}

/* A text, or where that is NULL, a figure. */
static void
add (Pieces *self, const char *section, const char *group, const char *key, const char *value, gint64 figure)
{
  gsize length = length_in_json (key) + (value != NULL ? length_in_json (value) : 20) + 2 + (group != NULL ? 2 * strlen (group) : 0);

  if (self->length + length > TEXT_MAX)
    end_piece (self);
  if (self->builder == NULL)
    begin_piece (self, section);
  if (group != NULL)
    change_group (self, group);
  json_builder_set_member_name (self->builder, key);
  if (value != NULL)
    json_builder_add_string_value (self->builder, value);
  else
    json_builder_add_int_value (self->builder, figure);
  self->length += length;
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

/* The recording's own records of what was mapped: PERF_RECORD_MMAP2, the part that is always there. */
typedef struct
{
  guint32 pid, tid;
  guint64 start, length, offset;
  guint32 major, minor;
  guint64 inode, generation;
  guint32 protection, flags;
} Mapped;

static void
try_mapped (WpFileNames *files, const struct perf_event_header *header, const char *body)
{
  gsize size = header->size - sizeof *header;
  Mapped mapped;

  if (header->type != PERF_RECORD_MMAP2 || (header->misc & PERF_RECORD_MISC_MMAP_BUILD_ID) != 0 || size <= sizeof mapped ||
      memchr (body + sizeof mapped, '\0', size - sizeof mapped) == NULL)
    return;
  memcpy (&mapped, body, sizeof mapped);
  if (mapped.inode != 0 && mapped.minor < 1u << 20)
    wp_file_names_try (files, mapped.major << 20 | mapped.minor, mapped.inode, body + sizeof mapped);
}

/* A stream of our own making: a head of 16 bytes, then records. The size of the tracing data stands behind their header. */
static void
try_what_was_mapped (WpFileNames *files, const char *path)
{
  g_autoptr (GMappedFile) file = g_mapped_file_new (path, FALSE, NULL);
  gsize size = file != NULL ? g_mapped_file_get_length (file) : 0, at = 16;
  const char *data = size > 0 ? g_mapped_file_get_contents (file) : NULL;
  struct perf_event_header header;
  guint32 extra;

  while (size >= sizeof header && at <= size - sizeof header && wp_file_names_left (files) > 0)
    {
      memcpy (&header, data + at, sizeof header);
      if (header.size < sizeof header || header.size > size - at)
        return;
      try_mapped (files, &header, data + at + sizeof header);
      at += header.size;
      if (header.type == 66 && header.size >= sizeof header + sizeof extra) /* PERF_RECORD_HEADER_TRACING_DATA */
        {
          memcpy (&extra, data + at - sizeof extra, sizeof extra);
          at += extra;
        }
    }
}

static void
write_number (const WpInode *row, char dev[32], char inode[32])
{
  g_snprintf (dev, 32, "%u:%u", row->dev >> 20, row->dev & ((1u << 20) - 1));
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

      if (wp_file_names_get (files, i) == NULL || made + SLOW_CLOCK_NS <= inodes->data[i].first)
        continue;
      write_number (&inodes->data[i], dev, inode);
      add (pieces, "born", dev, inode, NULL, made);
    }
  end_piece (pieces);
}

void
wp_names_find (WpNames *self, const char *path, const char *folder, WpProgress *progress)
{
  g_autofree char *first = folder != NULL ? g_canonicalize_filename (folder, NULL) : g_get_current_dir ();
  WpInodeArray inodes = { 0 };
  WpFileNames *files;
  Pieces pieces = { .texts = g_ptr_array_new_with_free_func (g_free) };

  *self = (WpNames) { .texts = pieces.texts };
  add_devices (&pieces);
  if (wp_recording_inodes (path, &inodes, progress, NULL) && inodes.len > 0)
    {
      files = wp_file_names_new (inodes.data, inodes.len, progress != NULL ? progress->cancellable : NULL);
      wp_file_names_by_handle (files);
      try_what_was_mapped (files, path);
      wp_file_names_by_walk (files, first);
      add_files (&pieces, &inodes, files, &self->named);
      add_made (&pieces, &inodes, files);
      self->cut = wp_file_names_cut (files);
      wp_file_names_free (files);
    }
  wp_array_clear (&inodes);
}

void
wp_names_clear (WpNames *self)
{
  g_clear_pointer (&self->texts, g_ptr_array_unref);
}
