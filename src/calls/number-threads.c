/* Which threads of several profiles are one. */
#include "calls/calls-private.h"

#include "base/hash.h"

/* NULL: nothing tells it from threads of other profiles. */
static char *
identity_of (const WpStacks *stacks, gint64 id)
{
  const WpStackThread *row = id + 1 < stacks->threads.len ? &stacks->threads.data[id + 1] : NULL;

  if (row == NULL || row->tid == 0 || stacks->header.host == 0)
    return NULL;
  return g_strdup_printf ("%s\n%" G_GINT64_FORMAT "\n%s", wp_stacks_text (stacks, stacks->header.host), row->tid, wp_stacks_text (stacks, row->name));
}

/* The number of the thread that has this id in its own profile. */
static gint64
number_of (WpCallsThreadNumbers *self, const WpStacks *stacks, gint64 id)
{
  g_autofree char *identity = identity_of (stacks, id);
  gpointer known = NULL;

  if (self->known == NULL)
    self->known = g_hash_table_new_full (wp_hash_string, g_str_equal, g_free, NULL);
  if (identity != NULL && g_hash_table_lookup_extended (self->known, identity, NULL, &known))
    return GPOINTER_TO_INT (known);
  if (identity != NULL)
    g_hash_table_insert (self->known, g_steal_pointer (&identity), GINT_TO_POINTER (self->next));
  return self->next++;
}

/* Whether some thread has a number of the system's: Racket's have only those of their profile. */
static gboolean
has_tids (const WpStacks *stacks)
{
  for (guint32 i = 0; i < stacks->threads.len; i++)
    if (stacks->threads.data[i].tid != 0)
      return TRUE;
  return FALSE;
}

void
wp_calls_number_threads (WpCallsThreadNumbers *self, WpCalls *calls, const WpStacks *stacks)
{
  g_autofree gint64 *numbers = g_new (gint64, MAX (stacks->threads.len, 1));

  if (!has_tids (stacks))
    {
      wp_calls_reserve_threads (self, calls);
      return;
    }
  for (guint32 t = 0; t < calls->threads.len; t++)
    {
      WpCallsThread *thread = &calls->threads.data[t];
      gint64 id = thread->id;

      thread->id = numbers[id] = number_of (self, stacks, id);
    }
  for (guint32 i = 0; i < calls->node_threads.len; i++)
    calls->node_threads.data[i] = numbers[calls->node_threads.data[i]];
}

void
wp_calls_reserve_threads (WpCallsThreadNumbers *self, const WpCalls *calls)
{
  for (guint32 t = 0; t < calls->threads.len; t++)
    self->next = MAX (self->next, (int) CLAMP (calls->threads.data[t].id, 0, G_MAXINT / 2) + 1);
}

void
wp_calls_thread_numbers_clear (WpCallsThreadNumbers *self)
{
  g_clear_pointer (&self->known, g_hash_table_unref);
}
