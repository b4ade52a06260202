/* Changes of how a recording is looked at. Each is kept before it is made, so that it can be undone. */
#include "workspace/file/workspace-private.h"

#include "base/sort.h"
#include "workspace/file/boxes.h"
#include "workspace/file/search.h"

#define KEPT_MAX 200

void
wp_workspace_keep (WpWorkspace *self)
{
  if (self->past.len == KEPT_MAX)
    {
      wp_view_state_clear (&self->past.data[0]);
      memmove (self->past.data, self->past.data + 1, --self->past.len * sizeof *self->past.data);
    }
  wp_array_push (&self->past, wp_view_state_copy (&self->state));
  self->filtering = FALSE;
}

/* --- cuts --- */

const WpCuts *
wp_workspace_cuts (WpWorkspace *self)
{
  return self->state.cuts;
}

gboolean
wp_workspace_can_cut (WpWorkspace *self, WpId part)
{
  const WpAnalysis *analysis = wp_workspace_analysis (self);
  const WpPart *p;

  if (analysis == NULL || part == 0 || part >= analysis->paths->parts.len || !wp_workspace_is_recording (self))
    return FALSE;
  p = &analysis->paths->parts.data[part];
  return p->parent != 0 || !analysis->paths->paths.data[p->path].base;
}

static void
tell_cuts (WpWorkspace *self)
{
  wp_workspace_tell (self, WP_WORKSPACE_CUTS_CHANGED);
  wp_workspace_analyse_again (self);
}

void
wp_workspace_cut (WpWorkspace *self, WpId op)
{
  if (op == 0 || g_array_binary_search ((GArray *) wp_cuts_ops (self->state.cuts), &op, wp_compare_ids, NULL))
    return;
  wp_workspace_keep (self);
  wp_cuts_add (self->state.cuts, op);
  tell_cuts (self);
}

void
wp_workspace_restore_cuts (WpWorkspace *self)
{
  if (wp_cuts_ops (self->state.cuts)->len == 0)
    return;
  wp_workspace_keep (self);
  wp_cuts_clear (self->state.cuts);
  tell_cuts (self);
}

/* --- what is hidden --- */

const WpHideRules *
wp_workspace_hide_rules (WpWorkspace *self)
{
  return wp_shared_get (self->state.hide);
}

/* Takes rules, of which there may be none. */
static void
set_rules (WpWorkspace *self, WpShared *rules)
{
  wp_shared_unref (self->state.hide);
  self->state.hide = rules;
  wp_workspace_tell (self, WP_WORKSPACE_HIDE_CHANGED);
  wp_workspace_analyse_again (self);
}

static void
change_rules (WpWorkspace *self, WpHideRules *rules)
{
  gboolean none = rules->len == 0;

  wp_workspace_keep (self);
  if (none)
    wp_hide_rules_free (rules);
  set_rules (self, none ? NULL : wp_shared_new (rules, (GDestroyNotify) wp_hide_rules_free));
}

/* Everything that the depth hides is hidden. */
static void
close_folds (WpWorkspace *self)
{
  if (self->state.opened == NULL)
    return;
  g_clear_pointer (&self->state.opened, wp_shared_unref);
  wp_workspace_analyse_again (self);
}

gboolean
wp_workspace_hide (WpWorkspace *self, WpHideKind kind, const char *text, GError **error)
{
  const WpHideRules *before = wp_workspace_hide_rules (self);
  WpHideRules *rules = wp_hide_rules_copy (before);
  gboolean added = wp_hide_rules_add (rules, kind, text, error);

  if (added && (before == NULL || rules->len > before->len))
    {
      wp_workspace_close_found (self);
      change_rules (self, rules);
      return TRUE;
    }
  wp_hide_rules_free (rules);
  if (added)
    close_folds (self);
  return added;
}

/* At depth Waits a box of words is of no module. */
const char *
wp_workspace_hideable (WpWorkspace *self, const WpRows *rows, guint32 box, WpHideKind kind)
{
  const WpTrace *trace = wp_workspace_trace (self);
  WpId function = wp_box_function (rows, box, trace, wp_workspace_analysis (self)), module;

  if (kind == WP_HIDE_FUNCTION)
    return function != 0 ? wp_trace_function_name (trace, function) : NULL;
  if (function == 0 && self->state.options.depth == WP_DEPTH_WAITS)
    return NULL;
  module = wp_box_module (rows, box, trace, wp_workspace_analysis (self));
  return module != 0 ? wp_trace_module_name (trace, module) : NULL;
}

void
wp_workspace_unhide (WpWorkspace *self, guint32 rule)
{
  WpHideRules *rules = wp_hide_rules_copy (wp_workspace_hide_rules (self));

  wp_hide_rules_remove (rules, rule);
  change_rules (self, rules);
}

void
wp_workspace_unhide_all (WpWorkspace *self)
{
  if (self->state.hide != NULL)
    change_rules (self, wp_hide_rules_copy (NULL));
}

/* --- depth --- */

