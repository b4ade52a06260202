/* What profile/render-graphviz writes: the redder a node, the more it took by itself. */
#include "calls/renderers.h"

#include <string.h>

/* With as few digits as tell it apart from all others, and at least one behind the point. */
static void
append_real (GString *out, double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  for (guint digits = 1; digits <= 17; digits++)
    {
      char format[8];

      g_snprintf (format, sizeof format, "%%.%ug", digits);
      g_ascii_formatd (text, sizeof text, format, value);
      if (g_ascii_strtod (text, NULL) == value)
        break;
    }
  g_string_append (out, text);
  if (strpbrk (text, ".e") == NULL)
    g_string_append (out, ".0");
}

static void
append_label (const WpCalls *calls, guint32 node, GString *out)
{
  g_autoptr (GString) source = g_string_new (NULL);
  const char *label = wp_calls_text (calls, calls->nodes.data[node].name), *slash;

  if (*label == '\0')
    {
      wp_calls_append_source (calls, node, source);
      slash = strrchr (source->str, '/');
      label = slash != NULL ? slash + 1 : source->str;
    }
  for (; *label != '\0'; label++)
    {
      if (*label == '\\' || *label == '"')
        g_string_append_c (out, '\\');
      g_string_append_c (out, *label);
    }
}

void
wp_calls_append_dot (const WpCalls *calls, const WpCallsShowOptions *options, GString *out)
{
  WpCallsShowOptions in_order = *options;
  g_auto (WpCallsShown) shown = { 0 };
  double total = wp_calls_real (calls, calls->total), most = 0;

  in_order.order = WP_CALLS_TOPOLOGICAL;
  wp_calls_show (calls, &in_order, &shown);
  for (guint32 i = 0; i < shown.nodes.len; i++)
    most = MAX (most, wp_calls_real (calls, calls->nodes.data[shown.nodes.data[i]].self) / total);
  g_string_append (out, "digraph Profile {\n");
  for (guint32 i = 0; i < shown.nodes.len; i++)
    {
      const WpCallsNode *node = &calls->nodes.data[shown.nodes.data[i]];

      g_string_append_printf (out, "node%u [label=\"", i + 1);
      append_label (calls, shown.nodes.data[i], out);
      g_string_append (out, "\", fillcolor=\"1,");
      append_real (out, most > 0 ? wp_calls_real (calls, node->self) / total / most : 0);
      g_string_append (out, ",1\", style=filled];\n");
      for (guint32 e = node->first_callee; e < node->first_callee + node->n_callees; e++)
        {
          guint32 callee = calls->edges.data[calls->callees.data[e]].callee;

          if (callee != 0 && shown.numbers[callee] != 0)
            g_string_append_printf (out, "node%u -> node%u;\n", i + 1, shown.numbers[callee]);
        }
    }
  g_string_append (out, "}\n");
}
