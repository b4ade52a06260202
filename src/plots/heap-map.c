/* Heap map as rows of boxes: what is where in memory, snapshot by snapshot. */
#include "plots/plots-private.h"

#include "base/hash.h"

#include <glib/gi18n.h>
#include <math.h>

#define ALIGN 64 /* addresses: where the axis begins */
#define MAX_BOXES 2000000 /* of all snapshots together; beyond that neighbours share boxes */

typedef struct
{
  WpPlots *kinds;
  const WpHeapMap *map;
  WpRows *rows;
  WpPlotNotes *notes;
  WpGather gather;
  WpId *labels;       /* by uid of the map */
  GHashTable *texts;  /* kind or trace (WpValue) -> string of the rows */
  gint64 first, last;
} Heap;

static WpId
label_of (Heap *h, guint32 uid)
{
  if (h->labels[uid] == 0)
    {
      g_autoptr (WpFlattener) flattener = wp_flattener_new (h->kinds->profile->values);
      g_autoptr (GString) text = g_string_new (NULL);
      WpValue value = h->map->info.data[uid], function = wp_value_get (h->map->values, value, "function");
      WpValue line = wp_value_get (h->map->values, value, "line");

      wp_plot_text (h->kinds, function != 0 ? function : wp_flatten_joined (flattener, value), text);
      if (function != 0 && line != 0)
        {
          g_string_append_c (text, ':');
          wp_value_str (h->map->values, line, text);
        }
      h->labels[uid] = wp_strings_intern (h->rows->strings, text->str);
    }
  return h->labels[uid];
}

/* Of no length is what was asked for as 0 bytes. */
static void
add_allocation (Heap *h, guint32 row, const WpAllocation *a, WpId ref)
{
  if (a->amount <= 0)
    return;
  wp_gather_add (&h->gather, row, &(WpBox) { .start = a->address, .end = a->address + a->amount, .label = label_of (h, a->uid),
                                             .ref = ref, .kind = WP_BOX_RUN });
}

static void
add_row (Heap *h, const char *label, gboolean group)
{
  wp_array_push (&h->rows->rows, ((WpRow) { .label = wp_strings_intern (h->rows->strings, label), .group = group }));
}

static WpId
kind_text (Heap *h, WpValue value)
{
  g_autoptr (GString) text = NULL;
  gpointer known = g_hash_table_lookup (h->texts, GUINT_TO_POINTER (value));
  WpId id;

  if (known != NULL || value == 0)
    return GPOINTER_TO_UINT (known);
  text = g_string_new (NULL);
  if (wp_value_kind (h->map->values, value) == WP_VALUE_ARRAY)
    wp_plot_append_trace (h->kinds, value, text);
  else
    wp_value_str (h->map->values, value, text);
  id = wp_strings_intern (h->rows->strings, text->str);
  g_hash_table_insert (h->texts, GUINT_TO_POINTER (value), GUINT_TO_POINTER (id));
  return id;
}

/* One for each allocation, so that rows of both agree. */
static void
add_notes (Heap *h)
{
  for (guint32 i = 0; i < h->map->allocations.len; i++)
    {
      const WpAllocation *a = &h->map->allocations.data[i];

      wp_array_push (&h->notes->notes, ((WpPlotNote) { .kind = kind_text (h, a->subtype), .trace = kind_text (h, a->trace),
                                                       .first = a->first + 1,
                                                       .last = a->last == G_MAXUINT32 ? G_MAXUINT32 : a->last + 1 }));
    }
}

/* --- many allocations: a row is divided into cells, each with one box for what begins in it --- */

typedef struct
{
  gint64 start, end;
  guint32 largest, n; /* row of `allocations`; how many */
} Cell;

static void
add_to_cell (Cell *cell, const WpHeapMap *map, guint32 row)
{
  const WpAllocation *a = &map->allocations.data[row];

  cell->start = cell->n > 0 ? MIN (cell->start, a->address) : a->address;
  cell->end = cell->n > 0 ? MAX (cell->end, a->address + a->amount) : a->address + a->amount;
  if (cell->n++ == 0 || a->amount > map->allocations.data[cell->largest].amount)
    cell->largest = row;
}

static void
add_cell (Heap *h, guint32 row, const Cell *cell)
{
  WpAllocation joint = h->map->allocations.data[cell->largest];
  WpId note = cell->largest;

  joint.address = cell->start;
  joint.amount = cell->end - cell->start;
  if (cell->n > 1)
    {
      WpPlotNote merged = h->notes->notes.data[note];

      merged.more = cell->n - 1;
      note = h->notes->notes.len;
      wp_array_push (&h->notes->notes, merged);
    }
  add_allocation (h, row, &joint, note);
}

