/* Names of block devices and files: what our own recorder wrote down of them, and what the mappings tell. */
#include "read/perf-private.h"

#define MMAP2_INODE 32 /* in the body: major, minor, inode */
#define MMAP2_NAME 64

static void
take_device (JsonObject *object, const char *key, JsonNode *node, gpointer user_data)
{
  guint32 dev;

  if (JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING && wp_trace_parse_device (key, &dev))
    wp_trace_set_device_name (user_data, dev, json_node_get_string (node));
}

typedef struct
{
  WpTrace *trace;
  guint32 dev;
} Folder;

static void
take_file (JsonObject *object, const char *key, JsonNode *node, gpointer user_data)
{
  const Folder *folder = user_data;
  char *end;
  guint64 inode = g_ascii_strtoull (key, &end, 10);

  if (end != key && *end == '\0' && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING)
    wp_trace_set_file_name (folder->trace, folder->dev, inode, json_node_get_string (node));
}

static void
take_files (JsonObject *object, const char *key, JsonNode *node, gpointer user_data)
{
  Folder folder = { .trace = user_data };

  if (JSON_NODE_HOLDS_OBJECT (node) && wp_trace_parse_device (key, &folder.dev))
    json_object_foreach_member (json_node_get_object (node), take_file, &folder);
}

gboolean
wp_perf_take_names (WpTrace *trace, const char *key, JsonNode *node)
{
  JsonObjectForeach take = g_str_equal (key, "devices") ? take_device : g_str_equal (key, "files") ? take_files : NULL;

  if (take != NULL && JSON_NODE_HOLDS_OBJECT (node))
    json_object_foreach_member (json_node_get_object (node), take, trace);
  return take != NULL;
}

void
wp_perf_mapped_file (WpPerf *self, const WpRecord *header)
{
  const guint8 *body = (const guint8 *) (header + 1);
  const char *path = (const char *) body + MMAP2_NAME;
  gsize size = header->size - sizeof *header;
  guint32 major, minor;
  guint64 inode;

  if (header->type != PERF_RECORD_MMAP2 || (header->misc & PERF_RECORD_MISC_MMAP_BUILD_ID) || size <= MMAP2_NAME
      || path[0] != '/' || path[1] == '/' || memchr (path, '\0', size - MMAP2_NAME) == NULL)
    return;
  major = wp_read_u32 (body + MMAP2_INODE);
  minor = wp_read_u32 (body + MMAP2_INODE + 4);
  inode = wp_read_u64 (body + MMAP2_INODE + 8);
  if (inode != 0 && major <= 0xfff && minor <= 0xfffff && !g_str_has_suffix (path, " (deleted)"))
    wp_trace_set_file_name (self->reader->trace, major << 20 | minor, inode, path);
}

void
wp_perf_local_devices (WpPerf *self)
{
  WpTrace *trace = self->reader->trace;

  if (trace->block_devices == NULL && trace->host != NULL && g_str_equal (trace->host, g_get_host_name ())
      && wp_kernel_symbols_same_boot (self->kernel))
    wp_trace_use_local_devices (trace);
}
