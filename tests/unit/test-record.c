/* What is chosen for a system, and what numbers of files are called. */
#include "base/json-reader.h"
#include "record/arguments.h"
#include "record/command.h"
#include "record/launch.h"
#include "record/inode-paths.h"
#include "record/stacks.h"
#include "record/trailer.h"

#include <fcntl.h>
#include <signal.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

/* What is to be done about a refusal depends on who refuses. */
static void
test_forbidden (void)
{
  static const struct
  {
    const char *file, *text, *advice;
  } rows[] = {
    { "/sys/kernel/security/lockdown", "none integrity [confidentiality]\n", "lockdown=integrity" },
    { "/run/systemd/container", "docker\n", "on its host" },
    { "/.flatpak-info", "[Application]\n", "Flatpak" },
  };
  g_autofree char *root = g_dir_make_tmp ("wakepath-XXXXXX", NULL);

  g_assert_nonnull (strstr (wp_launch_forbidden_by (root), "as root"));
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) /* the next one outweighs those before */
    {
      g_autofree char *path = g_strconcat (root, rows[i].file, NULL), *folder = g_path_get_dirname (path);

      g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
      if (i == 0)
        {
          g_assert_true (g_file_set_contents (path, "none [integrity] confidentiality\n", -1, NULL));
          g_assert_nonnull (strstr (wp_launch_forbidden_by (root), "as root"));
        }
      g_assert_true (g_file_set_contents (path, rows[i].text, -1, NULL));
      g_assert_nonnull (strstr (wp_launch_forbidden_by (root), rows[i].advice));
    }
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *path = g_strconcat (root, rows[i].file, NULL);

      while (strlen (path) > strlen (root) && g_remove (path) == 0)
        *strrchr (path, '/') = '\0';
    }
  g_assert_cmpint (g_rmdir (root), ==, 0);
}

