/* Penalties of decisions, one line each. */
#include "cli/report_penalty.h"

#include <inttypes.h>
#include <string.h>

#include "cli/report_json.h"

static int longest_name(const struct penalty_row *rows, int count)
{
  size_t longest = strlen("decision");
  for (int i = 0; i < count; i++)
    longest = strlen(rows[i].name) > longest ? strlen(rows[i].name) : longest;
  return (int)longest;
}

static void print_row(const struct penalty_row *row, int width)
{
  const tutti_penalty *penalty = &row->penalty;
  char size[24];
  printf("  %-*s %9.2f %9.2f %9.2f %10.2f %7d %8d  %d ranks, %s\n", width, row->name, penalty->minimum,
         penalty->maximum, penalty->mean, penalty->median, penalty->points, penalty->missing, penalty->worst_ranks,
         tutti_size_format(penalty->worst_size, size));
}

/* What kept points from being counted, in words. */
static void print_remarks(const struct penalty_row *row)
{
  const tutti_penalty *penalty = &row->penalty;
  int unmeasured = penalty->missing - penalty->not_positive;
  if (unmeasured > 0)
    printf("  %s: its choice was not measured at %d points\n", row->name, unmeasured);
  if (penalty->not_positive > 0)
    printf("  %s: %d points were not counted, because their best time is not positive\n", row->name,
           penalty->not_positive);
}

void report_penalty_print(const struct penalty_row *rows, int count, const char *platform)
{
  int width = longest_name(rows, count);
  printf("Penalty against the best measured method on %s, scheme %s\n\n", platform, rows[0].scheme);
  printf("  %-*s %9s %9s %9s %10s %7s %8s  %s\n", width, "decision", "min [%]", "max [%]", "mean [%]", "median [%]",
         "points", "missing", "worst point");
  for (int i = 0; i < count; i++)
    print_row(&rows[i], width);
  for (int i = 0; i < count; i++)
    print_remarks(&rows[i]);
}

static void print_member(const char *name, double percent)
{
  printf(", \"%s\": ", name);
  json_number(stdout, percent, 12);
}

static void print_json_row(const void *item)
{
  const struct penalty_row *row = item;
  const tutti_penalty *penalty = &row->penalty;
  printf("  {\"decision\": ");
  json_string(stdout, row->name);
  printf(", \"collective\": ");
  json_string(stdout, tutti_collective_name(row->collective));
  printf(", \"scheme\": ");
  json_string(stdout, row->scheme);
  print_member("minimum_percent", penalty->minimum);
  print_member("maximum_percent", penalty->maximum);
  print_member("mean_percent", penalty->mean);
  print_member("median_percent", penalty->median);
  printf(", \"points\": %d, \"missing\": %d, \"not_positive\": %d, \"worst_ranks\": %d, \"worst_size_B\": %" PRIu64 "}",
         penalty->points, penalty->missing, penalty->not_positive, penalty->worst_ranks, penalty->worst_size);
}

void report_penalty_print_json(const struct penalty_row *rows, int count, const char *platform)
{
  json_report(platform, "penalties", rows, (size_t)count, sizeof *rows, print_json_row);
}
