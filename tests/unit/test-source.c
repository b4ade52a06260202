/* Sources and instructions of functions, with their values: a program that is compiled here, and a profile of it whose values are known. */
#include "program.h"
#include "source-profile.h"
#include "workspace/stacks/source-request.h"

#include <glib/gstdio.h>

static char *source, *program, *build_id;

static WpStacks *
profile_of (const char *path)
{
  return primes_profile (path, program, build_id, program_symbol);
}

static WpListing *
list (WpStacks *stacks, const char *function, const WpSourcePlaces *places)
{
  const WpRoutineOptions options = { .name = function };
  g_autoptr (GError) error = NULL;
  WpListing *listing = wp_listing_new (stacks, &options, places, NULL, &error);

  g_assert_no_error (error);
  return listing;
}

/* --- lines ---------------------------------------------------------------------------------------------------------- */

static void
assert_line (const WpRoutine *routine, const char *text, gint64 flat, gint64 cum)
{
  const WpLineValue *line = wp_routine_line (routine, primes_line (text));

  g_assert_nonnull (line);
  g_assert_cmpint (wp_graph_value (line->flat), ==, flat * 1000000);
  g_assert_cmpint (wp_graph_value (line->cum), ==, cum * 1000000);
}

static void
test_lines (void)
{
  g_autoptr (WpStacks) stacks = profile_of (source);
  g_autoptr (WpListing) listing = list (stacks, "count_primes", &(WpSourcePlaces) { 0 });
  const WpRoutine *routine = listing->routines->routines.data;

  g_assert_cmpuint (listing->routines->routines.len, ==, 1);
  g_assert_cmpint (listing->routines->total, ==, 1000000000);
  g_assert_cmpuint (routine->lines.len, ==, 2);
  g_assert_cmpint (wp_graph_value (routine->flat), ==, 200000000);
  g_assert_cmpint (wp_graph_value (routine->cum), ==, 900000000);
  assert_line (routine, "if (self->marked[i])", 200, 200);
  assert_line (routine, "mark_multiples (self, i);", 0, 700);
  g_assert_cmpint (routine->start, ==, primes_line ("count_primes (Sieve"));
  g_assert_cmpint (routine->end, ==, primes_line ("mark_multiples (self, i);") + 5);
  g_assert_null (wp_routine_line (routine, routine->start));
  g_assert_cmpstr (listing->sources[0]->path, ==, source);
}

/* What is inlined has lines of its own, and is on a line of the function that it stands in. */
static void
test_inlined (void)
{
  g_autoptr (WpStacks) stacks = profile_of (source);
  g_autoptr (WpListing) inlined = list (stacks, "first_multiple", &(WpSourcePlaces) { 0 });
  g_autoptr (WpListing) around = list (stacks, "mark_multiples", &(WpSourcePlaces) { 0 });

  assert_line (inlined->routines->routines.data, "return prime * prime", 100, 100);
  assert_line (around->routines->routines.data, "i < self->n; i += prime", 0, 100);
}

/* A sample counts once for a line, and once for the function, as often as the function is in its stack. */
static void
test_recursion (void)
{
  PrimesProfile self = { 0 };
  g_autoptr (WpStacks) stacks = NULL;
  g_autoptr (WpListing) listing = NULL;
  WpId count, places[3];

  wp_stacks_maker_init (&self.maker);
  wp_stacks_maker_type (&self.maker, primes_text (&self, "cpu"), primes_text (&self, "nanoseconds"));
  self.file = primes_text (&self, source);
  count = primes_function (&self, "count_primes");
  places[0] = primes_location (&self, 0, count, "size_t found = 0;", 0, NULL);
  places[1] = primes_location (&self, 0, count, "memset", 0, NULL);
  places[2] = primes_location (&self, 0, count, "found++", 0, NULL);
  primes_sample (&self, 5, (WpId[]) { places[0], places[0], places[1] }, 3);
  primes_sample (&self, 7, (WpId[]) { places[0], places[1], places[2], places[1] }, 4);
  stacks = wp_stacks_maker_take (&self.maker);
  listing = list (stacks, "count_primes", &(WpSourcePlaces) { 0 });
  assert_line (listing->routines->routines.data, "size_t found = 0;", 0, 12);
  assert_line (listing->routines->routines.data, "memset", 12, 12);
  assert_line (listing->routines->routines.data, "found++", 0, 7);
  g_assert_cmpint (wp_graph_value (listing->routines->routines.data->cum), ==, 12000000);
}

