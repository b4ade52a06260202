/* What a profile's file would be called: name TEMPLATE FILE. */
#include "store/store.h"

#include <stdio.h>

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (WpProfile) profile = argc == 3 ? wp_profile_load (argv[2], NULL, &error) : NULL;
  g_autofree char *name = profile != NULL ? wp_store_name (profile, argv[1], &error) : NULL;

  if (name == NULL)
    {
      fprintf (stderr, "%s\n", error != NULL ? error->message : "name TEMPLATE FILE");
      return 1;
    }
  puts (name);
  return 0;
}
