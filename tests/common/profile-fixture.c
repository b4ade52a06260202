#include "profile-fixture.h"

#include "trace/assembler.h"

#include <glib/gstdio.h>

typedef struct
{
  WpTrace *trace;
  WpAssembler *assembler;
  WpId stacks[8];
} Maker;

static WpId
make_stack (WpTrace *trace, guint which)
{
  static const char *const kernel[][4] = {
    { "anon_pipe_read", "vfs_read", "ksys_read", "do_syscall_64" },
    { "do_nanosleep", "hrtimer_nanosleep", "__x64_sys_nanosleep", "do_syscall_64" },
    { "io_schedule", "folio_wait_bit_common", "filemap_read", "do_syscall_64" },
    { "futex_wait_queue", "__futex_wait", "do_futex", "do_syscall_64" },
  };
  WpId main_module = wp_trace_module (trace, "/usr/bin/pro\"gram\\", "0123abcd");
  WpId stack = wp_trace_stack (trace, 0, wp_trace_named_frame (trace, main_module, "main"));

  stack = wp_trace_stack (trace, stack, wp_trace_user_frame (trace, main_module, 0x1000 + which % 3));
  if (which % 2 == 1)
    stack = wp_trace_stack (trace, stack, wp_trace_named_frame (trace, main_module, "größe<T>::operator()"));
  for (guint i = 4; i > 0 && which < 4; i--)
    stack = wp_trace_stack (trace, stack,
                            wp_trace_kernel_frame (trace, wp_trace_module (trace, "[kernel]", NULL), kernel[which][i - 1]));
  return stack;
}

static void
maker_init (Maker *self)
{
  self->trace = wp_trace_new ();
  self->assembler = wp_assembler_new (self->trace, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (self->stacks); i++)
    self->stacks[i] = make_stack (self->trace, i);
}

static WpTrace *
maker_finish (Maker *self)
{
  wp_assembler_finish (self->assembler);
  g_assert_cmpstr (wp_trace_check (self->trace), ==, NULL);
  return self->trace;
}

/* --- random ------------------------------------------------------------------------------------------------------- */

static void
fill_random (Maker *self, GRand *rand, WpEvent *event, gint32 a, gint32 b)
{
  static const guint32 states[] = { 0, 1, 1, 2, 4, 16, 32, 256, 0x80 };
  g_autofree char *name = g_strdup_printf ("dev%d", g_rand_int_range (rand, 0, 3));

  switch ((WpEventKind) event->kind)
    {
    case WP_EVENT_SWITCH:
      event->sw.prev_tid = a;
      event->sw.next_tid = b;
      event->sw.prev_state = states[g_rand_int_range (rand, 0, G_N_ELEMENTS (states))];
      break;
    case WP_EVENT_FORK:
      event->fork.parent_tid = a;
      event->fork.child_tid = b;
      event->fork.child_pid = g_rand_boolean (rand) ? a : b;
      break;
    case WP_EVENT_COMM:
    case WP_EVENT_EXEC:
    case WP_EVENT_EXIT:
      event->program.tid = event->program.old_tid = a;
      event->program.comm = wp_strings_intern (self->trace->strings, name);
      event->program.exec = g_rand_boolean (rand);
      break;
    case WP_EVENT_IRQ_ENTRY:
    case WP_EVENT_IRQ_EXIT:
      event->irq.irq = 3;
      event->irq.name = wp_strings_intern (self->trace->strings, name);
      break;
    case WP_EVENT_LOST:
      event->lost.events = 3;
      event->lost.since = event->time - 50;
      break;
    case WP_EVENT_NET_STATE:
    case WP_EVENT_NET_READY:
    case WP_EVENT_NET_SEND:
      event->net.socket = g_rand_int_range (rand, 0, 4);
      event->net.length = g_rand_int_range (rand, 0, 3);
      event->net.new_state = g_rand_int_range (rand, 0, 8);
      event->net.remote = wp_strings_intern (self->trace->strings, "192.0.2.7:443");
      break;
    case WP_EVENT_BIO_QUEUE:
    case WP_EVENT_IO_START:
    case WP_EVENT_RQ_INSERT:
    case WP_EVENT_RQ_ISSUE:
    case WP_EVENT_RQ_COMPLETE:
    case WP_EVENT_RQ_MERGE:
    case WP_EVENT_RQ_REQUEUE:
      event->block.dev = 1000 << 20 | 1000;
      event->block.sector = (guint64) g_rand_int_range (rand, 0, 6) * 8;
      event->block.sectors = 8;
      event->block.rwbs = wp_strings_intern (self->trace->strings, "RA");
      event->block.flush = g_rand_int_range (rand, 0, 5) == 0;
      break;
    default:
      event->wake.tid = b;
      break;
    }
}

