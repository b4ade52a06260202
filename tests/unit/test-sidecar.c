/* What was opened before opens again from its sidecar, exactly as it was read; and not where anything has changed since, or the sidecar was. */
#include "base/hash.h"
#include "base/own-folder.h"
#include "profile/model/document.h"
#include "read/sidecar/columns.h"
#include "read/sidecar/room.h"
#include "read/sidecar/sidecar.h"
#include "read/sidecar/title.h"
#include "trace/files.h"
#include "trace/notes.h"

#include <fcntl.h>
#include <ftw.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define TICKS (60 * G_TIME_SPAN_MILLISECOND) /* after which a file is no longer fresh */

static char *folder; /* for files of the tests */

/* --- sidecars ----------------------------------------------------------------------------------------------------------- */

static char *
sidecars (void)
{
  return g_build_filename (g_get_user_cache_dir (), "wakepath", WP_SIDECAR_FOLDER, NULL);
}

static guint
count_sidecars (void)
{
  g_autofree char *path = sidecars ();
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  guint n = 0;

  while (dir != NULL && g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

/* The only one; free with g_free(). */
static char *
only_sidecar (void)
{
  g_autofree char *path = sidecars ();
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);

  g_assert_cmpuint (count_sidecars (), ==, 1);
  return g_build_filename (path, g_dir_read_name (dir), NULL);
}

static void
forget (void)
{
  g_autofree char *path = sidecars ();
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *file = g_build_filename (path, name, NULL);

      unlink (file);
    }
}

static WpDocument *
open_with (const char *path, const WpReadOptions *options)
{
  g_autoptr (GError) error = NULL;
  WpDocument *document = wp_document_open (path, options, NULL, &error);

  g_assert_no_error (error);
  g_assert_true (wp_document_name (document, options, NULL, NULL));
  wp_document_keep (document);
  return document;
}

static gboolean
opens_from_sidecar_with (const char *path, const WpReadOptions *options)
{
  g_autoptr (WpDocument) document = wp_document_open (path, options, NULL, NULL);

  return document->trace->lent != NULL;
}

static gboolean
opens_from_sidecar (const char *path)
{
  return opens_from_sidecar_with (path, NULL);
}

static void
keep (const char *path)
{
  g_autoptr (WpDocument) document = open_with (path, NULL);
}

static char *
put (const char *name, const char *bytes, gssize n)
{
  char *path = g_build_filename (folder, name, NULL);

  g_assert_true (g_file_set_contents (path, bytes, n, NULL));
  g_usleep (TICKS);
  return path;
}

static char *
copy_of (const char *from, const char *name)
{
  g_autofree char *bytes = NULL;
  gsize n;

  g_assert_true (g_file_get_contents (from, &bytes, &n, NULL));
  return put (name, bytes, (gssize) n);
}

static void
write_over (const char *path, const char *bytes, gsize n)
{
  int fd = open (path, O_WRONLY | O_TRUNC | O_CLOEXEC);

  g_assert_cmpint (write (fd, bytes, n), ==, (gssize) n);
  close (fd);
}

static char *
scenario (const char *name)
{
  return g_build_filename (g_getenv ("WP_SCENARIOS"), name, NULL);
}

/* A short recording of ours. */
static char *
recording (void)
{
  return g_build_filename (g_getenv ("WP_RECORDINGS"), "own.data", NULL);
}

static char *
copy_of_recording (const char *name)
{
  g_autofree char *path = recording ();

  return copy_of (path, name);
}

/* --- the same --------------------------------------------------------------------------------------------------------- */

static void
same_strings (const WpStrings *a, const WpStrings *b)
{
  g_assert_cmpuint (wp_strings_count (a), ==, wp_strings_count (b));
  for (WpId id = 0; id < wp_strings_count (a); id++)
    {
      gsize n_a, n_b;
      const char *text_a = wp_strings_bytes (a, id, &n_a), *text_b = wp_strings_bytes (b, id, &n_b);

      g_assert_cmpmem (text_a, n_a, text_b, n_b);
      if (strlen (text_a) == n_a)
        g_assert_cmpuint (wp_strings_find (b, text_a), ==, id);
    }
}

