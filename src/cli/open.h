/* What the commands on recordings share: opening the file, and the paths of the wanted task. */
#pragma once

#include "cli/command.h"
#include "cli/named.h"

/* Which paths are wanted, as the command line says it. */
typedef struct
{
  char *task, *idle_task;
  char *from, *to; /* moments: "20ms" */
  char *cut;       /* ids of operations: "17,4711" */
  gboolean merge_threads, started_work;
} WpCliPathOptions;

#define WP_OPTIONS_PATHS(type, member) \
  WP_OPTION_TASK (type, member.task), \
  { "merge-threads", 0, G_OPTION_ARG_NONE, offsetof (type, member.merge_threads), NULL, "Name threads by their process" }, \
  { "started-work", 0, G_OPTION_ARG_NONE, offsetof (type, member.started_work), NULL, "Follow started work that nobody waits for, too" }, \
  { "cut", 0, G_OPTION_ARG_STRING, offsetof (type, member.cut), "OP[,OP…]", \
    "Follow no further than these operations, by the ids that *operations* lists" }, \
  WP_OPTION_IDLE_TASK (type, member.idle_task)

#define WP_OPTIONS_FROM_TO(type, member) \
  { "from", 0, G_OPTION_ARG_STRING, offsetof (type, member.from), "TIME", "Only from this moment on: 1.5s, 20ms, 300us, 4711ns" }, \
  { "to", 0, G_OPTION_ARG_STRING, offsetof (type, member.to), "TIME", "Only up to this moment" }

typedef struct
{
  WpCliNames names;
  char *spec;            /* as it was typed */
  WpDocument *document;
  WpProfile *profile;    /* instead of the document: one that explains no process */
  WpStacks *stacks;      /* instead of the document: what else can be seen as stacks */
  gint64 from_ns, to_ns; /* 0 … G_MAXINT64 */
  WpIdArray cuts;        /* sorted */
  WpPaths *paths;
  gboolean owns_paths;
} WpCliFile;

void wp_cli_file_clear (WpCliFile *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WpCliFile, wp_cli_file_clear)

typedef enum
{
  WP_CLI_NO_SYMBOLS = 1 << 0, /* the functions' names are not looked up */
  WP_CLI_PROFILES = 1 << 1,   /* a profile that explains no process is opened, too */
  WP_CLI_STACKS = 1 << 2,     /* … as stacks, as are files of other formats */
  WP_CLI_PLAIN = 1 << 3,      /* a recording without task switches is a document, too */
} WpCliOpenFlags;

/* Opens what is meant; `idle_task` may be NULL. Returns 0, or the exit status after an error was printed. */
int wp_cli_open (WpCliFile *self, const char *spec, const char *idle_task, WpCliOpenFlags flags);

/* The same for who wants paths then: what is wrong with the options is said before anything is read. */
int wp_cli_open_for_paths (WpCliFile *self, const char *spec, const WpCliPathOptions *options, WpCliOpenFlags flags);

/* Works out the paths of the wanted task, without one those of the recorded command. Returns as above. */
int wp_cli_find_paths (WpCliFile *self, const WpCliPathOptions *options);

/* What a file for these is called where nobody says: after the process. Free with g_free(). */
char *wp_cli_file_of (const WpPaths *paths, const char *suffix);

/* The tasks with their times, in the format of that name (text, json; any other is tsv). */
void wp_cli_tasks (GString *out, const WpDocument *document, const char *format);
