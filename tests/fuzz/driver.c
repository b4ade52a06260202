/* Runs a fuzz target with nothing but a C compiler.
 *
 *   fuzz-TARGET [--parse] [--seconds S] [--runs N] [--seed N] [--found FOLDER] [--budgets no] SEED-FOLDER|FILE…
 *
 * --parse: inputs are read, and nothing else is done to them.
 * Inputs are made of the files by changes, or where --runs is 0 are the files themselves; which ones, the seed alone says, which is new
 * each time unless it is given. They run in a worker, one after the other. A worker that dies, hangs, or takes more than the budgets
 * leaves its input to the parent, which runs it once more in a process of its own, measures that, and keeps the input in
 * FOLDER when it is a find. Exit status 1: there was one. */
#include "fuzz.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define INPUT_MAX (2 << 20)

/* What an input may cost, in a program without sanitizers: a base, and so much for each byte of it once it is unpacked. */
#define CPU_BASE 2.0
#define CPU_MB 2.0
#define MEMORY_BASE (200ull << 20)
#define MEMORY_BYTE 64

/* A worker looks at itself, and ends where it could be over a budget; for certain that is known of a process with one input only. */
#define SUSPECT_CPU (CPU_BASE / 2)
#define SUSPECT_MEMORY (MEMORY_BASE / 2)
#define HANG_SECONDS 120 /* without using the CPU */

enum
{
  EXIT_SUSPECT = 77,
};

/* What the worker is at. Shared with the parent. */
typedef struct
{
  guint64 done;         /* inputs */
  gsize n;
  guint8 input[INPUT_MAX];
} Shared;

typedef struct
{
  guint8 *data;
  gsize n;
} Seed;

typedef struct
{
  guint64 seed, runs;
  double seconds;
  gboolean budgets;
  const char *found;
  GArray *seeds;  /* Seed */
  Shared *shared;
  guint finds;
  gint64 end;     /* µs */
} Driver;

/* --- making inputs ---------------------------------------------------------------------------------------------------- */

/* Of two mostly the shorter one: many small inputs find more than a few large ones. */
static const Seed *
choose (const Driver *self, FuzzRandom *random)
{
  const Seed *a = &g_array_index (self->seeds, Seed, fuzz_below (random, self->seeds->len));
  const Seed *b = &g_array_index (self->seeds, Seed, fuzz_below (random, self->seeds->len));

  return b->n < a->n && !fuzz_one_in (random, 4) ? b : a;
}

/* Depends on the seed and `number` alone. */
static void
make_input (const Driver *self, guint64 number)
{
  FuzzRandom random = fuzz_random (self->seed + number * 0x10001);
  const Seed *seed = choose (self, &random), *other = choose (self, &random);
  Shared *shared = self->shared;

  shared->n = MIN (seed->n, INPUT_MAX);
  memcpy (shared->input, seed->data, shared->n);
  if (fuzz_one_in (&random, 5))
    {
      g_autofree guint8 *copy = g_memdup2 (shared->input, shared->n);

      shared->n = LLVMFuzzerCustomCrossOver (copy, shared->n, other->data, other->n, shared->input, INPUT_MAX, (guint) fuzz_next (&random));
    }
  shared->n = LLVMFuzzerCustomMutator (shared->input, shared->n, INPUT_MAX, (guint) fuzz_next (&random));
}

static void
take_seed (const Driver *self, guint64 number)
{
  const Seed *seed = &g_array_index (self->seeds, Seed, number);

  self->shared->n = MIN (seed->n, INPUT_MAX);
  memcpy (self->shared->input, seed->data, self->shared->n);
}

/* --- running them ----------------------------------------------------------------------------------------------------- */

static double
seconds_of (const struct timeval *time)
{
  return (double) time->tv_sec + (double) time->tv_usec / 1e6;
}

static double
cpu_of (const struct rusage *usage)
{
  return seconds_of (&usage->ru_utime) + seconds_of (&usage->ru_stime);
}

static guint64
memory_of (const struct rusage *usage)
{
  return (guint64) usage->ru_maxrss * 1024;
}

static struct rusage
usage_of_self (void)
{
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);
  return usage;
}

