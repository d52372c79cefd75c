/* tutti learn c45 FILE: from cases of anywhere. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/splitmix64.h"
#include "cli/learn/learn.h"
#include "cli/output/report_json.h"

struct outcome {
  tutti_c45_report report;
  size_t cases, test_cases, test_errors, fold_errors;
  int depth;
};

static double percent(double part, size_t whole)
{
  return whole ? 100 * part / (double)whole : 0;
}

static void print_outcome(const struct learn_command *command, const struct outcome *outcome)
{
  const tutti_c45_report *report = &outcome->report;
  printf("%s: %zu cases\n", command->file, outcome->cases);
  printf("  before pruning  %6d leaves  %8zu errors (%.2f %%)\n", report->grown_leaves, report->grown_errors,
         percent((double)report->grown_errors, outcome->cases));
  printf("  after pruning   %6d leaves  %8zu errors (%.2f %%), %.1f %% predicted, depth %d\n", report->leaves,
         report->errors, percent((double)report->errors, outcome->cases), percent(report->predicted, outcome->cases),
         outcome->depth);
  if (command->folds)
    printf("  unseen, %d folds: %zu of %zu cases wrong (%.2f %%)\n", command->folds, outcome->fold_errors,
           outcome->cases, percent((double)outcome->fold_errors, outcome->cases));
  if (command->test)
    printf("  %s: %zu of %zu cases wrong (%.2f %%)\n", command->test, outcome->test_errors, outcome->test_cases,
           percent((double)outcome->test_errors, outcome->test_cases));
}

static void print_json(const struct learn_command *command, const struct outcome *outcome)
{
  const tutti_c45_report *report = &outcome->report;
  printf("{\"file\": ");
  json_string(stdout, command->file);
  printf(", \"cases\": %zu, \"grown_leaves\": %d, \"grown_errors\": %zu, \"leaves\": %d, \"errors\": %zu, "
         "\"predicted_errors\": ",
         outcome->cases, report->grown_leaves, report->grown_errors, report->leaves, report->errors);
  json_number(stdout, report->predicted, 12);
  printf(", \"depth\": %d", outcome->depth);
  if (command->folds)
    printf(", \"folds\": %d, \"fold_errors\": %zu", command->folds, outcome->fold_errors);
  if (command->test)
    printf(", \"test_cases\": %zu, \"test_errors\": %zu", outcome->test_cases, outcome->test_errors);
  printf("}\n");
}

static bool is_arff(const char *path)
{
  size_t length = strlen(path);
  return length > 5 && strcmp(path + length - 5, ".arff") == 0;
}

static tutti_status test(const char *path, const tutti_cases *names, const tutti_classifier *classifier,
                         struct outcome *outcome, tutti_error *error)
{
  tutti_cases cases = {0};
  tutti_status status =
      is_arff(path) ? tutti_cases_read_arff(path, &cases, error) : tutti_cases_read_data(path, names, &cases, error);
  if (status == TUTTI_OK &&
      (cases.attribute_count != names->attribute_count || cases.class_count != names->class_count))
    status = tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: other attributes or classes than those learnt from", path);
  if (status == TUTTI_OK) {
    outcome->test_cases = cases.count;
    outcome->test_errors = tutti_classifier_errors(classifier, &cases);
  }
  tutti_cases_free(&cases);
  return status;
}

tutti_status learn_write_cases(const char *path, const tutti_cases *cases, tutti_error *error)
{
  size_t length = strlen(path), suffix = strlen(".names");
  char *stem =
      strndup(path, length > suffix && strcmp(path + length - suffix, ".names") == 0 ? length - suffix : length);
  if (!stem)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "%s: out of memory", path);
  tutti_status status =
      is_arff(path) ? tutti_cases_write_arff(cases, path, error) : tutti_cases_write_c45(cases, stem, error);
  free(stem);
  return status;
}

/* ---- folds ---- */

/* The cases in an order drawn by the seed (Fisher and Yates). */
static size_t *shuffle(size_t count, uint64_t seed)
{
  size_t *rows = malloc(count * sizeof *rows);
  for (size_t i = 0; rows && i < count; i++) {
    size_t j = (size_t)(tutti_splitmix64_next(&seed) % (i + 1));
    rows[i] = rows[j];
    rows[j] = i;
  }
  return rows;
}

/* Learn from the cases before and behind a stretch of the order, and count what is wrong in it. */
static tutti_status test_fold(const struct learn_command *command, const tutti_cases *cases, size_t *rows, size_t first,
                              size_t end, size_t *errors, tutti_error *error)
{
  tutti_cases seen = {0}, unseen = {0};
  tutti_classifier classifier = {0};
  size_t held = end - first;
  tutti_status status = tutti_cases_select(cases, rows + first, held, &unseen, error);
  for (size_t i = 0; i < held; i++) { /* the stretch changes places with the end of the order */
    size_t swap = rows[first + i], last = cases->count - held + i;
    rows[first + i] = rows[last];
    rows[last] = swap;
  }
  if (status == TUTTI_OK)
    status = tutti_cases_select(cases, rows, cases->count - held, &seen, error);
  if (status == TUTTI_OK)
    status = tutti_c45_learn(&seen, &command->options.c45, &classifier, NULL, error);
  if (status == TUTTI_OK)
    *errors += tutti_classifier_errors(&classifier, &unseen);
  tutti_classifier_free(&classifier);
  tutti_cases_free(&seen);
  tutti_cases_free(&unseen);
  return status;
}

static tutti_status test_folds(const struct learn_command *command, const tutti_cases *cases, size_t *errors,
                               tutti_error *error)
{
  size_t folds = (size_t)command->folds;
  if (folds > cases->count)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: %zu cases cannot be dealt into %zu folds", command->file,
                      cases->count, folds);
  tutti_status status = TUTTI_OK;
  for (size_t fold = 0; fold < folds && status == TUTTI_OK; fold++) {
    size_t *rows = shuffle(cases->count, command->seed);
    status = rows ? test_fold(command, cases, rows, cases->count * fold / folds, cases->count * (fold + 1) / folds,
                              errors, error)
                  : tutti_fail(error, TUTTI_ERR_MEMORY, "%s: out of memory for folds", command->file);
    free(rows);
  }
  return status;
}

static tutti_status learn(const struct learn_command *command, const tutti_cases *cases, tutti_error *error)
{
  tutti_classifier classifier = {0};
  struct outcome outcome = {.cases = cases->count};
  tutti_status status = tutti_c45_learn(cases, &command->options.c45, &classifier, &outcome.report, error);
  if (status == TUTTI_OK && command->folds)
    status = test_folds(command, cases, &outcome.fold_errors, error);
  if (status == TUTTI_OK && command->test)
    status = test(command->test, cases, &classifier, &outcome, error);
  if (status == TUTTI_OK) {
    outcome.depth = tutti_classifier_depth(&classifier);
    if (!command->json || command->print)
      status = tutti_classifier_print(&classifier, stdout, error);
    if (command->json)
      print_json(command, &outcome);
    else
      print_outcome(command, &outcome);
  }
  tutti_classifier_free(&classifier);
  return status;
}

tutti_status learn_from_file(const struct learn_command *command, tutti_error *error)
{
  tutti_cases cases = {0};
  tutti_status status = tutti_cases_read(command->file, &cases, error);
  if (status == TUTTI_OK && command->data)
    status = learn_write_cases(command->data, &cases, error);
  if (status == TUTTI_OK)
    status = learn(command, &cases, error);
  tutti_cases_free(&cases);
  return status;
}
