/* What is left to do when nothing more is recorded, in a thread of its own: copies of stacks become frames, files get their
 * names, the trailer is written, and the file its name. Private to this folder. */
#pragma once

#include "record/arguments.h"
#include "record/flight.h"
#include "record/output.h"

/* What finishing starts from; all of it is taken over. */
typedef struct
{
  WpRecordOptions options;
  WpOutput output; /* what was recorded */
  int source;      /* of a snapshot: what is recorded goes on there, and so many bytes of it become the output, which is empty before; else -1 */
  WpFlight *flight; /* … of a flight recorder: its last seconds before `bytes` do; not taken over. Else NULL */
  guint64 bytes;
  gint32 pid;      /* of the process of interest; 0: none */
  gint64 since;    /* when recording began, by the recording's clock */
  const char *sampled_only; /* of whom CPU samples were taken, in words, where that was not of all; static */
  WpArguments *arguments; /* of processes, or NULL */
  char *missing;
  char *ended;     /* how the command did, in words; NULL: it has not, or there is none */
  GError *broken; /* why recording broke off, or NULL: the stream is complete */
} WpFinishInput;

typedef struct WpFinish WpFinish;

/* Called on the main context of the thread that began it, when all is done. `error` (taken over by whom is called) is NULL when
 * the recording is complete. Whatever happened, nothing but the output is left in its folder. */
typedef void (*WpFinishFunc) (GError *error, const char *missing, gpointer user_data);

WpFinish *wp_finish_begin (WpFinishInput *input, WpFinishFunc func, gpointer user_data);
void wp_finish_cancel (WpFinish *self); /* what was recorded is dropped; func is still called */

/* Cancels, waits for the thread (it stops within 100 ms), and func is not called any more. */
void wp_finish_free (WpFinish *self);

/* Of the step under way, 0 to 1; `phase` is what it does, NULL when nothing was told yet. */
double wp_finish_progress (WpFinish *self, const char **phase);