WpTrace *
fixture_random (guint32 seed, guint events)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  Maker maker = { 0 };
  gint64 time = 1000;

  maker_init (&maker);
  for (guint i = 0; i < events; i++)
    {
      gint32 a = g_rand_int_range (rand, 1, 12), b = g_rand_int_range (rand, 0, 12);
      WpEvent event = { .time = time, .tid = a, .pid = a, .cpu = (guint32) g_rand_int_range (rand, 0, 3),
                        .kind = (guint8) g_rand_int_range (rand, 0, WP_EVENT_KIND_COUNT),
                        .irq_flags = g_rand_boolean (rand) ? 0 : WP_IRQ_SOFT, .has_irq_flags = TRUE,
                        .stack = maker.stacks[g_rand_int_range (rand, 0, G_N_ELEMENTS (maker.stacks))] };

      if (g_rand_int_range (rand, 0, 3) == 0)
        event.kind = WP_EVENT_SWITCH;
      fill_random (&maker, rand, &event, a, b);
      wp_assembler_event (maker.assembler, &event);
      time += g_rand_int_range (rand, 0, 4) == 0 ? 300000 : g_rand_int_range (rand, 0, 5000);
    }
  return maker_finish (&maker);
}

/* --- everything --------------------------------------------------------------------------------------------------- */

static WpId
add_task (WpTrace *trace, const char *name, gint32 tid, gint32 pid, guint8 kind)
{
  wp_array_push (&trace->tasks, ((WpTask) { .tid = tid, .pid = pid, .kind = kind,
                                            .name = wp_strings_intern (trace->strings, name) }));
  trace->tasks.data[trace->tasks.len - 1].leader = trace->tasks.len - 1;
  return trace->tasks.len - 1;
}

/* Operations of the task added last; one follows the other. */
static WpOp *
add_op (WpTrace *trace, guint8 kind, gint64 start, gint64 end)
{
  WpId task = trace->tasks.len - 1;
  WpOp *op = wp_array_add (&trace->ops);

  if (trace->tasks.data[task].n_ops++ == 0)
    trace->tasks.data[task].first_op = trace->ops.len - 1;
  *op = (WpOp) { .start = start, .end = end, .task = task, .kind = kind };
  return op;
}

static void
add_sleep (WpTrace *trace, gint64 start, gint64 end, WpState state, WpCause cause, WpId stack, WpId link, WpId explained_by)
{
  WpOp *op = add_op (trace, WP_OP_SLEEP, start, end);

  op->state = (guint8) state;
  op->cause = (guint8) cause;
  op->detail = stack;
  op->link = link;
  op->explained_by = explained_by;
}

static WpId
add_link (WpTrace *trace, gint64 start, WpCause cause, WpId source, WpId target)
{
  wp_array_push (&trace->links, ((WpLink) { .start = start, .cause = (guint8) cause, .source = source, .target = target }));
  return trace->links.len - 1;
}

