#include "base/write.h"

#include <errno.h>
#include <unistd.h>

int
wp_write_all (int fd, gconstpointer data, gsize n)
{
  for (gsize done = 0; done < n;)
    {
      gssize written = write (fd, (const char *) data + done, n - done);

      if (written < 0 && errno != EINTR)
        return errno;
      done += (gsize) MAX (written, 0);
    }
  return 0;
}
