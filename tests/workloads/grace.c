/* grace [COUNT]: COUNT times waits until the kernel has let every CPU pass through a quiet state (an RCU grace period, asked
 * for by membarrier), with a little work before each. */
#include "workload.h"

#include <linux/membarrier.h>

static WL_NOINLINE int64_t
work (int64_t ns)
{
  return wl_burn (ns);
}

int
main (int argc, char **argv)
{
  long count = wl_argument (argc, argv, 1, 15);
  int64_t begin = wl_begin ();

  for (long i = 0; i < count; i++)
    {
      work (2 * WL_MS);
      wl_check (WL_BLOCKING (WL_KERNEL, WL_CALL (membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0, 0)), "membarrier");
    }
  wl_json_begin ("grace", begin);
  wl_json_end ();
  return 0;
}
