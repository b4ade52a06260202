#include "store/yaml-file.h"

#include "store/store.h"

#include <yaml.h>

#define SIZE_LIMIT (256 * 1024) /* bytes; people write these files by hand */

struct WpYaml
{
  yaml_document_t document;
};

WpYaml *
wp_yaml_parse (const char *name, const char *text, gsize n, GError **error)
{
  WpYaml *self;
  yaml_parser_t parser;
  gboolean read;

  if (n > SIZE_LIMIT)
    {
      g_set_error (error, WP_STORE_ERROR, WP_STORE_ERROR_DAMAGED, "%s: too large for settings", name);
      return NULL;
    }
  if (!yaml_parser_initialize (&parser))
    g_error ("libyaml: out of memory");
  self = g_new0 (WpYaml, 1);
  yaml_parser_set_input_string (&parser, (const unsigned char *) text, n);
  read = yaml_parser_load (&parser, &self->document) == 1;
  if (!read)
    g_set_error (error, WP_STORE_ERROR, WP_STORE_ERROR_DAMAGED, "%s: line %" G_GSIZE_FORMAT ": not YAML: %s", name,
                 (gsize) parser.problem_mark.line + 1, parser.problem != NULL ? parser.problem : "it cannot be read");
  yaml_parser_delete (&parser);
  if (!read)
    g_clear_pointer (&self, g_free);
  return self;
}

WpYaml *
wp_yaml_load (const char *path, GError **error)
{
  g_autofree char *text = NULL;
  g_autoptr (GError) problem = NULL;
  gsize n;

  if (g_file_get_contents (path, &text, &n, &problem))
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
