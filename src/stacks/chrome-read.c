#include "stacks/chrome.h"

#include <math.h>
#include <string.h>

#include "base/json-reader.h"
#include "base/pair-map.h"
#include "base/sort.h"
#include "stacks/maker.h"
#include "stacks/sniff.h"
#include "stacks/sums.h"

#define NS_PER_US 1000.0

/* Names of events that have a meaning. */
enum
{
  PROCESS_NAME,
  THREAD_NAME,
  N_WORDS
};

static const char *const words[N_WORDS] = { "process_name", "thread_name" };

/* A stretch of time of a thread in which something went on. */
typedef struct
{
  gint64 start, end; /* ns; of what is not ended yet, `end` is G_MAXINT64 */
  guint32 thread, order;
  guint32 outer; /* of what is not ended yet: one more than the span of the thread that it stands in; 0: none */
  WpId location;
} Span;

/* A node of a profiler's tree, as the file numbers it. */
typedef struct
{
  gint64 id, parent;
  gboolean has_parent;
  WpId location;
} ProfileNode;

/* One event, or what a file of one profile says. */
typedef struct
{
  char phase;
  WpId name, label; /* label: args.name */
  gint64 pid, tid;
  double at, length;
  WpId id; /* of the profile that a chunk belongs to, as text */
  double start_time;
  WP_ARRAY (ProfileNode) nodes;
  WP_ARRAY (gint64) samples;
  WP_ARRAY (double) deltas;
} Event;

/* What is known of a profile so far. */
typedef struct
{
  guint32 thread;
  GHashTable *stacks; /* id of a node → its stack */
  double at;          /* of the last sample, µs */
  WpId pending;       /* its stack, whose weight is not known before the next one */
  gboolean has_pending;
} Profile;

typedef struct
{
  WpJsonReader *json;
  WpStacksMaker maker;
  Event event;
  WP_ARRAY (Span) spans;
  WP_ARRAY (guint32) open; /* thread → one more than its innermost span that has begun and not ended */
  GHashTable *threads;     /* "pid:tid" → row */
  GHashTable *profiles;    /* "pid:id" → Profile */
  WpPairMap locations;     /* name and file, line → location */
  WpIdArray nodes;         /* stacks that are open */
  WP_ARRAY (gint64) ends;
  WpId words[N_WORDS];     /* names of events that have a meaning */
} Reader;

/* --- rows --------------------------------------------------------------------------------------------------------- */

static WpId
find_location (Reader *self, WpId name, WpId file, gint64 line, gint64 column)
{
  WpFrames *frames = self->maker.stacks->frames;
  guint32 *place = wp_pair_map_at (&self->locations, name, file), *known;

  if (*place == 0)
    {
      wp_array_push (&frames->functions, ((WpStackFunction) { .name = name, .system_name = name, .file = file, .start_line = line }));
      *place = frames->functions.len - 1;
    }
  /* Pairs of the second kind have a bit that no id of a text has. */
  known = wp_pair_map_at (&self->locations, *place, (guint32) wp_hash_pair ((guint64) line, (guint64) column) | 1u << 31);
  if (*known == 0 || frames->lines.data[frames->locations.data[*known].first_line].line != line
      || frames->lines.data[frames->locations.data[*known].first_line].column != column)
    {
      WpId function = wp_pair_map_get (&self->locations, name, file);

      wp_array_push (&frames->lines, ((WpStackLine) { function, line, column }));
      wp_array_push (&frames->locations, ((WpLocation) { .first_line = frames->lines.len - 1, .n_lines = 1 }));
      *known = frames->locations.len - 1;
    }
  return *known;
}

