/* What every driver calls: one input is run and counted, the next one is made. */
#include "fuzz.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <glib/gstdio.h>
#include <malloc.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

const char *__lsan_default_suppressions (void);
const char *__asan_default_options (void);
const char *__ubsan_default_options (void);

/* Fontconfig keeps its configuration until the process ends; libtraceevent loses a few bytes for each field that it cannot make
 * sense of; libgit2 loses what it matches the names of settings with (git_branch_delete()). */
const char *
__lsan_default_suppressions (void)
{
  return "leak:libfontconfig\nleak:libtraceevent.so\nleak:libpcre2-8.so\n";
}

const char *
__asan_default_options (void)
{
  return "allocator_may_return_null=1:detect_odr_violation=0";
}

const char *
__ubsan_default_options (void)
{
  return "halt_on_error=1:abort_on_error=1:print_stacktrace=1";
}

/* --- how many there were ---------------------------------------------------------------------------------------------- */

/* In a file that all processes of a run share and that adds up over runs. */
typedef struct
{
  guint64 inputs, whole;
} Counts;

static Counts *counts, none;

static void
open_counts (void)
{
  const char *path = g_getenv ("WP_FUZZ_COUNTS");
  int fd = path != NULL ? open (path, O_RDWR | O_CREAT | O_CLOEXEC, 0666) : -1;

  counts = &none;
  if (fd >= 0 && ftruncate (fd, sizeof *counts) == 0)
    counts = mmap (NULL, sizeof *counts, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (counts == MAP_FAILED || (path != NULL && fd < 0))
    g_error ("%s: %s", path, g_strerror (errno));
  if (fd >= 0)
    close (fd);
}

/* --- files of this process -------------------------------------------------------------------------------------------- */

static char *folder;
static pid_t folder_of;

static int
remove_one (const char *path, const struct stat *st, int kind, struct FTW *place)
{
  (void) st, (void) kind, (void) place;
  return remove (path);
}

void
fuzz_remove (const char *path)
{
  nftw (path, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static void
remove_folder (void)
{
  if (folder_of == getpid ())
    fuzz_remove (folder);
}

const char *
fuzz_folder (void)
{
  const char *within = g_getenv ("WP_FUZZ_FOLDER");

  if (folder != NULL)
    return folder;
  folder = g_build_filename (within != NULL ? within : "/dev/shm", "wakepath-fuzz-XXXXXX", NULL);
  folder_of = getpid ();
  if (g_mkdtemp (folder) == NULL)
    g_error ("%s: %s", folder, g_strerror (errno));
  atexit (remove_folder);
  return folder;
}

char *
fuzz_path (const char *name)
{
  return g_build_filename (fuzz_folder (), name, NULL);
}

int
fuzz_open (const guint8 *data, gsize n, char path[40])
{
  int fd = memfd_create ("input", MFD_CLOEXEC);

  if (fd < 0 || write (fd, data, n) != (ssize_t) n)
    g_error ("an input of %zu bytes could not be written: %s", n, g_strerror (errno));
  g_snprintf (path, 40, "/proc/self/fd/%d", fd);
  return fd;
}

/* --- programs that are started ---------------------------------------------------------------------------------------- */

/* To start the demangler takes longer than all the rest: it is not there for most inputs. Linked in place of the C library's. */
#define PROGRAMS_EVERY 32

int __real_posix_spawn (pid_t *child, const char *path, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes,
                        char *const argv[], char *const environment[]);
int __wrap_posix_spawn (pid_t *child, const char *path, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes,
                        char *const argv[], char *const environment[]);

static gboolean no_programs;

int
__wrap_posix_spawn (pid_t *child, const char *path, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes,
                    char *const argv[], char *const environment[])
{
  return no_programs ? ENOENT : __real_posix_spawn (child, path, actions, attributes, argv, environment);
}

/* --- the entries ------------------------------------------------------------------------------------------------------ */

/* A large table that a reader asks for zeroed is always new memory, of which only what is touched costs anything; what was freed is kept
 * for the next input. */
static void
set_up_memory (void)
{
  mallopt (M_MMAP_THRESHOLD, 128 << 10);
  mallopt (M_TRIM_THRESHOLD, 1 << 20);
}

static gboolean parses; /* inputs are only read */

static void
no_word (const char *text)
{
  (void) text;
}

int
LLVMFuzzerInitialize (int *argc, char ***argv)
{
  (void) argc, (void) argv;
  /* What the program says of an input is not looked at, unless WP_FUZZ_LOUD is set; what GLib and the program call a mistake ends it. */
  g_set_print_handler (no_word);
  if (g_getenv ("WP_FUZZ_LOUD") == NULL)
    g_set_printerr_handler (no_word);
  g_log_set_always_fatal (G_LOG_FATAL_MASK | G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_WARNING);
  g_unsetenv ("DEBUGINFOD_URLS");
  g_setenv ("WAKEPATH_SIDECARS", "no", TRUE); /* no input comes again */
  set_up_memory ();
  open_counts ();
  parses = g_getenv ("WP_FUZZ_PARSE") != NULL && fuzz_target.parse != NULL;
  fuzz_folder ();
  if (fuzz_target.set_up != NULL)
    fuzz_target.set_up ();
  return 0;
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  FuzzRandom choice = fuzz_choice (data, MIN (size, 1024));
  gboolean whole;

  no_programs = !fuzz_one_in (&choice, PROGRAMS_EVERY);
  whole = (parses ? fuzz_target.parse : fuzz_target.run) (data, size);

  __atomic_fetch_add (&counts->inputs, 1, __ATOMIC_RELAXED);
  if (whole)
    __atomic_fetch_add (&counts->whole, 1, __ATOMIC_RELAXED);
  return 0;
}

/* --- the next one ----------------------------------------------------------------------------------------------------- */

/* Most inputs are short: a mistake seldom needs more, and many more of them are tried. */
#define SHORT 2048
#define LONG_EVERY 16

static size_t
take (const GByteArray *input, uint8_t *out, size_t room)
{
  size_t n = MIN (input->len, room);

  memcpy (out, input->data, n);
  return n;
}

size_t
LLVMFuzzerCustomMutator (uint8_t *data, size_t size, size_t room, unsigned int seed)
{
  g_autoptr (GByteArray) input = g_byte_array_append (g_byte_array_new (), data, (guint) size);
  FuzzRandom random = fuzz_random (seed);
  guint n = 1 + fuzz_below (&random, 1u << fuzz_below (&random, 5)), kinds = 0;

  if (fuzz_target.shorten != NULL && size > SHORT && !fuzz_one_in (&random, LONG_EVERY))
    fuzz_target.shorten (input, &random);
  while (fuzz_target.changes[kinds] != NULL)
    kinds++;
  for (guint i = 0; i < n; i++)
    if (kinds == 0 || fuzz_one_in (&random, 10))
      fuzz_change_bytes (input, &random);
    else
      fuzz_target.changes[fuzz_below (&random, kinds)](input, &random);
  return take (input, data, room);
}

size_t
LLVMFuzzerCustomCrossOver (const uint8_t *a, size_t n_a, const uint8_t *b, size_t n_b, uint8_t *out, size_t room, unsigned int seed)
{
  g_autoptr (GByteArray) input = g_byte_array_append (g_byte_array_new (), a, (guint) n_a);
  FuzzRandom random = fuzz_random (seed);

  if (n_b > 0)
    (fuzz_target.splice != NULL ? fuzz_target.splice : fuzz_splice_bytes) (input, b, n_b, &random);
  return take (input, out, room);
}
