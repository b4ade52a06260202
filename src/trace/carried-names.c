#include "trace/carried-names.h"

#include "base/hash.h"
#include "base/search.h"
#include "base/sort.h"

#include <stdlib.h>

typedef struct
{
  guint64 offset;
  const char *name; /* in one of `texts` */
} Named;

typedef struct
{
  WP_ARRAY (Named) rows;
  gboolean sorted;
} Module;

struct WpCarriedNames
{
  GPtrArray *texts;
  GHashTable *modules; /* path, newline, build id → Module */
};

static void
free_module (gpointer data)
{
  wp_array_clear (&((Module *) data)->rows);
  g_free (data);
}

WpCarriedNames *
wp_carried_names_new (void)
{
  WpCarriedNames *self = g_new0 (WpCarriedNames, 1);

  self->texts = g_ptr_array_new_with_free_func (g_free);
  self->modules = g_hash_table_new_full (wp_hash_string, g_str_equal, g_free, free_module);
  return self;
}

void
wp_carried_names_free (WpCarriedNames *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->texts);
  g_hash_table_unref (self->modules);
  g_free (self);
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

static const char *
take_name (const guint8 **data, const guint8 *end)
{
  const char *name = (const char *) *data;
  const guint8 *zero = memchr (*data, '\0', end - *data);

  if (zero == NULL)
    return NULL;
  *data = zero + 1;
  return name;
}

static Module *
take_module (WpCarriedNames *self, const guint8 **data, const guint8 *end)
{
  const char *path = take_name (data, end), *build_id = path != NULL ? take_name (data, end) : NULL;
  g_autofree char *key = build_id != NULL ? g_strconcat (path, "\n", build_id, NULL) : NULL;
  Module *module = key != NULL ? g_hash_table_lookup (self->modules, key) : NULL;

  if (key != NULL && module == NULL)
    {
      module = g_new0 (Module, 1);
      g_hash_table_insert (self->modules, g_steal_pointer (&key), module);
    }
  return module;
}

/* Returns whether there was all of it. */
static gboolean
take_function (Module *module, const char *name, const guint8 **data, const guint8 *end)
{
  guint16 n;

  if (end - *data < (gssize) sizeof n)
    return FALSE;
  memcpy (&n, *data, sizeof n);
  *data += sizeof n;
  if ((gsize) (end - *data) / sizeof (guint64) < n)
    return FALSE;
  for (guint i = 0; i < n; i++, *data += sizeof (guint64))
    {
      Named *row = wp_array_add (&module->rows);

      memcpy (&row->offset, *data, sizeof row->offset);
      row->name = name;
    }
  return TRUE;
}

gboolean
wp_carried_names_add (WpCarriedNames *self, const guint8 *data, gsize size)
{
  const guint8 *end;
  const char *name;
  Module *module;

  if (size == 0)
    return FALSE;
  data = g_memdup2 (data, size);
  end = data + size;
  g_ptr_array_add (self->texts, (gpointer) data);
  module = take_module (self, &data, end);
  if (module == NULL)
    return FALSE;
  module->sorted = FALSE;
  while ((name = take_name (&data, end)) != NULL && name[0] != '\0')
    if (!take_function (module, name, &data, end))
      return FALSE;
  return name != NULL;
}

WP_DEFINE_COMPARE (compare_named, Named, offset)

static const char *
find_in (Module *module, guint64 offset)
{
  guint32 row;

  if (module == NULL)
    return NULL;
  if (!module->sorted)
    wp_array_sort (&module->rows, compare_named);
  module->sorted = TRUE;
  row = WP_SEARCH (0, module->rows.len, i, module->rows.data[i].offset < offset);
  return row < module->rows.len && module->rows.data[row].offset == offset ? module->rows.data[row].name : NULL;
}

const char *
wp_carried_names_find (WpCarriedNames *self, const char *path, const char *build_id, guint64 offset)
{
  g_autofree char *key = g_strconcat (path, "\n", g_str_equal (build_id, "-") ? "" : build_id, NULL);

  return find_in (g_hash_table_lookup (self->modules, key), offset);
}

/* --- writing ------------------------------------------------------------------------------------------------------ */

typedef struct
{
  const WpTrace *trace;
  GPtrArray *texts;
  GByteArray *text; /* the last of them, still open; NULL: none */
  WpId module;      /* that it is of */
} Writer;

static void
write_name (GByteArray *out, const char *name)
{
  g_byte_array_append (out, (const guint8 *) name, strlen (name) + 1);
}

