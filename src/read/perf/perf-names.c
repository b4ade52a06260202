#include "read/perf/perf-names.h"

#include "base/find.h"
#include "read/local-devices.h"
#include "trace/files.h"
#include "trace/marks.h"

#include <stdio.h>

#define MMAP2_INODE 32 /* in the body: major, minor, inode */
#define MMAP2_NAME 64

/* What is said of numbers, of one device where they are in a folder. */
typedef struct DeviceNames DeviceNames;
typedef void (*Take) (DeviceNames *folder, const char *key, WpJsonReader *reader); /* of a member; takes its value, whatever it is */

struct DeviceNames
{
  WpTrace *trace;
  WpBuilds *builds;
  guint32 dev;
  Take take;
};

static void
take_members (DeviceNames *folder, Take take, WpJsonReader *reader)
{
  const char *key;

  if (wp_json_reader_kind (reader) != WP_JSON_OBJECT)
    wp_json_reader_skip (reader);
  else if (wp_json_reader_object (reader))
    while ((key = wp_json_reader_key (reader)) != NULL)
      take (folder, key, reader);
}

/* A text; NULL: it is something else. */
static const char *
take_text (WpJsonReader *reader)
{
  if (wp_json_reader_kind (reader) == WP_JSON_STRING)
    return wp_json_reader_string (reader);
  wp_json_reader_skip (reader);
  return NULL;
}

gboolean
wp_perf_take_number (WpJsonReader *reader, gint64 *number)
{
  double real;

  if (wp_json_reader_kind (reader) == WP_JSON_NUMBER)
    return wp_json_reader_number (reader, number, &real) == WP_JSON_WHOLE;
  wp_json_reader_skip (reader);
  return FALSE;
}

static void
take_device (DeviceNames *folder, const char *key, WpJsonReader *reader)
{
  const char *name = take_text (reader);
  guint32 dev;

  if (name != NULL && wp_trace_parse_device (key, &dev))
    wp_trace_set_device_name (folder->trace, dev, name);
}

static gboolean
parse_inode (const char *key, guint64 *inode)
{
  char *end;

  *inode = g_ascii_strtoull (key, &end, 10);
  return end != key && *end == '\0';
}

static void
take_file (DeviceNames *folder, const char *key, WpJsonReader *reader)
{
  const char *name = take_text (reader);
  guint64 inode;

  if (name != NULL && parse_inode (key, &inode))
    wp_trace_set_file_name (folder->trace, folder->dev, inode, name, WP_FILE_SEEN_LAST);
}

static void
take_born (DeviceNames *folder, const char *key, WpJsonReader *reader)
{
  guint64 inode;
  gint64 born;

  if (wp_perf_take_number (reader, &born) && parse_inode (key, &inode))
    wp_trace_set_file_born (folder->trace, folder->dev, inode, CLAMP (born, 0, G_MAXINT64 / 2));
}

static void
take_folder (DeviceNames *folder, const char *key, WpJsonReader *reader)
{
  if (wp_trace_parse_device (key, &folder->dev))
    take_members (folder, folder->take, reader);
  else
    wp_json_reader_skip (reader);
}

/* "254:1": "254:0 …" */
static void
take_below (DeviceNames *folder, const char *key, WpJsonReader *reader)
{
  const char *text = take_text (reader);
  g_auto (GStrv) words = NULL;
  guint32 upper, lower;

  if (text == NULL || !wp_trace_parse_device (key, &upper))
    return;
  wp_trace_set_below (folder->trace, upper, upper);
  words = g_strsplit (text, " ", -1);
  for (char **word = words; *word != NULL; word++)
    if (wp_trace_parse_device (*word, &lower))
      wp_trace_set_below (folder->trace, upper, lower);
}

static void
take_backing (DeviceNames *folder, const char *key, WpJsonReader *reader)
{
  const char *file = take_text (reader);
  guint32 dev;

  if (file != NULL && wp_trace_parse_device (key, &dev))
    wp_trace_set_backing (folder->trace, dev, file);
}

