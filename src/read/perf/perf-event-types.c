#include "read/perf/perf-event-types.h"

#include "read/perf/perf-decode.h"

struct WpPerfEventTypes
{
  const WpPerfFile *file;
  WpPerfEventType *types; /* by row of the file's attributes */
  guint32 n;
  WpPairMap resolved;     /* tracepoint's number, in halves → row of the first event type of it + 1 */
};

static WpPerfField
field_of (struct tep_format_field *field)
{
  if (field == NULL || field->offset < 0 || field->offset > 4096 || field->size <= 0 || field->size > 4096)
    return (WpPerfField){ 0 };
  return (WpPerfField){ .offset = field->offset, .size = field->size,
                        .dynamic = (field->flags & TEP_FIELD_IS_DYNAMIC) != 0,
                        .is_signed = (field->flags & TEP_FIELD_IS_SIGNED) != 0 };
}

static WpPerfField
find_field (struct tep_event *event, const char *names)
{
  g_auto (GStrv) alternatives = g_strsplit (names, "|", -1);
  struct tep_format_field *field = NULL;

  for (guint i = 0; alternatives[i] != NULL && field == NULL; i++)
    field = tep_find_field (event, alternatives[i]);
  return field_of (field);
}

/* A kernel probe's argument has any name: it is the field behind the probe's own address. */
static WpPerfField
find_argument (struct tep_event *event)
{
  struct tep_format_field *field = event->format.fields;

  while (field != NULL && g_str_has_prefix (field->name, "__probe"))
    field = field->next;
  return field_of (field);
}

static void
resolve_fields (WpPerfEventType *type, struct tep_event *event)
{
  const char *const *fields = wp_perf_shape_fields (type->tracepoint->shape);

  type->kind = type->tracepoint->kind;
  for (guint i = 0; i < WP_FIELDS_MAX && fields[i] != NULL; i++)
    type->fields[i] = find_field (event, fields[i]);
  if (type->tracepoint->shape == WP_SHAPE_SOCKET && type->fields[0].size == 0)
    type->fields[0] = find_argument (event);
}

/* Event types of one tracepoint are looked up once. */
static void
resolve_tracepoint (WpPerfEventTypes *self, guint32 row, WpPerfEventType *type)
{
  const guint64 number = self->file->attrs.data[row].attr.config;
  struct tep_event *event = wp_perf_formats_find (self->file->formats, number);
  guint32 *first = wp_pair_map_at (&self->resolved, (guint32) number, (guint32) (number >> 32));
  WpStrings *strings = self->file->reader->trace->strings;
  g_autofree char *name = NULL;

  if (*first == 0)
    *first = row + 1;
  if (event == NULL)
    {
      if (type->name == 0)
        type->name = wp_strings_intern (strings, "unknown tracepoint");
      return;
    }
  if (*first != row + 1)
    {
      *type = self->types[*first - 1];
      return;
    }
  name = g_strdup_printf ("%s:%s", event->system, event->name);
  type->name = wp_strings_intern_text (strings, name, -1);
  type->flags = field_of (tep_find_common_field (event, "common_flags"));
  type->has_flags = type->flags.size == 1;
  type->tracepoint = wp_tracepoint_find (name);
  if (type->tracepoint != NULL)
    resolve_fields (type, event);
}

static const char *
plain_name (const struct perf_event_attr *attr)
{
  static const char *const hardware[] = { "cycles", "instructions", "cache-references", "cache-misses", "branches",
                                          "branch-misses", "bus-cycles", "stalled-cycles-frontend",
                                          "stalled-cycles-backend", "ref-cycles" };
  static const char *const software[] = { "cpu-clock", "task-clock", "page-faults", "context-switches",
                                          "cpu-migrations", "minor-faults", "major-faults", "alignment-faults",
                                          "emulation-faults", "dummy",
                                          "bpf-output", "cgroup-switches" };

  if (attr->type == PERF_TYPE_HARDWARE && attr->config < G_N_ELEMENTS (hardware))
    return hardware[attr->config];
  if (attr->type == PERF_TYPE_SOFTWARE && attr->config < G_N_ELEMENTS (software))
    return software[attr->config];
  return "unknown event";
}

static void
resolve (WpPerfEventTypes *self, guint32 row)
{
  const WpPerfAttr *attr = &self->file->attrs.data[row];
  WpTrace *trace = self->file->reader->trace;
  WpPerfEventType *type = &self->types[row];
  gboolean bpf = attr->attr.type == PERF_TYPE_SOFTWARE && attr->attr.config == PERF_COUNT_SW_BPF_OUTPUT;

  type->kind = WP_EVENT_OTHER;
  type->name = attr->name;
  if (attr->attr.type == PERF_TYPE_TRACEPOINT)
    {
      resolve_tracepoint (self, row, type);
      if (attr->attr.freq || attr->attr.sample_period != 1)
        trace->diagnostics.n[WP_DIAG_THINNED_EVENTS]++;
      return;
    }
  type->kind = bpf ? WP_EVENT_OTHER : WP_EVENT_SAMPLE;
  if (type->name == 0)
    type->name = wp_strings_intern (trace->strings, plain_name (&attr->attr));
}

WpPerfEventTypes *
wp_perf_event_types_new (const WpPerfFile *file)
{
  WpPerfEventTypes *self = g_new0 (WpPerfEventTypes, 1);

  self->file = file;
  self->n = file->attrs.len;
  self->types = g_new0 (WpPerfEventType, self->n);
  for (guint32 i = 0; i < self->n; i++)
    resolve (self, i);
  return self;
}

void
wp_perf_event_types_free (WpPerfEventTypes *self)
{
  if (self == NULL)
    return;
  wp_pair_map_clear (&self->resolved);
  g_free (self->types);
  g_free (self);
}

const WpPerfEventType *
wp_perf_event_type (const WpPerfEventTypes *self, guint32 row)
{
  return &self->types[row];
}

const WpPerfEventType *
wp_perf_switch_type (const WpPerfEventTypes *self, const WpPerfAttr *attr)
{
  gsize row = (gsize) (attr - self->file->attrs.data);

  return row < self->n && self->types[row].kind == WP_EVENT_SWITCH ? &self->types[row] : NULL;
}
