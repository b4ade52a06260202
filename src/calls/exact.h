/* Whole numbers of 128 bits: times in so small a unit that every share of them is whole. Whoever makes them sees to it that no sum goes beyond
 * WP_EXACT_LIMIT in either direction, so that a thousand times a sum still fits. */
#pragma once

#include <glib.h>

__extension__ typedef __int128 WpExact;
__extension__ typedef unsigned __int128 WpExactMagnitude;

#define WP_EXACT_LIMIT ((WpExact) 1 << 115)

/* The greatest common divisor; of 0 and b that is b. */
WpExact wp_exact_gcd (WpExact a, WpExact b);

/* n / d, rounded to the nearest whole number, halves to the even one. d > 0. */
WpExact wp_exact_round (WpExact n, WpExact d);

/* −1, 0 or 1 as a / b is less than c / d, equal or more. Neither b nor d is 0. */
int wp_exact_compare (WpExact a, WpExact b, WpExact c, WpExact d);

/* n / d as the nearest double. d > 0. */
double wp_exact_real (WpExact n, WpExact d);

/* As many digits as it takes. */
void wp_exact_append (GString *out, WpExact n);
