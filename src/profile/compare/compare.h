/* Two profiles compared, or two sets of them: A is what was, B is what is now. More is worse.
 *
 * Saved profiles and recordings of ours are compared by their explanation and their call tree, stacks with values by the totals of their types and
 * the call tree of one of them, any other profile by its resources: amounts of uids and traces. Where one file holds nothing but stacks, all are
 * compared as stacks. Frames are matched by symbol and module, never by address: functions without a symbol
 * are one frame for each module. Figures of several profiles are means, so that they add up; what a test says is said of the single
 * profiles. What is little on both sides together (below WP_COMPARE_LEAST of everything) is not tested; the p of all lines of a table that are tested are
 * adjusted for their number, as Benjamini and Hochberg (1995) do it, but for the first row, which the verdict is about. Times are ns. */
#pragma once

#include "base/unit.h"
#include "paths/depth.h"
#include "profile/compare/named-stacks.h"
#include "profile/model/document.h"
#include "profile/fit/statistics.h"

#define WP_COMPARE_ALPHA 0.05 /* a p of at most this is a change */
#define WP_COMPARE_LEVEL 0.95
#define WP_COMPARE_LEAST 0.001 /* a change of less than this share of everything is not worth a colour */

typedef enum
{
  WP_SIDE_A,
  WP_SIDE_B,
  WP_N_SIDES
} WpSide;

typedef enum
{
  WP_EVIDENCE_NONE,   /* not tested: too few profiles, or too little of everything */
  WP_EVIDENCE_NOISE,  /* the test sees no change */
  WP_EVIDENCE_CHANGE,
} WpEvidence;

/* One figure on both sides. */
typedef struct
{
  double mean[WP_N_SIDES];
  WpEvidence evidence;
  double p, shift, low, high; /* NaN without evidence */
  double adjusted;            /* p among those of its table; evidence is by this */
} WpChange;

/* What a profile says of itself; texts are "" where it says nothing. */
typedef enum
{
  WP_FACT_LABEL, /* its own, else the file's name */
  WP_FACT_COMMIT,
  WP_FACT_HOST,
  WP_FACT_KERNEL,
  WP_FACT_CPUS,
  WP_FACT_COMMAND,
  WP_FACT_TASK,   /* whose time it explains */
  WP_FACT_STACKS, /* how they were taken */
  WP_FACT_OPTIONS, /* of the control paths */
  WP_FACT_DIRTY,  /* "true": the work tree was not what the commit says */
  WP_N_FACTS
} WpFact;

typedef struct
{
  char *path;
  char *facts[WP_N_FACTS];
} WpCompared;

/* Of values of stacks. */
typedef struct
{
  char *name;  /* as sample_index takes it */
  char *shown; /* wp_stacks_type_shown() */
} WpComparedType;

typedef enum
{
  WP_ROW_FIGURE,   /* wall time, total; of stacks the total of a type */
  WP_ROW_CATEGORY, /* of the explanation; of other profiles a subtype */
  WP_ROW_SUB,      /* within the category before it */
} WpRowLevel;

typedef struct
{
  guint8 level;  /* WpRowLevel */
  char *id;      /* "wall", "total", a category's; of a sub-row its category's */
  char *name;
  WpUnit unit;     /* the comparison's, but for other types of stacks */
  char *unit_name; /* as WpComparison has it */
  WpChange change;
} WpComparedRow;

/* A sentence of what changed. */
typedef struct
{
  char *text;
  double ns; /* B − A of what it is about; of the first one what the others add up to, where there are any */
} WpComparedClause;

/* All waits of tasks with one name for one thing (WpWait): a row without a category, and how often on both sides. */
typedef struct
{
  WpComparedRow row; /* its name: "git reads pipe from ssh" */
  double count[WP_N_SIDES]; /* means */
} WpComparedWait;

#define WP_COMPARED_WAITS 8 /* so many are kept */

