/* check head, check all: a store's profiles against those of the nearest ancestors. */
#include "cli/check.h"

#include "base/quote.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/range.h"
#include "cli/store.h"
#include "store/checker.h"

typedef struct
{
  WpCliStore store;
  WpStoreChecker *checker;
  const GArray *checks;
  gboolean json, brief; /* brief: commits where nothing changed are a line */
  gboolean degradation;
  guint better, worse, n; /* changes */
} Session;

static void
session_clear (Session *self)
{
  g_clear_pointer (&self->checker, wp_store_checker_free);
  wp_cli_store_clear (&self->store);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Session, session_clear)

static void
count (const GPtrArray *found, guint *n, guint *better, guint *worse)
{
  for (guint i = 0; i < found->len; i++)
    {
      const GPtrArray *verdicts = ((const WpStoreChecked *) found->pdata[i])->verdicts;

      for (guint v = 0; verdicts != NULL && v < verdicts->len; v++)
        {
          WpCheckChange change = ((const WpCheckVerdict *) verdicts->pdata[v])->change;

          *better += wp_change_is_optimization (change);
          *worse += wp_change_is_degradation (change);
          *n += change != WP_CHANGE_NONE;
        }
    }
}

static void
append_counts (GString *out, guint n, guint better, guint worse)
{
  g_string_append_printf (out, "%u change%s: %u optimization%s, %u degradation%s\n", n, n == 1 ? "" : "s", better, better == 1 ? "" : "s",
                          worse, worse == 1 ? "" : "s");
}

/* --- text -------------------------------------------------------------------------------------------------------------------- */

static void
append_checked (GString *out, const WpStoreChecked *checked)
{
  g_autofree char *command = wp_quoted_line (*checked->command != '\0' ? checked->command : "(no command)");
  guint same = 0;

  g_string_append_printf (out, "%s, compared with %.8s by %s:\n", command, checked->source, wp_check_id (checked->check));
  if (checked->problem != NULL)
    wp_cli_append_line (out, "  ", checked->problem);
  for (guint i = 0; checked->verdicts != NULL && i < checked->verdicts->len; i++)
    {
      const WpCheckVerdict *verdict = checked->verdicts->pdata[i];

      if (verdict->change == WP_CHANGE_NONE)
        same++;
      else
        wp_cli_append_verdict (out, verdict);
    }
  if (checked->problem == NULL && checked->verdicts->len == 0)
    g_string_append (out, "  nothing that both have\n");
  else if (same > 0)
    g_string_append_printf (out, "  %u without a change\n", same);
}

static void
append_text (GString *out, const Session *self, const WpMinorVersion *info, const GPtrArray *found)
{
  guint n = 0, better = 0, worse = 0;

  count (found, &n, &better, &worse);
  g_string_append_printf (out, "%.8s %s: ", info->hash, info->subject);
  append_counts (out, n, better, worse);
  for (guint i = 0; i < found->len; i++)
    if (!self->brief || n > 0 || ((const WpStoreChecked *) found->pdata[i])->problem != NULL)
      append_checked (out, found->pdata[i]);
  if (!self->brief && found->len == 0)
    g_string_append (out, wp_store_has_profiles (self->store.store, info->hash) ? "No ancestor has profiles of what this commit's are of\n"
                                                                                : "It has no profiles that could be checked\n");
}

/* --- JSON -------------------------------------------------------------------------------------------------------------------- */

static void
write_names (WpJsonWriter *json, const char *key, const GPtrArray *names)
{
  wp_json_writer_array (json, key, WP_JSON_TIGHT);
  for (guint i = 0; i < names->len; i++)
    wp_json_writer_string (json, NULL, names->pdata[i]);
  wp_json_writer_end (json);
}

static void
write_checked (WpJsonWriter *json, const WpStoreChecked *checked)
{
  wp_json_writer_object (json, NULL, WP_JSON_SPACED);
  wp_json_writer_string (json, "source", checked->source);
  wp_json_writer_string (json, "check", wp_check_id (checked->check));
  wp_json_writer_string (json, "command", checked->command);
  write_names (json, "baseline", checked->baseline);
  write_names (json, "target", checked->target);
  if (checked->problem != NULL)
    wp_json_writer_string (json, "error", checked->problem);
  wp_json_writer_array (json, "verdicts", WP_JSON_TIGHT);
  for (guint i = 0; checked->verdicts != NULL && i < checked->verdicts->len; i++)
    wp_cli_write_verdict (json, checked->verdicts->pdata[i]);
  wp_json_writer_end (json);
  wp_json_writer_end (json);
}

/* A commit a line. */
static void
append_json (GString *out, const WpMinorVersion *info, const GPtrArray *found)
{
  g_autoptr (WpJsonWriter) json = wp_json_writer_new_text (out);

  wp_json_writer_object (json, NULL, WP_JSON_SPACED);
  wp_json_writer_string (json, "commit", info->hash);
  wp_json_writer_array (json, "checked", WP_JSON_SPACED);
  for (guint i = 0; i < found->len; i++)
    write_checked (json, found->pdata[i]);
  wp_json_writer_end (json);
  wp_json_writer_end (json);
}

