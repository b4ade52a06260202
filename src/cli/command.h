/* The commands of wakepath-cli. A command is a file, and its file ends with one table: the WpCommand that says what it is called, what it
 * takes and what runs it. Parsing, --help, the manual page and the shell's completion are made from these tables. */
#pragma once

#include <glib.h>
#include <stddef.h>

/* One option. A list of them ends with an empty row. */
typedef struct
{
  const char *name;     /* "output": --output */
  char letter;          /* 'o': -o too; 0: none */
  GOptionArg kind;      /* of NONE (a gboolean), INT, DOUBLE, STRING, FILENAME; STRING_ARRAY may be given again (a char **, or NULL) */
  gsize offset;         /* of its member in the command's options */
  const char *argument; /* "FILE"; "text|json": one of these words and no other; NULL: it takes none */
  const char *help;     /* a sentence without its full stop; NULL: an old name of an option, understood and not shown */
} WpOption;

/* Rows that several commands have: of which struct, which member. */
#define WP_OPTION_TASK(type, member) \
  { "task", 't', G_OPTION_ARG_STRING, offsetof (type, member), "NAME|NAME:TID|TID", "The process of interest; of a name the earliest one" }
#define WP_OPTION_IDLE_TASK(type, member) \
  { "idle-task", 0, G_OPTION_ARG_STRING, offsetof (type, member), "NAME", "A spinner that plays the idle task" }
#define WP_OPTION_FORMAT(type, member, words) \
  { "format", 'f', G_OPTION_ARG_STRING, offsetof (type, member), words, "The output's format; the first of these unless -o tells it" }
#define WP_OPTION_TEXT_FORMAT(type, member, words) \
  { "format", 'f', G_OPTION_ARG_STRING, offsetof (type, member), words, "The output's format; else the first of these" }
#define WP_OPTION_OUTPUT(type, member) \
  { "output", 'o', G_OPTION_ARG_FILENAME, offsetof (type, member), "FILE", "Write to this file; without -f its name tells the format" }
#define WP_OPTION_MINOR(type, member) \
  { "minor", 'm', G_OPTION_ARG_STRING, offsetof (type, member), "COMMIT", "This commit instead of HEAD" }
#define WP_OPTION_YES(type, member) { "yes", 'y', G_OPTION_ARG_NONE, offsetof (type, member), NULL, "Do not ask" }
#define WP_OPTION_RATE(type, member) { "rate", 0, G_OPTION_ARG_INT, offsetof (type, member), "HZ", "CPU samples a second" }
#define WP_OPTION_STACKS(type, member) \
  { "stacks", 0, G_OPTION_ARG_STRING, offsetof (type, member), "auto|fp|dwarf|none", \
    "How user stacks are taken: along frame pointers; or as pieces of every program's memory, which become functions right afterwards " \
    "and need an authorisation of their own (_dwarf_); or as this system needs it (_auto_)" }
#define WP_OPTION_END { NULL }

typedef enum
{
  WP_GROUP_RECORDINGS,
  WP_GROUP_PROFILES,
  WP_GROUP_STORE,
  WP_N_GROUPS
} WpCommandGroup;

typedef enum
{
  WP_PROGRAM_NONE,   /* operands are its own; options may stand among and behind them */
  WP_PROGRAM_FIRST,  /* the operands are the command line of a program: what follows its first word is the program's, "--" before it may be left out */
  WP_PROGRAM_BEHIND, /* a command line of a program stands behind "--", which is among the operands then */
} WpCommandProgram;

/* Texts are UTF-8. In help and description *bold* stands for what is typed as it is, _italic_ for names and for words to be replaced. */
typedef struct
{
  const char *name;
  WpCommandGroup group;
  const char *operands;    /* "PROFILE [raw|json|file]": completion offers words in small letters; " | " between forms of the command */
  const char *summary;     /* one line, without its full stop */
  const char *description; /* what there is to say beyond that: paragraphs, with an empty line between; NULL: nothing */
  const WpOption *options;
  const void *defaults;    /* a struct of the options as they are when none is given: its texts are NULL. NULL: all is 0 */
  gsize size;              /* of that struct */
  int least, most;         /* how many operands; of a program at its end none are counted */
  WpCommandProgram program;

  /* `options` is the struct, whose texts are freed afterwards: they may be replaced by other copies. `operands` has n of them and NULL.
   * Returns the exit status: 0; 1 an error, printed already; 2 wrong usage; 3 a degradation. */
  int (*run) (gpointer options, int n, char **operands);
} WpCommand;

#define WP_ANY_NUMBER G_MAXINT /* of operands */
#define WP_STATUS_DEGRADATION 3 /* exit status */

/* In the order in which they are listed; NULL-terminated. */
extern const WpCommand *const wp_commands[];

const WpCommand *wp_command_find (const char *name); /* NULL: there is none */
const char *wp_command_group_name (WpCommandGroup group);

/* Runs it, or prints its help where that is asked for. argv[0] is its name; argv is changed, its texts are not. */
int wp_command_run (const WpCommand *command, int argc, char **argv);

/* The words of "text|json"; NULL where one of them is a placeholder, like NAME. Free with g_strfreev(). */
char **wp_option_words (const char *argument);

/* What --help prints: of all commands; of one. Append. */
void wp_help_append_all (GString *out);
void wp_help_append (GString *out, const WpCommand *command);

/* What an option is when it was not given: a copy of the value. */
void wp_cli_default (char **option, const char *value);

/* The same for a format: the word that the output's name ends with, else the first. `output` may be NULL. */
void wp_cli_default_format (char **format, const char *output, const char *words);

/* "wakepath-cli: message" on standard error; consumes the error. Returns 1. */
int wp_cli_fail (GError *error);
/* The same for wrong usage of the command that runs, with a hint at its --help. Returns 2. */
int wp_cli_usage (const char *format, ...) G_GNUC_PRINTF (1, 2);
void wp_cli_usage_of (const char *command); /* which command that is */