static void
same_table (GHashTable *a, GHashTable *b, gboolean texts)
{
  GHashTableIter iter;
  gpointer key, value;

  g_assert_cmpuint (a != NULL ? g_hash_table_size (a) : 0, ==, b != NULL ? g_hash_table_size (b) : 0);
  if (a == NULL)
    return;
  g_hash_table_iter_init (&iter, a);
  while (g_hash_table_iter_next (&iter, &key, &value))
    if (texts)
      g_assert_cmpstr (g_hash_table_lookup (b, key), ==, value);
    else
      g_assert_true (g_hash_table_lookup (b, key) == value);
}

static void
same_notes (struct WpNotes *a, struct WpNotes *b)
{
  g_autoptr (GArray) notes_a = wp_notes_list (a), notes_b = wp_notes_list (b);

  g_assert_cmpuint (notes_a->len, ==, notes_b->len);
  for (guint i = 0; i < notes_a->len; i++)
    {
      g_assert_cmpint (g_array_index (notes_a, WpNote, i).time, ==, g_array_index (notes_b, WpNote, i).time);
      g_assert_cmpstr (g_array_index (notes_a, WpNote, i).text, ==, g_array_index (notes_b, WpNote, i).text);
    }
}

#define SAME_ROWS(name)                                                                                                                  \
  g_assert_cmpmem (a->name.data, a->name.len * sizeof *a->name.data, b->name.data, b->name.len * sizeof *b->name.data)

static void
same_trace (const WpTrace *a, const WpTrace *b)
{
  SAME_ROWS (tasks);
  SAME_ROWS (ops);
  SAME_ROWS (links);
  SAME_ROWS (samples);
  SAME_ROWS (stacks);
  SAME_ROWS (frames);
  SAME_ROWS (functions);
  SAME_ROWS (modules);
  SAME_ROWS (disks);
  SAME_ROWS (nets);
  SAME_ROWS (devices);
  SAME_ROWS (lost);
  SAME_ROWS (interrupts);
  SAME_ROWS (rates);
  SAME_ROWS (events);
  SAME_ROWS (marks);
  same_strings (a->strings, b->strings);
  g_assert_cmpmem (a->diagnostics.n, sizeof a->diagnostics.n, b->diagnostics.n, sizeof b->diagnostics.n);
  g_assert_cmpint (a->end, ==, b->end);
  g_assert_cmpint (a->clock_start, ==, b->clock_start);
  g_assert_cmpuint (a->n_cpus, ==, b->n_cpus);
  g_assert_cmpint (a->command_pid, ==, b->command_pid);
  g_assert_cmpint (a->goes_on, ==, b->goes_on);
  g_assert_cmpint (a->partial, ==, b->partial);
  g_assert_cmpstr (a->format, ==, b->format);
  g_assert_cmpstr (a->command, ==, b->command);
  g_assert_cmpstr (a->host, ==, b->host);
  g_assert_cmpstr (a->kernel, ==, b->kernel);
  g_assert_cmpstr (a->missing, ==, b->missing);
  same_table (a->arguments, b->arguments, FALSE);
  same_table (a->block_devices, b->block_devices, FALSE);
  same_table (a->backing, b->backing, FALSE);
  same_table (a->extra, b->extra, TRUE);
  same_notes (a->notes, b->notes);
}

/* What is looked up in it is found where it stands, and what is new comes behind. */
static void
interns_as_before (WpTrace *trace)
{
  const WpId n = trace->stacks.len;

  for (WpId id = 1; id < trace->functions.len; id++)
    {
      const WpFunction *row = &trace->functions.data[id];

      g_assert_cmpuint (wp_trace_function (trace, row->module, wp_trace_string (trace, row->name), row->flags), ==, id);
    }
  for (WpId id = 1; id < n; id++)
    g_assert_cmpuint (wp_trace_stack (trace, trace->stacks.data[id].parent, trace->stacks.data[id].frame), ==, id);
  g_assert_cmpuint (wp_trace_stack (trace, n - 1, wp_trace_named_frame (trace, 0, "nobody has this name")), ==, n);
}

static void
opens_the_same (const char *path)
{
  g_autoptr (WpDocument) read = open_with (path, NULL), again = NULL;
  g_autofree char *broken = NULL;

  g_assert_null (read->trace->lent);
  if (read->trace->diagnostics.n[WP_DIAG_NAMES_GIVEN_UP] > 0) /* the machine has more to do, and next time all names may be readable */
    return;
  again = open_with (path, NULL);
  if (again->trace->lent == NULL)
    g_error ("%s was not opened from its sidecar", path);
  same_trace (read->trace, again->trace);
  broken = wp_trace_check (again->trace);
  g_assert_cmpstr (broken, ==, NULL);
  interns_as_before (again->trace);
}