static void
end_text (Writer *self)
{
  if (self->text != NULL)
    write_name (self->text, "");
  self->text = NULL;
}

static void
begin_text (Writer *self, WpId module)
{
  const WpModule *row = &self->trace->modules.data[module];

  end_text (self);
  self->text = g_byte_array_new ();
  g_ptr_array_add (self->texts, self->text);
  self->module = module;
  write_name (self->text, wp_trace_string (self->trace, row->path));
  write_name (self->text, wp_trace_string (self->trace, row->build_id));
}

/* Frames of one function. */
static void
write_function (Writer *self, const WpId *frames, guint n)
{
  const WpFrame *first = &self->trace->frames.data[frames[0]];
  const char *name = wp_trace_function_name (self->trace, first->function);
  gsize head = strlen (name) + 1 + sizeof (guint16);

  for (guint done = 0; done < n;)
    {
      gsize room = self->text != NULL && self->module == first->module ? WP_CARRIED_NAMES_MAX - self->text->len : 0;
      guint16 some;

      if (room < head + sizeof (guint64) + 1)
        {
          begin_text (self, first->module);
          room = WP_CARRIED_NAMES_MAX > self->text->len ? WP_CARRIED_NAMES_MAX - self->text->len : 0;
        }
      if (room < head + sizeof (guint64) + 1)
        return; /* no name is that long but one that was made to be */
      some = (guint16) MIN (n - done, (room - head - 1) / sizeof (guint64));
      write_name (self->text, name);
      g_byte_array_append (self->text, (const guint8 *) &some, sizeof some);
      for (guint i = 0; i < some; i++)
        g_byte_array_append (self->text, (const guint8 *) &self->trace->frames.data[frames[done + i]].offset, sizeof (guint64));
      done += some;
    }
}

static int
compare_frames (gconstpointer a, gconstpointer b, gpointer data)
{
  const WpTrace *trace = data;
  const WpFrame *x = &trace->frames.data[*(const WpId *) a], *y = &trace->frames.data[*(const WpId *) b];

  if (x->module != y->module)
    return x->module < y->module ? -1 : 1;
  if (x->function != y->function)
    return x->function < y->function ? -1 : 1;
  return (x->offset > y->offset) - (x->offset < y->offset);
}

/* Paths of which another file was mapped, too, that nobody can tell: without a build id it is not known any more whose names
 * these are. */
static GHashTable *
find_doubtful (const WpTrace *trace)
{
  GHashTable *doubtful = g_hash_table_new (wp_hash_pointer, NULL);

  for (WpId i = 0; i < trace->modules.len; i++)
    if (g_str_equal (wp_trace_string (trace, trace->modules.data[i].build_id), "-"))
      g_hash_table_add (doubtful, GUINT_TO_POINTER (trace->modules.data[i].path));
  return doubtful;
}

static gboolean
is_worth (const WpTrace *trace, const WpFrame *frame, GHashTable *doubtful)
{
  const WpModule *module = &trace->modules.data[frame->module];

  return !(frame->flags & WP_FRAME_KERNEL) && frame->offset != 0
         && !(trace->functions.data[frame->function].flags & WP_FUNCTION_NO_SYMBOL)
         && (wp_trace_string (trace, module->build_id)[0] != '\0'
             || !g_hash_table_contains (doubtful, GUINT_TO_POINTER (module->path)));
}

GPtrArray *
wp_carried_names_write (const WpTrace *trace)
{
  Writer self = { .trace = trace, .texts = g_ptr_array_new_with_free_func ((GDestroyNotify) g_byte_array_unref) };
  g_autoptr (GHashTable) doubtful = find_doubtful (trace);
  WpIdArray frames = { 0 };
  guint first = 0;

  for (WpId i = 1; i < trace->frames.len; i++)
    if (is_worth (trace, &trace->frames.data[i], doubtful))
      wp_array_push (&frames, i);
  if (frames.len > 0)
    g_qsort_with_data (frames.data, frames.len, sizeof (WpId), compare_frames, (gpointer) trace);
  for (guint i = 1; i <= frames.len; i++)
    if (i == frames.len || trace->frames.data[frames.data[i]].function != trace->frames.data[frames.data[first]].function)
      {
        write_function (&self, frames.data + first, i - first);
        first = i;
      }
  end_text (&self);
  wp_array_clear (&frames);
  return self.texts;
}
