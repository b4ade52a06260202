/* Memory for whole columns. What is large has a mapping of its own, which grows without being copied, and pages of 2 MiB where the kernel
 * has them: a column of 100 MiB is touched for the first time in 50 steps then, not in 25,000, each of which takes as long as a few
 * events. Free it with g_free(). */
#pragma once

#include <glib.h>

/* As g_realloc_n(), for what grows: what has become large has room for some more at once. */
gpointer wp_large_realloc (gpointer block, gsize n, gsize size);

gpointer wp_large_new (gsize n, gsize size);  /* as g_malloc_n() */
gpointer wp_large_new0 (gsize n, gsize size); /* as g_malloc0_n() */
