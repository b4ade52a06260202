#include "app/page/answer-card.h"

#include <glib/gi18n.h>

#include "app/shell/settings.h"
#include "base/format.h"

#define WAITS_SHOWN 15

struct _WpAnswerCard
{
  AdwBin parent_instance;

  GtkBox *sentences;
  GtkExpander *more;
  GtkListBox *waits;
};

enum
{
  SIGNAL_GO_TO,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (WpAnswerCard, wp_answer_card, ADW_TYPE_BIN)

static void
set_op (GtkWidget *widget, WpId op)
{
  g_object_set_data (G_OBJECT (widget), "op", GUINT_TO_POINTER (op));
}

static WpId
op_of (const WpAnswer *answer, WpId part)
{
  return answer->words.paths->parts.data[part].op;
}

static void
go_to (WpAnswerCard *self, GtkWidget *of)
{
  g_signal_emit (self, signals[SIGNAL_GO_TO], 0, GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (of), "op")));
}

static void
on_sentence (GtkButton *button, WpAnswerCard *self)
{
  go_to (self, GTK_WIDGET (button));
}

static void
on_wait (GtkListBox *list, GtkListBoxRow *row, WpAnswerCard *self)
{
  go_to (self, GTK_WIDGET (row));
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
add_button (WpAnswerCard *self, const char *shown, const char *said, WpId op)
{
  GtkWidget *button = gtk_button_new ();

  gtk_button_set_child (GTK_BUTTON (button), text_label (shown));
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, said, -1);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "sentence");
  gtk_widget_set_tooltip_text (button, _("Go to the longest stretch of it"));
  set_op (button, op);
  g_signal_connect (button, "clicked", G_CALLBACK (on_sentence), self);
  gtk_box_append (self->sentences, button);
  return button;
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
add_sentence (WpAnswerCard *self, const WpAnswer *answer, const WpClause *clause)
{
  g_autofree char *own = words_of (clause, 0, 0);

  add_button (self, own, clause->text, op_of (answer, clause->part));
  for (guint i = 0; i < clause->n_mentions; i++)
    {
      g_autofree char *mention = words_of (clause, clause->mentions[i].start, i + 1);

      gtk_widget_add_css_class (add_button (self, mention, mention, clause->mentions[i].op), "mention");
    }
}

static void
add_plain (WpAnswerCard *self, const WpClause *clause, gboolean first)
{
  GtkWidget *label = text_label (clause->text);

  gtk_widget_add_css_class (label, "sentence");
  if (first)
    gtk_widget_add_css_class (label, "heading");
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

/* "git reads pipe from git-upload-pack          185 ms", and under the time how often */
static GtkWidget *
wait_row (const WpAnswer *answer, const WpWait *wait)
{
  GtkWidget *row = gtk_list_box_row_new (), *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *figures = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *times;
  char time[WP_FORMAT_MAX], longest[WP_FORMAT_MAX];
  g_autofree char *text = g_strdup_printf ("%s %s", wp_trace_string (answer->words.trace, wait->who),
                                           wp_strings_get (answer->words.strings, wait->words));
  g_autofree char *how_often = g_strdup_printf (ngettext ("%u time", "%u times", wait->count), wait->count);
  g_autofree char *tip = g_strdup_printf (_("The longest took %s. Click to go there."), wp_format_ns (wait->longest, longest));
  GtkWidget *label = text_label (text);

  gtk_widget_set_hexpand (label, TRUE);
  times = figure (how_often);
  gtk_widget_add_css_class (times, "caption");
  gtk_widget_add_css_class (times, "dim-label");
  gtk_box_append (GTK_BOX (figures), figure (wp_format_ns (wait->ns, time)));
  gtk_box_append (GTK_BOX (figures), times);
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (box), figures);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  gtk_widget_set_tooltip_text (row, tip);
  set_op (row, op_of (answer, wait->part));
  return row;
}

void
wp_answer_card_show (WpAnswerCard *self, const WpAnswer *answer)
{
  GtkWidget *child;
  GtkListBoxRow *row;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->sentences))) != NULL)
    gtk_box_remove (self->sentences, child);
  while ((row = gtk_list_box_get_row_at_index (self->waits, 0)) != NULL)
    gtk_list_box_remove (self->waits, GTK_WIDGET (row));
  gtk_widget_set_visible (GTK_WIDGET (self), answer != NULL);
  if (answer == NULL)
    return;
  for (guint32 i = 0; i < answer->clauses.len; i++)
    if (answer->clauses.data[i].part != 0)
      add_sentence (self, answer, &answer->clauses.data[i]);
    else
      add_plain (self, &answer->clauses.data[i], i == 0);
  for (guint32 i = 0; i < MIN (answer->waits.len, WAITS_SHOWN); i++)
    gtk_list_box_append (self->waits, wait_row (answer, &answer->waits.data[i]));
  gtk_widget_set_visible (GTK_WIDGET (self->more), answer->waits.len > 0);
}

static void
on_expanded (GtkExpander *expander, GParamSpec *pspec, WpAnswerCard *self)
{
  wp_settings_set_boolean ("show-waits", gtk_expander_get_expanded (expander));
}

static void
wp_answer_card_class_init (WpAnswerCardClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  signals[SIGNAL_GO_TO]
    = g_signal_new ("go-to", WP_TYPE_ANSWER_CARD, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/wakepath/Wakepath/answer-card.ui");
  gtk_widget_class_bind_template_child (widget_class, WpAnswerCard, sentences);
  gtk_widget_class_bind_template_child (widget_class, WpAnswerCard, more);
  gtk_widget_class_bind_template_child (widget_class, WpAnswerCard, waits);
  gtk_widget_class_bind_template_callback (widget_class, on_wait);
}

static void
wp_answer_card_init (WpAnswerCard *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_expander_set_expanded (self->more, wp_settings_boolean ("show-waits", FALSE));
  g_signal_connect (self->more, "notify::expanded", G_CALLBACK (on_expanded), self);
}
