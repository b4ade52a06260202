/* The tasks that existed before the recording, as its recorder wrote them down. */
#pragma once

#include "read/perf/perf-parts.h"

typedef struct WpPerfKnownTasks WpPerfKnownTasks;

WpPerfKnownTasks *wp_perf_known_tasks_new (const WpPerfFile *file);
void wp_perf_known_tasks_free (WpPerfKnownTasks *self);

void wp_perf_known_tasks_take (WpPerfKnownTasks *self, const WpPerfRecord *header); /* COMM and FORK count, others do not */

/* Gives them to the assembler. `spaces` has the mappings of that time: where nobody says whose child a process is, a kernel thread is known by
 * having none. */
void wp_perf_known_tasks_give (const WpPerfKnownTasks *self, WpAssembler *assembler, const WpSpaces *spaces);
