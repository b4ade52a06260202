/* check: whether profiles are worse than others, by Perun's checks. */
#include "cli/check.h"

#include "cli/command.h"

/* Names of checks, by a comma each. */
static gboolean
parse_methods (const char *text, GArray *checks)
{
  g_auto (GStrv) names = g_strsplit (text, ",", -1);

  for (guint i = 0; names[i] != NULL; i++)
    {
      WpCheck check;

      if (g_str_equal (names[i], "all"))
        for (check = 0; check < WP_N_CHECKS; check++)
          g_array_append_val (checks, check);
      else if (wp_check_find (names[i], &check))
        g_array_append_val (checks, check);
      else
        {
          wp_cli_usage ("there is no check “%s”", names[i]);
          return FALSE;
        }
    }
  return TRUE;
}

typedef struct
{
  char *method, *minor, *format;
} Options;

/* The word that says what is checked; a file of that name is “./head”. */
static int
check (int n, char **operands, const char *minor, const GArray *checks, gboolean json)
{
  const char *what = operands[0], *named = n > 1 ? operands[1] : minor;

  if (g_str_equal (what, "head") && n <= 2)
    return wp_cli_check_head (named, checks, json);
  if (g_str_equal (what, "all") && n <= 2)
    return wp_cli_check_all (named, checks, json);
  if (g_str_equal (what, "profiles") && n == 3)
    return wp_cli_check_profiles (operands[1], operands[2], minor, checks, json);
  if (n == 2 && minor == NULL)
    return wp_cli_check_two (operands[0], operands[1], checks, json);
  return wp_cli_usage ("name two profiles, or say what: head, all, profiles A B");
}

static int
run (gpointer data, int n, char **operands)
{
  const Options *options = data;
  g_autoptr (GArray) checks = g_array_new (FALSE, FALSE, sizeof (WpCheck));

  if (options->method != NULL && !parse_methods (options->method, checks))
    return 2;
  return check (n, operands, options->minor, options->method != NULL ? checks : NULL, g_strcmp0 (options->format, "json") == 0);
}

static const WpOption rows[] = {
  { "method", 0, G_OPTION_ARG_STRING, offsetof (Options, method), "NAME,…",
    "Which checks, or all of them. Else *head*, *all* and *profiles* make those that _degradation.strategies_ and _degradation.apply_ in "
    "local.yml choose" },
  WP_OPTION_MINOR (Options, minor),
  WP_OPTION_TEXT_FORMAT (Options, format, "text|json"),
  WP_OPTION_END,
};

const WpCommand wp_cmd_check = {
  .name = "check",
  .group = WP_GROUP_PROFILES,
  .operands = "A[,A2…] B[,B2…] | head [COMMIT] | all [COMMIT] | profiles A B",
  .summary = "Whether profiles are worse than others",
  .description = "Perun's checks: whether B is worse than A. Exit status 3 when it is. Several profiles on a side are a set: what the test of Mann and "
                 "Whitney takes for noise is no change; p are adjusted for how many places a check tests (Benjamini and Hochberg).\n\n"
                 "With *head* the profiles of a commit are checked against those of the same collector, command, arguments, workload and "
                 "postprocessors of its nearest ancestors, with *all* those of every commit; both, and *profiles*, keep what they find in the "
                 "commit's _.changes_, which *status* and *log* show.\n\n"
                 "Where _degradation.collect_before_check_ in local.yml is true, what has no profile yet is made first, by the job matrix as "
                 "*range* does it, once that is trusted (*trust*): of the commit and its parents, or of all commits; with "
                 "_degradation.log_collect_ what was printed is kept where Perun keeps it.",
  .options = rows,
  .size = sizeof (Options),
  .least = 1,
  .most = 3,
  .run = run,
};