static void
add_in_cells (Heap *h, guint32 row, const WpIdArray *at, Cell *cells, guint32 n_cells)
{
  double width = (double) (h->rows->end - h->rows->start) / n_cells;

  memset (cells, 0, n_cells * sizeof *cells);
  for (guint32 i = 0; i < at->len; i++)
    {
      const WpAllocation *a = &h->map->allocations.data[at->data[i]];
      double place = floor ((double) (a->address - h->rows->start) / width);

      if (a->amount > 0)
        add_to_cell (&cells[(guint32) CLAMP (place, 0, n_cells - 1)], h->map, at->data[i]);
    }
  for (guint32 c = 0; c < n_cells; c++)
    if (cells[c].n > 0)
      add_cell (h, row, &cells[c]);
}

/* How many cells a row has; 0: each allocation is a box. */
static guint32
count_cells (const WpHeapMap *map)
{
  guint64 sum = 0;

  for (guint32 s = 0; s < map->snapshots.len; s++)
    sum += map->snapshots.data[s].n;
  return sum > MAX_BOXES ? MAX (MAX_BOXES / map->snapshots.len, 16) : 0;
}

/* A row for each snapshot: what was allocated at its time. */
static gboolean
add_snapshots (Heap *h, WpProgress *progress, GError **error)
{
  WpIdArray at = { 0 };
  guint32 n_cells = count_cells (h->map);
  g_autofree Cell *cells = g_new (Cell, (gsize) n_cells + 1);
  gboolean going = TRUE;

  for (guint32 s = 0; going && s < h->map->snapshots.len; s++)
    {
      const char *time = wp_value_string (h->map->values, h->map->snapshots.data[s].time);
      g_autofree char *label = *time != '\0' ? g_strdup_printf (_ ("%u: %s s"), s + 1, time) : g_strdup_printf ("%u", s + 1);

      add_row (h, label, FALSE);
      at.len = 0;
      wp_heap_map_at (h->map, s, &at);
      if (n_cells > 0)
        add_in_cells (h, s, &at, cells, n_cells);
      for (guint32 i = 0; i < at.len && n_cells == 0; i++)
        add_allocation (h, s, &h->map->allocations.data[at.data[i]], at.data[i]);
      going = wp_progress_step (progress, (double) s / h->map->snapshots.len, error);
    }
  wp_array_clear (&at);
  return going;
}

/* A row for everything, then one for each place in the program that allocated, those with most first. */
typedef struct
{
  guint32 uid, row;
  gint64 sum;
} Place;

static int
compare_places (const void *a, const void *b)
{
  const Place *x = a, *y = b;

  return x->sum != y->sum ? (x->sum > y->sum ? -1 : 1) : x->uid < y->uid ? -1 : x->uid > y->uid;
}

static guint32 *
add_places (Heap *h, const WpIdArray *at)
{
  guint32 n = h->map->info.len;
  g_autofree Place *places = g_new0 (Place, (gsize) n + 1);
  guint32 *rows = g_new0 (guint32, (gsize) n + 1);

  for (guint32 i = 0; i < n; i++)
    places[i].uid = i;
  for (guint32 i = 0; i < at->len; i++)
    places[h->map->allocations.data[at->data[i]].uid].sum += h->map->allocations.data[at->data[i]].amount;
  qsort (places, n, sizeof *places, compare_places);
  for (guint32 i = 0; i < n && places[i].sum > 0; i++)
    {
      char text[WP_FORMAT_MAX];
      g_autofree char *label = g_strdup_printf ("%s  %s", wp_strings_get (h->rows->strings, label_of (h, places[i].uid)),
                                                wp_unit_format (WP_UNIT_BYTES, (double) places[i].sum, text));

      rows[places[i].uid] = h->rows->rows.len;
      add_row (h, label, i == 0);
    }
  return rows;
}

static void
add_all (Heap *h, guint32 snapshot)
{
  char text[WP_FORMAT_MAX];
  g_autofree char *label
    = g_strdup_printf ("%s  %s", _ ("All"), wp_unit_format (WP_UNIT_BYTES, (double) h->map->snapshots.data[snapshot].sum_amount, text));

  add_row (h, label, FALSE);
}

static void
add_snapshot (Heap *h, guint32 snapshot)
{
  WpIdArray at = { 0 };
  g_autofree guint32 *rows = NULL;

  add_all (h, snapshot);
  wp_heap_map_at (h->map, snapshot, &at);
  rows = add_places (h, &at);
  for (guint32 i = 0; i < at.len; i++)
    {
      const WpAllocation *a = &h->map->allocations.data[at.data[i]];

      add_allocation (h, 0, a, at.data[i]);
      add_allocation (h, rows[a->uid], a, at.data[i]);
    }
  wp_array_clear (&at);
}

