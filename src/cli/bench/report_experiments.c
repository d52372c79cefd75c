/* Experiments of a folder: what is going to be run, and what came of it. */
#include <math.h>
#include <string.h>

#include "cli/output/progress.h"
#include "cli/bench/report_claims.h"

static const char *source_of(const struct bench_outcome *outcome)
{
  return outcome->experiment->source ? outcome->experiment->source : "-";
}

static void measure_columns(const struct bench_outcome *outcomes, int count, int *name, int *source)
{
  *name = (int)strlen("experiment");
  *source = (int)strlen("source");
  for (int i = 0; i < count; i++) {
    int name_length = (int)strlen(outcomes[i].experiment->name), source_length = (int)strlen(source_of(&outcomes[i]));
    *name = name_length > *name ? name_length : *name;
    *source = source_length > *source ? source_length : *source;
  }
}

static void format_time(double seconds, char *text)
{
  if (isnan(seconds))
    strcpy(text, "?");
  else if (seconds < 60)
    snprintf(text, 32, "%.3g s", seconds);
  else
    progress_format_duration(seconds, text);
}

void report_experiments_print_plan(const struct bench_outcome *outcomes, int count)
{
  int name, source;
  double total = 0;
  measure_columns(outcomes, count, &name, &source);
  printf("  %-*s  %-*s  %14s  %14s\n", name, "experiment", source, "source", "takes", "total");
  for (int i = 0; i < count; i++) {
    char takes[32], sum[32] = "left out";
    format_time(outcomes[i].experiment->takes, takes);
    if (outcomes[i].chosen) {
      total += isnan(outcomes[i].experiment->takes) ? 0 : outcomes[i].experiment->takes;
      format_time(total, sum);
    }
    printf("  %-*s  %-*s  %14s  %14s\n", name, outcomes[i].experiment->name, source, source_of(&outcomes[i]), takes,
           sum);
  }
  putchar('\n');
}

/* What an experiment comes to, in words; "-" if it claims nothing. */
static const char *verdict_of(const struct bench_outcome *outcome)
{
  if (outcome->experiment->claim_count == 0 && !outcome->experiment->not_reproducible)
    return "-";
  return outcome->unexplained > 0 ? "differs, not explained" : tutti_verdict_name(outcome->verdict);
}

static int holding(const struct bench_outcome *outcome)
{
  int count = 0;
  for (int i = 0; i < outcome->experiment->claim_count; i++)
    count += outcome->claims[i].verdict == TUTTI_VERDICT_REPRODUCED;
  return count;
}

static void print_total(const struct bench_outcome *outcomes, int count)
{
  int of[TUTTI_VERDICT_NOT_REPRODUCIBLE + 1] = {0}, unexplained = 0;
  for (int i = 0; i < count; i++) {
    of[outcomes[i].verdict] += strcmp(verdict_of(&outcomes[i]), "-") != 0;
    unexplained += outcomes[i].unexplained > 0;
  }
  printf("\n%d reproduced, %d differ, %d not reproducible here, %d not measured", of[TUTTI_VERDICT_REPRODUCED],
         of[TUTTI_VERDICT_DIFFERS], of[TUTTI_VERDICT_NOT_REPRODUCIBLE], of[TUTTI_VERDICT_NOT_MEASURED]);
  if (unexplained > 0)
    printf("; %d with differences that nothing explains", unexplained);
  putchar('\n');
}

void report_experiments_print(const struct bench_outcome *outcomes, int count)
{
  int name, source;
  measure_columns(outcomes, count, &name, &source);
  printf("  %-*s  %-*s  %-22s  %7s  %14s  %14s\n", name, "experiment", source, "source", "verdict", "hold", "takes",
         "took");
  for (int i = 0; i < count; i++) {
    char takes[32], took[32] = "-", hold[48];
    format_time(outcomes[i].experiment->takes, takes);
    if (outcomes[i].ran)
      format_time(outcomes[i].seconds, took);
    snprintf(hold, sizeof hold, "%d/%d", holding(&outcomes[i]), outcomes[i].experiment->claim_count);
    printf("  %-*s  %-*s  %-22s  %7s  %14s  %14s\n", name, outcomes[i].experiment->name, source,
           source_of(&outcomes[i]), verdict_of(&outcomes[i]), hold, takes, took);
  }
  print_total(outcomes, count);
}
