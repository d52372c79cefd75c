/* Printing what tutti explain found. */
#include <inttypes.h>
#include <math.h>

#include "cli/explain/explain.h"
#include "cli/output/output.h"
#include "tutti/reproducible.h"

static const char *method_of(const tutti_explanation *explanation, char *text)
{
  return explanation->known ? tutti_method_format(&explanation->method, text) : NULL;
}

/* Does the library call the method what it is called here: "ring", or "allreduce/ring", for allreduce/ring? */
static bool is_said(const char *method, const char *algorithm)
{
  const char *slash = strchr(method, '/');
  return strcmp(method, algorithm) == 0 || (slash && strcmp(slash + 1, algorithm) == 0);
}

/* What runs. */
static void print_answer(const void *about)
{
  const struct explained *explained = about;
  const tutti_explanation *here = &explained->here;
  char name[TUTTI_METHOD_LENGTH];
  bool named = strcmp(here->algorithm, "none") != 0;
  if (here->fails)
    tutti_say(stdout, "  fails%s%s\n", named ? ": " : "", named ? here->algorithm : "");
  else if (here->own_choice)
    tutti_say(stdout, "  the library's own choice%s%s", named ? ": " : "", named ? here->algorithm : "");
  else
    tutti_say(stdout, "  %s", here->algorithm);
  if (!here->fails && here->known && !is_said(method_of(here, name), here->algorithm))
    tutti_say(stdout, ", which is %s", name);
  if (!here->fails)
    putchar('\n');
}

static void print_head(const struct explained *explained)
{
  const tutti_explained_call *call = &explained->call;
  char size[24];
  tutti_say(stdout, "%s on %d rank%s, %s per rank, by %s", tutti_collective_name(call->collective), call->ranks,
            tutti_plural((uint64_t)call->ranks), tutti_size_format(call->rank_bytes, size), explained->decision);
  tutti_say(stdout, *explained->target ? ", read by %s\n\n" : "\n\n", explained->target);
  print_answer(explained);
}

/* What the bits of a reduction that rounds do not depend on. */
static const char *classes_of(const struct explained *explained, char *text)
{
  const tutti_explanation *here = &explained->here;
  const bool reduces = tutti_collective_traits(explained->call.collective) & TUTTI_REDUCES;
  return here->known && !here->fails && reduces ? tutti_reproducible_format(explained->classes, text) : NULL;
}

static void print_classes(const struct explained *explained)
{
  char text[TUTTI_REPRODUCIBLE_LENGTH];
  const char *classes = classes_of(explained, text);
  if (classes)
    tutti_say(stdout, "  reproducible: %s%s%s\n", classes, explained->size ? "; size: " : "",
              explained->size ? explained->size : "");
}

static void print_steps(const struct explained *explained)
{
  const tutti_explanation *here = &explained->here;
  printf("\nBecause\n");
  for (size_t i = 0; i < here->step_count; i++) {
    const tutti_explained_step *step = &here->steps[i];
    if (step->line)
      print_sentence(2, "%s:%d:%d: %s", explained->decision, step->line, step->column, step->text);
    else
      print_sentence(2, "%s", step->text);
  }
}

/* What the library calls the same may have other parts. */
static void print_nearby(const struct explained *explained, const struct nearby *nearby)
{
  const tutti_explanation *here = &explained->here, *there = &nearby->answer;
  char name[TUTTI_METHOD_LENGTH];
  tutti_say(stdout, ": %s", there->algorithm);
  if (strcmp(here->algorithm, there->algorithm) == 0 && there->fails != here->fails)
    tutti_say(stdout, there->fails ? ", which fails" : ", which does not fail");
  else if (strcmp(here->algorithm, there->algorithm) == 0)
    tutti_say(stdout, ", which is %s", there->known ? method_of(there, name) : "not known here");
  printf("\n");
}

static void print_nearest(const struct explained *explained)
{
  const struct nearby *below = &explained->below, *above = &explained->above, *ranks = &explained->ranks;
  char size[24];
  if (!below->found && !above->found && !ranks->found)
    return;
  printf("\nNearest decisions\n");
  if (below->found) {
    tutti_say(stdout, "  up to %s", tutti_size_format(below->bound, size));
    print_nearby(explained, below);
  }
  if (above->found) {
    tutti_say(stdout, "  from %s on", tutti_size_format(above->bound, size));
    print_nearby(explained, above);
  }
  if (ranks->found) {
    tutti_say(stdout, "  from %" PRIu64 " ranks on", ranks->bound);
    print_nearby(explained, ranks);
  }
}