/* Ids are known beforehand: client 1 … 14, server 15 … 17, disk 18 … 19, host 20. */
static void
add_client (WpTrace *trace, const WpId *stacks)
{
  const WpId to_server = add_link (trace, 1050, WP_CAUSE_TASK, 1, 16), answer = add_link (trace, 1900, WP_CAUSE_TASK, 16, 3);
  const WpId disk = add_link (trace, 4000, WP_CAUSE_DISK, 19, 5), net = add_link (trace, 7000, WP_CAUSE_NET, 20, 7);
  const WpId preempted = add_link (trace, 9000, WP_CAUSE_PREEMPTED, 0, 9), timer = add_link (trace, 12000, WP_CAUSE_TIMER, 0, 11);
  const WpId device = add_link (trace, 15000, WP_CAUSE_DEVICE, 0, 13);

  (void) to_server;
  trace->links.data[preempted].horizontal = 1;
  trace->links.data[answer].stack = stacks[5];
  if (trace->devices.len == 0)
    wp_array_push (&trace->devices, 0);
  wp_array_push (&trace->devices, wp_strings_intern (trace->strings, "virtio7-input.0"));
  trace->links.data[device].device = (guint16) (trace->devices.len - 1);
  add_task (trace, "client", 100, 100, WP_TASK_THREAD);
  add_op (trace, WP_OP_RUN, 1000, 1100)->flags = WP_OP_OPEN_START;
  add_sleep (trace, 1100, 2000, WP_STATE_SLEEPING, WP_CAUSE_TASK, stacks[0], answer, 0);
  add_op (trace, WP_OP_RUN, 2000, 3000);
  add_sleep (trace, 3000, 4100, WP_STATE_DISK, WP_CAUSE_DISK, stacks[2], disk, 19);
  add_op (trace, WP_OP_RUN, 4100, 5000);
  add_sleep (trace, 5000, 7100, WP_STATE_SLEEPING, WP_CAUSE_NET, stacks[0], net, 20);
  add_op (trace, WP_OP_RUN, 7100, 8000);
  add_sleep (trace, 8000, 9000, WP_STATE_PREEMPTED, WP_CAUSE_PREEMPTED, 0, preempted, 0);
  add_op (trace, WP_OP_RUN, 9000, 10000)->flags = WP_OP_INFERRED;
  add_sleep (trace, 10000, 12050, WP_STATE_SLEEPING, WP_CAUSE_TIMER, stacks[1], timer, 0);
  add_op (trace, WP_OP_RUN, 12050, 13000);
  add_sleep (trace, 13000, 15100, WP_STATE_SLEEPING, WP_CAUSE_DEVICE, stacks[3], device, 0);
  add_op (trace, WP_OP_RUN, 15100, 16000)->flags = WP_OP_LOST;
  add_sleep (trace, 16000, 17000, WP_STATE_DEAD, WP_CAUSE_NONE, 0, 0, 0);
  trace->ops.data[14].flags = WP_OP_OPEN_END;
}

static void
add_others (WpTrace *trace, const WpId *stacks)
{
  add_task (trace, "server\t\"", 200, 200, WP_TASK_THREAD);
  add_sleep (trace, 900, 1200, WP_STATE_SLEEPING, WP_CAUSE_TASK, stacks[3], 1, 0);
  add_op (trace, WP_OP_RUN, 1200, 1950);
  add_sleep (trace, 1950, 17000, WP_STATE_SLEEPING, WP_CAUSE_NONE, stacks[3], 0, 0);
  trace->tasks.data[2].flags = WP_TASK_KERNEL;
  wp_array_push (&trace->disks, ((WpDisk) { .sector = G_MAXUINT64 - 1, .sectors = 8, .dev = 1000 << 20 | 7, .task = 1,
                                            .rwbs = wp_strings_intern (trace->strings, "RA"), .queue = 18, .active = 19 }));
  add_task (trace, "1000:7", 0, 0, WP_TASK_DISK);
  add_op (trace, WP_OP_DISK_QUEUE, 3010, 3100)->detail = 1;
  add_op (trace, WP_OP_DISK, 3100, 3990)->detail = 1;
  wp_array_push (&trace->nets, ((WpNet) { .local = wp_strings_intern (trace->strings, "198.51.100.1:5000"),
                                          .remote = wp_strings_intern (trace->strings, "192.0.2.7:443"), .task = 1,
                                          .protocol = 6, .handshake = 1 }));
  add_task (trace, "192.0.2.7", 0, 0, WP_TASK_NETWORK);
  add_op (trace, WP_OP_NET, 4500, 6990)->detail = 1;
  add_task (trace, "bystander", 300, 300, WP_TASK_THREAD);
  add_op (trace, WP_OP_RUN, 1100, 9000);
}

static void
add_samples (WpTrace *trace, const WpId *stacks)
{
  static const struct
  {
    gint64 time;
    WpId run;
  } samples[] = { { 2100, 3 }, { 2500, 3 }, { 2900, 3 }, { 7500, 7 }, { 1500, 16 }, { 5000, 21 } };

  for (guint i = 0; i < G_N_ELEMENTS (samples); i++)
    {
      WpOp *run = &trace->ops.data[samples[i].run];

      wp_array_push (&trace->samples, ((WpSample) { .time = samples[i].time, .run = samples[i].run,
                                                    .stack = stacks[4 + i % 4] }));
      if (run->detail == 0)
        run->detail = trace->samples.len - 1;
      run->explained_by = trace->samples.len;
    }
}

/* On the CPU of a run of the client: in it, and when nobody of ours was there. */
static void
add_interrupts (WpTrace *trace)
{
  WpId name = wp_strings_intern (trace->strings, "virtio7-input.0");

  trace->ops.data[3].cpu = 2;
  wp_array_push (&trace->interrupts, ((WpInterrupt) { .start = 500, .end = 600, .name = name, .cpu = 2 }));
  wp_array_push (&trace->interrupts, ((WpInterrupt) { .start = 2200, .end = 2250, .name = name, .cpu = 2 }));
  wp_array_push (&trace->interrupts, ((WpInterrupt) { .start = 2980, .end = 3010, .name = name, .cpu = 2 }));
}

