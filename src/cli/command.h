/* The commands of wakepath-cli: a row each in main.c, a file each beside it. */
#pragma once

#include <glib.h>

/* Runs with argv[0] = the command's name. Returns the exit status: 0; 1 an error (already printed by wp_cli_fail());
 * 2 wrong usage; 3 a degradation. */
typedef int (*WpCommandFunc) (int argc, char **argv);

typedef struct
{
  const char *name;
  const char *arguments; /* for --help */
  const char *summary;
  WpCommandFunc run;
} WpCommand;

int wp_cmd_record (int argc, char **argv);
int wp_cmd_report (int argc, char **argv);
int wp_cmd_tasks (int argc, char **argv);
int wp_cmd_operations (int argc, char **argv);
int wp_cmd_links (int argc, char **argv);
int wp_cmd_flame (int argc, char **argv);
int wp_cmd_save (int argc, char **argv);
int wp_cmd_info (int argc, char **argv);
int wp_cmd_query (int argc, char **argv);
int wp_cmd_convert (int argc, char **argv);
int wp_cmd_postprocess (int argc, char **argv);
int wp_cmd_check (int argc, char **argv);
int wp_cmd_diff (int argc, char **argv);
int wp_cmd_view (int argc, char **argv);
int wp_cmd_init (int argc, char **argv);
int wp_cmd_add (int argc, char **argv);
int wp_cmd_rm (int argc, char **argv);
int wp_cmd_status (int argc, char **argv);
int wp_cmd_log (int argc, char **argv);
int wp_cmd_show (int argc, char **argv);
int wp_cmd_range (int argc, char **argv);
int wp_cmd_trust (int argc, char **argv);

/* "wakepath-cli: message" on standard error; consumes the error. Returns 1. */
int wp_cli_fail (GError *error);
/* The same for wrong usage, with a hint at --help. Returns 2. */
int wp_cli_usage (const char *command, const char *format, ...) G_GNUC_PRINTF (2, 3);
