#include "base/own-mappings.h"

#include <malloc.h>

/* Left alone, the C library learns to take blocks of up to 32 MB from one heap, being given back large ones. A picture of 1920×1080 is smaller than this: those
 * come and go with each frame. */
#define OWN_MAPPING_BYTES (8 << 20)

void
wp_use_own_mappings (void)
{
#ifdef M_MMAP_THRESHOLD
  mallopt (M_MMAP_THRESHOLD, OWN_MAPPING_BYTES);
#endif
}
