/* Maps of address ranges beside a plain table, one entry for each address; many maps that differ in little; and the stacks of call chains in
 * address spaces. */
#include "base/hash.h"
#include "read/symbols/address-spaces.h"
#include "read/symbols/address-ranges.h"

#include <linux/perf_event.h>

#define ADDRESSES 256
#define MAPS 8

typedef struct
{
  WpId root;
  guint32 edition;
  WpMapping plain[ADDRESSES]; /* end 0: nothing is there */
} Map;

static void
put (WpAddressRanges *ranges, Map *map, guint64 start, guint64 end, WpId module)
{
  const WpMapping range = { .start = start, .end = end, .file_offset = 1000 * module, .module = module };

  map->root = wp_address_ranges_put (ranges, map->root, map->edition, &range);
  for (guint64 at = start; at < end; at++)
    map->plain[at] = range;
}

static void
fork_map (WpAddressRanges *ranges, Map *from, Map *to)
{
  *to = *from;
  to->edition = wp_address_ranges_new_edition (ranges);
  from->edition = wp_address_ranges_new_edition (ranges);
}

/* What is left of a range that others cut begins elsewhere, and so does what of the file is there. */
static void
check (const WpAddressRanges *ranges, const Map *map)
{
  for (guint64 at = 0; at < ADDRESSES; at++)
    {
      const WpMapping *found = wp_address_ranges_find (ranges, map->root, at), *plain = &map->plain[at];

      if (plain->end == 0)
        {
          g_assert_null (found);
          continue;
        }
      g_assert_nonnull (found);
      g_assert_cmpuint (found->module, ==, plain->module);
      g_assert_cmpuint (at - found->start + found->file_offset, ==, at - plain->start + plain->file_offset);
      g_assert_cmpuint (found->end, <=, plain->end);
    }
}

static void
test_random (void)
{
  for (guint round = 0; round < 50; round++)
    {
      WpAddressRanges *ranges = wp_address_ranges_new ();
      Map *maps = g_new0 (Map, MAPS);

      for (guint i = 0; i < MAPS; i++)
        maps[i].edition = wp_address_ranges_new_edition (ranges);
      for (WpId step = 1; step < 300; step++)
        {
          Map *map = &maps[g_test_rand_int_range (0, MAPS)], *other = &maps[g_test_rand_int_range (0, MAPS)];
          guint64 start = g_test_rand_int_range (0, ADDRESSES), length = g_test_rand_int_range (1, step % 10 == 0 ? 200 : 20);

          if (step % 7 == 0 && map != other)
            fork_map (ranges, map, other);
          put (ranges, map, start, MIN (start + length, ADDRESSES), step);
        }
      for (guint i = 0; i < MAPS; i++)
        check (ranges, &maps[i]);
      g_free (maps);
      wp_address_ranges_free (ranges);
    }
}

/* Ends of what can be addressed. */
static void
test_ends (void)
{
  WpAddressRanges *ranges = wp_address_ranges_new ();
  const WpMapping all = { .start = 0, .end = G_MAXUINT64, .module = 1 }, first = { .start = 0, .end = 1, .module = 2 };
  const WpMapping last = { .start = G_MAXUINT64 - 1, .end = G_MAXUINT64, .module = 3 };
  WpId root = wp_address_ranges_put (ranges, 0, 1, &all);

  root = wp_address_ranges_put (ranges, root, 1, &first);
  root = wp_address_ranges_put (ranges, root, 1, &last);
  g_assert_cmpuint (wp_address_ranges_find (ranges, root, 0)->module, ==, 2);
  g_assert_cmpuint (wp_address_ranges_find (ranges, root, 1)->module, ==, 1);
  g_assert_cmpuint (wp_address_ranges_find (ranges, root, 1)->file_offset, ==, 1);
  g_assert_cmpuint (wp_address_ranges_find (ranges, root, G_MAXUINT64 - 1)->module, ==, 3);
  g_assert_null (wp_address_ranges_find (ranges, root, G_MAXUINT64));
  wp_address_ranges_free (ranges);
}

/* Records may name any process: -1, too, and one that never was. */
static void
test_odd_processes (void)
{
  WpTrace *trace = wp_trace_new ();
  WpSpaces *spaces = wp_spaces_new (trace, NULL);

  g_assert_null (wp_spaces_find (spaces, -1, 0x1000));
  g_assert_true (wp_spaces_map (spaces, -1, 0x1000, 0x1000, 0, wp_trace_module (trace, "a", NULL)));
  g_assert_cmpuint (wp_spaces_find (spaces, -1, 0x1000)->start, ==, 0x1000);
  wp_spaces_fork (spaces, -1, 7);
  wp_spaces_clear (spaces, -1);
  g_assert_null (wp_spaces_find (spaces, -1, 0x1000));
  g_assert_nonnull (wp_spaces_find (spaces, 7, 0x1000));
  wp_spaces_fork (spaces, 8, 7);
  g_assert_null (wp_spaces_find (spaces, 7, 0x1000));
  wp_spaces_free (spaces);
  wp_trace_free (trace);
}

