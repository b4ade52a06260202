/* The parts of wakes: one named process for each way a sleep can end. */
#pragma once

#include <stddef.h>

#define TIMES 8 /* each sleeps so often */
#define MS 1000000L /* ns */

typedef struct
{
  const char *name; /* what the process is called: at most 15 characters */
  void (*run) (void);
} Wake;

extern const Wake wakes_time[];  /* timers, disks */
extern const Wake wakes_peers[]; /* pipes, sockets, files, terminals */
extern const Wake wakes_tasks[]; /* locks, signals, children, the scheduler */

#define BIG_FILE "wakes.bin" /* of 32 MiB, not in the cache when a program begins */
#define BIG_FILE_SIZE (32 << 20)

void wakes_sleep (long ns);
void wakes_spin (long ns);                                    /* of wall time */
void wakes_pin (int cpu);                                     /* the nth of those it may use */
int wakes_helper (const char *name, void (*run) (int), int argument); /* forks a partner that ends by itself; its pid */
long wakes_need (long result, const char *what);              /* the result; ends the program, saying why, where there is none */
