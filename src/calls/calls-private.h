/* How call graphs are made. */
#pragma once

#include "base/pair-map.h"
#include "calls/calls.h"

/* With node 0 and nothing else. */
WpCalls *wp_calls_new (void);

/* Orders a graph whose nodes stand in any order and whose edges in that in which they were made, and makes the lists of callers and callees. */
void wp_calls_order (WpCalls *self);

/* The layers of nodes that are in their order, with their lists: as many as that order has, where the one in which cycles were cut is not known. */
void wp_calls_find_layers (WpCalls *self);

/* How many small units could come together in all sums, at most. */
double wp_calls_bound (const WpCalls *self);