/* All snapshots have the same axis, so that a slider through them leaves things where they are. */
static void
find_range (Heap *h)
{
  for (guint32 i = 0; i < h->map->allocations.len; i++)
    if (h->map->allocations.data[i].amount > 0)
      {
        h->first = MIN (h->first, h->map->allocations.data[i].address);
        h->last = MAX (h->last, h->map->allocations.data[i].address + h->map->allocations.data[i].amount);
      }
  h->rows->start = h->first < h->last ? h->first - ((h->first % ALIGN) + ALIGN) % ALIGN : 0;
  h->rows->end = h->first < h->last ? h->last : 1;
}

static guint
find_peak (const WpHeapMap *map)
{
  guint peak = 0;

  for (guint32 s = 0; s < map->snapshots.len; s++)
    if (map->snapshots.data[s].sum_amount > (peak > 0 ? map->snapshots.data[peak - 1].sum_amount : 0))
      peak = s + 1;
  return peak;
}

gboolean
wp_plot_heap_map (WpPlots *self, const WpPlotOptions *options, WpPlotPicture *picture, WpProgress *progress, GError **error)
{
  Heap h = { .kinds = self, .first = G_MAXINT64, .last = G_MININT64 };
  gboolean whole = TRUE;

  if (self->heap == NULL)
    self->heap = wp_heap_map_new (self->profile, error);
  if (self->heap == NULL)
    return FALSE;
  h.map = self->heap;
  h.rows = picture->rows = wp_rows_new ();
  h.notes = picture->notes = g_new0 (WpPlotNotes, 1);
  h.labels = g_new0 (WpId, (gsize) h.map->info.len + 1);
  h.texts = g_hash_table_new (wp_hash_pointer, NULL);
  picture->peak = find_peak (h.map);
  find_range (&h);
  add_notes (&h);
  if (options->snapshot > 0 && options->snapshot <= h.map->snapshots.len)
    add_snapshot (&h, options->snapshot - 1);
  else
    whole = add_snapshots (&h, progress, error);
  wp_gather_finish (&h.gather, h.rows);
  h.rows->x_unit = WP_UNIT_ADDRESS;
  h.rows->plain = TRUE;
  wp_rows_finish (h.rows);
  g_hash_table_unref (h.texts);
  g_free (h.labels);
  return whole;
}

/* --- what a box says ---------------------------------------------------------------------------------------------------- */

/* The first lines of a trace. */
static void
append_lines (GString *text, const char *lines, guint n)
{
  const char *end = lines;

  for (guint i = 0; i < n && *end != '\0'; i++)
    end += strcspn (end, "\n") + (end[strcspn (end, "\n")] != '\0');
  g_string_append_printf (text, "\n%.*s", (int) (end - lines), lines);
  if (*end != '\0')
    g_string_append (text, "…");
}

static void
append_life (GString *text, const WpPlotNote *note)
{
  g_string_append_c (text, '\n');
  if (note->last == G_MAXUINT32)
    g_string_append_printf (text, _ ("allocated in snapshot %u, never freed"), note->first);
  else
    g_string_append_printf (text, _ ("allocated in snapshot %u, freed in %u"), note->first, note->last);
}

char *
wp_plot_describe_allocation (const WpRows *rows, const WpPlotNotes *notes, const WpBox *b, guint frames)
{
  const WpPlotNote *note = notes != NULL && b->ref < notes->notes.len ? &notes->notes.data[b->ref] : NULL;
  char a[WP_FORMAT_MAX], c[WP_FORMAT_MAX], d[WP_FORMAT_MAX];
  GString *text = g_string_new (wp_rows_string (rows, b->label));

  g_string_append_printf (text, "\n%s – %s · %s", wp_unit_format (WP_UNIT_ADDRESS, (double) b->start, a),
                          wp_unit_format (WP_UNIT_ADDRESS, (double) b->end, c),
                          wp_unit_format (WP_UNIT_BYTES, (double) (b->end - b->start), d));
  if (note != NULL && note->more > 0)
    g_string_append_printf (text, ngettext (" (and %u smaller one; choose a snapshot to tell them apart)",
                                            " (and %u smaller ones; choose a snapshot to tell them apart)", note->more), note->more);
  else if (note != NULL && note->kind != 0)
    g_string_append_printf (text, " · %s", wp_rows_string (rows, note->kind));
  if (note != NULL)
    append_life (text, note);
  if (note != NULL && note->trace != 0)
    append_lines (text, wp_rows_string (rows, note->trace), frames);
  return g_string_free (text, FALSE);
}