WpTrace *
fixture_everything (void)
{
  WpTrace *trace = wp_trace_new ();
  WpId stacks[8];

  for (guint i = 0; i < G_N_ELEMENTS (stacks); i++)
    stacks[i] = make_stack (trace, i);
  add_client (trace, stacks);
  add_others (trace, stacks);
  add_samples (trace, stacks);
  add_interrupts (trace);
  wp_array_push (&trace->lost, ((WpLost) { .start = 15500, .end = 15700, .events = 12, .cpu = 1 }));
  wp_array_push (&trace->events, ((WpEventCount) { wp_strings_intern (trace->strings, "sched:sched_switch"), 4711 }));
  trace->diagnostics.n[WP_DIAG_EVENTS] = G_MAXUINT64;
  trace->diagnostics.n[WP_DIAG_LOST] = 12;
  trace->end = 17000;
  trace->clock_start = G_GINT64_CONSTANT (9007199254740993); /* not a double */
  trace->n_cpus = 2;
  trace->command_pid = 100;
  trace->format = g_strdup ("perf.data stream");
  trace->command = g_strdup ("client --ask 'two words'");
  trace->host = g_strdup ("host");
  trace->kernel = g_strdup ("6.1.0");
  trace->missing = g_strdup ("no kprobes\nno cycles");
  trace->extra = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_hash_table_insert (trace->extra, g_strdup ("stacks"), g_strdup ("fp"));
  g_assert_cmpstr (wp_trace_check (trace), ==, NULL);
  return trace;
}

/* --- looking at it ------------------------------------------------------------------------------------------------ */

WpPaths *
fixture_paths (const WpTrace *trace, WpId task)
{
  WpIdArray tasks = { 0 };
  WpPaths *paths;

  wp_paths_process_of (trace, task, &tasks);
  paths = wp_paths_new (trace, tasks.data, tasks.len, NULL, NULL, NULL);
  wp_array_clear (&tasks);
  return paths;
}

WpId
fixture_task (const WpTrace *trace, const char *name)
{
  for (WpId t = 1; t < trace->tasks.len; t++)
    if (g_str_equal (wp_trace_task_name (trace, t), name))
      return t;
  g_assert_not_reached ();
}

static void
describe_stack (GString *out, const WpTrace *trace, WpId stack)
{
  for (; stack != 0; stack = trace->stacks.data[stack].parent)
    {
      const WpFrame *frame = &trace->frames.data[trace->stacks.data[stack].frame];
      const WpFunction *function = &trace->functions.data[frame->function];

      g_string_append_printf (out, " < %s [%s] %u %u %u", wp_trace_string (trace, function->name),
                              wp_trace_string (trace, trace->modules.data[function->module].path), frame->flags,
                              function->flags, function->role);
    }
}

static void
describe_part (GString *out, const WpPaths *paths, WpId id, WpSliceArray *slices)
{
  const WpTrace *trace = paths->trace;
  const WpPart *part = &paths->parts.data[id];
  const WpOp *op = &trace->ops.data[part->op];
  const WpLink *link = &trace->links.data[op->link];
  const WpTask *task = &trace->tasks.data[op->task];
  g_autofree char *line = wp_trace_describe_op (trace, part->op);

  g_string_append_printf (out, "part %u: %" G_GINT64_FORMAT "-%" G_GINT64_FORMAT " on %u path %u, %u %u, waits %u %u\n", id,
                          part->start, part->end, part->parent, part->path, part->first_child, part->next,
                          part->waits_path, part->waits_part);
  g_string_append_printf (out, "  %s (%s, %d/%d, exec %u, flags %u): %" G_GINT64_FORMAT "-%" G_GINT64_FORMAT
                               " kind %u flags %u state %u cause %u woken %" G_GINT64_FORMAT "\n",
                          line, wp_part_name (paths, id), task->pid, task->tid, task->exec, task->flags, op->start, op->end,
                          op->kind, op->flags, op->state, op->cause,
                          op->kind == WP_OP_SLEEP ? wp_trace_woken (trace, part->op) : 0);
  if (op->link != 0 && link->cause != WP_CAUSE_EXEC) /* the exec that a story begins with is not saved */
    {
      g_string_append_printf (out, "  link %" G_GINT64_FORMAT " cause %u, horizontal %u, out %" G_GINT64_FORMAT
                                   " end %" G_GINT64_FORMAT " from %s device %s", link->start, link->cause,
                              link->horizontal, wp_trace_link_out (trace, op->link),
                              link->target != 0 && link->target != part->op ? wp_trace_link_end (trace, op->link) : 0,
                              wp_trace_task_name (trace, trace->ops.data[link->source].task),
                              link->device != 0 ? wp_trace_string (trace, trace->devices.data[link->device]) : "");
      describe_stack (out, trace, link->stack);
      g_string_append_c (out, '\n');
    }
  wp_part_slices (paths, id, slices);
  for (guint32 i = 0; i < slices->len; i++)
    {
      g_string_append_printf (out, "  slice %" G_GINT64_FORMAT "-%" G_GINT64_FORMAT, slices->data[i].start,
                              slices->data[i].end);
      describe_stack (out, trace, slices->data[i].stack);
      g_string_append_c (out, '\n');
    }
}

