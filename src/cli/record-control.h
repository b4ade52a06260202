/* Steering a recording from the command line while it runs: by another program (perf record's --control), by SIGUSR2, by keys on a terminal. */
#pragma once

#include "record/recorder.h"

typedef struct WpRecordControl WpRecordControl;

/* `where` is what perf record takes: "fifo:COMMANDS[,ANSWERS]" or "fd:COMMANDS[,ANSWERS]"; NULL: nowhere. With `keys` the terminal on standard
 * input gives each key at once, until the control is freed. Errors are G_IO_ERROR. */
WpRecordControl *wp_record_control_new (const char *where, gboolean keys, GError **error);
void wp_record_control_free (WpRecordControl *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpRecordControl, wp_record_control_free)

/* From here on all goes to this recorder; NULL: to none. */
void wp_record_control_steer (WpRecordControl *self, WpRecorder *recorder);

/* Its state may be another one: who steers by keys is told. */
void wp_record_control_changed (WpRecordControl *self);
