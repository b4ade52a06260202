/* What a fuzz target is, and what all of them share. Two drivers run them: libFuzzer, and driver.c, which needs only a C compiler. */
#pragma once

#include <glib.h>
#include <stdint.h>

/* Which input comes next depends on this alone. */
typedef struct
{
  guint64 state;
} FuzzRandom;

FuzzRandom fuzz_random (guint64 seed);
FuzzRandom fuzz_choice (const guint8 *data, gsize n); /* what is done to an input, which it says itself */
guint64 fuzz_next (FuzzRandom *self);
guint fuzz_below (FuzzRandom *self, guint n);        /* 0 … n − 1; 0 where n is 0 */
gboolean fuzz_one_in (FuzzRandom *self, guint n);
guint64 fuzz_number (FuzzRandom *self);              /* often one at a limit */
const char *fuzz_word (FuzzRandom *self);            /* a text that somebody may trip over */

/* Changes an input as what it is; what it is not is left to the changes of bytes. */
typedef void (*FuzzChange) (GByteArray *input, FuzzRandom *random);
void fuzz_change_bytes (GByteArray *input, FuzzRandom *random);
void fuzz_change_perf (GByteArray *input, FuzzRandom *random);  /* records of a perf.data, file or stream */
void fuzz_change_json (GByteArray *input, FuzzRandom *random);  /* values and members of a JSON document */
void fuzz_change_lines (GByteArray *input, FuzzRandom *random); /* lines, words and indentation: YAML, perf script text, commands */
void fuzz_change_proto (GByteArray *input, FuzzRandom *random); /* fields of a protocol buffer */

/* Leaves a few of an input's records, values or lines, and what it needs in front of them. */
void fuzz_shorten_perf (GByteArray *input, FuzzRandom *random);
void fuzz_shorten_json (GByteArray *input, FuzzRandom *random);
void fuzz_shorten_lines (GByteArray *input, FuzzRandom *random);
void fuzz_shorten_proto (GByteArray *input, FuzzRandom *random);

/* Puts a part of another input of the same kind into this one. */
typedef void (*FuzzSplice) (GByteArray *input, const guint8 *other, gsize n, FuzzRandom *random);
void fuzz_splice_bytes (GByteArray *input, const guint8 *other, gsize n, FuzzRandom *random);
void fuzz_splice_perf (GByteArray *input, const guint8 *other, gsize n, FuzzRandom *random);
void fuzz_splice_json (GByteArray *input, const guint8 *other, gsize n, FuzzRandom *random);
void fuzz_splice_lines (GByteArray *input, const guint8 *other, gsize n, FuzzRandom *random);
void fuzz_splice_proto (GByteArray *input, const guint8 *other, gsize n, FuzzRandom *random);

/* Replaces n bytes at a place by others. */
void fuzz_replace (GByteArray *input, gsize at, gsize n, gconstpointer with, gsize n_with);

/* Each target defines one. */
typedef struct
{
  const char *name;
  void (*set_up) (void);                       /* once in a process; or NULL */
  gboolean (*run) (const guint8 *data, gsize n); /* TRUE: it was opened and went through everything there is */
  gboolean (*parse) (const guint8 *data, gsize n); /* reads it only; TRUE: it could be. NULL: run() */
  FuzzChange changes[4];                       /* NULL-terminated; bytes are changed beside these */
  FuzzSplice splice;
  FuzzChange shorten;                          /* or NULL */
  guint64 (*unpacked) (const guint8 *data, gsize n); /* how much input this is once it is unpacked; NULL: n */
} FuzzTarget;

extern const FuzzTarget fuzz_target;

/* A folder in memory, of this process and those that it forks; within $WP_FUZZ_FOLDER where that is set. */
const char *fuzz_folder (void);
char *fuzz_path (const char *name); /* of a file in it. Free with g_free() */
void fuzz_remove (const char *path); /* with all that is in it; nothing may be there */

/* A file of these bytes without a name, and the path it can be opened by; close it by fuzz_close(). */
int fuzz_open (const guint8 *data, gsize n, char path[40]);

/* As entry.c has them: one input, counted; and the next one. */
int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);
int LLVMFuzzerInitialize (int *argc, char ***argv);
size_t LLVMFuzzerCustomMutator (uint8_t *data, size_t size, size_t room, unsigned int seed);
size_t LLVMFuzzerCustomCrossOver (const uint8_t *a, size_t n_a, const uint8_t *b, size_t n_b, uint8_t *out, size_t room, unsigned int seed);
