/* A flight recorder: of a recording that grows only the last seconds are kept, on disk too, until something happens. Private to this folder. */
#pragma once

#include "record/tail.h"

typedef struct WpFlight WpFlight;

/* Whether what is old can be given back where this file is, which is empty still and is to become `output`; a disk would fill up otherwise. */
gboolean wp_flight_check (int fd, const char *output, GError **error);

/* Of the stream in `fd`, which stays the caller's, the last `seconds`. */
WpFlight *wp_flight_new (int fd, double seconds);
void wp_flight_free (WpFlight *self); /* when nobody saves any more */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpFlight, wp_flight_free)

/* Up to `bytes` the stream is whole: what is too old now goes. Never waits: a thread of its own does that, and what it is told meanwhile it is told
 * again. */
void wp_flight_follow (WpFlight *self, guint64 bytes);

/* On any thread: writes the last seconds before `bytes`, or a later moment, as a recording of its own; where the stream cannot be followed so far,
 * before the place where it ends, if there is anything. */
gboolean wp_flight_save (WpFlight *self, guint64 bytes, int fd, GError **error);

/* On any thread: what is old is not given back any more. The recording must end before the disk is full; what there is can be saved. */
gboolean wp_flight_is_stuck (WpFlight *self);

/* On any thread: what is missing, and why the stream is not followed any more or has ended, where that is so. NULL: nothing. Free with g_free(). */
char *wp_flight_missing (WpFlight *self, const char *missing);
