#include "profile/perun/perun.h"
#include "trace/notes.h"

#include "paths/answer.h"
#include "profile/perun/relevant.h"
#include "profile/perun/perun-fields.h"
#include "base/save-file.h"
#include "base/search.h"
#include "trace/interrupts.h"

typedef struct
{
  const WpPaths *paths;
  const WpTrace *trace;
  const WpExplanation *explanation;
  const WpAnswer *answer;
  WpKept kept;
  WpJsonWriter *writer;
  WpProgress *progress;
  GError *error; /* only when cancelled */
  guint32 piece; /* the next of the explanation */
  guint64 written;
} Saver;

/* FALSE when the job is cancelled. */
static gboolean
step (Saver *self, guint64 row, guint64 rows)
{
  if (self->error != NULL)
    return FALSE;
  return ++self->written % 1024 != 0 || wp_progress_step (self->progress, (double) row / (double) rows, &self->error);
}

/* --- how it was recorded ------------------------------------------------------------------------------------------ */

static void
write_header (Saver *self)
{
  const char *command = self->trace->command != NULL ? self->trace->command : "";
  gsize word = strcspn (command, " ");
  g_autofree char *cmd = g_strndup (command, word);

  wp_json_writer_object (self->writer, "header", WP_JSON_TIGHT);
  wp_json_writer_string (self->writer, "type", "time");
  wp_json_writer_string (self->writer, "cmd", cmd);
  wp_json_writer_string (self->writer, "args", command[word] == ' ' ? command + word + 1 : "");
  wp_json_writer_string (self->writer, "workload", "");
  wp_json_writer_object (self->writer, "units", WP_JSON_TIGHT);
  wp_json_writer_string (self->writer, "time", "ns");
  wp_json_writer_end (self->writer);
  wp_json_writer_end (self->writer);
}

static void
write_text (Saver *self, const char *key, const char *text)
{
  if (text != NULL)
    wp_json_writer_string (self->writer, key, text);
}

/* What else the recorder said, by key. */
static void
write_extra (Saver *self)
{
  GList *keys = self->trace->extra != NULL ? g_hash_table_get_keys (self->trace->extra) : NULL;

  keys = g_list_sort (keys, (GCompareFunc) strcmp);
  wp_json_writer_object (self->writer, "recorder", WP_JSON_TIGHT);
  for (GList *l = keys; l != NULL; l = l->next)
    if (!g_str_equal (l->data, WP_EXTRA_FORMAT))
      wp_json_writer_string (self->writer, l->data, g_hash_table_lookup (self->trace->extra, l->data));
  wp_json_writer_end (self->writer);
  g_list_free (keys);
}

static void
write_collector (Saver *self)
{
  const WpTrace *trace = self->trace;
  const char *format = trace->extra != NULL ? g_hash_table_lookup (trace->extra, WP_EXTRA_FORMAT) : NULL;

  wp_json_writer_object (self->writer, "collector_info", WP_JSON_LINES);
  wp_json_writer_string (self->writer, "name", "wakepath");
  wp_json_writer_object (self->writer, "params", WP_JSON_LINES);
  write_text (self, "format", trace->partial ? format : trace->format);
  write_text (self, "command", trace->command);
  write_text (self, "host", trace->host);
  write_text (self, "kernel", trace->kernel);
  wp_json_writer_uint (self->writer, "cpus", trace->n_cpus);
  write_text (self, "missing", trace->missing);
  write_extra (self);
  wp_json_writer_object (self->writer, "diagnostics", WP_JSON_TIGHT);
  for (guint i = 0; i < WP_DIAG_COUNT; i++)
    wp_json_writer_uint (self->writer, wp_diag_id (i), trace->diagnostics.n[i]);
  wp_json_writer_end (self->writer);
  wp_json_writer_array (self->writer, "events", WP_JSON_LINES);
  for (guint32 i = 0; i < trace->events.len; i++)
    wp_table_write (&wp_table_events, self->writer, trace, &trace->events.data[i]);
  wp_json_writer_end (self->writer);
  wp_json_writer_end (self->writer);
  wp_json_writer_end (self->writer);
}

/* The operations where the paths were cut by hand. */
static void
write_cuts (Saver *self)
{
  if (self->paths->cuts.len == 0)
    return;
  wp_json_writer_array (self->writer, "cuts", WP_JSON_TIGHT);
  for (guint32 i = 0; i < self->paths->cuts.len; i++)
    wp_json_writer_uint (self->writer, NULL, self->kept.ops.map[self->paths->cuts.data[i]]);
  wp_json_writer_end (self->writer);
}

