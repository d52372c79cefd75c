/* Violations of guidelines as JSON. */
#include <inttypes.h>

#include "cli/guidelines/report_guidelines.h"
#include "cli/output/report_json.h"

static void print_call(const tutti_guideline_time *time, int times)
{
  char method[TUTTI_METHOD_LENGTH];
  printf("{\"method\": ");
  json_string(stdout, tutti_method_format(&time->method, method));
  printf(", \"times\": %d, \"ranks\": %d, \"bytes\": %" PRIu64, times, time->ranks, time->rank_bytes);
  json_member("time_s", time->seconds, 12);
  printf("}");
}

static void print_violation(const tutti_violation *violation)
{
  char formula[TUTTI_GUIDELINE_LENGTH];
  const tutti_guideline_term *terms = violation->guideline->terms;
  printf("  {\"guideline\": ");
  json_string(stdout, tutti_guideline_format(violation->guideline, violation->left.collective, formula));
  printf(", \"collective\": \"%s\", \"ranks\": %d, \"bytes\": %" PRIu64,
         tutti_collective_name(violation->left.collective), violation->left.ranks, violation->left.rank_bytes);
  json_member("left_s", violation->left.seconds, 12);
  json_member("right_s", violation->seconds, 12);
  json_member("factor", violation->left.seconds / violation->seconds, 6);
  json_member("lost_s", violation->lost, 12);
  printf(",\n   \"runs\": ");
  print_call(&violation->left, 1);
  printf(",\n   \"instead\": [");
  for (int i = 0; i < TUTTI_GUIDELINE_TERMS && terms[i].times > 0; i++) {
    printf("%s", i > 0 ? ", " : "");
    print_call(&violation->right[i], terms[i].times);
  }
  printf("]}");
}

static void print_lacking(unsigned lacking)
{
  const char *before = "";
  printf(", \"not_measured_at_all\": [");
  for (int c = 0; c < TUTTI_COLL_COUNT; c++)
    if (lacking & 1u << c) {
      printf("%s\"%s\"", before, tutti_collective_name((tutti_collective)c));
      before = ", ";
    }
  printf("]}");
}

static void print_tally(size_t index, const tutti_guideline_tally *tally)
{
  char formula[TUTTI_GUIDELINE_LENGTH];
  printf("  {\"guideline\": ");
  json_string(stdout, tutti_guideline_format(tutti_guideline_at(index), TUTTI_COLL_COUNT, formula));
  printf(", \"held\": %zu, \"violated\": %zu", tally->checked - tally->violated, tally->violated);
  printf(", \"not_measured\": %zu, \"not_divisible\": %zu, \"not_positive\": %zu, \"other_nodes\": %zu",
         tally->gaps[TUTTI_GAP_MEASURED], tally->gaps[TUTTI_GAP_DIVISIBLE], tally->gaps[TUTTI_GAP_POSITIVE],
         tally->gaps[TUTTI_GAP_NODES]);
  print_lacking(tally->lacking);
}

void report_guidelines_print_json(const struct guidelines_options *options, const struct guidelines_times *read,
                                  const tutti_guideline_report *report)
{
  size_t shown = report->violation_count < (size_t)options->top ? report->violation_count : (size_t)options->top;
  printf("{\"platform\": ");
  json_string(stdout, options->selection.platform);
  printf(", \"scheme\": \"%s\", \"decision\": ", read->scheme);
  json_string(stdout, options->decision ? options->decision : "best");
  json_member("tolerance", options->tolerance, 6);
  printf(", \"points\": %zu, \"points_violating\": %zu, \"violations_in_all\": %zu", report->points,
         report->points_violating, report->violation_count);
  json_member("lost_s", report->lost, 12);
  printf(",\n \"violations\": [\n");
  for (size_t i = 0; i < shown; i++) {
    print_violation(&report->violations[i]);
    printf("%s\n", i + 1 < shown ? "," : "");
  }
  printf(" ],\n \"guidelines\": [\n");
  for (size_t i = 0; i < tutti_guideline_count(); i++) {
    print_tally(i, &report->tallies[i]);
    printf("%s\n", i + 1 < tutti_guideline_count() ? "," : "");
  }
  printf(" ]}\n");
}