static guint32
find_thread (Reader *self, gint64 pid, gint64 tid)
{
  WpStacks *stacks = self->maker.stacks;
  g_autofree char *key = g_strdup_printf ("%" G_GINT64_FORMAT ":%" G_GINT64_FORMAT, pid, tid);
  gpointer found = g_hash_table_lookup (self->threads, key);

  if (found != NULL)
    return GPOINTER_TO_UINT (found);
  wp_array_push (&stacks->threads, ((WpStackThread) { .pid = pid, .tid = tid }));
  g_hash_table_insert (self->threads, g_steal_pointer (&key), GUINT_TO_POINTER (stacks->threads.len - 1));
  return stacks->threads.len - 1;
}

static void
add_sample (Reader *self, guint32 thread, WpId stack, gint64 start, gint64 length)
{
  WpStacks *stacks = self->maker.stacks;

  if (length <= 0)
    return;
  wp_stacks_maker_sample (&self->maker, stack, &length);
  wp_array_push (&stacks->moments, start);
  wp_array_push (&stacks->sample_threads, thread);
}

/* --- an event's members ------------------------------------------------------------------------------------------- */

static double
read_real (Reader *self)
{
  gint64 whole = 0;
  double real = 0;

  if (wp_json_reader_kind (self->json) != WP_JSON_NUMBER)
    {
      wp_json_reader_skip (self->json);
      return 0;
    }
  switch (wp_json_reader_number (self->json, &whole, &real))
    {
    case WP_JSON_WHOLE:
      return (double) whole;
    case WP_JSON_REAL:
      return isfinite (real) ? real : 0;
    default:
      return 0;
    }
}

static gint64
read_whole (Reader *self)
{
  return wp_whole (read_real (self));
}

/* Numbers of processes and threads may be texts. */
static gint64
read_number_or_text (Reader *self)
{
  return wp_json_reader_kind (self->json) == WP_JSON_STRING ? g_ascii_strtoll (wp_json_reader_string (self->json), NULL, 10) : read_whole (self);
}

static WpId
read_text (Reader *self)
{
  if (wp_json_reader_kind (self->json) == WP_JSON_STRING)
    return wp_strings_intern (self->maker.stacks->strings, wp_json_reader_string (self->json));
  wp_json_reader_skip (self->json);
  return 0;
}

static WpId
read_call_frame (Reader *self)
{
  WpId name = 0, file = 0;
  gint64 line = -1, column = -1;
  const char *key;

  wp_json_reader_object (self->json);
  while ((key = wp_json_reader_key (self->json)) != NULL)
    if (g_str_equal (key, "functionName"))
      name = read_text (self);
    else if (g_str_equal (key, "url"))
      file = read_text (self);
    else if (g_str_equal (key, "lineNumber"))
      line = read_whole (self);
    else if (g_str_equal (key, "columnNumber"))
      column = read_whole (self);
    else
      wp_json_reader_skip (self->json);
  if (name == 0)
    name = wp_strings_intern (self->maker.stacks->strings, "(anonymous)");
  return find_location (self, name, file, wp_sum (line, 1), wp_sum (column, 1)); /* they are counted from 0 */
}

/* Children are told by the parent in .cpuprofile, the parent by its children in chunks. */
static void
read_nodes (Reader *self)
{
  if (!wp_json_reader_array (self->json))
    return;
  while (wp_json_reader_item (self->json))
    {
      ProfileNode node = { 0 };
      const char *key;

      wp_json_reader_object (self->json);
      while ((key = wp_json_reader_key (self->json)) != NULL)
        if (g_str_equal (key, "id"))
          node.id = read_whole (self);
        else if (g_str_equal (key, "parent"))
          {
            node.parent = read_whole (self);
            node.has_parent = TRUE;
          }
        else if (g_str_equal (key, "callFrame"))
          node.location = read_call_frame (self);
        else if (g_str_equal (key, "children") && wp_json_reader_kind (self->json) == WP_JSON_ARRAY)
          {
            wp_json_reader_array (self->json);
            while (wp_json_reader_item (self->json))
              wp_array_push (&self->event.nodes, ((ProfileNode) { .id = read_whole (self), .parent = node.id, .has_parent = TRUE }));
          }
        else
          wp_json_reader_skip (self->json);
      wp_array_push (&self->event.nodes, node);
    }
}

