/* The command line of wakepath-collector: a fixed vocabulary, numbers within bounds, no paths, no free text. */
#pragma once

#include <stdbool.h>

typedef enum
{
  WPC_GROUP_SCHED = 1 << 0, /* always there */
  WPC_GROUP_BLOCK = 1 << 1,
  WPC_GROUP_IRQ = 1 << 2,
  WPC_GROUP_NET = 1 << 3,
  WPC_GROUP_SIGNAL = 1 << 4,
  WPC_GROUP_CPU = 1 << 5, /* CPU samples */
  WPC_GROUP_FILE = 1 << 6, /* which file a disk request is for */
  WPC_GROUP_ALL = (1 << 7) - 1,
} WpcGroup;

typedef enum
{
  WPC_STACKS_NONE,
  WPC_STACKS_FP,    /* user stacks by frame pointers */
  WPC_STACKS_DWARF, /* user stacks as registers and a copy of the top of the stack, which is anybody's memory, for a caller that unwinds them */
} WpcStacks;

#define WPC_MAX_CPUS 4096
#define WPC_RATE_MAX 100000
#define WPC_PATIENCE_S 60 /* the longest of all limits of time */
#define WPC_SAMPLED_MAX 256
#define WPC_READERS_MAX 128
#define WPC_PID_MAX (1u << 22)
#define WPC_SIZE_MB 65536        /* nobody means to keep more; hours of a busy machine are less */
#define WPC_SIZE_MAX_MB 16777216 /* for callers that keep the end only: days, and what a file may have */

typedef struct
{
  unsigned groups;
  unsigned rate; /* CPU samples a second and CPU */
  bool copies; /* the vocabulary is that of the program that copies stacks */
  WpcStacks stacks;
  unsigned stack_bytes; /* of each copied stack */
  unsigned buffer_kb; /* of one CPU; 0: chosen by the helper */
  unsigned readers;   /* of the rings; 0: as many as there are CPUs for */
  unsigned patience_s; /* no limit of time is longer */
  unsigned size_mb;   /* a recording that has become so large ends */
  unsigned sampled[WPC_SAMPLED_MAX]; /* the chosen processes or threads: CPU samples may be taken in them, and in what they start, alone */
  unsigned n_sampled; /* 0: none, they are taken in all */
  bool sample_threads; /* those are threads */
  bool sample_chosen; /* with chosen ones: that is how it begins */
  bool cpus[WPC_MAX_CPUS];
  bool some_cpus; /* only those marked in cpus */
} WpcOptions;

/* What holds where nothing is said. There are two programs of two vocabularies, for polkit to tell apart: one copies stacks and the other
 * cannot. */
void wpc_options_init (WpcOptions *self, bool copies);

/* One argument, whatever it is. False when it is not in the vocabulary. */
bool wpc_options_take (WpcOptions *self, const char *argument);

/* All arguments. False when one is not in the vocabulary; `wrong` is that. */
bool wpc_options_parse (WpcOptions *self, bool copies, int argc, char **argv, const char **wrong);

/* One number of 0 up to `max`, and nothing else. */
bool wpc_parse_number (const char *text, unsigned max, unsigned *value);

/* A list of CPUs as the kernel writes it: "0-3,6". Marks them; returns false when it is not one. */
bool wpc_parse_cpus (const char *text, bool cpus[WPC_MAX_CPUS]);

extern const char wpc_usage[];
