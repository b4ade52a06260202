/* Sources and instructions with their values, in one process: a program that is compiled here, and a profile of it. Needs a display. */
#include <adwaita.h>

#include "../unit/program.h"
#include "app/stacks/source-view.h"
#include "config.h"
#include "main-loop.h"
#include "read/symbols/instructions.h"
#include "source-profile.h"

static const char *screenshots; /* folder, or NULL */
static char *source, *program, *build_id;

typedef struct
{
  GtkWidget *window;
  WpSourceView *view;
} Fixture;

/* --- what is shown -------------------------------------------------------------------------------------------------- */

static GtkWidget *
find (GtkWidget *widget, GType type, const char *text)
{
  GtkWidget *found = NULL;

  if (G_TYPE_CHECK_INSTANCE_TYPE (widget, type) && gtk_widget_get_mapped (widget)
      && (text == NULL || (GTK_IS_LABEL (widget) && strstr (gtk_label_get_text (GTK_LABEL (widget)), text) != NULL)))
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); found == NULL && child != NULL; child = gtk_widget_get_next_sibling (child))
    found = find (child, type, text);
  return found;
}

static GtkTextView *
text_view (Fixture *f)
{
  return (GtkTextView *) find (f->window, GTK_TYPE_TEXT_VIEW, NULL);
}

static char *
text_of (Fixture *f)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (text_view (f));
  GtkTextIter start, end;

  gtk_text_buffer_get_bounds (buffer, &start, &end);
  return gtk_text_buffer_get_text (buffer, &start, &end, TRUE);
}

/* The line with the cursor, as it is shown. */
static char *
line_at_cursor (Fixture *f)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (text_view (f));
  GtkTextIter start, end;

  gtk_text_buffer_get_iter_at_mark (buffer, &start, gtk_text_buffer_get_insert (buffer));
  gtk_text_iter_set_line_offset (&start, 0);
  end = start;
  gtk_text_iter_forward_to_line_end (&end);
  return gtk_text_buffer_get_text (buffer, &start, &end, TRUE);
}

/* Pictures to be looked at. */
static void
take_picture (Fixture *f, const char *name)
{
  for (int dark = 0; screenshots != NULL && dark < 2; dark++)
    {
      g_autofree char *path = g_strdup_printf ("%s/%s-%s.png", screenshots, name, dark ? "dark" : "light");
      int width = gtk_widget_get_width (f->window), height = gtk_widget_get_height (f->window);
      g_autoptr (GdkPaintable) paintable = gtk_widget_paintable_new (f->window);
      cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, width, height);
      cairo_t *cr = cairo_create (surface);
      GtkSnapshot *snapshot = gtk_snapshot_new ();
      GskRenderNode *node;

      adw_style_manager_set_color_scheme (adw_style_manager_get_default (), dark ? ADW_COLOR_SCHEME_FORCE_DARK : ADW_COLOR_SCHEME_FORCE_LIGHT);
      run_for (400);
      gdk_paintable_snapshot (paintable, snapshot, width, height);
      node = gtk_snapshot_free_to_node (snapshot);
      gsk_render_node_draw (node, cr);
      gsk_render_node_unref (node);
      g_assert_cmpint (cairo_surface_write_to_png (surface, path), ==, CAIRO_STATUS_SUCCESS);
      cairo_destroy (cr);
      cairo_surface_destroy (surface);
    }
  adw_style_manager_set_color_scheme (adw_style_manager_get_default (), ADW_COLOR_SCHEME_DEFAULT);
}

/* --- fixture -------------------------------------------------------------------------------------------------------- */

static void
set_up (Fixture *f, gconstpointer data)
{
  f->window = gtk_window_new ();
  f->view = WP_SOURCE_VIEW (wp_source_view_new ());
  gtk_window_set_default_size (GTK_WINDOW (f->window), 900, 560);
  gtk_window_set_child (GTK_WINDOW (f->window), GTK_WIDGET (f->view));
  gtk_window_present (GTK_WINDOW (f->window));
  RUN_UNTIL (gtk_widget_get_width (GTK_WIDGET (f->view)) >= 100);
  wp_source_view_set_disassembly (f->view, FALSE);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  gtk_window_destroy (GTK_WINDOW (f->window));
  run_for (20);
}

