/* Writes stacks in Perun's format up to 0.16.9, which all versions read: resources stand in snapshots, each with its whole trace; or,
 * as the store keeps them, each trace once. */
#include "stacks/perun.h"

#include "stacks/labels.h"
#include "stacks/measure.h"
#include "stacks/perun-head.h"

#define STEP 1024 /* samples from one look at the progress to the next */
#define NO_SNAPSHOT G_MAXUINT32
#define MOST_SNAPSHOTS 65536 /* numbers may have gaps, and each stands in the file */

typedef struct
{
  const WpStacks *stacks;
  WpJsonWriter *json;
  guint32 default_type;
  guint32 n_kinds;         /* of its values of so many first types a sample has one, whose type says what kind of the same thing it is; 0: no such types */
  const char *type;        /* of resources: "time", "memory" or "mixed" */
  const char *name;        /* of what was run */
  WpId address, subtype, snapshot; /* keys of labels; G_MAXUINT32: no label has it */
  guint32 *set_snapshots;  /* set of labels → number, NO_SNAPSHOT: none */
  guint32 n_snapshots;     /* 0: samples have none, and all stand in one */
  guint32 *order;          /* samples, by snapshot */
  guint32 *first;          /* snapshot → its first one in `order`; those without one come last */
  double seconds;          /* of the snapshot at hand */
  guint8 *chunks;          /* stack → whether it is to stand in `chunks`; NULL: each resource has its whole trace */
  WpIdArray stack;
} Writer;

/* --- what there is ------------------------------------------------------------------------------------------------ */

/* How many of the first types a sample has one value of. */
static guint32
count_kinds (const WpStacks *stacks)
{
  guint32 n = 0;

  while (n < stacks->types.len && stacks->types.data[n].unit == stacks->types.data[0].unit)
    n++;
  for (guint32 i = 0; i < stacks->n_samples; i++)
    {
      gboolean any = FALSE;

      for (guint32 t = 0; t < n; t++)
        if (stacks->values[t].data[i] != 0 && any)
          n = t;
        else
          any |= stacks->values[t].data[i] != 0;
    }
  return wp_stacks_default_type (stacks) < n ? n : 0;
}

/* The number that a set has for a key; FALSE: none, or more than one. */
static gboolean
find_number (const WpLabelSets *sets, WpId set, WpId key, gint64 *number)
{
  const WpLabelSet *row = &sets->sets.data[set];
  guint n = 0;

  for (guint32 i = row->first; i < row->first + row->n; i++)
    if (sets->labels.data[i].key == key && sets->labels.data[i].is_number && sets->labels.data[i].unit == 0)
      {
        *number = sets->labels.data[i].number;
        n++;
      }
  return n == 1;
}

/* Snapshots are numbered by a label. What is no such number is a label like any other. */
static void
find_snapshots (Writer *self)
{
  const WpStacks *stacks = self->stacks;

  self->set_snapshots = g_new (guint32, stacks->labels->sets.len);
  for (WpId set = 0; set < stacks->labels->sets.len; set++)
    {
      gint64 number;
      gboolean found = find_number (stacks->labels, set, self->snapshot, &number) && number >= 0 && number < MOST_SNAPSHOTS;

      self->set_snapshots[set] = found ? (guint32) number : NO_SNAPSHOT;
    }
  for (guint32 i = 0; i < stacks->n_samples; i++)
    {
      guint32 snapshot = self->set_snapshots[stacks->sample_labels.data[i]];

      if (snapshot != NO_SNAPSHOT)
        self->n_snapshots = MAX (self->n_snapshots, snapshot + 1);
    }
}

static guint32
place_of (const Writer *self, guint32 sample)
{
  return MIN (self->set_snapshots[self->stacks->sample_labels.data[sample]], self->n_snapshots);
}

/* Counted, then placed, each in the order that it had. Without snapshots all stand in the place of those without one. */
static void
sort_samples (Writer *self)
{
  guint32 n = self->stacks->n_samples, places = self->n_snapshots + 1;
  g_autofree guint32 *next = g_new (guint32, places + 1);

  self->order = g_new (guint32, MAX (n, 1));
  self->first = g_new0 (guint32, places + 1);
  for (guint32 i = 0; i < n; i++)
    self->first[place_of (self, i) + 1]++;
  for (guint32 p = 1; p <= places; p++)
    self->first[p] += self->first[p - 1];
  memcpy (next, self->first, (places + 1) * sizeof *next);
  for (guint32 i = 0; i < n; i++)
    self->order[next[place_of (self, i)]++] = i;
}