static void
write_postprocessors (Saver *self)
{
  const WpPathOptions *options = &self->paths->options;

  wp_json_writer_array (self->writer, "postprocessors", WP_JSON_TIGHT);
  wp_json_writer_object (self->writer, NULL, WP_JSON_TIGHT);
  wp_json_writer_string (self->writer, "name", WP_PERUN_POSTPROCESSOR);
  wp_json_writer_object (self->writer, "params", WP_JSON_TIGHT);
  wp_json_writer_int (self->writer, "grace", options->grace);
  wp_json_writer_bool (self->writer, "merge_threads", options->merge_threads);
  if (options->started_work)
    wp_json_writer_bool (self->writer, "started_work", TRUE);
  write_cuts (self);
  wp_json_writer_end (self->writer);
  wp_json_writer_end (self->writer);
  wp_json_writer_end (self->writer);
}

/* --- the tables that the resources refer to ------------------------------------------------------------------------ */

static void
write_tasks (Saver *self)
{
  const WpKept *kept = &self->kept;

  wp_json_writer_array (self->writer, "tasks", WP_JSON_LINES);
  for (WpId t = 1; t < self->trace->tasks.len; t++)
    if (kept->tasks.map[t])
      {
        WpTask row = self->trace->tasks.data[t];

        row.before = kept->tasks.map[row.before];
        row.after = kept->tasks.map[row.after];
        row.leader = kept->tasks.map[row.leader];
        row.forked_by = kept->ops.map[row.forked_by];
        wp_table_write (&wp_table_tasks, self->writer, self->trace, &row);
      }
  wp_json_writer_end (self->writer);
}

static void
write_operation (Saver *self, const WpOp *op)
{
  const WpKept *kept = &self->kept;
  WpSavedOp row = { .op = *op };

  row.op.cpu = op->kind == WP_OP_RUN ? op->cpu : 0;
  row.op.task = kept->tasks.map[op->task];
  row.op.link = kept->links.map[op->link];
  row.op.explained_by = op->kind == WP_OP_SLEEP ? kept->ops.map[op->explained_by] : 0;
  if (op->kind == WP_OP_SLEEP)
    row.trace = kept->stacks[op->detail];
  else if (op->kind == WP_OP_NET)
    row.net = kept->nets.map[op->detail];
  else if (op->kind != WP_OP_RUN)
    row.disk = kept->disks.map[op->detail];
  wp_table_write (&wp_table_operations, self->writer, self->trace, &row);
}

static void
write_operations (Saver *self)
{
  wp_json_writer_array (self->writer, "operations", WP_JSON_LINES);
  for (WpId o = 1; o < self->trace->ops.len && step (self, o, self->trace->ops.len); o++)
    if (self->kept.ops.map[o])
      write_operation (self, &self->trace->ops.data[o]);
  wp_json_writer_end (self->writer);
}

static void
write_devices (Saver *self)
{
  const WpKept *kept = &self->kept;

  wp_json_writer_array (self->writer, "disks", WP_JSON_LINES);
  for (WpId d = 1; d < self->trace->disks.len; d++)
    if (kept->disks.map[d])
      {
        WpDisk row = self->trace->disks.data[d];

        row.task = kept->tasks.map[row.task];
        row.queue = kept->ops.map[row.queue];
        row.active = kept->ops.map[row.active];
        wp_table_write (&wp_table_disks, self->writer, self->trace, &row);
      }
  wp_json_writer_end (self->writer);
  wp_json_writer_array (self->writer, "nets", WP_JSON_LINES);
  for (WpId n = 1; n < self->trace->nets.len; n++)
    if (kept->nets.map[n])
      {
        WpNet row = self->trace->nets.data[n];

        row.task = kept->tasks.map[row.task];
        wp_table_write (&wp_table_nets, self->writer, self->trace, &row);
      }
  wp_json_writer_end (self->writer);
}

