#include "stacks/frame-names.h"

#include "base/hash.h"
#include "base/table.h"

/* What frames of one name have in common. */
typedef struct
{
  guint64 address;
  gint64 line, column;
  WpId name, file;
  WpId module; /* its file */
  guint32 row; /* of the name, one more than it is; 0: free */
} Key;

typedef struct
{
  const WpStacks *stacks;
  const WpFrameNameOptions *options;
  WpFrameNames *names;
  WpId *modules; /* module → the file of the first one that is called so; of the option of that name */
  WP_TABLE (Key) keys;
} Maker;

const char *
wp_frames_by_id (WpFramesBy by)
{
  static const char *const ids[WP_FRAMES_BY_COUNT] = { "functions", "filefunctions", "lines", "files", "addresses" };

  return ids[by];
}

static guint32
hash_of_key (const Key *key)
{
  return (guint32) wp_hash_pair (wp_hash_pair (key->address, (guint64) key->line ^ (guint64) key->column << 32),
                                 wp_hash_pair (key->name, (guint64) key->file << 32 | key->module));
}

static gboolean
is_same (const Key *a, const Key *b)
{
  return a->address == b->address && a->line == b->line && a->column == b->column && a->name == b->name && a->file == b->file
         && a->module == b->module;
}

/* "/a/./b/../c" is "/a/c", as Go's filepath.Clean() has it. */
static char *
clean_path (const char *path)
{
  g_auto (GStrv) parts = g_strsplit (path, "/", -1);
  gboolean rooted = path[0] == '/';
  GPtrArray *kept = g_ptr_array_new ();
  char *joined, *clean;

  for (guint i = 0; parts[i] != NULL; i++)
    {
      const char *last = kept->len > 0 ? kept->pdata[kept->len - 1] : NULL;

      if (*parts[i] == '\0' || g_str_equal (parts[i], "."))
        continue;
      if (!g_str_equal (parts[i], ".."))
        g_ptr_array_add (kept, parts[i]);
      else if (last != NULL && !g_str_equal (last, ".."))
        g_ptr_array_set_size (kept, (int) kept->len - 1);
      else if (!rooted)
        g_ptr_array_add (kept, parts[i]);
    }
  g_ptr_array_add (kept, NULL);
  joined = g_strjoinv ("/", (char **) kept->pdata);
  clean = *path == '\0' ? g_strdup ("") : rooted ? g_strconcat ("/", joined, NULL) : *joined == '\0' ? g_strdup (".") : g_strdup (joined);
  g_free (joined);
  g_ptr_array_unref (kept);
  return clean;
}

static const char *
name_of (const Maker *self, const Key *key)
{
  const WpStacks *stacks = self->stacks;
  g_autoptr (GString) name = g_string_new (NULL);
  g_autofree char *shown = NULL;
  g_autofree char *file = clean_path (wp_stacks_text (stacks, key->file));

  if (key->address != 0)
    g_string_append_printf (name, "%016" G_GINT64_MODIFIER "x", key->address);
  if (key->name != 0)
    g_string_append_printf (name, "%s%s", name->len > 0 ? " " : "", wp_stacks_shown (stacks, key->name, &shown));
  if (key->line != 0 || key->file != 0)
    g_string_append_printf (name, "%s%s", name->len > 0 ? " " : "", file);
  if (key->line != 0)
    g_string_append_printf (name, ":%" G_GINT64_FORMAT, key->line);
  if (key->line != 0 && key->column != 0)
    g_string_append_printf (name, ":%" G_GINT64_FORMAT, key->column);
  if (key->line == 0 && key->file == 0 && key->name == 0)
    {
      g_autofree char *base = g_path_get_basename (wp_stacks_text (stacks, key->module));

      if (key->module != 0)
        g_string_append_printf (name, "%s[%s]", name->len > 0 ? " " : "", base);
      else
        g_string_append_printf (name, "%s<unknown>", name->len > 0 ? " " : "");
    }
  return g_string_chunk_insert_len (self->names->texts, name->str, (gssize) name->len);
}

static guint32
row_of (Maker *self, const Key *key, WpId location, const WpStackLine *line)
{
  Key *found;

  WP_TABLE_RESERVE (&self->keys, 1024, 2, slot, slot->row != 0, hash_of_key (slot));
  found = WP_TABLE_FIND (&self->keys, hash_of_key (key), slot, slot->row == 0 || is_same (slot, key));
  if (found->row == 0)
    {
      *found = *key;
      self->keys.n++;
      wp_array_push (&self->names->names, ((WpFrameName) { name_of (self, key), line->function, location, line->line, line->column }));
      found->row = self->names->names.len;
    }
  return found->row - 1;
}

