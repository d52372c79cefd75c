/* tutti whatif: builds of groups, sorts, operations on ranges. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/output/report_json.h"
#include "cli/whatif/report_whatif.h"

/* The field of a result called median_s; the kinds that are measured by programs have one. */
static double median_of(const tutti_result *result)
{
  const tutti_result_layout *layout = tutti_result_layout_of(result->kind);
  for (int f = 0; f < layout->field_count; f++)
    if (strcmp(layout->fields[f].name, "median_s") == 0)
      return result->values[f].seconds;
  return NAN;
}

static struct whatif_row row_of_build(const tutti_group_run *before, const tutti_group_run *after)
{
  struct whatif_row row = {
      .ranks = before->point.sample.size,
      .seconds = {before->median, after->median},
      .messages = {tutti_group_counted_messages(&before->counts), tutti_group_counted_messages(&after->counts)}};
  tutti_group_point_format(&before->point, row.point);
  return row;
}

struct whatif_row whatif_row_at(const struct whatif *whatif, size_t index)
{
  const tutti_run_comparison *comparison = &whatif->comparison;
  if (comparison->builds[0])
    return row_of_build(&comparison->builds[0][index], &comparison->builds[1][index]);
  const tutti_result *before = &comparison->results[0][index], *after = &comparison->results[1][index];
  int ranks = tutti_result_layout_of(before->kind)->ranks;
  struct whatif_row row = {.ranks = (int)before->values[ranks].whole, .seconds = {median_of(before), median_of(after)}};
  tutti_result_format_point(before, row.point);
  return row;
}

static int longest_point(const struct whatif *whatif)
{
  size_t longest = strlen("point");
  for (size_t i = 0; i < whatif->comparison.count; i++) {
    struct whatif_row row = whatif_row_at(whatif, i);
    longest = strlen(row.point) > longest ? strlen(row.point) : longest;
  }
  return (int)longest;
}

static void print_row(const struct whatif_row *row, int width, bool builds)
{
  printf("  %-*s %7d %13.3f %13.3f %8.3f", width, row->point, row->ranks, 1e6 * row->seconds[0], 1e6 * row->seconds[1],
         whatif_ratio(row->seconds[0], row->seconds[1]));
  if (builds)
    printf(" %10" PRIu64 " %10" PRIu64, row->messages[0], row->messages[1]);
  putchar('\n');
}

/* Two columns that tutti_speedup_of() takes; NULL without memory. */
static double *columns(const struct whatif *whatif)
{
  size_t count = whatif->comparison.count;
  double *times = calloc(2 * count, sizeof *times);
  for (size_t i = 0; times && i < count; i++) {
    struct whatif_row row = whatif_row_at(whatif, i);
    times[i] = row.seconds[0];
    times[count + i] = row.seconds[1];
  }
  return times;
}

static tutti_speedup speedup_of(const struct whatif *whatif)
{
  double *times = columns(whatif);
  tutti_speedup speedup = {.points = 0};
  if (times)
    speedup = tutti_speedup_of(times, times + whatif->comparison.count, whatif->comparison.count);
  free(times);
  return speedup;
}

static void print_extreme(const struct whatif *whatif, const char *what, double ratio, size_t index)
{
  struct whatif_row row = whatif_row_at(whatif, index);
  printf(", %s %.3f (%s, %d ranks)", what, ratio, row.point, row.ranks);
}

void report_whatif_rows(const struct whatif *whatif)
{
  bool builds = whatif->comparison.builds[0] != NULL;
  int width = longest_point(whatif);
  printf("\n  %-*s %7s %13s %13s %8s", width, "point", "ranks", "before [us]", "after [us]", "speed-up");
  if (builds)
    printf(" %10s %10s", "messages", "after");
  putchar('\n');
  for (size_t i = 0; i < whatif->comparison.count; i++) {
    struct whatif_row row = whatif_row_at(whatif, i);
    print_row(&row, width, builds);
  }
  tutti_speedup speedup = speedup_of(whatif);
  if (speedup.points == 0)
    return;
  printf("\n  Speed-up %.3f (geometric mean of %zu point%s)", speedup.mean, speedup.points,
         speedup.points == 1 ? "" : "s");
  print_extreme(whatif, "least", speedup.least, speedup.least_at);
  print_extreme(whatif, "most", speedup.most, speedup.most_at);
  putchar('\n');
}

void report_whatif_rows_json(const struct whatif *whatif)
{
  tutti_speedup speedup = speedup_of(whatif);
  printf(",\n \"speedup\": ");
  json_number(stdout, speedup.points ? speedup.mean : NAN, 12);
  printf(",\n \"results\": [");
  for (size_t i = 0; i < whatif->comparison.count; i++) {
    struct whatif_row row = whatif_row_at(whatif, i);
    printf("%s\n  {\"point\": ", i ? "," : "");
    json_string(stdout, row.point);
    printf(", \"ranks\": %d", row.ranks);
    json_member("before_s", row.seconds[0], 12);
    json_member("after_s", row.seconds[1], 12);
    json_member("speedup", whatif_ratio(row.seconds[0], row.seconds[1]), 12);
    if (whatif->comparison.builds[0])
      printf(", \"messages_before\": %" PRIu64 ", \"messages_after\": %" PRIu64, row.messages[0], row.messages[1]);
    printf("}");
  }
  printf("]");
}
