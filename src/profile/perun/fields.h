/* The documented fields of a profile and what kinds of value they may have. A value of another kind is left where it is, and reported. */
#pragma once

#include "profile/model/profile.h"

typedef enum
{
  WP_IN_DOCUMENT,
  WP_IN_HEADER,
  WP_IN_UNITS, /* any key */
  WP_IN_STEP,  /* the collector, a postprocessor */
  WP_IN_SNAPSHOT,
  WP_IN_GLOBAL,
  WP_IN_RESOURCE,
  WP_IN_FRAME, /* of a trace; a uid that is no text */
  WP_IN_MODEL,
  WP_IN_COEFF,
  WP_N_FIELD_PLACES,
} WpFieldPlace;

typedef struct WpFieldCheck WpFieldCheck;

WpFieldCheck *wp_field_check_new (WpProfile *profile); /* adds to its `omissions`; the profile must outlive it */
void wp_field_check_free (WpFieldCheck *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpFieldCheck, wp_field_check_free)

/* The fields of an object. What it is called in messages: `place`, with `index` in brackets behind it unless that is negative. */
void wp_field_check (WpFieldCheck *self, WpFieldPlace where, WpValue object, const char *place, gint64 index);

/* A resource as the profile has it, with its trace and uid; a model with its coefficients. */
void wp_field_check_resource (WpFieldCheck *self, WpValue resource, const char *place, gint64 index);
void wp_field_check_model (WpFieldCheck *self, WpValue model, const char *place, gint64 index);
