/* What check prints, of two profiles and of a store's. */
#pragma once

#include "base/json-writer.h"
#include "profile/checks/checks.h"

/* check-verdicts.c */
void wp_cli_append_verdict (GString *out, const WpCheckVerdict *verdict);      /* lines of text */
void wp_cli_write_verdict (WpJsonWriter *json, const WpCheckVerdict *verdict); /* one object */
gboolean wp_cli_has_degradation (const GPtrArray *verdicts);

/* check-store.c, check-two.c: `checks` (of WpCheck) NULL: what the settings choose. Return the exit status. */
int wp_cli_check_head (const char *minor, const GArray *checks, gboolean json);
int wp_cli_check_all (const char *head, const GArray *checks, gboolean json);
int wp_cli_check_profiles (const char *baseline, const char *target, const char *minor, const GArray *checks, gboolean json);
int wp_cli_check_two (const char *baseline, const char *target, const GArray *checks, gboolean json);
