/* The list of all commands. */
#include "cli/command.h"

extern const WpCommand wp_cmd_record, wp_cmd_processes, wp_cmd_report, wp_cmd_tasks, wp_cmd_operations, wp_cmd_links,
  wp_cmd_marks, wp_cmd_flame, wp_cmd_save, wp_cmd_info;
extern const WpCommand wp_cmd_diff, wp_cmd_check, wp_cmd_view, wp_cmd_query, wp_cmd_convert, wp_cmd_postprocess, wp_cmd_export;
extern const WpCommand wp_cmd_top, wp_cmd_peek, wp_cmd_calls, wp_cmd_source, wp_cmd_traces, wp_cmd_tags, wp_cmd_merge;
extern const WpCommand wp_cmd_init, wp_cmd_add, wp_cmd_rm, wp_cmd_status, wp_cmd_log, wp_cmd_show, wp_cmd_range, wp_cmd_trust;

const WpCommand *const wp_commands[] = {
  &wp_cmd_record, &wp_cmd_processes, &wp_cmd_report, &wp_cmd_flame, &wp_cmd_tasks,
  &wp_cmd_operations, &wp_cmd_links, &wp_cmd_marks, &wp_cmd_save, &wp_cmd_info,
  &wp_cmd_diff,   &wp_cmd_check,  &wp_cmd_view,    &wp_cmd_query,       &wp_cmd_convert,    &wp_cmd_postprocess, &wp_cmd_top, &wp_cmd_peek,
  &wp_cmd_calls,
  &wp_cmd_source, &wp_cmd_traces, &wp_cmd_tags,   &wp_cmd_merge,      &wp_cmd_export,
  &wp_cmd_init,   &wp_cmd_add,    &wp_cmd_rm,      &wp_cmd_status,      &wp_cmd_log,        &wp_cmd_show,  &wp_cmd_range, &wp_cmd_trust,
  NULL,
};

const WpCommand *
wp_command_find (const char *name)
{
  for (const WpCommand *const *command = wp_commands; *command != NULL; command++)
    if (g_str_equal ((*command)->name, name))
      return *command;
  return NULL;
}

const char *
wp_command_group_name (WpCommandGroup group)
{
  static const char *const names[WP_N_GROUPS] = {
    [WP_GROUP_RECORDINGS] = "Commands on recordings",
    [WP_GROUP_PROFILES] = "Commands on profiles",
    [WP_GROUP_STORE] = "Commands on the store",
  };

  return names[group];
}
