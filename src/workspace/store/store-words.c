#include "workspace/store/store-words.h"

#include <glib/gi18n.h>

static const struct
{
  const char *icon, *title, *text; /* %s in the text: the folder's name; NULL: the session's own message */
  const char *create;
} emptiness[] = {
  [WP_STORE_NO_FOLDER] = { "folder-symbolic", N_ ("No Folder Chosen"),
                           N_ ("Choose the folder of a project to see the profiles of its commits."), NULL },
  [WP_STORE_NO_VCS] = { "folder-symbolic", N_ ("Not a Git Repository"),
                        N_ ("“%s” is not under version control. Profiles are kept with commits."),
                        N_ ("Create Repository and Store") },
  [WP_STORE_NO_STORE] = { "folder-new-symbolic", N_ ("No Store Yet"),
                          N_ ("Profiles of “%s” can be kept with its commits, in a folder named .perun."), N_ ("Create Store") },
  [WP_STORE_REFUSED] = { "changes-prevent-symbolic", N_ ("Another User’s Repository"), NULL, NULL },
  [WP_STORE_UNREADABLE] = { "dialog-error-symbolic", N_ ("Cannot Read the Store"), NULL, NULL },
  [WP_STORE_OPEN] = { "document-edit-symbolic", N_ ("No Commits Yet"),
                      N_ ("“%s” has no commit. Profiles are kept with commits: make the first one."), NULL },
};

/* An open store has nothing to list where its repository has no commit and nothing is pending. */
WpStorePlace
wp_store_place (WpStoreModel *model)
{
  const WpStoreSession *session = wp_store_model_session (model);
  const WpStoreReading *last = wp_store_model_last (model);
  WpStoreRows *rows = wp_store_model_rows (model);

  if (wp_store_model_failure (model) != NULL)
    return WP_STORE_PLACE_EMPTY;
  if (session == NULL)
    return WP_STORE_PLACE_BUSY;
  if (last == NULL || (*last->head == '\0' && session->vcs != NULL && last->pending->len == 0))
    return WP_STORE_PLACE_EMPTY;
  if (g_list_model_get_n_items (G_LIST_MODEL (rows)) == 0 && wp_store_rows_is_filtered (rows) && !wp_store_model_is_reading (model))
    return WP_STORE_PLACE_NOTHING;
  return WP_STORE_PLACE_LIST;
}

void
wp_store_emptiness (WpStoreModel *model, WpStoreEmptiness *out)
{
  const char *failure = wp_store_model_failure (model), *folder = wp_store_model_folder (model);
  const WpStoreSession *session = wp_store_model_session (model);
  WpStoreState state = failure != NULL ? WP_STORE_UNREADABLE : session->state;
  const char *message = failure != NULL ? failure : session->message, *text = emptiness[state].text;
  g_autofree char *name = folder != NULL ? g_path_get_basename (folder) : g_strdup ("");
  g_auto (GStrv) pieces = text != NULL ? g_strsplit (_(text), "%s", 2) : NULL;

  *out = (WpStoreEmptiness) { .icon = emptiness[state].icon, .title = _(emptiness[state].title), .choose = state != WP_STORE_OPEN };
  out->text = pieces != NULL ? g_strjoinv (name, pieces) : g_strdup (message != NULL ? message : "");
  out->create = emptiness[state].create != NULL ? _(emptiness[state].create) : NULL;
}

char *
wp_store_position (WpStoreModel *model)
{
  static const char *const states[]
    = { [WP_STORE_TREE_CLEAN] = N_ ("no changes"), [WP_STORE_TREE_DIRTY] = N_ ("uncommitted changes") };
  const WpStoreReading *last = wp_store_model_last (model);
  WpStoreTree tree = wp_store_model_tree (model);
  gboolean detached = g_strcmp0 (last->head_branch, "HEAD") == 0;
  g_autofree char *at = NULL;

  if (*last->head == '\0')
    at = g_strdup (_("no commit yet"));
  else if (detached || last->head_branch == NULL)
    at = g_strdup_printf (_("HEAD is detached at %.7s"), last->head);
  else /* Translators: a branch and a commit */
    at = g_strdup_printf (_("HEAD is %s at %.7s"), last->head_branch, last->head);
  return tree == WP_STORE_TREE_UNKNOWN ? g_steal_pointer (&at) : g_strdup_printf ("%s · %s", at, _(states[tree]));
}

const char *
wp_store_notice_text (WpStoreModel *model, gboolean *asks)
{
  const WpStoreSession *session = wp_store_model_session (model);
  const WpStoreReading *last = wp_store_model_last (model);

  *asks = session != NULL && session->asked != NULL;
  if (*asks)
    return _("This store’s settings name another repository. Its commits are shown once you trust it.");
  return last != NULL ? last->notice : NULL;
}
