/* Names for profiles that have nothing but addresses: of a program compiled here, and of a kernel that a folder says runs. */
#include "read/symbols/elf-file.h"
#include "read/symbols/stacks-symbols.h"
#include "stacks/formats.h"
#include "stacks/maker.h"
#include "workspace/stacks/open-stacks.h"

#include "program.h"

#define KERNEL G_GUINT64_CONSTANT (0xffffffff81000000)

static const char source[] =
  "volatile int sink;\n"                                                                                          /* 1 */
  "static inline __attribute__ ((always_inline)) void inner (int n)\n"                                            /* 2 */
  "{\n"                                                                                                           /* 3 */
  "  __asm__ volatile (\".globl marker\\nmarker: nop\" : : \"r\" (n + sink));\n"                                  /* 4 */
  "}\n"                                                                                                           /* 5 */
  "__attribute__ ((noinline)) void outer (int n)\n"                                                               /* 6 */
  "{\n"                                                                                                           /* 7 */
  "  inner (n + 1);\n"                                                                                            /* 8 */
  "  sink++;\n"                                                                                                   /* 9 */
  "}\n"                                                                                                           /* 10 */
  "int main (int argc, char **argv) { outer (argc); return 0; }\n";                                               /* 11 */

static WpId
text (WpStacksMaker *maker, const char *string)
{
  return wp_strings_intern (maker->stacks->strings, string);
}

/* A profile with one sample at an address of a module. */
static WpStacks *
profile (const WpStackModule *module, const char *file, const char *build_id, guint64 address)
{
  g_auto (WpStacksMaker) maker = { 0 };
  WpStackModule row = *module;
  const gint64 value = 1;
  const WpId location = 1;

  wp_stacks_maker_init (&maker);
  wp_stacks_maker_type (&maker, text (&maker, "samples"), text (&maker, "count"));
  row.file = text (&maker, file);
  row.build_id = text (&maker, build_id);
  wp_array_push (&maker.stacks->frames->modules, row);
  wp_array_push (&maker.stacks->frames->locations, ((WpLocation) { .address = address, .module = 1 }));
  wp_stacks_maker_sample (&maker, wp_stacks_maker_stack (&maker, 0, &location, 1), &value);
  return wp_stacks_maker_take (&maker);
}

/* "function@file:line" of the location, innermost first, and what its module is said to have. */
static char *
describe (const WpStacks *stacks)
{
  const WpFrames *frames = stacks->frames;
  const WpLocation *location = &frames->locations.data[1];
  GString *out = g_string_new (NULL);

  for (guint32 i = location->first_line; i < location->first_line + location->n_lines; i++)
    {
      const WpStackFunction *function = &frames->functions.data[frames->lines.data[i].function];
      g_autofree char *file = g_path_get_basename (wp_stacks_text (stacks, function->file));

      g_string_append_printf (out, "%s@%s:%d ", wp_stacks_text (stacks, function->name), function->file != 0 ? file : "",
                              (int) frames->lines.data[i].line);
    }
  g_string_append_printf (out, "%x", frames->modules.data[1].has);
  return g_string_free (out, FALSE);
}

static void
assert_named (const WpStackModule *module, const char *file, const char *build_id, guint64 address, const char *root, const char *expected)
{
  const WpReadOptions options = { .symbol_root = root };
  g_autoptr (GError) error = NULL;
  g_autoptr (WpStacks) plain = profile (module, file, build_id, address), named = wp_read_stacks_symbols (plain, &options, NULL, &error);
  g_autofree char *got = NULL;

  g_assert_no_error (error);
  got = describe (named);
  g_assert_cmpstr (got, ==, expected);
  g_assert_cmpuint (named->n_samples, ==, 1);
}

static char *
build_id_of (const char *path)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC);
  char *id = wp_elf_build_id (fd);

  close (fd);
  return id;
}

