#include "store/yaml-file.h"

#include "base/plain-file.h"
#include "store/store.h"

#include <yaml.h>

/* People write these files by hand. libyaml looks through all anchors for each new one, and we through all keys for each setting. */
#define SIZE_LIMIT (256 * 1024) /* bytes */
#define DEPTH_LIMIT 64
#define NODE_LIMIT 20000
#define ANCHOR_LIMIT 200

struct WpYaml
{
  yaml_document_t document;
};

/* --- reading ------------------------------------------------------------------------------------------------------------- */

static gboolean
fail_parse (const char *name, const yaml_parser_t *parser, GError **error)
{
  g_set_error (error, WP_STORE_ERROR, WP_STORE_ERROR_DAMAGED, "%s: line %" G_GSIZE_FORMAT ": not YAML: %s", name,
               (gsize) parser->problem_mark.line + 1, parser->problem != NULL ? parser->problem : "it cannot be read");
  return FALSE;
}

/* What has been seen of a document. */
typedef struct
{
  guint depth, nodes, anchors;
} Extent;

static const yaml_char_t *
anchor_of (const yaml_event_t *event)
{
  return event->type == YAML_SCALAR_EVENT           ? event->data.scalar.anchor
         : event->type == YAML_SEQUENCE_START_EVENT ? event->data.sequence_start.anchor
         : event->type == YAML_MAPPING_START_EVENT  ? event->data.mapping_start.anchor
                                                    : NULL;
}

static void
extend (Extent *self, const yaml_event_t *event)
{
  gboolean begins = event->type == YAML_SEQUENCE_START_EVENT || event->type == YAML_MAPPING_START_EVENT;
  gboolean ends = event->type == YAML_SEQUENCE_END_EVENT || event->type == YAML_MAPPING_END_EVENT;

  self->depth += begins;
  self->depth -= ends;
  self->nodes += begins || event->type == YAML_SCALAR_EVENT || event->type == YAML_ALIAS_EVENT;
  self->anchors += anchor_of (event) != NULL;
}

static gboolean
is_bounded (const Extent *self, const char *name, const yaml_mark_t *mark, GError **error)
{
  const char *what = self->depth > DEPTH_LIMIT       ? "nested too deep"
                     : self->nodes > NODE_LIMIT      ? "too many values"
                     : self->anchors > ANCHOR_LIMIT ? "too many anchors"
                                                     : NULL;

  if (what != NULL)
    g_set_error (error, WP_STORE_ERROR, WP_STORE_ERROR_DAMAGED, "%s: line %" G_GSIZE_FORMAT ": %s for settings", name, (gsize) mark->line + 1,
                 what);
  return what == NULL;
}

static void
init_parser (yaml_parser_t *parser, const char *text, gsize n)
{
  if (!yaml_parser_initialize (parser))
    g_error ("libyaml: out of memory");
  yaml_parser_set_input_string (parser, (const unsigned char *) text, n);
}

/* Goes through the document without keeping it. */
static gboolean
check_extent (const char *name, const char *text, gsize n, GError **error)
{
  gboolean good = TRUE, over = FALSE;
  Extent extent = { 0 };
  yaml_parser_t parser;

  init_parser (&parser, text, n);
  while (good && !over)
    {
      yaml_event_t event;

      good = yaml_parser_parse (&parser, &event) == 1 || fail_parse (name, &parser, error);
      if (!good)
        break;
      extend (&extent, &event);
      good = is_bounded (&extent, name, &event.start_mark, error);
      over = event.type == YAML_DOCUMENT_END_EVENT || event.type == YAML_STREAM_END_EVENT;
      yaml_event_delete (&event);
    }
  yaml_parser_delete (&parser);
  return good;
}

WpYaml *
wp_yaml_parse (const char *name, const char *text, gsize n, GError **error)
{
  WpYaml *self;
  yaml_parser_t parser;

  if (n > SIZE_LIMIT)
    {
      g_set_error (error, WP_STORE_ERROR, WP_STORE_ERROR_DAMAGED, "%s: too large for settings", name);
      return NULL;
    }
  if (!check_extent (name, text, n, error))
    return NULL;
  self = g_new0 (WpYaml, 1);
  init_parser (&parser, text, n);
  if (yaml_parser_load (&parser, &self->document) != 1)
    {
      fail_parse (name, &parser, error);
      g_clear_pointer (&self, g_free);
    }
  yaml_parser_delete (&parser);
  return self;
}

