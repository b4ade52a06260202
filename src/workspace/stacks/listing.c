#include "workspace/stacks/listing.h"

#include "base/hash.h"
#include "read/symbols/builds.h"
#include "read/symbols/debuginfod.h"

#define FETCH_SECONDS 15

/* A build whose functions are in that source, so that debuginfod can be asked for it; NULL: none is known. */
static const char *
build_of (const WpStacks *stacks, WpId source)
{
  const WpFrames *frames = stacks->frames;

  for (WpId i = 1; i < frames->locations.len; i++)
    {
      const WpLocation *location = &frames->locations.data[i];
      const char *build = wp_stacks_text (stacks, frames->modules.data[location->module].build_id);

      for (guint32 l = 0; wp_is_build_id (build) && l < location->n_lines; l++)
        if (frames->functions.data[frames->lines.data[location->first_line + l].function].file == source)
          return build;
    }
  return NULL;
}

/* TRUE too where there is none; FALSE only where it was cancelled. */
static gboolean
fetch (WpSourceFile *file, const WpStacks *stacks, WpId source, WpDebuginfod **debuginfod, WpProgress *progress, GError **error)
{
  const char *build = file->name[0] == '/' ? build_of (stacks, source) : NULL;
  g_autoptr (GError) wrong = NULL;
  g_autofree char *path = NULL;

  if (*debuginfod == NULL)
    *debuginfod = wp_debuginfod_new (FETCH_SECONDS);
  if (*debuginfod == NULL || build == NULL)
    return TRUE;
  path = wp_debuginfod_fetch (*debuginfod, build, file->name, progress, &wrong);
  if (path != NULL)
    wp_source_file_read (file, path);
  else if (wrong == NULL)
    g_ptr_array_add (file->tried, g_strdup_printf ("debuginfod, build %s", build));
  if (wrong == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&wrong));
  return FALSE;
}

static gboolean
find_sources (WpListing *self, const WpStacks *stacks, const WpSourcePlaces *places, WpProgress *progress, GError **error)
{
  g_autoptr (GHashTable) found = g_hash_table_new (wp_hash_pointer, NULL); /* text → WpSourceFile */
  WpDebuginfod *debuginfod = NULL;
  gboolean going_on = TRUE;

  for (guint32 i = 0; i < self->routines->routines.len && going_on; i++)
    {
      WpId source = self->routines->routines.data[i].file;
      WpSourceFile *file = g_hash_table_lookup (found, GUINT_TO_POINTER (source));

      if (source != 0 && file == NULL)
        {
          file = wp_source_file_find (wp_stacks_text (stacks, source), places);
          g_ptr_array_add (self->files, file);
          g_hash_table_insert (found, GUINT_TO_POINTER (source), file);
          going_on = (file->path != NULL || fetch (file, stacks, source, &debuginfod, progress, error))
                     && wp_progress_step (progress, (double) i / self->routines->routines.len, error);
        }
      self->sources[i] = file;
    }
  if (debuginfod != NULL)
    wp_debuginfod_free (debuginfod);
  return going_on;
}

WpListing *
wp_listing_new (const WpStacks *stacks, const WpRoutineOptions *options, const WpSourcePlaces *places, WpProgress *progress, GError **error)
{
  g_autoptr (WpListing) self = g_new0 (WpListing, 1);

  self->files = g_ptr_array_new_with_free_func ((GDestroyNotify) wp_source_file_free);
  self->routines = wp_routines_new (stacks, options, progress, error);
  if (self->routines == NULL)
    return NULL;
  self->sources = g_new0 (WpSourceFile *, self->routines->routines.len + 1);
  return find_sources (self, stacks, places, progress, error) ? g_steal_pointer (&self) : NULL;
}

void
wp_listing_free (WpListing *self)
{
  g_clear_pointer (&self->routines, wp_routines_free);
  g_free (self->sources);
  g_ptr_array_unref (self->files);
  g_free (self);
}

gint64
wp_listing_end (const WpListing *self, guint32 routine)
{
  const WpRoutine *row = &self->routines->routines.data[routine];
  const WpSourceFile *source = self->sources[routine];

  return source != NULL && source->path != NULL ? MIN (row->end, wp_source_file_lines (source)) : row->end;
}
