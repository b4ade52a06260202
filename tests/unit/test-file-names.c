/* Names of files and devices in a perf.data: from the page cache's event through the disk request to the path that the recorder
 * wrote down; and the files that a recorder is asked to look up. */
#include "perf-maker.h"
#include "read/perf/inodes.h"
#include "read/read.h"

#include <glib/gstdio.h>

#define DEVICE (254u << 20)

enum
{
  PAGE = 40,
  QUEUE,
  ISSUE,
  COMPLETE,
  CREATED,
};

static const struct
{
  guint id;
  const char *system, *name, *fields;
} formats[] = {
  { PAGE, "filemap", "mm_filemap_add_to_page_cache",
    "\tfield:unsigned long pfn;\toffset:8;\tsize:8;\tsigned:0;\n\tfield:unsigned long i_ino;\toffset:16;\tsize:8;\tsigned:0;\n"
    "\tfield:dev_t s_dev;\toffset:24;\tsize:4;\tsigned:0;\n" },
  { QUEUE, "block", "block_bio_queue", NULL },
  { ISSUE, "block", "block_rq_issue", NULL },
  { COMPLETE, "block", "block_rq_complete", NULL },
  { CREATED, "ext4", "ext4_allocate_inode",
    "\tfield:dev_t dev;\toffset:8;\tsize:4;\tsigned:0;\n\tfield:ino_t ino;\toffset:16;\tsize:8;\tsigned:0;\n" },
};
static const char request_fields[] =
  "\tfield:dev_t dev;\toffset:8;\tsize:4;\tsigned:0;\n\tfield:sector_t sector;\toffset:16;\tsize:8;\tsigned:0;\n"
  "\tfield:unsigned int nr_sector;\toffset:24;\tsize:4;\tsigned:0;\n\tfield:char rwbs[8];\toffset:28;\tsize:8;\tsigned:0;\n";

static void
add_page (GByteArray *out, guint64 time, guint32 dev, guint64 inode)
{
  GByteArray *raw = maker_raw (PAGE, 0, 10);

  maker_u64 (raw, 1);
  maker_u64 (raw, inode);
  maker_u32 (raw, dev);
  maker_u32 (raw, 0);
  maker_sample (out, PAGE, 10, time, 0, NULL, 0, raw);
}

static void
add_created (GByteArray *out, guint64 time, guint64 inode)
{
  GByteArray *raw = maker_raw (CREATED, 0, 10);

  maker_u32 (raw, DEVICE);
  maker_u32 (raw, 0);
  maker_u64 (raw, inode);
  maker_sample (out, CREATED, 10, time, 0, NULL, 0, raw);
}

static void
add_block (GByteArray *out, guint id, guint64 time, guint64 sector, const char *rwbs)
{
  GByteArray *raw = maker_raw (id, 0, 10);
  char letters[8] = "";

  g_strlcpy (letters, rwbs, sizeof letters);
  maker_u32 (raw, DEVICE);
  maker_u32 (raw, 0);
  maker_u64 (raw, sector);
  maker_u32 (raw, 8);
  maker_bytes (raw, letters, sizeof letters);
  maker_sample (out, id, 10, time, 0, NULL, 0, raw);
}

static void
add_request (GByteArray *out, guint64 time, guint64 sector, const char *rwbs)
{
  add_block (out, QUEUE, time, sector, rwbs);
  add_block (out, ISSUE, time + 10, sector, rwbs);
  add_block (out, COMPLETE, time + 100, sector, rwbs);
}

static GByteArray *
tracing_data (void)
{
  GByteArray *out = maker_tracing_data ();

  /* one system more for each of our events: their number stands behind the empty list of the kernel's own */
  g_byte_array_set_size (out, 16 + 4 + 12 + 8 + 13 + 8 + 4);
  maker_u32 (out, 1 + G_N_ELEMENTS (formats));
  maker_bytes (out, "sched", 6);
  maker_u32 (out, 1);
  maker_format (out, "sched_switch", MAKER_SWITCH,
                "\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;\n\tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n"
                "\tfield:int prev_prio;\toffset:28;\tsize:4;\tsigned:1;\n\tfield:long prev_state;\toffset:32;\tsize:8;\tsigned:1;\n"
                "\tfield:char next_comm[16];\toffset:40;\tsize:16;\tsigned:0;\n\tfield:pid_t next_pid;\toffset:56;\tsize:4;\tsigned:1;\n");
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      maker_bytes (out, formats[i].system, strlen (formats[i].system) + 1);
      maker_u32 (out, 1);
      maker_format (out, formats[i].name, formats[i].id, formats[i].fields != NULL ? formats[i].fields : request_fields);
    }
  maker_u32 (out, 0);
  maker_u32 (out, 0);
  maker_u64 (out, 0);
  return out;
}

