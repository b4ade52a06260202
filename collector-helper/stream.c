/* The head of a perf.data stream; see stream.h. The layouts are those of perf's tools/perf/Documentation/
 * perf.data-file-format.txt and of trace.dat version 0.6 for the formats of tracepoints. */
#include "stream.h"

#include "kernel-symbols.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

enum
{
  RECORD_HEADER_ATTR = 64,
  RECORD_HEADER_TRACING_DATA = 66,
  RECORD_FINISHED_ROUND = 68,
  RECORD_HEADER_FEATURE = 80,
};

enum
{
  FEATURE_HOSTNAME = 3,
  FEATURE_OSRELEASE = 4,
  FEATURE_ARCH = 6,
  FEATURE_NRCPUS = 7,
  FEATURE_CPUDESC = 8,
};

int
wpc_write (const void *data, size_t len)
{
  const char *p = data;

  while (len > 0)
    {
      ssize_t n = write (STDOUT_FILENO, p, len);

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        return errno;
      p += n;
      len -= (size_t) n;
    }
  return 0;
}

void
wpc_record_begin (WpcBuffer *record, uint32_t type, uint16_t misc)
{
  struct perf_event_header header = { .type = type, .misc = misc };

  record->len = 0;
  wpc_buffer_add (record, &header, sizeof header);
}

void
wpc_record_end (WpcBuffer *record)
{
  struct perf_event_header *header;

  wpc_buffer_align (record, 8);
  header = (void *) record->data;
  header->size = (uint16_t) record->len;
}

static int
write_record (WpcBuffer *record, WpcCounters *counters)
{
  wpc_record_end (record);
  counters->bytes += record->len;
  return wpc_write (record->data, record->len);
}

int
wpc_write_round (void)
{
  struct perf_event_header header = { .type = RECORD_FINISHED_ROUND, .size = sizeof header };

  return wpc_write (&header, sizeof header);
}

/* --- attributes --------------------------------------------------------------------------------------------------- */

static int
write_attrs (const WpcEvents *events, WpcBuffer *record, WpcCounters *counters)
{
  int error = 0;

  for (int k = 0; k < events->n_instances && error == 0; k++)
    {
      const WpcInstance *instance = &events->instances[k];

      wpc_record_begin (record, RECORD_HEADER_ATTR, 0);
      wpc_buffer_add (record, &instance->attr, sizeof instance->attr);
      wpc_buffer_add (record, instance->ids, (size_t) events->n_cpus * sizeof *instance->ids);
      error = write_record (record, counters);
    }
  return error;
}

/* --- tracing data ------------------------------------------------------------------------------------------------- */

/* A 64-bit size, then the file. One that cannot be read becomes empty. */
static void
add_sized_file (WpcBuffer *data, const char *path)
{
  size_t at = data->len;
  uint64_t size;

  wpc_buffer_add_u64 (data, 0);
  wpc_buffer_add_file (data, path);
  size = data->len - at - sizeof size;
  memcpy (data->data + at, &size, sizeof size);
}

/* True for the first instance of its tracepoint. */
static bool
is_first (const WpcEvents *events, int k)
{
  for (int i = 0; i < k; i++)
    if (wpc_instance_system (&events->instances[i]) != NULL &&
        strcmp (wpc_instance_name (&events->instances[i]), wpc_instance_name (&events->instances[k])) == 0)
      return false;
  return wpc_instance_system (&events->instances[k]) != NULL;
}

static bool
in_system (const WpcEvents *events, int k, const char *system)
{
  return is_first (events, k) && strcmp (wpc_instance_system (&events->instances[k]), system) == 0;
}

static void
add_system (const WpcEvents *events, const char *system, WpcBuffer *data)
{
  char path[192];
  uint32_t n = 0;

  for (int k = 0; k < events->n_instances; k++)
    n += in_system (events, k, system);
  wpc_buffer_add_string (data, system);
  wpc_buffer_add_u32 (data, n);
  for (int k = 0; k < events->n_instances; k++)
    if (in_system (events, k, system))
      {
        snprintf (path, sizeof path, "%s/events/%s/%s/format", wpc_tracefs, wpc_instance_folder (&events->instances[k]),
                  wpc_instance_name (&events->instances[k]));
        add_sized_file (data, path);
      }
}

/* The first event of a system stands for it. */
static bool
starts_system (const WpcEvents *events, int k)
{
  if (!is_first (events, k))
    return false;
  for (int i = 0; i < k; i++)
    if (in_system (events, i, wpc_instance_system (&events->instances[k])))
      return false;
  return true;
}

static void
add_formats (const WpcEvents *events, WpcBuffer *data)
{
  uint32_t n = 0;

  for (int k = 0; k < events->n_instances; k++)
    n += starts_system (events, k);
  wpc_buffer_add_u32 (data, n);
  for (int k = 0; k < events->n_instances; k++)
    if (starts_system (events, k))
      add_system (events, wpc_instance_system (&events->instances[k]), data);
}

