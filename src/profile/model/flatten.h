/* Values without what is nested in them, as Perun's queries and tables have them: {"uid": {"file": "a.c", "line": 4}} becomes
 * uid:file, uid:line and, after them, uid = "a.c:4".
 *
 * What an object flattens to is worked out once for each distinct one. New keys and texts are kept in the document's values,
 * so nothing else may use these at the same time. */
#pragma once

#include "profile/model/values.h"

typedef struct
{
  WpValue key;   /* a STRING */
  WpValue value; /* no array or object */
} WpItem;

typedef WP_ARRAY (WpItem) WpItemArray;

typedef struct WpFlattener WpFlattener;

WpFlattener *wp_flattener_new (WpValues *values); /* the values must outlive it */
void wp_flattener_free (WpFlattener *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpFlattener, wp_flattener_free)

/* Appends the flat items of an object, in the order of its keys: a scalar as it is; an object as its own items with "key:" before
 * their keys, then all of them joined by ":", the most general first (file, module, class, function, line, others); an array
 * as one text, its elements joined by ",". */
void wp_flatten (WpFlattener *self, WpValue object, WpItemArray *items);

/* One value instead of many: an object or array joined to a text, any other value as it is. A joined text ends at 1 MiB. */
WpValue wp_flatten_joined (WpFlattener *self, WpValue value);