/* Ends the process where it uses no CPU, and where it uses more than twice any budget. */
static void
watch (gsize n)
{
  struct itimerval cpu = { .it_value = { .tv_sec = 600 + (time_t) (n >> 15) } };

  setitimer (ITIMER_PROF, &cpu, NULL);
  alarm (HANG_SECONDS + (guint) (n >> 13) * 4);
}

/* Exactly as long as it is, so that what reads behind its end is seen. */
static void
run_one (const Shared *shared)
{
  g_autofree guint8 *copy = malloc (shared->n); /* g_malloc() would be NULL for none */

  memcpy (copy, shared->input, shared->n);
  watch (shared->n);
  LLVMFuzzerTestOneInput (copy, shared->n);
}

static guint64
inputs_of (const Driver *self)
{
  return self->runs > 0 ? self->runs : self->seeds->len;
}

static G_NORETURN void
work (const Driver *self)
{
  Shared *shared = self->shared;
  struct rusage at_first = usage_of_self ();

  while (shared->done < inputs_of (self) && (self->runs == 0 || g_get_monotonic_time () < self->end))
    {
      struct rusage before = usage_of_self (), after;

      (self->runs > 0 ? make_input : take_seed) (self, shared->done);
      run_one (shared);
      after = usage_of_self ();
      if (self->budgets && (cpu_of (&after) - cpu_of (&before) > SUSPECT_CPU || memory_of (&after) - memory_of (&at_first) > SUSPECT_MEMORY))
        exit (EXIT_SUSPECT);
      shared->done++;
    }
  exit (0);
}

/* --- finds ------------------------------------------------------------------------------------------------------------ */

static char *
name_of (const Driver *self, const char *what)
{
  g_autofree char *sum = g_compute_checksum_for_data (G_CHECKSUM_SHA1, self->shared->input, self->shared->n);

  return g_strdup_printf ("%s/%s-%.12s", self->found, what, sum);
}

static void
keep (Driver *self, const char *what, const char *why)
{
  g_autofree char *path = name_of (self, what);
  g_autoptr (GError) error = NULL;

  self->finds++;
  if (self->runs == 0)
    {
      printf ("%s: seed %" G_GUINT64_FORMAT ": %s\n", what, self->shared->done, why);
      return;
    }
  g_mkdir_with_parents (self->found, 0777);
  if (!g_file_set_contents (path, (const char *) self->shared->input, (gssize) self->shared->n, &error))
    g_error ("%s", error->message);
  printf ("%s: %s (input %" G_GUINT64_FORMAT " of seed %" G_GUINT64_FORMAT ")\n", path, why, self->shared->done, self->seed);
}

static int
wait_for (pid_t child, struct rusage *usage)
{
  int status;

  while (wait4 (child, &status, 0, usage) < 0)
    if (errno != EINTR)
      g_error ("wait4: %s", g_strerror (errno));
  return status;
}

static const char *
death (int status, char text[80])
{
  if (WIFSIGNALED (status))
    g_snprintf (text, 80, "died of signal %d (%s)", WTERMSIG (status), g_strsignal (WTERMSIG (status)));
  else
    g_snprintf (text, 80, "ended with status %d", WEXITSTATUS (status));
  return text;
}

/* The last input in a process of its own: TRUE: a find. What an input costs is counted from what a process costs that does nothing. */
static gboolean
judge (Driver *self)
{
  guint64 n = fuzz_target.unpacked != NULL ? MAX (fuzz_target.unpacked (self->shared->input, self->shared->n), self->shared->n) : self->shared->n;
  double cpu = CPU_BASE + CPU_MB * (double) n / (1 << 20);
  guint64 memory = MEMORY_BASE + MEMORY_BYTE * n;
  struct rusage usage;
  char text[160];
  int status;
  pid_t child = fork ();

  if (child == 0)
    {
      run_one (self->shared);
      exit (0);
    }
  status = wait_for (child, &usage);
  if (status != 0)
    keep (self, "crash", death (status, text));
  else if (self->budgets && (cpu_of (&usage) > cpu || memory_of (&usage) > memory))
    {
      g_snprintf (text, sizeof text, "%.1f s of %.1f, %.0f MB of %.0f for %" G_GUINT64_FORMAT " bytes", cpu_of (&usage), cpu,
                  (double) memory_of (&usage) / 1e6, (double) memory / 1e6, n);
      keep (self, "cost", text);
    }
  else
    return FALSE;
  return TRUE;
}