static void
describe_explanation (GString *out, const WpPaths *paths)
{
  g_autoptr (WpExplanation) explanation = wp_explain (paths, 0, G_MAXINT64, NULL, NULL);

  g_string_append_printf (out, "wall %" G_GINT64_FORMAT " total %" G_GINT64_FORMAT ", %u processes, %u paths\n",
                          explanation->wall, explanation->total, explanation->processes, explanation->control_paths);
  for (guint32 i = 0; i < explanation->rows.len; i++)
    g_string_append_printf (out, "row %s %s %" G_GINT64_FORMAT " %u\n",
                            wp_category_id (explanation->rows.data[i].category), explanation->rows.data[i].name,
                            explanation->rows.data[i].ns, explanation->rows.data[i].pieces);
  for (guint32 i = 0; i < explanation->pieces.len; i++)
    g_string_append_printf (out, "piece %u %" G_GINT64_FORMAT "-%" G_GINT64_FORMAT " %u\n",
                            explanation->pieces.data[i].part, explanation->pieces.data[i].start,
                            explanation->pieces.data[i].end, explanation->pieces.data[i].row);
}

static void
describe_tree (GString *out, const WpPaths *paths)
{
  g_autoptr (WpTree) tree = wp_tree_new (paths, NULL, NULL, NULL);

  wp_tree_folded (tree, out);
  for (guint32 i = 0; i < tree->nodes.len; i++)
    {
      const WpNode *node = &tree->nodes.data[i];

      g_string_append_printf (out, "node %s self %" G_GINT64_FORMAT " total %" G_GINT64_FORMAT " extra %" G_GINT64_FORMAT
                                   " kind %u part %u\n", wp_strings_get (tree->strings, node->name), node->self,
                              node->total, node->extra, node->kind, node->part);
    }
}

char *
fixture_describe (const WpPaths *paths)
{
  GString *out = g_string_new (NULL);
  WpSliceArray slices = { 0 };

  g_string_append_printf (out, "%s: grace %" G_GINT64_FORMAT ", merge %d, wall %" G_GINT64_FORMAT "-%" G_GINT64_FORMAT
                               ", %u lanes, %u base tasks\n", paths->name, paths->options.grace,
                          paths->options.merge_threads, paths->wall_start, paths->wall_end, paths->n_lanes,
                          paths->base_tasks.len);
  for (WpId p = 1; p < paths->paths.len; p++)
    {
      const WpPath *path = &paths->paths.data[p];

      g_string_append_printf (out, "path %u: %u-%u %s %" G_GINT64_FORMAT "-%" G_GINT64_FORMAT " lane %u base %d\n", p,
                              path->first_part, path->last_part, wp_trace_task_name (paths->trace, path->task), path->start,
                              path->end, path->lane, path->base);
    }
  for (WpId p = 1; p < paths->parts.len; p++)
    describe_part (out, paths, p, &slices);
  wp_array_clear (&slices);
  describe_explanation (out, paths);
  describe_tree (out, paths);
  return g_string_free (out, FALSE);
}

/* --- files -------------------------------------------------------------------------------------------------------- */

char *
fixture_folder (void)
{
  g_autoptr (GError) error = NULL;
  char *folder = g_dir_make_tmp ("wakepath-profile-XXXXXX", &error);

  g_assert_no_error (error);
  return folder;
}

void
fixture_remove (const char *folder)
{
  GDir *dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      g_remove (path);
    }
  g_dir_close (dir);
  g_rmdir (folder);
}