/* Only what was lost during operations of which something is placed: they may begin long before the paths. */
static void
write_lost (Saver *self)
{
  gint64 start = G_MAXINT64, end = G_MININT64;

  for (WpId p = 1; p < self->paths->parts.len; p++)
    {
      const WpOp *op = &self->trace->ops.data[self->paths->parts.data[p].op];

      start = MIN (start, op->start);
      end = MAX (end, op->end);
    }
  wp_json_writer_array (self->writer, "lost", WP_JSON_LINES);
  for (guint32 i = 0; i < self->trace->lost.len; i++)
    if (self->trace->lost.data[i].start <= end && self->trace->lost.data[i].end >= start)
      wp_table_write (&wp_table_lost, self->writer, self->trace, &self->trace->lost.data[i]);
  wp_json_writer_end (self->writer);
}

/* Where there are any in the runs that are placed. */
static void
write_interrupts (Saver *self)
{
  const WpTrace *trace = self->trace;
  g_autofree guint8 *kept = g_new0 (guint8, MAX (trace->interrupts.len, 1));
  gboolean any = FALSE;

  for (WpId p = 1; p < self->paths->parts.len; p++)
    {
      const WpPart *part = &self->paths->parts.data[p];
      guint32 cpu = trace->ops.data[part->op].kind == WP_OP_RUN ? trace->ops.data[part->op].cpu : 0;

      for (guint32 i = wp_interrupts_after (trace, cpu, part->start); wp_interrupt_before (trace, i, cpu, part->end) != NULL; i++)
        any = kept[i] = 1;
    }
  if (!any)
    return;
  wp_json_writer_array (self->writer, "interrupts", WP_JSON_LINES);
  for (guint32 i = 0; i < trace->interrupts.len; i++)
    if (kept[i])
      wp_table_write (&wp_table_interrupts, self->writer, trace, &trace->interrupts.data[i]);
  wp_json_writer_end (self->writer);
}

static void
write_paths (Saver *self)
{
  wp_json_writer_array (self->writer, "paths", WP_JSON_LINES);
  for (WpId p = 1; p < self->paths->paths.len; p++)
    {
      const WpPath *path = &self->paths->paths.data[p];
      WpSavedPath row = { .start = path->start, .end = path->end, .task = self->kept.tasks.map[path->task],
                          .lane = path->lane, .base = (guint8) (path->base != FALSE),
                          .started = (guint8) (path->started != FALSE) };

      wp_table_write (&wp_table_paths, self->writer, self->trace, &row);
    }
  wp_json_writer_end (self->writer);
}

static void
write_most (WpJsonWriter *writer, const WpMost *most)
{
  if (most->words.words == NULL)
    return;
  wp_json_writer_object (writer, "answer", WP_JSON_TIGHT);
  wp_json_writer_string (writer, "words", most->words.words);
  if (most->words.of != NULL)
    wp_json_writer_string (writer, "of", most->words.of);
  if (most->words.on != NULL)
    wp_json_writer_string (writer, "on", most->words.on);
  if (wp_wait_end_id (most->words.end) != NULL)
    wp_json_writer_string (writer, "end", wp_wait_end_id (most->words.end));
  wp_json_writer_uint (writer, "percent", most->percent);
  wp_json_writer_end (writer);
}

/* Where its user wrote any. */
static void
write_notes (Saver *self)
{
  g_autoptr (GArray) notes = wp_notes_list (self->trace->notes);

  if (notes->len == 0)
    return;
  wp_json_writer_array (self->writer, "notes", WP_JSON_LINES);
  for (guint i = 0; i < notes->len; i++)
    {
      const WpNote *note = &g_array_index (notes, WpNote, i);

      wp_json_writer_object (self->writer, NULL, WP_JSON_TIGHT);
      wp_json_writer_int (self->writer, "time", note->time);
      wp_json_writer_string (self->writer, "text", note->text);
      wp_json_writer_end (self->writer);
    }
  wp_json_writer_end (self->writer);
}

static void
write_tables (Saver *self)
{
  const WpTrace *trace = self->trace;
  WpJsonWriter *writer = self->writer;

  wp_json_writer_object (writer, "wakepath", WP_JSON_LINES);
  wp_json_writer_uint (writer, "version", WP_PERUN_VERSION);
  wp_json_writer_string (writer, "name", self->paths->name);
  wp_json_writer_int (writer, "wall_start", self->paths->wall_start);
  wp_json_writer_int (writer, "wall_end", self->paths->wall_end);
  wp_json_writer_int (writer, "total", self->explanation->total);
  wp_json_writer_int (writer, "accounted", wp_explanation_accounted (self->explanation));
  if (self->explanation->ns[WP_CATEGORY_UNFINISHED] != 0)
    wp_json_writer_int (writer, "unfinished", self->explanation->ns[WP_CATEGORY_UNFINISHED]);
  write_most (writer, &self->answer->most);
  wp_json_writer_int (writer, "end", trace->end);
  wp_json_writer_int (writer, "clock_start", trace->clock_start);
  wp_json_writer_int (writer, "command_pid", trace->command_pid);
  wp_json_writer_array (writer, "base_tasks", WP_JSON_TIGHT);
  for (guint32 i = 0; i < self->paths->base_tasks.len; i++)
    wp_json_writer_uint (writer, NULL, self->kept.tasks.map[self->paths->base_tasks.data[i]]);
  wp_json_writer_end (writer);
  write_tasks (self);
  write_operations (self);
  write_devices (self);
  write_lost (self);
  write_interrupts (self);
  write_notes (self);
  write_paths (self);
  wp_json_writer_end (writer);
}