/* --- resources ---------------------------------------------------------------------------------------------------- */

static void
put_text (Writer *self, const char *key, WpId text)
{
  wp_perun_put_text (self->json, self->stacks, key, text);
}

/* `line` is NULL where nothing but the address is known: the name says that then. */
static void
put_frame (Writer *self, const char *key, const WpLocation *location, const WpStackLine *line)
{
  const WpFrames *frames = self->stacks->frames;
  const WpStackFunction *function = &frames->functions.data[line != NULL ? line->function : 0];
  g_autofree char *address = g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", location->address);

  wp_json_writer_object (self->json, key, WP_JSON_TIGHT);
  if (line != NULL)
    put_text (self, "function", function->name);
  else
    wp_json_writer_string (self->json, "function", address);
  put_text (self, "source", function->file);
  wp_json_writer_int (self->json, "line", line != NULL ? line->line : 0);
  if (location->module != 0)
    {
      put_text (self, "module", frames->modules.data[location->module].file);
      wp_json_writer_uint (self->json, "mapping", location->module);
    }
  if (location->address != 0)
    wp_json_writer_uint (self->json, "address", location->address);
  if (line == NULL)
    wp_json_writer_bool (self->json, "no_symbol", TRUE);
  else if (line != &frames->lines.data[location->first_line + location->n_lines - 1])
    {
      wp_json_writer_bool (self->json, "inlined", TRUE);
      wp_json_writer_end (self->json);
      return;
    }
  if (location->folded)
    wp_json_writer_bool (self->json, "folded", TRUE);
  wp_json_writer_end (self->json);
}

static void
put_location (Writer *self, const WpLocation *location)
{
  if (location->n_lines == 0)
    put_frame (self, NULL, location, NULL);
  for (guint32 l = 0; l < location->n_lines; l++)
    put_frame (self, NULL, location, &self->stacks->frames->lines.data[location->first_line + l]);
}

static void
put_trace (Writer *self, const char *key)
{
  wp_json_writer_array (self->json, key, WP_JSON_TIGHT);
  for (guint32 i = 0; i < self->stack.len; i++)
    put_location (self, &self->stacks->frames->locations.data[self->stack.data[i]]);
  wp_json_writer_end (self->json);
}

static void
name_chunk (WpId stack, char name[16])
{
  g_snprintf (name, 16, "t%u", stack);
}

static void
put_reference (Writer *self, WpId stack)
{
  char name[16];

  self->chunks[stack] = TRUE;
  name_chunk (stack, name);
  wp_json_writer_object (self->json, "trace", WP_JSON_TIGHT);
  wp_json_writer_string (self->json, "chunk", name);
  wp_json_writer_end (self->json);
}

/* The uid is the innermost frame. */
static void
put_stack (Writer *self, WpId stack)
{
  const WpFrames *frames = self->stacks->frames;
  const WpLocation *innermost;

  wp_frames_stack (frames, stack, &self->stack);
  innermost = &frames->locations.data[self->stack.len > 0 ? self->stack.data[0] : 0];
  put_frame (self, "uid", innermost, innermost->n_lines > 0 ? &frames->lines.data[innermost->first_line] : NULL);
  if (self->chunks != NULL && self->stack.len > 0)
    put_reference (self, stack);
  else
    put_trace (self, "trace");
}

static void
put_label (Writer *self, const char *key, const WpLabel *label)
{
  if (!label->is_number)
    put_text (self, key, label->text);
  else if (label->unit == 0)
    wp_json_writer_int (self->json, key, label->number);
  else
    {
      wp_json_writer_object (self->json, key, WP_JSON_TIGHT);
      wp_json_writer_int (self->json, "value", label->number);
      put_text (self, "unit", label->unit);
      wp_json_writer_end (self->json);
    }
}

/* Those of one key stand together; several are an array. */
static void
put_labels_of_key (Writer *self, const WpLabel *labels, guint32 n)
{
  g_autofree char *changed = NULL;
  const char *key = wp_stacks_shown (self->stacks, labels->key, &changed);

  if (n == 1)
    {
      put_label (self, key, labels);
      return;
    }
  wp_json_writer_array (self->json, key, WP_JSON_TIGHT);
  for (guint32 i = 0; i < n; i++)
    put_label (self, NULL, &labels[i]);
  wp_json_writer_end (self->json);
}