char *
wp_stacks_module_name (const WpStacks *stacks, WpId module)
{
  g_autofree char *changed = NULL;
  const char *path = wp_stacks_shown (stacks, stacks->frames->modules.data[module].file, &changed), *slash = strrchr (path, '/');
  const char *name = slash != NULL && slash[1] != '\0' ? slash + 1 : path;

  return g_strdup (g_str_has_prefix (name, "[anon:") ? "[anon]" : name);
}

gboolean
wp_stacks_has_symbol (const WpStacks *stacks, WpId module, WpId function)
{
  const char *name = wp_stacks_text (stacks, stacks->frames->functions.data[function].name);
  const char *offset = strstr (name, "+0x");
  g_autofree char *module_name = offset != NULL ? wp_stacks_module_name (stacks, module) : NULL;

  return *name != '\0' && (offset == NULL || strlen (module_name) != (gsize) (offset - name) || !g_str_has_prefix (name, module_name));
}

static WpId *
find_modules (const WpStacks *stacks)
{
  const WpFrames *frames = stacks->frames;
  g_autoptr (GHashTable) files = g_hash_table_new_full (wp_hash_string, g_str_equal, g_free, NULL);
  WpId *found = g_new0 (WpId, frames->modules.len);

  for (WpId m = 1; m < frames->modules.len; m++)
    {
      char *name = wp_stacks_module_name (stacks, m);

      found[m] = GPOINTER_TO_UINT (g_hash_table_lookup (files, name));
      if (found[m] == 0)
        found[m] = frames->modules.data[m].file;
      g_hash_table_insert (files, name, GUINT_TO_POINTER (found[m]));
    }
  return found;
}

/* Of a location of which nothing but the address is known, `line` is NULL. */
static Key
key_of (const Maker *self, const WpLocation *location, const WpStackLine *line)
{
  const WpFrames *frames = self->stacks->frames;
  const WpFrameNameOptions *options = self->options;
  gboolean places = options->by == WP_FRAMES_BY_LINE || options->by == WP_FRAMES_BY_ADDRESS;
  Key key = { 0 };

  if (options->by == WP_FRAMES_BY_ADDRESS)
    key.address = location->address;
  if (line != NULL)
    {
      const WpStackFunction *function = &frames->functions.data[line->function];

      key.name = options->by != WP_FRAMES_BY_FILE ? function->name : 0;
      key.file = options->by != WP_FRAMES_BY_FUNCTION ? function->file : 0;
      key.line = places ? line->line : options->starts ? function->start_line : 0;
      if (places && (options->columns || (options->by == WP_FRAMES_BY_ADDRESS && !options->without_inlined)))
        key.column = line->column;
    }
  if (options->modules && !wp_stacks_has_symbol (self->stacks, location->module, line != NULL ? line->function : 0))
    key.name = 0;
  if (options->modules)
    key.module = self->modules[location->module];
  else if (key.name == 0)
    key.module = frames->modules.data[location->module].file;
  return key;
}

static void
add_frames (Maker *self, WpId id)
{
  const WpFrames *frames = self->stacks->frames;
  const WpLocation *location = &frames->locations.data[id];
  guint32 n = self->options->without_inlined ? MIN (location->n_lines, 1) : location->n_lines;
  Key key;

  for (guint32 l = 0; l < n; l++)
    {
      const WpStackLine *line = &frames->lines.data[location->first_line + location->n_lines - 1 - l];

      key = key_of (self, location, line);
      wp_array_push (&self->names->frames, row_of (self, &key, id, line));
    }
  if (n > 0)
    return;
  key = key_of (self, location, NULL);
  wp_array_push (&self->names->frames, row_of (self, &key, id, &(WpStackLine) { 0 }));
}

WpFrameNames *
wp_frame_names_new (const WpStacks *stacks, const WpFrameNameOptions *options)
{
  WpFrameNames *names = g_new0 (WpFrameNames, 1);
  Maker self = { .stacks = stacks, .options = options, .names = names };
  guint32 n = stacks->frames->locations.len;

  self.modules = options->modules ? find_modules (stacks) : NULL;
  names->texts = g_string_chunk_new (4096);
  names->first = g_new0 (guint32, n + 1);
  for (WpId i = 1; i < n; i++)
    {
      names->first[i] = names->frames.len;
      add_frames (&self, i);
    }
  names->first[n] = names->frames.len;
  WP_TABLE_CLEAR (&self.keys);
  g_free (self.modules);
  return names;
}

void
wp_frame_names_free (WpFrameNames *self)
{
  wp_array_clear (&self->names);
  wp_array_clear (&self->frames);
  g_free (self->first);
  g_string_chunk_free (self->texts);
  g_free (self);
}