/* What was measured in a function, nobody knows on which line. */
static void
test_no_lines (void)
{
  PrimesProfile self = { 0 };
  g_autoptr (WpStacks) stacks = NULL;
  g_autoptr (WpListing) listing = NULL;
  g_autoptr (GPtrArray) texts = NULL;
  const WpSourceText *text;
  WpId place;

  wp_stacks_maker_init (&self.maker);
  wp_stacks_maker_type (&self.maker, primes_text (&self, "cpu"), primes_text (&self, "nanoseconds"));
  self.file = primes_text (&self, source);
  place = primes_location (&self, 0, primes_function (&self, "main"), "/* Counts", 0, NULL);
  self.maker.stacks->frames->functions.data[1].start_line = 0;
  self.maker.stacks->frames->lines.data[0].line = 0;
  primes_sample (&self, 5, &place, 1);
  stacks = wp_stacks_maker_take (&self.maker);
  listing = list (stacks, "main", &(WpSourcePlaces) { 0 });
  texts = wp_source_texts (listing);
  text = texts->pdata[0];
  g_assert_cmpint (listing->routines->routines.data->start, ==, 1);
  g_assert_cmpuint (text->hottest, ==, 0);
  g_assert_cmpuint (text->rows.data[0].number, ==, 0);
  g_assert_cmpint (text->rows.data[0].flat, ==, 5000000);
  g_assert_cmpuint (text->rows.data[1].number, ==, 1);
  g_assert_true (g_str_has_prefix (text->text->str, "\n/* Counts primes"));
}

/* --- where sources are ---------------------------------------------------------------------------------------------- */

static void
assert_found (const char *name, const WpSourcePlaces *places, const char *path)
{
  g_autoptr (WpSourceFile) file = wp_source_file_find (name, places);

  g_assert_cmpstr (file->path, ==, path);
  if (path != NULL)
    g_assert_cmpint (wp_source_file_lines (file), ==, primes_line ("  return 0;") + 1);
  else
    g_assert_cmpuint (file->tried->len, >, 0);
}

static void
test_places (void)
{
  const char *gone = "/nowhere/project/primes.c";
  g_autofree char *mapping = g_strdup_printf ("/nowhere/project=%s", program_folder), *sub = program_path ("sub"), *deep = program_path ("sub/deep");
  g_autofree char *base = g_path_get_basename (program_folder), *named = g_strconcat (base, "/primes.c", NULL);
  g_autofree char *above = g_path_get_dirname (program_folder);

  g_assert_cmpint (g_mkdir_with_parents (deep, 0777), ==, 0);
  assert_found (source, &(WpSourcePlaces) { 0 }, source);
  assert_found (gone, &(WpSourcePlaces) { 0 }, NULL);
  assert_found (gone, &(WpSourcePlaces) { .mappings = (char *[]) { (char *) "/elsewhere=/", mapping, NULL } }, source);
  assert_found ("/nowhere/projects/primes.c", &(WpSourcePlaces) { .mappings = (char *[]) { mapping, NULL } }, NULL);
  assert_found (gone, &(WpSourcePlaces) { .folders = (char *[]) { (char *) "/usr", program_folder, NULL } }, source);
  assert_found (gone, &(WpSourcePlaces) { .trims = (char *[]) { (char *) "/nowhere/project/", NULL }, .folders = (char *[]) { deep, NULL } }, source);
  assert_found ("primes.c", &(WpSourcePlaces) { .beside = deep }, source);
  assert_found ("primes.c", &(WpSourcePlaces) { 0 }, NULL);
  assert_found (named, &(WpSourcePlaces) { .folders = (char *[]) { above, NULL } }, source);
  assert_found ("/proc/self/cwd/primes.c", &(WpSourcePlaces) { .beside = program_folder }, source);
  assert_found ("/nowhere/project//primes.c", &(WpSourcePlaces) { .mappings = (char *[]) { mapping, NULL } }, source);
}

/* What a chosen folder says holds for the other files of the project. */
static void
test_mapping (void)
{
  g_autofree char *there = g_build_filename (program_folder, "project", "src", NULL), *file = g_build_filename (there, "primes.c", NULL);
  g_autofree char *folder = g_build_filename (program_folder, "project", NULL), *mapping = NULL, *same = NULL, *none = NULL, *relative = NULL;
  g_autofree char *expected = g_strdup_printf ("/nowhere=%s", program_folder), *expected_relative = g_strdup_printf ("=%s", folder);

  g_mkdir_with_parents (there, 0777);
  g_assert_true (g_file_set_contents (file, primes_source, -1, NULL));
  mapping = wp_source_mapping ("/nowhere/project/src/primes.c", there);
  g_assert_cmpstr (mapping, ==, expected);
  same = wp_source_mapping ("/nowhere/project/src/primes.c", folder);
  g_assert_cmpstr (same, ==, expected);
  none = wp_source_mapping ("/nowhere/project/src/others.c", folder);
  g_assert_null (none);
  relative = wp_source_mapping ("src/primes.c", folder);
  g_assert_cmpstr (relative, ==, expected_relative);
  assert_found ("src/primes.c", &(WpSourcePlaces) { .mappings = (char *[]) { relative, NULL } }, file);
}

