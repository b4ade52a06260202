/* Finding one's way in a view, without a window: which boxes a row of the explanation is about, the part behind a box, stepping and
 * searching. */
#include "workspace-model.h"
#include "workspace/file/boxes.h"
#include "workspace/file/highlight.h"
#include "workspace/file/search.h"
#include "workspace/file/stepper.h"
#include "workspace/file/visits.h"

/* --- from the explanation to boxes, and from boxes to parts --- */

/* In every view, each category with time has boxes, and none without; each of its pieces leads to one of them. */
static void
test_highlight (void)
{
  Model model;

  model_init (&model);
  for (guint view = 0; view < 3; view++)
    {
      g_autoptr (WpRows) rows = layout (&model, view);
      guint some = 0;

      for (WpCategory c = 0; c < WP_CATEGORY_COUNT; c++)
        {
          WpChoice choice = { c, G_MAXUINT32 };
          g_autofree guint8 *boxes = wp_highlight_boxes (rows, &model.analysis, &choice);
          g_autoptr (GArray) pieces = wp_choice_pieces (model.analysis.explanation, &choice);
          guint n = 0;

          for (guint32 i = 0; boxes != NULL && i < rows->boxes.len; i++)
            n += boxes[i];
          g_assert_true (boxes == NULL || n > 0); /* else all of them would be grey */
          some += n > 0;
          g_assert_cmpuint (pieces->len > 0, ==, model.analysis.explanation->ns[c] > 0);
          if (view == 1)
            g_assert_cmpuint (n > 0, ==, model.analysis.explanation->ns[c] > 0);
          for (guint i = 0; view == 1 && i < pieces->len; i++)
            {
              const WpPiece *piece
                = &model.analysis.explanation->pieces.data[g_array_index (pieces, guint32, i)];
              guint box = wp_box_of_part (rows, &model.analysis, piece->part, piece->start, piece->end);

              g_assert_cmpuint (box, <, rows->boxes.len);
              g_assert_cmpuint (boxes[box], ==, 1);
            }
        }
      g_assert_cmpuint (some, >=, 4);
    }
  model_clear (&model);
}

/* The nodes of the call tree that are highlighted are those whose own time is the category's, and what they stand on: not
 * only where a node's longest part is of it. */
static void
test_highlight_nodes (void)
{
  Model model;

  model_init (&model);
  for (guint inverted = 0; inverted < 2; inverted++)
    {
      const WpTreeOptions options = { .inverted = inverted };
      g_autoptr (WpRows) rows = NULL;
      const WpTree *tree;
      gint64 all = 0;

      wp_tree_free (model.analysis.tree);
      tree = model.analysis.tree = wp_tree_new (model.analysis.paths, &options, NULL, NULL);
      rows = layout (&model, 2);
      for (WpCategory c = 0; c < WP_CATEGORY_COUNT; c++)
        {
          WpChoice choice = { c, G_MAXUINT32 };
          g_autofree gint64 *ns = wp_choice_nodes (&model.analysis, &choice);
          g_autofree guint8 *boxes = wp_highlight_boxes (rows, &model.analysis, &choice);
          gint64 sum = 0;

          for (WpId n = 0; n < tree->nodes.len; n++)
            {
              g_assert_cmpint (ns[n], <=, tree->nodes.data[n].self);
              sum += ns[n];
            }
          g_assert_cmpint (sum, ==, model.analysis.explanation->ns[c]);
          all += sum;
          for (guint32 i = 0; i < rows->boxes.len; i++)
            if (ns[rows->boxes.data[i].ref] > 0)
              g_assert_cmpuint (boxes[i], ==, 1);
        }
      g_assert_cmpint (all, ==, tree->nodes.data[0].total);
    }
  model_clear (&model);
}

