/* What a profile says of itself, read without its resources: what an index keeps of it. */
#pragma once

#include "base/json-reader.h"
#include "store/store.h"

/* Fills in type, cmd, args, workload, label, collector, postprocessors and origin of the entry from what the reader has; all else
 * is passed over. What is missing is "". FALSE: there is no header; what the reader thinks of the rest it says itself. `labelled`, when
 * not NULL: whether the header has a label and no args, as those since 0.23.8. */
gboolean wp_head_read (WpJsonReader *reader, WpStoreEntry *entry, gboolean *labelled);