/* --- resources ----------------------------------------------------------------------------------------------------- */

/* The category that most of a part's top time went to, and that time. Parts come in order, as the pieces do. */
static const char *
find_category (Saver *self, WpId part, gint64 *self_time)
{
  const WpExplanation *explanation = self->explanation;
  gint64 ns[WP_CATEGORY_COUNT] = { 0 };
  WpCategory most = 0;

  *self_time = 0;
  for (; self->piece < explanation->pieces.len && explanation->pieces.data[self->piece].part <= part; self->piece++)
    {
      const WpPiece *piece = &explanation->pieces.data[self->piece];
      WpCategory category = explanation->rows.data[piece->row].category;

      ns[category] += piece->end - piece->start;
      *self_time += piece->end - piece->start;
      most = ns[category] > ns[most] ? category : most;
    }
  return *self_time > 0 ? wp_category_id (most) : NULL;
}

/* The first sample of a run at or after `time`, else its last; 0 when it has none. */
static WpId
sample_from (const WpTrace *trace, const WpOp *run, gint64 time)
{
  WpId first = run->detail, end = run->explained_by;

  if (first == 0 || end <= first)
    return 0;
  return WP_SEARCH (first, end - 1, i, trace->samples.data[i].time < time);
}

/* The stack that stands for a part. */
static WpId
stack_of_part (const WpTrace *trace, const WpPart *part)
{
  const WpOp *op = &trace->ops.data[part->op];

  if (op->kind == WP_OP_SLEEP)
    return op->detail;
  return op->kind == WP_OP_RUN ? trace->samples.data[sample_from (trace, op, part->start)].stack : 0;
}

/* What describes an operation best: its function, else a line about it. Free `*owned`. */
static const char *
describe (const WpTrace *trace, WpId op, WpId stack, char **owned)
{
  WpId function = wp_trace_describe_stack (trace, stack);

  *owned = function == 0 ? wp_trace_describe_op (trace, op) : NULL;
  return function != 0 ? wp_trace_function_name (trace, function) : *owned;
}

static void
fill_task (const WpTrace *trace, WpResource *row, WpId op)
{
  const WpTask *task = &trace->tasks.data[trace->ops.data[op].task];

  row->pid = task->pid;
  row->tid = task->tid;
  row->task = wp_trace_string (trace, task->name);
}

static void
write_part (Saver *self, WpId id)
{
  const WpPart *part = &self->paths->parts.data[id];
  WpId stack = stack_of_part (self->trace, part);
  g_autofree char *owned = NULL;
  WpResource row = { .type = "time",
                     .kind = self->trace->ops.data[part->op].kind,
                     .amount = part->end - part->start,
                     .uid = describe (self->trace, part->op, stack, &owned),
                     .timestamp = part->start,
                     .operation = self->kept.ops.map[part->op],
                     .path = part->path,
                     .parent = part->parent,
                     .waits_path = part->waits_path,
                     .waits_part = part->waits_part,
                     .cut = part->cut,
                     .trace = self->kept.stacks[stack] };

  row.category = find_category (self, id, &row.self);
  fill_task (self->trace, &row, part->op);
  wp_table_write (&wp_table_resources, self->writer, self->trace, &row);
}

static void
write_sample (Saver *self, const WpSample *sample)
{
  g_autofree char *owned = NULL;
  WpResource row = { .type = "time",
                     .kind = WP_RESOURCE_SAMPLE,
                     .uid = describe (self->trace, sample->run, sample->stack, &owned),
                     .timestamp = sample->time,
                     .operation = self->kept.ops.map[sample->run],
                     .trace = self->kept.stacks[sample->stack] };

  fill_task (self->trace, &row, sample->run);
  wp_table_write (&wp_table_resources, self->writer, self->trace, &row);
}

