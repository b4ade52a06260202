/* Version 60 of the processed format: the first one in which threads share all tables. profiler.firefox.com brings older versions up to date
 * (src/profile-logic/processed-profile-versioning.ts), so that newer ones open it, too. */
#include "stacks/firefox.h"

#include <math.h>

#include "base/json-writer.h"
#include "base/pair-map.h"
#include "stacks/in-time.h"
#include "stacks/measure.h"

#define PROCESSED_VERSION 60
#define GECKO_VERSION 33 /* of the same time */
#define LIBRARY 1        /* a kind of resource */
#define NS_PER_MS 1e6
#define LARGEST_EXACT (G_GUINT64_CONSTANT (1) << 53) /* number of JavaScript */

/* A row of frameTable: a function of a location. */
typedef struct
{
  WpId location;
  guint32 line;  /* of `lines`; 0: nothing but the address is known */
  guint32 depth; /* of inlined functions; the outermost is 0 */
  guint32 func;
} Frame;

/* A row of funcTable. */
typedef struct
{
  guint32 name; /* a text's number */
  WpId module;
  WpId function; /* 0: the name is an address */
} Func;

/* A row of stackTable. */
typedef struct
{
  guint32 prefix; /* a row, one more; 0: none */
  guint32 frame;
} Stack;

typedef struct
{
  const WpStacks *stacks;
  WpJsonWriter *json;
  guint32 type, cpu_type; /* cpu_type: the number of types where there is none */
  const char *weight;     /* "samples", "tracing-ms" or "bytes" */
  double weight_factor, cpu_factor;
  GPtrArray *strings;       /* text's number → text */
  GHashTable *string_rows;  /* text → its number, one more */
  WpPairMap func_rows;      /* function, module → row, one more */
  WP_ARRAY (Func) funcs;
  WP_ARRAY (Frame) frames;
  guint32 *first_frame;     /* location → its outermost one, one more; 0: not written */
  WP_ARRAY (Stack) rows;
  WpPairMap stack_rows;     /* prefix, frame → row, one more */
  guint32 *node_rows;       /* stack → row, one more; 0: not written, or empty */
  WpIdArray files;          /* row of sources → text */
  WpPairMap file_rows;      /* text, 0 → row, one more */
  WpTimedSamples samples;
} Writer;

/* --- tables ------------------------------------------------------------------------------------------------------- */

static guint32
string_row (Writer *self, const char *text)
{
  gpointer found = g_hash_table_lookup (self->string_rows, text);

  if (found != NULL)
    return GPOINTER_TO_UINT (found) - 1;
  g_ptr_array_add (self->strings, g_strdup (text));
  g_hash_table_insert (self->string_rows, self->strings->pdata[self->strings->len - 1], GUINT_TO_POINTER (self->strings->len));
  return self->strings->len - 1;
}

static guint32
shown_row (Writer *self, WpId text)
{
  g_autofree char *changed = NULL;

  return string_row (self, wp_stacks_shown (self->stacks, text, &changed));
}

static guint32
func_row (Writer *self, WpId function, const WpLocation *location)
{
  guint32 *known = wp_pair_map_at (&self->func_rows, function, location->module);

  if (*known == 0)
    {
      wp_array_push (&self->funcs, ((Func) { shown_row (self, self->stacks->frames->functions.data[function].name), location->module, function }));
      *known = self->funcs.len;
    }
  return *known - 1;
}

/* The address within the file; −1: not known, or not a number that JavaScript has. */
static gint64
relative_address (const Writer *self, const WpLocation *location)
{
  const WpStackModule *module = &self->stacks->frames->modules.data[location->module];
  guint64 address = location->address >= module->start ? location->address - module->start + module->offset : location->address;

  return address == 0 || address > LARGEST_EXACT ? -1 : (gint64) address;
}

