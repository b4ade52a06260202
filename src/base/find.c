#include "base/find.h"

guint
wp_find_name (const char *const *first, gsize stride, guint n, const char *name)
{
  guint row = 0;

  while (row < n && g_strcmp0 (*(const char *const *) ((const char *) first + row * stride), name) != 0)
    row++;
  return row;
}
