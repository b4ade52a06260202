/* What samples with each label took: by key, by value. */
#pragma once

#include "stacks/stacks.h"

typedef struct
{
  const char *text; /* as it is shown: "64kB" */
  const char *pattern; /* what finds it in a filter, behind "key=": "65536bytes", "12", "1501ns:1504ns" of all that are "1.50us", "^GET /a$" */
  gint64 least, most;  /* of numbers that are shown so */
  gint64 sum;
} WpTagValue;

typedef struct
{
  const char *key;
  const char *unit;             /* of its numbers; NULL: all are texts */
  gint64 sum;                   /* of its values: a sample with several counts for each */
  WP_ARRAY (WpTagValue) values; /* plain list, largest first, then by text */
} WpTag;

typedef struct
{
  WP_ARRAY (WpTag) tags; /* plain list, by key */
  GStringChunk *texts;
} WpTags;

/* `unit`: what numbers of labels are shown in, "auto" where nobody asked for one. The unit of the values says nothing of labels. */
WpTags *wp_tags_new (const WpStacks *stacks, guint32 type, const char *unit);
void wp_tags_free (WpTags *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpTags, wp_tags_free)
