/* What an argument of a command names: a file, or profiles of the store that the working folder is in. A file comes first; else a tag
 * (0@i, 0@p), the name of a pending or registered profile, COMMIT:NAME. "-" is standard input.
 *
 * Registered profiles are packed: what opens files gets copies, which go with the WpCliNames. */
#pragma once

#include "cli/store.h"
#include "profile/model/document.h"
#include "stacks/stacks.h"

typedef struct
{
  char *spec;          /* as it was typed */
  char *file;          /* what can be opened */
  char commit[41];     /* that the store says it is of, or "" */
  WpStoreEntry *entry; /* of the store; NULL: a file */
} WpCliNamed;

typedef struct
{
  WpCliStore store;  /* opened when first needed */
  char *folder;      /* of copies, each in one of its own; or NULL */
} WpCliNames;

void wp_cli_named_free (WpCliNamed *named);
void wp_cli_names_clear (WpCliNames *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpCliNamed, wp_cli_named_free)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WpCliNames, wp_cli_names_clear)

/* "a.perf,b.perf,0@i": the names in such a list; a file of the whole name comes first. NULL: wrong usage, which was printed. Free with
 * g_strfreev(). */
char **wp_cli_names_split (const char *text);

/* Adds all that is meant to `found` (WpCliNamed *). Returns 0, or the exit status after an error was printed. A path that is
 * not there is added as a file all the same where there is no store, so that whoever opens it says so. */
int wp_cli_names_find (WpCliNames *self, const char *spec, GPtrArray *found);

/* All profiles of a commit; FALSE: the name is a file or no commit's. */
gboolean wp_cli_names_find_commit (WpCliNames *self, const char *spec, GPtrArray *found, int *status);

/* The one that is meant; NULL: there was an error, which was printed, and the status says how it ended. */
WpCliNamed *wp_cli_names_one (WpCliNames *self, const char *spec, int *status);

/* Opened; messages and output call it what it is called, not what a copy is called. NULL as above. */
WpProfile *wp_cli_named_profile (const WpCliNamed *named, int *status);
WpProfile *wp_cli_names_profile (WpCliNames *self, const char *spec, int *status);

/* What of it could not be read or not be shown, as far as it has not been told: a line for each kind on standard error. */
void wp_cli_tell_omissions (WpProfile *profile);

/* What of that which explains no process is opened all the same. */
typedef struct
{
  gboolean plain;      /* a recording without task switches, with all of its samples */
  WpProfile **profile; /* when not NULL: a profile of Perun's comes there, and NULL without an error */
  WpStacks **stacks;   /* the same of anything that can be seen as stacks */
} WpCliOthers;

WpDocument *wp_cli_names_document (WpCliNames *self, const char *spec, const WpReadOptions *options, const WpCliOthers *others, int *status);