static void
show (Fixture *f, const char *path, const char *program_of_it, const char *function)
{
  g_autoptr (WpShared) stacks
    = wp_shared_new (primes_profile (path, program_of_it, build_id, program_symbol), (GDestroyNotify) wp_stacks_unref);

  wp_source_view_show (f->view, stacks, &(WpSourceRequest) { .function = function });
}

/* --- tests ---------------------------------------------------------------------------------------------------------- */

static void
test_nothing (Fixture *f, gconstpointer data)
{
  g_assert_nonnull (find (f->window, GTK_TYPE_LABEL, "No Function Chosen"));
  g_assert_null (find (f->window, GTK_TYPE_TOGGLE_BUTTON, NULL));
}

static void
test_source (Fixture *f, gconstpointer data)
{
  const char *described = "26: itself 450 ms (45.0 %), with all it called 450 ms (45.0 %)";
  g_autofree char *text = NULL, *hottest = NULL;

  show (f, source, program, "mark_multiples");
  RUN_UNTIL (text_view (f) != NULL);
  text = text_of (f);
  hottest = line_at_cursor (f);
  g_assert_true (g_str_has_prefix (text, "mark_multiples (Sieve"));
  g_assert_nonnull (strstr (text, "self->marked[i] = 1;"));
  g_assert_cmpstr (g_strstrip (hottest), ==, "self->marked[i] = 1;");
  g_assert_nonnull (find (f->window, GTK_TYPE_LABEL, "self 600 ms, total 700 ms (70.0 %)"));
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (text_view (f)), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, described);
  take_picture (f, "source");
}

/* The line that took most comes into sight. */
static void
test_scrolled (Fixture *f, gconstpointer data)
{
  GdkRectangle visible = { 0 }, cursor;

  gtk_window_set_default_size (GTK_WINDOW (f->window), 640, 200);
  RUN_UNTIL (gtk_widget_get_height (f->window) <= 200);
  show (f, source, program, "count_primes");
  RUN_UNTIL (text_view (f) != NULL);
  do
    {
      GtkTextBuffer *buffer = gtk_text_view_get_buffer (text_view (f));
      GtkTextIter at;

      g_main_context_iteration (NULL, TRUE);
      gtk_text_buffer_get_iter_at_mark (buffer, &at, gtk_text_buffer_get_insert (buffer));
      gtk_text_view_get_iter_location (text_view (f), &at, &cursor);
      gtk_text_view_get_visible_rect (text_view (f), &visible);
    }
  while (visible.y == 0 || cursor.y < visible.y || cursor.y + cursor.height > visible.y + visible.height);
  take_picture (f, "narrow");
}

/* Another function at once: what was asked for last is shown. */
static void
test_another (Fixture *f, gconstpointer data)
{
  g_autofree char *text = NULL;

  show (f, source, program, "mark_multiples");
  show (f, source, program, "count_primes");
  RUN_UNTIL (text_view (f) != NULL);
  text = text_of (f);
  g_assert_true (g_str_has_prefix (text, "count_primes (Sieve"));
  wp_source_view_clear (f->view);
  g_assert_nonnull (find (f->window, GTK_TYPE_LABEL, "No Function Chosen"));
}

static void
test_code (Fixture *f, gconstpointer data)
{
  g_autofree char *text = NULL, *hottest = NULL;

  show (f, source, program, "mark_multiples");
  wp_source_view_set_disassembly (f->view, TRUE);
  if (!wp_can_disassemble ())
    {
      RUN_UNTIL (find (f->window, GTK_TYPE_LABEL, "without capstone") != NULL);
      return;
    }
  RUN_UNTIL (text_view (f) != NULL);
  text = text_of (f);
  hottest = line_at_cursor (f);
  g_assert_true (g_str_has_prefix (text, "mark_multiples\n"));
  g_assert_nonnull (strstr (text, "primes.c:26  self->marked[i] = 1;\n"));
  g_assert_cmpstr (g_strstrip (hottest), !=, "");
  take_picture (f, "code");
  wp_source_view_set_disassembly (f->view, FALSE);
  RUN_UNTIL (text_view (f) != NULL && find (f->window, GTK_TYPE_LABEL, "primes.c") != NULL);
}

