/* What the commands on a store share: opening it, the commit that is meant, questions, dates, counts. */
#pragma once

#include "base/json-writer.h"
#include "cli/command.h"
#include "store/store.h"

typedef struct
{
  WpStore *store;
  char minor[41]; /* the commit that is meant, "" where there is none yet */
  GHashTable *told; /* char *: what the user has been told; or NULL */
} WpCliStore;

/* Opens the store that the working folder is in, and finds the commit (`name` NULL: HEAD). What the user should know goes to standard
 * error. Returns 0, or the exit status after an error was printed. `needed`: there must be a commit. */
int wp_cli_store_open (WpCliStore *self, const char *name, gboolean needed);
void wp_cli_store_clear (WpCliStore *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WpCliStore, wp_cli_store_clear)

/* Prints what the store has to tell, each sentence once. */
void wp_cli_store_notice (WpCliStore *self);

/* Finds what is meant by a name; what is only like it is asked about. NULL: none, the status says how it ended. The second looks
 * among pending profiles and files only. */
GPtrArray *wp_cli_store_find (WpCliStore *self, const char *spec, int *status);
GPtrArray *wp_cli_store_find_new (WpCliStore *self, const char *spec, int *status);

typedef enum
{
  WP_CLI_NO,
  WP_CLI_YES,
  WP_CLI_NO_ANSWER, /* the end of the input, which was said: what was asked for cannot be done */
} WpCliAnswer;

/* Asks on standard output, reads the answer from standard input; what is not yes is no. */
WpCliAnswer wp_cli_ask (const char *format, ...) G_GNUC_PRINTF (1, 2);

/* Option --command of diff and log. Of the texts (char *) those stay that have `wanted` in them; where one is just that, or that behind the
 * "collector: " it begins with, it stays alone. `wanted` may be NULL: all stay. */
#define WP_OPTION_COMMAND(type, member, help) { "command", 0, G_OPTION_ARG_STRING, offsetof (type, member), "TEXT", help }
void wp_cli_keep_commands (GPtrArray *commands, const char *wanted);

/* "2017-07-21 02:40:00", local time. Free with g_free(). */
char *wp_cli_date (gint64 time);

/* The type in this place of those that profiles are counted by, and how many profiles are of it; NULL behind the last. */
const char *wp_cli_count_type (const GPtrArray *entries, guint at, guint *n);

/* "4 registered profiles (1 memory, 1 mixed, 2 time)". Appends. */
void wp_cli_count_profiles (GString *out, const GPtrArray *entries, const char *kind);

/* Author, parents and message of a commit; the lines of the message indented. */
void wp_cli_append_commit (GString *out, const WpMinorVersion *info, const char *indent);

/* Profiles as JSON: an array of objects with time, name, sha1, type, cmd, args, workload, label, collector, origin, postprocessors,
 * problem; each on a line of its own, or all in one. */
void wp_cli_write_entries (WpJsonWriter *json, const char *key, const GPtrArray *entries, gboolean lines);
