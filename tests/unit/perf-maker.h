/* Makes small perf.data recordings for tests, in both modes: a switch, a waking, a CPU sample and whatever else is
 * asked for. */
#pragma once

#include "read/perf/perf-numbers.h"

#include <glib.h>
#include <linux/perf_event.h>
#include <string.h>

enum
{
  MAKER_SWITCH = 100, /* tracepoints' ids */
  MAKER_WAKING = 101,
  MAKER_SAMPLE = 0,
};

#define MAKER_KERNEL G_GUINT64_CONSTANT (0xffffffff81000000)
#define MAKER_USER G_GUINT64_CONSTANT (0x400000)
#define MAKER_TYPE                                                                                                     \
  (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD \
   | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW)

static inline void
maker_bytes (GByteArray *out, const void *data, gsize n)
{
  g_byte_array_append (out, data, n);
}

static inline void
maker_u64 (GByteArray *out, guint64 value)
{
  maker_bytes (out, &value, 8);
}

static inline void
maker_u32 (GByteArray *out, guint32 value)
{
  maker_bytes (out, &value, 4);
}

static inline void
maker_pad (GByteArray *out, guint multiple)
{
  while (out->len % multiple != 0)
    g_byte_array_append (out, (const guint8 *) "", 1);
}

static inline void
maker_text (GByteArray *out, const char *text, gsize n)
{
  gsize at = out->len;

  g_byte_array_set_size (out, at + n);
  memset (out->data + at, 0, n);
  memcpy (out->data + at, text, MIN (strlen (text), n));
}

static inline void
maker_record (GByteArray *out, guint32 type, guint16 misc, GByteArray *body)
{
  guint16 size = 8 + body->len;

  maker_u32 (out, type);
  maker_bytes (out, &misc, 2);
  maker_bytes (out, &size, 2);
  maker_bytes (out, body->data, body->len);
  g_byte_array_unref (body);
}

/* What stands at the end of every record that is no sample. */
static inline void
maker_tail (GByteArray *out, gint32 pid, gint32 tid, guint64 time, guint32 cpu, guint64 id)
{
  maker_u32 (out, pid);
  maker_u32 (out, tid);
  maker_u64 (out, time);
  maker_u64 (out, cpu);
  maker_u64 (out, id);
}

static inline void
maker_comm (GByteArray *out, gint32 pid, const char *name, gboolean exec, guint64 time, guint32 cpu)
{
  GByteArray *body = g_byte_array_new ();

  maker_u32 (body, pid);
  maker_u32 (body, pid);
  maker_text (body, name, 16);
  maker_tail (body, pid, pid, time, cpu, time != 0 ? 1 : 0);
  maker_record (out, PERF_RECORD_COMM, exec ? PERF_RECORD_MISC_COMM_EXEC : 0, body);
}

static inline void
maker_mmap2 (GByteArray *out, gint32 pid, guint64 start, guint64 size, guint64 offset, const char *path, guint64 time)
{
  GByteArray *body = g_byte_array_new ();

  maker_u32 (body, pid);
  maker_u32 (body, pid);
  maker_u64 (body, start);
  maker_u64 (body, size);
  maker_u64 (body, offset);
  for (guint i = 0; i < 3; i++)
    maker_u64 (body, 0);
  maker_u64 (body, 5);
  maker_text (body, path, (strlen (path) + 8) / 8 * 8);
  maker_tail (body, pid, pid, time, 0, time != 0 ? 1 : 0);
  maker_record (out, PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER, body);
}

static inline void
maker_fork (GByteArray *out, gint32 parent, gint32 child, guint64 time)
{
  GByteArray *body = g_byte_array_new ();

  maker_u32 (body, child);
  maker_u32 (body, parent);
  maker_u32 (body, child);
  maker_u32 (body, parent);
  maker_u64 (body, time);
  maker_tail (body, parent, parent, time, 0, time != 0 ? 1 : 0);
  maker_record (out, PERF_RECORD_FORK, 0, body);
}

static inline void
maker_lost (GByteArray *out, guint64 n, guint64 time, guint32 cpu)
{
  GByteArray *body = g_byte_array_new ();

  maker_u64 (body, 1);
  maker_u64 (body, n);
  maker_tail (body, 0, 0, time, cpu, 1);
  maker_record (out, PERF_RECORD_LOST, 0, body);
}

/* What perf writes at its end: so many records of the event with this id found no room. */
static inline void
maker_lost_samples (GByteArray *out, guint64 n, guint64 id, guint16 misc)
{
  GByteArray *body = g_byte_array_new ();

  maker_u64 (body, n);
  maker_tail (body, 0, 0, 0, 0, id);
  maker_record (out, PERF_RECORD_LOST_SAMPLES, misc, body);
}

