#include "stacks/stacks.h"

#include <gio/gio.h>
#include <glib/gi18n.h>

#include "stacks/measure.h"

static void
clear_frames (gpointer data)
{
  WpFrames *self = data;

  wp_array_clear (&self->modules);
  wp_array_clear (&self->functions);
  wp_array_clear (&self->lines);
  wp_array_clear (&self->locations);
  wp_array_clear (&self->nodes);
  g_free (self->runs.narrow);
  g_free (self->runs.wide);
}

static void
clear_labels (gpointer data)
{
  WpLabelSets *self = data;

  wp_array_clear (&self->labels);
  wp_array_clear (&self->sets);
}

static void
clear_stacks (gpointer data)
{
  WpStacks *self = data;

  wp_strings_free (self->strings);
  wp_frames_unref (self->frames);
  wp_label_sets_unref (self->labels);
  for (guint32 t = 0; self->values != NULL && t < self->types.len; t++)
    wp_array_clear (&self->values[t]);
  g_free (self->values);
  wp_array_clear (&self->types);
  wp_array_clear (&self->sample_stacks);
  wp_array_clear (&self->sample_labels);
  wp_array_clear (&self->moments);
  wp_array_clear (&self->sample_threads);
  wp_array_clear (&self->threads);
  wp_array_clear (&self->comments);
}

WpFrames *
wp_frames_new (void)
{
  WpFrames *self = g_atomic_rc_box_new0 (WpFrames);

  wp_array_add (&self->modules);
  wp_array_add (&self->functions);
  wp_array_add (&self->locations);
  wp_array_add (&self->nodes);
  return self;
}

WpFrames *
wp_frames_ref (WpFrames *self)
{
  return g_atomic_rc_box_acquire (self);
}

void
wp_frames_unref (WpFrames *self)
{
  g_atomic_rc_box_release_full (self, clear_frames);
}

void
wp_runs_reserve (WpRuns *self, guint64 n)
{
  if (self->n + n <= self->room)
    return;
  self->room = MAX (self->n + n, self->room + self->room / 2 + 1024);
  if (self->wide != NULL)
    self->wide = g_renew (WpId, self->wide, self->room);
  else
    self->narrow = g_renew (guint16, self->narrow, self->room);
}

void
wp_frames_stack (const WpFrames *self, WpId stack, WpIdArray *out)
{
  out->len = 0;
  for (; stack != 0; stack = self->nodes.data[stack].prefix)
    {
      const WpStackNode *node = &self->nodes.data[stack];

      for (guint32 i = node->n; i-- > 0;)
        wp_array_push (out, wp_runs_get (&self->runs, node->first + i));
    }
}

void
wp_stack_reverse (WpIdArray *stack)
{
  for (guint32 i = 0; i < stack->len / 2; i++)
    {
      WpId other = stack->data[i];

      stack->data[i] = stack->data[stack->len - 1 - i];
      stack->data[stack->len - 1 - i] = other;
    }
}

WpLabelSets *
wp_label_sets_new (void)
{
  WpLabelSets *self = g_atomic_rc_box_new0 (WpLabelSets);

  wp_array_add (&self->sets);
  return self;
}

WpLabelSets *
wp_label_sets_ref (WpLabelSets *self)
{
  return g_atomic_rc_box_acquire (self);
}

void
wp_label_sets_unref (WpLabelSets *self)
{
  g_atomic_rc_box_release_full (self, clear_labels);
}

WpStacks *
wp_stacks_new (WpStrings *strings, WpFrames *frames, WpLabelSets *labels)
{
  WpStacks *self = g_atomic_rc_box_new0 (WpStacks);

  self->strings = strings;
  self->frames = frames;
  self->labels = labels;
  return self;
}

WpStacks *
wp_stacks_new_like (const WpStacks *origin, WpFrames *frames)
{
  WpStacks *self = wp_stacks_new (wp_strings_ref (origin->strings), frames, wp_label_sets_ref (origin->labels));

  wp_array_copy (&self->types, &origin->types);
  wp_array_copy (&self->threads, &origin->threads);
  wp_array_copy (&self->comments, &origin->comments);
  self->values = g_new0 (WpNumbers, origin->types.len);
  self->header = origin->header;
  return self;
}

