/* Rules that hide frames: a function, a module, or functions whose names match. What such a frame took is charged to its caller: its box goes,
 * and those on top of it come down. depth.h does so, for all pictures. */
#pragma once

#include "trace/trace.h"

typedef enum
{
  WP_HIDE_FUNCTION, /* of this name */
  WP_HIDE_MODULE,   /* functions of modules of this name, or of this path */
  WP_HIDE_MATCHING, /* functions whose names match a regular expression, unanchored and case-sensitive */
  WP_HIDE_COUNT
} WpHideKind;

typedef struct
{
  WpHideKind kind;
  char *text;      /* name or expression */
  GRegex *pattern; /* of an expression; else NULL */
} WpHideRule;
typedef WP_ARRAY (WpHideRule) WpHideRules;

/* Adds a rule, unless it is there. FALSE with an error: no regular expression; nothing was added. */
#define WP_HIDE_ANY_CASE "(?i)" /* an expression that begins so does not look at the case, as search does not */
char *wp_hide_found (const char *text); /* the expression for what search finds of a text: as an expression, else as it stands. Free with g_free() */
gboolean wp_hide_rules_add (WpHideRules *self, WpHideKind kind, const char *text, GError **error);
void wp_hide_rules_remove (WpHideRules *self, guint32 rule);
WpHideRules *wp_hide_rules_copy (const WpHideRules *self); /* NULL: of none */
void wp_hide_rules_clear (WpHideRules *self);
void wp_hide_rules_free (WpHideRules *self); /* NULL is fine */
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WpHideRules, wp_hide_rules_clear)

/* Whether some rule hides a function of the trace. `self`: NULL is none. */
gboolean wp_hide_rules_hide (const WpHideRules *self, const WpTrace *trace, WpId function);
