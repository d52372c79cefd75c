/* tutti learn c45 FILE: from cases of any kind. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/say.h"
#include "base/splitmix64.h"
#include "cli/learn/learn.h"
#include "cli/output/output.h"

struct outcome {
  const char *file, *test;
  tutti_learn_report report;
  bool folded;
  int folds;
  size_t fold_errors, test_cases, test_errors;
};

static double percent(size_t part, size_t whole)
{
  return whole ? 100 * (double)part / (double)whole : 0;
}

/* ---- printing ---- */

static void get_wrong(tutti_cell *cell, const void *item, const tutti_column *column)
{
  const struct outcome *outcome = item;
  (void)column;
  cell->type = TUTTI_CELL_REAL;
  cell->real = percent(outcome->report.errors, outcome->report.cases);
}

/* The figures of a test, if it was made. */
static void get_tested(tutti_cell *cell, const void *item, const tutti_column *column)
{
  const struct outcome *outcome = item;
  if (column->index ? !outcome->test : !outcome->folded)
    return;
  cell->type = TUTTI_CELL_COUNT;
  cell->count = *(const size_t *)TUTTI_FIELD_OF(item, column);
}

#define OUTCOME(member) TUTTI_FIELD(struct outcome, member)

static const tutti_column first_columns[] = {
    {"file", "file", OUTCOME(file)},
    {"cases", "cases", OUTCOME(report.cases)},
    {"classes", "classes", OUTCOME(report.classes)},
    {"leaves", "leaves", OUTCOME(report.leaves)},
    {"depth", "depth", OUTCOME(report.depth)},
    {"errors", "errors", OUTCOME(report.errors)},
    {"errors", "errors_percent", .get = get_wrong, .unit = "%", .decimals = 2},
    {NULL, "fold_errors", OUTCOME(fold_errors), .get = get_tested},
    {NULL, "test_cases", OUTCOME(test_cases), .get = get_tested, .index = 1},
    {NULL, "test_errors", OUTCOME(test_errors), .get = get_tested, .index = 1},
};

enum { COLUMNS = sizeof first_columns / sizeof *first_columns };

static tutti_status print(const struct learn_command *command, const struct outcome *outcome, tutti_error *error)
{
  tutti_column columns[COLUMNS + TUTTI_MAX_FIGURES];
  memcpy(columns, first_columns, sizeof first_columns);
  int count = learn_add_figures(&outcome->report, offsetof(struct outcome, report), columns, COLUMNS);
  const tutti_table table = {.key = "trees", .columns = columns, .column_count = count, TUTTI_ROWS(outcome, 1)};
  const tutti_document document = {.tables = &table, .table_count = 1};
  if (command->format != TUTTI_FORMAT_TEXT)
    return tutti_document_print(&document, command->format, stdout, error);
  putchar('\n');
  tutti_status status = tutti_table_print(&table, stdout, error);
  size_t cases = outcome->report.cases;
  if (outcome->folded)
    printf("  unseen, %d folds: %zu of %zu cases wrong (%.2f %%)\n", outcome->folds, outcome->fold_errors, cases,
           percent(outcome->fold_errors, cases));
  if (outcome->test)
    tutti_say(stdout, "  %s: %zu of %zu cases wrong (%.2f %%)\n", outcome->test, outcome->test_errors,
              outcome->test_cases, percent(outcome->test_errors, outcome->test_cases));
  return status;
}

/* ---- other files ---- */

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
  bool names = length > suffix && strcmp(path + length - suffix, ".names") == 0;
  char *stem = tutti_xstrndup(path, names ? length - suffix : length);
  tutti_status status =
      is_arff(path) ? tutti_cases_write_arff(cases, path, error) : tutti_cases_write_c45(cases, stem, error);
  free(stem);
  return status;
}

/* ---- folds ---- */

/* The cases in an order drawn by the seed (Fisher and Yates). */
static size_t *shuffle(size_t count, uint64_t seed)
{
  size_t *rows = tutti_xcalloc(count, sizeof *rows);
  for (size_t i = 0; i < count; i++) {
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
    status = tutti_learn_from_cases(command->learner, learn_settings(command), &seen, command->seed, &classifier, NULL,
                                    error);
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
    patience_at("learn without the cases that are tested", (double)fold / (double)folds);
    size_t *rows = shuffle(cases->count, command->seed);
    status =
        test_fold(command, cases, rows, cases->count * fold / folds, cases->count * (fold + 1) / folds, errors, error);
    free(rows);
  }
  patience_at(NULL, 1);
  return status;
}

/* ---- learning ---- */

static tutti_status learn(const struct learn_command *command, const tutti_cases *cases, tutti_error *error)
{
  tutti_classifier classifier = {0};
  struct outcome outcome = {
      .file = command->file, .test = command->test, .folded = command->folds > 0, .folds = command->folds};
  tutti_status status = tutti_learn_from_cases(command->learner, learn_settings(command), cases, command->seed,
                                               &classifier, &outcome.report, error);
  if (status == TUTTI_OK && command->folds)
    status = test_folds(command, cases, &outcome.fold_errors, error);
  if (status == TUTTI_OK && command->test)
    status = test(command->test, cases, &classifier, &outcome, error);
  if (status == TUTTI_OK && (command->format == TUTTI_FORMAT_TEXT || command->print))
    status = tutti_classifier_print(&classifier, stdout, error);
  if (status == TUTTI_OK)
    status = print(command, &outcome, error);
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