static void
read_profile (Reader *self, const char *key)
{
  if (g_str_equal (key, "nodes"))
    read_nodes (self);
  else if (g_str_equal (key, "samples") && wp_json_reader_kind (self->json) == WP_JSON_ARRAY)
    {
      wp_json_reader_array (self->json);
      while (wp_json_reader_item (self->json))
        wp_array_push (&self->event.samples, read_whole (self));
    }
  else if (g_str_equal (key, "timeDeltas") && wp_json_reader_kind (self->json) == WP_JSON_ARRAY)
    {
      wp_json_reader_array (self->json);
      while (wp_json_reader_item (self->json))
        wp_array_push (&self->event.deltas, read_real (self));
    }
  else if (g_str_equal (key, "startTime"))
    self->event.start_time = read_real (self);
  else
    wp_json_reader_skip (self->json);
}

/* args.data of a chunk: { cpuProfile: { nodes, samples }, timeDeltas }. */
static void
read_data (Reader *self)
{
  const char *key;

  if (!wp_json_reader_object (self->json))
    return;
  while ((key = wp_json_reader_key (self->json)) != NULL)
    if (g_str_equal (key, "cpuProfile") && wp_json_reader_kind (self->json) == WP_JSON_OBJECT)
      {
        wp_json_reader_object (self->json);
        while ((key = wp_json_reader_key (self->json)) != NULL)
          read_profile (self, key);
      }
    else
      read_profile (self, key);
}

static void
read_args (Reader *self)
{
  const char *key;

  if (wp_json_reader_kind (self->json) != WP_JSON_OBJECT)
    {
      wp_json_reader_skip (self->json);
      return;
    }
  wp_json_reader_object (self->json);
  while ((key = wp_json_reader_key (self->json)) != NULL)
    if (g_str_equal (key, "name"))
      self->event.label = read_text (self);
    else if (g_str_equal (key, "data") && wp_json_reader_kind (self->json) == WP_JSON_OBJECT)
      read_data (self);
    else
      wp_json_reader_skip (self->json);
}

/* --- what events mean --------------------------------------------------------------------------------------------- */

static void
begin_span (Reader *self, gint64 end)
{
  const Event *event = &self->event;
  Span span = { .start = wp_whole (round (event->at * NS_PER_US)), .end = end, .order = self->spans.len };

  span.thread = find_thread (self, event->pid, event->tid);
  span.location = find_location (self, event->name, 0, 0, 0);
  wp_array_push (&self->spans, span);
}

static void
open_span (Reader *self)
{
  Span *span;

  begin_span (self, G_MAXINT64);
  span = &self->spans.data[self->spans.len - 1];
  if (self->open.len <= span->thread)
    wp_array_resize (&self->open, span->thread + 1);
  span->outer = self->open.data[span->thread];
  self->open.data[span->thread] = self->spans.len;
}

/* Ends the innermost one of the thread. What ends without having begun is left out. */
static void
end_span (Reader *self)
{
  guint32 thread = find_thread (self, self->event.pid, self->event.tid);

  if (thread < self->open.len && self->open.data[thread] != 0)
    {
      Span *span = &self->spans.data[self->open.data[thread] - 1];

      span->end = MAX (wp_whole (round (self->event.at * NS_PER_US)), span->start);
      self->open.data[thread] = span->outer;
    }
}

/* Names come as events, before or after what they name. */
static void
take_name (Reader *self)
{
  WpStacks *stacks = self->maker.stacks;
  const Event *event = &self->event;

  if (event->name == self->words[THREAD_NAME])
    stacks->threads.data[find_thread (self, event->pid, event->tid)].name = event->label;
  else if (event->name == self->words[PROCESS_NAME])
    g_hash_table_insert (self->threads, g_strdup_printf ("name of %" G_GINT64_FORMAT, event->pid), GUINT_TO_POINTER (event->label));
}