/* From here on the kernel holds samples of the event with this id back, or no longer does. */
static inline void
maker_throttle (GByteArray *out, gboolean on, guint64 id, gint32 pid, guint64 time, guint32 cpu)
{
  GByteArray *body = g_byte_array_new ();

  maker_u64 (body, time);
  maker_u64 (body, id);
  maker_u64 (body, id);
  maker_tail (body, pid, pid, time, cpu, id);
  maker_record (out, on ? PERF_RECORD_THROTTLE : PERF_RECORD_UNTHROTTLE, 0, body);
}

/* A sample of the event with this id (1 switch, 2 waking, 3 CPU sample). */
static inline void
maker_sample (GByteArray *out, guint64 id, gint32 pid, guint64 time, guint32 cpu, const guint64 *chain, gsize n_chain,
              GByteArray *raw)
{
  GByteArray *body = g_byte_array_new ();

  maker_u64 (body, id);
  maker_u64 (body, 0);
  maker_u32 (body, pid);
  maker_u32 (body, pid);
  maker_u64 (body, time);
  maker_u64 (body, cpu);
  maker_u64 (body, 1);
  maker_u64 (body, n_chain);
  maker_bytes (body, chain, n_chain * 8);
  if (raw != NULL)
    {
      maker_u32 (body, raw->len);
      maker_bytes (body, raw->data, raw->len);
      g_byte_array_unref (raw);
    }
  else
    maker_u32 (body, 0);
  maker_pad (body, 8);
  maker_record (out, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL, body);
}

static inline GByteArray *
maker_raw (guint16 type, guint8 flags, gint32 pid)
{
  GByteArray *raw = g_byte_array_new ();

  maker_bytes (raw, &type, 2);
  maker_bytes (raw, &flags, 1);
  maker_bytes (raw, "", 1);
  maker_u32 (raw, pid);
  return raw;
}

static inline void
maker_switch_at (GByteArray *out, guint64 time, guint32 cpu, gint32 prev, const char *prev_comm, guint64 state, gint32 next,
                 const char *next_comm, const guint64 *chain, gsize n_chain)
{
  GByteArray *raw = maker_raw (MAKER_SWITCH, 0, prev);

  maker_text (raw, prev_comm, 16);
  maker_u32 (raw, prev);
  maker_u32 (raw, 120);
  maker_u64 (raw, state);
  maker_text (raw, next_comm, 16);
  maker_u32 (raw, next);
  maker_u32 (raw, 120);
  maker_sample (out, 1, prev, time, cpu, chain, n_chain, raw);
}

static inline void
maker_switch (GByteArray *out, guint64 time, guint32 cpu, gint32 prev, const char *prev_comm, guint64 state, gint32 next,
              const char *next_comm)
{
  static const guint64 chain[] = { PERF_CONTEXT_KERNEL, MAKER_KERNEL + 0x110, MAKER_KERNEL + 0x220, PERF_CONTEXT_USER,
                                   MAKER_USER + 0x150, MAKER_USER + 0x260, 0x1234567890 };

  maker_switch_at (out, time, cpu, prev, prev_comm, state, next, next_comm, chain, prev != 0 ? G_N_ELEMENTS (chain) : 3);
}

static inline void
maker_waking (GByteArray *out, guint64 time, guint32 cpu, gint32 by, gint32 woken, const char *comm, guint8 flags)
{
  static const guint64 chain[] = { PERF_CONTEXT_KERNEL, MAKER_KERNEL + 0x310 };
  GByteArray *raw = maker_raw (MAKER_WAKING, flags, by);

  maker_text (raw, comm, 16);
  maker_u32 (raw, woken);
  maker_u32 (raw, 120);
  maker_u32 (raw, 0);
  maker_sample (out, 2, by, time, cpu, chain, 2, raw);
}

static inline void
maker_attr (GByteArray *out, guint32 type, guint64 config, gboolean freq)
{
  struct perf_event_attr attr = { .type = type, .size = sizeof attr, .config = config, .sample_type = MAKER_TYPE,
                                  .sample_period = type == PERF_TYPE_TRACEPOINT && !freq ? 1 : 4000, .freq = freq,
                                  .sample_id_all = 1, .comm = 1 };

  maker_bytes (out, &attr, sizeof attr);
}

static inline void
maker_format (GByteArray *out, const char *name, guint id, const char *fields)
{
  g_autofree char *text = g_strdup_printf (
    "name: %s\nID: %u\nformat:\n"
    "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
    "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
    "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
    "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n%s\nprint fmt: \"%%d\", REC->pid\n", name, id, fields);

  maker_u64 (out, strlen (text));
  maker_bytes (out, text, strlen (text));
}

