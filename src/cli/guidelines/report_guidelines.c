/* Violations of guidelines, costliest first, and what could not be checked. */
#include "cli/guidelines/report_guidelines.h"

#include <string.h>

static const char *const gap_texts[TUTTI_GAP_COUNT] = {
    [TUTTI_GAP_MEASURED] = "the right side was not measured there",
    [TUTTI_GAP_DIVISIBLE] = "the size cannot be divided or multiplied so",
    [TUTTI_GAP_POSITIVE] = "a time is not positive",
    [TUTTI_GAP_NODES] = "the right side was measured with other ranks per node",
};

/* ---- one violation ---- */

static void print_step(FILE *stream, const tutti_violation *violation, int index)
{
  char method[TUTTI_METHOD_LENGTH], size[24];
  const tutti_guideline_time *left = &violation->left, *right = &violation->right[index];
  int times = violation->guideline->terms[index].times;
  if (times > 1)
    fprintf(stream, "%d times ", times);
  fputs(tutti_method_format(&right->method, method), stream);
  if (right->rank_bytes != left->rank_bytes)
    fprintf(stream, " of %s", tutti_size_format(right->rank_bytes, size));
  if (right->ranks != left->ranks)
    fprintf(stream, " on %d ranks", right->ranks);
}

void report_guidelines_instead(FILE *stream, const tutti_violation *violation)
{
  const tutti_guideline_term *terms = violation->guideline->terms;
  if (!tutti_guideline_is_mock_up(violation->guideline))
    fputs("as ", stream);
  for (int i = 0; i < TUTTI_GUIDELINE_TERMS && terms[i].times > 0; i++) {
    fputs(i > 0 ? " then " : "", stream);
    print_step(stream, violation, i);
  }
}

static void print_violation(const tutti_violation *violation)
{
  char size[24], method[TUTTI_METHOD_LENGTH], formula[TUTTI_GUIDELINE_LENGTH];
  const tutti_guideline_time *left = &violation->left;
  printf("%12.3f %7.2f %6d %8s %13.3f %13.3f  %s\n", 1e6 * violation->lost, left->seconds / violation->seconds,
         left->ranks, tutti_size_format(left->rank_bytes, size), 1e6 * left->seconds, 1e6 * violation->seconds,
         tutti_guideline_format(violation->guideline, left->collective, formula));
  printf("%14sruns %s; instead ", "", tutti_method_format(&left->method, method));
  report_guidelines_instead(stdout, violation);
  printf("\n");
}

static void print_violations(const struct guidelines_options *options, const tutti_guideline_report *report)
{
  size_t shown = report->violation_count < (size_t)options->top ? report->violation_count : (size_t)options->top;
  if (shown == 0)
    return;
  printf("\n%12s %7s %6s %8s %13s %13s  %s\n", "lost [us]", "factor", "ranks", "size", "left [us]", "right [us]",
         "guideline");
  for (size_t i = 0; i < shown; i++)
    print_violation(&report->violations[i]);
  if (shown < report->violation_count)
    printf("  and %zu more (--top)\n", report->violation_count - shown);
}

/* ---- guidelines ---- */

static size_t gaps_of(const tutti_guideline_tally *tally)
{
  size_t gaps = 0;
  for (int i = 0; i < TUTTI_GAP_COUNT; i++)
    gaps += tally->gaps[i];
  return gaps;
}

static void print_lacking(unsigned lacking)
{
  const char *before = "  not measured: ";
  for (int c = 0; c < TUTTI_COLL_COUNT; c++)
    if (lacking & 1u << c) {
      printf("%s%s", before, tutti_collective_name((tutti_collective)c));
      before = ", ";
    }
}

static void print_tallies(const tutti_guideline_report *report)
{
  char formula[TUTTI_GUIDELINE_LENGTH];
  printf("\n%8s %8s %8s  %s\n", "held", "violated", "not made", "guideline");
  for (size_t i = 0; i < tutti_guideline_count(); i++) {
    const tutti_guideline_tally *tally = &report->tallies[i];
    if (tally->checked + gaps_of(tally) == 0)
      continue;
    printf("%8zu %8zu %8zu  %s", tally->checked - tally->violated, tally->violated, gaps_of(tally),
           tutti_guideline_format(tutti_guideline_at(i), TUTTI_COLL_COUNT, formula));
    print_lacking(tally->lacking);
    printf("\n");
  }
}

/* ---- totals ---- */

static void print_gaps(const struct guidelines_times *read, const tutti_guideline_report *report)
{
  for (int g = 0; g < TUTTI_GAP_COUNT; g++) {
    size_t count = 0;
    for (size_t i = 0; i < tutti_guideline_count(); i++)
      count += report->tallies[i].gaps[g];
    if (count > 0)
      printf("  %zu checks not made: %s\n", count, gap_texts[g]);
  }
  for (int c = 0; c < TUTTI_COLL_COUNT; c++)
    if (read->unknown[c] > 0)
      printf("  %zu points of %s left out: what runs there was not measured\n", read->unknown[c],
             tutti_collective_name((tutti_collective)c));
}

static void print_totals(const struct guidelines_options *options, const tutti_guideline_report *report)
{
  size_t checked = 0;
  for (size_t i = 0; i < tutti_guideline_count(); i++)
    checked += report->tallies[i].checked;
  printf("\n  %zu of %zu checks violated by more than %g %%, at %zu of %zu points\n", report->violation_count, checked,
         100 * options->tolerance, report->points_violating, report->points);
  if (report->violation_count > 0 && report->lost <= 0)
    printf("  nothing can be called in their place: they are slower than on more ranks, on more data or beside 2^k\n");
  else if (report->violation_count > 0)
    printf("  %.3f us lost if each of these points runs once, beside its cheapest mock-up\n", 1e6 * report->lost);
}

void report_guidelines_print(const struct guidelines_options *options, const struct guidelines_times *read,
                             const tutti_guideline_report *report)
{
  printf("guidelines on %s, scheme %s: %s\n", options->selection.platform, read->basis,
         options->decision ? options->decision : "best measured methods");
  print_violations(options, report);
  print_tallies(report);
  print_totals(options, report);
  print_gaps(read, report);
}

/* ---- the list ---- */

static bool is_about(const tutti_guideline *guideline, unsigned collectives)
{
  return collectives == 0 || guideline->left == TUTTI_COLL_COUNT || collectives & 1u << guideline->left;
}

void report_guidelines_list(const struct guidelines_options *options)
{
  char formula[TUTTI_GUIDELINE_LENGTH];
  const tutti_guideline *guideline;
  for (size_t i = 0; (guideline = tutti_guideline_at(i)); i++)
    if (is_about(guideline, options->collectives))
      printf("  %-70s  %s\n", tutti_guideline_format(guideline, TUTTI_COLL_COUNT, formula), guideline->reason);
  printf("m: bytes of the message, or of one rank's block where the collective has one for, or from, each rank\n"
         "P: ranks; 2^k: k >= 2, P = 2^k - 1, 2^k or 2^k + 1\n");
}
