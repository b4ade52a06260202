/* What the details pane and tooltips say about a box, without a window. */
#include <pango/pango.h>

#include "workspace-model.h"
#include "workspace/file/boxes.h"
#include "workspace/file/details-text.h"

/* Links are GTK's, on top of Pango's markup. */
static char *
shown_text (const char *markup)
{
  g_autoptr (GRegex) links = g_regex_new ("</?a( href=\"[^\"]*\")?>", 0, 0, NULL);
  g_autofree char *without = g_regex_replace_literal (links, markup, -1, 0, "", 0, NULL);
  g_autoptr (GError) error = NULL;
  char *text = NULL;

  pango_parse_markup (without, -1, 0, NULL, &text, NULL, &error);
  g_assert_no_error (error);
  return text;
}

/* Names in a trace may hold anything that markup gives a meaning to. */
static void
test_details (void)
{
  Model model;

  model_init (&model);
  for (guint view = 0; view < 3; view++)
    {
      g_autoptr (WpRows) rows = layout (&model, view);

      for (guint32 i = 0; i < rows->boxes.len; i++)
        {
          WpId part = wp_box_part (&rows->boxes.data[i], &model.analysis, 0, G_MAXINT64, NULL);
          WpDetailsRequest request = { .rows = rows, .box = i, .part = part, .n_parts = 2, .trace = model.trace,
                                       .analysis = &model.analysis };
          g_autoptr (WpDetailsText) text = wp_details_text_new (&request);
          g_autoptr (WpDetailsText) bare = wp_details_text_new (&(WpDetailsRequest) { .rows = rows, .box = i });
          g_autofree char *plain = wp_details_text_plain (text);
          g_autofree char *tip = wp_box_tooltip (rows, i, part, model.trace, &model.analysis);
          const char *const markup[] = { text->stack, text->woken_by, text->woke };

          for (guint k = 0; k < G_N_ELEMENTS (markup); k++)
            if (markup[k] != NULL)
              {
                g_autofree char *shown = shown_text (markup[k]);

                g_assert_cmpstr (shown, !=, "");
              }
          g_assert_cmpstr (text->title, ==, wp_strings_get (rows->strings, rows->boxes.data[i].label));
          g_assert_true (g_str_has_prefix (plain, text->title));
          g_assert_null (strstr (plain, "<a href"));
          g_assert_true (g_str_has_prefix (tip, text->title));
          g_assert_cmpuint (bare->facts.len, >=, 2);
          g_assert_null (bare->stack);
        }
    }
  model_clear (&model);
}

/* Frames whose lines nobody has looked up are asked for; what is found stands behind their names. */
static void
test_sources (void)
{
  Model model;
  g_autoptr (WpRows) rows = NULL;
  WpSources *sources = wp_sources_new ();
  GHashTable *found = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  WpDetailsRequest request = { .sources = sources };
  WpDetailsText *text = NULL;
  const char *markup;

  model_init (&model);
  rows = layout (&model, 1);
  request = (WpDetailsRequest) { .rows = rows, .trace = model.trace, .analysis = &model.analysis, .sources = sources };
  for (guint32 i = 0; i < rows->boxes.len && (text == NULL || text->frames->len == 0); i++)
    {
      g_clear_pointer (&text, wp_details_text_free);
      request.box = i;
      request.part = wp_box_part (&rows->boxes.data[i], &model.analysis, 0, G_MAXINT64, NULL);
      text = wp_details_text_new (&request);
    }
  g_assert_cmpuint (text->frames->len, >, 0);
  for (guint i = 0; i < text->frames->len; i++)
    g_hash_table_insert (found, GUINT_TO_POINTER (g_array_index (text->frames, WpId, i)),
                         i == 0 ? g_strdup (" here.c:12") : NULL);
  g_assert_false (wp_sources_get (sources, g_array_index (text->frames, WpId, 0), &markup));
  g_assert_true (wp_sources_add (sources, found));
  g_assert_false (wp_sources_add (sources, NULL));
  wp_details_text_free (text);
  text = wp_details_text_new (&request);
  g_assert_cmpuint (text->frames->len, ==, 0);
  g_assert_nonnull (strstr (text->stack, " here.c:12"));
  wp_details_text_free (text);
  wp_sources_free (sources);
  model_clear (&model);
}

/* Every link of every box leads to what is there. */
static void
follow_links (const WpTrace *trace, const char *markup, guint *n)
{
  g_autoptr (GRegex) links = g_regex_new ("<a href=\"([^\"]*)\">", 0, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;

  for (gboolean more = g_regex_match (links, markup, 0, &match); more; more = g_match_info_next (match, NULL))
    {
      g_autofree char *uri = g_match_info_fetch (match, 1);
      WpId id = 0;
      WpLinkTarget target = wp_details_link (uri, trace, &id);

      if (wp_details_link_name (uri) != NULL)
        g_assert_cmpint (target, ==, WP_LINK_NOWHERE);
      else
        g_assert_cmpint (target, ==, g_str_has_prefix (uri, "op:") ? WP_LINK_TO_OP : WP_LINK_TO_TASK);
      ++*n;
    }
}

static void
test_links (void)
{
  Model model;
  g_autoptr (WpRows) rows = NULL;
  guint n = 0;

  model_init (&model);
  rows = layout (&model, 1);
  for (guint32 i = 0; i < rows->boxes.len; i++)
    {
      WpSelection selection = wp_select_box (rows, i, model.trace, &model.analysis, 0, 1e18);
      g_autoptr (WpDetailsText) text = wp_details_text_new (&(WpDetailsRequest) { .rows = rows, .box = i, .part = selection.part,
                                                                                  .n_parts = selection.n_parts, .trace = model.trace,
                                                                                  .analysis = &model.analysis });

      for (guint32 f = 0; f < text->facts.len; f++)
        follow_links (model.trace, text->facts.data[f].markup, &n);
      follow_links (model.trace, text->stack != NULL ? text->stack : "", &n);
      follow_links (model.trace, text->woken_by != NULL ? text->woken_by : "", &n);
      follow_links (model.trace, text->woke != NULL ? text->woke : "", &n);
    }
  g_assert_cmpuint (n, >, 50);
  model_clear (&model);
}

static void
test_bad_links (void)
{
  static const char *const bad[] = { "", "op", "op:", "op:0", "op:-1", "op:x", "op:99999999", "task:0", "task:99999999999999999999", "page:1", "find:x" };
  Model model;
  WpId id = 0;

  model_init (&model);
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    g_assert_cmpint (wp_details_link (bad[i], model.trace, &id), ==, WP_LINK_NOWHERE);
  g_assert_cmpint (wp_details_link ("op:1", NULL, &id), ==, WP_LINK_NOWHERE); /* symbols are being read */
  g_assert_cmpint (wp_details_link ("op:1", model.trace, &id), ==, WP_LINK_TO_OP);
  g_assert_cmpuint (id, ==, 1);
  g_assert_cmpstr (wp_details_link_name ("find:operator<"), ==, "operator<");
  g_assert_null (wp_details_link_name ("op:1"));
  model_clear (&model);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/details/text", test_details);
  g_test_add_func ("/details/sources", test_sources);
  g_test_add_func ("/details/links", test_links);
  g_test_add_func ("/details/bad-links", test_bad_links);
  return g_test_run ();
}
