#include "app/page/answer-card.h"

#include <glib/gi18n.h>

#include "app/shell/settings.h"
#include "base/format.h"

#define FIRST_WAITS 3 /* are always seen */
#define WAITS_SHOWN 15

/* Where a button leads: the longest stretch of what its words are about. */
typedef struct
{
  WpId op;
  guint clause, mention; /* as wp_highlight_said() has it; of a wait 0 */
} Target;

struct _WpAnswerCard
{
  AdwBin parent_instance;

  GtkBox *sentences, *longest;
  GtkLabel *heading; /* the first sentence */
  GtkToggleButton *more; /* of the waits */
  GtkListBox *waits, *more_waits;
  GtkWidget *chosen; /* of the sentences' buttons; NULL: none */
};

enum
{
  SIGNAL_SENTENCE,
  SIGNAL_GO_TO,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (WpAnswerCard, wp_answer_card, ADW_TYPE_BIN)

static void
set_target (GtkWidget *widget, Target target)
{
  g_object_set_data_full (G_OBJECT (widget), "target", g_memdup2 (&target, sizeof target), g_free);
}

static const Target *
target_of (GtkWidget *widget)
{
  return g_object_get_data (G_OBJECT (widget), "target");
}

static WpId
op_of (const WpAnswer *answer, WpId part)
{
  return answer->words.paths->parts.data[part].op;
}

gboolean
wp_answer_card_chosen (WpAnswerCard *self, guint *clause, guint *mention)
{
  if (self->chosen == NULL)
    return FALSE;
  *clause = target_of (self->chosen)->clause;
  *mention = target_of (self->chosen)->mention;
  return TRUE;
}

void
wp_answer_card_leave (WpAnswerCard *self)
{
  if (self->chosen != NULL)
    gtk_widget_remove_css_class (self->chosen, "chosen");
  self->chosen = NULL;
}

static void
choose (WpAnswerCard *self, GtkWidget *button)
{
  wp_answer_card_leave (self);
  self->chosen = button;
  gtk_widget_add_css_class (button, "chosen");
}

static void
on_sentence (GtkButton *button, WpAnswerCard *self)
{
  WpId op = target_of (GTK_WIDGET (button))->op;

  choose (self, GTK_WIDGET (button));
  g_signal_emit (self, signals[SIGNAL_SENTENCE], 0);
  g_signal_emit (self, signals[SIGNAL_GO_TO], 0, op);
}

static void
on_wait (GtkListBox *list, GtkListBoxRow *row, WpAnswerCard *self)
{
  g_signal_emit (self, signals[SIGNAL_GO_TO], 0, target_of (GTK_WIDGET (row))->op);
}

static GtkWidget *
text_label (const char *text)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  return label;
}

/* `shown`: of what it says to assistive technology, what is seen of it. */
static GtkWidget *
add_button (WpAnswerCard *self, const char *shown, const char *said, Target target)
{
  GtkWidget *button = gtk_button_new ();

  gtk_button_set_child (GTK_BUTTON (button), text_label (shown));
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, said, -1);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "sentence");
  gtk_widget_set_tooltip_text (button, _("Show where that is, and go to the longest stretch of it"));
  set_target (button, target);
  g_signal_connect (button, "clicked", G_CALLBACK (on_sentence), self);
  gtk_box_append (self->sentences, button);
  return button;
}

static const char *
text_of (GtkWidget *button)
{
  return gtk_label_get_text (GTK_LABEL (gtk_button_get_child (GTK_BUTTON (button))));
}

/* Of a sentence its words from here on, to where the next mention begins. */
static char *
words_of (const WpClause *clause, guint32 start, guint next)
{
  gsize end = next < clause->n_mentions ? clause->mentions[next].start : strlen (clause->text);

  return g_strchomp (g_strndup (clause->text + start, end - start));
}

/* Who worked meanwhile is a button of its own, on a line below. The first one says the whole sentence. */
static void
add_sentence (WpAnswerCard *self, const WpAnswer *answer, guint which)
{
  const WpClause *clause = &answer->clauses.data[which];
  g_autofree char *own = words_of (clause, 0, 0);

  add_button (self, own, clause->text, (Target) { op_of (answer, clause->part), which, 0 });
  for (guint i = 0; i < clause->n_mentions; i++)
    {
      g_autofree char *mention = words_of (clause, clause->mentions[i].start, i + 1);

      gtk_widget_add_css_class (add_button (self, mention, mention, (Target) { clause->mentions[i].op, which, i + 1 }), "mention");
    }
}

static void
add_plain (WpAnswerCard *self, const WpClause *clause)
{
  GtkWidget *label = text_label (clause->text);

  gtk_widget_add_css_class (label, "sentence");
  gtk_box_append (self->sentences, label);
}

static GtkWidget *
figure (const char *text)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 1);
  gtk_widget_set_valign (label, GTK_ALIGN_START);
  gtk_widget_add_css_class (label, "numeric");
  return label;
}