/* In time order a sentence has some boxes and not all, and in the flame view those that its stretches are in. */
static void
test_highlight_said (void)
{
  Model model;

  model_init (&model);
  model.analysis.answer = wp_answer_new (model.analysis.paths, model.analysis.explanation, NULL, NULL);
  for (guint view = 0; view < 3; view++)
    {
      const WpAnswer *answer = model.analysis.answer;
      g_autoptr (WpRows) rows = layout (&model, view);

      g_assert_null (wp_highlight_said (rows, &model.analysis, answer->clauses.len, 0));
      g_assert_cmpuint (answer->clauses.len, >, 2);
      for (guint32 c = 1; c < answer->clauses.len; c++)
        {
          g_autofree guint8 *boxes = wp_highlight_said (rows, &model.analysis, c, 0);
          guint n = 0;

          for (guint32 i = 0; i < rows->boxes.len; i++)
            n += boxes[i];
          if (view < 2)
            g_assert_true (n > 0 && n < rows->boxes.len);
          for (guint32 i = 0; i < answer->said.len; i++)
            {
              const WpSaid *said = &answer->said.data[i];
              guint32 box = wp_box_of_part (rows, &model.analysis, said->part, said->start, said->end);

              if (view == 1 && said->clause == c && said->mention == 0)
                g_assert_true (box < rows->boxes.len && boxes[box]);
            }
        }
    }
  g_clear_pointer (&model.analysis.answer, wp_answer_free);
  model_clear (&model);
}

/* A box of the flame view that goes over several parts leads to the one that is pointed at, or that is seen most of. */
static void
test_part_of_box (void)
{
  Model model;
  g_autoptr (WpRows) rows = NULL;
  guint several = 0;

  model_init (&model);
  rows = layout (&model, 1);
  for (guint32 i = 0; i < rows->boxes.len; i++)
    {
      const WpBox *box = &rows->boxes.data[i];
      const WpPart *parts = model.analysis.paths->parts.data;
      guint n = 0, seen = 0;

      wp_box_part (box, &model.analysis, box->start, box->end, &n);
      for (WpId p = box->ref; p != 0 && parts[p].start < box->end; p = parts[p].next, seen++)
        {
          double start = MAX (parts[p].start, box->start), end = MIN (parts[p].end, box->end);

          if (end - start >= 1)
            g_assert_cmpuint (wp_box_part (box, &model.analysis, start, start + 1, NULL), ==, p);
          if (parts[p].next == 0 || parts[parts[p].next].start >= box->end)
            g_assert_cmpuint (wp_box_last_part (box, &model.analysis), ==, p);
        }
      g_assert_cmpuint (n, ==, seen);
      several += n > 1;
    }
  g_assert_cmpuint (several, >, 0);
  model_clear (&model);
}

/* The topmost box of a stretch of a part, by looking at every box. */
static guint32
naive_box (const WpRows *rows, const WpAnalysis *analysis, const WpPiece *piece)
{
  const WpPart *parts = analysis->paths->parts.data, *part = &parts[piece->part];
  guint32 best = G_MAXUINT32;

  for (guint32 i = 0; i < rows->boxes.len; i++)
    {
      const WpBox *box = &rows->boxes.data[i];
      gboolean shows = box->ref_kind == WP_REF_OP ? box->ref == part->op
                                                  : parts[box->ref].parent == part->parent && parts[box->ref].path == part->path;

      if (shows && box->start < piece->end && box->end > piece->start
          && (best == G_MAXUINT32 || box->frame > rows->boxes.data[best].frame))
        best = i;
    }
  return best;
}

static void
test_box_of_part (void)
{
  Model model;
  guint drawn = 0, missing = 0;

  model_init (&model);
  for (guint view = 0; view < 2; view++)
    {
      g_autoptr (WpRows) rows = layout (&model, view);

      for (guint32 i = 0; i < model.analysis.explanation->pieces.len; i++)
        {
          const WpPiece *piece = &model.analysis.explanation->pieces.data[i];
          guint32 box = naive_box (rows, &model.analysis, piece);

          g_assert_cmpuint (wp_box_of_part (rows, &model.analysis, piece->part, piece->start, piece->end), ==, box);
          drawn += box != G_MAXUINT32;
          missing += box == G_MAXUINT32;
        }
    }
  g_assert_cmpuint (drawn, >, 10);
  g_test_message ("%u drawn, %u not", drawn, missing);
  model_clear (&model);
}