static void
add_tracing_head (WpcBuffer *data)
{
  static const char magic[] = "\027\010\104tracing0.6"; /* with its final 0 */
  static const char *const files[] = { "header_page", "header_event" };
  const char order[2] = { __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__, sizeof (long) };
  char path[128];

  wpc_buffer_add (data, magic, sizeof magic);
  wpc_buffer_add (data, order, sizeof order);
  wpc_buffer_add_u32 (data, (uint32_t) sysconf (_SC_PAGESIZE));
  for (int i = 0; i < 2; i++)
    {
      wpc_buffer_add_string (data, files[i]);
      snprintf (path, sizeof path, "%s/events/%s", wpc_tracefs, files[i]);
      add_sized_file (data, path);
    }
  wpc_buffer_add_u32 (data, 0); /* events of ftrace itself */
}

static void
add_kernel_symbols (WpcEvents *events, WpcBuffer *data)
{
  size_t at = data->len;
  uint32_t size;

  wpc_buffer_add_u32 (data, 0);
  if (!wpc_add_kallsyms (data))
    wpc_events_add_missing (events, "kernel symbols", "the kernel does not show their addresses",
                            "functions of the kernel have no names, and causes of wakeups are not known");
  size = (uint32_t) (data->len - at - sizeof size);
  memcpy (data->data + at, &size, sizeof size);
}

/* Its header, unlike all others, is 12 bytes long and counts itself only; the padded data follow. */
static int
write_tracing_data (WpcEvents *events, WpcCounters *counters)
{
  struct perf_event_header header = { .type = RECORD_HEADER_TRACING_DATA, .size = sizeof header + sizeof (uint32_t) };
  WpcBuffer data = { 0 };
  uint32_t size;
  int error;

  add_tracing_head (&data);
  add_formats (events, &data);
  add_kernel_symbols (events, &data);
  wpc_buffer_add_u32 (&data, 0); /* printk formats */
  wpc_buffer_add_u64 (&data, 0); /* saved command names */
  wpc_buffer_align (&data, 8);
  size = (uint32_t) data.len;
  error = wpc_write (&header, sizeof header);
  if (error == 0)
    error = wpc_write (&size, sizeof size);
  if (error == 0)
    error = wpc_write (data.data, data.len);
  counters->bytes += header.size + data.len;
  wpc_buffer_clear (&data);
  return error;
}

/* --- features ----------------------------------------------------------------------------------------------------- */

static void
begin_feature (WpcBuffer *record, uint64_t feature)
{
  wpc_record_begin (record, RECORD_HEADER_FEATURE, 0);
  wpc_buffer_add_u64 (record, feature);
}

static int
write_text (WpcBuffer *record, uint64_t feature, const char *text, WpcCounters *counters)
{
  size_t padded = (strlen (text) + 1 + 63) / 64 * 64;

  begin_feature (record, feature);
  wpc_buffer_add_u32 (record, (uint32_t) padded);
  wpc_buffer_add (record, text, strlen (text));
  wpc_buffer_add (record, NULL, padded - strlen (text));
  return write_record (record, counters);
}

static void
find_cpu_name (char *name, size_t size)
{
  WpcBuffer text = { 0 };
  const char *at = NULL;

  name[0] = '\0';
  if (wpc_buffer_add_file (&text, "/proc/cpuinfo") == 0)
    {
      wpc_buffer_add (&text, NULL, 1);
      at = strstr (text.data, "model name");
    }
  if (at != NULL && (at = strchr (at, ':')) != NULL)
    snprintf (name, size, "%.*s", (int) strcspn (at + 2, "\n"), at + 2);
  wpc_buffer_clear (&text);
}

static int
write_features (WpcBuffer *record, WpcCounters *counters)
{
  struct utsname system;
  char cpu[128];
  int error;

  if (uname (&system) != 0)
    return errno;
  find_cpu_name (cpu, sizeof cpu);
  error = write_text (record, FEATURE_HOSTNAME, system.nodename, counters);
  if (error == 0)
    error = write_text (record, FEATURE_OSRELEASE, system.release, counters);
  if (error == 0)
    error = write_text (record, FEATURE_ARCH, system.machine, counters);
  if (error == 0 && cpu[0] != '\0')
    error = write_text (record, FEATURE_CPUDESC, cpu, counters);
  if (error != 0)
    return error;
  begin_feature (record, FEATURE_NRCPUS);
  wpc_buffer_add_u32 (record, (uint32_t) sysconf (_SC_NPROCESSORS_CONF));
  wpc_buffer_add_u32 (record, (uint32_t) sysconf (_SC_NPROCESSORS_ONLN));
  return write_record (record, counters);
}

int
wpc_write_head (WpcEvents *events, WpcCounters *counters)
{
  static const struct
  {
    char magic[8];
    uint64_t size;
  } head = { { 'P', 'E', 'R', 'F', 'I', 'L', 'E', '2' }, sizeof head };
  WpcBuffer record = { 0 };
  int error = wpc_write (&head, sizeof head);

  counters->bytes += sizeof head;
  if (error == 0)
    error = write_attrs (events, &record, counters);
  if (error == 0)
    error = write_tracing_data (events, counters);
  if (error == 0)
    error = write_features (&record, counters);
  wpc_buffer_clear (&record);
  return error;
}