static void
test_not_plain (void)
{
  g_autofree char *pipe = program_path ("pipe.c");
  g_autoptr (WpSourceFile) file = NULL;

  program_run ("mkfifo pipe.c");
  file = wp_source_file_find (pipe, &(WpSourcePlaces) { 0 });
  g_assert_null (file->path);
  g_assert_nonnull (strstr (file->tried->pdata[0], "not a file but a pipe"));
}

static void
test_odd_text (void)
{
  g_autofree char *path = program_path ("odd.c"), *long_line = g_strnfill (10000, 'x'), *first = NULL, *second = NULL, *third = NULL, *fourth = NULL;
  g_autofree char *text = g_strdup_printf ("a\xff" "b\r\n\xc3\xa4\n%s\nlast", long_line);
  g_autoptr (WpSourceFile) file = NULL;

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  file = wp_source_file_find (path, &(WpSourcePlaces) { 0 });
  g_assert_cmpint (wp_source_file_lines (file), ==, 4);
  g_assert_cmpstr (first = wp_source_file_line (file, 1), ==, "a\357\277\275b");
  g_assert_cmpstr (second = wp_source_file_line (file, 2), ==, "ä");
  third = wp_source_file_line (file, 3);
  g_assert_cmpuint (strlen (third), <, 5000);
  g_assert_true (g_str_has_suffix (third, "x…"));
  g_assert_cmpstr (fourth = wp_source_file_line (file, 4), ==, "last");
  g_assert_null (wp_source_file_line (file, 5));
  g_assert_null (wp_source_file_line (file, 0));
}

static void
test_debuginfod (void)
{
  g_autofree char *url = g_strdup_printf ("file://%s/server", program_folder), *cache = program_path ("cache");
  g_autofree char *kept = g_strdup_printf ("%s/server/buildid/%s/source/nowhere", program_folder, build_id);
  g_autofree char *file = g_build_filename (kept, "primes.c", NULL);
  g_autoptr (WpStacks) stacks = profile_of ("/nowhere/primes.c"), other = profile_of ("/nowhere/others.c");
  g_autoptr (WpListing) listing = NULL, without = NULL;

  g_mkdir_with_parents (kept, 0777);
  g_assert_true (g_file_set_contents (file, primes_source, -1, NULL));
  g_setenv ("DEBUGINFOD_URLS", url, TRUE);
  g_setenv ("DEBUGINFOD_CACHE_PATH", cache, TRUE);
  listing = list (stacks, "count_primes", &(WpSourcePlaces) { 0 });
  without = list (other, "count_primes", &(WpSourcePlaces) { 0 });
  g_unsetenv ("DEBUGINFOD_URLS");
  g_unsetenv ("DEBUGINFOD_CACHE_PATH");
  g_assert_nonnull (listing->sources[0]->path);
  g_assert_true (g_str_has_prefix (listing->sources[0]->path, cache));
  g_assert_cmpint (wp_source_file_lines (listing->sources[0]), >, 40);
  g_assert_null (without->sources[0]->path);
  g_assert_cmpuint (without->sources[0]->tried->len, ==, 2);
}

/* --- instructions --------------------------------------------------------------------------------------------------- */

static WpCodeListing *
list_code (WpStacks *stacks, const char *function)
{
  const WpRoutineOptions options = { .name = function };
  g_autoptr (GError) error = NULL;
  WpCodeListing *code = wp_code_listing_new (stacks, &options, NULL, &error);

  g_assert_no_error (error);
  return code;
}

