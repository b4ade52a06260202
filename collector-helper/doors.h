/* What is inherited from whoever starts the helper, put in order before anything else. */
#pragma once

/* Nothing but the three standard descriptors stays open, nobody may look into or trace the helper, and environment, folder, file mode,
 * signals, timers and limits are its own. `user` is who records: by pkexec's word, else who runs us. Nothing is read or written. Returns 0,
 * or 1 with the error told. */
int wpc_shut_doors (unsigned *user);

void wpc_close_from (int first); /* this file descriptor and all above it */
