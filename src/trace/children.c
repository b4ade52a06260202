/* Which child an open wait for children is for. Nothing that was recorded says so: where its process has but one that lives, it is that one. */
#include "trace/scheduling.h"

#include "trace/kernel-names.h"

#define SEVERAL G_MAXUINT32

/* The thread that leads a process, if that lives. */
static WpThread *
find_leader (WpScheduling *self, gint32 pid)
{
  WpThread *leader = pid > 0 ? wp_scheduling_thread (self, pid) : NULL;

  return leader != NULL && leader->task != 0 && !leader->ended ? leader : NULL;
}

/* By row of who leads a process: the row of who leads its only child; 0: it has none, SEVERAL. */
static guint32 *
find_only_children (WpScheduling *self)
{
  guint32 *children = g_new0 (guint32, self->threads.len);

  for (guint32 row = 1; row < self->threads.len; row++)
    {
      const WpThread *thread = &self->threads.data[row], *parent = find_leader (self, thread->parent);
      guint32 *child = parent != NULL ? &children[wp_scheduling_row (self, parent)] : NULL;

      if (child != NULL && thread == find_leader (self, thread->pid) && thread->parent != thread->pid)
        *child = *child == 0 ? row : SEVERAL;
    }
  return children;
}

static gboolean
waits_for_children (WpScheduling *self, const WpThread *thread)
{
  const WpOp *op = wp_scheduling_op (self, thread->op);

  return thread->task != 0 && thread->op != 0 && op->kind == WP_OP_SLEEP && op->link == 0
         && (wp_kernel_stack_roles (self->trace, op->detail) & WP_ROLE_CHILD_WAIT) != 0;
}

void
wp_scheduling_awaited_children (WpScheduling *self)
{
  g_autofree guint32 *children = find_only_children (self);

  for (guint32 row = 1; row < self->threads.len; row++)
    {
      const WpThread *thread = &self->threads.data[row], *leader;
      guint32 child;

      if (!waits_for_children (self, thread))
        continue;
      leader = find_leader (self, thread->pid);
      child = leader != NULL && leader->parent != 0 ? children[wp_scheduling_row (self, leader)] : 0;
      if (child != 0 && child != SEVERAL)
        wp_scheduling_op (self, thread->op)->explained_by = self->threads.data[child].op;
    }
}
