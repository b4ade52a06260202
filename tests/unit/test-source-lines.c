/* Source lines and inlined functions of programs compiled here, with DWARF in the file, beside it, split, and packed by
 * dwz. The compilers come as WP_CC and WP_CXX. A label in the innermost function says where to look. */
#include "read/symbols/source-lines.h"

#include "program.h"

#include <sys/inotify.h>
#include <sys/stat.h>

static const char c_source[] =
  "#define INLINE static inline __attribute__ ((always_inline))\n"                 /* 1 */
  "volatile int sink;\n"                                                           /* 2 */
  "INLINE void deepest (int n)\n"                                                  /* 3 */
  "{\n"                                                                            /* 4 */
  "  __asm__ volatile (\".globl marker\\nmarker: nop\" : : \"r\" (n + sink));\n"   /* 5 */
  "}\n"                                                                            /* 6 */
  "INLINE void middle (int n)\n"                                                   /* 7 */
  "{\n"                                                                            /* 8 */
  "  sink = n;\n"                                                                  /* 9 */
  "  deepest (n * 3);\n"                                                           /* 10 */
  "}\n"                                                                            /* 11 */
  "__attribute__ ((noinline)) void outer (int n)\n"                                /* 12 */
  "{\n"                                                                            /* 13 */
  "  sink++;\n"                                                                    /* 14 */
  "  middle (n + 1);\n"                                                            /* 15 */
  "  sink++;\n"                                                                    /* 16 */
  "}\n"                                                                            /* 17 */
  "int main (int argc, char **argv) { outer (argc); return 0; }\n";                /* 18 */

static const char cxx_source[] =
  "namespace net {\n"                                                              /* 1 */
  "template <typename T> struct Socket {\n"                                        /* 2 */
  "  T value;\n"                                                                   /* 3 */
  "  inline __attribute__ ((always_inline)) void send (int n) const\n"             /* 4 */
  "  {\n"                                                                          /* 5 */
  "    __asm__ volatile (\".globl marker\\nmarker: nop\" : : \"r\" (n + value));\n"/* 6 */
  "  }\n"                                                                          /* 7 */
  "};\n"                                                                           /* 8 */
  "__attribute__ ((noinline)) int flush (Socket<int> &socket)\n"                   /* 9 */
  "{\n"                                                                            /* 10 */
  "  socket.send (7);\n"                                                           /* 11 */
  "  return socket.value;\n"                                                       /* 12 */
  "}\n"                                                                            /* 13 */
  "}\n"                                                                            /* 14 */
  "int main (int argc, char **argv) { net::Socket<int> s{argc}; return net::flush (s); }\n";

static void
compile (gboolean cxx, const char *flags, const char *out)
{
  g_autofree char *source = program_path (cxx ? "test.cc" : "test.c");

  g_assert_true (g_file_set_contents (source, cxx ? cxx_source : c_source, -1, NULL));
  program_run ("%s -O2 -g %s -Wl,--build-id -o %s %s", g_getenv (cxx ? "WP_CXX" : "WP_CC"), flags, out, cxx ? "test.cc" : "test.c");
}

/* "function@file:line <" for each, from the innermost on; inlined ones with a plus. */
static char *
describe (const char *path, guint64 offset, const char *build_id)
{
  g_autoptr (WpTrace) trace = wp_trace_new ();
  g_autoptr (WpSourceLines) lines = wp_source_lines_new (NULL);
  WpId frame = wp_trace_user_frame (trace, wp_trace_module (trace, path, build_id), offset);
  const GArray *found = wp_source_lines_find (lines, trace, frame);
  GString *text = g_string_new (NULL);

  g_assert_true (wp_source_lines_find (lines, trace, frame) == found);
  for (guint i = 0; found != NULL && i < found->len; i++)
    {
      const WpSourceLine *line = &g_array_index (found, WpSourceLine, i);
      g_autofree char *base = line->file != NULL ? g_path_get_basename (line->file) : g_strdup ("?");

      g_assert_true (line->file == NULL || g_path_is_absolute (line->file));
      g_string_append_printf (text, "%s%s%s@%s:%u", i > 0 ? " < " : "", line->inlined ? "+" : "", line->function, base,
                              line->line);
    }
  return g_string_free (text, FALSE);
}

static const char c_expected[] = "+deepest@test.c:5 < +middle@test.c:10 < outer@test.c:15";

static void
assert_lines (const char *name, guint64 offset, const char *expected)
{
  g_autofree char *path = program_path (name), *found = NULL;

  found = describe (path, offset != 0 ? offset : program_marker (path), NULL);
  g_assert_cmpstr (found, ==, expected);
}

/* Each version of the format, and both kinds of addresses. */
static void
test_c (void)
{
  static const char *const flags[] = { "-gdwarf-5", "-gdwarf-4", "-gdwarf-4 -no-pie -fno-pie" };

  for (guint i = 0; i < G_N_ELEMENTS (flags); i++)
    {
      compile (FALSE, flags[i], "plain");
      assert_lines ("plain", 0, c_expected);
    }
}

/* A file that the compiler was told by a relative name is made whole. */
static void
test_folder (void)
{
  g_autofree char *path = program_path ("plain"), *source = program_path ("test.c");
  g_autoptr (WpTrace) trace = wp_trace_new ();
  g_autoptr (WpSourceLines) lines = wp_source_lines_new (NULL);
  const GArray *found;

  compile (FALSE, "", "plain");
  found = wp_source_lines_find (lines, trace,
                                wp_trace_user_frame (trace, wp_trace_module (trace, path, NULL), program_marker (path)));
  g_assert_nonnull (found);
  g_assert_cmpstr (g_array_index (found, WpSourceLine, 0).file, ==, source);
}

