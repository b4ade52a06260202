/* Programs that a test compiles, strips and packs for itself, in a folder that goes away with the test. */
#pragma once

#include <fcntl.h>
#include <gelf.h>
#include <glib/gstdio.h>
#include <unistd.h>

static char *program_folder;

static inline char *
program_path (const char *name)
{
  if (program_folder == NULL)
    program_folder = g_dir_make_tmp ("wakepath-XXXXXX", NULL);
  return g_build_filename (program_folder, name, NULL);
}

/* Runs a command line in the folder. */
static inline void
program_run (const char *format, ...)
{
  g_autofree char *line = NULL, *errors = NULL;
  g_auto (GStrv) words = NULL;
  g_autoptr (GError) error = NULL;
  va_list args;
  int status;

  va_start (args, format);
  line = g_strdup_vprintf (format, args);
  va_end (args);
  g_free (program_path (""));
  g_test_message ("%s", line);
  g_assert_true (g_shell_parse_argv (line, NULL, &words, NULL));
  g_spawn_sync (program_folder, words, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, &errors, &status, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (status == 0 ? "" : errors, ==, "");
  g_assert_cmpint (status, ==, 0);
}

/* The offset in the file where a label is. */
static inline guint64
program_symbol (const char *path, const char *name)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC);
  Elf *elf = (elf_version (EV_CURRENT), elf_begin (fd, ELF_C_READ, NULL));
  guint64 address = 0, offset = 0;
  Elf_Scn *section = NULL;
  GElf_Shdr header;
  GElf_Phdr segment;
  GElf_Sym symbol;
  size_t n;

  while ((section = elf_nextscn (elf, section)) != NULL)
    if (gelf_getshdr (section, &header)->sh_type == SHT_SYMTAB)
      for (int i = 0; gelf_getsym (elf_getdata (section, NULL), i, &symbol) != NULL; i++)
        if (g_strcmp0 (elf_strptr (elf, header.sh_link, symbol.st_name), name) == 0)
          address = symbol.st_value;
  g_assert_cmpint (elf_getphdrnum (elf, &n), ==, 0);
  for (size_t i = 0; i < n; i++)
    if (gelf_getphdr (elf, i, &segment) != NULL && segment.p_type == PT_LOAD && address >= segment.p_vaddr
        && address - segment.p_vaddr < segment.p_filesz)
      offset = address - segment.p_vaddr + segment.p_offset;
  elf_end (elf);
  close (fd);
  g_assert_cmpuint (offset, >, 0);
  return offset;
}

static inline guint64
program_marker (const char *path)
{
  return program_symbol (path, "marker");
}

/* Runs the tests and takes the folder away. */
static inline int
program_tests (void)
{
  int status = g_test_run ();

  program_run ("rm -r %s", program_folder);
  g_clear_pointer (&program_folder, g_free);
  return status;
}
