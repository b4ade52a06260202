/* The answer in words above the explanation: a line for each sentence, which lights what it is about and leads to
 * the longest stretch of that, and the longest waits; what is behind the first few is folded away until it is
 * wanted.
 *
 * Signals:
 *   sentence ()      another sentence was chosen
 *   go-to (uint op)  an operation is to be shown */
#pragma once

#include <adwaita.h>

#include "paths/answer.h"

#define WP_TYPE_ANSWER_CARD (wp_answer_card_get_type ())
G_DECLARE_FINAL_TYPE (WpAnswerCard, wp_answer_card, WP, ANSWER_CARD, AdwBin)

/* Read, not kept; NULL: there is none. A chosen sentence that is still the same stays chosen. */
void wp_answer_card_show (WpAnswerCard *self, const WpAnswer *answer);
gboolean wp_answer_card_chosen (WpAnswerCard *self, guint *clause, guint *mention); /* as wp_highlight_said() has it; FALSE: none */
void wp_answer_card_leave (WpAnswerCard *self);