#define WP_COMPARED_NO_SYMBOL "(no symbol)" /* all functions of a module that have no name are one frame */
#define WP_COMPARED_ANONYMOUS "[anon]"      /* all memory without a file is one module */

/* A function, process or device, or words (paths/depth.h). */
typedef struct
{
  WpId name, module; /* strings; module 0: none of these but a function has one */
  WpChange self, total; /* total: recursion counts once */
} WpComparedFrame;

typedef struct
{
  WpId frame;
  WpId parent, first_child, next; /* children: longest total of either side first */
  double self[WP_N_SIDES], total[WP_N_SIDES]; /* means */
  guint32 hidden;  /* what the depth, or rules, hide in it on either side: the first of the comparison's `hidden`, or 0 */
  guint8 evidence; /* WpEvidence, of the total; not asked for where the change is below WP_COMPARE_LEAST of all */
} WpComparedNode;

typedef struct
{
  WpStrings *strings;
  char *names[WP_N_SIDES]; /* as the options have them */
  WpUnit unit;         /* of all amounts: ns, bytes, or */
  char *unit_name;     /* what a plain number counts; else "" */
  char *said_unit;     /* as the first profile has it */
  gboolean has_depths; /* some profile explains a process: another depth has other frames and nodes, of the same figures */
  gboolean normalised; /* A's frames and nodes are multiplied by factor, so that both sides' totals are the same */
  double factor;
  WP_ARRAY (WpCompared) profiles[WP_N_SIDES];
  WP_ARRAY (WpComparedType) types;   /* plain list: of stacks those that all profiles have; else empty */
  guint32 type;                      /* of these: whose frames and nodes are compared */
  WP_ARRAY (WpComparedRow) rows;     /* plain list; never normalised. The first is what the verdict is about */
  WP_ARRAY (WpComparedClause) answer; /* plain list; of explained processes: by how much it is longer, then what most of that is; else empty */
  WP_ARRAY (WpComparedWait) waits;   /* plain list; of explained processes the longest, the largest change first; never normalised */
  guint32 n_tested;                  /* of the rows, but the first */
  guint n_folded;                    /* frames of all profiles that have no box of their own, by the depth or by rules */
  WP_ARRAY (WpComparedFrame) frames; /* row 0 is empty; by |change of self|, largest first */
  WP_ARRAY (WpComparedNode) nodes;   /* row 0 is the root */
  WpHiddenArray hidden;              /* of nodes: stretches of `stacks`; row 0 is empty. None where files are compared as stacks */
  WpNamedStacks *stacks;
  GPtrArray *warnings;               /* char *: why the two may not be comparable, a sentence each */
} WpComparison;

typedef struct
{
  const char *const *files[WP_N_SIDES]; /* NULL-terminated, at least one each */
  const char *const *commits[WP_N_SIDES]; /* of each file, where it does not say its own ("": not known); or NULL */
  const char *names[WP_N_SIDES]; /* how people call a side, as the subject of its commit; or NULL */
  const char *task;      /* of recordings and saved profiles, as for wp_document_paths(); or NULL */
  const char *idle_task; /* as WpReadOptions has it; or NULL */
  gboolean normalise;
  WpDepthChoice depth;      /* of the call trees of explained processes; `opened` is not used */
  const WpNamedStacks *opened; /* of what the depth would hide, what is shown: those that a comparison's `hidden` has for `inner`; or NULL */
  const char *filter;       /* of stacks, as wp_filter_parse() has it; or NULL. All files are compared as stacks then */
  const char *sample_index; /* of stacks: the type of value whose frames are compared; or NULL. The same */

  /* Opens what explains nothing as stacks: wp_open_stacks(). NULL: wp_stacks_open() does, for which a recording is none. */
  struct WpStacks *(*open_stacks) (const char *path, const char *task, const WpDepthChoice *depth, WpProgress *progress, GError **error);
} WpCompareOptions;

