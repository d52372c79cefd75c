/* tutti check: what was compared, printed. */
#ifndef TUTTI_CLI_CHECK_H
#define TUTTI_CLI_CHECK_H

#include "base/table.h"
#include "tutti/baseline.h"

/* @p updating: what is new is counted, but not listed, and no advice is given. */
tutti_status check_print(const tutti_baseline_comparison *comparisons, size_t count, bool updating, tutti_format format,
                         tutti_error *error);

#endif
