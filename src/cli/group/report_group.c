#include "cli/group/report_group.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/output/progress.h"
#include "cli/output/report_json.h"

/* ---- a table ---- */

/* Do both build the same groups, but for the builder? */
static bool is_same_sample(const tutti_group_run *left, const tutti_group_run *right)
{
  tutti_group_point other = right->point;
  other.builder = left->point.builder;
  return tutti_group_point_compare(&left->point, &other) == 0 && left->ranks_per_node == right->ranks_per_node;
}

static void print_draw(const tutti_group_run *build, const char *where)
{
  const tutti_group_point *point = &build->point;
  char processes[64], members[64], sample[TUTTI_GROUP_SAMPLE_LENGTH];
  printf("%s: %s, %s, %s", where, progress_format_things((size_t)point->sample.size, "process", "processes", processes),
         tutti_group_sample_format(&point->sample, sample),
         progress_format_things((size_t)build->counts.sums[TUTTI_GROUP_MEMBERS], "member", "members", members));
  if (point->sample.colors > 1)
    printf(" in %" PRIu64 " of %d groups", build->counts.sums[TUTTI_GROUP_GROUPS], point->sample.colors);
  printf(", branching factor %d, seed %" PRIu64, point->branching, point->sample.seed);
  if (point->node_ranks > 1)
    printf(", nodes of %d", point->node_ranks);
  printf(" (fingerprint %016" PRIx64 ")\n\n", build->counts.sums[TUTTI_GROUP_FINGERPRINT]);
}

static void print_head(void)
{
  printf("  %-30s %10s %9s %8s %8s %8s %8s %8s %8s %9s %9s %6s %6s %5s\n", "builder", "time [us]", "messages", "up",
         "reloc.", "down", "balance", "hash", "scan", "largest B", "memory B", "height", "degree", "path");
}

static void print_build(const tutti_group_run *build)
{
  static const int kinds[] = {TUTTI_MESSAGE_UPWARD,  TUTTI_MESSAGE_RELOCATION, TUTTI_MESSAGE_DOWNWARD,
                              TUTTI_MESSAGE_BALANCE, TUTTI_MESSAGE_HASH,       TUTTI_MESSAGE_SCAN};
  const tutti_group_counts *counts = &build->counts;
  char time[32] = "-";
  if (build->repetitions > 0)
    snprintf(time, sizeof time, "%.2f", build->median * 1e6);
  printf("  %-30s %10s %9" PRIu64, tutti_group_builder_name(build->point.builder), time,
         tutti_group_counted_messages(counts));
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    printf(" %8" PRIu64, counts->sums[kinds[i]]);
  printf(" %9" PRIu64 " %9" PRIu64 " %6" PRIu64 " %6" PRIu64 " %5" PRIu64 "\n", counts->maxima[TUTTI_GROUP_LARGEST],
         counts->maxima[TUTTI_GROUP_MEMORY], counts->maxima[TUTTI_GROUP_HEIGHT], counts->maxima[TUTTI_GROUP_DEGREE],
         counts->maxima[TUTTI_GROUP_CRITICAL_PATH]);
}

void report_group_print(const tutti_group_run *builds, size_t count, const char *where)
{
  for (size_t i = 0; i < count; i++) {
    if (i == 0 || !is_same_sample(&builds[i - 1], &builds[i])) {
      if (i > 0)
        putchar('\n');
      print_draw(&builds[i], where);
      print_head();
    }
    print_build(&builds[i]);
  }
}

/* ---- JSON ---- */

static void print_time(const char *name, double seconds, bool timed)
{
  printf(", \"%s\": ", name);
  if (timed)
    json_number(stdout, seconds, 12);
  else
    fputs("null", stdout);
}

static void print_point(const tutti_group_run *build)
{
  const tutti_group_point *point = &build->point;
  bool exact = point->sample.members >= 0;
  printf("  {\"builder\": ");
  json_string(stdout, tutti_group_builder_name(point->builder));
  printf(", \"ranks\": %d, \"ranks_per_node\": %d, \"fraction\": ", point->sample.size, build->ranks_per_node);
  json_number(stdout, exact ? (double)point->sample.members / point->sample.size : point->sample.fraction, 15);
  printf(", \"exact\": %s, \"branching\": %d, \"seed\": %" PRIu64 ", \"colours\": %d, \"node_ranks\": %d",
         exact ? "true" : "false", point->branching, point->sample.seed, point->sample.colors, point->node_ranks);
}

static void print_json_build(const void *item)
{
  const tutti_group_run *build = item;
  const tutti_group_counts *counts = &build->counts;
  bool timed = build->repetitions > 0;
  print_point(build);
  printf(", \"repetitions\": %d", build->repetitions);
  print_time("minimum_s", build->minimum, timed);
  print_time("median_s", build->median, timed);
  print_time("mean_s", build->mean, timed);
  print_time("maximum_s", build->maximum, timed);
  printf(", \"messages\": %" PRIu64, tutti_group_counted_messages(counts));
  for (int i = 0; i < TUTTI_GROUP_FINGERPRINT; i++)
    printf(", \"%s\": %" PRIu64, tutti_group_sum_name(i), counts->sums[i]);
  printf(", \"fingerprint\": \"%016" PRIx64 "\"", counts->sums[TUTTI_GROUP_FINGERPRINT]);
  for (int i = 0; i < TUTTI_GROUP_MAXIMA; i++)
    printf(", \"%s\": %" PRIu64, tutti_group_maximum_name(i), counts->maxima[i]);
  putchar('}');
}

void report_group_print_json(const tutti_group_run *builds, size_t count, const char *where)
{
  json_report(where, "groups", builds, count, sizeof *builds, print_json_build);
}