/* --- collecting first --------------------------------------------------------------------------------------------------------- */

/* With this setting the commits are profiled by the job matrix, where they have not been before. What fails is told, and what there is
 * is checked. */
static gboolean
collects_first (const Session *self)
{
  return wp_store_setting_is_true (self->store.store, "degradation.collect_before_check");
}

static int
collect (const Session *self, GPtrArray *commits)
{
  WpCliRange options = { .repeat = 1, .aside = TRUE };

  if (wp_store_setting_is_true (self->store.store, "degradation.log_collect"))
    options.log = "precollect";
  g_ptr_array_add (commits, NULL);
  return wp_cli_range_commits (&self->store, &options, (char **) commits->pdata, NULL);
}

/* A commit and those that it is compared with first; a shallow clone may be without them. */
static int
collect_head (const Session *self, const WpMinorVersion *info)
{
  g_autoptr (GPtrArray) commits = g_ptr_array_new ();

  g_ptr_array_add (commits, (char *) info->hash);
  for (guint i = 0; i < info->n_parents; i++)
    if (wp_vcs_has_commit (wp_store_vcs (self->store.store), info->parents[i]))
      g_ptr_array_add (commits, info->parents[i]);
  return collect (self, commits);
}

static int
collect_all (const Session *self)
{
  g_autoptr (GPtrArray) commits = g_ptr_array_new_with_free_func (g_free);
  GError *error = NULL;
  g_autoptr (WpVcsWalk) walk = wp_vcs_walk_new (wp_store_vcs (self->store.store), self->store.minor, WP_VCS_WALK_BRIEF, &error);
  WpMinorVersion info;

  while (walk != NULL && wp_vcs_walk_next (walk, &info, &error))
    {
      g_ptr_array_add (commits, g_strdup (info.hash));
      wp_minor_version_clear (&info);
    }
  return error != NULL ? wp_cli_fail (error) : collect (self, commits);
}

/* --- commits ----------------------------------------------------------------------------------------------------------------- */

/* Checks a commit, prints what was found and keeps it. */
static int
check_commit (Session *self, const WpMinorVersion *info)
{
  GError *error = NULL;
  g_autoptr (GPtrArray) found = wp_store_checker_run (self->checker, info->hash, self->checks, &error);
  g_autoptr (GString) out = g_string_new (NULL);

  if (found == NULL)
    return wp_cli_fail (error);
  if (self->json)
    append_json (out, info, found);
  else
    append_text (out, self, info, found);
  wp_cli_flush (out);
  count (found, &self->n, &self->better, &self->worse);
  for (guint i = 0; i < found->len; i++)
    self->degradation = self->degradation || wp_cli_has_degradation (((const WpStoreChecked *) found->pdata[i])->verdicts);
  return wp_store_save_changes (self->store.store, info->hash, found, &error) ? 0 : wp_cli_fail (error);
}

static int
open_session (Session *self, const char *minor, const GArray *checks, gboolean json)
{
  int status = wp_cli_store_open (&self->store, minor, TRUE);

  self->checks = checks;
  self->json = json;
  if (status == 0)
    self->checker = wp_store_checker_new (self->store.store);
  return status;
}

static int
end_session (Session *self, int status)
{
  wp_cli_store_notice (&self->store);
  return status != 0 ? status : self->degradation ? WP_STATUS_DEGRADATION : 0;
}

int
wp_cli_check_head (const char *minor, const GArray *checks, gboolean json)
{
  g_auto (Session) self = { 0 };
  WpMinorVersion info = { 0 };
  GError *error = NULL;
  int status = open_session (&self, minor, checks, json);

  if (status != 0)
    return status;
  if (!wp_vcs_info (wp_store_vcs (self.store.store), self.store.minor, &info, &error))
    return wp_cli_fail (error);
  status = collects_first (&self) ? collect_head (&self, &info) : 0;
  status |= check_commit (&self, &info);
  wp_minor_version_clear (&info);
  return end_session (&self, status);
}

/* Commits without profiles are passed over. What is wrong with one does not end the walk. */
int
wp_cli_check_all (const char *head, const GArray *checks, gboolean json)
{
  g_auto (Session) self = { .brief = TRUE };
  g_autoptr (WpVcsWalk) commits = NULL;
  g_autoptr (GString) out = g_string_new (NULL);
  WpMinorVersion info;
  GError *error = NULL;
  int status = open_session (&self, head, checks, json);

  if (status != 0)
    return status;
  status = collects_first (&self) ? collect_all (&self) : 0;
  commits = wp_vcs_walk_new (wp_store_vcs (self.store.store), self.store.minor, WP_VCS_WALK_WHOLE, &error);
  while (commits != NULL && wp_vcs_walk_next (commits, &info, &error))
    {
      if (wp_store_has_profiles (self.store.store, info.hash))
        status |= check_commit (&self, &info);
      wp_minor_version_clear (&info);
    }
  if (error != NULL)
    status = wp_cli_fail (error);
  if (!json)
    append_counts (out, self.n, self.better, self.worse);
  wp_cli_flush (out);
  return end_session (&self, status);
}
