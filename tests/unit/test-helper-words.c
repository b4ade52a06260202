/* What the collector-helper makes of its caller's bytes, and of what a neighbour's processes are: commands however they are cut, options,
 * shares. */
#include "commands.h"
#include "options.h"
#include "processes.h"
#include "shares.h"

#include <glib.h>
#include <string.h>

/* All of the bytes, in pieces of so many. */
static WpcCommands
take_all (const char *bytes, gsize length, gsize piece)
{
  WpcCommands commands = { 0 };

  for (gsize at = 0; at < length;)
    {
      gsize n = wpc_commands_take (&commands, bytes + at, MIN (piece, length - at));

      g_assert_cmpuint (n, >, 0);
      g_assert_cmpuint (n, <=, MIN (piece, length - at));
      at += n;
    }
  return commands;
}

static void
test_commands (void)
{
  static const char bytes[] = "pause\npause\nresume\nrate 500\nrate 0\nrate 100001\nrate 7x\nround\nround 1\nstop \n stop\nSTOP\nresume now\n\n"
                              "sample all\nsample chosen\nsample\nsample all \nsample 1\nrate 2";
  gsize length = sizeof bytes - 1;

  for (gsize piece = 1; piece <= length; piece++)
    {
      WpcCommands commands = take_all (bytes, length, piece);

      g_assert_cmpuint (commands.pauses, ==, 1);
      g_assert_cmpuint (commands.rate, ==, 500);
      g_assert_cmpint (commands.sample, ==, WPC_SAMPLE_CHOSEN);
      g_assert_cmpuint (commands.n, ==, 10);
      g_assert_false (commands.stop);
    }
  g_assert_true (take_all ("stop\n", 5, 1).stop);
  g_assert_cmpint (take_all ("round\n", 6, 1).sample, ==, WPC_SAMPLE_AS_BEGUN);
  g_assert_cmpint (take_all ("sample chosen\nsample all\n", 25, 1).sample, ==, WPC_SAMPLE_ALL);
  g_assert_cmpuint (take_all ("resume\nresume\npause\n", 20, 20).pauses, ==, 1);
}

/* A line that is too long is none, and the next one is one again. */
static void
test_long_lines (void)
{
  for (gsize n = 1; n < 300; n++)
    {
      g_autofree char *line = g_strnfill (n, '0'), *text = g_strdup_printf ("rate %s7\nstop\n", line);
      WpcCommands commands = take_all (text, strlen (text), 1 + n % 17);

      g_assert_cmpuint (commands.rate, ==, strlen ("rate 7") + n < sizeof commands.line ? 7 : 0);
      g_assert_true (commands.stop);
    }
}

static void
test_any_bytes (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (1);
  char bytes[512];

  for (guint round = 0; round < 2000; round++)
    {
      WpcCommands one, other;

      for (gsize i = 0; i < sizeof bytes; i++)
        bytes[i] = g_rand_int_range (random, 0, 8) == 0 ? '\n' : (char) g_rand_int (random);
      one = take_all (bytes, sizeof bytes, sizeof bytes);
      other = take_all (bytes, sizeof bytes, 1 + round % 7);
      g_assert_cmpmem (&one, sizeof one, &other, sizeof other);
    }
}

static void
test_options (void)
{
  static const char *const both[] = { "--rate=1", "--rate=100000", "--events=cpu,net", "--cpus=0-3,7", "--buffer-kb=64", "--size-mb=1", "--size-mb=16777216",
                                      "--patience=60", "--sample-pids=1", "--sample-pids=12,4194304,7", "--sample-tids=12,4194304,7", "--sample=all", "--sample=chosen", "--readers=1", "--readers=128" };
  static const char *const neither[] = { "", "-", "--rate=", "--rate=0", "--rate=100001", "--rate=18446744073709551617", "--cpus=4096",
                                         "--cpus=3-1", "--events=", "--events=cpu,", "--buffer-kb=63", "--size-mb=0", "--size-mb=16777217", "--patience=0",
                                         "--patience=61", "--sample-pids=", "--sample-pids=0", "--sample-pids=1,", "--sample-pids=1,,2",
                                         "--sample-pids=4194305", "--sample-pids=-1", "--sample-tids=", "--sample-tids=1,", "--sample-pids=1 2", "--sample=", "--sample=all,chosen", "--readers=", "--readers=0",
                                         "--readers=129", "/etc/passwd" };
  static const char *const plain[] = { "--stacks=fp", "--stacks=none" };
  static const char *const copying[] = { "--stacks=dwarf", "--stack-bytes=32768" };
  static WpcOptions options;
  g_autoptr (GString) pids = g_string_new ("--sample-pids=1");

  for (guint i = 1; i < WPC_SAMPLED_MAX; i++)
    g_string_append (pids, ",1");
  g_assert_true (wpc_options_take (&options, pids->str));
  g_assert_cmpuint (options.n_sampled, ==, WPC_SAMPLED_MAX);
  g_string_append (pids, ",1");
  g_assert_false (wpc_options_take (&options, pids->str));
  for (int copies = 0; copies < 2; copies++)
    {
      wpc_options_init (&options, copies);
      g_assert_true (options.sample_chosen);
      g_assert_true (wpc_options_take (&options, "--sample=all") && !options.sample_chosen);
      for (guint i = 0; i < G_N_ELEMENTS (both); i++)
        g_assert_true (wpc_options_take (&options, both[i]));
      for (guint i = 0; i < G_N_ELEMENTS (neither); i++)
        g_assert_false (wpc_options_take (&options, neither[i]));
      for (guint i = 0; i < G_N_ELEMENTS (plain); i++)
        g_assert_true (wpc_options_take (&options, plain[i]) == !copies);
      for (guint i = 0; i < G_N_ELEMENTS (copying); i++)
        g_assert_true (wpc_options_take (&options, copying[i]) == copies);
      g_assert_true ((options.stacks == WPC_STACKS_DWARF) == copies);
    }
}

/* Processes that take all they can get, of one user. Returns how much they got. */
static gsize
fill (WpcShares *shares, unsigned user, unsigned recorder, guint processes)
{
  gsize got = 0;

  for (guint i = 0; i < processes; i++)
    for (wpc_shares_begin (shares, user, recorder); wpc_shares_cut (shares) == WPC_CUT_NOT; got += 1000)
      wpc_shares_use (shares, 1000);
  return got;
}

static void
test_shares (void)
{
  const unsigned recorder = 1000;
  WpcShares shares = { 0 };
  gsize others = 0;

  g_assert_cmpuint (fill (&shares, 2000, recorder, 1), <=, WPC_PROCESS_KB * 1024 + 1000);
  g_assert_cmpint (wpc_shares_cut (&shares), ==, WPC_CUT_PROCESS);
  fill (&shares, 2000, recorder, 1000);
  g_assert_cmpint (wpc_shares_cut (&shares), ==, WPC_CUT_USER);
  for (unsigned user = 3000; user < 3200; user++)
    others += fill (&shares, user, recorder, 1000);
  g_assert_cmpint (wpc_shares_cut (&shares), !=, WPC_CUT_NOT);
  g_assert_cmpuint (others, <=, WPC_ALL_KB * 1024 + 200 * 1000);
  g_assert_cmpuint (fill (&shares, 0, recorder, 1), >=, WPC_PROCESS_KB * 1024);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/helper/commands", test_commands);
  g_test_add_func ("/helper/commands/long", test_long_lines);
  g_test_add_func ("/helper/commands/any", test_any_bytes);
  g_test_add_func ("/helper/options", test_options);
  g_test_add_func ("/helper/shares", test_shares);
  return g_test_run ();
}