static void
test_box_of_op (void)
{
  Model model;

  model_init (&model);
  for (guint view = 0; view < 3; view++)
    {
      g_autoptr (WpRows) rows = layout (&model, view);
      guint found = 0;

      for (WpId op = 1; op < model.trace->ops.len; op++)
        {
          guint32 box = wp_box_of_op (rows, &model.analysis, op);

          if (box == G_MAXUINT32)
            continue;
          found++;
          if (view == 0)
            g_assert_cmpuint (rows->boxes.data[box].ref, ==, op);
        }
      g_assert_cmpuint (found, >, 3);
    }
  model_clear (&model);
}

/* What is meant by a selected box; while symbols are being read nobody may ask for its operation. */
static void
test_selection (void)
{
  Model model;
  g_autoptr (WpRows) flame = NULL, processes = NULL;

  model_init (&model);
  processes = layout (&model, 0);
  flame = layout (&model, 1);
  for (guint32 i = 0; i < processes->boxes.len; i++)
    {
      WpSelection selection = wp_select_box (processes, i, model.trace, &model.analysis, 0, 1e18);

      g_assert_cmpuint (selection.op, ==, processes->boxes.data[i].ref);
      g_assert_cmpuint (selection.part, ==, 0);
    }
  for (guint32 i = 0; i < flame->boxes.len; i++)
    {
      WpSelection selection = wp_select_box (flame, i, model.trace, &model.analysis, 0, 1e18);
      WpSelection busy = wp_select_box (flame, i, NULL, &model.analysis, 0, 1e18);

      g_assert_cmpuint (selection.op, ==, model.analysis.paths->parts.data[selection.part].op);
      g_assert_cmpuint (selection.op, !=, 0);
      g_assert_cmpuint (busy.op, ==, 0);
      g_assert_cmpuint (busy.part, ==, selection.part);
    }
  model_clear (&model);
}

/* Whoever woke a sleep woke it, and is also behind the run that follows. */
static void
test_wakers (void)
{
  Model model;
  guint woken = 0;

  model_init (&model);
  for (WpId op = 1; op < model.trace->ops.len; op++)
    {
      const WpOp *o = &model.trace->ops.data[op];
      WpId waker = wp_op_waker (model.trace, op), before = wp_trace_prev_op (model.trace, op);

      if (o->kind == WP_OP_SLEEP && o->link == 0)
        g_assert_cmpuint (waker, ==, 0);
      if (o->kind == WP_OP_RUN && o->link == 0 && before != 0)
        g_assert_cmpuint (waker, ==, model.trace->links.data[model.trace->ops.data[before].link].source);
      if (o->kind == WP_OP_SLEEP && waker != 0)
        {
          woken++;
          g_assert_cmpuint (wp_op_first_woken (model.trace, waker), !=, 0);
        }
    }
  g_assert_cmpuint (woken, >, 0);
  model_clear (&model);
}

/* --- stepping --- */