static void
profile_free (gpointer data)
{
  Profile *self = data;

  g_hash_table_unref (self->stacks);
  g_free (self);
}

static Profile *
find_profile (Reader *self)
{
  const Event *event = &self->event;
  g_autofree char *key = g_strdup_printf ("%" G_GINT64_FORMAT ":%u", event->pid, event->id);
  Profile *profile = g_hash_table_lookup (self->profiles, key);

  if (profile != NULL)
    return profile;
  profile = g_new0 (Profile, 1);
  profile->stacks = g_hash_table_new_full (wp_hash_int64, g_int64_equal, g_free, NULL);
  profile->thread = find_thread (self, event->pid, event->tid);
  g_hash_table_insert (self->profiles, g_steal_pointer (&key), profile);
  return profile;
}

static WpId
stack_of (const Profile *profile, gint64 id)
{
  return GPOINTER_TO_UINT (g_hash_table_lookup (profile->stacks, &id));
}

static void
set_stack (Profile *profile, gint64 id, WpId stack)
{
  g_hash_table_insert (profile->stacks, g_memdup2 (&id, sizeof id), GUINT_TO_POINTER (stack));
}

/* Parents come before their children in the list, but for what `children` says of nodes that follow: those rows tell the parent only. The root,
 * which has none, is no frame. */
static void
take_nodes (Reader *self, Profile *profile)
{
  g_autoptr (GHashTable) parents = g_hash_table_new_full (wp_hash_int64, g_int64_equal, g_free, g_free);

  for (guint32 i = 0; i < self->event.nodes.len; i++)
    {
      const ProfileNode *node = &self->event.nodes.data[i];

      if (node->has_parent)
        g_hash_table_insert (parents, g_memdup2 (&node->id, sizeof node->id), g_memdup2 (&node->parent, sizeof node->parent));
    }
  for (guint32 i = 0; i < self->event.nodes.len; i++)
    {
      const ProfileNode *node = &self->event.nodes.data[i];
      const gint64 *parent = g_hash_table_lookup (parents, &node->id);

      if (node->location != 0)
        set_stack (profile, node->id, parent == NULL ? 0 : wp_stacks_maker_stack (&self->maker, stack_of (profile, *parent), &node->location, 1));
    }
}

/* A sample lasts until the next one. */
static void
take_samples (Reader *self, Profile *profile)
{
  const Event *event = &self->event;

  for (guint32 i = 0; i < event->samples.len; i++)
    {
      double at = profile->at + (i < event->deltas.len ? event->deltas.data[i] : 0);

      if (profile->has_pending)
        add_sample (self, profile->thread, profile->pending, wp_whole (round (profile->at * NS_PER_US)),
                    wp_whole (round ((at - profile->at) * NS_PER_US)));
      profile->at = at;
      profile->pending = stack_of (profile, event->samples.data[i]);
      profile->has_pending = TRUE;
    }
}

static void
take_chunk (Reader *self)
{
  Profile *profile = find_profile (self);

  if (self->event.start_time != 0)
    profile->at = self->event.start_time;
  take_nodes (self, profile);
  take_samples (self, profile);
}

static void
take_event (Reader *self)
{
  const Event *event = &self->event;

  switch (event->phase)
    {
    case 'X':
      begin_span (self, wp_whole (round ((event->at + MAX (event->length, 0)) * NS_PER_US)));
      break;
    case 'B':
      open_span (self);
      break;
    case 'E':
      end_span (self);
      break;
    case 'M':
      take_name (self);
      break;
    case 'P':
      take_chunk (self);
      break;
    default:
      break;
    }
}

