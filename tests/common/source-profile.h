/* A C program that is compiled for a test, and a profile of it made by hand: sources, addresses and values are known. */
#pragma once

#include "../unit/program.h"
#include "read/symbols/elf-file.h"
#include "stacks/maker.h"

#define PRIMES_C "primes.c"

static const char primes_source[] =
  "/* Counts primes, and says how many there are. */\n"
  "#include <stdint.h>\n"
  "#include <stdio.h>\n"
  "#include <stdlib.h>\n"
  "#include <string.h>\n"
  "\n"
  "typedef struct\n"
  "{\n"
  "  uint8_t *marked; /* a byte for each number: whether it is known to be no prime */\n"
  "  size_t n;\n"
  "} Sieve;\n"
  "\n"
  "static inline __attribute__ ((always_inline)) size_t\n"
  "first_multiple (size_t prime)\n"
  "{\n"
  "  return prime * prime; /* smaller ones have smaller factors */\n"
  "}\n"
  "\n"
  "/* Marks all multiples of a prime. */\n"
  "__attribute__ ((noinline)) void\n"
  "mark_multiples (Sieve *self, size_t prime)\n"
  "{\n"
  "  for (size_t i = first_multiple (prime); i < self->n; i += prime)\n"
  "    {\n"
  "      __asm__ volatile (\".globl inner\\ninner: nop\" : : \"r\" (i));\n"
  "      self->marked[i] = 1;\n"
  "    }\n"
  "}\n"
  "\n"
  "__attribute__ ((noinline)) size_t\n"
  "count_primes (Sieve *self)\n"
  "{\n"
  "  size_t found = 0;\n"
  "\n"
  "  memset (self->marked, 0, self->n);\n"
  "  for (size_t i = 2; i < self->n; i++)\n"
  "    {\n"
  "      if (self->marked[i])\n"
  "        continue;\n"
  "      found++;\n"
  "      mark_multiples (self, i); /* most of the time */\n"
  "    }\n"
  "  return found;\n"
  "}\n"
  "\n"
  "int\n"
  "main (int argc, char **argv)\n"
  "{\n"
  "  size_t n = argc > 1 ? strtoul (argv[1], NULL, 10) : 1000000;\n"
  "  Sieve sieve = { calloc (n, 1), n };\n"
  "\n"
  "  printf (\"%zu primes below %zu\\n\", count_primes (&sieve), n);\n"
  "  free (sieve.marked);\n"
  "  return 0;\n"
  "}\n";

/* The line, from 1 on, that has this text. */
static inline gint64
primes_line (const char *text)
{
  const char *found = strstr (primes_source, text);
  gint64 line = 1;

  g_assert_nonnull (found);
  for (const char *at = primes_source; at < found; at++)
    line += *at == '\n';
  return line;
}

/* Compiles it. The names of its source and of the program are the caller's to free. */
static inline WpElfFile *
primes_build (char **source, char **program)
{
  *source = program_path (PRIMES_C);
  *program = program_path ("primes");
  g_assert_true (g_file_set_contents (*source, primes_source, -1, NULL));
  program_run ("%s -O2 -g -Wl,--build-id -o primes %s", g_getenv ("WP_CC"), *source);
  return wp_elf_file_open (*program, NULL);
}

typedef struct
{
  WpStacksMaker maker;
  WpId file, module;
} PrimesProfile;

static inline WpId
primes_text (PrimesProfile *self, const char *text)
{
  return wp_strings_intern (self->maker.stacks->strings, text);
}

static inline WpId
primes_function (PrimesProfile *self, const char *name)
{
  WpFrames *frames = self->maker.stacks->frames;
  g_autofree char *head = g_strdup_printf ("\n%s (", name);

  wp_array_push (&frames->functions, ((WpStackFunction) { .name = primes_text (self, name), .system_name = primes_text (self, name), .file = self->file,
                                                          .start_line = primes_line (head) + 1 }));
  return frames->functions.len - 1;
}

/* A place in a function; `inlined`, where it is not 0, is inlined at `line`, itself on `inlined_line`. */
static inline WpId
primes_location (PrimesProfile *self, guint64 address, WpId function, const char *line, WpId inlined, const char *inlined_line)
{
  WpFrames *frames = self->maker.stacks->frames;
  WpLocation row = { .address = address, .module = self->module, .first_line = frames->lines.len, .n_lines = inlined != 0 ? 2 : 1 };

  if (inlined != 0)
    wp_array_push (&frames->lines, ((WpStackLine) { .function = inlined, .line = primes_line (inlined_line) }));
  wp_array_push (&frames->lines, ((WpStackLine) { .function = function, .line = primes_line (line) }));
  wp_array_push (&frames->locations, row);
  return frames->locations.len - 1;
}

static inline void
primes_sample (PrimesProfile *self, gint64 ms, const WpId *locations, guint32 n)
{
  gint64 value = ms * 1000000;

  wp_stacks_maker_sample (&self->maker, wp_stacks_maker_stack (&self->maker, 0, locations, n), &value);
}

/* `source` is what the profile calls the source file. `program` and its build id may be NULL; else
 * `offset_of` says where in the file its symbols are. Of 1000 ms mark_multiples() takes 600 itself and 100 in what is inlined there; count_primes() 200. */
static inline WpStacks *
primes_profile (const char *source, const char *program, const char *build_id, guint64 (*offset_of) (const char *path, const char *symbol))
{
  PrimesProfile self = { 0 };
  const guint64 start = 0x10000000;
  WpId mark, first, count, main_, places[6];
  guint64 at[3] = { 0 };

  wp_stacks_maker_init (&self.maker);
  wp_stacks_maker_type (&self.maker, primes_text (&self, "cpu"), primes_text (&self, "nanoseconds"));
  self.file = primes_text (&self, source);
  if (program != NULL)
    {
      wp_array_push (&self.maker.stacks->frames->modules,
                     ((WpStackModule) { .start = start, .limit = start + 0x100000, .file = primes_text (&self, program),
                                        .build_id = primes_text (&self, build_id) }));
      self.module = self.maker.stacks->frames->modules.len - 1;
      at[0] = start + offset_of (program, "main");
      at[1] = start + offset_of (program, "count_primes");
      at[2] = start + offset_of (program, "inner");
    }
  mark = primes_function (&self, "mark_multiples");
  first = primes_function (&self, "first_multiple");
  count = primes_function (&self, "count_primes");
  main_ = primes_function (&self, "main");
  places[0] = primes_location (&self, at[0], main_, "printf (\"%zu", 0, NULL);
  places[1] = primes_location (&self, at[1], count, "mark_multiples (self, i);", 0, NULL);
  places[2] = primes_location (&self, at[2], mark, "__asm__", 0, NULL);
  places[3] = primes_location (&self, at[2] != 0 ? at[2] + 1 : 0, mark, "self->marked[i] = 1", 0, NULL);
  places[4] = primes_location (&self, 0, mark, "i < self->n; i += prime", first, "return prime * prime");
  places[5] = primes_location (&self, 0, count, "if (self->marked[i])", 0, NULL);
  primes_sample (&self, 150, (WpId[]) { places[0], places[1], places[2] }, 3);
  primes_sample (&self, 450, (WpId[]) { places[0], places[1], places[3] }, 3);
  primes_sample (&self, 100, (WpId[]) { places[0], places[1], places[4] }, 3);
  primes_sample (&self, 200, (WpId[]) { places[0], places[5] }, 2);
  primes_sample (&self, 100, (WpId[]) { places[0] }, 1);
  return wp_stacks_maker_take (&self.maker);
}
