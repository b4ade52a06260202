/* What wp_trace_check() and wp_paths_check() say of tables that somebody else wrote, or that a rule has got wrong: each of their
 * conditions, broken by itself and by as little as can be. */
#include "paths-maker.h"

/* --- the trace's tables -------------------------------------------------------------------------------------------- */

typedef enum
{
  SOUND,
  MANY_OPS,   /* a task has one operation more than there are */
  OTHER_TASK, /* an operation is of another task */
  BACKWARDS,  /* … ends before it starts */
  GAP,        /* … starts 1 ns after the one before has ended */
  SHARED,     /* … or 1 ns earlier */
  ALIKE,      /* two runs follow one another */
  SOURCE,     /* a link comes from an operation that is not there */
  TARGET,
  PARENT,     /* a stack is its own parent */
  FRAME,      /* … or its frame is not there */
} Wrong;

/* Task 1 runs, sleeps and runs: operations 2, 3 and 4, behind the sleep without length that is its beginning. */
static void
make_wrong (WpTrace *trace, Wrong wrong)
{
  WpOp *ops = trace->ops.data;

  switch (wrong)
    {
    case MANY_OPS:
      trace->tasks.data[trace->tasks.len - 1].n_ops++;
      break;
    case OTHER_TASK:
      ops[2].task = 2;
      break;
    case BACKWARDS:
      ops[3].end = ops[3].start - 1;
      break;
    case GAP:
      ops[3].start++;
      break;
    case SHARED:
      ops[3].start--;
      break;
    case ALIKE:
      ops[3].kind = WP_OP_RUN;
      break;
    case SOURCE:
      trace->links.data[1].source = trace->ops.len;
      break;
    case TARGET:
      trace->links.data[1].target = trace->ops.len;
      break;
    case PARENT:
      trace->stacks.data[1].parent = 1;
      break;
    case FRAME:
      trace->stacks.data[1].frame = trace->frames.len;
      break;
    default:
      break;
    }
}

/* Only what is kept of a trace, as in a profile, may have gaps. */
static void
test_trace (void)
{
  static const struct
  {
    Wrong wrong;
    const char *said, *partial;
  } cases[] = {
    { SOUND, NULL, NULL },
    { MANY_OPS, "task 3: operations", "task 3: operations" },
    { OTHER_TASK, "operation 2 is of task 2, not 1", "operation 2 is of task 2, not 1" },
    { BACKWARDS, "operation 3 of  ends before it starts", "operation 3 of  ends before it starts" },
    { GAP, "operation 3 of  (1) starts at", NULL },
    { SHARED, "operation 3 of  (1) starts at", "operation 3 of  (1) starts at" },
    { ALIKE, "operations 2 and 3 of  are both run", NULL },
    { SOURCE, "link 1: its ends are out of range", "link 1: its ends are out of range" },
    { TARGET, "link 1: its ends are out of range", "link 1: its ends are out of range" },
    { PARENT, "stack 1: parent or frame out of range", "stack 1: parent or frame out of range" },
    { FRAME, "stack 1: parent or frame out of range", "stack 1: parent or frame out of range" },
  };

  for (guint i = 0; i < 2 * G_N_ELEMENTS (cases); i++)
    {
      const char *expected = i % 2 ? cases[i / 2].partial : cases[i / 2].said;
      g_autofree char *said = NULL;
      TraceMaker m;

      make_chain (&m);
      m.trace->partial = i % 2;
      make_wrong (m.trace, cases[i / 2].wrong);
      said = wp_trace_check (m.trace);
      g_test_message ("%u: %s", i, said);
      if (expected == NULL)
        g_assert_cmpstr (said, ==, NULL);
      else
        g_assert_true (said != NULL && g_str_has_prefix (said, expected));
      wp_trace_free (m.trace);
    }
}

/* --- what must hold of parts --------------------------------------------------------------------------------------- */

/* A change to one part of a chain of three: what is said against it; NULL: nothing. */
typedef struct
{
  WpId part;
  gsize field; /* its place in WpPart */
  gint64 value;
  const char *said;
} Damage;

#define FIELD(name) G_STRUCT_OFFSET (WpPart, name)
#define NOT_THERE "refers to something that is not there"
#define GRACE WP_GRACE_DEFAULT

