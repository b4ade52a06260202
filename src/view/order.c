#include "view/order.h"

#include "base/hash.h"
#include "base/sort.h"

/* Tasks of one name. They are joined into chains, strongest links first, and the chains follow one another. */
typedef struct
{
  WpId name;
  gint64 first;       /* first moment of any of its tasks */
  gboolean kernel, command;
  guint32 chain;      /* union-find: the group that stands for the chain */
  guint32 head, tail; /* of the chain, if it stands for one */
  guint32 next;       /* the group after this one in its chain, or NONE */
  guint32 size;       /* groups in the chain */
  guint32 rows;       /* tasks in the chain */
} Group;

typedef struct
{
  guint32 a, b;
  guint32 links;
} Bond;

typedef WP_ARRAY (Bond) Bonds;

typedef struct
{
  const WpTrace *trace;
  WP_ARRAY (Group) groups;
  GHashTable *by_name;  /* name → group + 1 */
  guint32 *group_of;    /* by task; NONE for those without a row */
  guint32 *rank;        /* by group: its place */
  guint32 command;      /* group of the recorded command's last program, or NONE */
  gint64 command_first; /* when that began */
} Order;

#define NONE G_MAXUINT32

static gint64
compare_default (const WpTaskRow *x, const WpTaskRow *y)
{
  return x->first != y->first ? (x->first < y->first ? -1 : 1) : x->task < y->task ? -1 : x->task > y->task;
}

static int
compare_first (gconstpointer a, gconstpointer b, gpointer data)
{
  return compare_default (a, b);
}

static int
compare_cpu (gconstpointer a, gconstpointer b, gpointer data)
{
  const WpTaskRow *x = a, *y = b;

  return x->cpu != y->cpu ? (x->cpu > y->cpu ? -1 : 1) : compare_default (x, y);
}

static int
compare_name (gconstpointer a, gconstpointer b, gpointer data)
{
  const WpTaskRow *x = a, *y = b;
  int order = g_utf8_collate (wp_trace_task_name (data, x->task), wp_trace_task_name (data, y->task));

  return order != 0 ? order : compare_default (x, y);
}

static int
compare_related (gconstpointer a, gconstpointer b, gpointer data)
{
  const Order *order = data;
  const WpTaskRow *x = a, *y = b;
  guint32 rx = order->rank[order->group_of[x->task]], ry = order->rank[order->group_of[y->task]];
  gint32 px = order->trace->tasks.data[x->task].pid, py = order->trace->tasks.data[y->task].pid;

  if (rx != ry)
    return rx < ry ? -1 : 1;
  return px != py ? (px < py ? -1 : 1) : compare_default (x, y);
}

/* --- groups and what binds them ----------------------------------------------------------------------------------- */

static void
make_groups (Order *self, const WpTaskRows *rows)
{
  memset (self->group_of, 0xff, self->trace->tasks.len * sizeof *self->group_of);
  for (guint32 i = 0; i < rows->len; i++)
    {
      const WpTaskRow *row = &rows->data[i];
      const WpTask *task = &self->trace->tasks.data[row->task];
      guint32 g = GPOINTER_TO_UINT (g_hash_table_lookup (self->by_name, GUINT_TO_POINTER (task->name)));
      Group *group;

      if (g == 0)
        {
          guint32 me = self->groups.len;

          wp_array_push (&self->groups, ((Group) { .name = task->name, .first = row->first, .chain = me, .head = me,
                                                   .tail = me, .next = NONE, .size = 1 }));
          g = self->groups.len;
          g_hash_table_insert (self->by_name, GUINT_TO_POINTER (task->name), GUINT_TO_POINTER (g));
        }
      group = &self->groups.data[g - 1];
      group->rows++;
      group->first = MIN (group->first, row->first);
      group->kernel |= (task->flags & WP_TASK_KERNEL) != 0;
      if (self->trace->command_pid != 0 && task->pid == self->trace->command_pid)
        {
          group->command = TRUE;
          if (self->command == NONE || row->first >= self->command_first)
            {
              self->command = g - 1;
              self->command_first = row->first;
            }
        }
      self->group_of[row->task] = g - 1;
    }
}

static guint32
chain_of (Order *self, guint32 group)
{
  Group *groups = self->groups.data;

  while (groups[group].chain != group)
    group = groups[group].chain = groups[groups[group].chain].chain;
  return group;
}

/* Sorting pairs rather than hashing them keeps this simple and the result the same each time. */
static int
compare_pairs (gconstpointer a, gconstpointer b)
{
  guint64 x = *(const guint64 *) a, y = *(const guint64 *) b;

  return x < y ? -1 : x > y;
}

static int
compare_bonds (gconstpointer a, gconstpointer b)
{
  const Bond *x = a, *y = b;

  if (x->links != y->links)
    return x->links > y->links ? -1 : 1;
  return x->a != y->a ? (x->a < y->a ? -1 : 1) : x->b < y->b ? -1 : x->b > y->b;
}

static void
find_bonds (const Order *self, Bonds *bonds)
{
  const WpTrace *trace = self->trace;
  WP_ARRAY (guint64) pairs = { 0 };

  for (WpId l = 1; l < trace->links.len; l++)
    {
      const WpLink *link = &trace->links.data[l];
      guint32 a = link->source != 0 ? self->group_of[trace->ops.data[link->source].task] : NONE;
      guint32 b = link->target != 0 ? self->group_of[trace->ops.data[link->target].task] : NONE;

      if (a != NONE && b != NONE && a != b)
        wp_array_push (&pairs, (guint64) MIN (a, b) << 32 | MAX (a, b));
    }
  wp_array_sort (&pairs, compare_pairs);
  for (guint32 i = 0; i < pairs.len; i++)
    if (i > 0 && pairs.data[i] == pairs.data[i - 1])
      bonds->data[bonds->len - 1].links++;
    else
      wp_array_push (bonds, ((Bond) { .a = pairs.data[i] >> 32, .b = (guint32) pairs.data[i], .links = 1 }));
  wp_array_clear (&pairs);
  wp_array_sort (bonds, compare_bonds);
}

