/* Violations of guidelines as text and as JSON. */
#ifndef TUTTI_CLI_REPORT_GUIDELINES_H
#define TUTTI_CLI_REPORT_GUIDELINES_H

#include <stdio.h>

#include "cli/guidelines/guidelines.h"

/* The guidelines, those about the chosen collectives. */
void report_guidelines_list(const struct guidelines_options *options);

void report_guidelines_print(const struct guidelines_options *options, const struct guidelines_times *read,
                             const tutti_guideline_report *report);
void report_guidelines_print_json(const struct guidelines_options *options, const struct guidelines_times *read,
                                  const tutti_guideline_report *report);

/* What to run in place of the left side: "reduce/binomial then bcast/chain of 8KB on 2 ranks". */
void report_guidelines_instead(FILE *stream, const tutti_violation *violation);

#endif
