#include "stacks/firefox-samples.h"

#include <math.h>

#include "base/find.h"
#include "base/sort.h"
#include "stacks/sums.h"

#define NS_PER_MS 1e6

/* Value types: one for each kind of weights, in their order, and of what was spent on CPUs. */
enum
{
  CPU_TIME = WP_FIREFOX_N_WEIGHTS,
  CPU_CYCLES,
  N_TYPES
};

static const struct
{
  const char *type, *unit;
  double factor; /* of a weight */
} types[N_TYPES] = {
  [WP_FIREFOX_SAMPLES] = { "samples", "count", 1 },
  [WP_FIREFOX_TRACING_MS] = { "time", "nanoseconds", NS_PER_MS },
  [WP_FIREFOX_BYTES] = { "space", "bytes", 1 },
  [CPU_TIME] = { "cpu", "nanoseconds", 1 },
  [CPU_CYCLES] = { "cycles", "count", 1 },
};

/* Units of threadCPUDelta. */
static const struct
{
  const char *name;
  guint type;
  double factor;
} cpu_units[] = { { "ns", CPU_TIME, 1 }, { "µs", CPU_TIME, 1e3 }, { "variable CPU cycles", CPU_CYCLES, 1 } };

typedef struct
{
  WpFirefoxResolver resolver;
  const WpFirefoxProcess *first;
  guint cpu_unit; /* of `cpu_units` */
  gboolean has[N_TYPES];
} Maker;

static WpFirefoxCode *
code_of (WpFirefoxThread *thread)
{
  return thread->code.tables.columns[WP_FIREFOX_STACK_FRAME].len > 0 ? &thread->code : &thread->process->code;
}

/* The row of its stack, one more; 0: none. */
static guint32
stack_row (const WpFirefoxResolver *resolver, WpFirefoxThread *thread, guint32 sample)
{
  return wp_firefox_row (resolver, &thread->code, WP_FIREFOX_SAMPLE_STACK, sample,
                         code_of (thread)->tables.columns[WP_FIREFOX_STACK_FRAME].len);
}

static void
want_stacks (const WpFirefoxResolver *resolver, WpFirefoxThread *thread)
{
  guint32 n = thread->code.tables.columns[WP_FIREFOX_SAMPLE_STACK].len;

  for (guint32 i = 0; i < n && !wp_json_reader_failed (resolver->json); i++)
    {
      guint32 row = stack_row (resolver, thread, i);

      if (row > 0)
        wp_firefox_want (code_of (thread), row - 1);
    }
}

/* Columns beside the stacks are as long as they are. */
static gboolean
check_lengths (WpJsonReader *json, const WpFirefoxThread *thread)
{
  g_autofree char *samples = g_strconcat (thread->code.place, "samples", NULL);
  const WpFirefoxColumn *columns = thread->code.tables.columns;
  guint32 n = columns[WP_FIREFOX_SAMPLE_STACK].len;

  for (WpFirefoxColumnId id = WP_FIREFOX_SAMPLE_TIME; id <= WP_FIREFOX_SAMPLE_CPU; id++)
    if (columns[id].len != 0 && columns[id].len != n)
      {
        g_autofree char *name = wp_firefox_column_name (id), *place = g_strconcat (thread->code.place, name, NULL);

        wp_json_reader_fail (json, place, "%u rows for %u samples", columns[id].len, n);
        return FALSE;
      }
  if (columns[WP_FIREFOX_SAMPLE_TIME].len > 0 || columns[WP_FIREFOX_SAMPLE_TIME_DELTA].len > 0)
    return TRUE;
  wp_json_reader_fail (json, samples, "they have neither time nor timeDeltas");
  return FALSE;
}

/* null counts as 0. */
static double
cell_or (const WpFirefoxColumn *column, guint32 row, double otherwise)
{
  return row >= column->len ? otherwise : isnan (column->data[row]) ? 0 : column->data[row];
}