static void
add_attribute (GByteArray *out, guint64 config)
{
  GByteArray *body = g_byte_array_new ();

  maker_attr (body, PERF_TYPE_TRACEPOINT, config, FALSE);
  maker_u64 (body, config == MAKER_SWITCH ? 1 : config);
  maker_record (out, WP_PERF_RECORD_ATTR, 0, body);
}

/* Files that are read, in any recording. */
static void
add_usual (GByteArray *out)
{
  add_page (out, 2000, DEVICE, 1234);
  add_page (out, 2001, DEVICE, 1234);
  add_request (out, 2100, 100, "RA");
  add_page (out, 3000, 3, 254u << 20);
  add_request (out, 3100, 200, "RM");
  add_page (out, 4000, DEVICE, 99);
  add_request (out, 4100, 300, "R");
  add_request (out, 4100 + 50000000, 400, "R");
  add_page (out, 4100 + 60000000, DEVICE, 1234);
}

/* The number 1234 is that of two files; who made the second is seen if `told`. */
static void
add_reused (GByteArray *out, gboolean told)
{
  add_page (out, 2000, DEVICE, 1234);
  add_request (out, 2100, 100, "R");
  if (told)
    add_created (out, 20000000, 1234);
  add_page (out, 25000000, DEVICE, 1234);
  add_request (out, 25000100, 200, "R");
  add_page (out, 50000000, DEVICE, 1234);
  add_request (out, 50000100, 300, "R");
}

static void
add_partition (GByteArray *out)
{
  add_page (out, 2000, DEVICE | 1, 5);
  add_request (out, 2100, 100, "R");
}

static void
add_told (GByteArray *out)
{
  add_reused (out, TRUE);
}

static void
add_not_told (GByteArray *out)
{
  add_reused (out, FALSE);
}

static char *
make_recording_of (void (*add_events) (GByteArray *out), const char *json)
{
  GByteArray *out = g_byte_array_new ();
  char *path = NULL;
  int fd = g_file_open_tmp ("wakepath-names-XXXXXX", &path, NULL);

  maker_bytes (out, "PERFILE2", 8);
  maker_u64 (out, 16);
  add_attribute (out, MAKER_SWITCH);
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    add_attribute (out, formats[i].id);
  maker_tracing (out, tracing_data ());
  maker_switch (out, 1000, 0, 0, "swapper/0", 0, 10, "A");
  add_events (out);
  if (json != NULL)
    maker_own_feature (out, WP_PERF_FEATURE_RECORDER, json, strlen (json) + 1);
  close (fd);
  g_file_set_contents (path, (char *) out->data, out->len, NULL);
  g_byte_array_unref (out);
  return path;
}

/* A file that is read, the file system's own block, a file by number only, and a request that comes too late after its page. */
static char *
make_recording (const char *json)
{
  return make_recording_of (add_usual, json);
}

static const char *
file_at (const WpTrace *trace, guint64 sector)
{
  for (WpId d = 1; d < trace->disks.len; d++)
    if (trace->disks.data[d].sector == sector)
      return wp_trace_string (trace, trace->disks.data[d].file);
  g_assert_not_reached ();
}

static void
test_names (void)
{
  g_autofree char *path = make_recording ("{\"devices\": {\"254:0\": \"disk7\", \"x\": \"y\", \"1:1\": 5},"
                                          " \"files\": {\"254:0\": {\"1234\": \"/home/a\", \"z\": \"/b\"}, \"9:9\": 3}}");
  g_autoptr (GError) error = NULL;
  g_autoptr (WpTrace) trace = wp_read (path, NULL, NULL, &error);
  char buffer[32];

  g_assert_no_error (error);
  g_assert_cmpstr (file_at (trace, 100), ==, "/home/a");
  g_assert_cmpstr (file_at (trace, 200), ==, "");
  g_assert_cmpstr (file_at (trace, 300), ==, "file 99 of disk7");
  g_assert_cmpstr (file_at (trace, 400), ==, "");
  g_assert_cmpstr (wp_trace_device_name (trace, DEVICE, buffer), ==, "disk7");
  g_assert_cmpstr (wp_trace_task_name (trace, trace->ops.data[trace->disks.data[1].active].task), ==, "disk7");
  g_assert_cmpuint (trace->diagnostics.n[WP_DIAG_DAMAGED_RECORDS], ==, 0);
  g_unlink (path);
}

