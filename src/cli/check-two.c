/* check A B, check profiles A B: two profiles, or two sets of them. */
#include "cli/check.h"

#include "cli/command.h"
#include "cli/named.h"
#include "cli/output.h"
#include "cli/profiles.h"
#include "store/checker.h"

typedef struct
{
  WpCliNames names;
  GPtrArray *profiles[2]; /* WpProfile */
  char commits[2][41];    /* of the first one each, where the store knows */
} Sides;

static void
sides_clear (Sides *self)
{
  for (guint side = 0; side < 2; side++)
    g_clear_pointer (&self->profiles[side], g_ptr_array_unref);
  wp_cli_names_clear (&self->names);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Sides, sides_clear)

static int
add_profiles (Sides *self, guint side, const char *spec)
{
  g_autoptr (GPtrArray) found = g_ptr_array_new_with_free_func ((GDestroyNotify) wp_cli_named_free);
  int status = wp_cli_names_find (&self->names, spec, found);

  for (guint i = 0; status == 0 && i < found->len; i++)
    {
      const WpCliNamed *named = found->pdata[i];
      WpProfile *profile = wp_cli_named_profile (named, &status);
      const char *commit = *named->commit != '\0' || profile == NULL ? named->commit : profile->origin != NULL ? profile->origin : "";

      if (profile == NULL)
        return status;
      if (self->profiles[side]->len == 0)
        g_strlcpy (self->commits[side], commit, sizeof self->commits[side]);
      g_ptr_array_add (self->profiles[side], profile);
    }
  return status;
}

static int
add_side (Sides *self, guint side, const char *text)
{
  g_auto (GStrv) specs = wp_cli_names_split (text);
  int status = specs != NULL ? 0 : 2;

  self->profiles[side] = g_ptr_array_new_with_free_func ((GDestroyNotify) wp_profile_free);
  for (char **spec = specs; status == 0 && *spec != NULL; spec++)
    status = add_profiles (self, side, *spec);
  return status;
}

static int
load (Sides *self, const char *baseline, const char *target)
{
  int status = add_side (self, 0, baseline);

  return status != 0 ? status : add_side (self, 1, target);
}

static gboolean
same_configurations (const Sides *self)
{
  for (guint side = 0; side < 2; side++)
    for (guint i = 0; i < self->profiles[side]->len; i++)
      {
        const WpProfile *first = self->profiles[0]->pdata[0], *profile = self->profiles[side]->pdata[i];

        if (!wp_check_same_configuration (first, profile))
          {
            g_printerr ("wakepath-cli: %s and %s differ in collector, command, workload or postprocessors\n", first->path, profile->path);
            return FALSE;
          }
      }
  return TRUE;
}

/* As lines of text, or where there is a writer, as a member of its object. */
static void
append_verdicts (GString *out, WpJsonWriter *json, WpCheck check, const GPtrArray *verdicts)
{
  if (json != NULL)
    {
      wp_json_writer_array (json, wp_check_id (check), WP_JSON_TIGHT);
      for (guint i = 0; i < verdicts->len; i++)
        {
          wp_json_writer_line (json);
          wp_cli_write_verdict (json, verdicts->pdata[i]);
        }
      wp_json_writer_end (json);
      return;
    }
  g_string_append_printf (out, "%s:\n", wp_check_id (check));
  for (guint i = 0; i < verdicts->len; i++)
    wp_cli_append_verdict (out, verdicts->pdata[i]);
  if (verdicts->len == 0)
    g_string_append (out, "  nothing that both profiles have\n");
}

static void
append_error (GString *out, WpJsonWriter *json, WpCheck check, const char *message)
{
  if (json != NULL)
    {
      wp_json_writer_object (json, wp_check_id (check), WP_JSON_TIGHT);
      wp_json_writer_string (json, "error", message);
      wp_json_writer_end (json);
      return;
    }
  g_string_append_printf (out, "%s:\n", wp_check_id (check));
  wp_cli_append_line (out, "  ", message);
}

/* Prints what the checks say, and keeps it in `kept` (of WpStoreChecked) where somebody wants it. One check that cannot be made is an
 * error; of several, each says what it lacks. */
