/* Strings, numbers and words of the JSON reader. */
#include "base/json-reader-private.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#define ODD_TEXT "\xf4\x8f\xbf\xbe" /* WP_JSON_ODD */

static gboolean
wp_json_take_word (WpJsonReader *self, const char *word)
{
  for (; *word != '\0'; word++, self->at++)
    if (wp_json_peek (self) != *word)
      {
        wp_json_fail_syntax (self, "not a JSON value");
        return FALSE;
      }
  return TRUE;
}

/* --- strings ------------------------------------------------------------------------------------------------------ */

static int
take_hex4 (WpJsonReader *self)
{
  int value = 0;

  for (guint i = 0; i < 4; i++, self->at++)
    {
      int digit = wp_json_peek (self) >= 0 ? g_ascii_xdigit_value ((char) wp_json_peek (self)) : -1;

      if (digit < 0)
        return -1;
      value = value * 16 + digit;
    }
  return value;
}

static gboolean
is_low_half (int code)
{
  return code >= 0xdc00 && code < 0xe000;
}

/* What UTF-8 has no bytes for is behind a mark. */
static void
append_code (WpJsonReader *self, int code)
{
  gboolean odd = code == 0 || (code >= 0xd800 && code < 0xe000);

  if (odd)
    g_string_append_unichar (self->text, WP_JSON_ODD);
  g_string_append_unichar (self->text, (gunichar) code + (odd ? WP_JSON_ODD_BASE : 0));
}

static gboolean
take_short_escape (WpJsonReader *self)
{
  static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
  int c = wp_json_peek (self);
  const char *found = c > 0 ? strchr (from, c) : NULL;

  if (found == NULL)
    {
      wp_json_fail_syntax (self, "an unknown escape");
      return FALSE;
    }
  self->at++;
  g_string_append_c (self->text, to[found - from]);
  return TRUE;
}

/* One escape, or several: the first half of a pair waits for what the next one is. */
static gboolean
take_escape (WpJsonReader *self)
{
  int half = 0, code = 0;

  for (; half == 0 || wp_json_peek (self) == '\\'; half = code)
    {
      self->at++;
      if (wp_json_peek (self) != 'u')
        {
          if (half != 0)
            append_code (self, half);
          return take_short_escape (self);
        }
      self->at++;
      code = take_hex4 (self);
      if (code < 0)
        {
          wp_json_fail_syntax (self, "an escape that is no character");
          return FALSE;
        }
      if (half != 0 && is_low_half (code))
        {
          append_code (self, 0x10000 + ((half - 0xd800) << 10) + (code - 0xdc00));
          return TRUE;
        }
      if (half != 0)
        append_code (self, half);
      if (code < 0xd800 || code >= 0xdc00)
        {
          append_code (self, code);
          return TRUE;
        }
    }
  append_code (self, half);
  return TRUE;
}

/* Copies what needs no thought. */
static void
take_plain (WpJsonReader *self)
{
  const guint8 *start = self->buffer + self->at, *p = start, *end = self->buffer + self->len;

  while (p < end && *p != '"' && *p != '\\' && *p >= 0x20)
    p++;
  g_string_append_len (self->text, (const char *) start, p - start);
  self->at += (gsize) (p - start);
}

const char *
wp_json_take_string (WpJsonReader *self)
{
  int c;

  g_string_truncate (self->text, 0);
  self->at++;
  while ((c = wp_json_peek (self)) != '"')
    {
      if (c < 0x20)
        {
          wp_json_fail_syntax (self, c < 0 ? "the file ends within a string" : "a control character in a string");
          return "";
        }
      if (c != '\\')
        take_plain (self);
      else if (!take_escape (self))
        return "";
      if (self->text->len > WP_JSON_MAX_STRING)
        {
          wp_json_fail_syntax (self, "a string of more than a megabyte");
          return "";
        }
    }
  self->at++;
  if (!g_utf8_validate_len (self->text->str, self->text->len, NULL))
    {
      wp_json_fail_syntax (self, "a string that is not UTF-8");
      return "";
    }
  return self->text->str;
}

int
wp_json_odd_code (const char *s)
{
  gunichar c = g_utf8_get_char (s) == WP_JSON_ODD ? g_utf8_get_char (g_utf8_next_char (s)) : 0;

  return c == WP_JSON_ODD_BASE || (c >= WP_JSON_ODD_BASE + 0xd800 && c < WP_JSON_ODD_BASE + 0xe000) ? (int) (c - WP_JSON_ODD_BASE) : -1;
}

gboolean
wp_json_is_odd (const char *s)
{
  while ((s = strstr (s, ODD_TEXT)) != NULL && wp_json_odd_code (s) < 0)
    s++;
  return s != NULL;
}

