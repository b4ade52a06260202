/* Commands that were started to be recorded and go on when the program ends: that is said before, and they can be ended with it. */
#pragma once

#include "app/widgets/question.h"

/* Asks whether to quit all the same, and whether to end them. Returns FALSE where there are none. */
gboolean wp_left_commands_ask (GtkWindow *parent, WpQuestionFunc func, GObject *about);
