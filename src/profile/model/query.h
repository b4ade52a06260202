/* Questions to a profile: Perun's query functions. all_resources is the list `resources` of the profile, all_models its
 * `models`, all_items is wp_flatten().
 *
 * What is found is kept in the profile's values, so a profile is asked by one thread at a time. */
#pragma once

#include "profile/model/flatten.h"
#include "profile/model/profile.h"

/* A key of one level or more: "uid:function"; an empty level stands for the elements of a list: "trace::function". */
typedef struct
{
  WpIdArray levels; /* STRINGs; 0: not a word of this document; plain list */
} WpKeyPath;

void wp_key_path_init (WpKeyPath *self, const WpProfile *profile, const char *key);
void wp_key_path_clear (WpKeyPath *self);

/* all_key_values_of: appends each value that the key leads to. What has no such key, a text for instance, has none. */
void wp_query_key_values (const WpValues *values, WpValue object, const WpKeyPath *key, WpIdArray *found);

/* all_resource_fields_of and, with `numerical`, all_numerical_resource_fields_of: flat keys (STRINGs) in the order in which they come
 * up. A key is numerical when some resource has a number or a truth value there. */
void wp_query_fields (WpProfile *profile, gboolean numerical, WpIdArray *fields);

/* unique_resource_values_of, unique_model_values_of: in the order in which they come up. 1, 1.0 and true are the same. */
void wp_query_unique_resource_values (WpProfile *profile, const char *key, WpIdArray *found);
void wp_query_unique_model_values (WpProfile *profile, const char *key, WpIdArray *found);

/* Values that are equal have the same canonical one: whole numbers for 1.0 and true, objects with their keys in one order. */
typedef struct WpCanonical WpCanonical;
WpCanonical *wp_canonical_new (WpValues *values);
void wp_canonical_free (WpCanonical *self);
WpValue wp_canonical (WpCanonical *self, WpValue value); /* 0 for NaN, which is equal to nothing */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpCanonical, wp_canonical_free)