/* 150 ms at the label, 450 ms in the instruction behind it, with the lines of the source. */
static void
assert_code (const WpCodeListing *code)
{
  const WpCodeBlock *block = code->blocks.data;
  guint64 inner = program_symbol (program, "inner");
  guint n = 0;

  g_assert_cmpuint (code->problems->len, ==, 0);
  g_assert_cmpuint (code->blocks.len, ==, 1);
  g_assert_cmpstr (block->instructions->function, ==, "mark_multiples");
  for (guint32 i = 0; i < block->instructions->rows.len; i++)
    {
      const WpInstruction *row = &block->instructions->rows.data[i];
      gint64 flat = wp_graph_value (block->values[i].flat) / 1000000;

      n += flat != 0;
      if (i > 0)
        g_assert_cmpuint (row->address, ==, row[-1].address + row[-1].size);
      if (row->address == inner)
        {
          g_assert_cmpstr (row->text, ==, "nop");
          g_assert_cmpint (flat, ==, 150);
          g_assert_cmpint (row->line, ==, primes_line ("__asm__"));
          g_assert_cmpstr (row->file, ==, source);
        }
      else if (flat != 0)
        {
          g_assert_cmpint (flat, ==, 450);
          g_assert_cmpint (row->line, ==, primes_line ("self->marked[i] = 1"));
        }
    }
  g_assert_cmpuint (n, ==, 2);
}

static void
test_code (void)
{
  g_autoptr (WpStacks) stacks = profile_of (source);
  g_autoptr (WpCodeListing) code = list_code (stacks, "mark_multiples"), caller = list_code (stacks, "main");
  gboolean is_named = FALSE;

  assert_code (code);
  for (guint32 i = 0; i < caller->blocks.data->instructions->rows.len; i++)
    is_named |= strstr (caller->blocks.data->instructions->rows.data[i].text, " <count_primes>") != NULL;
  g_assert_true (is_named);
}

/* Code from the file, lines from the one that was put beside it. */
static void
test_separate_debug (void)
{
  g_autofree char *whole = program_path ("whole");
  g_autoptr (WpStacks) stacks = profile_of (source);
  g_autoptr (WpCodeListing) code = NULL;

  program_run ("cp primes whole");
  program_run ("objcopy --only-keep-debug primes primes.debug");
  program_run ("objcopy --strip-debug --add-gnu-debuglink=primes.debug primes");
  code = list_code (stacks, "mark_multiples");
  assert_code (code);
  program_run ("mv whole primes");
}

static void
test_other_build (void)
{
  g_autoptr (WpStacks) stacks = primes_profile (source, program, "00112233445566778899aabbccddeeff00112233", program_symbol);
  g_autoptr (WpCodeListing) code = list_code (stacks, "mark_multiples");

  g_assert_cmpuint (code->blocks.len, ==, 0);
  g_assert_cmpuint (code->problems->len, ==, 1);
  g_assert_nonnull (strstr (code->problems->pdata[0], "another build"));
}