static void
read_event (Reader *self)
{
  Event *event = &self->event;
  const char *key;

  event->phase = 0;
  event->name = event->label = event->id = 0;
  event->pid = event->tid = 0;
  event->at = event->length = event->start_time = 0;
  event->nodes.len = event->samples.len = event->deltas.len = 0;
  if (!wp_json_reader_object (self->json))
    return;
  while ((key = wp_json_reader_key (self->json)) != NULL)
    if (g_str_equal (key, "ph") && wp_json_reader_kind (self->json) == WP_JSON_STRING)
      event->phase = *wp_json_reader_string (self->json);
    else if (g_str_equal (key, "name"))
      event->name = read_text (self);
    else if (g_str_equal (key, "id"))
      event->id = read_text (self);
    else if (g_str_equal (key, "pid"))
      event->pid = read_number_or_text (self);
    else if (g_str_equal (key, "tid"))
      event->tid = read_number_or_text (self);
    else if (g_str_equal (key, "ts"))
      event->at = read_real (self);
    else if (g_str_equal (key, "dur"))
      event->length = read_real (self);
    else if (g_str_equal (key, "args"))
      read_args (self);
    else
      wp_json_reader_skip (self->json);
  if (!wp_json_reader_failed (self->json))
    take_event (self);
}

/* --- spans into samples ------------------------------------------------------------------------------------------- */

/* By thread and time; of those that begin together the longer one is outside. */
static int
compare_spans (const void *a, const void *b)
{
  const Span *x = a, *y = b;

  if (x->thread != y->thread)
    return WP_COMPARE (x->thread, y->thread);
  if (x->start != y->start)
    return WP_COMPARE (x->start, y->start);
  return x->end != y->end ? WP_COMPARE (y->end, x->end) : WP_COMPARE (x->order, y->order);
}

/* What is open until a moment gets its time, and closes where it ends. */
static void
advance (Reader *self, guint32 thread, gint64 *at, gint64 to)
{
  while (self->nodes.len > 0 && *at < to)
    {
      gint64 end = MIN (self->ends.data[self->ends.len - 1], to);

      add_sample (self, thread, self->nodes.data[self->nodes.len - 1], *at, wp_sum (end, wp_negative (*at)));
      *at = MAX (*at, end);
      if (self->ends.data[self->ends.len - 1] > *at)
        break;
      self->nodes.len--;
      self->ends.len--;
    }
  while (self->ends.len > 0 && self->ends.data[self->ends.len - 1] <= to)
    {
      self->nodes.len--;
      self->ends.len--;
    }
  *at = MAX (*at, to);
}

/* What was never ended lasts as long as anything else of its thread. */
static void
end_open_spans (Reader *self)
{
  g_autofree gint64 *last = g_new0 (gint64, self->maker.stacks->threads.len);

  for (guint32 i = 0; i < self->spans.len; i++)
    {
      const Span *span = &self->spans.data[i];
      gint64 end = span->end != G_MAXINT64 ? span->end : span->start;

      last[span->thread] = MAX (last[span->thread], end);
    }
  for (guint32 i = 0; i < self->spans.len; i++)
    if (self->spans.data[i].end == G_MAXINT64)
      self->spans.data[i].end = last[self->spans.data[i].thread];
}

static void
add_spans (Reader *self)
{
  gint64 at = 0;

  end_open_spans (self);
  wp_array_sort (&self->spans, compare_spans);
  for (guint32 i = 0; i < self->spans.len; i++)
    {
      const Span *span = &self->spans.data[i];
      gint64 end = span->end;
      WpId stack;

      if (i > 0 && span[-1].thread != span->thread)
        advance (self, span[-1].thread, &at, G_MAXINT64);
      if (i == 0 || span[-1].thread != span->thread)
        at = span->start;
      advance (self, span->thread, &at, span->start);
      if (self->ends.len > 0)
        end = MIN (end, self->ends.data[self->ends.len - 1]); /* nothing outlasts what it stands in */
      stack = wp_stacks_maker_stack (&self->maker, self->nodes.len > 0 ? self->nodes.data[self->nodes.len - 1] : 0, &span->location, 1);
      wp_array_push (&self->nodes, stack);
      wp_array_push (&self->ends, end);
    }
  if (self->spans.len > 0)
    advance (self, self->spans.data[self->spans.len - 1].thread, &at, G_MAXINT64);
}

