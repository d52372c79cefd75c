/* Claims beside what was measured, and experiments with their verdicts. */
#ifndef TUTTI_CLI_REPORT_CLAIMS_H
#define TUTTI_CLI_REPORT_CLAIMS_H

#include "cli/bench/bench.h"

/* Claims and verdict of one experiment; nothing if it has none and is reproducible. */
void report_claims_print(const struct bench_outcome *outcome);
void report_claims_print_json(const struct bench_outcome *outcome);

/* What is going to be run and what not, with the running total of what was chosen. */
void report_experiments_print_plan(const struct bench_outcome *outcomes, int count);

/* Their verdicts, and how long those took that were run. */
void report_experiments_print(const struct bench_outcome *outcomes, int count);
void report_experiments_print_json(const struct bench_outcome *outcomes, int count);

#endif
