#include "store/profile-head.h"

#include "base/find.h"

/* The next value as text: "" for anything but a string. */
static void
take_text (WpJsonReader *reader, char **text)
{
  if (wp_json_reader_kind (reader) != WP_JSON_STRING)
    {
      wp_json_reader_skip (reader);
      return;
    }
  g_free (*text);
  *text = g_strdup (wp_json_reader_string (reader));
}

static void
take_header (WpJsonReader *reader, WpStoreEntry *entry, gboolean *labelled)
{
  const struct { const char *key; char **text; } texts[]
    = { { "type", &entry->type }, { "cmd", &entry->cmd },           { "args", &entry->args },
        { "params", &entry->args }, { "workload", &entry->workload }, { "label", &entry->label } };
  gboolean args = FALSE, label = FALSE;
  const char *key;

  if (!wp_json_reader_object (reader))
    return;
  while ((key = wp_json_reader_key (reader)) != NULL)
    {
      guint i = WP_FIND_ROW (texts, key, key);

      args |= g_str_equal (key, "args") || g_str_equal (key, "params");
      label |= g_str_equal (key, "label");
      if (i < G_N_ELEMENTS (texts))
        take_text (reader, texts[i].text);
      else
        wp_json_reader_skip (reader);
    }
  *labelled = label && !args;
}

/* The `name` of an object. */
static void
take_name (WpJsonReader *reader, char **name)
{
  const char *key;

  if (wp_json_reader_kind (reader) != WP_JSON_OBJECT)
    {
      wp_json_reader_skip (reader);
      return;
    }
  wp_json_reader_object (reader);
  while ((key = wp_json_reader_key (reader)) != NULL)
    if (g_str_equal (key, "name"))
      take_text (reader, name);
    else
      wp_json_reader_skip (reader);
}

static void
take_postprocessors (WpJsonReader *reader, WpStoreEntry *entry)
{
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();

  if (!wp_json_reader_array (reader))
    return;
  while (wp_json_reader_item (reader))
    {
      g_autofree char *name = g_strdup ("");

      take_name (reader, &name);
      g_strv_builder_add (names, name);
    }
  g_strfreev (entry->postprocessors);
  entry->postprocessors = g_strv_builder_end (names);
}

gboolean
wp_head_read (WpJsonReader *reader, WpStoreEntry *entry, gboolean *labelled)
{
  gboolean header = FALSE, newest = FALSE;
  const char *key;

  if (!wp_json_reader_object (reader))
    return FALSE;
  while ((key = wp_json_reader_key (reader)) != NULL)
    if (g_str_equal (key, "header"))
      {
        take_header (reader, entry, &newest);
        header = !wp_json_reader_failed (reader);
      }
    else if (g_str_equal (key, "collector_info"))
      take_name (reader, &entry->collector);
    else if (g_str_equal (key, "postprocessors") && wp_json_reader_kind (reader) == WP_JSON_ARRAY)
      take_postprocessors (reader, entry);
    else if (g_str_equal (key, "origin"))
      take_text (reader, &entry->origin);
    else
      wp_json_reader_skip (reader);
  if (labelled != NULL)
    *labelled = newest;
  return header;
}