WpYaml *
wp_yaml_load (const char *path, GError **error)
{
  g_autoptr (GError) problem = NULL;
  gsize n;
  g_autofree char *text = wp_plain_file_read (path, SIZE_LIMIT, &n, &problem);

  if (text != NULL)
    return wp_yaml_parse (path, text, n, error);
  if (g_error_matches (problem, G_FILE_ERROR, G_FILE_ERROR_NOENT))
    return wp_yaml_parse (path, "", 0, error);
  g_propagate_error (error, g_steal_pointer (&problem));
  return NULL;
}

void
wp_yaml_free (WpYaml *self)
{
  if (self == NULL)
    return;
  yaml_document_delete (&self->document);
  g_free (self);
}

/* --- asking -------------------------------------------------------------------------------------------------------------- */

static yaml_document_t *
document_of (const WpYaml *self)
{
  return (yaml_document_t *) &self->document; /* libyaml asks for a document that could be changed */
}

static const char *
text_of (const yaml_node_t *node)
{
  return node != NULL && node->type == YAML_SCALAR_NODE ? (const char *) node->data.scalar.value : NULL;
}

static yaml_node_t *
find_key (const WpYaml *self, const yaml_node_t *node, const char *key)
{
  for (yaml_node_pair_t *pair = node->data.mapping.pairs.start; pair < node->data.mapping.pairs.top; pair++)
    if (g_strcmp0 (text_of (yaml_document_get_node (document_of (self), pair->key)), key) == 0)
      return yaml_document_get_node (document_of (self), pair->value);
  return NULL;
}

static gsize
count_items (const yaml_node_t *node)
{
  return (gsize) (node->data.sequence.items.top - node->data.sequence.items.start);
}

static yaml_node_t *
find_item (const WpYaml *self, const yaml_node_t *node, const char *number)
{
  guint64 i;

  if (!g_ascii_string_to_unsigned (number, 10, 0, G_MAXINT32, &i, NULL) || i >= count_items (node))
    return NULL;
  return yaml_document_get_node (document_of (self), node->data.sequence.items.start[i]);
}

static yaml_node_t *
find_node (const WpYaml *self, const char *path)
{
  g_auto (GStrv) parts = g_strsplit (path, ".", -1);
  yaml_node_t *node = yaml_document_get_root_node (document_of (self));

  for (guint i = 0; node != NULL && parts[i] != NULL; i++)
    node = node->type == YAML_MAPPING_NODE    ? find_key (self, node, parts[i])
           : node->type == YAML_SEQUENCE_NODE ? find_item (self, node, parts[i])
                                              : NULL;
  return node;
}

const char *
wp_yaml_get (const WpYaml *self, const char *path)
{
  return text_of (find_node (self, path));
}

char **
wp_yaml_list (const WpYaml *self, const char *path)
{
  const yaml_node_t *node = find_node (self, path);
  g_autoptr (GStrvBuilder) list = g_strv_builder_new ();
  const char *text = text_of (node);

  if (node == NULL || node->type == YAML_MAPPING_NODE)
    return NULL;
  if (text != NULL && *text != '\0')
    g_strv_builder_add (list, text);
  for (gsize i = 0; node->type == YAML_SEQUENCE_NODE && i < count_items (node); i++)
    {
      text = text_of (yaml_document_get_node (document_of (self), node->data.sequence.items.start[i]));
      if (text != NULL)
        g_strv_builder_add (list, text);
    }
  return g_strv_builder_end (list);
}

char **
wp_yaml_keys (const WpYaml *self, const char *path)
{
  const yaml_node_t *node = find_node (self, path);
  g_autoptr (GStrvBuilder) list = g_strv_builder_new ();

  if (node != NULL && node->type == YAML_MAPPING_NODE)
    for (yaml_node_pair_t *pair = node->data.mapping.pairs.start; pair < node->data.mapping.pairs.top; pair++)
      {
        const char *key = text_of (yaml_document_get_node (document_of (self), pair->key));

        if (key != NULL)
          g_strv_builder_add (list, key);
      }
  for (gsize i = 0; node != NULL && node->type == YAML_SEQUENCE_NODE && i < count_items (node); i++)
    {
      g_autofree char *number = g_strdup_printf ("%" G_GSIZE_FORMAT, i);

      g_strv_builder_add (list, number);
    }
  return g_strv_builder_end (list);
}

char *
wp_yaml_shared_path (void)
{
  const char *folder = g_getenv ("PERUN_CONFIG_DIR");

  return folder != NULL && *folder != '\0' ? g_build_filename (folder, "shared.yml", NULL)
                                           : g_build_filename (g_get_home_dir (), ".config", "perun", "shared.yml", NULL);
}