/* All of a location, if they are not there. Returns the outermost one. */
static guint32
find_frames (Writer *self, WpId id)
{
  const WpFrames *frames = self->stacks->frames;
  const WpLocation *location = &frames->locations.data[id];

  if (self->first_frame[id] != 0)
    return self->first_frame[id] - 1;
  self->first_frame[id] = self->frames.len + 1;
  for (guint32 depth = 0; depth < location->n_lines; depth++)
    {
      guint32 line = location->first_line + location->n_lines - 1 - depth;

      wp_array_push (&self->frames, ((Frame) { id, line + 1, depth, func_row (self, frames->lines.data[line].function, location) }));
    }
  if (location->n_lines == 0)
    {
      gint64 address = relative_address (self, location);
      g_autofree char *name = g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", address >= 0 ? (guint64) address : location->address);

      wp_array_push (&self->funcs, ((Func) { string_row (self, name), location->module, 0 }));
      wp_array_push (&self->frames, ((Frame) { id, 0, 0, self->funcs.len - 1 }));
    }
  return self->first_frame[id] - 1;
}

/* The row of a frame on top of another one, one more. */
static guint32
stack_row (Writer *self, guint32 prefix, guint32 frame)
{
  guint32 *known = wp_pair_map_at (&self->stack_rows, prefix, frame);

  if (*known == 0)
    {
      wp_array_push (&self->rows, ((Stack) { prefix, frame }));
      *known = self->rows.len;
    }
  return *known;
}

/* Stacks that samples have, and those that they stand on; those have smaller numbers. */
static void
gather_stacks (Writer *self)
{
  const WpStacks *stacks = self->stacks;
  const WpFrames *frames = stacks->frames;
  g_autofree guint8 *wanted = g_new0 (guint8, frames->nodes.len);

  self->node_rows = g_new0 (guint32, frames->nodes.len);
  self->first_frame = g_new0 (guint32, frames->locations.len);
  for (guint32 i = 0; i < stacks->n_samples; i++)
    wanted[stacks->sample_stacks.data[i]] = TRUE;
  for (WpId node = frames->nodes.len; node-- > 1;)
    if (wanted[node])
      wanted[frames->nodes.data[node].prefix] = TRUE;
  for (WpId node = 1; node < frames->nodes.len; node++)
    if (wanted[node])
      {
        const WpStackNode *row = &frames->nodes.data[node];
        guint32 at = self->node_rows[row->prefix];

        for (guint32 i = 0; i < row->n; i++)
          {
            WpId location = wp_runs_get (&frames->runs, row->first + i);
            guint32 frame = find_frames (self, location);

            for (guint32 n = MAX (frames->locations.data[location].n_lines, 1); n > 0; n--)
              at = stack_row (self, at, frame++);
          }
        self->node_rows[node] = at;
      }
}

static guint32
file_row (Writer *self, WpId file)
{
  guint32 *known = wp_pair_map_at (&self->file_rows, file, 0);

  if (*known == 0)
    {
      wp_array_push (&self->files, file);
      *known = self->files.len;
    }
  return *known - 1;
}

/* --- columns ------------------------------------------------------------------------------------------------------ */

static void
put_null (const Writer *self)
{
  g_string_append (wp_json_writer_value (self->json, NULL), "null");
}

static void
put_positive (const Writer *self, gint64 value)
{
  if (value > 0)
    wp_json_writer_int (self->json, NULL, value);
  else
    put_null (self);
}

/* A column of n cells, of which each is written by the statement, in which `i` is the row. */
#define PUT_COLUMN(self, name, n, statement)                                                                                             \
  G_STMT_START                                                                                                                           \
  {                                                                                                                                      \
    wp_json_writer_array ((self)->json, name, WP_JSON_TIGHT);                                                                            \
    for (guint32 i = 0; i < (n); i++)                                                                                                    \
      statement;                                                                                                                         \
    wp_json_writer_end ((self)->json);                                                                                                   \
  }                                                                                                                                      \
  G_STMT_END

#define PUT_ZEROS(self, name, n) PUT_COLUMN (self, name, n, wp_json_writer_int ((self)->json, NULL, 0))
#define PUT_NULLS(self, name, n) PUT_COLUMN (self, name, n, put_null (self))
#define PUT_FALSE(self, name, n) PUT_COLUMN (self, name, n, wp_json_writer_bool ((self)->json, NULL, FALSE))

