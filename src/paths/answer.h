/* Why it took so long, in two or three sentences and as a list of the longest waits. Made from the parts of control paths and the pieces of their
 * explanation, so that each number is a sum of theirs.
 *
 * A wait's time is that of the sleep itself, whoever worked meanwhile: the waits of different tasks stand on one another, and do not add up. The
 * sentences are about the process of interest alone: their times do, to the time of all its base paths together. */
#pragma once

#include "paths/explain.h"
#include "paths/wait-words.h"

/* All sleeps of tasks with one name for one thing. Time when such a task was ready and had no CPU is a wait of its own. */
typedef struct
{
  WpId who;   /* string of the trace: the task's or process' name, as boxes have it */
  WpId words; /* string of WpAnswer.words.strings */
  gint64 ns;
  guint32 count;
  gint64 longest; /* ns, the longest of them */
  WpId part;      /* … which that is */
} WpWait;

/* What the process' own time went to: running, and each thing that it waited for. */
typedef struct
{
  WpId words; /* string of WpAnswer.words.strings; 0: it ran */
  gint64 ns;
  gint64 longest; /* ns, the longest stretch of it */
  WpId part;      /* … which that is */
  WpId device;    /* task: the one disk that it waited for, or 0 */
  gboolean open;  /* it had not ended with the recording */
} WpSpent;

/* What most of that is, for one line; kept with a saved profile, and so in no language. */
typedef struct
{
  WpPlainWords words; /* .words NULL: it cannot be said */
  guint percent;      /* of all time of the base paths */
} WpMost;

/* What a sentence says of somebody else: "store runs for 9.57 ms". Its words go to where the next one's begin, or to the end. */
typedef struct
{
  guint32 start; /* byte of the sentence */
  WpId op;       /* the longest stretch of it is of that; it may be on no control path */
} WpMention;

#define WP_MENTIONS_MAX 2

/* A sentence. */
typedef struct
{
  char *text;
  gint64 ns; /* what it is about; of the first one: the wall time */
  WpId part; /* the longest stretch of that; 0: it is about everything */
  WpMention mentions[WP_MENTIONS_MAX]; /* who worked meanwhile, or had the CPU: its last words */
  guint n_mentions;
} WpClause;

typedef struct
{
  WpWaitWords words;
  WP_ARRAY (WpWait) waits;     /* longest first */
  WP_ARRAY (WpSpent) spent;    /* plain list; the first: it ran. With `unknown`, all time of the base paths */
  gint64 unknown;              /* … when it slept and events were lost */
  WpMost most;
  WP_ARRAY (WpClause) clauses; /* what the process is and takes, then what most of that went to, the most first */
} WpAnswer;

/* `explanation` is of these paths; its range counts. NULL only when cancelled. */
WpAnswer *wp_answer_new (const WpPaths *paths, const WpExplanation *explanation, WpProgress *progress, GError **error);
void wp_answer_free (WpAnswer *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpAnswer, wp_answer_free)

char *wp_most_say (const WpMost *self); /* "mostly waits for vda", "runs 36 % of the time", in the user's language. Free with g_free() */

const char *wp_spent_words (const WpAnswer *self, const WpSpent *spent); /* "runs", "reads pipe from server": it … */
