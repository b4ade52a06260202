/* What Perun's checks say of two profiles, as a table with a summary; they are made when somebody looks. */
#pragma once

#include <adwaita.h>

#define WP_TYPE_COMPARE_CHECKS (wp_compare_checks_get_type ())
G_DECLARE_FINAL_TYPE (WpCompareChecks, wp_compare_checks, WP, COMPARE_CHECKS, AdwBin)

/* Of two sets with several profiles each, change is told from noise. */
void wp_compare_checks_set_files (WpCompareChecks *self, const char *const *a, const char *const *b);