/* Those that open, of this suffix. */
static guint
open_all (const char *within, const char *suffix)
{
  g_autoptr (GDir) dir = g_dir_open (within, 0, NULL);
  const char *name;
  guint n = 0;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (within, name, NULL);
      g_autoptr (WpTrace) trace = g_str_has_suffix (name, suffix) ? wp_read (path, NULL, NULL, NULL) : NULL;

      if (trace != NULL)
        opens_the_same (path);
      n += trace != NULL;
    }
  forget ();
  return n;
}

static void
test_all (void)
{
  g_assert_cmpuint (open_all (g_getenv ("WP_SCENARIOS"), ".trace"), >, 80);
  g_assert_cmpuint (open_all (g_getenv ("WP_RECORDINGS"), ".data"), >, 10);
}

/* What few recordings have. */
static void
test_rare (void)
{
  g_autofree char *path = recording ();
  g_autoptr (WpDocument) read = wp_document_open (path, NULL, NULL, NULL), again = NULL;
  static const char zeros[] = { 'a', '\0', 'b' };
  WpTrace *trace = read->trace;
  char buffer[32];

  wp_document_name (read, NULL, NULL, NULL);
  wp_trace_set_device_name (trace, 0xfff00001, "of a large number");
  wp_trace_set_device_name (trace, 1, "of a small one");
  wp_trace_set_backing (trace, 0xfff00001, "/its file");
  wp_trace_set_arguments (trace, -1, "of nobody");
  wp_trace_set_arguments (trace, G_MAXINT32, "of somebody");
  wp_notes_set (trace->notes, 12345, "A note");
  wp_notes_set (trace->notes, -1, "Äther");
  wp_strings_intern_bytes (trace->strings, zeros, sizeof zeros);
  g_free (trace->missing);
  trace->missing = g_strdup ("");
  if (trace->extra == NULL)
    trace->extra = g_hash_table_new_full (wp_hash_string, g_str_equal, g_free, g_free);
  g_hash_table_replace (trace->extra, g_strdup ("folder"), g_strdup ("/a\nb"));
  wp_document_keep (read);
  again = wp_document_open (path, NULL, NULL, NULL);
  g_assert_nonnull (again->trace->lent);
  same_trace (trace, again->trace);
  g_assert_cmpstr (wp_trace_device_name (again->trace, 0xfff00001, buffer), ==, "of a large number");
  g_assert_cmpstr (wp_trace_string (again->trace, wp_trace_backing (again->trace, 0xfff00001)), ==, "/its file");
  forget ();
}

/* --- what has changed ------------------------------------------------------------------------------------------------- */

static void
test_recording (void)
{
  g_autofree char *path = copy_of_recording ("recording.perf"), *moved = g_build_filename (folder, "moved.perf", NULL);
  const WpReadOptions idle = { .idle_task = "swapper/0" }, samples = { .all_samples = TRUE };
  struct timespec times[2] = { { 1700000000, 0 }, { 1700000000, 0 } };

  keep (path);
  g_assert_true (opens_from_sidecar (path));
  g_assert_false (opens_from_sidecar_with (path, &idle));
  g_assert_false (opens_from_sidecar_with (path, &samples));
  /* Another time, which even stands for the same content; then another file in its place. */
  g_assert_cmpint (utimensat (AT_FDCWD, path, times, 0), ==, 0);
  g_assert_false (opens_from_sidecar (path));
  g_usleep (TICKS);
  keep (path);
  g_assert_true (opens_from_sidecar (path));
  g_assert_cmpuint (count_sidecars (), ==, 1);
  g_assert_cmpint (rename (path, moved), ==, 0);
  g_free (path);
  path = copy_of_recording ("recording.perf");
  g_assert_false (opens_from_sidecar (path));
  forget ();
}