/* Appends one chain to the other, with `a` and `b` next to each other where they are at the right ends. */
static void
join (Order *self, guint32 a, guint32 b)
{
  Group *groups = self->groups.data;
  guint32 x = chain_of (self, a), y = chain_of (self, b), front, back, top;

  if (x == y)
    return;
  front = x;
  if (groups[x].tail != a || groups[y].head != b)
    front = groups[y].tail == b && groups[x].head == a ? y : groups[x].first <= groups[y].first ? x : y;
  back = front == x ? y : x;
  top = groups[x].size >= groups[y].size ? x : y;
  groups[groups[front].tail].next = groups[back].head;
  groups[top].head = groups[front].head;
  groups[top].tail = groups[back].tail;
  groups[top].size = groups[x].size + groups[y].size;
  groups[top].rows = groups[x].rows + groups[y].rows;
  groups[top].first = MIN (groups[x].first, groups[y].first);
  groups[top].command |= groups[x].command | groups[y].command;
  groups[top].kernel = groups[x].kernel && groups[y].kernel;
  groups[front].chain = groups[back].chain = top;
}

/* The recorded command's chain first, then programs, then what is the kernel's only; earlier ones first. */
static int
compare_chains (gconstpointer a, gconstpointer b, gpointer data)
{
  const Group *x = &((Order *) data)->groups.data[*(const guint32 *) a];
  const Group *y = &((Order *) data)->groups.data[*(const guint32 *) b];

  if (x->command != y->command)
    return x->command ? -1 : 1;
  if (x->kernel != y->kernel)
    return x->kernel ? 1 : -1;
  return x->first != y->first ? (x->first < y->first ? -1 : 1) : x->name < y->name ? -1 : x->name > y->name;
}

/* Ranks the chain of the recorded command: its own group first, then its neighbours to both sides in turn. Returns the next rank. */
static guint32
rank_outwards (Order *self, guint32 head, guint32 rank)
{
  g_autofree guint32 *line = g_new (guint32, self->groups.len);
  guint32 n = 0, middle = 0;

  for (guint32 g = head; g != NONE; g = self->groups.data[g].next)
    {
      if (g == self->command)
        middle = n;
      line[n++] = g;
    }
  for (guint32 away = 0; away < n; away++)
    {
      if (middle + away < n)
        self->rank[line[middle + away]] = rank++;
      if (away > 0 && away <= middle)
        self->rank[line[middle - away]] = rank++;
    }
  return rank;
}

static void
rank_groups (Order *self)
{
  WP_ARRAY (guint32) chains = { 0 };
  guint32 rank = 0;

  for (guint32 g = 0; g < self->groups.len; g++)
    if (chain_of (self, g) == g)
      wp_array_push (&chains, g);
  g_qsort_with_data (chains.data, chains.len, sizeof *chains.data, compare_chains, self);
  for (guint32 c = 0; c < chains.len; c++)
    if (self->command != NONE && chain_of (self, self->command) == chains.data[c])
      rank = rank_outwards (self, self->groups.data[chains.data[c]].head, rank);
    else
      for (guint32 g = self->groups.data[chains.data[c]].head; g != NONE; g = self->groups.data[g].next)
        self->rank[g] = rank++;
  wp_array_clear (&chains);
}

static void
order_related (const WpTrace *trace, WpTaskRows *rows, const WpId *heads)
{
  Order self = { .trace = trace, .by_name = g_hash_table_new (wp_hash_pointer, NULL), .command = NONE };
  Bonds bonds = { 0 };

  self.group_of = g_new (guint32, trace->tasks.len);
  make_groups (&self, rows);
  for (WpId t = 1; t < trace->tasks.len && heads != NULL; t++)
    self.group_of[t] = heads[t] != 0 ? self.group_of[heads[t]] : NONE;
  find_bonds (&self, &bonds);
  for (guint32 i = 0; i < bonds.len; i++)
    join (&self, bonds.data[i].a, bonds.data[i].b);
  self.rank = g_new0 (guint32, self.groups.len);
  rank_groups (&self);
  g_qsort_with_data (rows->data, rows->len, sizeof *rows->data, compare_related, &self);
  for (guint32 i = 1; i < rows->len; i++)
    {
      guint32 a = chain_of (&self, self.group_of[rows->data[i - 1].task]);
      guint32 b = chain_of (&self, self.group_of[rows->data[i].task]);

      /* Loners stand together. */
      rows->data[i].group = a != b && (self.groups.data[a].rows > 1 || self.groups.data[b].rows > 1);
    }
  wp_array_clear (&bonds);
  wp_array_clear (&self.groups);
  g_hash_table_unref (self.by_name);
  g_free (self.group_of);
  g_free (self.rank);
}

void
wp_order_tasks (const WpTrace *trace, WpTaskRows *rows, WpSort sort, const WpId *heads)
{
  static const GCompareDataFunc compare[] = {
    [WP_SORT_NAME] = compare_name,
    [WP_SORT_CPU_TIME] = compare_cpu,
    [WP_SORT_FIRST_SEEN] = compare_first,
  };

  if (rows->len == 0)
    return;
  if (sort == WP_SORT_RELATED)
    order_related (trace, rows, heads);
  else
    g_qsort_with_data (rows->data, rows->len, sizeof *rows->data, compare[sort], (gpointer) trace);
}
