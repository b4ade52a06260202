/* Functions to be unwound: see unwind-victim.c. Each calls `leaf` from its innermost frame. */
#pragma once

int victim_recurse (int depth, void (*leaf) (void)); /* depth + 1 frames of its own */
void victim_bare (void (*leaf) (void));
void victim_expression (void (*leaf) (void));