/* One that was made this very moment is some ticks older soon; one that changes while it is read is not kept. */
static void
test_fresh (void)
{
  g_autofree char *path = copy_of_recording ("fresh.data"), *bytes = NULL;
  g_autoptr (WpDocument) document = NULL;
  gsize n;

  g_assert_true (g_file_get_contents (path, &bytes, &n, NULL));
  g_assert_true (g_file_set_contents (path, bytes, (gssize) n, NULL));
  keep (path);
  g_assert_true (opens_from_sidecar (path));
  forget ();
  document = wp_document_open (path, NULL, NULL, NULL);
  write_over (path, bytes, n);
  wp_document_name (document, NULL, NULL, NULL);
  wp_document_keep (document);
  g_assert_cmpuint (count_sidecars (), ==, 0);
}

static const char of_program[]
  = "prog 100/100 [000] 1.000000: sched:sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=prog next_pid=100 "
    "next_prio=120\n"
    "prog 100/100 [000] 2.000000: sched:sched_switch: prev_comm=prog prev_pid=100 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 "
    "next_prio=120\n"
    "\tffffffff81000000 schedule ([kernel.kallsyms])\n"
    "\t            1234 [unknown] (%s)\n\n";

/* A program that has names is there, is built anew, goes, and comes back. */
static void
test_programs (void)
{
  g_autofree char *program = g_build_filename (folder, "program", NULL), *text = g_strdup_printf (of_program, program);
  g_autofree char *path = put ("program.trace", text, -1), *again = NULL;

  keep (path);
  g_assert_true (opens_from_sidecar (path));
  g_free (copy_of ("/proc/self/exe", "program"));
  g_assert_false (opens_from_sidecar (path));
  keep (path);
  g_assert_true (opens_from_sidecar (path));
  g_free (copy_of ("/proc/self/exe", "program"));
  g_assert_false (opens_from_sidecar (path));
  keep (path);
  g_assert_true (opens_from_sidecar (path));
  g_assert_cmpint (unlink (program), ==, 0);
  g_assert_false (opens_from_sidecar (path));
  forget ();
  /* Built this very moment: it could change once more without another time. */
  g_assert_true (g_file_set_contents (program, "", 0, NULL));
  keep (path);
  g_assert_cmpuint (count_sidecars (), ==, 0);
}

static void
test_surroundings (void)
{
  g_autofree char *path = copy_of_recording ("surroundings.perf");

  keep (path);
  g_assert_true (opens_from_sidecar (path));
  g_setenv ("PERF_BUILDID_DIR", folder, TRUE);
  g_assert_false (opens_from_sidecar (path));
  g_unsetenv ("PERF_BUILDID_DIR");
  g_assert_true (opens_from_sidecar (path));
  g_setenv ("DEBUGINFOD_URLS", "http://127.0.0.1:9/", TRUE);
  g_assert_false (opens_from_sidecar (path));
  g_unsetenv ("DEBUGINFOD_URLS");
  g_setenv ("WAKEPATH_SIDECARS", "no", TRUE);
  g_assert_false (opens_from_sidecar (path));
  g_setenv ("WAKEPATH_SIDECARS", "all", TRUE);
  wp_sidecars_allow (FALSE);
  g_assert_false (opens_from_sidecar (path));
  wp_sidecars_allow (TRUE);
  g_assert_true (opens_from_sidecar (path));
  forget ();
}

/* By a thread, which nobody waits for; who is freed before it is done keeps nothing, or all. */
static void
test_aside (void)
{
  g_autofree char *path = copy_of_recording ("aside.data");

  for (guint i = 0; i < 50; i++)
    {
      WpDocument *document = wp_document_open (path, NULL, NULL, NULL);

      wp_document_name (document, NULL, NULL, NULL);
      wp_document_keep_aside (document);
      if (i % 2 == 0)
        g_usleep (i * 20);
      wp_document_free (document);
      if (i % 10 == 0)
        forget ();
    }
  while (!opens_from_sidecar (path))
    {
      g_autoptr (WpDocument) document = wp_document_open (path, NULL, NULL, NULL);

      wp_document_name (document, NULL, NULL, NULL);
      wp_document_keep_aside (document);
      g_usleep (TICKS);
    }
  g_usleep (TICKS);
  forget ();
}

/* What may come out otherwise any time, and what opens in no time. */
static void
test_not_worth (void)
{
  g_autofree char *path = scenario ("disk-joined.trace");
  g_autoptr (WpDocument) document = wp_document_open (path, NULL, NULL, NULL);

  wp_asked_files_note_passing ();
  wp_document_name (document, NULL, NULL, NULL);
  wp_document_keep (document);
  g_assert_cmpuint (count_sidecars (), ==, 0);
  g_unsetenv ("WAKEPATH_SIDECARS");
  keep (path);
  g_assert_cmpuint (count_sidecars (), ==, 0);
  g_setenv ("WAKEPATH_SIDECARS", "all", TRUE);
}

