/* Penalties of decisions, one line each. */
#include "cli/penalty/report_penalty.h"

#include <inttypes.h>
#include <string.h>

#include "cli/output/report_json.h"

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
  if (penalty->points == 0) {
    printf("  %-*s %9s %9s %9s %10s %8s %8s %7d %8d\n", width, row->name, "-", "-", "-", "-", "-", "-", 0,
           penalty->missing);
    return;
  }
  printf("  %-*s %9.2f %9.2f %9.2f %10.2f %6.1f %% %6.1f %% %7d %8d  %d ranks, %s\n", width, row->name,
         penalty->minimum, penalty->maximum, penalty->mean, penalty->median, 100 * penalty->within_5,
         100 * penalty->within_10, penalty->points, penalty->missing, penalty->worst_ranks,
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

static int longest_pick(const struct penalty_row *row)
{
  char name[TUTTI_METHOD_LENGTH];
  size_t longest = strlen("picked");
  for (int i = 0; i < row->worst_count; i++) {
    size_t length = strlen(tutti_method_format(&row->worst[i].picked, name));
    longest = length > longest ? length : longest;
  }
  return (int)longest;
}

static void print_worst(const struct penalty_row *row)
{
  char picked[TUTTI_METHOD_LENGTH], best[TUTTI_METHOD_LENGTH], size[24];
  int width = longest_pick(row);
  if (row->worst_count == 0)
    printf("\n  %s loses nowhere\n", row->name);
  else
    printf("\n  %s loses most\n  %11s %6s %8s  %-*s  %s\n", row->name, "penalty [%]", "ranks", "size", width, "picked",
           "best");
  for (int i = 0; i < row->worst_count; i++)
    printf("  %11.2f %6d %8s  %-*s  %s\n", row->worst[i].percent, row->worst[i].ranks,
           tutti_size_format(row->worst[i].size, size), width, tutti_method_format(&row->worst[i].picked, picked),
           tutti_method_format(&row->worst[i].best, best));
}

void report_penalty_print(const struct penalty_row *rows, int count, const char *platform, bool worst)
{
  int width = longest_name(rows, count);
  printf("Penalty against the best measured method on %s, scheme %s\n\n", platform, rows[0].scheme);
  printf("  %-*s %9s %9s %9s %10s %8s %8s %7s %8s  %s\n", width, "decision", "min [%]", "max [%]", "mean [%]",
         "median [%]", "<= 5 %", "<= 10 %", "points", "missing", "worst point");
  for (int i = 0; i < count; i++)
    print_row(&rows[i], width);
  for (int i = 0; i < count; i++)
    print_remarks(&rows[i]);
  for (int i = 0; worst && i < count; i++)
    print_worst(&rows[i]);
}

static void print_json_point(const tutti_penalty_point *point)
{
  char name[TUTTI_METHOD_LENGTH];
  printf("{\"ranks\": %d, \"size_B\": %" PRIu64, point->ranks, point->size);
  json_member("percent", point->percent, 12);
  printf(", \"picked\": ");
  json_string(stdout, tutti_method_format(&point->picked, name));
  printf(", \"best\": ");
  json_string(stdout, tutti_method_format(&point->best, name));
  putchar('}');
}

static void print_json_row(const void *item)
{
  const struct penalty_row *row = item;
  const tutti_penalty *penalty = &row->penalty;
  printf("  {\"decision\": ");
  json_string(stdout, row->name);
  printf(", \"collective\": ");
  json_string(stdout, tutti_collective_name(row->collective));
  printf(", ");
  json_basis("scheme", row->scheme);
  json_member("minimum_percent", penalty->minimum, 12);
  json_member("maximum_percent", penalty->maximum, 12);
  json_member("mean_percent", penalty->mean, 12);
  json_member("median_percent", penalty->median, 12);
  json_member("share_within_5_percent", penalty->within_5, 12);
  json_member("share_within_10_percent", penalty->within_10, 12);
  printf(", \"points\": %d, \"missing\": %d, \"not_positive\": %d, \"worst_ranks\": %d, \"worst_size_B\": %" PRIu64
         ", \"worst\": [",
         penalty->points, penalty->missing, penalty->not_positive, penalty->worst_ranks, penalty->worst_size);
  for (int i = 0; i < row->worst_count; i++) {
    fputs(i > 0 ? ", " : "", stdout);
    print_json_point(&row->worst[i]);
  }
  printf("]}");
}

void report_penalty_print_json(const struct penalty_row *rows, int count, const char *platform)
{
  json_report(platform, "penalties", rows, (size_t)count, sizeof *rows, print_json_row);
}