/* "INODE:GENERATION": "BUILD" */
static void
take_build (DeviceNames *folder, const char *key, WpJsonReader *reader)
{
  const char *build = take_text (reader);
  WpFileNumbers file = { .dev = folder->dev };
  char *end;

  file.inode = g_ascii_strtoull (key, &end, 10);
  if (end == key || *end != ':')
    return;
  key = end + 1;
  file.generation = g_ascii_strtoull (key, &end, 10);
  if (end != key && *end == '\0' && build != NULL)
    wp_builds_add_file (folder->builds, &file, build);
}

/* "PID:TID": ["START END NAME", …] */
static void
take_marks (DeviceNames *folder, const char *key, WpJsonReader *reader)
{
  WpMarkSpan mark = { 0 };
  gboolean known = sscanf (key, "%d:%d", &mark.pid, &mark.tid) == 2 && mark.pid > 0 && mark.tid >= 0;
  const char *text, *name;

  if (wp_json_reader_kind (reader) != WP_JSON_ARRAY)
    {
      wp_json_reader_skip (reader);
      return;
    }
  wp_json_reader_array (reader);
  while (wp_json_reader_item (reader))
    {
      text = take_text (reader);
      if (text == NULL || !known || !wp_mark_parse (text, &mark.start, &mark.end, &name))
        continue;
      mark.name = wp_strings_intern (folder->trace->strings, name);
      wp_array_push (&folder->trace->marks, mark);
    }
}

/* "PID": "git index-pack --stdin" */
static void
take_arguments (DeviceNames *folder, const char *key, WpJsonReader *reader)
{
  const char *line = take_text (reader);
  guint64 pid;

  if (line != NULL && g_ascii_string_to_unsigned (key, 10, 1, G_MAXINT32, &pid, NULL))
    wp_trace_set_arguments (folder->trace, (gint32) pid, line);
}

static const struct
{
  const char *key;
  Take take, in_folder;
} sections[] = {
  { "devices", take_device, NULL },      { "files", take_folder, take_file }, { "born", take_folder, take_born },
  { "below", take_below, NULL },         { "backing", take_backing, NULL },   { "builds", take_folder, take_build },
  { "marks", take_marks, NULL },         { "arguments", take_arguments, NULL },
};

gboolean
wp_perf_names_take (WpTrace *trace, WpBuilds *builds, const char *key, WpJsonReader *reader)
{
  guint i = WP_FIND_ROW (sections, key, key);
  DeviceNames folder = { .trace = trace, .builds = builds };

  if (i == G_N_ELEMENTS (sections))
    return FALSE;
  folder.take = sections[i].in_folder;
  take_members (&folder, sections[i].take, reader);
  return TRUE;
}

void
wp_perf_names_mapped (const WpPerfFile *file, const WpPerfRecord *header)
{
  const guint8 *body = (const guint8 *) (header + 1);
  const char *path = (const char *) body + MMAP2_NAME;
  gsize size = header->size - sizeof *header;
  guint32 major, minor;
  guint64 inode;
  WpPerfWhere where;
  const WpPerfAttr *attr;

  if (header->type != PERF_RECORD_MMAP2 || (header->misc & PERF_RECORD_MISC_MMAP_BUILD_ID) || size <= MMAP2_NAME
      || path[0] != '/' || path[1] == '/' || memchr (path, '\0', size - MMAP2_NAME) == NULL)
    return;
  major = wp_read_u32 (body + MMAP2_INODE);
  minor = wp_read_u32 (body + MMAP2_INODE + 4);
  inode = wp_read_u64 (body + MMAP2_INODE + 8);
  if (inode != 0 && major <= 0xfff && minor <= 0xfffff && !g_str_has_suffix (path, " (deleted)"))
    wp_trace_set_file_name (file->reader->trace, major << 20 | minor, inode, path,
                            wp_perf_file_where (file, header, &where, &attr) ? where.time : 0);
}

void
wp_perf_names_local (const WpPerfFile *file)
{
  WpTrace *trace = file->reader->trace;

  if (trace->block_devices == NULL && trace->host != NULL && g_str_equal (trace->host, g_get_host_name ())
      && wp_kernel_symbols_same_boot (file->kernel))
    wp_local_devices_name (trace);
}