void
wp_json_append_readable (GString *out, const char *s)
{
  const char *mark;

  for (; (mark = strstr (s, ODD_TEXT)) != NULL; s = g_utf8_next_char (mark))
    {
      int code = wp_json_odd_code (mark);

      g_string_append_len (out, s, mark - s);
      if (code >= 0)
        {
          g_string_append_printf (out, code == 0 ? "\\x%02x" : "\\u%04x", (guint) code);
          mark = g_utf8_next_char (mark);
        }
    }
  g_string_append (out, s);
}

const char *
wp_json_reader_string (WpJsonReader *self)
{
  const char *exact = wp_json_reader_exact_string (self);
  g_autofree char *copy = NULL;

  if (strstr (exact, ODD_TEXT) == NULL)
    return exact;
  copy = g_strdup (exact);
  g_string_truncate (self->text, 0);
  wp_json_append_readable (self->text, copy);
  return self->text->str;
}

const char *
wp_json_reader_exact_string (WpJsonReader *self)
{
  if (wp_json_peek_value (self) == '"')
    return wp_json_take_string (self);
  wp_json_reader_fail (self, NULL, "not a string");
  return "";
}

/* --- numbers and other values ------------------------------------------------------------------------------------- */

typedef struct
{
  gboolean negative, whole, overflow;
  guint64 value;
} Number;

static guint
take_digits (WpJsonReader *self, Number *number)
{
  guint n = 0;
  int c;

  while ((c = wp_json_peek (self)) >= '0' && c <= '9')
    {
      number->overflow = number->overflow || !g_uint64_checked_mul (&number->value, number->value, 10)
                         || !g_uint64_checked_add (&number->value, number->value, (guint64) (c - '0'));
      n = MIN (n + 1, 2);
      self->at++;
    }
  return n;
}

/* Takes a number by JSON's grammar; `whole` is FALSE when it has a fraction or an exponent. */
static gboolean
take_number (WpJsonReader *self, Number *number)
{
  Number rest = { 0 };
  gboolean good, zero;

  *number = (Number) { .negative = wp_json_peek_value (self) == '-', .whole = TRUE };
  if (number->negative)
    self->at++;
  zero = wp_json_peek (self) == '0';
  good = take_digits (self, number) == 1 || (!zero && (number->value != 0 || number->overflow));
  if (good && wp_json_peek (self) == '.')
    {
      self->at++;
      number->whole = FALSE;
      good = take_digits (self, &rest) > 0;
    }
  if (good && (wp_json_peek (self) == 'e' || wp_json_peek (self) == 'E'))
    {
      self->at++;
      number->whole = FALSE;
      if (wp_json_peek (self) == '-' || wp_json_peek (self) == '+')
        self->at++;
      good = take_digits (self, &rest) > 0;
    }
  if (!good)
    wp_json_fail_syntax (self, "not a number");
  return good && self->error == NULL;
}

static gboolean
belongs_to_number (int c)
{
  return g_ascii_isalnum (c) || c == '-' || c == '+' || c == '.';
}

/* A whole number of up to 18 digits, as nearly all are, which the buffer holds with what follows it. FALSE: it is not such a one, and was not taken. */
static gboolean
take_short (WpJsonReader *self, gint64 *value)
{
  const guint8 *start, *end, *digits, *p;
  gint64 sum = 0;

  if (wp_json_peek_value (self) < 0)
    return FALSE;
  start = self->buffer + self->at;
  end = self->buffer + self->len;
  digits = p = start + (*start == '-');
  while (p < end && p < digits + 18 && *p >= '0' && *p <= '9')
    sum = sum * 10 + (*p++ - '0');
  if (p == digits || p == end || (*digits == '0' && p > digits + 1) || belongs_to_number (*p))
    return FALSE;
  self->at += (gsize) (p - start);
  *value = digits > start ? -sum : sum;
  return TRUE;
}

static gboolean
take_whole (WpJsonReader *self, Number *number)
{
  int c = wp_json_peek_value (self);

  if (c != '-' && !(c >= '0' && c <= '9'))
    wp_json_reader_fail (self, NULL, "not a number");
  else if (take_number (self, number) && !number->whole)
    wp_json_reader_fail (self, NULL, "not a whole number");
  return self->error == NULL;
}

gint64
wp_json_reader_int (WpJsonReader *self, gint64 min, gint64 max)
{
  Number number;
  gint64 value;

  if (take_short (self, &value))
    {
      if (value >= min && value <= max)
        return value;
      wp_json_reader_fail (self, NULL, "out of range");
      return 0;
    }
  if (!take_whole (self, &number))
    return 0;
  value = number.negative ? (gint64) (0 - number.value) : (gint64) number.value;
  if (number.overflow || number.value > (guint64) G_MAXINT64 + number.negative || value < min || value > max)
    {
      wp_json_reader_fail (self, NULL, "out of range");
      return 0;
    }
  return value;
}

guint64
wp_json_reader_uint (WpJsonReader *self, guint64 max)
{
  Number number;

  if (!take_whole (self, &number))
    return 0;
  if (number.overflow || (number.negative && number.value != 0) || number.value > max)
    {
      wp_json_reader_fail (self, NULL, "out of range");
      return 0;
    }
  return number.value;
}

