/* Opens a file as stacks with values and says how many rows there are. */
#include "workspace/stacks/open-stacks.h"

#include <stdio.h>

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (WpStacks) stacks = argc == 2 ? wp_open_stacks (argv[1], NULL, NULL, NULL, &error) : NULL;

  if (stacks == NULL)
    {
      fprintf (stderr, "%s\n", error != NULL ? error->message : "usage: bench-plain FILE");
      return 1;
    }
  printf ("%u rows, %u stacks, %u locations\n", stacks->n_samples, stacks->frames->nodes.len - 1, stacks->frames->locations.len - 1);
  return 0;
}
