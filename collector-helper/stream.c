/* The head of a perf.data stream; see stream.h. The layouts are those of perf's tools/perf/Documentation/
 * perf.data-file-format.txt and of trace.dat version 0.6 for the formats of tracepoints. */
#include "stream.h"

#include "caller.h"
#include "kernel-symbols.h"
#include "pen.h"

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#define FILE_MAX (1u << 20)          /* of a tracepoint's format */
#define MISSING_MAX (UINT16_MAX - 256) /* what fits into a record */

enum
{
  RECORD_HEADER_ATTR = 64,
  RECORD_HEADER_EVENT_TYPE = 65, /* Wakepath's own features are in records of this type: perf skips them */
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

/* As src/read/perf/perf-numbers.h has them. */
#define FEATURES_OWN UINT64_C (0x77616b6570617400)
#define FEATURE_RECORDER (FEATURES_OWN + 200) /* JSON about the recording */
#define FEATURE_PAUSE (FEATURES_OWN + 202)
#define FEATURE_WAIT (FEATURES_OWN + 205)
#define FEATURE_RATE (FEATURES_OWN + 206)

size_t
wpc_record_begin (WpcBuffer *out, uint32_t type, uint16_t misc)
{
  struct perf_event_header header = { .type = type, .misc = misc };
  size_t at = out->len;

  wpc_buffer_add (out, &header, sizeof header);
  return at;
}

void
wpc_record_pad (WpcBuffer *out, size_t at)
{
  wpc_buffer_add (out, NULL, (8 - (out->len - at) % 8) % 8);
}

void
wpc_record_end (WpcBuffer *out, size_t at)
{
  struct perf_event_header *header;

  wpc_record_pad (out, at);
  header = (void *) (out->data + at);
  header->size = (uint16_t) (out->len - at);
}

size_t
wpc_wait_begin (WpcBuffer *out, unsigned pid, unsigned tid)
{
  size_t at = wpc_record_begin (out, RECORD_HEADER_EVENT_TYPE, 0);

  wpc_buffer_add_u64 (out, FEATURE_WAIT);
  wpc_buffer_add_u32 (out, pid);
  wpc_buffer_add_u32 (out, tid);
  return at;
}

int
wpc_write_round (WpcCounters *counters)
{
  struct perf_event_header header = { .type = RECORD_FINISHED_ROUND, .size = sizeof header };

  counters->bytes += sizeof header;
  return wpc_write (STDOUT_FILENO, &header, sizeof header);
}

int
wpc_write_with_pen (const void *data, size_t length, WpcCounters *counters)
{
  int error = wpc_pen_take ();

  if (error != 0)
    return error;
  counters->bytes += length;
  error = wpc_write (STDOUT_FILENO, data, length);
  wpc_pen_give ();
  return error;
}

int
wpc_write_pause (int64_t start, int64_t end, WpcCounters *counters)
{
  struct
  {
    struct perf_event_header header;
    uint64_t feature;
    int64_t start, end;
  } record = { { .type = RECORD_HEADER_EVENT_TYPE, .size = sizeof record }, FEATURE_PAUSE, start, end };

  return wpc_write_with_pen (&record, sizeof record, counters);
}

int
wpc_write_rate (int64_t time, unsigned rate, WpcCounters *counters)
{
  struct
  {
    struct perf_event_header header;
    uint64_t feature;
    int64_t time;
    uint64_t rate;
  } record = { { .type = RECORD_HEADER_EVENT_TYPE, .size = sizeof record }, FEATURE_RATE, time, rate };

  return wpc_write_with_pen (&record, sizeof record, counters);
}

int
wpc_write_lost (int cpu, uint64_t id, uint64_t lost, WpcCounters *counters)
{
  struct
  {
    struct perf_event_header header;
    uint64_t id, lost;
    uint32_t pid, tid; /* from here on as set_common() in events.c asks for */
    int64_t time;
    uint32_t cpu, reserved;
    uint64_t identifier;
  } record = { { .type = PERF_RECORD_LOST, .size = sizeof record }, id, lost, 0, 0, wpc_now_ns (), (uint32_t) cpu, 0, id };

  counters->lost += lost;
  return wpc_write_with_pen (&record, sizeof record, counters);
}

/* --- attributes --------------------------------------------------------------------------------------------------- */

static void
add_attrs (const WpcEvents *events, WpcBuffer *out)
{
  for (int k = 0; k < events->n_instances; k++)
    {
      const WpcInstance *instance = &events->instances[k];
      size_t at = wpc_record_begin (out, RECORD_HEADER_ATTR, 0);

      wpc_buffer_add (out, &instance->attr, sizeof instance->attr);
      wpc_buffer_add (out, instance->ids, (size_t) instance->n * sizeof *instance->ids);
      wpc_record_end (out, at);
    }
}

/* --- tracing data ------------------------------------------------------------------------------------------------- */

/* A 64-bit size, then the file. One that cannot be read becomes empty. */
static void
add_sized_file (WpcBuffer *data, const char *path)
{
  size_t at = data->len;
  uint64_t size;

  wpc_buffer_add_u64 (data, 0);
  wpc_buffer_add_file (data, path, FILE_MAX);
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
  bool cut = false;

  wpc_buffer_add_u32 (data, 0);
  if (!wpc_add_kallsyms (data, &cut))
    wpc_missing_add (&events->missing, "kernel symbols", "the kernel does not show their addresses",
                     "functions of the kernel have no names, and causes of wakeups are not known");
  if (cut)
    wpc_missing_add (&events->missing, "kernel symbols", "there are too many of them, and the last ones were cut",
                     "some functions of the kernel have no names");
  size = (uint32_t) (data->len - at - sizeof size);
  memcpy (data->data + at, &size, sizeof size);
}

/* Its header, unlike all others, is 12 bytes long and counts itself only; the padded data follow. */
static void
add_tracing_data (WpcEvents *events, WpcBuffer *out)
{
  struct perf_event_header header = { .type = RECORD_HEADER_TRACING_DATA, .size = sizeof header + sizeof (uint32_t) };
  uint32_t size;
  size_t at;

  wpc_buffer_add (out, &header, sizeof header);
  wpc_buffer_add_u32 (out, 0);
  at = out->len;
  add_tracing_head (out);
  add_formats (events, out);
  add_kernel_symbols (events, out);
  wpc_buffer_add_u32 (out, 0); /* printk formats */
  wpc_buffer_add_u64 (out, 0); /* saved command names */
  wpc_record_pad (out, at);
  size = (uint32_t) (out->len - at);
  memcpy (out->data + at - sizeof size, &size, sizeof size);
}

/* --- features ----------------------------------------------------------------------------------------------------- */

static size_t
begin_feature (WpcBuffer *out, uint64_t feature)
{
  size_t at = wpc_record_begin (out, RECORD_HEADER_FEATURE, 0);

  wpc_buffer_add_u64 (out, feature);
  return at;
}

static void
add_text (WpcBuffer *out, uint64_t feature, const char *text)
{
  size_t padded = (strlen (text) + 1 + 63) / 64 * 64, at = begin_feature (out, feature);

  wpc_buffer_add_u32 (out, (uint32_t) padded);
  wpc_buffer_add (out, text, strlen (text));
  wpc_buffer_add (out, NULL, padded - strlen (text));
  wpc_record_end (out, at);
}

static void
find_cpu_name (char *name, size_t size)
{
  char text[4096];
  const char *at = NULL;

  name[0] = '\0';
  if (wpc_read_text ("/proc/cpuinfo", text, sizeof text) == 0)
    at = strstr (text, "model name");
  if (at != NULL && (at = strchr (at, ':')) != NULL && at[1] == ' ')
    snprintf (name, size, "%.*s", (int) strcspn (at + 2, "\n"), at + 2);
}

static void
add_features (WpcBuffer *out)
{
  struct utsname system = { 0 };
  char cpu[128];
  size_t at;

  uname (&system);
  find_cpu_name (cpu, sizeof cpu);
  add_text (out, FEATURE_HOSTNAME, system.nodename);
  add_text (out, FEATURE_OSRELEASE, system.release);
  add_text (out, FEATURE_ARCH, system.machine);
  if (cpu[0] != '\0')
    add_text (out, FEATURE_CPUDESC, cpu);
  at = begin_feature (out, FEATURE_NRCPUS);
  wpc_buffer_add_u32 (out, (uint32_t) sysconf (_SC_NPROCESSORS_CONF));
  wpc_buffer_add_u32 (out, (uint32_t) sysconf (_SC_NPROCESSORS_ONLN));
  wpc_record_end (out, at);
}

void
wpc_add_missing (const WpcMissing *missing, WpcBuffer *out)
{
  static const char before[] = "{\"missing\":\"", after[] = "\"}";
  size_t at;

  if (missing->lines.len == 0 || missing->lines.len > MISSING_MAX)
    return;
  at = wpc_record_begin (out, RECORD_HEADER_EVENT_TYPE, 0);
  wpc_buffer_add_u64 (out, FEATURE_RECORDER);
  wpc_buffer_add (out, before, sizeof before - 1);
  wpc_buffer_add (out, missing->lines.data, missing->lines.len);
  wpc_buffer_add (out, after, sizeof after);
  wpc_record_end (out, at);
}

void
wpc_add_head (WpcEvents *events, WpcBuffer *out)
{
  static const struct
  {
    char magic[8];
    uint64_t size;
  } head = { { 'P', 'E', 'R', 'F', 'I', 'L', 'E', '2' }, sizeof head };

  wpc_buffer_add (out, &head, sizeof head);
  add_attrs (events, out);
  add_tracing_data (events, out);
  add_features (out);
}