/* ---- times ---- */

TUTTI_GETTER(get_mark, struct explained_time, row->chosen ? "*" : " ")

/* The first rows, and what was chosen. */
static bool is_shown(const struct explained *explained, int index)
{
  const struct explained_times *times = &explained->times;
  int before = 0;
  if (times->rows[index].chosen)
    return true;
  if (isnan(times->rows[index].measured) && isnan(times->rows[index].predicted[0]))
    return false;
  for (int i = 0; i < index; i++)
    before += !times->rows[i].chosen;
  return before < explained->options->runners;
}

enum { TIME_COLUMNS = 5, KEY_LENGTH = 24 };

/* A table of the times, whose columns are those of the models, too. */
struct times_table {
  tutti_table table;
  tutti_column columns[TIME_COLUMNS + TUTTI_MAX_VOTERS];
  char keys[TUTTI_MAX_VOTERS][KEY_LENGTH];
};

static void make_table(const struct explained *explained, struct times_table *made)
{
  const struct predictors *predictors = &explained->times.predictors;
  const tutti_column columns[TIME_COLUMNS] = {
      {"", NULL, .get = get_mark, .width = 1},
      {NULL, "chosen", TUTTI_FIELD(struct explained_time, chosen)},
      {"method", "method", .at = offsetof(struct explained_time, method), .get = cell_method, .gap = 1},
      {"measured", "measured_s", CELL_MICROSECONDS(struct explained_time, measured), .gap = 1},
      {"penalty", "penalty_percent", TUTTI_FIELD(struct explained_time, penalty), .unit = "%", .decimals = 2,
       .width = 12, .gap = 1},
  };
  memcpy(made->columns, columns, sizeof columns);
  for (int p = 0; p < predictors->count; p++) {
    const char *model = tutti_model_kind_name(predictors->items[p].model.kind);
    snprintf(made->keys[p], KEY_LENGTH, "%s_s", model);
    made->columns[TIME_COLUMNS + p] =
        (tutti_column){model, made->keys[p], CELL_MICROSECONDS(struct explained_time, measured), .width = 14, .gap = 1};
    made->columns[TIME_COLUMNS + p].at = offsetof(struct explained_time, predicted) + (size_t)p * sizeof(double);
  }
  made->table = (tutti_table){.key = "times",
                              .columns = made->columns,
                              .column_count = TIME_COLUMNS + predictors->count,
                              .row_size = sizeof(struct explained_time)};
  for (int i = 0; i < explained->times.count; i++)
    if (is_shown(explained, i))
      must(tutti_table_add(&made->table, &explained->times.rows[i], &failure));
}

/* Why a time that is not the least has no penalty. */
static void print_close(const struct explained *explained)
{
  char name[TUTTI_METHOD_LENGTH];
  for (int i = 0; i < explained->times.count; i++) {
    const struct explained_time *row = &explained->times.rows[i];
    if (row->within_noise && is_shown(explained, i))
      print_sentence(2, "%s counts as 0 %%: slower than the best by less than the noise of both",
                     tutti_method_format(&row->method, name));
  }
}

/* How to measure what runs, if it was not. */
static void print_unmeasured(const struct explained_times *times)
{
  char name[TUTTI_METHOD_LENGTH];
  for (int i = 0; i < times->count; i++) {
    tutti_method_format(&times->rows[i].method, name);
    if (times->rows[i].chosen && times->bench)
      tutti_say(stdout, "  %s was not measured; this does it:\n    %s\n", name, times->bench);
    else if (times->rows[i].chosen && times->only_library)
      print_sentence(
          2, "%s cannot be simulated: times of it come from measurements of the library itself, on a machine", name);
  }
}

/* Parameters to predict by help where nothing was measured. */
static void print_missing(const struct explained *explained)
{
  const struct explained_times *times = &explained->times;
  if (*times->why_unmeasured)
    print_sentence(2, "nothing measured is shown: %s", times->why_unmeasured);
  else
    print_unmeasured(times);
  if (*times->why_unpredicted && !times->on_platform)
    print_sentence(2, "nothing is predicted: %s", times->why_unpredicted);
}

static void print_sensitivity(const struct sensitivity_rows *rows)
{
  const tutti_table table = sensitivity_table(rows);
  if (rows->count > 0) {
    printf("\nBy its schedule the time depends on\n");
    must(tutti_table_print(&table, stdout, &failure));
  }
  sensitivity_print_ends(rows);
}

enum { HEADINGS = 7 }; /* lines between the answer and the end of the table that are neither a step nor a row */

