/* What commits are profiled by: the rows of a store's job matrix, all of them or one, or a command that is typed. */
#pragma once

#include <adwaita.h>

#include "range/range.h"

typedef struct WpRangeJobs WpRangeJobs;

/* Fills the row, which is hidden where local.yml names no program; the entry is for what is typed. Both must live longer. */
WpRangeJobs *wp_range_jobs_new (const WpStore *store, AdwComboRow *which, AdwEntryRow *command);
void wp_range_jobs_free (WpRangeJobs *self);

/* Whether it is a command that is typed; else the store's settings name what is run. */
gboolean wp_range_jobs_is_typed (const WpRangeJobs *self);

/* Shows the entry where a command is to be typed. Gives whether something is chosen that can be run. */
gboolean wp_range_jobs_update (WpRangeJobs *self);

/* Puts the jobs and what else local.yml says of them into the options, which borrow them. */
void wp_range_jobs_choose (WpRangeJobs *self, WpRangeOptions *options);