/* By where the program was mapped, by the addresses that the linker gave; not in a file of another build. */
static void
test_program (void)
{
  static const char lines[] = "inner@test.c:4 outer@test.c:8 f";
  const WpStackModule mapped = { .start = 0x555500001000, .limit = 0x555500003000, .offset = 0x1000 }, linked = { 0 },
                      all = { .limit = G_MAXUINT64 };
  g_autofree char *path = program_path ("prog"), *code = program_path ("test.c"), *build_id = NULL, *upper = NULL;
  guint64 offset;

  g_assert_true (g_file_set_contents (code, source, -1, NULL));
  program_run ("%s -O2 -g -Wl,--build-id -Wl,-z,separate-code -Wl,-Ttext-segment=0x200000 -no-pie -o prog test.c", g_getenv ("WP_CC"));
  offset = program_marker (path);
  build_id = build_id_of (path);
  upper = g_ascii_strup (build_id, -1);
  assert_named (&mapped, path, build_id, offset - 0x1000 + mapped.start, NULL, lines);
  assert_named (&mapped, path, upper, offset - 0x1000 + mapped.start, NULL, lines);
  assert_named (&mapped, path, "", offset - 0x1000 + mapped.start, NULL, lines);
  assert_named (&linked, path, build_id, offset + 0x200000, NULL, lines);
  assert_named (&all, path, build_id, offset + 0x200000, NULL, lines);
  assert_named (&mapped, path, "0123456789abcdef0123456789abcdef01234567", offset - 0x1000 + mapped.start, NULL, "0");
  assert_named (&mapped, "/nowhere/prog", "", offset - 0x1000 + mapped.start, NULL, "0");
  program_run ("strip --strip-debug prog");
  assert_named (&mapped, path, build_id, offset - 0x1000 + mapped.start, NULL, "outer@:0 1");
}

/* What is opened has been given names; what has some keeps them. */
static void
test_opened (void)
{
  const WpStackModule mapped = { .start = 0x400000, .limit = 0x500000 };
  g_autofree char *path = program_path ("opened"), *code = program_path ("test.c"), *file = program_path ("opened.pb.gz"), *got = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (WpStacks) plain = NULL, opened = NULL, again = NULL;

  g_assert_true (g_file_set_contents (code, source, -1, NULL));
  program_run ("%s -O2 -g -o opened test.c", g_getenv ("WP_CC"));
  plain = profile (&mapped, path, "", program_marker (path) + mapped.start);
  g_assert_true (wp_stacks_save (plain, wp_stacks_format_named ("pprof"), file, NULL, &error));
  opened = wp_open_stacks (file, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  got = describe (opened);
  g_assert_cmpstr (got, ==, "inner@test.c:4 outer@test.c:8 f");
  again = wp_read_stacks_symbols (opened, NULL, NULL, &error);
  g_assert_true (again == opened);
}

/* The kernel's functions: of the same boot, or of the same build wherever it lies now; else of none. */
static void
test_kernel (void)
{
  static const char kallsyms[] = "ffffffff81000000 T _text\nffffffff81000040 T _stext\nffffffff81000100 T schedule\nffffffff81000200 T other\n"
                                 "ffffffff81000300 D data\n";
  static const guint8 notes[] = { 4, 0, 0, 0, 4, 0, 0, 0, 3, 0, 0, 0, 'G', 'N', 'U', 0, 0xab, 0xcd, 0xef, 0x01 };
  const WpStackModule same = { .start = KERNEL, .limit = G_MAXUINT64, .offset = KERNEL + 0x40 },
                      moved = { .start = KERNEL + 0x100000, .limit = G_MAXUINT64, .offset = KERNEL + 0x100040 };
  g_autofree char *root = program_path ("root"), *symbols = program_path ("root/proc/kallsyms"), *ids = program_path ("root/sys/kernel/notes");
  g_autofree char *hidden = program_path ("hidden"), *zeros = program_path ("hidden/proc/kallsyms");

  program_run ("mkdir -p root/proc root/sys/kernel hidden/proc");
  g_assert_true (g_file_set_contents (symbols, kallsyms, -1, NULL));
  g_assert_true (g_file_set_contents (zeros, "0000000000000000 T _stext\n0000000000000000 T schedule\n", -1, NULL));
  g_assert_true (g_file_set_contents (ids, (const char *) notes, sizeof notes, NULL));
  assert_named (&same, "[kernel.kallsyms]_stext", "", KERNEL + 0x110, root, "schedule@:0 1");
  assert_named (&same, "[kernel.kallsyms]", "", KERNEL + 0x110, root, "schedule@:0 1");
  assert_named (&moved, "[kernel.kallsyms]_stext", "", KERNEL + 0x100110, root, "0");
  assert_named (&moved, "[kernel.kallsyms]_stext", "abcdef01", KERNEL + 0x100110, root, "schedule@:0 1");
  assert_named (&same, "[kernel.kallsyms]_stext", "abcdef02", KERNEL + 0x110, root, "0");
  assert_named (&same, "[kernel.kallsyms]_stext", "", 0x110, root, "0");
  assert_named (&(WpStackModule) { .limit = G_MAXUINT64 }, "[kernel.kallsyms]_stext", "", KERNEL + 0x110, hidden, "0");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/stacks-symbols/program", test_program);
  g_test_add_func ("/stacks-symbols/opened", test_opened);
  g_test_add_func ("/stacks-symbols/kernel", test_kernel);
  return program_tests ();
}