static void print_text(const struct explained *explained, const tutti_table *times)
{
  print_head(explained);
  print_classes(explained);
  print_steps(explained);
  print_nearest(explained);
  if (*explained->options->selection.platform) {
    tutti_say(stdout, "\nOn %s%s\n", explained->options->selection.platform,
              explained->times.any_measured ? "" : ", where this call was not measured");
    must(tutti_table_print(times, stdout, &failure));
    print_close(explained);
    print_missing(explained);
    print_sensitivity(&explained->sensitivity);
    verdict_again(HEADINGS + times->row_count + explained->sensitivity.count + explained->here.step_count, print_answer,
                  explained);
  }
}

/* ---- JSON and CSV ---- */

TUTTI_GETTER(get_method, struct explained, method_of(&row->here, cell->buffer))

TUTTI_GETTER(get_classes, struct explained, classes_of(row, cell->buffer))

TUTTI_GETTER(get_target, struct explained, *row->target ? row->target : NULL)

/* No end: none. */
static void get_max(tutti_cell *cell, const void *row)
{
  const struct explained *explained = row;
  cell->type = explained->here.max == UINT64_MAX ? TUTTI_CELL_NONE : TUTTI_CELL_COUNT;
  cell->count = explained->here.max;
}

static void get_bound(tutti_cell *cell, const void *row)
{
  const struct nearby *nearby = TUTTI_FIELD_OF(row, cell->column);
  cell->type = nearby->found ? TUTTI_CELL_COUNT : TUTTI_CELL_NONE;
  cell->count = nearby->bound;
}

static void get_algorithm(tutti_cell *cell, const void *row)
{
  const struct nearby *nearby = TUTTI_FIELD_OF(row, cell->column);
  tutti_cell_text(cell, nearby->found ? nearby->answer.algorithm : NULL);
}

static const tutti_column facts[] = {
    {NULL, "collective", .at = offsetof(struct explained, call.collective), .get = cell_collective},
    {NULL, "ranks", TUTTI_FIELD(struct explained, call.ranks)},
    {NULL, "size_B", TUTTI_FIELD(struct explained, call.rank_bytes)},
    {NULL, "decision", TUTTI_FIELD(struct explained, decision)},
    {NULL, "target", .get = get_target},
    {NULL, "algorithm", TUTTI_FIELD(struct explained, here.algorithm)},
    {NULL, "method", .get = get_method},
    {NULL, "reproducible_by", .get = get_classes},
    {NULL, "own_choice", TUTTI_FIELD(struct explained, here.own_choice)},
    {NULL, "fails", TUTTI_FIELD(struct explained, here.fails)},
    {NULL, "min_size_B", TUTTI_FIELD(struct explained, here.min)},
    {NULL, "max_size_B", .get = get_max},
    {NULL, "below.max_size_B", .at = offsetof(struct explained, below), .get = get_bound},
    {NULL, "below.algorithm", .at = offsetof(struct explained, below), .get = get_algorithm},
    {NULL, "above.min_size_B", .at = offsetof(struct explained, above), .get = get_bound},
    {NULL, "above.algorithm", .at = offsetof(struct explained, above), .get = get_algorithm},
    {NULL, "more_ranks.min_ranks", .at = offsetof(struct explained, ranks), .get = get_bound},
    {NULL, "more_ranks.algorithm", .at = offsetof(struct explained, ranks), .get = get_algorithm},
};

static const tutti_column step_columns[] = {
    {"line", "line", TUTTI_FIELD(tutti_explained_step, line)},
    {"column", "column", TUTTI_FIELD(tutti_explained_step, column)},
    {"text", "text", TUTTI_FIELD(tutti_explained_step, text)},
};

void explain_print(const struct explained *explained)
{
  struct times_table times = {.table = {.key = NULL}};
  make_table(explained, &times);
  if (!explained->options->json && !explained->options->csv)
    print_text(explained, &times.table);
  else {
    const tutti_table tables[] = {
        {.key = "steps", TUTTI_COLUMNS(step_columns), TUTTI_ROWS(explained->here.steps, explained->here.step_count)},
        times.table,
        sensitivity_table(&explained->sensitivity)};
    const tutti_document document = {TUTTI_FACTS(facts, explained), .tables = tables,
                                     .table_count = explained->options->sensitivity ? 3 : 2};
    must(tutti_document_print(&document, explained->options->csv ? TUTTI_FORMAT_CSV : TUTTI_FORMAT_JSON, stdout,
                              &failure));
  }
  tutti_table_free(&times.table);
}
