/* Settings in YAML, as Perun keeps them: a store's local.yml and the user's shared.yml.
 *
 * A setting is named by its path, "format.sort_profiles_by"; a number is a place in a list, "collectors.0.name". */
#pragma once

#include <gio/gio.h>

typedef struct WpYaml WpYaml;

/* A file that is not there has no settings. NULL and an error, which names the line, where it is no YAML, or more than anybody writes:
 * 256 KiB, 20,000 values, 64 levels. What is no plain file is not opened. */
WpYaml *wp_yaml_load (const char *path, GError **error);
WpYaml *wp_yaml_parse (const char *name, const char *text, gsize n, GError **error);
void wp_yaml_free (WpYaml *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpYaml, wp_yaml_free)

/* The text of one value; NULL: not there, or no single value. */
const char *wp_yaml_get (const WpYaml *self, const char *path);

/* The single values of a list; one value counts as a list of one. NULL: not there. Free with g_strfreev(). */
char **wp_yaml_list (const WpYaml *self, const char *path);

/* The keys of a mapping, or as many "0", "1", … as a list has items; empty for anything else. Free with g_strfreev(). */
char **wp_yaml_keys (const WpYaml *self, const char *path);

/* $PERUN_CONFIG_DIR/shared.yml, else that of ~/.config/perun. Free with g_free(). */
char *wp_yaml_shared_path (void);