/* Next goes through everything that is drawn in time order and comes round; previous goes the other way; longest finds the longest. */
static void
test_steps (void)
{
  Model model;
  g_autoptr (WpStepper) stepper = wp_stepper_new ();

  model_init (&model);
  for (guint view = 0; view < 3; view++)
    {
      g_autoptr (WpRows) rows = layout (&model, view);

      for (WpCategory c = 0; c < WP_CATEGORY_COUNT; c++)
        {
          WpChoice choice = { c, G_MAXUINT32 };
          WpStop stop, last = { 0 };
          guint n, first, at, longest = 0;

          wp_stepper_choose (stepper, rows, &model.analysis, &choice);
          n = wp_stepper_count (stepper);
          g_assert_cmpuint (n > 0, ==, model.analysis.explanation->ns[c] > 0);
          first = wp_stepper_step (stepper, WP_STEP_NEXT, &stop);
          if (first == 0)
            continue;
          for (at = first; at >= first && stop.box < rows->boxes.len;)
            {
              if (rows->is_time)
                g_assert_cmpfloat (stop.start, >=, last.start);
              g_assert_cmpfloat (rows->boxes.data[stop.box].start, <=, stop.end);
              g_assert_cmpfloat (rows->boxes.data[stop.box].end, >=, stop.start);
              last = stop;
              longest = at;
              at = wp_stepper_step (stepper, WP_STEP_NEXT, &stop);
              if (at == first)
                break;
            }
          g_assert_cmpuint (at, ==, first);
          g_assert_cmpuint (wp_stepper_step (stepper, WP_STEP_PREVIOUS, &stop), ==, longest);
          longest = wp_stepper_step (stepper, WP_STEP_LONGEST, &last);
          for (guint i = 0; i < n && rows->is_time; i++)
            {
              wp_stepper_step (stepper, WP_STEP_NEXT, &stop);
              g_assert_cmpfloat (stop.end - stop.start, <=, last.end - last.start);
            }
          g_assert_cmpuint (longest, >=, 1);
        }
    }
  wp_stepper_clear (stepper);
  g_assert_cmpuint (wp_stepper_count (stepper), ==, 0);
  model_clear (&model);
}

/* Samples do not divide a run: three pieces of 10 ns, one behind the other, are longer than one of 20. */
static void
test_stretches (void)
{
  static const WpPiece pieces[] = { { 0, 10, 1, 0 }, { 10, 20, 1, 0 }, { 20, 30, 1, 0 }, { 40, 60, 1, 0 } };
  Model model;
  g_autoptr (WpRows) rows = wp_rows_new ();
  g_autoptr (WpStepper) stepper = wp_stepper_new ();
  WpExplanation *explanation;
  WpChoice choice = { 0, 0 };
  WpStop stop;

  model_init (&model);
  explanation = model.analysis.explanation;
  wp_array_resize (&explanation->pieces, 0);
  rows->is_time = TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (pieces); i++)
    {
      wp_array_push (&explanation->pieces, pieces[i]);
      wp_array_push (&rows->boxes, ((WpBox) { .start = pieces[i].start, .end = pieces[i].end, .ref_kind = WP_REF_OP,
                                              .ref = model.analysis.paths->parts.data[1].op }));
    }
  wp_array_push (&rows->rows, ((WpRow) { .first = 0, .n = rows->boxes.len }));
  wp_rows_finish (rows);
  wp_stepper_choose (stepper, rows, &model.analysis, &choice);
  g_assert_cmpuint (wp_stepper_count (stepper), ==, 2);
  g_assert_cmpuint (wp_stepper_step (stepper, WP_STEP_LONGEST, &stop), ==, 1);
  g_assert_cmpfloat (stop.start, ==, 0);
  g_assert_cmpfloat (stop.end, ==, 30);
  model_clear (&model);
}

#define MANY 150000

/* As many pieces as a long recording has, of which the rows draw only the last; each key press would take minutes if every piece looked
 * at every box. */
static void
test_steps_are_quick (void)
{
  Model model;
  g_autoptr (WpRows) rows = wp_rows_new ();
  g_autoptr (WpStepper) stepper = wp_stepper_new ();
  WpExplanation *explanation;
  WpId part = 0, other = 0;
  WpChoice choice = { 0, 0 };
  WpStop stop;

  model_init (&model);
  explanation = model.analysis.explanation;
  for (WpId p = 1; p < model.analysis.paths->parts.len && part == 0; p++)
    part = model.analysis.paths->parts.data[p].op != model.analysis.paths->parts.data[1].op ? p : 0;
  other = model.analysis.paths->parts.data[part].op == 1 ? 2 : 1;
  g_assert_cmpuint (part, !=, 0);
  wp_array_resize (&explanation->pieces, 0);
  rows->is_time = TRUE;
  for (gint64 i = 0; i < MANY; i++)
    {
      wp_array_push (&explanation->pieces, ((WpPiece) { .start = i * 10, .end = i * 10 + 5, .part = part, .row = 0 }));
      wp_array_push (&rows->boxes, ((WpBox) { .start = i * 10, .end = i * 10 + 5, .ref_kind = WP_REF_OP, .ref = other }));
    }
  wp_array_push (&rows->boxes, ((WpBox) { .start = MANY * 10 - 10, .end = MANY * 10, .ref_kind = WP_REF_OP,
                                          .ref = model.analysis.paths->parts.data[part].op }));
  wp_array_push (&rows->rows, ((WpRow) { .first = 0, .n = MANY }));
  wp_array_push (&rows->rows, ((WpRow) { .first = MANY, .n = 1 }));
  wp_rows_finish (rows);
  wp_stepper_choose (stepper, rows, &model.analysis, &choice);
  g_assert_cmpuint (wp_stepper_count (stepper), ==, MANY);
  for (guint presses = 0; presses < 20; presses++)
    {
      g_assert_cmpuint (wp_stepper_step (stepper, presses % 2 == 0 ? WP_STEP_NEXT : WP_STEP_PREVIOUS, &stop), ==, MANY);
      g_assert_cmpuint (stop.box, ==, MANY);
    }
  model_clear (&model);
}

