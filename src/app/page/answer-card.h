/* The answer in words above the explanation: a line for each sentence, which leads to the longest stretch of what it is about, and the longest
 * waits, folded away until they are wanted.
 *
 * Signal: go-to (uint op): an operation is to be shown */
#pragma once

#include <adwaita.h>

#include "paths/answer.h"

#define WP_TYPE_ANSWER_CARD (wp_answer_card_get_type ())
G_DECLARE_FINAL_TYPE (WpAnswerCard, wp_answer_card, WP, ANSWER_CARD, AdwBin)

void wp_answer_card_show (WpAnswerCard *self, const WpAnswer *answer); /* read, not kept; NULL: there is none */
