/* Names of block devices: what the recording says of their numbers. */
#include "base/device.h"
#include "base/hash.h"
#include "trace/trace.h"

void
wp_trace_set_device_name (WpTrace *self, guint32 dev, const char *name)
{
  if (self->block_devices == NULL)
    self->block_devices = g_hash_table_new (wp_hash_pointer, NULL);
  g_hash_table_insert (self->block_devices, GUINT_TO_POINTER (dev),
                       GUINT_TO_POINTER (wp_strings_intern (self->strings, name)));
}

const char *
wp_trace_device_name (const WpTrace *self, guint32 dev, char buffer[32])
{
  gpointer name = self->block_devices != NULL ? g_hash_table_lookup (self->block_devices, GUINT_TO_POINTER (dev)) : NULL;

  if (name != NULL)
    return wp_trace_string (self, GPOINTER_TO_UINT (name));
  g_snprintf (buffer, 32, "%u:%u", dev >> 20, dev & 0xfffff);
  return buffer;
}

gboolean
wp_trace_has_device_name (const WpTrace *self, guint32 dev)
{
  return self->block_devices != NULL && g_hash_table_contains (self->block_devices, GUINT_TO_POINTER (dev));
}

/* A saved profile names its devices by their tasks. */
void
wp_trace_devices_of_tasks (WpTrace *self)
{
  for (WpId d = 1; d < self->disks.len; d++)
    {
      const WpDisk *disk = &self->disks.data[d];
      WpId op = disk->active != 0 ? disk->active : disk->queue;

      if (op != 0 && !wp_trace_has_device_name (self, disk->dev))
        wp_trace_set_device_name (self, disk->dev, wp_trace_task_name (self, self->ops.data[op].task));
    }
}

gboolean
wp_trace_parse_device (const char *text, guint32 *dev)
{
  char *end;
  guint64 major = g_ascii_strtoull (text, &end, 10), minor;

  if (end == text || *end != ':' || major > 0xfff)
    return FALSE;
  text = end + 1;
  minor = g_ascii_strtoull (text, &end, 10);
  if (end == text || *end != '\0' || minor > 0xfffff)
    return FALSE;
  *dev = wp_device_number (major, minor);
  return TRUE;
}
