/* What Racket's `profile` leaves behind: samples of its sampler, as data/wakepath-samples.rkt saves them, which are stacks; and its profiles as JSON
 * (profile/render-json), which are none. */
#pragma once

#include "base/input.h"
#include "stacks/stacks.h"

/* { "cpu_time": ms, "functions": [ { "id": TEXT, "src": [PATH, LINE, COLUMN, POSITION] } … ],
 *   "samples": [ { "thread": N, "time": ms of that thread's clock, "stack": [function …, innermost first] } … ] }
 *
 * cpu_time is what the process took of the CPU. What is not known is null. Lines are told from 1, columns from 0; in stacks both from 1. A position that has
 * no line becomes a column without a line. */
gboolean wp_racket_samples_is (const guint8 *data, gsize n);
WpStacks *wp_racket_samples_read (const char *path, const WpInput *input, WpProgress *progress, GError **error);

/* A call graph: how long each function took and each call, but no stack of them. Reading it as stacks says so; calls/json.h reads what it is. */
gboolean wp_racket_profile_is (const guint8 *data, gsize n);
WpStacks *wp_racket_profile_refuse (const char *path, const WpInput *input, WpProgress *progress, GError **error);