/* Another machine's numbers are not looked up on this one. */
static void
test_no_names (void)
{
  g_autofree char *path = make_recording (NULL);
  g_autoptr (WpTrace) trace = wp_read (path, NULL, NULL, NULL);
  char buffer[32];

  g_assert_cmpstr (file_at (trace, 100), ==, "file 1234 of 254:0");
  g_assert_cmpstr (wp_trace_device_name (trace, DEVICE, buffer), ==, "254:0");
  g_unlink (path);
}

static void
test_inodes (void)
{
  g_autofree char *path = make_recording (NULL);
  g_autoptr (GError) error = NULL;
  WpInodeArray inodes = { 0 };

  g_assert_true (wp_recording_inodes (path, &inodes, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (inodes.len, ==, 2);
  g_assert_cmpuint (inodes.data[0].dev, ==, DEVICE);
  g_assert_cmpuint (inodes.data[0].inode, ==, 99);
  g_assert_cmpuint (inodes.data[1].inode, ==, 1234);
  g_file_set_contents (path, "no recording", -1, NULL);
  g_assert_false (wp_recording_inodes (path, &inodes, NULL, &error));
  g_assert_nonnull (error);
  g_assert_nonnull (strstr (error->message, path));
  wp_array_clear (&inodes);
  g_unlink (path);
}

/* The last file was made at 20 ms, by a clock that may be slow: at 25 ms only who saw that knows whose request it is. */
static void
test_reused (gconstpointer told)
{
  g_autofree char *path = make_recording_of (told != NULL ? add_told : add_not_told,
                                             "{\"files\": {\"254:0\": {\"1234\": \"/second\"}}, "
                                             "\"born\": {\"254:0\": {\"1234\": 20000000, \"x\": 3}, \"y\": 4}}");
  g_autoptr (WpTrace) trace = wp_read (path, NULL, NULL, NULL);

  g_assert_cmpstr (file_at (trace, 100), ==, "file 1234 of 254:0");
  g_assert_cmpstr (file_at (trace, 200), ==, told != NULL ? "/second" : "file 1234 of 254:0");
  g_assert_cmpstr (file_at (trace, 300), ==, "/second");
  g_unlink (path);
}

/* A request to one device is not for the last file that its thread used on another one, unless nothing is known of what lies below that. */
static void
test_other_device (void)
{
  static const struct
  {
    const char *below, *file;
  } cases[] = {
    { "\"254:1\": \"\"", "" },
    { "\"254:1\": \"254:1\"", "" },
    { "\"254:1\": \"7:0\"", "" },
    { "\"254:1\": \"254:1 254:0\"", "/part" },
    { "\"7:0\": \"254:1\"", "/part" },
    { "", "/part" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *json = g_strdup_printf ("{\"files\": {\"254:1\": {\"5\": \"/part\"}}, \"below\": {%s}}",
                                               cases[i].below);
      g_autofree char *path = make_recording_of (add_partition, json);
      g_autoptr (WpTrace) trace = wp_read (path, NULL, NULL, NULL);

      g_assert_cmpstr (file_at (trace, 100), ==, cases[i].file);
      g_unlink (path);
    }
}

/* What the recorder completed while it condensed is counted with what the reader completes. */
static void
test_completed (void)
{
  g_autofree char *path = make_recording ("{\"stacks_completed\": 7}");
  g_autoptr (WpTrace) trace = wp_read (path, NULL, NULL, NULL);

  g_assert_cmpuint (trace->diagnostics.n[WP_DIAG_STACKS_COMPLETED], ==, 7);
  g_assert_false (g_hash_table_contains (trace->extra, "stacks_completed"));
  g_unlink (path);
}

static void
test_device_numbers (void)
{
  static const char *const wrong[] = { "", ":", "8", "8:", ":8", "8:1x", "-1:2", "4096:0", "8:1048576", "8:1:1" };
  guint32 dev;

  g_assert_true (wp_trace_parse_device ("254:17", &dev));
  g_assert_cmpuint (dev, ==, DEVICE | 17);
  g_assert_true (wp_trace_parse_device ("4095:1048575", &dev));
  g_assert_cmpuint (dev, ==, G_MAXUINT32);
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    g_assert_false (wp_trace_parse_device (wrong[i], &dev));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/file-names/named", test_names);
  g_test_add_func ("/file-names/numbers-only", test_no_names);
  g_test_add_func ("/file-names/inodes", test_inodes);
  g_test_add_data_func ("/file-names/reused/told", "", test_reused);
  g_test_add_data_func ("/file-names/reused/not-told", NULL, test_reused);
  g_test_add_func ("/file-names/other-device", test_other_device);
  g_test_add_func ("/file-names/completed-stacks", test_completed);
  g_test_add_func ("/file-names/device-numbers", test_device_numbers);
  return g_test_run ();
}