/* Two instructions and two bytes that are none, in a file made by hand: for a processor that this one need not be. */
static void
test_aarch64 (void)
{
  static const guint8 code[] = { 0x1f, 0x20, 0x03, 0xd5, 0x00, 0x04, 0x00, 0x91, 0xc0, 0x03, 0x5f, 0xd6 }; /* nop; add x0, x0, #1; ret */
  struct
  {
    Elf64_Ehdr head;
    Elf64_Phdr segment;
    guint8 code[16];
  } file = { 0 };
  g_autofree char *path = program_path ("aarch64");
  g_autoptr (WpFunctions) functions = wp_functions_new ();
  g_autoptr (WpCodeFile) opened = NULL;
  g_autoptr (WpInstructions) instructions = NULL;
  g_autoptr (GError) error = NULL;

  memcpy (file.head.e_ident, ELFMAG, SELFMAG);
  file.head.e_ident[EI_CLASS] = ELFCLASS64;
  file.head.e_ident[EI_DATA] = ELFDATA2LSB;
  file.head.e_ident[EI_VERSION] = file.head.e_version = EV_CURRENT;
  file.head.e_type = ET_DYN;
  file.head.e_machine = EM_AARCH64;
  file.head.e_ehsize = sizeof file.head;
  file.head.e_phoff = offsetof (__typeof__ (file), segment);
  file.head.e_phentsize = sizeof file.segment;
  file.head.e_phnum = 1;
  file.segment = (Elf64_Phdr) { .p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_offset = offsetof (__typeof__ (file), code), .p_vaddr = 0x4000,
                                .p_filesz = sizeof code, .p_memsz = sizeof code, .p_align = 1 };
  memcpy (file.code, code, sizeof code);
  g_assert_true (g_file_set_contents (path, (const char *) &file, sizeof file, NULL));
  wp_functions_add (functions, 0x4000, 0, 0, "next", 4, "");
  wp_functions_sort (functions);
  opened = wp_code_file_open (path, "", NULL);
  instructions = wp_instructions_read (opened, functions, 0x4004, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (instructions->rows.len, ==, 3);
  g_assert_cmpstr (instructions->rows.data[0].text, ==, "nop");
  g_assert_cmpstr (instructions->rows.data[1].text, ==, "add    x0, x0, #1");
  g_assert_cmpstr (instructions->rows.data[2].text, ==, "ret");
  g_assert_cmpuint (instructions->rows.data[2].address, ==, 0x4008);
}

/* --- what a window shows -------------------------------------------------------------------------------------------- */

static void
test_texts (void)
{
  g_autoptr (WpStacks) stacks = profile_of (source);
  g_autoptr (WpListing) listing = list (stacks, "mark_multiples", &(WpSourcePlaces) { 0 });
  g_autoptr (GPtrArray) texts = wp_source_texts (listing);
  const WpSourceText *text = texts->pdata[0];
  g_auto (GStrv) lines = g_strsplit (text->text->str, "\n", -1);

  g_assert_cmpuint (texts->len, ==, 1);
  g_assert_cmpuint (g_strv_length (lines), ==, text->rows.len);
  g_assert_cmpstr (lines[text->hottest], ==, "      self->marked[i] = 1;");
  g_assert_cmpint (text->rows.data[text->hottest].flat, ==, 450000000);
  g_assert_cmpuint (text->rows.data[text->hottest].number, ==, primes_line ("self->marked[i] = 1"));
}

/* Text that is turned around reads as another one; a text view takes more than one character for the end of a line. */
static void
test_odd_characters (void)
{
  g_autofree char *path = program_path ("odd/primes.c"), *folder = g_path_get_dirname (path);
  g_autofree char *odd = g_strdup (primes_source);
  g_autoptr (WpStacks) stacks = profile_of (path);
  g_autoptr (WpListing) listing = NULL;
  g_autoptr (GPtrArray) texts = NULL;

  g_mkdir_with_parents (folder, 0777);
  memcpy (strstr (odd, "/* most of"), "/*\342\200\256\r\342\200\251", 9);
  g_assert_true (g_file_set_contents (path, odd, -1, NULL));
  listing = list (stacks, "count_primes", &(WpSourcePlaces) { 0 });
  texts = wp_source_texts (listing);
  g_assert_nonnull (strstr (((const WpSourceText *) texts->pdata[0])->text->str, "/*\\u202e\\u000d\\u2029f the time"));
}

static void
test_code_text (void)
{
  g_autoptr (WpStacks) stacks = profile_of (source);
  g_autoptr (WpCodeListing) code = list_code (stacks, "mark_multiples");
  WpSourceText *text = wp_code_text (code, stacks, &(WpSourcePlaces) { 0 });
  g_auto (GStrv) lines = g_strsplit (text->text->str, "\n", -1);
  guint32 above = text->hottest;

  g_assert_cmpuint (g_strv_length (lines), ==, text->rows.len);
  g_assert_cmpstr (lines[0], ==, "mark_multiples");
  while (text->rows.data[above].kind != WP_ROW_SOURCE)
    above--;
  g_assert_true (g_str_has_suffix (lines[above], "self->marked[i] = 1;"));
  wp_source_text_free (text);
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *path;
    void (*test) (void);
  } tests[] = {
    { "/source/lines", test_lines },
    { "/source/inlined", test_inlined },
    { "/source/recursion", test_recursion },
    { "/source/no-lines", test_no_lines },
    { "/source/places", test_places },
    { "/source/mapping", test_mapping },
    { "/source/not-plain", test_not_plain },
    { "/source/odd-text", test_odd_text },
    { "/source/debuginfod", test_debuginfod },
    { "/source/texts", test_texts },
    { "/source/odd-characters", test_odd_characters },
  }, code_tests[] = {
    { "/source/code", test_code },
    { "/source/separate-debug", test_separate_debug },
    { "/source/other-build", test_other_build },
    { "/source/aarch64", test_aarch64 },
    { "/source/code-text", test_code_text },
  };
  g_autoptr (WpElfFile) file = NULL;

  g_test_init (&argc, &argv, NULL);
  g_unsetenv ("DEBUGINFOD_URLS");
  file = primes_build (&source, &program);
  build_id = file->build_id;
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add_func (tests[i].path, tests[i].test);
  for (guint i = 0; i < G_N_ELEMENTS (code_tests) && wp_can_disassemble (); i++)
    g_test_add_func (code_tests[i].path, code_tests[i].test);
  return program_tests ();
}
