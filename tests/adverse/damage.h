/* What can happen to a recording. All of it is drawn from the given numbers: the same seed, the same damage. What the kernel loses it reports:
 * LOST records stand where something is missing, but for an event that was thinned out and for a beginning that is not there. */
#pragma once

#include "stream.h"

typedef struct
{
  const char *name;
  double share;       /* of all events, at random */
  const char *event;  /* only this kind of event, which nobody reports */
  gint64 burst;       /* ns: everything in such a stretch somewhere in the middle; at most a fifth of the recording */
  gboolean one_cpu;   /* the burst hits only one CPU */
  double beginning;   /* up to so much of the time is missing at the beginning */
  gboolean may_grow;  /* takes away what a category means, or most of the time: samples make runs understood; a wait that goes on at the end has
                       * no cause yet */
} Damage;

/* Those that every recording has to bear; ends with a row without a name. */
extern const Damage damages[];

/* The damaged stream. */
GByteArray *damage_apply (const Damage *self, Stream *stream, guint32 seed);

/* Anything at all: a few records dropped, doubled, exchanged, cut short, filled with other bytes, taken from elsewhere. What is dropped is left out. */
GByteArray *damage_at_random (const Stream *stream, GRand *rand);
