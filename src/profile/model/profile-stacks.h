/* A profile's resources as stacks with values. */
#pragma once

#include "profile/model/profile.h"
#include "stacks/stacks.h"

/* Whether it was made of stacks with values (stacks/perun.h): its collector says so. */
gboolean wp_profile_is_stacks (const WpProfile *profile);

/* A value type for each type of resources, with the header's unit; times are nanoseconds and memory bytes then, and memory is called
 * "alloc_space". Labels: "type", "subtype" and all other texts and whole numbers; "snapshot". What is freed is 0. Without a trace the uid is the
 * only frame. What was made of stacks has the types, labels, modules and
 * header that they had.
 *
 * NULL where it was cancelled, or where there are too many types of resources. */
WpStacks *wp_profile_stacks (const WpProfile *profile, WpProgress *progress, GError **error);
