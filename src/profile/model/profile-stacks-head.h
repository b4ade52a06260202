/* What a profile that was made of stacks says of them before its resources (stacks/perun-head.h). */
#pragma once

#include "profile/model/profile.h"
#include "stacks/stacks.h"

/* Sets the header, comments and modules of stacks that have none. */
void wp_profile_stacks_head (const WpProfile *profile, WpStacks *stacks);

/* Those above 2⁶³ are numbers as they are written. */
guint64 wp_profile_address (const WpProfile *profile, WpValue address);
