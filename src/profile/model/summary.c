#include "profile/model/summary.h"

#include "base/format.h"
#include "base/quote.h"

#define TEXT_WAITS 12 /* of the longest, for people */

static const char *
who (const WpAnswer *answer, const WpWait *wait)
{
  return wp_trace_string (answer->words.trace, wait->who);
}

static const char *
words (const WpAnswer *answer, const WpWait *wait)
{
  return wp_strings_get (answer->words.strings, wait->words);
}

static gint64
start_of (const WpAnswer *answer, const WpWait *wait)
{
  return answer->words.paths->parts.data[wait->part].start;
}

static void
write_json (GString *out, const WpAnswer *answer)
{
  g_autoptr (WpJsonWriter) json = wp_json_writer_new_text (out);

  wp_json_writer_object (json, NULL, WP_JSON_SPACED);
  wp_json_writer_array (json, "answer", WP_JSON_SPACED);
  for (guint32 i = 0; i < answer->clauses.len; i++)
    {
      wp_json_writer_line (json);
      wp_json_writer_object (json, NULL, WP_JSON_SPACED);
      wp_json_writer_string (json, "text", answer->clauses.data[i].text);
      wp_json_writer_int (json, "ns", answer->clauses.data[i].ns);
      wp_json_writer_end (json);
    }
  wp_json_writer_end (json);
  wp_json_writer_line (json);
  wp_json_writer_array (json, "waits", WP_JSON_SPACED);
  for (guint32 i = 0; i < answer->waits.len; i++)
    {
      const WpWait *wait = &answer->waits.data[i];

      wp_json_writer_line (json);
      wp_json_writer_object (json, NULL, WP_JSON_SPACED);
      wp_json_writer_string (json, "who", who (answer, wait));
      wp_json_writer_string (json, "wait", words (answer, wait));
      wp_json_writer_int (json, "ns", wait->ns);
      wp_json_writer_uint (json, "count", wait->count);
      wp_json_writer_int (json, "longest_ns", wait->longest);
      wp_json_writer_int (json, "longest_start_ns", start_of (answer, wait));
      wp_json_writer_end (json);
    }
  wp_json_writer_end (json);
  wp_json_writer_end (json);
}

static void
write_tsv (GString *out, const WpAnswer *answer)
{
  g_string_append (out, "who\twait\tns\tcount\tlongest_ns\tlongest_start_ns\n");
  for (guint32 i = 0; i < answer->waits.len; i++)
    {
      const WpWait *wait = &answer->waits.data[i];

      wp_quote_tsv (out, who (answer, wait));
      g_string_append_c (out, '\t');
      wp_quote_tsv (out, words (answer, wait));
      g_string_append_printf (out, "\t%" G_GINT64_FORMAT "\t%u\t%" G_GINT64_FORMAT "\t%" G_GINT64_FORMAT "\n", wait->ns, wait->count,
                              wait->longest, start_of (answer, wait));
    }
}

/* Time, number and longest of one, right-aligned, before what may be of any length. */
static void
write_text (GString *out, const WpAnswer *answer)
{
  char total[WP_FORMAT_MAX], longest[WP_FORMAT_MAX];

  for (guint32 i = 0; i < answer->clauses.len; i++)
    {
      wp_quote_tsv (out, answer->clauses.data[i].text);
      g_string_append_c (out, '\n');
    }
  g_string_append (out, answer->waits.len > 0 ? "\n      time   times   longest  the longest waits\n" : "");
  for (guint32 i = 0; i < MIN (answer->waits.len, TEXT_WAITS); i++)
    {
      const WpWait *wait = &answer->waits.data[i];
      int total_pad, longest_pad;

      wp_format_ns (wait->ns, total);
      wp_format_ns (wait->longest, longest);
      total_pad = 10 - (int) g_utf8_strlen (total, -1);
      longest_pad = 10 - (int) g_utf8_strlen (longest, -1);
      g_string_append_printf (out, "%*s%s%8u%*s%s  ", MAX (total_pad, 0), "", total, wait->count, MAX (longest_pad, 0), "", longest);
      wp_quote_tsv (out, who (answer, wait));
      g_string_append_c (out, ' ');
      wp_quote_tsv (out, words (answer, wait));
      g_string_append_c (out, '\n');
    }
  if (answer->waits.len > TEXT_WAITS)
    g_string_append_printf (out, "and %u more\n", answer->waits.len - TEXT_WAITS);
}

static void
write_markdown (GString *out, const WpAnswer *answer)
{
  char buffer[WP_FORMAT_MAX];

  for (guint32 i = 0; i < answer->clauses.len; i++)
    {
      wp_quote_markdown (out, answer->clauses.data[i].text);
      g_string_append_c (out, i + 1 < answer->clauses.len ? ' ' : '\n');
    }
  g_string_append (out, "\n| who | waits | time | times | longest |\n|---|---|---:|---:|---:|\n");
  for (guint32 i = 0; i < MIN (answer->waits.len, TEXT_WAITS); i++)
    {
      const WpWait *wait = &answer->waits.data[i];

      g_string_append (out, "| ");
      wp_quote_markdown (out, who (answer, wait));
      g_string_append (out, " | ");
      wp_quote_markdown (out, words (answer, wait));
      g_string_append_printf (out, " | %s | %u", wp_format_ns (wait->ns, buffer), wait->count);
      g_string_append_printf (out, " | %s |\n", wp_format_ns (wait->longest, buffer));
    }
}

void
wp_summary_write (GString *out, const WpAnswer *answer, WpReportFormat format)
{
  static void (*const formats[WP_REPORT_FORMAT_COUNT]) (GString *out, const WpAnswer *answer) = {
    [WP_REPORT_TEXT] = write_text,
    [WP_REPORT_TSV] = write_tsv,
    [WP_REPORT_JSON] = write_json,
    [WP_REPORT_MARKDOWN] = write_markdown,
  };

  formats[format] (out, answer);
}