/* Fails where a file cannot be read, or where amounts have different units. */
WpComparison *wp_compare (const WpCompareOptions *options, WpProgress *progress, GError **error);
void wp_comparison_free (WpComparison *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpComparison, wp_comparison_free)

/* Whether processes are compared by what explains their time. */
gboolean wp_comparison_explains (const WpComparison *self);

/* B − A; of that A's share: infinite where there was nothing, 0 where there is nothing on either side. */
static inline double
wp_change_absolute (const WpChange *self)
{
  return self->mean[WP_SIDE_B] - self->mean[WP_SIDE_A];
}

double wp_change_relative (const WpChange *self);

typedef enum
{
  WP_PRESENCE_COMMON,
  WP_PRESENCE_NEW,      /* only in B */
  WP_PRESENCE_VANISHED, /* only in A */
} WpPresence;

WpPresence wp_frame_presence (const WpComparedFrame *frame);
const char *wp_presence_id (WpPresence presence); /* "common", "new", "vanished" */

typedef enum
{
  WP_VERDICT_UNKNOWN, /* too few profiles, and no threshold */
  WP_VERDICT_NO_CHANGE,
  WP_VERDICT_DEGRADATION,
  WP_VERDICT_OPTIMIZATION,
} WpVerdict;

/* About the first row. With enough profiles it has changed where the test says so and its shift is at least `threshold` of A's
 * mean. With too few, the threshold decides alone; without one (0 or less) nothing can be said. */
WpVerdict wp_comparison_verdict (const WpComparison *self, double threshold);
const char *wp_verdict_id (WpVerdict verdict); /* "degradation", … */

/* What is read first: "Slower: +19.0 ms (+64.1 %)", "About the same: …"; "": there is nothing to compare. Free with g_free(). */
char *wp_comparison_headline (const WpComparison *self, double threshold);
char *wp_comparison_verdict_text (const WpComparison *self, double threshold); /* a sentence: test, p, n, shift. Free with g_free() */

/* An amount, with its sign where `sign`, in the unit that fits: "12.4 ms", "+3.2 KiB". */
char *wp_comparison_amount (const WpComparison *self, double amount, gboolean sign);
char *wp_compared_amount (WpUnit unit, const char *unit_name, double amount, gboolean sign); /* of a row, in its unit */
void wp_format_change (const WpChange *change, char buffer[32]); /* "+12.3 %", "new", "vanished", "0 %" */
char *wp_change_evidence_text (const WpChange *change); /* the adjusted p: "p = 0.008", "noise (p = 0.42)", ""; free with g_free() */
char *wp_comparison_tests_text (const WpComparison *self); /* a sentence: how many lines were tested, and how p is adjusted; "": none. Free with g_free() */

char *wp_compared_wait_count (const WpComparedWait *wait); /* how often: "12 → 15". Free with g_free() */

/* Its sentences from this one on; "": there are none. Free with g_free(). */
char *wp_comparison_answer_text (const WpComparison *self, guint32 first);

/* How a side is called: its name or commit, if all of it is of one, and label, or how many profiles; and what is exact: its commit and label. Free with
 * g_free(). */
char *wp_comparison_side_name (const WpComparison *self, WpSide side);
char *wp_comparison_side_exactly (const WpComparison *self, WpSide side);

/* --- as text (compare-report.c) --------------------------------------------------------------------------------------- */

typedef enum
{
  WP_COMPARE_TEXT,
  WP_COMPARE_JSON,
  WP_COMPARE_MARKDOWN,
  WP_COMPARE_TSV,
  WP_COMPARE_FOLDED, /* "frame;frame;frame A B", root first */
  WP_COMPARE_FORMAT_COUNT
} WpCompareFormat;

/* "text", "json", "markdown", "tsv", "folded"; anything else gives WP_COMPARE_FORMAT_COUNT. */
WpCompareFormat wp_compare_format_from_id (const char *id);
void wp_comparison_write (GString *out, const WpComparison *self, WpCompareFormat format, double threshold);
