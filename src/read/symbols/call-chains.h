/* Call chains as perf records them, and a memory for those that came before. Most events have a chain that another event had: it is
 * recognised by its bytes, without a look at what its addresses mean. So it can be done ahead of, and on another thread than, what makes
 * stacks of chains (address-spaces.h). */
#pragma once

#include <glib.h>

/* A part of a chain, without context markers. */
typedef struct
{
  const guint8 *addresses; /* of 64 bits, innermost first */
  guint32 n;
  guint32 place; /* in the memory, from 1; 0: it is not remembered */
  guint32 name;  /* equal parts have equal ones, and what comes to the same place later has another; 0: none */
} WpChainPart;

typedef struct
{
  WpChainPart user, kernel;
} WpCallChain;

/* Addresses of 64 bits, innermost first, with PERF_CONTEXT_* between; at most 2^32. Nothing of it is remembered. */
void wp_call_chain_split (const guint8 *addresses, gsize n, WpCallChain *chain);

typedef struct WpChainMemory WpChainMemory;

WpChainMemory *wp_chain_memory_new (void);
void wp_chain_memory_free (WpChainMemory *self);

/* Gives the parts their places and names. The user part is one of an address space, a number that is never 0 and changes with its mappings;
 * 0: nothing is known of it. A kernel part is one on that user part. The addresses must stay where they are as long as the memory does. */
void wp_chain_memory_recognize (WpChainMemory *self, guint32 space, WpCallChain *chain);
