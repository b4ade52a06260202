/* What stands before the resources of stacks in Perun's format: `header`, `collector_info` and `postprocessors`. */
#pragma once

#include "base/json-writer.h"
#include "stacks/stacks.h"

typedef struct
{
  const char *type;     /* of resources: "time", "memory" or "mixed" */
  const char *name;     /* what was run, where the stacks do not say; NULL: nobody knows */
  guint32 default_type;
  gboolean snapshots;   /* samples have a snapshot each */
} WpPerunHead;

void wp_perun_put_head (WpJsonWriter *json, const WpStacks *stacks, const WpPerunHead *head);

/* A text of the stacks, as JSON can hold it. */
void wp_perun_put_text (WpJsonWriter *json, const WpStacks *stacks, const char *key, WpId text);