static void
write_link (Saver *self, const WpLink *link)
{
  WpResource row = { .type = "time",
                     .kind = WP_RESOURCE_LINK,
                     .uid = wp_cause_id (link->cause),
                     .timestamp = link->start,
                     .source = self->kept.ops.map[link->source],
                     .target = self->kept.ops.map[link->target],
                     .cause = link->cause,
                     .horizontal = link->horizontal,
                     .device = link->device < self->trace->devices.len ? self->trace->devices.data[link->device] : 0,
                     .trace = self->kept.stacks[link->stack] };

  wp_table_write (&wp_table_resources, self->writer, self->trace, &row);
}

static void
write_resources (Saver *self)
{
  const WpTrace *trace = self->trace;
  guint64 n_parts = self->paths->parts.len, n = n_parts + trace->samples.len + trace->links.len;

  wp_json_writer_object (self->writer, "global", WP_JSON_TIGHT);
  wp_json_writer_array (self->writer, "resources", WP_JSON_LINES);
  for (WpId p = 1; p < n_parts && step (self, p, n); p++)
    write_part (self, p);
  for (WpId s = 1; s < trace->samples.len && step (self, n_parts + s, n); s++)
    if (self->kept.samples.map[s])
      write_sample (self, &trace->samples.data[s]);
  for (WpId l = 1; l < trace->links.len && step (self, n - trace->links.len + l, n); l++)
    if (self->kept.links.map[l])
      write_link (self, &trace->links.data[l]);
  wp_json_writer_end (self->writer);
  wp_json_writer_end (self->writer);
}

/* Innermost frame first, as Perun has them. */
static void
write_chunk (Saver *self, WpId chunk)
{
  const WpTrace *chunks = self->kept.chunks;
  char name[16];

  g_snprintf (name, sizeof name, "t%u", chunk);
  wp_json_writer_array (self->writer, name, WP_JSON_TIGHT);
  for (WpId s = self->kept.of_chunk.data[chunk]; s != 0; s = chunks->stacks.data[s].parent)
    {
      const WpFrame *frame = &chunks->frames.data[chunks->stacks.data[s].frame];
      const WpFunction *function = &chunks->functions.data[frame->function];
      WpSavedFrame row = { .function = function->name,
                           .module = chunks->modules.data[function->module].path,
                           .kernel = (frame->flags & WP_FRAME_KERNEL) != 0,
                           .no_symbol = (function->flags & WP_FUNCTION_NO_SYMBOL) != 0 };

      wp_table_write (&wp_table_frames, self->writer, chunks, &row);
    }
  wp_json_writer_end (self->writer);
}

static void
write_chunks (Saver *self)
{
  wp_json_writer_object (self->writer, "chunks", WP_JSON_LINES);
  for (WpId c = 1; c < self->kept.of_chunk.len && step (self, c, self->kept.of_chunk.len); c++)
    write_chunk (self, c);
  wp_json_writer_end (self->writer);
}

static void
write_document (Saver *self)
{
  wp_json_writer_object (self->writer, NULL, WP_JSON_LINES);
  write_header (self);
  write_collector (self);
  write_postprocessors (self);
  write_tables (self);
  write_resources (self);
  write_chunks (self);
  wp_json_writer_end (self->writer);
}

gboolean
wp_perun_save (const char *path, const WpPaths *paths, const WpExplanation *explanation, WpProgress *progress,
               GError **error)
{
  WpSaveFile file;
  g_autoptr (WpAnswer) answer = wp_answer_new (paths, explanation, progress, error);
  Saver self = { .paths = paths, .trace = paths->trace, .explanation = explanation, .answer = answer, .progress = progress };
  int write_error;

  if (answer == NULL || !wp_save_file_open (&file, path, error))
    return FALSE;
  wp_progress_phase (progress, "Saving");
  wp_kept_init (&self.kept, paths);
  self.writer = wp_json_writer_new (file.fd);
  write_document (&self);
  write_error = wp_json_writer_finish (self.writer);
  wp_json_writer_free (self.writer);
  wp_kept_clear (&self.kept);
  if (self.error == NULL)
    return wp_save_file_commit (&file, write_error, error);
  wp_save_file_abort (&file);
  g_propagate_error (error, self.error);
  return FALSE;
}
