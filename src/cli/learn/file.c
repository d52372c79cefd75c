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

static void print(const struct learn_command *command, const struct outcome *outcome)
{
  tutti_column columns[COLUMNS + TUTTI_MAX_FIGURES];
  memcpy(columns, first_columns, sizeof first_columns);
  int count = learn_add_figures(&outcome->report, offsetof(struct outcome, report), columns, COLUMNS);
  const tutti_table table = {.key = "trees", .columns = columns, .column_count = count, TUTTI_ROWS(outcome, 1)};
  const tutti_document document = {.tables = &table, .table_count = 1};
  if (command->format != TUTTI_FORMAT_TEXT) {
    must(tutti_document_print(&document, command->format, stdout, &failure));
    return;
  }
  putchar('\n');
  must(tutti_table_print(&table, stdout, &failure));
  size_t cases = outcome->report.cases;
  if (outcome->folded)
    printf("  unseen, %d folds: %zu of %zu cases wrong (%.2f %%)\n", outcome->folds, outcome->fold_errors, cases,
           percent(outcome->fold_errors, cases));
  if (outcome->test)
    tutti_say(stdout, "  %s: %zu of %zu cases wrong (%.2f %%)\n", outcome->test, outcome->test_errors,
              outcome->test_cases, percent(outcome->test_errors, outcome->test_cases));
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

void learn_write_cases(const char *path, const tutti_cases *cases)
{
  size_t length = strlen(path), suffix = strlen(".names");
  bool names = length > suffix && strcmp(path + length - suffix, ".names") == 0;
  char *stem = tutti_xstrndup(path, names ? length - suffix : length);
  must(is_arff(path) ? tutti_cases_write_arff(cases, path, &failure) : tutti_cases_write_c45(cases, stem, &failure));
  free(stem);
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
static void test_fold(const struct learn_command *command, const tutti_cases *cases, size_t *rows, size_t first,
                      size_t end, size_t *errors)
{
  tutti_cases seen = {0}, unseen = {0};
  tutti_classifier classifier = {0};
  size_t held = end - first;
  must(tutti_cases_select(cases, rows + first, held, &unseen, &failure));
  for (size_t i = 0; i < held; i++) {
    /* the stretch changes places with the end of the order */
    size_t swap = rows[first + i], last = cases->count - held + i;
    rows[first + i] = rows[last];
    rows[last] = swap;
  }
  must(tutti_cases_select(cases, rows, cases->count - held, &seen, &failure));
  must(tutti_learn_from_cases(command->learner, learn_settings(command), &seen, command->seed, &classifier, NULL,
                              &failure));
  *errors += tutti_classifier_errors(&classifier, &unseen);
  tutti_classifier_free(&classifier);
  tutti_cases_free(&seen);
  tutti_cases_free(&unseen);
}

static void test_folds(const struct learn_command *command, const tutti_cases *cases, size_t *errors)
{
  size_t folds = (size_t)command->folds;
  if (folds > cases->count)
    die("%s: %zu cases cannot be dealt into %zu folds", command->file, cases->count, folds);
  for (size_t fold = 0; fold < folds; fold++) {
    patience_at("learn without the cases that are tested", (double)fold / (double)folds);
    size_t *rows = shuffle(cases->count, command->seed);
    test_fold(command, cases, rows, cases->count * fold / folds, cases->count * (fold + 1) / folds, errors);
    free(rows);
  }
  patience_at(NULL, 1);
}

/* ---- learning ---- */

static void learn(const struct learn_command *command, const tutti_cases *cases)
{
  tutti_classifier classifier = {0};
  struct outcome outcome = {
      .file = command->file, .test = command->test, .folded = command->folds > 0, .folds = command->folds};
  must(tutti_learn_from_cases(command->learner, learn_settings(command), cases, command->seed, &classifier,
                              &outcome.report, &failure));
  if (command->folds)
    test_folds(command, cases, &outcome.fold_errors);
  if (command->test)
    must(test(command->test, cases, &classifier, &outcome, &failure));
  if (command->format == TUTTI_FORMAT_TEXT || command->print)
    must(tutti_classifier_print(&classifier, stdout, &failure));
  print(command, &outcome);
  tutti_classifier_free(&classifier);
}

void learn_from_file(const struct learn_command *command)
{
  tutti_cases cases = {0};
  must(tutti_cases_read(command->file, &cases, &failure));
  if (command->data)
    learn_write_cases(command->data, &cases);
  learn(command, &cases);
  tutti_cases_free(&cases);
}
