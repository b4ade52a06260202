#include "read/perf/kernel-moves.h"

#include "base/array.h"
#include "base/search.h"
#include "base/sort.h"

#define PAGE G_GUINT64_CONSTANT (4096)

/* Where _stext is without randomisation. */
#if defined(__aarch64__)
#define STEXT G_GUINT64_CONSTANT (0xffff800080010000)
#elif defined(__riscv)
#define STEXT G_GUINT64_CONSTANT (0xffffffff80002000)
#else
#define STEXT G_GUINT64_CONSTANT (0xffffffff81000000)
#endif

/* Nothing is ever mapped here: a hole of the x86-64 kernel's. First pieces, then pages. */
#define PIECES G_GUINT64_CONSTANT (0xffffff9000000000)
#define PAGES G_GUINT64_CONSTANT (0xffffffc000000000)

typedef struct
{
  guint64 start, end;
  guint64 moved; /* is added */
} CodePiece;

struct WpKernelMoves
{
  WP_ARRAY (CodePiece) pieces; /* in order; they do not touch */
  CodePiece kernel;            /* the one with _stext: most addresses */
  GHashTable *pages;       /* page → how many came before + 1 */
  GHashTable *pointers;    /* the same of data */
};

/* Kernel addresses are alike in all bits but those in the middle. */
static guint
hash (gconstpointer key)
{
  return (guint) (((guint64) (gsize) key * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15)) >> 32);
}

WpKernelMoves *
wp_kernel_moves_new (void)
{
  WpKernelMoves *self = g_new0 (WpKernelMoves, 1);

  self->pages = g_hash_table_new (hash, NULL);
  self->pointers = g_hash_table_new (hash, NULL);
  return self;
}

void
wp_kernel_moves_free (WpKernelMoves *self)
{
  if (self == NULL)
    return;
  wp_array_clear (&self->pieces);
  g_hash_table_unref (self->pages);
  g_hash_table_unref (self->pointers);
  g_free (self);
}

/* --- pieces ------------------------------------------------------------------------------------------------------- */

/* Most come in order, each a little behind the one before. */
void
wp_kernel_moves_add (WpKernelMoves *self, guint64 start, guint64 size)
{
  CodePiece *last = self->pieces.len > 0 ? &self->pieces.data[self->pieces.len - 1] : NULL;
  guint64 end = start + MIN (size, G_MAXUINT64 - PAGE - start);

  start -= start % PAGE;
  if (!wp_is_kernel_address (start) || end <= start)
    return;
  end += (PAGE - end % PAGE) % PAGE;
  if (last != NULL && start >= last->start && start <= last->end)
    last->end = MAX (last->end, end);
  else
    wp_array_push (&self->pieces, ((CodePiece) { .start = start, .end = end }));
}

WP_DEFINE_COMPARE (compare_pieces, CodePiece, start)

static void
join_pieces (WpKernelMoves *self)
{
  guint32 n = 0;

  wp_array_sort (&self->pieces, compare_pieces);
  for (guint32 i = 0; i < self->pieces.len; i++)
    {
      const CodePiece *piece = &self->pieces.data[i];

      if (n > 0 && piece->start <= self->pieces.data[n - 1].end)
        self->pieces.data[n - 1].end = MAX (self->pieces.data[n - 1].end, piece->end);
      else
        self->pieces.data[n++] = *piece;
    }
  self->pieces.len = n;
}

static gboolean
holds (const CodePiece *piece, guint64 address)
{
  return address >= piece->start && address < piece->end;
}

void
wp_kernel_moves_settle (WpKernelMoves *self, guint64 stext)
{
  guint64 next = PIECES;

  join_pieces (self);
  for (guint32 i = 0; i < self->pieces.len; i++)
    {
      CodePiece *piece = &self->pieces.data[i];

      if (holds (piece, stext))
        {
          piece->moved = STEXT - STEXT % PAGE - (stext - stext % PAGE);
          self->kernel = *piece;
          continue;
        }
      piece->moved = next - piece->start;
      next += piece->end - piece->start;
    }
}

static const CodePiece *
find_piece (const WpKernelMoves *self, guint64 address)
{
  guint32 low;

  if (holds (&self->kernel, address))
    return &self->kernel;
  low = WP_SEARCH (0, self->pieces.len, i, self->pieces.data[i].start <= address);
  return low > 0 && holds (&self->pieces.data[low - 1], address) ? &self->pieces.data[low - 1] : NULL;
}

/* --- one address -------------------------------------------------------------------------------------------------- */

/* The number of a key, by the order in which they come. */
static guint64
number_of (GHashTable *numbers, guint64 key)
{
  gpointer number = g_hash_table_lookup (numbers, (gpointer) (gsize) key);

  if (number == NULL)
    {
      number = GUINT_TO_POINTER (g_hash_table_size (numbers) + 1);
      g_hash_table_insert (numbers, (gpointer) (gsize) key, number);
    }
  return GPOINTER_TO_UINT (number);
}

guint64
wp_kernel_moves_code (WpKernelMoves *self, guint64 address)
{
  const CodePiece *piece;

  if (!wp_is_kernel_address (address))
    return address;
  piece = find_piece (self, address);
  if (piece != NULL)
    return address + piece->moved;
  return PAGES + number_of (self->pages, address / PAGE) * PAGE + address % PAGE;
}

guint64
wp_kernel_moves_pointer (WpKernelMoves *self, guint64 pointer)
{
  const CodePiece *piece = wp_is_kernel_address (pointer) ? find_piece (self, pointer) : NULL;

  if (piece != NULL)
    return pointer + piece->moved;
  return wp_is_kernel_address (pointer) ? number_of (self->pointers, pointer) : pointer;
}
