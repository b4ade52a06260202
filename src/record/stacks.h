/* Which way of taking user stacks suits a system. Private to this folder, and to its tests. */
#pragma once

#include "record/recorder.h"

/* By the text of an os-release file and the machine's name as uname gives it. Frame pointers are worth it only where all
 * packages are built with them: one function without breaks the chain. */
WpStackMode wp_stacks_of_system (const char *os_release, const char *machine);
