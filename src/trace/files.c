/* See files.h. */
#include "trace/files.h"

#include "base/hash.h"
#include "trace/thresholds.h"

#define FILES_OF_NUMBER 1024 /* of one that so many files had since, nobody is asked any more */

/* A number. */
typedef struct
{
  guint32 dev;
  guint64 inode;
  WpId file;   /* the last one that had it */
  gint64 born; /* of that one; G_MININT64 not known */
} Number;

/* A file that had a number for a while. */
typedef struct
{
  const Number *number;
  gint64 since;   /* G_MININT64: its making was not seen */
  WpId before;    /* the file that had the number before; 0 none that we know of */
  WpId name;      /* string */
  gint64 from;    /* the name holds for requests from then on */
  guint8 doubted; /* two paths, maybe of two files */
} File;

typedef struct
{
  Number *number;
  WpId path;
  gint64 seen;
} Sight;

struct WpTraceFiles
{
  GHashTable *numbers;    /* Number → itself */
  WP_ARRAY (File) files;  /* row 0 is empty */
  WP_ARRAY (Sight) sights; /* a plain list */
  GHashTable *below;      /* a key of below_key(); NULL: nothing was said */
};

static guint
hash_number (gconstpointer key)
{
  const Number *number = key;

  return (guint) wp_hash_pair (number->inode, number->dev);
}

static gboolean
same_number (gconstpointer a, gconstpointer b)
{
  const Number *x = a, *y = b;

  return x->dev == y->dev && x->inode == y->inode;
}

static struct WpTraceFiles *
files_of (WpTrace *self)
{
  if (self->files == NULL)
    {
      self->files = g_new0 (struct WpTraceFiles, 1);
      self->files->numbers = g_hash_table_new_full (hash_number, same_number, g_free, NULL);
      wp_array_add (&self->files->files);
    }
  return self->files;
}

void
wp_trace_free_files (WpTrace *self)
{
  struct WpTraceFiles *files = g_steal_pointer (&self->files);

  if (files == NULL)
    return;
  g_hash_table_unref (files->numbers);
  wp_array_clear (&files->files);
  wp_array_clear (&files->sights);
  g_clear_pointer (&files->below, g_hash_table_unref);
  g_free (files);
}

/* --- files -------------------------------------------------------------------------------------------------------- */

static Number *
find_number (struct WpTraceFiles *files, guint32 dev, guint64 inode)
{
  const Number key = { .dev = dev, .inode = inode };

  return g_hash_table_lookup (files->numbers, &key);
}

static void
add_file (struct WpTraceFiles *files, Number *number, gint64 since)
{
  wp_array_push (&files->files, ((File) { .number = number, .since = since, .before = number->file }));
  number->file = files->files.len - 1;
}

static Number *
number_at (struct WpTraceFiles *files, guint32 dev, guint64 inode)
{
  const Number row = { .dev = dev, .inode = inode, .born = G_MININT64 };
  Number *number = find_number (files, dev, inode);

  if (number != NULL)
    return number;
  number = g_memdup2 (&row, sizeof row);
  g_hash_table_add (files->numbers, number);
  add_file (files, number, G_MININT64);
  return number;
}

WpId
wp_trace_file (WpTrace *self, guint32 dev, guint64 inode)
{
  return number_at (files_of (self), dev, inode)->file;
}

void
wp_trace_new_file (WpTrace *self, guint32 dev, guint64 inode, gint64 clock)
{
  struct WpTraceFiles *files = files_of (self);

  add_file (files, number_at (files, dev, inode), clock);
}

void
wp_trace_set_file_name (WpTrace *self, guint32 dev, guint64 inode, const char *path, gint64 seen)
{
  struct WpTraceFiles *files = files_of (self);

  wp_array_push (&files->sights, ((Sight) { .number = number_at (files, dev, inode), .seen = seen,
                                            .path = wp_strings_intern (self->strings, path) }));
}

void
wp_trace_set_file_born (WpTrace *self, guint32 dev, guint64 inode, gint64 born)
{
  number_at (files_of (self), dev, inode)->born = born;
}

/* --- names -------------------------------------------------------------------------------------------------------- */

/* From when on the last file of this number is the one that had it at the end. A file whose making was seen is that one, if
 * none was made after it. */