static void
begin_table (const Writer *self, const char *name, guint32 length)
{
  wp_json_writer_object (self->json, name, WP_JSON_LINES);
  wp_json_writer_uint (self->json, "length", length);
}

static void
put_stack_table (const Writer *self)
{
  WpJsonWriter *json = self->json;

  begin_table (self, "stackTable", self->rows.len);
  PUT_COLUMN (self, "frame", self->rows.len, wp_json_writer_uint (json, NULL, self->rows.data[i].frame));
  wp_json_writer_array (json, "prefix", WP_JSON_TIGHT);
  for (guint32 i = 0; i < self->rows.len; i++)
    if (self->rows.data[i].prefix > 0)
      wp_json_writer_uint (json, NULL, self->rows.data[i].prefix - 1);
    else
      put_null (self);
  wp_json_writer_end (json);
  wp_json_writer_end (json);
}

static const WpStackLine *
line_of (const Writer *self, guint32 frame)
{
  static const WpStackLine none;

  return self->frames.data[frame].line > 0 ? &self->stacks->frames->lines.data[self->frames.data[frame].line - 1] : &none;
}

static void
put_frame_table (const Writer *self)
{
  const WpFrames *frames = self->stacks->frames;
  guint32 n = self->frames.len;
  WpJsonWriter *json = self->json;

  begin_table (self, "frameTable", n);
  PUT_COLUMN (self, "address", n, wp_json_writer_int (json, NULL, relative_address (self, &frames->locations.data[self->frames.data[i].location])));
  PUT_COLUMN (self, "inlineDepth", n, wp_json_writer_uint (json, NULL, self->frames.data[i].depth));
  PUT_ZEROS (self, "category", n);
  PUT_ZEROS (self, "subcategory", n);
  PUT_COLUMN (self, "func", n, wp_json_writer_uint (json, NULL, self->frames.data[i].func));
  PUT_NULLS (self, "nativeSymbol", n);
  PUT_ZEROS (self, "innerWindowID", n);
  PUT_COLUMN (self, "line", n, put_positive (self, line_of (self, i)->line));
  PUT_COLUMN (self, "column", n, put_positive (self, line_of (self, i)->column));
  wp_json_writer_end (json);
}

static void
put_source (Writer *self, const Func *func)
{
  WpId file = self->stacks->frames->functions.data[func->function].file;

  if (file != 0)
    wp_json_writer_uint (self->json, NULL, file_row (self, file));
  else
    put_null (self);
}

static void
put_func_table (Writer *self)
{
  const WpFrames *frames = self->stacks->frames;
  guint32 n = self->funcs.len;
  WpJsonWriter *json = self->json;

  begin_table (self, "funcTable", n);
  PUT_COLUMN (self, "name", n, wp_json_writer_uint (json, NULL, self->funcs.data[i].name));
  PUT_FALSE (self, "isJS", n);
  PUT_FALSE (self, "relevantForJS", n);
  PUT_COLUMN (self, "resource", n, wp_json_writer_int (json, NULL, (gint64) self->funcs.data[i].module - 1));
  PUT_COLUMN (self, "source", n, put_source (self, &self->funcs.data[i]));
  PUT_COLUMN (self, "lineNumber", n, put_positive (self, frames->functions.data[self->funcs.data[i].function].start_line));
  PUT_NULLS (self, "columnNumber", n);
  wp_json_writer_end (json);
}

/* Modules are resources and libs of the same numbers. */
static void
put_resource_table (Writer *self)
{
  guint32 n = self->stacks->frames->modules.len - 1;
  WpJsonWriter *json = self->json;

  begin_table (self, "resourceTable", n);
  PUT_COLUMN (self, "lib", n, wp_json_writer_uint (json, NULL, i));
  PUT_COLUMN (self, "name", n, wp_json_writer_uint (json, NULL, shown_row (self, self->stacks->frames->modules.data[i + 1].file)));
  PUT_NULLS (self, "host", n);
  PUT_COLUMN (self, "type", n, wp_json_writer_int (json, NULL, LIBRARY));
  wp_json_writer_end (json);
}

