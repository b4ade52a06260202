/* Why profiles may not be comparable, from what they say of themselves. */
#include "profile/compare/compare-private.h"

#include <glib/gi18n.h>

static const struct
{
  WpFact fact;
  const char *differ; /* A's and B's */
  const char *mixed;  /* which side, what */
} checks[] = {
  { WP_FACT_COMMAND, N_ ("The commands differ: A ran %s, B ran %s"), N_ ("The profiles of %s are of several commands: %s") },
  { WP_FACT_TASK, N_ ("A is about %s, B is about %s"), N_ ("The profiles of %s are about several processes: %s") },
  { WP_FACT_HOST, N_ ("The hosts differ: A is of %s, B is of %s"), N_ ("The profiles of %s are of several hosts: %s") },
  { WP_FACT_KERNEL, N_ ("The kernels differ: A ran on %s, B on %s"), N_ ("The profiles of %s are of several kernels: %s") },
  { WP_FACT_CPUS, N_ ("The numbers of CPUs differ: A had %s, B had %s"),
    N_ ("The profiles of %s are of machines with different numbers of CPUs: %s") },
  { WP_FACT_STACKS, N_ ("Stacks were taken differently: A by %s, B by %s"),
    N_ ("Stacks within %s were taken differently: %s") },
  { WP_FACT_OPTIONS, N_ ("Chains of work were made differently: A with %s, B with %s"),
    N_ ("Chains of work within %s were made differently: %s") },
  { WP_FACT_COMMIT, NULL, N_ ("The profiles of %s are of several commits: %s") },
};

static const char *
side_letter (WpSide side)
{
  return side == WP_SIDE_A ? "A" : "B";
}

/* The different texts of a fact on one side, in order of appearance; those that say nothing are left out. */
static GPtrArray *
texts_of (const WpComparison *self, WpSide side, WpFact fact)
{
  GPtrArray *texts = g_ptr_array_new ();

  for (guint32 i = 0; i < self->profiles[side].len; i++)
    {
      char *text = self->profiles[side].data[i].facts[fact];

      if (text != NULL && *text != '\0' && !g_ptr_array_find_with_equal_func (texts, text, g_str_equal, NULL))
        g_ptr_array_add (texts, text);
    }
  g_ptr_array_add (texts, NULL);
  return texts;
}

static void
warn_mixed (WpComparison *self, WpSide side, const char *format, const GPtrArray *texts)
{
  g_autofree char *list = g_strjoinv (", ", (char **) texts->pdata);
  g_autoptr (GString) sentence = g_string_new (_ (format));

  g_string_replace (sentence, "%s", side_letter (side), 1);
  g_string_replace (sentence, "%s", list, 1);
  g_ptr_array_add (self->warnings, g_strdup (sentence->str));
}

static void
warn_differ (WpComparison *self, const char *format, const char *a, const char *b)
{
  char *warning = wp_comparison_fill (_ (format), a, b);

  if (warning != NULL)
    g_ptr_array_add (self->warnings, warning);
}

static void
check (WpComparison *self, guint i)
{
  g_autoptr (GPtrArray) a = texts_of (self, WP_SIDE_A, checks[i].fact), b = texts_of (self, WP_SIDE_B, checks[i].fact);

  if (a->len > 2)
    warn_mixed (self, WP_SIDE_A, checks[i].mixed, a);
  if (b->len > 2)
    warn_mixed (self, WP_SIDE_B, checks[i].mixed, b);
  if (checks[i].differ != NULL && a->len == 2 && b->len == 2 && !g_str_equal (a->pdata[0], b->pdata[0]))
    warn_differ (self, checks[i].differ, a->pdata[0], b->pdata[0]);
}

static void
check_dirty (WpComparison *self, WpSide side)
{
  guint dirty = 0;

  for (guint32 i = 0; i < self->profiles[side].len; i++)
    dirty += g_strcmp0 (self->profiles[side].data[i].facts[WP_FACT_DIRTY], "true") == 0;
  if (dirty > 0)
    g_ptr_array_add (self->warnings,
                     g_strdup_printf (_ ("%s was recorded with changes that are in no commit"), side_letter (side)));
}

void
wp_comparison_warn (WpComparison *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (checks); i++)
    check (self, i);
  check_dirty (self, WP_SIDE_A);
  check_dirty (self, WP_SIDE_B);
}
