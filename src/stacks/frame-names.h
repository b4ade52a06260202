/* What frames are called, and which of them are one: by function, line, file or address. A location has a frame for each function that is inlined in
 * it. */
#pragma once

#include "stacks/stacks.h"

/* What tells frames apart. */
typedef enum
{
  WP_FRAMES_BY_FUNCTION,
  WP_FRAMES_BY_FILE_FUNCTION,
  WP_FRAMES_BY_LINE,
  WP_FRAMES_BY_FILE,
  WP_FRAMES_BY_ADDRESS,
  WP_FRAMES_BY_COUNT
} WpFramesBy;

const char *wp_frames_by_id (WpFramesBy by); /* "functions" */

typedef struct
{
  WpFramesBy by;
  gboolean columns;         /* of lines and addresses: columns tell them apart, too */
  gboolean without_inlined; /* inlined functions count as the one that they stand in */
} WpFrameNameOptions;

typedef struct
{
  const char *name;  /* as it is shown */
  WpId function, location; /* of one of its frames */
} WpFrameName;

typedef struct
{
  WP_ARRAY (WpFrameName) names; /* plain list, in the order in which locations have them */
  guint32 *first;               /* location → its first one in `frames`; one more at the end */
  WP_ARRAY (guint32) frames;    /* plain list: rows of `names`, of each location outermost first */
  GStringChunk *texts;
} WpFrameNames;

WpFrameNames *wp_frame_names_new (const WpStacks *stacks, const WpFrameNameOptions *options);
void wp_frame_names_free (WpFrameNames *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpFrameNames, wp_frame_names_free)