static void
put_sources (Writer *self)
{
  begin_table (self, "sources", self->files.len);
  PUT_NULLS (self, "uuid", self->files.len);
  PUT_COLUMN (self, "filename", self->files.len, wp_json_writer_uint (self->json, NULL, shown_row (self, self->files.data[i])));
  wp_json_writer_end (self->json);
}

/* A table without rows, which must be there. */
static void
put_empty_table (const Writer *self, const char *name, const char *const *columns)
{
  begin_table (self, name, 0);
  for (; *columns != NULL; columns++)
    {
      wp_json_writer_array (self->json, *columns, WP_JSON_TIGHT);
      wp_json_writer_end (self->json);
    }
  wp_json_writer_end (self->json);
}

/* Texts come last: all tables name some. */
static void
put_shared (Writer *self)
{
  wp_json_writer_object (self->json, "shared", WP_JSON_LINES);
  put_stack_table (self);
  put_frame_table (self);
  put_func_table (self);
  put_resource_table (self);
  put_empty_table (self, "nativeSymbols", (const char *const[]) { "libIndex", "address", "name", "functionSize", NULL });
  put_sources (self);
  wp_json_writer_array (self->json, "stringArray", WP_JSON_LINES);
  for (guint i = 0; i < self->strings->len; i++)
    wp_json_writer_string (self->json, NULL, self->strings->pdata[i]);
  wp_json_writer_end (self->json);
  wp_json_writer_end (self->json);
}

/* --- threads ------------------------------------------------------------------------------------------------------ */

static double
weight_of (const Writer *self, guint32 type, double factor, guint32 row)
{
  return (double) self->stacks->values[type].data[self->samples.data[row].sample] * factor;
}

static void
put_sample_stack (const Writer *self, guint32 row)
{
  guint32 stack = self->node_rows[self->stacks->sample_stacks.data[self->samples.data[row].sample]];

  if (stack > 0)
    wp_json_writer_uint (self->json, NULL, stack - 1);
  else
    put_null (self);
}

static void
put_samples (const Writer *self, guint32 first, guint32 n)
{
  WpJsonWriter *json = self->json;

  begin_table (self, "samples", n);
  PUT_COLUMN (self, "stack", n, put_sample_stack (self, first + i));
  PUT_COLUMN (self, "time", n, wp_json_writer_real (json, NULL, (double) self->samples.data[first + i].start / NS_PER_MS));
  PUT_COLUMN (self, "weight", n, wp_json_writer_real (json, NULL, weight_of (self, self->type, self->weight_factor, first + i)));
  wp_json_writer_string (json, "weightType", self->weight);
  if (self->cpu_type < self->stacks->types.len)
    PUT_COLUMN (self, "threadCPUDelta", n, wp_json_writer_real (json, NULL, weight_of (self, self->cpu_type, self->cpu_factor, first + i)));
  wp_json_writer_end (json);
}

static void
put_thread (const Writer *self, guint32 first, guint32 end)
{
  const WpStacks *stacks = self->stacks;
  guint32 id = self->samples.data[first].thread;
  const WpStackThread thread = id < stacks->threads.len ? stacks->threads.data[id] : (WpStackThread) { 0 };
  g_autofree char *pid = g_strdup_printf ("%" G_GINT64_FORMAT, thread.pid), *name = NULL, *process = NULL;
  WpJsonWriter *json = self->json;

  wp_json_writer_object (json, NULL, WP_JSON_LINES);
  wp_json_writer_string (json, "processType", "default");
  wp_json_writer_int (json, "processStartupTime", 0);
  g_string_append (wp_json_writer_value (json, "processShutdownTime"), "null");
  wp_json_writer_int (json, "registerTime", 0);
  g_string_append (wp_json_writer_value (json, "unregisterTime"), "null");
  wp_json_writer_array (json, "pausedRanges", WP_JSON_TIGHT);
  wp_json_writer_end (json);
  wp_json_writer_string (json, "name", wp_stacks_shown (stacks, thread.name, &name));
  wp_json_writer_bool (json, "isMainThread", thread.tid == thread.pid);
  if (thread.process != 0)
    wp_json_writer_string (json, "processName", wp_stacks_shown (stacks, thread.process, &process));
  wp_json_writer_string (json, "pid", pid);
  wp_json_writer_int (json, "tid", thread.tid);
  put_samples (self, first, end - first);
  put_empty_table (self, "markers", (const char *const[]) { "data", "name", "startTime", "endTime", "phase", "category", NULL });
  wp_json_writer_end (json);
}