/* A place for texts and one for numbers: a key may have both. What stands elsewhere in the resource is left out. */
static void
put_labels (Writer *self, WpId set, const char *place, gboolean numbers, WpId elsewhere)
{
  const WpLabelSet *row = &self->stacks->labels->sets.data[set];
  const WpLabel *label = &self->stacks->labels->labels.data[row->first], *end = label + row->n, *next;
  WpId snapshot = self->set_snapshots[set] != NO_SNAPSHOT ? self->snapshot : G_MAXUINT32;
  gboolean any = FALSE;

  for (; label < end; label = next)
    {
      for (next = label; next < end && next->key == label->key && next->is_number == label->is_number;)
        next++;
      if (label->is_number != numbers || label->key == elsewhere || (numbers && label->key == snapshot))
        continue;
      if (!any)
        wp_json_writer_object (self->json, place, WP_JSON_TIGHT);
      any = TRUE;
      put_labels_of_key (self, label, (guint32) (next - label));
    }
  if (any)
    wp_json_writer_end (self->json);
}

static guint32
main_type (const Writer *self, guint32 sample)
{
  for (guint32 t = 0; t < self->n_kinds; t++)
    if (self->stacks->values[t].data[sample] != 0)
      return t;
  return self->default_type;
}

static void
put_other_values (Writer *self, guint32 sample, guint32 type)
{
  const WpStacks *stacks = self->stacks;

  if (self->n_kinds == stacks->types.len)
    return;
  wp_json_writer_object (self->json, "values", WP_JSON_TIGHT);
  for (guint32 t = self->n_kinds; t < stacks->types.len; t++)
    if (t != type)
      {
        g_autofree char *changed = NULL;

        wp_json_writer_int (self->json, wp_stacks_shown (stacks, stacks->types.data[t].type, &changed), stacks->values[t].data[sample]);
      }
  wp_json_writer_end (self->json);
}

/* The text that a set has for what Perun calls a subtype; 0: none, more than one, or the name of a type. */
static WpId
subtype_of (const Writer *self, WpId set)
{
  const WpLabelSet *row = &self->stacks->labels->sets.data[set];
  WpId found = 0;

  for (guint32 i = row->first; i < row->first + row->n; i++)
    {
      const WpLabel *label = &self->stacks->labels->labels.data[i];

      if (label->key != self->subtype || label->is_number)
        continue;
      if (found != 0)
        return 0;
      found = label->text;
    }
  for (guint32 t = 0; t < self->stacks->types.len; t++)
    if (self->stacks->types.data[t].type == found)
      return 0;
  return found;
}

static void
put_resource (Writer *self, guint32 sample)
{
  const WpStacks *stacks = self->stacks;
  WpId set = stacks->sample_labels.data[sample], subtype = subtype_of (self, set);
  guint32 type = main_type (self, sample);
  gint64 address = 0;
  gboolean has_address = find_number (stacks->labels, set, self->address, &address);

  if (type != self->default_type)
    subtype = 0;
  wp_json_writer_line (self->json);
  wp_json_writer_object (self->json, NULL, WP_JSON_TIGHT);
  wp_json_writer_string (self->json, "type", self->type);
  put_text (self, "subtype", subtype != 0 ? subtype : stacks->types.data[type].type);
  if (has_address)
    wp_json_writer_int (self->json, "address", address);
  wp_json_writer_int (self->json, "amount", stacks->values[type].data[sample]);
  if (stacks->moments.len > 0)
    wp_json_writer_int (self->json, "timestamp", stacks->moments.data[sample]);
  put_stack (self, stacks->sample_stacks.data[sample]);
  put_other_values (self, sample, type);
  put_labels (self, set, "labels", FALSE, subtype != 0 ? self->subtype : G_MAXUINT32);
  put_labels (self, set, "numbers", TRUE, has_address ? self->address : G_MAXUINT32);
  wp_json_writer_end (self->json);
}

static gboolean
put_resources (Writer *self, guint32 place, WpProgress *progress, GError **error)
{
  wp_json_writer_array (self->json, "resources", WP_JSON_LINES);
  for (guint32 i = self->first[place]; i < self->first[place + 1]; i++)
    {
      if (i % STEP == 0 && !wp_progress_step (progress, (double) i / self->stacks->n_samples, error))
        return FALSE;
      put_resource (self, self->order[i]);
    }
  wp_json_writer_end (self->json);
  return TRUE;
}

