/* The system calls that the helper may make. Another one ends it. */
#pragma once

typedef enum
{
  WPC_FILTER_GATHERING = 1 << 0, /* opening events, reading about the system */
  WPC_FILTER_RECORDING = 1 << 1, /* writing, waiting, switching events */
  WPC_FILTER_CHOOSING = 1 << 2,  /* with gathering: opening events of one thread, for CPU samples of chosen processes */
} WpcFilter;

/* `which` is one of them, or several. Returns 0, or 1 with the error told. A later one forbids, and never allows what an earlier
 * one forbade. */
int wpc_filter_load (unsigned which);
