#include "base/sort.h"

int
wp_compare_doubles (const void *a, const void *b)
{
  return WP_COMPARE (*(const double *) a, *(const double *) b);
}

int
wp_compare_ids (const void *a, const void *b)
{
  return WP_COMPARE (*(const WpId *) a, *(const WpId *) b);
}

int
wp_compare_texts (const void *a, const void *b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}