/* Perun has the time of a snapshot as a text, in seconds. An empty one has that of the one before. */
static gboolean
put_snapshot (Writer *self, guint32 place, WpProgress *progress, GError **error)
{
  gboolean has_moment = self->stacks->moments.len > 0 && self->first[place] < self->first[place + 1];
  char time[64];

  if (has_moment && self->n_snapshots > 0)
    self->seconds = (double) self->stacks->moments.data[self->order[self->first[place]]] / 1e9;
  wp_json_writer_line (self->json);
  wp_json_writer_object (self->json, NULL, WP_JSON_LINES);
  wp_json_writer_string (self->json, "time", g_ascii_formatd (time, sizeof time, "%.6f", self->seconds));
  if (!put_resources (self, place, progress, error))
    return FALSE;
  wp_json_writer_end (self->json);
  return TRUE;
}

/* --- the document ------------------------------------------------------------------------------------------------- */

static gboolean
put_chunks (Writer *self, WpProgress *progress, GError **error)
{
  char name[16];

  wp_json_writer_object (self->json, "chunks", WP_JSON_LINES);
  for (WpId stack = 1; stack < self->stacks->frames->nodes.len; stack++)
    {
      if (stack % STEP == 0 && !wp_progress_step (progress, 1, error))
        return FALSE;
      if (!self->chunks[stack])
        continue;
      wp_json_writer_line (self->json);
      name_chunk (stack, name);
      wp_frames_stack (self->stacks->frames, stack, &self->stack);
      put_trace (self, name);
    }
  wp_json_writer_end (self->json);
  return TRUE;
}

/* The resources of `global` are no part of Perun's pictures: there stand those without a snapshot, where others have one. */
static gboolean
put_document (Writer *self, WpProgress *progress, GError **error)
{
  const WpPerunHead head = { self->type, self->name, self->default_type, self->n_snapshots > 0 };
  gboolean grouped = self->n_snapshots > 0;

  wp_json_writer_object (self->json, NULL, WP_JSON_LINES);
  wp_perun_put_head (self->json, self->stacks, &head);
  wp_json_writer_array (self->json, "snapshots", WP_JSON_LINES);
  for (guint32 place = 0; place < MAX (self->n_snapshots, 1); place++)
    if (!put_snapshot (self, place, progress, error))
      return FALSE;
  wp_json_writer_end (self->json);
  wp_json_writer_object (self->json, "global", WP_JSON_LINES);
  if (grouped)
    {
      if (!put_resources (self, self->n_snapshots, progress, error))
        return FALSE;
    }
  else
    {
      wp_json_writer_array (self->json, "resources", WP_JSON_TIGHT);
      wp_json_writer_end (self->json);
    }
  wp_json_writer_end (self->json);
  if (self->chunks != NULL && !put_chunks (self, progress, error))
    return FALSE;
  wp_json_writer_end (self->json);
  return TRUE;
}

static const char *
type_of_unit (const char *unit)
{
  return wp_measure_is_alike (unit, "ns") ? "time" : wp_measure_is_alike (unit, "bytes") ? "memory" : "mixed";
}

static gboolean
write_document (const WpStacks *stacks, WpJsonWriter *json, const char *name, gboolean chunked, WpProgress *progress, GError **error)
{
  Writer self = { .stacks = stacks, .json = json, .name = name, .default_type = wp_stacks_default_type (stacks) };
  gboolean done;

  self.n_kinds = count_kinds (stacks);
  self.type = type_of_unit (wp_stacks_text (stacks, stacks->types.data[self.default_type].unit));
  self.address = wp_label_key (stacks, "address");
  self.subtype = wp_label_key (stacks, "subtype");
  self.snapshot = wp_label_key (stacks, WP_PERUN_SNAPSHOT);
  self.chunks = chunked ? g_new0 (guint8, MAX (stacks->frames->nodes.len, 1)) : NULL;
  find_snapshots (&self);
  sort_samples (&self);
  done = put_document (&self, progress, error);
  g_free (self.set_snapshots);
  g_free (self.order);
  g_free (self.first);
  g_free (self.chunks);
  wp_array_clear (&self.stack);
  return done;
}

gboolean
wp_perun_write (const WpStacks *stacks, int fd, WpProgress *progress, GError **error)
{
  g_autoptr (WpJsonWriter) json = wp_json_writer_new (fd);
  int code;

  if (!write_document (stacks, json, NULL, FALSE, progress, error))
    return FALSE;
  code = wp_json_writer_finish (json);
  if (code != 0)
    g_set_error_literal (error, G_FILE_ERROR, g_file_error_from_errno (code), g_strerror (code));
  return code == 0;
}

GString *
wp_perun_text (const WpStacks *stacks, const char *name, WpProgress *progress, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (WpJsonWriter) json = wp_json_writer_new_text (text);

  return write_document (stacks, json, name, TRUE, progress, error) ? g_steal_pointer (&text) : NULL;
}
