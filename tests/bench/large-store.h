/* A large repository with a store, for measuring: a line of commits on the branch main, each a minute after the one before, and on the branch
 * half the older half of them; profiles of three commands in turn, a commit each and evenly, the newest commit among them. */
#pragma once

#include <glib.h>

/* In FOLDER/repo, once: one that is there already stays. */
void large_store_make (const char *folder, guint commits, guint profiles);