WpDepth
wp_workspace_depth (WpWorkspace *self)
{
  return self->state.options.depth;
}

void
wp_workspace_set_depth (WpWorkspace *self, WpDepth depth)
{
  if (depth == self->state.options.depth && self->state.opened == NULL)
    return;
  wp_workspace_keep (self);
  self->state.options.depth = depth;
  g_clear_pointer (&self->state.opened, wp_shared_unref);
  wp_workspace_analyse_again (self);
}

/* A copy of what is open, to be changed; set_opened() takes it. NULL: there is nothing to open. */
static guint8 *
copy_opened (WpWorkspace *self)
{
  const WpTrace *trace = wp_workspace_trace (self);
  guint8 *opened;

  if (trace == NULL || self->whole == NULL || (self->state.options.depth == WP_DEPTH_ALL && self->state.hide == NULL))
    return NULL;
  opened = g_new0 (guint8, MAX (trace->stacks.len, 1));
  if (self->state.opened != NULL)
    memcpy (opened, wp_shared_get (self->state.opened), trace->stacks.len);
  return opened;
}

/* FALSE: that is what was open before, and nothing is analysed again. */
static gboolean
set_opened (WpWorkspace *self, guint8 *opened)
{
  guint32 n = wp_workspace_trace (self)->stacks.len;
  const guint8 *before = wp_shared_get (self->state.opened);
  gboolean any = FALSE, differs = FALSE;

  for (guint32 s = 0; s < n; s++)
    {
      any |= opened[s] != 0;
      differs |= opened[s] != (before != NULL ? before[s] : 0);
    }
  if (!differs)
    {
      g_free (opened);
      return FALSE;
    }
  wp_shared_unref (self->state.opened);
  self->state.opened = wp_shared_new (opened, g_free);
  if (!any)
    g_clear_pointer (&self->state.opened, wp_shared_unref);
  wp_workspace_analyse_again (self);
  return TRUE;
}

void
wp_workspace_open_folds (WpWorkspace *self, const WpRows *rows, guint32 hidden)
{
  guint8 *opened = hidden != 0 ? copy_opened (self) : NULL;

  if (opened == NULL)
    return;
  for (guint32 h = hidden; h != 0; h = rows->hidden.data[h].next)
    opened[rows->hidden.data[h].inner] |= WP_OPENED_BY_HAND;
  wp_workspace_keep (self);
  set_opened (self, opened);
}

/* What was opened for another text, and has nothing of this one, is closed again. */
gboolean
wp_workspace_open_matching (WpWorkspace *self, const char *text)
{
  const WpAnalysis *analysis = wp_workspace_analysis (self);
  guint8 *opened = copy_opened (self);
  g_autofree guint32 *matching = NULL;

  if (opened == NULL)
    return FALSE;
  matching = wp_search_matching_stacks (wp_workspace_trace (self), text);
  for (WpId s = 1; s < wp_workspace_trace (self)->stacks.len; s++)
    if (matching[s] == 0)
      opened[s] &= WP_OPENED_BY_HAND;
  for (guint i = 0; i < 2; i++)
    {
      const WpRows *rows = wp_shared_get (i == 0 ? analysis->flame : analysis->consolidated);

      for (guint32 h = 1; rows != NULL && h < rows->hidden.len; h++)
        if (wp_search_is_hidden (matching, &rows->hidden.data[h]))
          opened[rows->hidden.data[h].inner] |= WP_OPENED_BY_SEARCH;
    }
  return set_opened (self, opened);
}

void
wp_workspace_close_found (WpWorkspace *self)
{
  guint8 *opened = self->state.opened != NULL ? copy_opened (self) : NULL;

  if (opened == NULL)
    return;
  for (WpId s = 0; s < wp_workspace_trace (self)->stacks.len; s++)
    opened[s] &= WP_OPENED_BY_HAND;
  set_opened (self, opened);
}

/* --- what is waited for in other lanes --- */

gboolean
wp_workspace_can_turn_ghost (WpWorkspace *self, WpId part)
{
  const WpAnalysis *analysis = wp_workspace_analysis (self);

  return analysis != NULL && part != 0 && part < analysis->paths->parts.len && wp_part_waits_elsewhere (&analysis->paths->parts.data[part]);
}

void
wp_workspace_turn_ghost (WpWorkspace *self, WpId part)
{
  const GArray *before = wp_shared_get (self->state.ghosts);
  GArray *ghosts = before != NULL ? g_array_copy ((GArray *) before) : g_array_new (FALSE, FALSE, sizeof (WpId));
  WpId op = wp_workspace_analysis (self)->paths->parts.data[part].op;
  guint at;

  wp_workspace_keep (self);
  if (g_array_binary_search (ghosts, &op, wp_compare_ids, &at))
    g_array_remove_index (ghosts, at);
  else
    {
      g_array_append_val (ghosts, op);
      g_array_sort (ghosts, wp_compare_ids);
    }
  wp_shared_unref (self->state.ghosts);
  self->state.ghosts = wp_shared_new (ghosts, (GDestroyNotify) g_array_unref);
  wp_workspace_analyse_again (self);
}