static void
test_systems (void)
{
  static const struct
  {
    const char *os_release, *machine;
    WpStackMode mode;
  } rows[] = {
    { "NAME=\"Debian GNU/Linux\"\nID=debian\nVERSION_ID=\"12\"\n", "x86_64", WP_STACKS_DWARF },
    { "ID=fedora\nVERSION_ID=38\n", "x86_64", WP_STACKS_FP },
    { "ID=fedora\nVERSION_ID=37\n", "x86_64", WP_STACKS_DWARF },
    { "VERSION_ID=\"24.04\"\nID=ubuntu\nID_LIKE=debian\n", "x86_64", WP_STACKS_FP },
    { "VERSION_ID=\"23.10\"\nID=ubuntu\nID_LIKE=debian\n", "x86_64", WP_STACKS_DWARF },
    { "VERSION_ID='26.04'\nID='ubuntu'\n", "aarch64", WP_STACKS_FP },
    { "ID=arch\nBUILD_ID=rolling\n", "x86_64", WP_STACKS_FP },
    { "ID=\"almalinux\"\nID_LIKE=\"rhel centos fedora\"\nVERSION_ID=\"10.0\"\n", "x86_64", WP_STACKS_FP },
    { "ID=\"almalinux\"\nVERSION_ID=\"9.5\"\n", "x86_64", WP_STACKS_DWARF },
    { "ID=linuxmint\nVERSION_ID=\"22\"", "x86_64", WP_STACKS_FP },
    { "ID=fedora\n", "x86_64", WP_STACKS_DWARF },            /* of no version */
    { "ID=fedora-like\nVERSION_ID=40\n", "x86_64", WP_STACKS_DWARF },
    { "VARIANT_ID=arch\nID=\"broken\n", "x86_64", WP_STACKS_DWARF },
    { "", "aarch64", WP_STACKS_DWARF },
    { "ID=debian\nVERSION_ID=12\n", "riscv64", WP_STACKS_FP }, /* stacks are not copied there */
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    g_assert_cmpint (wp_stacks_of_system (rows[i].os_release, rows[i].machine), ==, rows[i].mode);
}

static void
test_modes (void)
{
  WpStackMode mode;

  for (mode = WP_STACKS_AUTO; mode <= WP_STACKS_NONE; mode++)
    {
      WpStackMode again = WP_STACKS_AUTO;

      g_assert_true (wp_stack_mode_parse (wp_stack_mode_name (mode), &again));
      g_assert_cmpint (again, ==, mode);
      g_assert_cmpint (wp_stack_mode_choose (mode), !=, WP_STACKS_AUTO);
      if (mode != WP_STACKS_AUTO)
        g_assert_cmpint (wp_stack_mode_choose (mode), ==, mode);
    }
  g_assert_false (wp_stack_mode_parse ("lbr", &mode));
  g_assert_false (wp_stack_mode_parse (NULL, &mode));
}

typedef struct
{
  char *folder, *deep, *kept, *gone;
  WpInode inodes[3]; /* sorted, as they have to be: kept, gone, a folder */
  int held;          /* `gone`, open, so that no other file gets its number */
} Files;

static WpInode
inode_of (const char *path)
{
  struct stat found;

  g_assert_cmpint (lstat (path, &found), ==, 0);
  return (WpInode) { .dev = major (found.st_dev) << 20 | minor (found.st_dev), .inode = found.st_ino };
}

static int
compare_inodes (const void *a, const void *b)
{
  const WpInode *left = a, *right = b;

  return left->inode < right->inode ? -1 : left->inode > right->inode;
}

static void
set_up (Files *files, gconstpointer data)
{
  files->folder = g_dir_make_tmp ("wakepath-names-XXXXXX", NULL);
  files->deep = g_build_filename (files->folder, "a", "b", NULL);
  files->kept = g_build_filename (files->deep, "kept \"so\"", NULL);
  files->gone = g_build_filename (files->deep, "gone", NULL);
  g_assert_cmpint (g_mkdir_with_parents (files->deep, 0700), ==, 0);
  g_assert_true (g_file_set_contents (files->kept, "1", 1, NULL));
  g_assert_true (g_file_set_contents (files->gone, "2", 1, NULL));
  files->inodes[0] = inode_of (files->kept);
  files->inodes[1] = inode_of (files->gone);
  files->inodes[2] = inode_of (files->deep);
  qsort (files->inodes, 3, sizeof (WpInode), compare_inodes);
  files->held = open (files->gone, O_RDONLY | O_CLOEXEC);
  g_assert_cmpint (files->held, >=, 0);
  g_assert_cmpint (g_unlink (files->gone), ==, 0);
}

static void
tear_down (Files *files, gconstpointer data)
{
  g_autofree char *a = g_path_get_dirname (files->deep);

  close (files->held);
  g_unlink (files->kept);
  g_rmdir (files->deep);
  g_rmdir (a);
  g_rmdir (files->folder);
  g_free (files->folder);
  g_free (files->deep);
  g_free (files->kept);
  g_free (files->gone);
}

static const char *
name_of (const Files *files, const WpFileNames *names, const char *path)
{
  for (guint i = 0; i < 3; i++)
    if (files->inodes[i].inode == inode_of (path).inode)
      return wp_file_names_get (names, i);
  g_assert_not_reached ();
}

static void
check_names (Files *files, WpFileNames *names)
{
  g_assert_cmpuint (wp_file_names_left (names), ==, 1);
  g_assert_cmpstr (name_of (files, names, files->kept), ==, files->kept);
  g_assert_cmpstr (name_of (files, names, files->deep), ==, files->deep);
  wp_file_names_free (names);
}

static void
test_walk (Files *files, gconstpointer data)
{
  WpFileNames *names = wp_file_names_new (files->inodes, 3, NULL);

  wp_file_names_by_walk (names, files->folder);
  check_names (files, names);
}

/* Only with the right to open files by their handles, and where the folder's file system knows them. */
static void
test_handle (Files *files, gconstpointer data)
{
  WpFileNames *names = wp_file_names_new (files->inodes, 3, NULL);

  wp_file_names_by_handle (names);
  if (wp_file_names_left (names) == 3)
    {
      g_test_skip ("files may not be opened by their handles here");
      wp_file_names_free (names);
      return;
    }
  check_names (files, names);
}

/* A name is taken only if it still is that file, wherever it was read. */
static void
test_wrong_names (Files *files, gconstpointer data)
{
  WpFileNames *names = wp_file_names_new (files->inodes, 3, NULL);
  WpInode kept = inode_of (files->kept);

  wp_file_names_try (names, kept.dev, kept.inode, files->deep);
  wp_file_names_try (names, kept.dev, kept.inode, "kept");
  wp_file_names_try (names, kept.dev, kept.inode, "/nowhere/at/all");
  wp_file_names_try (names, kept.dev + 1, kept.inode, files->kept);
  wp_file_names_try (names, kept.dev, kept.inode + 1000000, files->kept);
  g_assert_cmpuint (wp_file_names_left (names), ==, 3);
  wp_file_names_try (names, kept.dev, kept.inode, files->kept);
  g_assert_cmpuint (wp_file_names_left (names), ==, 2);
  wp_file_names_free (names);
}

static void
test_cancelled (Files *files, gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  WpFileNames *names = wp_file_names_new (files->inodes, 3, cancellable);

  g_cancellable_cancel (cancellable);
  wp_file_names_by_walk (names, files->folder);
  g_assert_true (wp_file_names_cut (names));
  g_assert_cmpuint (wp_file_names_left (names), ==, 3);
  wp_file_names_free (names);
}

/* What cannot come to a good end is not begun. */
static void
test_not_begun (void)
{
  g_autofree char *folder = g_dir_make_tmp ("wakepath-XXXXXX", NULL), *file = g_build_filename (folder, "x.data", NULL);
  const struct
  {
    WpRecordOptions options;
    const char *words;
  } rows[] = {
    { { .output = folder }, "is a folder" },
    { { .output = file, .rate = WP_RECORD_RATE_MAX + 1 }, "too many" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (WpRecorder) recorder = wp_recorder_new (&rows[i].options, NULL, NULL);

      wp_recorder_start (recorder);
      g_assert_cmpint (wp_recorder_state (recorder), ==, WP_RECORDER_FAILED);
      g_assert_nonnull (strstr (wp_recorder_error (recorder)->message, rows[i].words));
    }
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

/* What the recorder says of itself, about a command of these words. */
static char *
summary_in_trailer (char **command)
{
  g_autoptr (GPtrArray) more = g_ptr_array_new ();
  g_autoptr (GArray) files = g_array_new (FALSE, FALSE, sizeof (WpMappedFile));
  const WpMappedFiles mapped = { .files = files };
  const WpRecordOptions options = { .command = command, .folder = (char[]) { "/" } };
  const WpTrailer trailer = { .pid = 4711, .more = more, .mapped = &mapped };
  g_autofree char *path = NULL, *bytes = NULL;
  char *summary = NULL;
  g_autoptr (WpJsonReader) reader = NULL;
  g_autoptr (GError) error = NULL;
  const char *key, *document;
  gint64 pid = 0;
  gsize n;
  int fd = g_file_open_tmp ("wakepath-XXXXXX", &path, &error);

  g_assert_no_error (error);
  g_assert_true (wp_trailer_append (fd, &options, &trailer, &error));
  g_assert_true (g_file_get_contents (path, &bytes, &n, &error));
  document = memmem (bytes, n, "{\"wakepath\"", 11);
  g_assert_nonnull (document);
  reader = wp_json_reader_new ("", document, strlen (document), NULL);
  g_assert_true (wp_json_reader_object (reader));
  while ((key = wp_json_reader_key (reader)) != NULL)
    if (g_str_equal (key, "summary"))
      summary = g_strdup (wp_json_reader_string (reader));
    else if (g_str_equal (key, "pid"))
      pid = wp_json_reader_int (reader, 0, G_MAXINT64);
    else
      wp_json_reader_skip (reader);
  g_assert_true (wp_json_reader_finish (reader, &error));
  g_assert_cmpint (pid, ==, 4711);
  close (fd);
  g_assert_cmpint (g_remove (path), ==, 0);
  return summary;
}

/* It can be read whatever the command was called, and however many words it has. */
static void
test_trailer (void)
{
  g_autofree char *strange = summary_in_trailer ((char *[]) { (char[]) { "prog" }, (char[]) { "\xff\"\n\x7fü" }, NULL }), *words = g_strnfill (100000, '\n');
  g_autofree char *of_many = summary_in_trailer ((char *[]) { (char[]) { "cat" }, words, NULL });

  g_assert_cmpstr (strange, ==, "prog \xef\xbf\xbd\"\n\x7fü");
  g_assert_true (g_str_has_prefix (of_many, "cat \n\n"));
  g_assert_true (g_str_has_suffix (of_many, "…"));
}

#define ADD(path, function) g_test_add (path, Files, NULL, set_up, function, tear_down)

static void
test_command_words (void)
{
  g_autofree char *exited = wp_command_end_words (3 << 8), *killed = wp_command_end_words (9), *runs = wp_command_end_words (-1);

  g_assert_cmpstr (exited, ==, "exit status 3");
  g_assert_true (g_str_has_prefix (killed, "signal 9 ("));
  g_assert_null (runs);
}

/* Beside its recording, and its last line alone. */
static void
test_command_output (void)
{
  static const struct
  {
    const char *text, *last;
  } rows[] = {
    { "", NULL }, { "\n\n", NULL }, { "one", "one" }, { "one\ntwo\n\n", "two" }, { "bad \xff\n", "bad \357\277\275" },
  };
  g_autofree char *folder = g_dir_make_tmp ("wakepath-XXXXXX", NULL), *recording = g_build_filename (folder, "sh.1.perf", NULL);
  g_autofree char *output = wp_recorder_command_output_of (recording), *plain = wp_recorder_command_output_of ("a.b/recording");

  g_assert_true (g_str_has_suffix (output, "/sh.1.output"));
  g_assert_cmpstr (plain, ==, "a.b/recording.output");
  g_assert_null (wp_recorder_last_line (output)); /* there is none */
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *line = NULL;

      g_assert_true (g_file_set_contents (output, rows[i].text, -1, NULL));
      line = wp_recorder_last_line (output);
      g_assert_cmpstr (line, ==, rows[i].last);
    }
  g_unlink (output);
  g_rmdir (folder);
}

/* One that is started is ours until it is said to have ended. */
static void
test_commands_that_run (void)
{
  char *words[] = { (char *) "sleep", (char *) "100", NULL };
  g_autofree char *folder = g_dir_make_tmp ("wakepath-XXXXXX", NULL), *output = g_build_filename (folder, "sleep.output", NULL);
  WpRecordOptions options = { .command = words, .command_output = output };
  g_autoptr (GPtrArray) before = wp_recorded_commands (), during = NULL, after = NULL;
  g_autofree char *expected = NULL;
  GStatBuf status;
  GPid pid;

  g_assert_true (wp_command_start (&options, &pid, NULL));
  during = wp_recorded_commands ();
  expected = g_strdup_printf ("sleep 100 (%d)", (int) pid);
  g_assert_cmpuint (during->len, ==, before->len + 1);
  g_assert_cmpstr (during->pdata[before->len], ==, expected);
  wp_recorded_commands_end ();
  g_assert_cmpint (waitpid (pid, NULL, 0), ==, pid);
  wp_command_ended (pid);
  after = wp_recorded_commands ();
  g_assert_cmpuint (after->len, ==, before->len);
  g_assert_cmpint (g_stat (output, &status), ==, 0);
  g_assert_cmpint (status.st_mode & 0777, ==, 0600); /* as its recording is */
  g_unlink (output);
  g_rmdir (folder);
}

/* Says of another process that it was seen; free with g_free(), NULL: it was not. */
static char *
seen_arguments (WpArguments *arguments, GPid pid)
{
  g_autoptr (GPtrArray) texts = wp_arguments_texts (arguments);
  g_autofree char *key = g_strdup_printf ("\"%d\": \"", (int) pid), *found = NULL;

  for (guint i = 0; i < texts->len && found == NULL; i++)
    {
      const char *at = strstr (texts->pdata[i], key);

      found = at != NULL ? g_strndup (at + strlen (key), strcspn (at + strlen (key), "\"")) : NULL;
    }
  return g_steal_pointer (&found);
}

/* A program that stays, as another user if that is not −1; what it executes it does some time after its fork. */
static GPid
start_sleeper (const char *time, int user)
{
  GPid pid = fork ();

  if (pid != 0)
    return pid;
  if (user < 0 || setuid ((uid_t) user) == 0)
    {
      g_usleep (30000);
      execlp ("sleep", "sleep", time, NULL);
    }
  _exit (1);
}

/* Of processes that are there, of those that come, and of those that are over; of no other user's, nor of more than there is room for. */
static void
test_arguments (void)
{
  GPid before = start_sleeper ("1001", -1), during, others = -1;
  g_autofree char *at_first = NULL, *then = NULL, *over = NULL, *of_others = NULL;
  g_autoptr (WpArguments) arguments = NULL;

  g_usleep (100000);
  if (geteuid () == 0)
    others = start_sleeper ("1002", 65534);
  arguments = wp_arguments_begin ();
  at_first = seen_arguments (arguments, before);
  g_assert_cmpstr (at_first, ==, "sleep 1001");
  during = start_sleeper ("1003", -1);
  for (guint i = 0; i < 100 && g_strcmp0 (then, "sleep 1003") != 0; i++)
    {
      g_usleep (50000);
      g_free (then);
      then = seen_arguments (arguments, during);
    }
  g_assert_cmpstr (then, ==, "sleep 1003");
  kill (during, SIGKILL);
  waitpid (during, NULL, 0);
  over = seen_arguments (arguments, during);
  g_assert_cmpstr (over, ==, "sleep 1003");
  of_others = others > 0 ? seen_arguments (arguments, others) : NULL;
  g_assert_cmpstr (of_others, !=, "sleep 1002"); /* at most what it had from us at its fork */
  for (GPid pid = before; pid > 0; pid = pid == before ? others : 0)
    {
      kill (pid, SIGKILL);
      waitpid (pid, NULL, 0);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/record/forbidden", test_forbidden);
  g_test_add_func ("/record/systems", test_systems);
  g_test_add_func ("/record/modes", test_modes);
  g_test_add_func ("/record/not-begun", test_not_begun);
  g_test_add_func ("/record/trailer", test_trailer);
  g_test_add_func ("/record/command-words", test_command_words);
  g_test_add_func ("/record/command-output", test_command_output);
  g_test_add_func ("/record/commands-that-run", test_commands_that_run);
  g_test_add_func ("/record/arguments", test_arguments);
  ADD ("/record/names/walk", test_walk);
  ADD ("/record/names/handle", test_handle);
  ADD ("/record/names/wrong", test_wrong_names);
  ADD ("/record/names/cancelled", test_cancelled);
  return g_test_run ();
}