/* Recognised where there is a memory. */
static WpId
stack_of (WpSpaces *spaces, WpChainMemory *memory, const guint64 *addresses, gsize n)
{
  WpCallChain chain;

  wp_call_chain_split ((const guint8 *) addresses, n, &chain);
  if (memory != NULL)
    wp_chain_memory_recognize (memory, wp_spaces_number (spaces, 1), &chain);
  return wp_spaces_stack (spaces, 1, &chain);
}

/* Of 16 bytes of which the first 8 are the seed, the hash is the same whatever the others are: two chains that differ there only. */
static void
test_equal_hashes (void)
{
  static const char text[] = "ffffffff81000000 T first\nffffffff81001000 T second\nffffffff81002000 T third\n";
  static const struct
  {
    guint64 context, start;
  } parts[] = { { PERF_CONTEXT_USER, 0x550000000000 }, { PERF_CONTEXT_KERNEL, G_GUINT64_CONSTANT (0xffffffff81000000) } };
  const guint64 drawn = wp_hash_seeds[0];

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    for (guint remembered = 0; remembered < 2; remembered++)
      {
        const guint64 start = parts[i].start, seed = start + 0x11;
        guint64 chains[2][5] = { { parts[i].context, seed, start + 0x100, start + 0x2000, start + 0x2100 },
                                 { parts[i].context, seed, start + 0x1100, start + 0x2000, start + 0x2100 } };
        WpTrace *trace;
        WpKernelSymbols *kernel;
        WpChainMemory *memory;
        WpSpaces *spaces;
        WpId stacks[2];

        wp_hash_seeds[0] = seed;
        g_assert_cmpuint (wp_hash_bytes (chains[0] + 1, 32), ==, wp_hash_bytes (chains[1] + 1, 32));
        trace = wp_trace_new ();
        kernel = wp_kernel_symbols_new (trace, NULL);
        wp_kernel_symbols_set_text (kernel, text, strlen (text));
        spaces = wp_spaces_new (trace, kernel);
        memory = remembered ? wp_chain_memory_new () : NULL;
        wp_spaces_map (spaces, 1, 0x550000000000, 0x10000, 0, wp_trace_module (trace, "a", NULL));
        for (guint k = 0; k < 2; k++)
          stacks[k] = stack_of (spaces, memory, chains[k], 5);
        g_assert_cmpuint (stacks[0], !=, 0);
        g_assert_cmpuint (stacks[0], !=, stacks[1]);
        for (guint round = 0; round < 2; round++)
          for (guint k = 0; k < 2; k++)
            g_assert_cmpuint (stack_of (spaces, memory, chains[k], 5), ==, stacks[k]);
        wp_chain_memory_free (memory);
        wp_spaces_free (spaces);
        wp_kernel_symbols_free (kernel);
        wp_trace_free (trace);
        wp_hash_seeds[0] = drawn;
      }
}

/* What nobody recognised is looked up each time: its bytes may have changed. */
static void
test_passing_chains (void)
{
  WpTrace *trace = wp_trace_new ();
  WpSpaces *spaces = wp_spaces_new (trace, NULL);
  guint64 chain[3] = { PERF_CONTEXT_USER, 0x1010, 0x1020 };
  WpId first, second;

  wp_spaces_map (spaces, 1, 0x1000, 0x1000, 0, wp_trace_module (trace, "a", NULL));
  first = stack_of (spaces, NULL, chain, 3);
  chain[1] = 0x1030;
  second = stack_of (spaces, NULL, chain, 3);
  g_assert_cmpuint (first, !=, second);
  chain[1] = 0x1010;
  g_assert_cmpuint (stack_of (spaces, NULL, chain, 3), ==, first);
  wp_spaces_free (spaces);
  wp_trace_free (trace);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ranges/random", test_random);
  g_test_add_func ("/ranges/ends", test_ends);
  g_test_add_func ("/spaces/odd-processes", test_odd_processes);
  g_test_add_func ("/spaces/equal-hashes", test_equal_hashes);
  g_test_add_func ("/spaces/passing-chains", test_passing_chains);
  return g_test_run ();
}