static void
damage_part (WpPart *part, const Damage *damage)
{
  if (damage->field == FIELD (start) || damage->field == FIELD (end))
    *(gint64 *) ((char *) part + damage->field) = damage->value;
  else
    *(WpId *) ((char *) part + damage->field) = (WpId) damage->value;
}

/* Parts 1, 2 and 3 are the base, 4, 5 and 6 stand on 2, 7 stands on 5. There is one path. */
static void
test_check (void)
{
  static const Damage damages[] = {
    { 4, FIELD (op), 0, NOT_THERE },
    { 4, FIELD (op), 1000, NOT_THERE },
    { 1, FIELD (parent), 8, NOT_THERE },
    { 4, FIELD (path), 0, NOT_THERE },
    { 4, FIELD (path), 2, NOT_THERE },
    { 4, FIELD (next), 8, NOT_THERE },
    { 4, FIELD (first_child), 8, NOT_THERE },
    { 4, FIELD (waits_path), 2, NOT_THERE },
    { 4, FIELD (waits_path), 1, NULL },
    { 4, FIELD (waits_part), 8, NOT_THERE },
    { 4, FIELD (waits_part), 7, NULL },
    { 5, FIELD (start), 1999 * US, "lies outside its operation" },
    { 5, FIELD (end), 3001 * US, "lies outside its operation" },
    { 5, FIELD (end), 1999 * US, "lies outside its operation" },
    { 6, FIELD (end), 3000 * US, NULL }, /* it lasts no time */
    { 1, FIELD (parent), 5, "comes before its parent" },
    { 1, FIELD (parent), 1, "comes before its parent" },
    { 4, FIELD (next), 7, "is followed by 7" },
    { 4, FIELD (next), 3, "is followed by 3" },
    { 6, FIELD (next), 6, "is followed by 6" },
    { 6, FIELD (next), 4, "is followed by 4" },
    { 2, FIELD (first_child), 7, "has a first child 7" },
    { 2, FIELD (start), 1000 * US + GRACE, NULL },
    { 2, FIELD (start), 1000 * US + GRACE + 1, "part 4 begins more than grace before its parent 2" },
    { 2, FIELD (end), 4000 * US - GRACE, NULL },
    { 2, FIELD (end), 4000 * US - GRACE - 1, "part 6 ends more than grace after its parent 2" },
  };
  TraceMaker m;

  make_chain (&m);
  for (guint i = 0; i < G_N_ELEMENTS (damages); i++)
    {
      g_autoptr (WpPaths) paths = make_paths (m.trace, 1, NULL);
      g_autofree char *said = NULL;

      g_assert_cmpuint (paths->parts.len, ==, 8);
      damage_part (&paths->parts.data[damages[i].part], &damages[i]);
      said = wp_paths_check (paths);
      if (damages[i].said == NULL)
        g_assert_cmpstr (said, ==, NULL);
      else
        {
          g_test_message ("%u: %s", i, said);
          g_assert_true (said != NULL && strstr (said, damages[i].said) != NULL);
        }
    }
  wp_trace_free (m.trace);
}

/* Nothing is placed twice: 7 shares 60 µs, 1 ns or nothing with 4, of the same operation; or the last moment of what is placed there. */
static void
test_placed_twice (void)
{
  static const struct
  {
    gint64 start, end;
    gboolean shares;
  } cases[] = { { 1940 * US, 2000 * US, TRUE }, { 1999 * US, 1999 * US + 1, TRUE }, { 2000 * US, 2000 * US, FALSE },
                { 1950 * US, 1950 * US, FALSE } };
  TraceMaker m;

  make_chain (&m);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (WpPaths) paths = make_paths (m.trace, 1, NULL);
      g_autofree char *said = NULL;
      WpPart *part = &paths->parts.data[7];

      part->op = paths->parts.data[4].op;
      part->start = cases[i].start;
      part->end = cases[i].end;
      said = wp_paths_check (paths);
      g_assert_cmpstr (said, ==, cases[i].shares ? "parts 4 and 7 share time of operation 6" : NULL);
    }
  wp_trace_free (m.trace);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/checks/trace", test_trace);
  g_test_add_func ("/checks/paths", test_check);
  g_test_add_func ("/checks/paths/placed-twice", test_placed_twice);
  return g_test_run ();
}
