/* All tasks of an open recording as stacks with values: what a window shows as System. */
#pragma once

#include "workspace/file/workspace.h"
#include "workspace/worker.h"

/* Begins once nobody else works on the trace, that is when its symbols are there; NULL while that is not so. `done` gets a WpStacks. */
WpWorker *wp_system_stacks_start (WpWorkspace *workspace, WpWorkerTold told, WpWorkerDone done, gpointer user_data);
