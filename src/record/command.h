/* The command that is recorded: whether there is one to run, and its start. */
#pragma once

#include "record/recorder.h"

/* Better to know before anybody is asked for a password. TRUE without a command. Errors are WP_RECORD_ERROR_COMMAND. */
gboolean wp_command_check (const WpRecordOptions *options, GError **error);

/* Runs it as the user; the caller has to wait for `pid`. */
gboolean wp_command_start (const WpRecordOptions *options, GPid *pid, GError **error);