/* Formats of two events, and a kernel of five functions. */
static inline GByteArray *
maker_tracing_data (void)
{
  static const char symbols[] = "ffffffff81000000 T _text\nffffffff81000100 T __schedule\nffffffff81000200 T schedule\n"
                                "ffffffff81000300 T try_to_wake_up\nffffffff81000400 T do_wait\n"
                                "ffffffff81000500 T ksys_read\nffffffffc0000000 t nf_hook\t[nf_tables]\n";
  GByteArray *out = g_byte_array_new ();

  maker_bytes (out, "\x17\x08\x44tracing0.6\0", 14);
  maker_bytes (out, "\0\x08", 2);
  maker_u32 (out, 4096);
  maker_bytes (out, "header_page", 12);
  maker_u64 (out, 0);
  maker_bytes (out, "header_event", 13);
  maker_u64 (out, 0);
  maker_u32 (out, 0);
  maker_u32 (out, 1);
  maker_bytes (out, "sched", 6);
  maker_u32 (out, 2);
  maker_format (out, "sched_switch", MAKER_SWITCH,
                "\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;\n\tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n"
                "\tfield:int prev_prio;\toffset:28;\tsize:4;\tsigned:1;\n\tfield:long prev_state;\toffset:32;\tsize:8;\tsigned:1;\n"
                "\tfield:char next_comm[16];\toffset:40;\tsize:16;\tsigned:0;\n\tfield:pid_t next_pid;\toffset:56;\tsize:4;\tsigned:1;\n"
                "\tfield:int next_prio;\toffset:60;\tsize:4;\tsigned:1;\n");
  maker_format (out, "sched_waking", MAKER_WAKING,
                "\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:0;\n\tfield:pid_t pid;\toffset:24;\tsize:4;\tsigned:1;\n"
                "\tfield:int prio;\toffset:28;\tsize:4;\tsigned:1;\n\tfield:int target_cpu;\toffset:32;\tsize:4;\tsigned:1;\n");
  maker_u32 (out, strlen (symbols));
  maker_bytes (out, symbols, strlen (symbols));
  maker_u32 (out, 0);
  maker_u64 (out, 0);
  return out;
}

static const struct
{
  guint32 type;
  guint64 config;
} maker_events[] = { { PERF_TYPE_TRACEPOINT, MAKER_SWITCH }, { PERF_TYPE_TRACEPOINT, MAKER_WAKING },
                     { PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK } };

static inline void
maker_feature (GByteArray *out, guint64 id, const void *data, gsize n)
{
  GByteArray *body = g_byte_array_new ();

  maker_u64 (body, id);
  maker_bytes (body, data, n);
  maker_record (out, WP_PERF_RECORD_FEATURE, 0, body);
}

/* One of ours, as they are written today. */
static inline void
maker_own_feature (GByteArray *out, guint64 id, const void *data, gsize n)
{
  GByteArray *body = g_byte_array_new ();

  maker_u64 (body, WP_PERF_FEATURES_OWN + id);
  maker_bytes (body, data, n);
  maker_record (out, WP_PERF_RECORD_EVENT_TYPE, 0, body);
}

static inline void
maker_exit (GByteArray *out, gint32 pid, guint64 time)
{
  GByteArray *body = g_byte_array_new ();

  for (guint i = 0; i < 4; i++)
    maker_u32 (body, (guint32) pid);
  maker_u64 (body, time);
  maker_tail (body, pid, pid, time, 0, 1);
  maker_record (out, PERF_RECORD_EXIT, 0, body);
}

/* What a task waited in; texts with their final 0. */
static inline void
maker_wait (GByteArray *out, gint32 pid, gint32 tid, const char *texts, gsize n)
{
  GByteArray *body = g_byte_array_new ();

  maker_u32 (body, (guint32) pid);
  maker_u32 (body, (guint32) tid);
  maker_bytes (body, texts, n);
  maker_own_feature (out, WP_PERF_FEATURE_WAIT, body->data, body->len);
  g_byte_array_unref (body);
}

/* The record that brings formats along; takes `tracing`. */
static inline void
maker_tracing (GByteArray *out, GByteArray *tracing)
{
  GByteArray *body = g_byte_array_new ();

  maker_u32 (body, tracing->len);
  maker_record (out, WP_PERF_RECORD_TRACING_DATA, 0, body);
  maker_bytes (out, tracing->data, tracing->len);
  for (guint i = tracing->len; i % 8 != 0; i++)
    maker_bytes (out, "", 1);
  g_byte_array_unref (tracing);
}

