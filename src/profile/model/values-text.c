/* Values as text, the way Python writes them. */
#include "profile/model/values-private.h"

#include <math.h>

/* --- numbers ---------------------------------------------------------------------------------------------------------- */

/* The shortest digits that read back the same, and the power of ten of the first one. */
static int
shortest_digits (double d, char digits[32])
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  char *exponent;
  int n = 0;

  /* 15 digits always survive, but not in what has lost bits to be so small. */
  for (int precision = fabs (d) < 1e-300 ? 1 : 15; precision <= 17; precision++)
    {
      char format[8];

      g_snprintf (format, sizeof format, "%%.%de", precision - 1);
      g_ascii_formatd (text, sizeof text, format, d);
      if (g_ascii_strtod (text, NULL) == d)
        break;
    }
  exponent = strchr (text, 'e');
  for (const char *p = text; p < exponent; p++)
    if (g_ascii_isdigit (*p))
      digits[n++] = *p;
  while (n > 1 && digits[n - 1] == '0')
    n--;
  digits[n] = '\0';
  return (int) g_ascii_strtoll (exponent + 1, NULL, 10);
}

void
wp_python_float (double d, GString *out)
{
  char digits[32];
  int exponent, n;

  if (isnan (d) || isinf (d))
    {
      g_string_append (out, isnan (d) ? "nan" : d < 0 ? "-inf" : "inf");
      return;
    }
  if (signbit (d))
    g_string_append_c (out, '-');
  exponent = shortest_digits (fabs (d), digits);
  n = (int) strlen (digits);
  if (exponent < -4 || exponent >= 16)
    g_string_append_printf (out, "%c%s%se%c%02d", digits[0], n > 1 ? "." : "", digits + 1, exponent < 0 ? '-' : '+',
                            ABS (exponent));
  else if (exponent < 0)
    g_string_append_printf (out, "0.%.*s%s", -exponent - 1, "000", digits);
  else
    for (int i = 0; i < MAX (n, exponent + 2); i++)
      {
        g_string_append_c (out, i < n ? digits[i] : '0');
        if (i == exponent)
          g_string_append_c (out, '.');
      }
}

static void
append_float (double d, gboolean json, GString *out)
{
  if (json && (isnan (d) || isinf (d)))
    g_string_append (out, isnan (d) ? "NaN" : d < 0 ? "-Infinity" : "Infinity");
  else
    wp_python_float (d, out);
}

/* --- strings ---------------------------------------------------------------------------------------------------------- */

static void
append_escape (gunichar c, GString *out)
{
  static const char from[] = "\"\\\b\f\n\r\t", to[] = "\"\\bfnrt";
  const char *found = c > 0 && c < 128 ? strchr (from, (int) c) : NULL;

  if (found != NULL)
    g_string_append_printf (out, "\\%c", to[found - from]);
  else if (c >= 0x10000)
    g_string_append_printf (out, "\\u%04x\\u%04x", 0xd800 + ((c - 0x10000) >> 10), 0xdc00 + ((c - 0x10000) & 0x3ff));
  else
    g_string_append_printf (out, "\\u%04x", c);
}

static void
append_json_string (const char *s, GString *out)
{
  g_string_append_c (out, '"');
  while (*s != '\0')
    {
      gsize n = 0;

      while (s[n] >= 0x20 && s[n] != 0x7f && s[n] != '"' && s[n] != '\\')
        n++;
      g_string_append_len (out, s, (gssize) n);
      s += n;
      if (*s != '\0')
        {
          int odd = wp_json_odd_code (s);

          append_escape (odd >= 0 ? (gunichar) odd : g_utf8_get_char (s), out);
          s = g_utf8_next_char (s);
          s = odd >= 0 ? g_utf8_next_char (s) : s;
        }
    }
  g_string_append_c (out, '"');
}

/* repr() of a string. */
static void
append_quoted (const char *s, GString *out)
{
  char quote = strchr (s, '\'') != NULL && strchr (s, '"') == NULL ? '"' : '\'';

  g_string_append_c (out, quote);
  for (; *s != '\0'; s = g_utf8_next_char (s))
    {
      gunichar c = g_utf8_get_char (s);
      int odd = wp_json_odd_code (s);

      if (odd >= 0)
        {
          g_string_append_printf (out, odd == 0 ? "\\x%02x" : "\\u%04x", (guint) odd);
          s = g_utf8_next_char (s);
        }
      else if (c == (gunichar) quote || c == '\\')
        g_string_append_printf (out, "\\%c", (char) c);
      else if (c == '\n' || c == '\r' || c == '\t')
        g_string_append (out, c == '\n' ? "\\n" : c == '\r' ? "\\r" : "\\t");
      else if (c < 0x20 || c == 0x7f)
        g_string_append_printf (out, "\\x%02x", c);
      else
        g_string_append_unichar (out, c);
    }
  g_string_append_c (out, quote);
}