/* A number's characters, or a word in a number's place, into `text`. */
static void
take_token (WpJsonReader *self)
{
  int c;

  g_string_truncate (self->text, 0);
  wp_json_peek_value (self);
  while ((c = wp_json_peek (self)) >= 0 && belongs_to_number (c)
         && self->text->len <= WP_JSON_MAX_NUMBER)
    {
      const char *start = (const char *) self->buffer + self->at, *p = start, *end = (const char *) self->buffer + self->len;

      while (p < end && belongs_to_number (*p))
        p++;
      g_string_append_len (self->text, start, p - start);
      self->at += (gsize) (p - start);
    }
  if (self->text->len > WP_JSON_MAX_NUMBER)
    wp_json_fail_syntax (self, "a number of more than 64 KiB");
}

static const char *
skip_digits (const char *p)
{
  while (g_ascii_isdigit (*p))
    p++;
  return p;
}

/* Whether this is a number by JSON's grammar; `whole`: without fraction and exponent. */
static gboolean
is_number (const char *p, gboolean *whole)
{
  const char *start;

  p += *p == '-';
  start = p;
  p = skip_digits (p);
  *whole = *p == '\0';
  if (p == start || (*start == '0' && p > start + 1))
    return FALSE;
  if (*p == '.')
    {
      start = ++p;
      p = skip_digits (p);
      if (p == start)
        return FALSE;
    }
  if (*p == 'e' || *p == 'E')
    {
      p++;
      p += *p == '-' || *p == '+';
      start = p;
      p = skip_digits (p);
      if (p == start)
        return FALSE;
    }
  return *p == '\0';
}

WpJsonNumber
wp_json_reader_number (WpJsonReader *self, gint64 *whole, double *real)
{
  static const struct
  {
    const char *word;
    double value;
  } words[] = { { "NaN", NAN }, { "Infinity", INFINITY }, { "-Infinity", -INFINITY } };
  gboolean is_whole;
  char *end;
  int c;

  if (take_short (self, whole))
    return WP_JSON_WHOLE;
  c = wp_json_peek_value (self);
  take_token (self);
  if (self->error != NULL)
    return WP_JSON_NO_NUMBER;
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (g_str_equal (self->text->str, words[i].word))
      {
        *real = words[i].value;
        return WP_JSON_REAL;
      }
  if (!is_number (self->text->str, &is_whole))
    {
      wp_json_fail_syntax (self, c == '-' || g_ascii_isdigit (c) ? "not a number" : "not JSON");
      return WP_JSON_NO_NUMBER;
    }
  errno = 0;
  if (!is_whole)
    {
      *real = g_ascii_strtod (self->text->str, NULL);
      return WP_JSON_REAL;
    }
  *whole = g_ascii_strtoll (self->text->str, &end, 10);
  return errno == ERANGE ? WP_JSON_DIGITS : WP_JSON_WHOLE;
}

const char *
wp_json_reader_digits (const WpJsonReader *self)
{
  return self->text->str;
}

WpJsonKind
wp_json_reader_kind (WpJsonReader *self)
{
  switch (wp_json_peek_value (self))
    {
    case -1:
      return WP_JSON_NONE;
    case '{':
      return WP_JSON_OBJECT;
    case '[':
      return WP_JSON_ARRAY;
    case '"':
      return WP_JSON_STRING;
    case 't':
    case 'f':
      return WP_JSON_BOOL;
    case 'n':
      return WP_JSON_NULL;
    default:
      return WP_JSON_NUMBER;
    }
}

gboolean
wp_json_reader_bool (WpJsonReader *self)
{
  int c = wp_json_peek_value (self);

  if (c == 't')
    return wp_json_take_word (self, "true");
  if (c == 'f')
    wp_json_take_word (self, "false");
  else
    wp_json_reader_fail (self, NULL, "neither true nor false");
  return FALSE;
}

static void
skip_negative (WpJsonReader *self)
{
  Number number;
  int c;

  self->at++;
  c = wp_json_peek (self);
  if (c == 'I')
    wp_json_take_word (self, "Infinity");
  else if (c >= '0' && c <= '9')
    take_number (self, &number);
  else
    wp_json_fail_syntax (self, "not a number");
}

void
wp_json_skip_plain (WpJsonReader *self, int c)
{
  Number number;

  if (c == '"')
    wp_json_take_string (self);
  else if (c == '-')
    skip_negative (self);
  else if (c >= '0' && c <= '9')
    take_number (self, &number);
  else
    wp_json_take_word (self, c == 't' ? "true" : c == 'f' ? "false" : c == 'N' ? "NaN" : c == 'I' ? "Infinity" : "null");
}

double
wp_json_reader_real (WpJsonReader *self)
{
  gint64 whole = 0;
  double real = 0;
  WpJsonNumber kind = wp_json_reader_number (self, &whole, &real);

  return kind == WP_JSON_WHOLE ? (double) whole : kind == WP_JSON_REAL && isfinite (real) ? real : 0;
}
