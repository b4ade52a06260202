/* Giving up what the helper no longer needs once its rings are mapped. */
#pragma once

/* First thing: nobody may look into or trace the helper, nothing but the three standard descriptors stays open, the terminal's
 * signals are the caller's business, and of the capabilities only those stay that recording takes. Returns 0, or 1 with the error
 * told. */
int wpc_shut_doors (void);

/* To the user in PKEXEC_UID, if there is one and we are root; then no capabilities, no new ones, and a filter that lets
 * only reading, writing, waiting and switching perf events through. Returns 0, or 1 with the error told. */
int wpc_drop_privileges (void);

/* The same without becoming anybody else. */
int wpc_drop_capabilities (void);

void wpc_close_from (int first); /* this file descriptor and all above it */
