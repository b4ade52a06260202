#include "workspace/file/sources.h"

#include <glib/gi18n.h>

#include "base/hash.h"
#include "profile/model/document.h"
#include "read/symbols/source-lines.h"

/* What the worker keeps open. A worker that was dropped may still be in it when the next one starts. */
typedef struct
{
  GMutex lock;
  WpSourceLines *lines; /* made when first needed */
} Reader;

struct WpSources
{
  WpShared *reader;
  GHashTable *markup; /* frame → char *, NULL: looked up in vain */
};

typedef struct
{
  WpShared *reader, *document;
  GArray *frames;
} Request;

static void
reader_free (gpointer data)
{
  Reader *self = data;

  g_clear_pointer (&self->lines, wp_source_lines_free);
  g_mutex_clear (&self->lock);
  g_free (self);
}

WpSources *
wp_sources_new (void)
{
  WpSources *self = g_new0 (WpSources, 1);
  Reader *reader = g_new0 (Reader, 1);

  g_mutex_init (&reader->lock);
  self->reader = wp_shared_new (reader, reader_free);
  self->markup = g_hash_table_new_full (wp_hash_pointer, NULL, NULL, g_free);
  return self;
}

void
wp_sources_free (WpSources *self)
{
  wp_shared_unref (self->reader);
  g_hash_table_unref (self->markup);
  g_free (self);
}

gboolean
wp_sources_get (const WpSources *self, WpId frame, const char **markup)
{
  gpointer found = NULL;
  gboolean known = g_hash_table_lookup_extended (self->markup, GUINT_TO_POINTER (frame), NULL, &found);

  *markup = found;
  return known;
}

static void
request_free (gpointer data)
{
  Request *self = data;

  wp_shared_unref (self->reader);
  wp_shared_unref (self->document);
  g_array_unref (self->frames);
  g_free (self);
}

/* "file.c:12" and the functions that were inlined there, innermost first: on the frame's own line, so that nothing moves
 * when it arrives. */
static char *
lines_markup (const GArray *lines)
{
  GString *s = g_string_new ("  <span alpha=\"75%\" size=\"smaller\">");
  const WpSourceLine *line = &g_array_index (lines, WpSourceLine, 0);
  gsize empty = s->len;

  if (line->file != NULL)
    {
      g_autofree char *file = g_path_get_basename (line->file);
      g_autofree char *escaped = g_markup_escape_text (file, -1);

      g_string_append (s, escaped);
      if (line->line > 0)
        g_string_append_printf (s, ":%u", line->line);
    }
  for (guint i = 0; i < lines->len; i++)
    {
      const WpSourceLine *inlined = &g_array_index (lines, WpSourceLine, i);
      g_autofree char *name = NULL;

      if (!inlined->inlined || inlined->function == NULL)
        continue;
      name = g_markup_escape_text (inlined->function, -1);
      /* Translators: a function that the compiler put into the one before this text */
      g_string_append_printf (s, _(" · inlined: %s"), name);
    }
  if (s->len == empty)
    return g_string_free (s, TRUE);
  g_string_append (s, "</span>");
  return g_string_free (s, FALSE);
}

static gpointer
run (gpointer data, WpProgress *progress, GError **error)
{
  const Request *request = data;
  const WpDocument *document = wp_shared_get (request->document);
  Reader *reader = wp_shared_get (request->reader);
  GHashTable *found = g_hash_table_new_full (wp_hash_pointer, NULL, NULL, g_free);
  gboolean going_on = TRUE;

  g_mutex_lock (&reader->lock);
  if (reader->lines == NULL)
    reader->lines = wp_source_lines_new (NULL);
  for (guint i = 0; i < request->frames->len && going_on; i++)
    {
      WpId frame = g_array_index (request->frames, WpId, i);
      const GArray *lines = wp_source_lines_find (reader->lines, document->trace, frame);

      g_hash_table_insert (found, GUINT_TO_POINTER (frame), lines != NULL && lines->len > 0 ? lines_markup (lines) : NULL);
      going_on = wp_progress_step (progress, (double) i / request->frames->len, error);
    }
  g_mutex_unlock (&reader->lock);
  if (!going_on)
    g_clear_pointer (&found, g_hash_table_unref);
  return found;
}

WpWorker *
wp_sources_start (WpSources *self, WpShared *document, const GArray *frames, WpWorkerDone done, gpointer user_data)
{
  Request *request = g_new0 (Request, 1);

  request->reader = wp_shared_ref (self->reader);
  request->document = wp_shared_ref (document);
  request->frames = g_array_copy ((GArray *) frames);
  return wp_worker_start (&(WpWorkerSpec) { .run = run,
                                            .done = done,
                                            .data = request,
                                            .free_data = request_free,
                                            .free_result = (GDestroyNotify) g_hash_table_unref,
                                            .user_data = user_data });
}

gboolean
wp_sources_add (WpSources *self, gpointer result)
{
  GHashTable *found = result;
  GHashTableIter iter;
  gpointer frame, markup;
  gboolean news = FALSE;

  if (found == NULL)
    return FALSE;
  g_hash_table_iter_init (&iter, found);
  while (g_hash_table_iter_next (&iter, &frame, &markup))
    {
      g_hash_table_iter_steal (&iter);
      g_hash_table_insert (self->markup, frame, markup);
      news |= markup != NULL;
    }
  g_hash_table_unref (found);
  return news;
}
