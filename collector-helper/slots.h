/* How many recordings of one user run at a time, and how much memory their rings take together: locks on a file that only root can open.
 * The kernel lets go of them when the helper ends, however it does. */
#pragma once

#define WPC_SLOTS 8          /* of one user: as many recordings at a time */
#define WPC_SLOT_SHARE 32    /* each is good for rings of so much of the memory, one by this */

/* While we are root: takes one for recordings of `user`. Who is not root has no privileges to be bounded, and the kernel's own limits.
 * Returns 0, or 1 with the error told. */
int wpc_slots_open (unsigned user);

/* As many as there are, up to `wanted` in all. Returns how many of them we have. */
int wpc_slots_take (int wanted);