static void
name_processes (Reader *self)
{
  WpStacks *stacks = self->maker.stacks;

  for (guint32 i = 1; i < stacks->threads.len; i++)
    {
      g_autofree char *key = g_strdup_printf ("name of %" G_GINT64_FORMAT, stacks->threads.data[i].pid);

      stacks->threads.data[i].process = GPOINTER_TO_UINT (g_hash_table_lookup (self->threads, key));
    }
}

/* --- the whole ---------------------------------------------------------------------------------------------------- */

static void
read_events (Reader *self)
{
  wp_json_reader_array (self->json);
  while (wp_json_reader_item (self->json))
    read_event (self);
}

/* An array of events, an object that has one, or a profile. */
static void
read_document (Reader *self)
{
  const char *key;

  if (wp_json_reader_kind (self->json) == WP_JSON_ARRAY)
    {
      read_events (self);
      return;
    }
  wp_json_reader_object (self->json);
  while ((key = wp_json_reader_key (self->json)) != NULL)
    if (g_str_equal (key, "traceEvents"))
      read_events (self);
    else
      read_profile (self, key);
  if (!wp_json_reader_failed (self->json) && self->event.samples.len > 0)
    take_chunk (self);
}

/* The whole length of the text may end within the array: the rest of it was not written. */
static gboolean
finish (Reader *self, const WpInput *input, GError **error)
{
  g_autoptr (GError) wrong = NULL;
  gboolean is_array = input->n > 0 && input->data[0] == '[';

  if (wp_json_reader_finish (self->json, &wrong))
    return TRUE;
  if (is_array && self->spans.len > 0 && wp_json_reader_offset (self->json) >= input->n)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&wrong));
  return FALSE;
}

gboolean
wp_chrome_is (const guint8 *data, gsize n)
{
  char first = wp_sniff_first (data, n);

  if (!wp_sniff_is_text (data, n))
    return FALSE;
  if (first == '[')
    return wp_sniff_has (data, n, "\"ph\"");
  return first == '{'
         && (wp_sniff_has (data, n, "\"traceEvents\"") || (wp_sniff_has (data, n, "\"nodes\"") && wp_sniff_has (data, n, "\"callFrame\"")));
}

WpStacks *
wp_chrome_read (const char *path, const WpInput *input, WpProgress *progress, GError **error)
{
  Reader self = { .threads = g_hash_table_new_full (wp_hash_string, g_str_equal, g_free, NULL),
                  .profiles = g_hash_table_new_full (wp_hash_string, g_str_equal, g_free, profile_free) };
  WpStacks *stacks = NULL;
  WpStrings *strings;

  if (wp_input_check_whole (input, path, error))
    {
      wp_progress_phase (progress, "Reading");
      self.json = wp_json_reader_new (path, (const char *) input->data, input->n, progress);
      wp_stacks_maker_init (&self.maker);
      strings = self.maker.stacks->strings;
      for (guint i = 0; i < N_WORDS; i++)
        self.words[i] = wp_strings_intern (strings, words[i]);
      wp_array_add (&self.maker.stacks->threads);
      wp_stacks_maker_type (&self.maker, wp_strings_intern (strings, "time"), wp_strings_intern (strings, "nanoseconds"));
      read_document (&self);
      if (finish (&self, input, error))
        {
          add_spans (&self);
          name_processes (&self);
          stacks = wp_stacks_maker_take (&self.maker);
        }
      wp_stacks_maker_clear (&self.maker);
      wp_json_reader_free (self.json);
    }
  g_hash_table_unref (self.threads);
  g_hash_table_unref (self.profiles);
  wp_pair_map_clear (&self.locations);
  wp_array_clear (&self.event.nodes);
  wp_array_clear (&self.event.samples);
  wp_array_clear (&self.event.deltas);
  wp_array_clear (&self.spans);
  wp_array_clear (&self.open);
  wp_array_clear (&self.nodes);
  wp_array_clear (&self.ends);
  return stacks;
}
