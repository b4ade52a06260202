/* What an operation is, in a user's words: "reads pipe from git-upload-pack", "waits for child cc1", "fsync /var/lib/x on vda", "waits for a CPU".
 *
 * Which call it is in the kernel part of a stack says, by one table of kernel functions (wait-words.c). What the call is on says the recording:
 * the file of the request that ended the sleep, the other end of a connection, the process of whoever woke it. What is not known is not said:
 * "reads a pipe". */
#pragma once

#include "base/pair-map.h"
#include "paths/paths.h"

/* How a wait ended. */
typedef enum
{
  WP_WAIT_ENDED, /* as it was to */
  WP_WAIT_OPEN,  /* not with the recording: "still reads a pipe" */
  WP_WAIT_LIMIT, /* by its time limit, with nothing of what it waited for */
  WP_WAIT_UNANSWERED, /* likewise, of whom it had asked before */
  WP_WAIT_END_COUNT
} WpWaitEnd;

const char *wp_wait_end_id (WpWaitEnd end);      /* stable: "open", "limit", "unanswered"; NULL of ENDED */
WpWaitEnd wp_wait_end_from_id (const char *id); /* NULL or anything else: ENDED */

/* The same for a file, which is read in any language: what is said by words of the program, of what. */
typedef struct
{
  const char *words; /* not translated; with %s where `of` stands */
  const char *of;    /* a process, a file, …; NULL: of nothing */
  const char *on;    /* the device that is on, or NULL */
  WpWaitEnd end;
} WpPlainWords;

typedef struct
{
  const WpPaths *paths; /* not owned */
  const WpTrace *trace; /* the paths' */
  WpStrings *strings;   /* of the words; its own */

  /* private */
  guint8 *rows;      /* function of the trace → row of the table + 1; NOT_LOOKED_UP, NO_ROW */
  WpId *of_op;       /* operation → its words; 0: not asked for yet */
  guint8 *of_stack;  /* stack of the trace → row of the table + 1 of what it does, NOT_LOOKED_UP, NO_ROW */
  WpId system_calls; /* string of the trace: the module that names of system calls stand in; 0: none */
  WpId cpu;          /* words: waits for a CPU */
  WpPairMap objects; /* what, on which device (strings of the trace) → a number of its own */
  guint32 n_objects;
  WpPairMap known;   /* phrase and end, object → words */
} WpWaitWords;

void wp_wait_words_init (WpWaitWords *self, const WpPaths *paths);
void wp_wait_words_clear (WpWaitWords *self);

/* Words of `strings`, in the user's language. Of a sleep what its blocked part waits for; of a run "runs"; of a request or an exchange what the device
 * or the network does. Equal waits have equal ids; one that had not ended with the recording is another one: "still reads a pipe". */
WpId wp_wait_words_of (WpWaitWords *self, WpId op);

/* The same words, apart. Strings are of the trace and of the program. */
WpPlainWords wp_wait_words_plain (WpWaitWords *self, WpId op);

/* In the user's language. The words may come out of a file, and mean nothing. Free with g_free(). */
char *wp_plain_words_say (WpPlainWords plain);

/* Of a sleep's runnable part, and of one after a preemption. */
WpId wp_wait_words_for_cpu (WpWaitWords *self);

/* Of a call into the kernel that is not a wait (a sample's stack): "reads", "opens a file"; 0 where the table does not know it. */
WpId wp_wait_words_of_call (WpWaitWords *self, WpId stack);