/* --- searching --- */

static void
assert_says (const WpSearch *search, const char *expected)
{
  g_autofree char *text = wp_search_text (search);

  g_assert_cmpstr (text, ==, expected);
}

static WpRows *
named_rows (const char *const *names)
{
  WpRows *rows = wp_rows_new ();

  rows->is_time = TRUE;
  for (gint64 i = 0; names[i] != NULL; i++)
    wp_array_push (&rows->boxes, ((WpBox) { .start = i * 10, .end = i * 10 + 10, .label = wp_strings_intern (rows->strings, names[i]) }));
  wp_array_push (&rows->rows, ((WpRow) { .first = 0, .n = rows->boxes.len }));
  wp_rows_finish (rows);
  return rows;
}

static void
test_search (void)
{
  g_autoptr (WpRows) rows = named_rows ((const char *const[]) { "schedule", "main", "do_SCHEDULE", "Ärger", "schedule", NULL });
  g_autoptr (WpSearch) search = wp_search_new ();
  g_autofree guint8 *boxes = wp_search_run (search, rows, NULL, "Sched", G_MAXUINT32), *umlaut = NULL, *none = NULL;

  g_assert_cmpmem (boxes, 5, ((guint8[]) { 1, 0, 1, 0, 1 }), 5);
  assert_says (search, "3 boxes · 60.0 %");
  g_assert_cmpuint (wp_search_next (search, 1), ==, 0);
  assert_says (search, "1 of 3 · 60.0 %");
  g_assert_cmpuint (wp_search_next (search, 1), ==, 2);
  g_assert_cmpuint (wp_search_next (search, 1), ==, 4);
  g_assert_cmpuint (wp_search_next (search, 1), ==, 0); /* round */
  g_assert_cmpuint (wp_search_next (search, -1), ==, 4);
  assert_says (search, "3 of 3 · 60.0 %");
  umlaut = wp_search_run (search, rows, NULL, "ärg", G_MAXUINT32);
  assert_says (search, "1 box · 20.0 %");
  g_assert_cmpuint (wp_search_next (search, -1), ==, 3);
  none = wp_search_run (search, rows, NULL, "nobody", G_MAXUINT32);
  g_assert_nonnull (none); /* everything is faded */
  assert_says (search, "Nothing found");
  g_assert_cmpuint (wp_search_next (search, 1), ==, G_MAXUINT32);
  g_assert_null (wp_search_run (search, rows, NULL, "", G_MAXUINT32));
  assert_says (search, "");
}

