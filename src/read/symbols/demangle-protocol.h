/* What wakepath-demangler and who starts it agree on. */
#pragma once

#include <stddef.h>

#define WPD_NAME_MAX 4095     /* bytes of a name that comes in */
#define WPD_READABLE_MAX 65536 /* … of what goes out, for the longest */

/* The first byte of an answer. */
#define WPD_NONE '-'  /* neither C++ nor Rust: nothing follows */
#define WPD_WHOLE '=' /* all of it follows */
#define WPD_CUT '<'   /* its beginning does */

/* Ordinary names become at most twenty times as long. */
static inline size_t
wpd_readable_max (size_t n)
{
  size_t most = 4096 + 32 * n;

  return most < WPD_READABLE_MAX ? most : WPD_READABLE_MAX;
}
