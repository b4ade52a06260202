/* What the files that write details share. */
#pragma once

#include "workspace/file/details-text.h"

typedef struct
{
  WpDetailsText *text;
  const WpRows *rows;
  const WpBox *box;
  const WpTrace *trace;
  const WpAnalysis *analysis;
  const WpSources *sources;
  WpId op, part;
  gint64 origin; /* what moments are counted from */
} WpDetailsBuilder;

/* details-facts.c */
void wp_details_add_fact (WpDetailsBuilder *b, const char *label, const char *format, ...) G_GNUC_PRINTF (3, 4);
char *wp_details_task_link (const WpTrace *trace, WpId task); /* markup; free with g_free() */
/* "sh 61 %, cc1 22 %": who ran on the CPU that a sleep was ready for, the longest first, and for which share of that time, as `shares` are. Markup, with
 * links to the longest run of each. NULL: nobody did, or it is not known. Free with g_free(). */
char *wp_details_rivals (const WpTrace *trace, WpId sleep, double shares[WP_FACT_SHARES]);
char *wp_details_rival_bars (const WpTrace *trace, WpId sleep); /* the same as plain text, each on a line of its own behind a bar */
void wp_details_add_times (WpDetailsBuilder *b);
void wp_details_add_rivals (WpDetailsBuilder *b); /* of an operation: who had the CPU that a wait was for */
void wp_details_add_part (WpDetailsBuilder *b, guint n_parts); /* of several that the box goes over */
void wp_details_add_box_latency (WpDetailsBuilder *b); /* of one of the flame view */
void wp_details_add_node (WpDetailsBuilder *b);
void wp_details_add_category (WpDetailsBuilder *b);
void wp_details_add_lane (WpDetailsBuilder *b); /* where the work is drawn that a part waits for */
void wp_details_add_op (WpDetailsBuilder *b);
void wp_details_add_marks (WpDetailsBuilder *b);

/* details-why.c */
void wp_details_add_why (WpDetailsBuilder *b, guint n_parts); /* `n_parts`: that the box goes over */