static gboolean
put_threads (const Writer *self, WpProgress *progress, GError **error)
{
  wp_json_writer_array (self->json, "threads", WP_JSON_LINES);
  for (guint32 first = 0, end; first < self->samples.len; first = end)
    {
      end = wp_timed_samples_end (&self->samples, first);
      if (!wp_progress_step (progress, (double) first / self->samples.len, error))
        return FALSE;
      put_thread (self, first, end);
    }
  wp_json_writer_end (self->json);
  return TRUE;
}

/* --- the whole ---------------------------------------------------------------------------------------------------- */

static void
put_category (const Writer *self)
{
  WpJsonWriter *json = self->json;

  wp_json_writer_array (json, "categories", WP_JSON_TIGHT);
  wp_json_writer_object (json, NULL, WP_JSON_TIGHT);
  wp_json_writer_string (json, "name", "Other");
  wp_json_writer_string (json, "color", "grey");
  wp_json_writer_array (json, "subcategories", WP_JSON_TIGHT);
  wp_json_writer_string (json, NULL, "Other");
  wp_json_writer_end (json);
  wp_json_writer_end (json);
  wp_json_writer_end (json);
}

/* ms between two samples; 1, as Firefox has it, where that is not known. */
static double
interval_of (const WpStacks *stacks)
{
  const WpStacksHeader *header = &stacks->header;
  const char *unit = wp_stacks_text (stacks, header->period_type.unit);

  return header->period > 0 && wp_measure_is_alike (unit, "ns") ? (double) header->period * wp_measure_ratio (unit, "ns") / NS_PER_MS : 1;
}

/* Functions have their names: none are looked for elsewhere. */
static void
put_meta (const Writer *self)
{
  const WpStacksHeader *header = &self->stacks->header;
  WpJsonWriter *json = self->json;

  wp_json_writer_object (json, "meta", WP_JSON_LINES);
  wp_json_writer_int (json, "version", GECKO_VERSION);
  wp_json_writer_int (json, "preprocessedProfileVersion", PROCESSED_VERSION);
  wp_json_writer_string (json, "product", "Wakepath");
  wp_json_writer_string (json, "importedFrom", "Wakepath");
  wp_json_writer_int (json, "processType", 0);
  wp_json_writer_int (json, "stackwalk", 1);
  wp_json_writer_bool (json, "symbolicated", TRUE);
  wp_json_writer_bool (json, "usesOnlyOneStackType", TRUE);
  wp_json_writer_bool (json, "sourceCodeIsNotOnSearchfox", TRUE);
  wp_json_writer_real (json, "interval", interval_of (self->stacks));
  wp_json_writer_real (json, "startTime", (double) header->time / NS_PER_MS);
  wp_json_writer_array (json, "markerSchema", WP_JSON_TIGHT);
  wp_json_writer_end (json);
  put_category (self);
  wp_json_writer_object (json, "sampleUnits", WP_JSON_TIGHT);
  wp_json_writer_string (json, "time", "ms");
  wp_json_writer_string (json, "eventDelay", "ms");
  wp_json_writer_string (json, "threadCPUDelta", "ns");
  wp_json_writer_end (json);
  wp_json_writer_end (json);
}