static void
test_no_code (Fixture *f, gconstpointer data)
{
  show (f, source, NULL, "count_primes");
  wp_source_view_set_disassembly (f->view, TRUE);
  RUN_UNTIL (find (f->window, GTK_TYPE_LABEL, "No Addresses") != NULL);
  take_picture (f, "no-addresses");
}

static void
open_folders (Fixture *f)
{
  gtk_menu_button_popup (GTK_MENU_BUTTON (find (f->window, GTK_TYPE_MENU_BUTTON, NULL)));
  RUN_UNTIL (find (f->window, ADW_TYPE_ACTION_ROW, NULL) != NULL);
}

/* The lines that have values are there; and the file, when its folder is known. */
static void
test_missing (Fixture *f, gconstpointer data)
{
  g_autofree char *before = NULL, *after = NULL;

  show (f, "/nowhere/project/src/primes.c", program, "mark_multiples");
  RUN_UNTIL (find (f->window, GTK_TYPE_LABEL, "Source Not Found") != NULL);
  before = text_of (f);
  g_assert_cmpstr (before, ==, "\n\n");
  g_assert_nonnull (find (f->window, GTK_TYPE_LABEL, "/nowhere/project/src/primes.c"));
  take_picture (f, "missing");
  wp_source_view_add_folder (f->view, "/usr/include");
  RUN_UNTIL (find (f->window, GTK_TYPE_LABEL, "primes.c is not in /usr/include") != NULL);
  g_assert_nonnull (find (f->window, GTK_TYPE_LABEL, "Source Not Found"));
  wp_source_view_add_folder (f->view, program_folder);
  RUN_UNTIL (find (f->window, GTK_TYPE_LABEL, "Source Not Found") == NULL && text_view (f) != NULL);
  after = text_of (f);
  g_assert_nonnull (strstr (after, "self->marked[i] = 1;"));

  /* the next function of that project is found at once */
  show (f, "/nowhere/project/src/primes.c", program, "count_primes");
  RUN_UNTIL (find (f->window, GTK_TYPE_LABEL, "count_primes") != NULL && text_view (f) != NULL);
  g_assert_null (find (f->window, GTK_TYPE_LABEL, "Source Not Found"));

  /* until its folder is forgotten */
  open_folders (f);
  g_assert_nonnull (find (f->window, GTK_TYPE_LABEL, "instead of /nowhere/project/src"));
  gtk_widget_activate (find (find (f->window, ADW_TYPE_ACTION_ROW, NULL), GTK_TYPE_BUTTON, NULL));
  RUN_UNTIL (find (f->window, GTK_TYPE_LABEL, "Source Not Found") != NULL);
  g_assert_null (find (f->window, GTK_TYPE_MENU_BUTTON, NULL));
}

static void
test_unknown_file (Fixture *f, gconstpointer data)
{
  show (f, "", program, "mark_multiples");
  RUN_UNTIL (find (f->window, GTK_TYPE_LABEL, "does not say which file") != NULL);
  g_assert_null (find (f->window, GTK_TYPE_BUTTON, "Choose Folder"));
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *path;
    void (*test) (Fixture *, gconstpointer);
  } tests[] = {
    { "/source-view/nothing", test_nothing },   { "/source-view/source", test_source },
    { "/source-view/scrolled", test_scrolled }, { "/source-view/another", test_another },
    { "/source-view/code", test_code },         { "/source-view/no-code", test_no_code }, { "/source-view/missing", test_missing },
    { "/source-view/unknown-file", test_unknown_file },
  };
  g_autoptr (GtkCssProvider) style = NULL;
  g_autoptr (WpElfFile) file = NULL;

  gtk_test_init (&argc, &argv, NULL);
  adw_init ();
  style = gtk_css_provider_new ();
  gtk_css_provider_load_from_resource (style, "/org/wakepath/Wakepath/style.css");
  gtk_style_context_add_provider_for_display (gdk_display_get_default (), GTK_STYLE_PROVIDER (style), GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
  screenshots = argc > 1 ? argv[1] : NULL;
  if (screenshots != NULL)
    g_mkdir_with_parents (screenshots, 0777);
  file = primes_build (&source, &program);
  build_id = file->build_id;
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].path, Fixture, NULL, set_up, tests[i].test, tear_down);
  return program_tests ();
}