static gboolean
goes_on (const Driver *self)
{
  return self->shared->done < inputs_of (self) && (self->runs == 0 || g_get_monotonic_time () < self->end);
}

static void
drive (Driver *self)
{
  while (goes_on (self))
    {
      struct rusage usage;
      char text[160];
      pid_t child;
      int status;

      fflush (NULL);
      child = fork ();
      if (child == 0)
        work (self);
      status = wait_for (child, &usage);
      if (status == 0)
        return;
      /* What only happens after many others is a find, too. */
      if (!judge (self) && !(WIFEXITED (status) && WEXITSTATUS (status) == EXIT_SUSPECT))
        keep (self, "crash-after-others", death (status, text));
      self->shared->done++;
    }
}

/* --- the beginning ---------------------------------------------------------------------------------------------------- */

static void
add_file (Driver *self, const char *path)
{
  g_autoptr (GError) error = NULL;
  Seed seed;

  if (!g_file_get_contents (path, (char **) &seed.data, &seed.n, &error))
    g_error ("%s", error->message);
  g_array_append_val (self->seeds, seed);
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

/* A file, or those of a folder; in an order that is always the same. */
static void
add (Driver *self, const char *path)
{
  g_autoptr (GDir) folder = g_dir_open (path, 0, NULL);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  if (folder == NULL)
    {
      add_file (self, path);
      return;
    }
  while ((name = g_dir_read_name (folder)) != NULL)
    g_ptr_array_add (names, g_build_filename (path, name, NULL));
  g_ptr_array_sort (names, compare_names);
  for (guint i = 0; i < names->len; i++)
    add (self, names->pdata[i]);
}

static void
parse (Driver *self, int argc, char **argv)
{
  for (int i = 1; i < argc; i++)
    if (g_str_equal (argv[i], "--runs") && i + 1 < argc)
      self->runs = g_ascii_strtoull (argv[++i], NULL, 10);
    else if (g_str_equal (argv[i], "--seconds") && i + 1 < argc)
      self->seconds = g_ascii_strtod (argv[++i], NULL);
    else if (g_str_equal (argv[i], "--seed") && i + 1 < argc)
      self->seed = g_ascii_strtoull (argv[++i], NULL, 10);
    else if (g_str_equal (argv[i], "--found") && i + 1 < argc)
      self->found = argv[++i];
    else if (g_str_equal (argv[i], "--budgets") && i + 1 < argc)
      self->budgets = g_str_equal (argv[++i], "yes");
    else if (g_str_equal (argv[i], "--parse"))
      g_setenv ("WP_FUZZ_PARSE", "1", TRUE);
    else
      add (self, argv[i]);
}

int
main (int argc, char **argv)
{
  Driver self = { .seed = (guint64) g_get_real_time () % 1000000000, .runs = G_MAXUINT64, .seconds = 10, .budgets = TRUE,
                  .seeds = g_array_new (FALSE, FALSE, sizeof (Seed)) };
  gint64 begin = g_get_monotonic_time ();
  double took;

  parse (&self, argc, argv);
  self.found = self.found != NULL ? self.found : fuzz_target.name;
  self.end = begin + (gint64) (self.seconds * G_USEC_PER_SEC);
  self.shared = mmap (NULL, sizeof *self.shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (self.seeds->len == 0 || self.shared == MAP_FAILED)
    g_error ("%s", self.seeds->len == 0 ? "no inputs to begin with" : g_strerror (errno));
  printf ("%s: %u files, --seed %" G_GUINT64_FORMAT "\n", fuzz_target.name, self.seeds->len, self.seed);
  LLVMFuzzerInitialize (&argc, &argv);
  drive (&self);
  took = (double) (g_get_monotonic_time () - begin) / G_USEC_PER_SEC;
  printf ("%s: %" G_GUINT64_FORMAT " inputs in %.0f s, %.0f a second, %u finds\n", fuzz_target.name, self.shared->done, took,
          (double) self.shared->done / MAX (took, 0.001), self.finds);
  return self.finds > 0;
}