static void
put_lib (const Writer *self, const WpStackModule *module)
{
  g_autofree char *changed = NULL, *id = NULL;
  const char *path = wp_stacks_shown (self->stacks, module->file, &changed);
  g_autofree char *name = g_path_get_basename (path);
  WpJsonWriter *json = self->json;

  wp_json_writer_object (json, NULL, WP_JSON_TIGHT);
  wp_json_writer_string (json, "arch", "");
  wp_json_writer_string (json, "name", name);
  wp_json_writer_string (json, "path", path);
  wp_json_writer_string (json, "debugName", name);
  wp_json_writer_string (json, "debugPath", path);
  wp_json_writer_string (json, "breakpadId", "");
  if (module->build_id != 0)
    wp_json_writer_string (json, "codeId", wp_stacks_shown (self->stacks, module->build_id, &id));
  else
    g_string_append (wp_json_writer_value (json, "codeId"), "null");
  wp_json_writer_end (json);
}

static void
put_libs (const Writer *self)
{
  wp_json_writer_array (self->json, "libs", WP_JSON_LINES);
  for (WpId i = 1; i < self->stacks->frames->modules.len; i++)
    put_lib (self, &self->stacks->frames->modules.data[i]);
  wp_json_writer_end (self->json);
}

/* What the format has types for; others count as samples. */
static void
choose_types (Writer *self)
{
  const WpStacks *stacks = self->stacks;
  const char *unit;

  self->type = wp_stacks_default_type (stacks);
  unit = wp_stacks_text (stacks, stacks->types.data[self->type].unit);
  self->weight = wp_measure_is_alike (unit, "ns") ? "tracing-ms" : wp_measure_is_alike (unit, "bytes") ? "bytes" : "samples";
  self->weight_factor = g_str_equal (self->weight, "tracing-ms") ? wp_measure_ratio (unit, "ns") / NS_PER_MS
                        : g_str_equal (self->weight, "bytes")    ? wp_measure_ratio (unit, "bytes")
                                                                 : 1;
  for (self->cpu_type = 0; self->cpu_type < stacks->types.len; self->cpu_type++)
    {
      unit = wp_stacks_text (stacks, stacks->types.data[self->cpu_type].unit);
      if (self->cpu_type != self->type && g_str_equal (wp_stacks_text (stacks, stacks->types.data[self->cpu_type].type), "cpu")
          && wp_measure_is_alike (unit, "ns"))
        {
          self->cpu_factor = wp_measure_ratio (unit, "ns");
          return;
        }
    }
}

static void
clear (Writer *self)
{
  wp_json_writer_free (self->json);
  g_hash_table_unref (self->string_rows);
  g_ptr_array_unref (self->strings);
  wp_pair_map_clear (&self->func_rows);
  wp_pair_map_clear (&self->stack_rows);
  wp_pair_map_clear (&self->file_rows);
  wp_array_clear (&self->funcs);
  wp_array_clear (&self->frames);
  wp_array_clear (&self->rows);
  wp_array_clear (&self->files);
  wp_array_clear (&self->samples);
  g_free (self->first_frame);
  g_free (self->node_rows);
}

gboolean
wp_firefox_write (const WpStacks *stacks, int fd, WpProgress *progress, GError **error)
{
  Writer self = { .stacks = stacks, .strings = g_ptr_array_new_with_free_func (g_free),
                  .string_rows = g_hash_table_new (wp_hash_string, g_str_equal) };
  gboolean done;

  self.json = wp_json_writer_new (fd);
  choose_types (&self);
  wp_stacks_in_time (stacks, self.type, g_str_equal (self.weight, "tracing-ms") ? self.weight_factor * NS_PER_MS : NS_PER_MS, &self.samples);
  gather_stacks (&self);
  wp_json_writer_object (self.json, NULL, WP_JSON_LINES);
  put_meta (&self);
  put_libs (&self);
  put_shared (&self);
  done = put_threads (&self, progress, error);
  if (done)
    {
      wp_json_writer_end (self.json);
      done = wp_json_writer_done (self.json, error);
    }
  clear (&self);
  return done;
}
