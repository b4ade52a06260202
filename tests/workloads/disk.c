/* disk [COUNT [FOLDER [KIND [US]]]]: COUNT times something that waits for the disk (direct, cold or fsync: see file.h), and US
 * microseconds of work after each. The file is made in FOLDER (the current one) before the truth begins. */
#include "file.h"
#include "workload.h"

static WL_NOINLINE int64_t
digest (int64_t ns)
{
  return wl_burn (ns);
}

int
main (int argc, char **argv)
{
  long count = wl_argument (argc, argv, 1, 100);
  WlFile file = wl_file_new (argc > 2 ? argv[2] : ".", argc > 3 ? wl_file_kind (argv[3]) : WL_DIRECT);
  int64_t work = wl_argument (argc, argv, 4, 500) * 1000, begin = wl_begin ();

  for (long i = 0; i < count; i++)
    {
      wl_file_use (&file);
      digest (work);
    }
  wl_json_begin ("disk", begin);
  wl_json_number ("count", count);
  wl_json_end ();
  return 0;
}
