/* Makes a perf.data file of a stream, as the last step of recording does.
 * usage: pack-of STREAM FILE packed|plain */
#include "read/perf/pack.h"

#include <fcntl.h>

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  int fd;

  if (argc != 4)
    g_error ("usage: pack-of STREAM FILE packed|plain");
  fd = open (argv[2], O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (!wp_pack_into (argv[1], fd, argv[2], g_str_equal (argv[3], "packed"), NULL, &error))
    g_error ("%s", error->message);
  return 0;
}