WpStacks *
wp_stacks_ref (WpStacks *self)
{
  return g_atomic_rc_box_acquire (self);
}

void
wp_stacks_unref (WpStacks *self)
{
  if (self != NULL)
    g_atomic_rc_box_release_full (self, clear_stacks);
}

const char *
wp_stacks_shown (const WpStacks *self, WpId id, char **changed)
{
  gsize n;
  const char *bytes = wp_strings_bytes (self->strings, id, &n);

  *changed = NULL;
  if (strlen (bytes) == n && g_utf8_validate (bytes, (gssize) n, NULL))
    return bytes;
  if (strlen (bytes) < n)
    {
      g_autoptr (GString) visible = g_string_new (NULL);

      for (gsize i = 0; i < n; i++)
        if (bytes[i] == '\0')
          g_string_append (visible, "␀");
        else
          g_string_append_c (visible, bytes[i]);
      return *changed = g_utf8_make_valid (visible->str, (gssize) visible->len);
    }
  return *changed = g_utf8_make_valid (bytes, (gssize) n);
}

char *
wp_stacks_dup_shown (const WpStacks *self, WpId id)
{
  char *changed;
  const char *shown = wp_stacks_shown (self, id, &changed);

  return changed != NULL ? changed : g_strdup (shown);
}

/* Of times and bytes every value says it, unless two types have one name. */
static gboolean
needs_unit (const WpStacks *self, guint32 type)
{
  double factor;

  for (guint32 i = 0; i < self->types.len; i++)
    if (i != type && self->types.data[i].type == self->types.data[type].type)
      return TRUE;
  return wp_measure_unit (wp_stacks_text (self, self->types.data[type].unit), &factor) == WP_UNIT_PLAIN;
}

char *
wp_stacks_type_shown (const WpStacks *self, guint32 type)
{
  g_autofree char *name_changed = NULL, *unit_changed = NULL;
  const char *name = wp_stacks_shown (self, self->types.data[type].type, &name_changed);
  const char *unit = wp_stacks_shown (self, self->types.data[type].unit, &unit_changed);

  if (*name == '\0')
    name = _("(unnamed)");
  return *unit != '\0' && needs_unit (self, type) ? g_strdup_printf ("%s (%s)", name, unit) : g_strdup (name);
}

const char *
wp_stacks_command (const WpStacks *self)
{
  const char *first = self->comments.len > 0 ? wp_stacks_text (self, self->comments.data[0]) : NULL;

  return first != NULL && !g_str_has_prefix (first, WP_STACKS_FILTERED) ? first : NULL;
}

guint32
wp_stacks_default_type (const WpStacks *self)
{
  for (guint32 i = 0; i < self->types.len; i++)
    if (self->types.data[i].type == self->header.default_type)
      return i;
  return self->types.len - 1;
}

static int
find_type (const WpStacks *self, const char *name)
{
  for (guint32 i = 0; i < self->types.len; i++)
    if (g_str_equal (wp_stacks_text (self, self->types.data[i].type), name))
      return (int) i;
  return -1;
}

int
wp_stacks_find_type (const WpStacks *self, const char *name, GError **error)
{
  g_autoptr (GString) known = g_string_new (NULL);
  guint64 number;
  int found = find_type (self, name);

  if (found < 0 && g_str_has_prefix (name, "inuse_"))
    found = find_type (self, name + strlen ("inuse_"));
  if (found < 0 && self->types.len > 0 && g_ascii_string_to_unsigned (name, 10, 0, self->types.len - 1, &number, NULL))
    found = (int) number;
  if (found >= 0)
    return found;
  for (guint32 i = 0; i < self->types.len; i++)
    g_string_append_printf (known, "%s%s", i > 0 ? ", " : "", wp_stacks_text (self, self->types.data[i].type));
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "there is no sample type “%s”; there are: %s", name, known->str);
  return -1;
}
