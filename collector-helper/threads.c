/* Listing threads; see threads.h. */
#include "threads.h"

#include <stdio.h>

DIR *
wpc_threads_open (unsigned pid)
{
  char path[64];

  snprintf (path, sizeof path, "/proc/%u/task", pid);
  return opendir (path);
}

unsigned
wpc_threads_next (DIR *threads)
{
  struct dirent *entry;
  unsigned tid;

  while ((entry = readdir (threads)) != NULL)
    if (wpc_parse_number (entry->d_name, WPC_PID_MAX, &tid) && tid != 0)
      return tid;
  return 0;
}

static int
list_process (unsigned pid, int *threads, int n, int room)
{
  DIR *folder = wpc_threads_open (pid);
  unsigned tid;

  if (folder == NULL)
    return n;
  while (n <= room && (tid = wpc_threads_next (folder)) != 0)
    {
      if (n < room)
        threads[n] = (int) tid;
      n++;
    }
  closedir (folder);
  return n;
}

int
wpc_list_threads (const WpcOptions *options, int *threads, int room)
{
  int n = 0;

  for (unsigned i = 0; i < options->n_sampled && n <= room; i++)
    if (!options->sample_threads)
      n = list_process (options->sampled[i], threads, n, room);
    else if (n++ < room)
      threads[i] = (int) options->sampled[i];
  return n;
}
