/* The command that is recorded: whether there is one to run, and its start. */
#pragma once

#include "record/recorder.h"

/* Better to know before anybody is asked for a password. TRUE without a command. Errors are WP_RECORD_ERROR_COMMAND. */
gboolean wp_command_check (const WpRecordOptions *options, GError **error);

/* Runs it as the user; the caller has to wait for `pid`, and to say when it has ended. */
gboolean wp_command_start (const WpRecordOptions *options, GPid *pid, GError **error);
void wp_command_ended (GPid pid);

/* What a wait status says, for a recording: "exit status 2", "signal 9 (Killed)". NULL: it has not ended (-1). Free with g_free(). */
char *wp_command_end_words (int status);
