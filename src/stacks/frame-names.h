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
  gboolean starts;          /* functions that begin at different lines are several, whatever their names */
  gboolean modules;         /* functions of one name in several modules are several, and those of a module that have no symbol are one */
} WpFrameNameOptions;

typedef struct
{
  const char *name;  /* as it is shown */
  WpId function, location; /* of one of its frames */
  gint64 line, column;     /* of that frame; 0: not known */
} WpFrameName;

typedef struct
{
  WP_ARRAY (WpFrameName) names; /* plain list, in the order in which locations have them */
  guint32 *first;               /* location → its first one in `frames`; one more at the end */
  WP_ARRAY (guint32) frames;    /* plain list: rows of `names`, of each location outermost first */
  GStringChunk *texts;
} WpFrameNames;

/* What a module is called where functions are told by it: its file without folders, "" where it is none. Free with g_free(). */
char *wp_stacks_module_name (const WpStacks *stacks, WpId module);

/* Whether a function of a module has a name of its own: what has no symbol may be called by its module and offset. */
gboolean wp_stacks_has_symbol (const WpStacks *stacks, WpId module, WpId function);

WpFrameNames *wp_frame_names_new (const WpStacks *stacks, const WpFrameNameOptions *options);
void wp_frame_names_free (WpFrameNames *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpFrameNames, wp_frame_names_free)
