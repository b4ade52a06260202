/* What opening a profile takes, and what asking and converting it does: CPU seconds, a name and a number a line. */
#include "profile/model/flame-lines.h"
#include "profile/model/groups.h"
#include "profile/model/heap-map.h"

#include <stdio.h>
#include <sys/resource.h>
#include <time.h>

static double
cpu_seconds (void)
{
  return (double) clock () / CLOCKS_PER_SEC;
}

static double
tell (const char *name, double since)
{
  printf ("%s %.4f\n", name, cpu_seconds () - since);
  return cpu_seconds ();
}

static void
ask (WpProfile *profile)
{
  double t = cpu_seconds ();
  WpIdArray found = { 0 };
  g_autoptr (GString) lines = g_string_new (NULL);
  g_autoptr (WpResourceTable) table = NULL;
  g_autoptr (WpHeapMap) heap = NULL;
  g_autoptr (WpHeatMap) heat = NULL;
  WpBarArray bars = { 0 };

  wp_query_fields (profile, FALSE, &found);
  t = tell ("fields", t);
  wp_query_unique_resource_values (profile, "trace::function", &found);
  t = tell ("unique-trace-functions", t);
  wp_query_unique_resource_values (profile, "address", &found);
  t = tell ("unique-addresses", t);
  table = wp_resource_table_new (profile, NULL, NULL);
  t = tell ("table", t);
  for (guint32 i = 0; i < profile->resources.len; i++)
    wp_flame_line (profile, i, WP_FLAME_AUTO, lines);
  t = tell ("flame-lines", t);
  heap = wp_heap_map_new (profile, NULL);
  t = tell ("heap-map", t);
  heat = wp_heat_map_new (profile, NULL);
  t = tell ("heat-map", t);
  wp_bars (table, WP_GROUP_SUM, "amount", "snapshots", "uid", &bars, NULL);
  tell ("bars", t);
  wp_array_clear (&bars);
  wp_array_clear (&found);
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (WpProfile) profile = NULL;
  struct rusage usage;
  double start = cpu_seconds ();

  if (argc != 3)
    {
      fprintf (stderr, "usage: %s load|all PROFILE\n", argv[0]);
      return 2;
    }
  profile = wp_profile_load (argv[2], NULL, &error);
  if (profile == NULL)
    {
      fprintf (stderr, "%s\n", error->message);
      return 1;
    }
  tell ("load", start);
  getrusage (RUSAGE_SELF, &usage);
  printf ("peak %.0f\n", usage.ru_maxrss * 1024.0);
  if (g_str_equal (argv[1], "all"))
    ask (profile);
  return 0;
}
