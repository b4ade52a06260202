#include "base/large.h"

#include <sys/mman.h>
#include <unistd.h>

#define LARGE ((gsize) 8 << 20)  /* bytes: the C library's smallest mapping (read/read.c); smaller blocks lie among others */
#define GROWING ((gsize) 1 << 20) /* what grows beyond this is taken to become large; room that nobody touches is none */

/* Only a hint: where the kernel has no such pages, all is as before. It is given for all pages of the block: one in two parts could not
 * grow without being copied. */
static gpointer
hint (gpointer block, gsize bytes)
{
#ifdef MADV_HUGEPAGE
  guintptr page = sysconf (_SC_PAGESIZE), start = (guintptr) block & ~(page - 1);

  if (bytes >= LARGE)
    madvise ((void *) start, ((guintptr) block + bytes - start + page - 1) & ~(page - 1), MADV_HUGEPAGE);
#endif
  return block;
}

gpointer
wp_large_realloc (gpointer block, gsize n, gsize size)
{
  if (size > 0 && n >= GROWING / size && n < LARGE / size)
    return hint (g_realloc (block, LARGE), LARGE);
  return hint (g_realloc_n (block, n, size), n * size);
}

gpointer
wp_large_new (gsize n, gsize size)
{
  return hint (g_malloc_n (n, size), n * size);
}

gpointer
wp_large_new0 (gsize n, gsize size)
{
  return hint (g_malloc0_n (n, size), n * size);
}
