/* What an input could do harm with is taken from the process: starting programs, writing outside of its folder. */
#pragma once

#include <glib.h>

/* For good. `folder` stays open for writing, and the working folder, where finds go. Ends the process where the kernel cannot do it. */
void fuzz_shut_in (const char *folder);
