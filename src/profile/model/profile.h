/* A profile of any kind and era, as Perun has it: what was measured (the header), how (the collector), what was done to it since
 * (the postprocessors), its resources, and the models fitted to them.
 *
 * Two shapes are read. Up to Perun 0.16.9 the resources stand in `snapshots` and in `global`; this is the shape that is written.
 * Since 0.17 they stand as parallel arrays in `resources`, with what those of one kind share in `resource_type_map`, and
 * models stand at the top. Here they are all the same: a list of resources, each an object with its snapshot's number.
 *
 * Values of another kind than is documented are left where they are; what that leaves out is reported in `omissions`. Where both shapes
 * stand in one file, both are read.
 *
 * A trace that is {"chunk": NAME} stands in the document's look-up table `chunks`, and is the trace itself here.
 *
 * A saved recording (perun/FORMAT.md) is such a profile too. */
#pragma once

#include "base/omissions.h"
#include "profile/model/values.h"

typedef enum
{
  WP_PROFILE_SNAPSHOTS, /* `snapshots` and `global`: up to 0.16.9 */
  WP_PROFILE_TYPE_MAP,  /* `resources`, `resource_type_map`, `models`: since 0.17 */
} WpProfileShape;

typedef struct
{
  WpValue value;    /* an object */
  guint32 snapshot; /* row of `snapshots`; those of `global` come after the last one, as Perun numbers them */
} WpResource;

typedef struct
{
  char *path;        /* where it came from, for messages */
  WpProfileShape shape;
  WpValues *values;
  WpValue root;      /* the document without `origin`; its keys in the order of the file */
  char *origin;      /* the commit it belongs to, 40 hexadecimal digits, or NULL */
  WpValue header;    /* an object; `params` (before 0.16.6) stands as `args` */
  WpValue collector; /* `collector_info`: an object, empty where there was none */
  WpIdArray postprocessors; /* objects; plain list */
  WP_ARRAY (WpResource) resources; /* plain list, in Perun's order: snapshot by snapshot, then `global` */
  WpIdArray snapshots; /* the time of each: a STRING in seconds, or 0; plain list */
  WpIdArray models;    /* objects; plain list */
  WpOmissions omissions; /* of what was read, and of what views cannot show */
  gboolean changed;    /* since it was read; whoever changes one of the lists above says so */
} WpProfile;

/* All of it. NULL and an error that names the place where it is no profile: FILE: snapshots[3].resources: not an array. Files
 * packed by gzip or zstd too. */
WpProfile *wp_profile_load (const char *path, WpProgress *progress, GError **error);
WpProfile *wp_profile_parse (const char *name, const char *text, gsize n, WpProgress *progress, GError **error);
void wp_profile_free (WpProfile *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpProfile, wp_profile_free)

/* A text of the header, "" where it has none: type, cmd, args, workload. */
const char *wp_profile_header (const WpProfile *self, const char *key);
const char *wp_profile_collector_name (const WpProfile *self);

/* The unit of the profile's type; where there is none of that name the first one there is; "" without any. */
const char *wp_profile_unit (const WpProfile *self);

/* cmd, args and workload, those that are not empty, with blanks between. Free with g_free(). */
char *wp_profile_command (const WpProfile *self);

/* A value of a resource by its key; 0: it has none. */
WpValue wp_profile_field (const WpProfile *self, guint32 resource, const char *key);

/* The trace of a resource: an ARRAY; 0: it has none, or none that can be read. */
WpValue wp_profile_trace (const WpProfile *self, guint32 resource);

/* The document in the shape up to 0.16.9, without `origin`: as it was read where it was of that shape and nothing was changed,
 * else made from the lists above: all models in `global`, a trace that stands in `chunks` not written out. */
WpValue wp_profile_document (WpProfile *self);

/* Writes that document, the origin first as it was read, as Python's json.dump (profile, file, indent=2) does. The file is replaced as a
 * whole or not at all. */
gboolean wp_profile_save (WpProfile *self, const char *path, GError **error);

/* Adds {"name": name, "params": params} to the postprocessors. */
void wp_profile_add_postprocessor (WpProfile *self, const char *name, WpValue params);
