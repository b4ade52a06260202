/* Names of block devices and files, and what lies on what: what our own recorder wrote down of them, and what the mappings tell. */
#include "read/perf-private.h"

#include "trace/files.h"

#define MMAP2_INODE 32 /* in the body: major, minor, inode */
#define MMAP2_NAME 64

static void
take_device (JsonObject *object, const char *key, JsonNode *node, gpointer user_data)
{
  guint32 dev;

  if (JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING && wp_trace_parse_device (key, &dev))
    wp_trace_set_device_name (user_data, dev, json_node_get_string (node));
}

/* What is said of numbers of one device. */
typedef struct
{
  WpPerf *perf;
  WpTrace *trace;
  guint32 dev;
  JsonObjectForeach take;
} Folder;

static gboolean
parse_inode (const char *key, guint64 *inode)
{
  char *end;

  *inode = g_ascii_strtoull (key, &end, 10);
  return end != key && *end == '\0';
}

static gboolean
holds (JsonNode *node, GType type)
{
  return JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == type;
}

static void
take_file (JsonObject *object, const char *key, JsonNode *node, gpointer user_data)
{
  const Folder *folder = user_data;
  guint64 inode;

  if (parse_inode (key, &inode) && holds (node, G_TYPE_STRING))
    wp_trace_set_file_name (folder->trace, folder->dev, inode, json_node_get_string (node), WP_FILE_SEEN_LAST);
}

static void
take_born (JsonObject *object, const char *key, JsonNode *node, gpointer user_data)
{
  const Folder *folder = user_data;
  guint64 inode;

  if (parse_inode (key, &inode) && holds (node, G_TYPE_INT64))
    wp_trace_set_file_born (folder->trace, folder->dev, inode, CLAMP (json_node_get_int (node), 0, G_MAXINT64 / 2));
}

static void
take_folder (JsonObject *object, const char *key, JsonNode *node, gpointer user_data)
{
  Folder *folder = user_data;

  if (JSON_NODE_HOLDS_OBJECT (node) && wp_trace_parse_device (key, &folder->dev))
    json_object_foreach_member (json_node_get_object (node), folder->take, folder);
}

/* "254:1": "254:0 …" */
static void
take_below (JsonObject *object, const char *key, JsonNode *node, gpointer user_data)
{
  WpTrace *trace = user_data;
  g_auto (GStrv) words = NULL;
  guint32 upper, lower;

  if (!holds (node, G_TYPE_STRING) || !wp_trace_parse_device (key, &upper))
    return;
  wp_trace_set_below (trace, upper, upper);
  words = g_strsplit (json_node_get_string (node), " ", -1);
  for (char **word = words; *word != NULL; word++)
    if (wp_trace_parse_device (*word, &lower))
      wp_trace_set_below (trace, upper, lower);
}

static void
take_backing (JsonObject *object, const char *key, JsonNode *node, gpointer user_data)
{
  guint32 dev;

  if (holds (node, G_TYPE_STRING) && wp_trace_parse_device (key, &dev))
    wp_trace_set_backing (user_data, dev, json_node_get_string (node));
}

/* "INODE:GENERATION": "BUILD" */
static void
take_build (JsonObject *object, const char *key, JsonNode *node, gpointer user_data)
{
  const Folder *folder = user_data;
  WpFileNumbers file = { .dev = folder->dev };
  char *end;

  file.inode = g_ascii_strtoull (key, &end, 10);
  if (end == key || *end != ':')
    return;
  key = end + 1;
  file.generation = g_ascii_strtoull (key, &end, 10);
  if (end != key && *end == '\0' && holds (node, G_TYPE_STRING))
    wp_builds_add_file (folder->perf->builds, &file, json_node_get_string (node));
}

static const struct
{
  const char *key;
  JsonObjectForeach take, in_folder;
} sections[] = {
  { "devices", take_device, NULL },      { "files", take_folder, take_file }, { "born", take_folder, take_born },
  { "below", take_below, NULL },         { "backing", take_backing, NULL },   { "builds", take_folder, take_build },
};

gboolean
wp_perf_take_names (WpPerf *self, const char *key, JsonNode *node)
{
  WpTrace *trace = self->reader->trace;

  for (guint i = 0; i < G_N_ELEMENTS (sections); i++)
    {
      Folder folder = { .perf = self, .trace = trace, .take = sections[i].in_folder };

      if (!g_str_equal (key, sections[i].key))
        continue;
      if (JSON_NODE_HOLDS_OBJECT (node))
        json_object_foreach_member (json_node_get_object (node), sections[i].take,
                                    folder.take != NULL ? (gpointer) &folder : trace);
      return TRUE;
    }
  return FALSE;
}

void
wp_perf_mapped_file (WpPerf *self, const WpRecord *header)
{
  const guint8 *body = (const guint8 *) (header + 1);
  const char *path = (const char *) body + MMAP2_NAME;
  gsize size = header->size - sizeof *header;
  guint32 major, minor;
  guint64 inode;
  WpPerfWhere where;
  WpPerfAttr *attr;

  if (header->type != PERF_RECORD_MMAP2 || (header->misc & PERF_RECORD_MISC_MMAP_BUILD_ID) || size <= MMAP2_NAME
      || path[0] != '/' || path[1] == '/' || memchr (path, '\0', size - MMAP2_NAME) == NULL)
    return;
  major = wp_read_u32 (body + MMAP2_INODE);
  minor = wp_read_u32 (body + MMAP2_INODE + 4);
  inode = wp_read_u64 (body + MMAP2_INODE + 8);
  if (inode != 0 && major <= 0xfff && minor <= 0xfffff && !g_str_has_suffix (path, " (deleted)"))
    wp_trace_set_file_name (self->reader->trace, major << 20 | minor, inode, path,
                            wp_perf_where (self, header, &where, &attr) ? where.time : 0);
}

void
wp_perf_local_devices (WpPerf *self)
{
  WpTrace *trace = self->reader->trace;

  if (trace->block_devices == NULL && trace->host != NULL && g_str_equal (trace->host, g_get_host_name ())
      && wp_kernel_symbols_same_boot (self->kernel))
    wp_trace_use_local_devices (trace);
}
