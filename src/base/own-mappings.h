/* How a program of ours has memory from the C library. */
#pragma once

/* Large blocks — columns, mostly — are mappings of their own from now on: they grow where they are without being copied, and leave no hole behind.
 * First thing in main(). Does nothing where the C library has no such choice. */
void wp_use_own_mappings (void);