/* Wraps records as a stream; `thinned`: the tracepoints say that they were sampled. */
static inline GByteArray *
maker_stream (GByteArray *records, gboolean thinned)
{
  static const char json[] = "{\"pid\": 11, \"commit\": \"abc\", \"stacks\": \"fp\"}";
  GByteArray *out = g_byte_array_new (), *body;

  maker_bytes (out, "PERFILE2", 8);
  maker_u64 (out, 16);
  for (guint i = 0; i < G_N_ELEMENTS (maker_events); i++)
    {
      body = g_byte_array_new ();
      maker_attr (body, maker_events[i].type, maker_events[i].config, thinned);
      maker_u64 (body, i + 1);
      maker_record (out, WP_PERF_RECORD_ATTR, 0, body);
    }
  maker_tracing (out, maker_tracing_data ());
  maker_feature (out, WP_PERF_FEATURE_OSRELEASE, "\x05\0\0\0v9.9", 9);
  maker_bytes (out, records->data, records->len);
  g_byte_array_unref (records);
  maker_feature (out, WP_PERF_FEATURE_CMDLINE, "\2\0\0\0\2\0\0\0a\0\2\0\0\0b", 16);
  maker_feature (out, WP_PERF_FEATURE_RECORDER, json, sizeof json);
  return out;
}

/* … and as a file: attributes in front, then the records, behind them a table of features. */
static inline GByteArray *
maker_file (GByteArray *records)
{
  GByteArray *out = g_byte_array_new (), *tracing = maker_tracing_data ();
  guint n = G_N_ELEMENTS (maker_events), each = sizeof (struct perf_event_attr) + 16;
  guint64 attrs = 104 + n * 8, data = attrs + n * each, table = data + records->len;

  maker_bytes (out, "PERFILE2", 8);
  maker_u64 (out, 104);
  maker_u64 (out, each);
  maker_u64 (out, attrs);
  maker_u64 (out, n * each);
  maker_u64 (out, data);
  maker_u64 (out, records->len);
  maker_u64 (out, 0);
  maker_u64 (out, 0);
  maker_u64 (out, 1 << 1 | 1 << 3);
  for (guint i = 0; i < 3; i++)
    maker_u64 (out, 0);
  for (guint i = 0; i < n; i++)
    maker_u64 (out, i + 1);
  for (guint i = 0; i < n; i++)
    {
      maker_attr (out, maker_events[i].type, maker_events[i].config, FALSE);
      maker_u64 (out, 104 + i * 8);
      maker_u64 (out, 8);
    }
  maker_bytes (out, records->data, records->len);
  maker_u64 (out, table + 32);
  maker_u64 (out, tracing->len);
  maker_u64 (out, table + 32 + tracing->len);
  maker_u64 (out, 9);
  maker_bytes (out, tracing->data, tracing->len);
  maker_bytes (out, "\x05\0\0\0host", 9);
  g_byte_array_unref (records);
  g_byte_array_unref (tracing);
  return out;
}

/* pass 11 and pass 12 hand work to one another on two CPUs; the records of CPU 1 stand behind those of CPU 0. */
static inline GByteArray *
maker_exchange (void)
{
  static const guint64 user[] = { PERF_CONTEXT_USER, MAKER_USER + 0x170, MAKER_USER + 0x260 };
  GByteArray *out = g_byte_array_new ();

  maker_comm (out, 11, "pass", FALSE, 0, 0);
  maker_comm (out, 12, "pass", FALSE, 0, 0);
  maker_mmap2 (out, 11, MAKER_USER, 0x1000, 0x1000, "/nowhere/pass", 0);
  maker_mmap2 (out, 12, MAKER_USER, 0x1000, 0x1000, "/nowhere/pass", 0);
  maker_switch (out, 1000, 0, 0, "swapper/0", 0, 11, "pass");
  maker_sample (out, 3, 11, 1500, 0, user, 3, NULL);
  maker_waking (out, 2000, 0, 11, 12, "pass", 0);
  maker_switch (out, 2500, 0, 11, "pass", 1, 0, "swapper/0");
  maker_switch (out, 4500, 0, 0, "swapper/0", 0, 11, "pass");
  maker_switch (out, 6000, 0, 11, "pass", 1, 0, "swapper/0");
  maker_switch (out, 1100, 1, 12, "pass", 1, 0, "swapper/1");
  maker_switch (out, 2200, 1, 0, "swapper/1", 0, 12, "pass");
  maker_waking (out, 4000, 1, 12, 11, "pass", 0);
  maker_switch (out, 5000, 1, 12, "pass", 1, 0, "swapper/1");
  return out;
}