/* --- what was changed in it ------------------------------------------------------------------------------------------- */

/* Each byte once another one, and each length; of a long one every so many. */
static void
damage (const char *from, gsize step)
{
  g_autofree char *path = NULL, *whole = NULL;
  gsize n;

  keep (from);
  path = only_sidecar ();
  g_assert_true (g_file_get_contents (path, &whole, &n, NULL));
  for (gsize i = 0; i < n; i += step)
    {
      whole[i] ^= (char) (1 << i % 8);
      write_over (path, whole, n);
      g_assert_false (opens_from_sidecar (from));
      whole[i] ^= (char) (1 << i % 8);
    }
  for (gsize i = 0; i < n; i += step)
    {
      write_over (path, whole, i);
      g_assert_false (opens_from_sidecar (from));
    }
  write_over (path, whole, n);
  g_assert_true (opens_from_sidecar (from));
  forget ();
}

static void
test_damage (void)
{
  g_autofree char *text = scenario ("disk-joined.trace"), *long_one = recording ();

  damage (text, 1);
  damage (long_one, 7919);
}

/* One that fits its sums, but has one number that cannot be: it is not used, or what is there holds together. */
static void
test_numbers (void)
{
  static const guint32 numbers[] = { 0xffffffff, 0x7fffffff, 0x80000000, 1000 };
  g_autofree char *from = scenario ("disk-joined.trace"), *path = NULL, *title = NULL;
  const WpFileStamp stamp = wp_file_stamp (from);
  WpSidecarBlocks blocks;
  guint refused = 0, n = 0;
  void *map;
  gsize size;
  int fd;

  keep (from);
  path = only_sidecar ();
  title = wp_sidecar_title (&(WpReadOptions) { 0 }, &stamp);
  wp_sidecar_blocks_empty (&blocks);
  fd = open (path, O_RDWR | O_CLOEXEC);
  g_assert_true (wp_blocks_map (fd, title, blocks.blocks, WP_SIDECAR_BLOCKS, &map, &size));
  for (guint b = 0; b < WP_SIDECAR_BLOCKS; b++)
    {
      const WpBlock given = blocks.blocks[b];
      g_autofree guint8 *rows = g_memdup2 (given.data, (gsize) given.n * given.row);

      blocks.blocks[b].data = rows;
      for (gsize at = 0; at + 4 <= (gsize) given.n * given.row; at += 4)
        for (guint i = 0; i < G_N_ELEMENTS (numbers); i++, n++)
          {
            g_autofree char *aside = g_strconcat (path, ".new", NULL), *broken = NULL;
            g_autoptr (WpDocument) document = NULL;
            guint32 before;
            int out;

            memcpy (&before, rows + at, 4);
            memcpy (rows + at, &numbers[i], 4);
            out = open (aside, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);
            g_assert_true (wp_blocks_write (out, title, blocks.blocks, WP_SIDECAR_BLOCKS, NULL));
            close (out);
            g_assert_cmpint (rename (aside, path), ==, 0);
            memcpy (rows + at, &before, 4);
            document = wp_document_open (from, NULL, NULL, NULL);
            broken = wp_trace_check (document->trace);
            g_assert_cmpstr (broken, ==, NULL);
            refused += document->trace->lent == NULL;
          }
      blocks.blocks[b] = given;
    }
  g_assert_cmpuint (refused, >, n / 4);
  munmap (map, size);
  close (fd);
  forget ();
}

/* --- where they are --------------------------------------------------------------------------------------------------- */

static void
test_modes (void)
{
  g_autofree char *within = sidecars (), *from = recording (), *path = NULL;
  struct stat st;

  keep (from);
  path = only_sidecar ();
  g_assert_true (lstat (path, &st) == 0 && S_ISREG (st.st_mode) && (st.st_mode & 0777) == 0600);
  g_assert_true (lstat (within, &st) == 0 && (st.st_mode & 0777) == 0700);
  forget ();
}