static int
run (const Sides *self, const GArray *checks, gboolean as_json, GPtrArray *kept)
{
  g_autoptr (GString) out = g_string_new (NULL);
  g_autoptr (WpJsonWriter) json = as_json ? wp_json_writer_new_text (out) : NULL;
  gboolean degradation = FALSE;

  if (json != NULL)
    wp_json_writer_object (json, NULL, WP_JSON_TIGHT);
  else if (checks->len == 0)
    g_string_append (out, "the settings choose no check for these profiles\n");
  for (guint i = 0; i < checks->len; i++)
    {
      WpCheck check = g_array_index (checks, WpCheck, i);
      GError *error = NULL;
      GPtrArray *verdicts = wp_check_run_sets (check, self->profiles[0], self->profiles[1], &error);

      if (verdicts == NULL && checks->len == 1)
        return wp_cli_fail (error);
      if (json != NULL && i > 0)
        wp_json_writer_line (json);
      if (verdicts != NULL)
        {
          append_verdicts (out, json, check, verdicts);
          degradation = degradation || wp_cli_has_degradation (verdicts);
          g_ptr_array_add (kept, verdicts);
        }
      else
        append_error (out, json, check, error->message);
      g_clear_error (&error);
    }
  if (json != NULL)
    wp_json_writer_end (json);
  wp_cli_flush (out);
  return degradation ? WP_STATUS_DEGRADATION : 0;
}

/* Perun's own default is the first check. */
int
wp_cli_check_two (const char *baseline, const char *target, const GArray *checks, gboolean json)
{
  g_autoptr (GArray) usual = g_array_new (FALSE, TRUE, sizeof (WpCheck));
  g_autoptr (GPtrArray) kept = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  g_auto (Sides) self = { 0 };
  int status = load (&self, baseline, target);

  g_array_set_size (usual, 1);
  if (status != 0)
    return status;
  same_configurations (&self);
  return run (&self, checks != NULL ? checks : usual, json, kept);
}

/* --- profiles A B: kept with the target's commit --------------------------------------------------------------------------- */

static int
save (WpCliStore *store, const Sides *self, const char *minor, const GPtrArray *kept)
{
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func ((GDestroyNotify) wp_store_checked_free);
  const char *source = *self->commits[0] != '\0' ? self->commits[0] : minor;
  GError *error = NULL;

  for (guint i = 0; i < kept->len; i++)
    {
      WpStoreChecked *checked = g_new0 (WpStoreChecked, 1);

      g_strlcpy (checked->source, source, sizeof checked->source);
      checked->command = wp_profile_command (self->profiles[1]->pdata[0]);
      checked->baseline = g_ptr_array_new ();
      checked->target = g_ptr_array_new ();
      checked->verdicts = g_ptr_array_ref (kept->pdata[i]);
      g_ptr_array_add (all, checked);
    }
  return wp_store_save_changes (store->store, minor, all, &error) ? 0 : wp_cli_fail (error);
}

int
wp_cli_check_profiles (const char *baseline, const char *target, const char *minor, const GArray *checks, gboolean json)
{
  g_auto (WpCliStore) store = { 0 };
  g_auto (Sides) self = { 0 };
  g_autoptr (GArray) chosen = g_array_new (FALSE, FALSE, sizeof (WpCheck));
  g_autoptr (GPtrArray) kept = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  GError *error = NULL;
  int status = wp_cli_store_open (&store, minor, TRUE), saved;

  if (status == 0)
    status = load (&self, baseline, target);
  if (status != 0 || !same_configurations (&self))
    return status != 0 ? status : 1;
  if (checks != NULL)
    g_array_append_vals (chosen, checks->data, checks->len);
  else if (!wp_store_strategies (store.store, self.profiles[0]->pdata[0], chosen, &error))
    return wp_cli_fail (error);
  status = run (&self, chosen, json, kept);
  saved = save (&store, &self, *self.commits[1] != '\0' ? self.commits[1] : store.minor, kept);
  return saved != 0 ? saved : status;
}