/* What was spent on CPUs before the first sample is not known. */
static void
add_samples (Maker *self, WpFirefoxThread *thread)
{
  const WpFirefoxTables *tables = &thread->code.tables;
  const WpFirefoxColumn *columns = tables->columns;
  const WpFirefoxCode *code = code_of (thread);
  guint cpu = cpu_units[self->cpu_unit].type;
  double later = thread->process->start - self->first->start, at = isnan (later) ? 0 : later;
  WpStacks *stacks = self->resolver.maker->stacks;

  wp_array_push (&stacks->threads, thread->row);
  for (guint32 i = 0; i < columns[WP_FIREFOX_SAMPLE_STACK].len; i++)
    {
      guint32 row = stack_row (&self->resolver, thread, i);
      gint64 values[N_TYPES] = { 0 };
      double moment;

      at += cell_or (&columns[WP_FIREFOX_SAMPLE_TIME_DELTA], i, 0);
      moment = at + cell_or (&columns[WP_FIREFOX_SAMPLE_TIME], i, 0);
      if (row == 0)
        continue;
      values[tables->weight] = wp_whole (round (cell_or (&columns[WP_FIREFOX_SAMPLE_WEIGHT], i, 1) * types[tables->weight].factor));
      if (i > 0)
        values[cpu] = wp_whole (round (cell_or (&columns[WP_FIREFOX_SAMPLE_CPU], i, 0) * cpu_units[self->cpu_unit].factor));
      wp_stacks_maker_sample (self->resolver.maker, code->stacks.data[row - 1], values);
      wp_array_push (&stacks->moments, wp_whole (round (moment * NS_PER_MS)));
      wp_array_push (&stacks->sample_threads, stacks->threads.len - 1);
    }
  self->has[tables->weight] = TRUE;
  self->has[cpu] = self->has[cpu] || columns[WP_FIREFOX_SAMPLE_CPU].len > 0;
}

WP_DEFINE_COMPARE (compare_ranges, WpFirefoxRange, start)

/* --- the whole ---------------------------------------------------------------------------------------------------- */

/* Times since 1970 have more digits than a double: milliseconds are taken apart. */
static gint64
ns_of (double ms)
{
  double whole = floor (ms);

  return fabs (ms) < 9e12 ? (gint64) whole * (gint64) NS_PER_MS + wp_whole (round ((ms - whole) * NS_PER_MS)) : 0;
}

static void
make_header (WpStacks *stacks, const WpFirefoxProcess *process)
{
  WpStacksHeader *header = &stacks->header;

  header->default_type = stacks->types.data[0].type;
  header->time = ns_of (process->start); /* which moments are told from */
  header->duration = ns_of (process->profiling_end - process->profiling_start);
  header->period = ns_of (process->interval);
  if (header->period != 0)
    header->period_type = (WpValueType) { wp_strings_intern (stacks->strings, "time"), wp_strings_intern (stacks->strings, "nanoseconds") };
  for (WpId i = 1; i < stacks->frames->modules.len; i++)
    {
      WpStackModule *module = &stacks->frames->modules.data[i];

      module->has = process->symbolicated ? WP_MODULE_HAS_FUNCTIONS : 0;
      if (process->processed) /* addresses are those within the file, whatever old versions say of memory */
        module->start = module->limit = module->offset = 0;
    }
}

/* The first one, of which nothing else is known, where it is told by no name of these. */
static guint
find_cpu_unit (const char *name)
{
  guint found = WP_FIND_ROW (cpu_units, name, name);

  return found < G_N_ELEMENTS (cpu_units) ? found : 0;
}

void
wp_firefox_make_samples (WpFirefoxDocument *self, WpJsonReader *json)
{
  WpStacks *stacks = self->maker.stacks;
  Maker maker = { .resolver = { json, &self->maker }, .first = self->processes->pdata[0] };

  maker.cpu_unit = find_cpu_unit (wp_stacks_text (stacks, maker.first->cpu_unit));
  wp_array_add (&stacks->threads);
  for (guint t = 0; t < N_TYPES; t++)
    wp_stacks_maker_type (&self->maker, wp_strings_intern (stacks->strings, types[t].type), wp_strings_intern (stacks->strings, types[t].unit));
  for (guint i = 0; i < self->processes->len; i++)
    {
      WpFirefoxProcess *process = self->processes->pdata[i];

      wp_array_sort (&process->memory.ranges, compare_ranges);
    }
  for (guint i = 0; i < self->threads->len; i++)
    if (check_lengths (json, self->threads->pdata[i]))
      want_stacks (&maker.resolver, self->threads->pdata[i]);
  for (guint i = 0; i < self->threads->len && !wp_json_reader_failed (json); i++)
    {
      wp_firefox_make_stacks (&maker.resolver, code_of (self->threads->pdata[i]));
      if (!wp_json_reader_failed (json))
        add_samples (&maker, self->threads->pdata[i]);
    }
  wp_stacks_maker_drop_types (&self->maker, maker.has, WP_FIREFOX_SAMPLES);
  make_header (stacks, maker.first);
}