/* Another picture is searched for the same text: the box that is selected there is the match one is at, if it is one. */
/* Two lanes: of the first a match stands on another one; the second goes on beside it. */
static void
test_search_covered (void)
{
  g_autoptr (WpRows) rows = wp_rows_new ();
  g_autoptr (WpSearch) search = wp_search_new ();
  const struct
  {
    guint32 row;
    gint64 start, end;
    const char *name;
  } boxes[] = { { 0, 20, 40, "read" }, { 0, 60, 70, "write" }, { 1, 10, 50, "readv" }, { 1, 55, 80, "poll" }, { 2, 0, 100, "read" } };
  g_autofree char *before = wp_search_covered_text (search), *text = NULL, *some = NULL;

  g_assert_cmpstr (before, ==, "");
  wp_array_resize (&rows->rows, 3);
  for (guint i = 0; i < G_N_ELEMENTS (boxes); i++)
    {
      WpRow *row = &rows->rows.data[boxes[i].row];

      row->first = row->n == 0 ? i : row->first;
      row->n++;
      wp_array_push (&rows->boxes, ((WpBox) { .start = boxes[i].start, .end = boxes[i].end, .label = wp_strings_intern (rows->strings, boxes[i].name),
                                              .ref_kind = WP_REF_PART }));
    }
  rows->rows.data[2].group = 1;
  rows->is_time = TRUE;
  wp_rows_finish (rows);
  g_free (wp_search_run (search, rows, NULL, "read", G_MAXUINT32));
  text = wp_search_covered_text (search);
  g_assert_cmpstr (text, ==, "140 ns");
  assert_says (search, "3 boxes · 84.8 %"); /* of 65 ns and 100 ns: what the lanes' roots are */
  g_free (wp_search_run (search, rows, NULL, "^(write|poll)$", G_MAXUINT32));
  some = wp_search_covered_text (search);
  g_assert_cmpstr (some, ==, "25 ns");
  for (guint32 i = 0; i < rows->boxes.len; i++)
    rows->boxes.data[i].ref_kind = WP_REF_OP;
  g_free (wp_search_run (search, rows, NULL, "read", G_MAXUINT32));
  assert_says (search, "3 boxes · 82.1 %"); /* 160 ns of 195 ns: each row is a lane */
}

/* Everything is all the time that there is, in every view. */
static void
test_search_all (void)
{
  Model model;
  g_autoptr (WpSearch) search = wp_search_new ();

  model_init (&model);
  for (guint view = 0; view < 3; view++)
    {
      g_autoptr (WpRows) rows = layout (&model, view);
      g_autofree char *text = NULL;

      g_free (wp_search_run (search, rows, NULL, "^", G_MAXUINT32));
      text = wp_search_text (search);
      g_assert_true (g_str_has_suffix (text, " boxes · 100.0 %"));
    }
  model_clear (&model);
}

static void
test_search_again (void)
{
  g_autoptr (WpRows) rows = named_rows ((const char *const[]) { "a", "b", "ab", NULL });
  g_autoptr (WpRows) turned = named_rows ((const char *const[]) { "ab", "b", "a", NULL });
  g_autoptr (WpSearch) search = wp_search_new ();

  g_free (wp_search_run (search, rows, NULL, "a", G_MAXUINT32));
  g_assert_cmpuint (wp_search_next (search, -1), ==, 2);
  g_free (wp_search_run (search, turned, NULL, "a", 0));
  assert_says (search, "1 of 2 · 66.7 %");
  g_free (wp_search_run (search, turned, NULL, "a", 1)); /* no match */
  assert_says (search, "2 boxes · 66.7 %");
  g_free (wp_search_run (search, turned, NULL, "a", 0)); /* one was at none */
  assert_says (search, "2 boxes · 66.7 %");
  g_assert_cmpuint (wp_search_next (search, 1), ==, 0);
  g_free (wp_search_run (search, turned, NULL, "ab", 0)); /* another text */
  assert_says (search, "1 box · 33.3 %");
  g_assert_null (wp_search_run (search, NULL, NULL, "ab", 0));
  g_assert_cmpuint (wp_search_count (search), ==, 0);
  g_free (wp_search_run (search, turned, NULL, "ab", G_MAXUINT32));
  g_assert_cmpuint (wp_search_next (search, 1), ==, 0);
  wp_search_forget (search);
  g_assert_cmpuint (wp_search_count (search), ==, 0);
  g_free (wp_search_run (search, turned, NULL, "ab", 0)); /* the bar is opened again */
  assert_says (search, "1 of 1 · 33.3 %");
}