static void
put_kept (const char *name, gint64 used)
{
  g_autofree char *within = sidecars (), *path = g_build_filename (within, name, NULL);
  const struct timespec times[2] = { { used, 0 }, { used, 0 } };
  char bytes[4096] = { 1 };

  g_assert_true (g_file_set_contents (path, bytes, sizeof bytes, NULL));
  g_assert_cmpint (utimensat (AT_FDCWD, path, times, 0), ==, 0);
}

static gboolean
is_kept (const char *name)
{
  g_autofree char *within = sidecars (), *path = g_build_filename (within, name, NULL);

  return g_file_test (path, G_FILE_TEST_EXISTS);
}

/* What was read of a recording does not stay when that is gone. */
static void
test_gone (void)
{
  g_autofree char *path = copy_of_recording ("gone.data"), *other = copy_of_recording ("other.data");

  keep (path);
  keep (other);
  g_assert_cmpuint (count_sidecars (), ==, 2);
  g_assert_cmpint (unlink (path), ==, 0);
  g_free (copy_of_recording ("other.data"));
  keep (other);
  g_assert_cmpuint (count_sidecars (), ==, 1);
  g_assert_true (opens_from_sidecar (other));
  forget ();
}

/* Who was used longest ago goes first; what is replaced makes room itself. */
static void
test_room (void)
{
  g_auto (WpOwnFolder) own = WP_OWN_FOLDER_NONE;

  g_assert_true (wp_own_folder_open (&own, WP_OWN_CACHE, WP_SIDECAR_FOLDER, NULL));
  g_assert_cmpuint (wp_sidecars_limit (&own), <=, WP_SIDECARS_LARGEST);
  put_kept ("a", 300), put_kept ("b", 100), put_kept ("c", 200);
  g_assert_true (wp_sidecars_make_room (&own, "d", 4096, 4 * 4096));
  g_assert_true (is_kept ("a") && is_kept ("b") && is_kept ("c"));
  g_assert_true (wp_sidecars_make_room (&own, "c", 2 * 4096, 4 * 4096));
  g_assert_true (is_kept ("a") && is_kept ("b") && is_kept ("c"));
  g_assert_true (wp_sidecars_make_room (&own, "d", 2 * 4096, 4 * 4096));
  g_assert_true (is_kept ("a") && !is_kept ("b") && is_kept ("c"));
  g_assert_true (wp_sidecars_make_room (&own, "d", 4 * 4096, 4 * 4096));
  g_assert_cmpuint (count_sidecars (), ==, 0);
  put_kept ("a", 300);
  g_assert_false (wp_sidecars_make_room (&own, "d", 4 * 4096 + 1, 4 * 4096));
  g_assert_true (is_kept ("a"));
  forget ();
}

static int
remove_one (const char *path, const struct stat *st, int kind, struct FTW *place)
{
  return remove (path);
}

/* Thousands of times it would say which sidecars hold. */
static void
say_nothing (const char *domain, GLogLevelFlags level, const char *message, gpointer data)
{
}

int
main (int argc, char **argv)
{
  g_autofree char *cache = NULL;
  int status;

  g_test_init (&argc, &argv, NULL);
  g_log_set_handler (G_LOG_DOMAIN, G_LOG_LEVEL_DEBUG, say_nothing, NULL);
  folder = g_dir_make_tmp ("wakepath-sidecar-XXXXXX", NULL);
  cache = g_build_filename (folder, "cache", NULL);
  g_setenv ("XDG_CACHE_HOME", cache, TRUE);
  g_unsetenv ("DEBUGINFOD_URLS");
  g_setenv ("WAKEPATH_SIDECARS", "all", TRUE);
  g_test_add_func ("/sidecar/all", test_all);
  g_test_add_func ("/sidecar/rare", test_rare);
  g_test_add_func ("/sidecar/recording", test_recording);
  g_test_add_func ("/sidecar/fresh", test_fresh);
  g_test_add_func ("/sidecar/programs", test_programs);
  g_test_add_func ("/sidecar/surroundings", test_surroundings);
  g_test_add_func ("/sidecar/aside", test_aside);
  g_test_add_func ("/sidecar/not-worth", test_not_worth);
  g_test_add_func ("/sidecar/damage", test_damage);
  g_test_add_func ("/sidecar/numbers", test_numbers);
  g_test_add_func ("/sidecar/modes", test_modes);
  g_test_add_func ("/sidecar/gone", test_gone);
  g_test_add_func ("/sidecar/room", test_room);
  status = g_test_run ();
  nftw (folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
  g_free (folder);
  return status;
}
