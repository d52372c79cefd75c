/* What got worse, better, is new or missing against baselines. */
#ifndef TUTTI_CLI_REPORT_CHECK_H
#define TUTTI_CLI_REPORT_CHECK_H

#include "tutti/baseline.h"

/* Tables. @p updating: what is new is counted, but not listed, and no advice is given. */
void report_check_print(const tutti_baseline_comparison *comparisons, size_t count, bool updating);

void report_check_print_json(const tutti_baseline_comparison *comparisons, size_t count);

#endif