/* --- where one has been --- */

static WpVisit
visit (int view, guint32 processes, double start, guint32 box)
{
  return (WpVisit) { .view = view, .processes = processes, .explained = TRUE, .start = start, .end = start + 10, .rows = 1, .box = box };
}

static void
assert_visit (const WpVisit *at, int view, guint32 processes, double start, guint32 box)
{
  g_assert_nonnull (at);
  g_assert_cmpint (at->view, ==, view);
  g_assert_cmpuint (at->processes, ==, processes);
  g_assert_cmpfloat (at->start, ==, start);
  g_assert_cmpuint (at->box, ==, box);
}

/* Places, views and processes are steps, selections are not, but what a link leads to is. The last selection of a place comes back with it. */
static void
test_visits (void)
{
  g_autoptr (WpVisits) visits = wp_visits_new ();
  const WpVisit nothing = { .view = 1, .box = G_MAXUINT32 };
  const WpVisit ways[] = { visit (1, 0, 0, G_MAXUINT32), visit (1, 0, 5, 3), visit (2, 0, 0, 7), visit (1, 9, 0, 2) };
  WpVisit seen = visit (1, 0, 5, 4), link = visit (1, 0, 5, 8);

  g_assert_false (wp_visits_can (visits, -1) || wp_visits_can (visits, 1));
  g_assert_null (wp_visits_go (visits, -1));
  wp_visits_arrive (visits, &nothing);
  wp_visits_arrive (visits, &ways[0]); /* there was nothing to see before */
  g_assert_false (wp_visits_can (visits, -1));
  wp_visits_arrive (visits, &ways[1]);
  wp_visits_arrive (visits, &ways[1]);
  wp_visits_select (visits, &seen);
  wp_visits_follow (visits, &link); /* it was in sight */
  wp_visits_follow (visits, &link);
  wp_visits_arrive (visits, &ways[2]);
  wp_visits_arrive (visits, &ways[3]);
  seen.start = 77;
  wp_visits_select (visits, &seen); /* of another place: this one keeps its own */

  assert_visit (wp_visits_go (visits, -1), 2, 0, 0, 7);
  assert_visit (wp_visits_go (visits, -1), 1, 0, 5, 8);
  assert_visit (wp_visits_go (visits, -1), 1, 0, 5, 4);
  assert_visit (wp_visits_go (visits, -1), 1, 0, 0, G_MAXUINT32);
  g_assert_null (wp_visits_go (visits, -1));
  assert_visit (wp_visits_go (visits, 1), 1, 0, 5, 4);
  wp_visits_arrive (visits, &ways[3]); /* what was forward is gone */
  g_assert_false (wp_visits_can (visits, 1));
  for (guint i = 0; i < 1000; i++)
    {
      WpVisit next = visit (1, 0, i, 0);

      wp_visits_arrive (visits, &next);
    }
  for (guint i = 0; i < 199; i++)
    g_assert_nonnull (wp_visits_go (visits, -1));
  g_assert_null (wp_visits_go (visits, -1));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/highlight/boxes", test_highlight);
  g_test_add_func ("/highlight/nodes", test_highlight_nodes);
  g_test_add_func ("/highlight/said", test_highlight_said);
  g_test_add_func ("/boxes/part-of-box", test_part_of_box);
  g_test_add_func ("/boxes/box-of-part", test_box_of_part);
  g_test_add_func ("/boxes/box-of-operation", test_box_of_op);
  g_test_add_func ("/boxes/selection", test_selection);
  g_test_add_func ("/boxes/wakers", test_wakers);
  g_test_add_func ("/stepper/all-views", test_steps);
  g_test_add_func ("/stepper/stretches", test_stretches);
  g_test_add_func ("/stepper/quick", test_steps_are_quick);
  g_test_add_func ("/visits", test_visits);
  g_test_add_func ("/search", test_search);
  g_test_add_func ("/search/covered", test_search_covered);
  g_test_add_func ("/search/all", test_search_all);
  g_test_add_func ("/search/again", test_search_again);
  return g_test_run ();
}