/* --- values ----------------------------------------------------------------------------------------------------------- */

typedef struct
{
  WpValue value;
  guint32 next; /* item */
} Level;

typedef struct
{
  const WpValues *values;
  GString *out;
  gboolean json, exact;
  int indent;
} Text;

static void
append_plain (const Text *text, WpValue value, gboolean quoted)
{
  const WpValues *values = text->values;

  switch (wp_value_kind (values, value))
    {
    case WP_VALUE_FALSE:
      g_string_append (text->out, text->json ? "false" : "False");
      break;
    case WP_VALUE_TRUE:
      g_string_append (text->out, text->json ? "true" : "True");
      break;
    case WP_VALUE_INT:
      g_string_append_printf (text->out, "%" G_GINT64_FORMAT, wp_value_int (values, value));
      break;
    case WP_VALUE_NUMBER:
      g_string_append (text->out, wp_value_string (values, value));
      break;
    case WP_VALUE_REAL:
      append_float (wp_value_number (values, value), text->json, text->out);
      break;
    case WP_VALUE_STRING:
      if (text->json)
        append_json_string (wp_value_exact_string (values, value), text->out);
      else if (quoted)
        append_quoted (wp_value_exact_string (values, value), text->out);
      else
        g_string_append (text->out, text->exact ? wp_value_exact_string (values, value) : wp_value_string (values, value));
      break;
    default:
      g_string_append (text->out, text->json ? "null" : "None");
    }
}

static void
append_break (const Text *text, guint depth)
{
  g_string_append_c (text->out, '\n');
  for (guint i = 0; i < depth * (guint) text->indent; i++)
    g_string_append_c (text->out, ' ');
}

/* What stands before the next item: a comma, a new line, its key. */
static void
append_before (const Text *text, const Level *level, guint depth)
{
  if (level->next > 0)
    g_string_append (text->out, text->indent < 0 ? ", " : ",");
  if (text->indent >= 0)
    append_break (text, depth);
  if (wp_value_kind (text->values, level->value) == WP_VALUE_OBJECT)
    {
      append_plain (text, wp_value_key (text->values, level->value, level->next), TRUE);
      g_string_append (text->out, ": ");
    }
}

static void
append_value (const Text *text, WpValue value)
{
  Level levels[WP_JSON_MAX_DEPTH + 1];
  guint n = 0;

  for (;;)
    {
      WpValueKind kind = wp_value_kind (text->values, value);

      if (kind != WP_VALUE_ARRAY && kind != WP_VALUE_OBJECT)
        append_plain (text, value, n > 0);
      else
        {
          g_string_append_c (text->out, kind == WP_VALUE_ARRAY ? '[' : '{');
          levels[n++] = (Level) { .value = value };
        }
      while (n > 0 && levels[n - 1].next == wp_value_count (text->values, levels[n - 1].value))
        {
          n--;
          if (text->indent >= 0 && levels[n].next > 0)
            append_break (text, n);
          g_string_append_c (text->out, wp_value_kind (text->values, levels[n].value) == WP_VALUE_ARRAY ? ']' : '}');
        }
      if (n == 0)
        return;
      append_before (text, &levels[n - 1], n);
      value = wp_value_item (text->values, levels[n - 1].value, levels[n - 1].next++);
    }
}

void
wp_value_write (const WpValues *self, WpValue value, int indent, GString *out)
{
  append_value (&(Text) { .values = self, .out = out, .json = TRUE, .indent = indent }, value);
}

void
wp_value_str (const WpValues *self, WpValue value, GString *out)
{
  append_value (&(Text) { .values = self, .out = out, .indent = -1 }, value);
}

void
wp_value_exact_str (const WpValues *self, WpValue value, GString *out)
{
  append_value (&(Text) { .values = self, .out = out, .exact = TRUE, .indent = -1 }, value);
}