static gint64
holds_from (const Number *number, const File *file)
{
  gint64 slow = file->since > G_MININT64 ? WP_SLOW_CLOCK_NS : 0;

  if (number->born == G_MININT64 || (file->since > G_MININT64 && number->born <= file->since + slow))
    return G_MININT64;
  return number->born + WP_SLOW_CLOCK_NS;
}

static void
use_last_sight (struct WpTraceFiles *files, const Sight *sight)
{
  File *file = &files->files.data[sight->number->file];

  file->name = sight->path;
  file->from = holds_from (sight->number, file);
}

/* Which of the files that had the number is known where it was seen; if nobody saw one being made, two paths may be two files. */
static void
use_early_sight (struct WpTraceFiles *files, const Sight *sight)
{
  WpId row = sight->number->file;
  File *file;

  for (guint n = 0; files->files.data[row].since > sight->seen; row = files->files.data[row].before)
    if (++n == FILES_OF_NUMBER)
      return;
  file = &files->files.data[row];
  if (file->name == 0)
    {
      file->name = sight->path;
      file->from = row == sight->number->file && sight->number->born > sight->seen ? G_MAXINT64 : G_MININT64;
    }
  else if (file->name != sight->path && file->since == G_MININT64)
    file->doubted = TRUE;
}

static void
use_sights (struct WpTraceFiles *files)
{
  for (guint32 i = 0; i < files->sights.len; i++)
    if (files->sights.data[i].seen != WP_FILE_SEEN_LAST)
      use_early_sight (files, &files->sights.data[i]);
  for (guint32 i = 1; i < files->files.len; i++)
    if (files->files.data[i].doubted)
      files->files.data[i].name = 0;
  for (guint32 i = 0; i < files->sights.len; i++)
    if (files->sights.data[i].seen == WP_FILE_SEEN_LAST)
      use_last_sight (files, &files->sights.data[i]);
}

static WpId
name_at (WpTrace *self, const File *file, gint64 time)
{
  char text[96], device[32];

  if (file->name != 0 && time >= file->from)
    return file->name;
  g_snprintf (text, sizeof text, "file %" G_GUINT64_FORMAT " of %s", file->number->inode,
              wp_trace_device_name (self, file->number->dev, device));
  return wp_strings_intern (self->strings, text);
}

void
wp_trace_name_files (WpTrace *self)
{
  struct WpTraceFiles *files = files_of (self);

  use_sights (files);
  for (WpId d = 1; d < self->disks.len; d++)
    {
      WpDisk *disk = &self->disks.data[d];
      const WpOp *op = &self->ops.data[disk->queue != 0 ? disk->queue : disk->active];

      if (disk->file != 0)
        disk->file = name_at (self, &files->files.data[disk->file], self->clock_start + op->start);
    }
}

/* --- devices on devices ------------------------------------------------------------------------------------------- */

static gpointer
below_key (guint32 upper, guint32 lower)
{
  return GSIZE_TO_POINTER ((guint64) upper << 32 | lower);
}

/* Each device that is known at all stands there as below itself. */
void
wp_trace_set_below (WpTrace *self, guint32 upper, guint32 lower)
{
  struct WpTraceFiles *files = files_of (self);

  if (files->below == NULL)
    files->below = g_hash_table_new (wp_hash_pointer, NULL);
  g_hash_table_add (files->below, below_key (upper, upper));
  g_hash_table_add (files->below, below_key (upper, lower));
}

/* TRUE where nothing is known. */
static gboolean
may_be_below (const WpTrace *self, guint32 upper, guint32 lower)
{
  const struct WpTraceFiles *files = self->files;

  return upper == lower || files == NULL || files->below == NULL
         || !g_hash_table_contains (files->below, below_key (upper, upper))
         || g_hash_table_contains (files->below, below_key (upper, lower));
}

gboolean
wp_trace_is_for_file (const WpTrace *self, WpId file, guint32 dev)
{
  return may_be_below (self, self->files->files.data[file].number->dev, dev);
}

void
wp_trace_set_backing (WpTrace *self, guint32 dev, const char *path)
{
  if (self->backing == NULL)
    self->backing = g_hash_table_new (wp_hash_pointer, NULL);
  g_hash_table_insert (self->backing, GUINT_TO_POINTER (dev), GUINT_TO_POINTER (wp_strings_intern (self->strings, path)));
}

WpId
wp_trace_backing (const WpTrace *self, guint32 dev)
{
  return self->backing != NULL ? GPOINTER_TO_UINT (g_hash_table_lookup (self->backing, GUINT_TO_POINTER (dev))) : 0;
}