/* Where the build's folder is hidden, names stay relative. */
static void
test_relative (void)
{
  g_autofree char *path = program_path ("plain");
  g_autoptr (WpTrace) trace = wp_trace_new ();
  g_autoptr (WpSourceLines) lines = wp_source_lines_new (NULL);
  const GArray *found;

  program_run ("sh -c \"%s -O2 -g -ffile-prefix-map=$(pwd)=./sub/.. -o plain test.c\"", g_getenv ("WP_CC"));
  found = wp_source_lines_find (lines, trace, wp_trace_user_frame (trace, wp_trace_module (trace, path, NULL),
                                                                   program_marker (path)));
  g_assert_nonnull (found);
  g_assert_cmpstr (g_array_index (found, WpSourceLine, 0).file, ==, "test.c");
}

static void
test_cxx (void)
{
  compile (TRUE, "", "cxx");
  assert_lines ("cxx", 0, "+net::Socket<int>::send(int) const@test.cc:6 < net::flush(net::Socket<int>&)@test.cc:11");
}

static void
test_without (void)
{
  g_autofree char *path = program_path ("none");
  g_autofree char *found = NULL, *other = NULL;
  guint64 offset;

  compile (FALSE, "", "none");
  offset = program_marker (path);
  found = describe (path, offset, "0123456789abcdef");
  g_assert_cmpstr (found, ==, "");
  program_run ("strip --strip-all none");
  assert_lines ("none", offset, "");
  other = describe ("/nowhere/at/all", offset, NULL);
  g_assert_cmpstr (other, ==, "");
}

/* No table that says which unit an address belongs to. */
static void
test_no_aranges (void)
{
  compile (FALSE, "", "bare");
  program_run ("objcopy --remove-section .debug_aranges bare");
  assert_lines ("bare", 0, c_expected);
}

static void
test_split (void)
{
  compile (FALSE, "-gsplit-dwarf", "split");
  assert_lines ("split", 0, c_expected);
}

/* In a file beside it, whose name and checksum the stripped one holds. */
static void
test_linked (void)
{
  g_autofree char *path = program_path ("linked");
  guint64 offset;

  compile (FALSE, "", "linked");
  offset = program_marker (path);
  program_run ("objcopy --only-keep-debug linked linked.debug");
  program_run ("strip --strip-all linked");
  program_run ("objcopy --add-gnu-debuglink=linked.debug linked");
  assert_lines ("linked", offset, c_expected);
  program_run ("objcopy --add-section .other=test.c linked.debug"); /* the same program's, but another checksum */
  assert_lines ("linked", offset, "");
}

/* What two files share stands in a third. */
static void
test_dwz (void)
{
  g_autofree char *shared = program_path ("shared.debug"), *dwz = g_find_program_in_path ("dwz");

  if (dwz == NULL)
    g_error ("dwz is missing; ./run test installs it");
  compile (FALSE, "-gdwarf-4 -g3 -include stdio.h -include stdlib.h", "one");
  compile (FALSE, "-gdwarf-4 -g3 -include stdio.h -include stdlib.h -DOTHER", "two");
  program_run ("dwz -m shared.debug one two");
  g_assert_true (g_file_test (shared, G_FILE_TEST_EXISTS));
  assert_lines ("one", 0, c_expected);
}

/* A pipe takes the place of this file; it must not be opened when lines of that program are looked up. */
static void
assert_unopened (const char *program, guint64 offset, const char *file)
{
  g_autofree char *path = program_path (file), *main = program_path (program);
  int watch = inotify_init1 (IN_NONBLOCK | IN_CLOEXEC);
  g_autofree char *text = NULL;
  char events[4096];

  g_unlink (path);
  g_assert_no_errno (mkfifo (path, 0600));
  g_assert_cmpint (inotify_add_watch (watch, path, IN_OPEN), >=, 0);
  text = describe (main, offset, NULL);
  g_assert_cmpint (read (watch, events, sizeof events), ==, -1);
  close (watch);
}

static char *
file_like (const char *ending)
{
  g_autofree char *root = program_path ("");
  g_autoptr (GDir) folder = g_dir_open (root, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (folder)) != NULL && !g_str_has_suffix (name, ending))
    ;
  return g_strdup (name);
}

/* In the place of the program, of what its link names, of what was split off, and of what it shares. */
static void
test_pipes (void)
{
  g_autofree char *linked = program_path ("linked"), *split = program_path ("split"), *one = program_path ("one"), *off = NULL;
  guint64 offset;

  test_linked ();
  offset = 0x1000;
  assert_unopened ("linked", offset, "linked.debug");
  assert_unopened ("linked", offset, "linked");
  g_unlink (linked);

  test_split ();
  off = file_like (".dwo");
  g_assert_nonnull (off);
  offset = program_marker (split);
  assert_unopened ("split", offset, off);
  assert_unopened ("split", offset, "split.dwp");

  test_dwz ();
  assert_unopened ("one", program_marker (one), "shared.debug");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/source-lines/c", test_c);
  g_test_add_func ("/source-lines/folder", test_folder);
  g_test_add_func ("/source-lines/relative", test_relative);
  g_test_add_func ("/source-lines/cxx", test_cxx);
  g_test_add_func ("/source-lines/without", test_without);
  g_test_add_func ("/source-lines/no-aranges", test_no_aranges);
  g_test_add_func ("/source-lines/split", test_split);
  g_test_add_func ("/source-lines/linked", test_linked);
  g_test_add_func ("/source-lines/dwz", test_dwz);
  g_test_add_func ("/source-lines/pipes", test_pipes);
  return program_tests ();
}