/* --- options, rows of Processes --- */

gboolean
wp_workspace_option (WpWorkspace *self, WpOption option)
{
  return self->state.options.on[option];
}

void
wp_workspace_set_option (WpWorkspace *self, WpOption option, gboolean on)
{
  if (self->state.options.on[option] == on)
    return;
  wp_workspace_keep (self);
  self->state.options.on[option] = on;
  if (wp_option_of (option) == WP_OPTION_OF_PROCESSES)
    wp_workspace_lay_out (self);
  else if (wp_option_of (option) == WP_OPTION_BESIDE)
    wp_workspace_tell (self, WP_WORKSPACE_CHANGED);
  else
    wp_workspace_analyse_again (self);
}

void
wp_workspace_set_sort (WpWorkspace *self, WpSort sort)
{
  if (sort == self->state.options.sort)
    return;
  wp_workspace_keep (self);
  self->state.options.sort = sort;
  wp_workspace_lay_out (self);
}

WpSort
wp_workspace_sort (WpWorkspace *self)
{
  return self->state.options.sort;
}

/* What goes on being typed is one change. */
void
wp_workspace_set_filter (WpWorkspace *self, const char *filter)
{
  const char *before = wp_workspace_filter (self);

  if (g_str_equal (filter, before))
    return;
  if (!self->filtering || *before == '\0' || !g_str_has_prefix (filter, before))
    wp_workspace_keep (self);
  self->filtering = TRUE;
  g_free (self->state.options.filter);
  self->state.options.filter = *filter != '\0' ? g_strdup (filter) : NULL;
  wp_workspace_lay_out (self);
}

const char *
wp_workspace_filter (WpWorkspace *self)
{
  return self->state.options.filter != NULL ? self->state.options.filter : "";
}

/* Puts a key behind the others, or takes it away. */
static void
turn (WpKeys *keys, gint32 key)
{
  for (guint32 i = 0; i < keys->len; i++)
    if (keys->data[i] == key)
      {
        memmove (keys->data + i, keys->data + i + 1, (--keys->len - i) * sizeof *keys->data);
        return;
      }
  wp_array_push (keys, key);
}

void
wp_workspace_turn_row (WpWorkspace *self, gint32 key)
{
  wp_workspace_keep (self);
  turn (&self->state.options.turned, key);
  wp_workspace_lay_out (self);
}

void
wp_workspace_pin_row (WpWorkspace *self, gint32 key)
{
  wp_workspace_keep (self);
  turn (&self->state.options.pinned, key);
  wp_workspace_lay_out (self);
}

/* --- colours --- */

WpColors
wp_workspace_colors (WpWorkspace *self)
{
  return self->state.options.colors;
}

void
wp_workspace_set_colors (WpWorkspace *self, WpColors colors)
{
  gboolean by_module;

  if (colors == self->state.options.colors)
    return;
  by_module = colors == WP_COLORS_MODULE || self->state.options.colors == WP_COLORS_MODULE;
  wp_workspace_keep (self);
  self->state.options.colors = colors;
  if (by_module) /* boxes know their modules instead of their processes */
    wp_workspace_analyse_again (self);
  else
    wp_workspace_tell (self, WP_WORKSPACE_CHANGED);
}

/* --- view, undo --- */

int
wp_workspace_view (WpWorkspace *self)
{
  return self->state.view;
}

void
wp_workspace_set_view (WpWorkspace *self, int view)
{
  gboolean first = !self->viewed;

  self->viewed = TRUE;
  if (view == self->state.view)
    return;
  if (!first)
    wp_workspace_keep (self);
  self->state.view = view;
}

void
wp_workspace_range (WpWorkspace *self, gint64 *from, gint64 *to)
{
  *from = self->state.from;
  *to = self->state.to;
}

gboolean
wp_workspace_can_undo (WpWorkspace *self)
{
  return self->past.len > 0;
}

/* What goes back to what is there already, as after another way back, is passed over. */
void
wp_workspace_undo (WpWorkspace *self)
{
  self->filtering = FALSE;
  while (self->past.len > 0)
    {
      WpViewState before = self->past.data[--self->past.len];
      WpViewStateChange change = wp_view_state_compare (&before, &self->state);

      wp_view_state_clear (&self->state);
      self->state = before;
      if (!change.any)
        continue;
      wp_workspace_tell (self, WP_WORKSPACE_UNDONE);
      if (change.hide)
        wp_workspace_tell (self, WP_WORKSPACE_HIDE_CHANGED);
      if (change.cuts || change.task)
        wp_workspace_tell (self, WP_WORKSPACE_CUTS_CHANGED);
      if (change.processes)
        wp_workspace_lay_out (self);
      if (change.task)
        wp_workspace_analyse (self, FALSE);
      else if (change.analysis)
        wp_workspace_analyse_again (self);
      else if (change.range)
        wp_workspace_explain_range (self);
      break;
    }
  wp_workspace_tell (self, WP_WORKSPACE_CHANGED);
}