/* "git reads pipe from git-upload-pack          12 times 185 ms" */
static GtkWidget *
wait_row (const WpAnswer *answer, const WpWait *wait)
{
  GtkWidget *row = gtk_list_box_row_new (), *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *times;
  char time[WP_FORMAT_MAX], longest[WP_FORMAT_MAX];
  g_autofree char *text = g_strdup_printf ("%s %s", wp_trace_string (answer->words.trace, wait->who),
                                           wp_strings_get (answer->words.strings, wait->words));
  g_autofree char *how_often = g_strdup_printf (ngettext ("%u time", "%u times", wait->count), wait->count);
  g_autofree char *said = NULL, *tip = g_strdup_printf (_("The longest took %s. Click to go there."), wp_format_ns (wait->longest, longest));
  GtkWidget *label = text_label (text);

  gtk_widget_set_hexpand (label, TRUE);
  times = figure (how_often);
  gtk_widget_add_css_class (times, "caption");
  gtk_widget_add_css_class (times, "dim-label");
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (box), times);
  gtk_box_append (GTK_BOX (box), figure (wp_format_ns (wait->ns, time)));
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  gtk_widget_set_tooltip_text (row, tip);
  said = g_strdup_printf ("%s, %s, %s", text, how_often, time);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, said, -1);
  set_target (row, (Target) { .op = op_of (answer, wait->part) });
  return row;
}

static void
empty (GtkListBox *list)
{
  GtkListBoxRow *row;

  while ((row = gtk_list_box_get_row_at_index (list, 0)) != NULL)
    gtk_list_box_remove (list, GTK_WIDGET (row));
}

static void
show_waits (WpAnswerCard *self, const WpAnswer *answer)
{
  for (guint32 i = 0; i < MIN (answer->waits.len, WAITS_SHOWN); i++)
    gtk_list_box_append (i < FIRST_WAITS ? self->waits : self->more_waits, wait_row (answer, &answer->waits.data[i]));
  gtk_widget_set_visible (GTK_WIDGET (self->longest), answer->waits.len > 0);
  gtk_widget_set_visible (GTK_WIDGET (self->more), answer->waits.len > FIRST_WAITS);
}

static void
show_sentences (WpAnswerCard *self, const WpAnswer *answer)
{
  gtk_label_set_text (self->heading, answer->clauses.data[0].text);
  for (guint32 i = 1; i < answer->clauses.len; i++)
    if (answer->clauses.data[i].part != 0)
      add_sentence (self, answer, i);
    else
      add_plain (self, &answer->clauses.data[i]);
}

/* The button that says and means the same as one before it did. */
static GtkWidget *
find_button (WpAnswerCard *self, const Target *target, const char *text)
{
  GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (self->sentences));

  for (; child != NULL; child = gtk_widget_get_next_sibling (child))
    {
      const Target *t = target_of (child);

      if (t != NULL && t->clause == target->clause && t->mention == target->mention && g_strcmp0 (text_of (child), text) == 0)
        return child;
    }
  return NULL;
}

void
wp_answer_card_show (WpAnswerCard *self, const WpAnswer *answer)
{
  Target before = { 0 };
  g_autofree char *text = NULL;
  GtkWidget *child;

  if (self->chosen != NULL)
    {
      before = *target_of (self->chosen);
      text = g_strdup (text_of (self->chosen));
    }
  self->chosen = NULL;
  while ((child = gtk_widget_get_next_sibling (GTK_WIDGET (self->heading))) != NULL)
    gtk_box_remove (self->sentences, child);
  empty (self->waits);
  empty (self->more_waits);
  gtk_widget_set_visible (GTK_WIDGET (self), answer != NULL);
  if (answer == NULL)
    return;
  show_sentences (self, answer);
  show_waits (self, answer);
  child = text != NULL ? find_button (self, &before, text) : NULL;
  if (child != NULL)
    choose (self, child);
}

static void
on_more (GtkToggleButton *more, WpAnswerCard *self)
{
  wp_settings_set_boolean ("show-waits", gtk_toggle_button_get_active (more));
}

static void
wp_answer_card_class_init (WpAnswerCardClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  signals[SIGNAL_SENTENCE]
    = g_signal_new ("sentence", WP_TYPE_ANSWER_CARD, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_GO_TO]
    = g_signal_new ("go-to", WP_TYPE_ANSWER_CARD, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/wakepath/Wakepath/answer-card.ui");
  gtk_widget_class_bind_template_child (widget_class, WpAnswerCard, sentences);
  gtk_widget_class_bind_template_child (widget_class, WpAnswerCard, heading);
  gtk_widget_class_bind_template_child (widget_class, WpAnswerCard, more);
  gtk_widget_class_bind_template_child (widget_class, WpAnswerCard, longest);
  gtk_widget_class_bind_template_child (widget_class, WpAnswerCard, waits);
  gtk_widget_class_bind_template_child (widget_class, WpAnswerCard, more_waits);
  gtk_widget_class_bind_template_callback (widget_class, on_wait);
}

static void
wp_answer_card_init (WpAnswerCard *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_toggle_button_set_active (self->more, wp_settings_boolean ("show-waits", FALSE));
  g_signal_connect (self->more, "toggled", G_CALLBACK (on_more), self);
}
