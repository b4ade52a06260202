/* The tables' final order, once all operations are closed. */
#pragma once

#include "trace/trace.h"

void wp_trace_sort (WpTrace *trace);
