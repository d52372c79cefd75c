/* tutti bench --groups and --jobs FILE: the tables. */
#include <math.h>

#include "base/numbers.h"
#include "cli/bench/bench.h"
#include "cli/output/output.h"

/* ---- what holds for all ---- */

#define FACT(member) TUTTI_FIELD(struct bench_together_facts, member)

static const tutti_column group_facts[] = {
    {NULL, "platform", FACT(platform)}, {NULL, "flavor", FACT(engine)},        {NULL, "ranks", FACT(ranks)},
    {NULL, "groups", FACT(groups)},     {NULL, "ranks_per_group", FACT(size)}, {NULL, "outside_domain", FACT(outside)},
};

static const tutti_column job_facts[] = {
    {NULL, "platform", FACT(platform)},
    {NULL, "flavor", FACT(engine)},
    {NULL, "ranks", FACT(ranks)},
    {NULL, "file", FACT(file)},
};

static const char *engine_text(const struct bench_together_facts *facts)
{
  if (strcmp(facts->engine, TUTTI_FLAVOR_FLOW) == 0)
    return "the engine flow";
  return strcmp(facts->engine, TUTTI_FLAVOR_FAST) == 0 ? "the fast engine" : "SMPI";
}

/* A factor of 1 where neither takes any time. */
static double factor_of(double alone, double together)
{
  return alone > 0 ? together / alone : 1;
}

/* ---- jobs ---- */

TUTTI_GETTER(get_factor, struct bench_job, factor_of(row->alone, row->together))

#define JOB(member) TUTTI_FIELD(struct bench_job, member)
#define FACTOR      .decimals = 2, .width = 6, .alignment = TUTTI_ALIGN_RIGHT

static const tutti_column job_columns[] = {
    {"job", "job", JOB(name)},
    {"placement", "placement", JOB(place)},
    {"ranks", "ranks", JOB(ranks)},
    {"method", "method", .at = offsetof(struct bench_job, method), .get = cell_method},
    {"size", "size_B", JOB(bytes), .get = cell_size, .alignment = TUTTI_ALIGN_RIGHT},
    {"calls", "calls", JOB(repeat)},
    {"alone", "alone_s", CELL_MICROSECONDS(struct bench_job, alone)},
    {"together", "together_s", CELL_MICROSECONDS(struct bench_job, together)},
    {"factor", "factor", .get = get_factor, FACTOR},
};

/* Less than a percent is no loss worth a word. */
#define UNDISTURBED 1.01

/* Of the jobs in one placement, which are @p count. */
static void print_most(const struct bench_job *jobs, size_t count)
{
  const struct bench_job *most = jobs;
  bool alike = true;
  for (size_t j = 1; j < count; j++) {
    alike = alike && strcmp(jobs[j].place, jobs->place) == 0;
    if (factor_of(jobs[j].alone, jobs[j].together) > factor_of(most->alone, most->together))
      most = &jobs[j];
  }
  const char *place = alike ? jobs->place : "as the file places them";
  const double factor = factor_of(most->alone, most->together);
  if (factor < UNDISTURBED)
    print_sentence(0, "%s: no job takes 1 %% longer than alone.", place);
  else
    print_sentence(0, "%s: %s suffers most, %.2f times as long as alone.", place, most->name, factor);
}

void bench_print_jobs(const struct bench_together_facts *facts, const struct bench_jobs *jobs, tutti_format format)
{
  const tutti_table table = {
      .key = "interference", TUTTI_COLUMNS(job_columns), TUTTI_ROWS(jobs->items, jobs->count), .keys = 2};
  const tutti_document document = {TUTTI_FACTS(job_facts, facts), .tables = &table, .table_count = 1};
  if (format == TUTTI_FORMAT_TEXT) {
    print_sentence(0, "Jobs of %s on %s, %u ranks, simulated by %s; the time of a job is that of all its calls.",
                   facts->file, facts->platform, (unsigned)facts->ranks, engine_text(facts));
    putchar('\n');
  }
  must(tutti_document_print(&document, format, stdout, &failure));
  if (format != TUTTI_FORMAT_TEXT)
    return;
  const size_t each = jobs->count / (size_t)(jobs->items[jobs->count - 1].setting + 1);
  putchar('\n');
  for (size_t j = 0; j < jobs->count; j += each)
    print_most(&jobs->items[j], each);
}

/* ---- groups: those of one call in one placement are a row ---- */

struct group_row {
  const struct bench_job *groups; /* [count] */
  size_t count;
  double alone, together; /* of the slowest */
  double factor, largest; /* of these; of a single group */
};

static struct group_row group_row_of(const struct bench_job *groups, size_t count)
{
  struct group_row row = {.groups = groups, .count = count};
  for (size_t g = 0; g < count; g++) {
    row.alone = fmax(row.alone, groups[g].alone);
    row.together = fmax(row.together, groups[g].together);
    row.largest = fmax(row.largest, factor_of(groups[g].alone, groups[g].together));
  }
  row.factor = factor_of(row.alone, row.together);
  return row;
}

/* By collective, size and placement; within these the fastest first. */
static int compare_cases(const struct group_row *a, const struct group_row *b)
{
  const int collectives = THREE_WAY(a->groups->method.algorithm->collective, b->groups->method.algorithm->collective),
            sizes = THREE_WAY(a->groups->bytes, b->groups->bytes);
  return collectives ? collectives : sizes ? sizes : a->groups->setting - b->groups->setting;
}

static int compare_rows(const void *left, const void *right)
{
  const struct group_row *a = left, *b = right;
  const int cases = compare_cases(a, b), times = THREE_WAY(a->together, b->together);
  return cases ? cases : times ? times : tutti_method_compare(&a->groups->method, &b->groups->method);
}

static const tutti_column nested_columns[] = {
    {NULL, "group", JOB(name)},
    {NULL, "alone_s", JOB(alone)},
    {NULL, "together_s", JOB(together)},
    {NULL, "factor", .get = get_factor},
};

static void nest_groups(tutti_table *table, const void *row)
{
  const struct group_row *r = row;
  *table = (tutti_table){.key = table->key, TUTTI_COLUMNS(nested_columns), TUTTI_ROWS(r->groups, r->count)};
}

#define OF_GROUP(member) TUTTI_FIELD_THROUGH(struct group_row, groups, struct bench_job, member)
#define GROUP(member)    TUTTI_FIELD(struct group_row, member)

static const tutti_column group_columns[] = {
    {"method", "method", .at = offsetof(struct bench_job, method), .through = offsetof(struct group_row, groups) + 1,
     .get = cell_method},
    {"size", "size_B", OF_GROUP(bytes), .get = cell_size, .alignment = TUTTI_ALIGN_RIGHT},
    {"placement", "placement", OF_GROUP(place)},
    {"alone", "alone_s", CELL_MICROSECONDS(struct group_row, alone)},
    {"together", "together_s", CELL_MICROSECONDS(struct group_row, together)},
    {"factor", "factor", GROUP(factor), FACTOR},
    {"largest", "largest_factor", GROUP(largest), FACTOR},
    {NULL, "groups", .nested = nest_groups},
};

/* ---- which method suffers least ---- */

struct verdict {
  const struct group_row *first, *fastest, *least;
  const struct group_row *alone; /* the fastest alone */
  double largest;                /* factor of a method */
};

TUTTI_GETTER(get_size, struct verdict, row->first->groups->bytes)
TUTTI_GETTER(get_place, struct verdict, row->first->groups->place)
TUTTI_GETTER(get_least_factor, struct verdict, row->least->factor)
TUTTI_GETTER(get_penalty, struct verdict, 100 * (factor_of(row->fastest->together, row->alone->together) - 1))
TUTTI_GETTER(get_fastest_time, struct verdict, row->fastest->together)
TUTTI_GETTER_FORMAT(get_collective, struct verdict, "%s",
                    tutti_collective_name(row->first->groups->method.algorithm->collective))

static void get_method(tutti_cell *cell, const void *row)
{
  const struct verdict *verdict = row;
  const struct group_row *const named[] = {verdict->least, verdict->fastest, verdict->alone};
  tutti_cell_text(cell, tutti_method_format(&named[cell->column->index]->groups->method, cell->buffer));
}

static const tutti_column verdict_columns[] = {
    {NULL, "collective", .get = get_collective},
    {NULL, "size_B", .get = get_size},
    {NULL, "placement", .get = get_place},
    {NULL, "least_disturbed", .get = get_method, .index = 0},
    {NULL, "least_factor", .get = get_least_factor},
    {NULL, "fastest_together", .get = get_method, .index = 1},
    {NULL, "fastest_together_s", .get = get_fastest_time},
    {NULL, "fastest_alone", .get = get_method, .index = 2},
    {NULL, "penalty_percent", .get = get_penalty},
};

struct verdicts {
  TUTTI_VECTOR(struct verdict);
};

/* Of rows in order. */
static struct verdicts judge(const struct group_row *rows, size_t count)
{
  struct verdicts verdicts = {.count = 0};
  for (size_t r = 0; r < count; r++) {
    if (r == 0 || compare_cases(&rows[r - 1], &rows[r]) != 0)
      tutti_xpush(&verdicts, (struct verdict){&rows[r], &rows[r], &rows[r], &rows[r], 0});
    struct verdict *verdict = &verdicts.items[verdicts.count - 1];
    if (rows[r].factor < verdict->least->factor)
      verdict->least = &rows[r];
    if (rows[r].alone < verdict->alone->alone)
      verdict->alone = &rows[r];
    verdict->largest = fmax(verdict->largest, rows[r].factor);
  }
  return verdicts;
}

static void print_verdict(const struct verdict *verdict)
{
  char size[24], least[TUTTI_METHOD_LENGTH], fastest[TUTTI_METHOD_LENGTH], alone[TUTTI_METHOD_LENGTH];
  const struct bench_job *group = verdict->first->groups;
  const double loss = factor_of(verdict->fastest->together, verdict->alone->together);
  tutti_method_format(&verdict->least->groups->method, least);
  tutti_method_format(&verdict->fastest->groups->method, fastest);
  tutti_method_format(&verdict->alone->groups->method, alone);
  tutti_size_format(group->bytes, size);
  if (verdict->largest < UNDISTURBED)
    print_sentence(0, "%s, %s: no method takes 1 %% longer than alone; the fastest is %s.", size, group->place,
                   fastest);
  else if (loss < UNDISTURBED)
    print_sentence(0, "%s, %s: %s suffers least (%.2f times as long as alone); the fastest together is %s.", size,
                   group->place, least, verdict->least->factor, fastest);
  else
    print_sentence(0,
                   "%s, %s: %s suffers least (%.2f times as long as alone); the fastest together is %s; %s, the "
                   "fastest alone, then takes %.2f times as long as that.",
                   size, group->place, least, verdict->least->factor, fastest, alone, loss);
}

static void print_head(const struct bench_together_facts *facts)
{
  print_sentence(0,
                 "%d group%s of %d rank%s at the same time on %s, %u ranks, simulated by %s. Times are those of the "
                 "slowest group; largest is the largest factor of a group.",
                 facts->groups, tutti_plural((uint64_t)facts->groups), facts->size, tutti_plural((uint64_t)facts->size),
                 facts->platform, (unsigned)facts->ranks, engine_text(facts));
  putchar('\n');
}

static void print_text_end(struct bench_together_facts *facts, const struct verdicts *verdicts)
{
  putchar('\n');
  for (size_t v = 0; v < verdicts->count; v++)
    print_verdict(&verdicts->items[v]);
  bench_print_left_out(&facts->left_out);
}

void bench_print_groups(struct bench_together_facts *facts, const struct bench_jobs *jobs, tutti_format format)
{
  const size_t size = (size_t)facts->groups, count = jobs->count / size;
  struct group_row *rows = tutti_xcalloc(count, sizeof *rows);
  for (size_t r = 0; r < count; r++)
    rows[r] = group_row_of(&jobs->items[r * size], size);
  qsort(rows, count, sizeof *rows, compare_rows);
  struct verdicts verdicts = judge(rows, count);
  const tutti_table tables[] = {
      {.key = "interference", TUTTI_COLUMNS(group_columns), TUTTI_ROWS(rows, count), .keys = 3},
      {.key = "verdicts", TUTTI_COLUMNS(verdict_columns), TUTTI_ROWS(verdicts.items, verdicts.count)}};
  const tutti_document document = {TUTTI_FACTS(group_facts, facts), .tables = tables,
                                   .table_count = format == TUTTI_FORMAT_TEXT ? 1 : 2};
  if (format == TUTTI_FORMAT_TEXT)
    print_head(facts);
  must(tutti_document_print(&document, format, stdout, &failure));
  if (format == TUTTI_FORMAT_TEXT)
    print_text_end(facts, &verdicts);
  tutti_vector_free(&verdicts);
  free(rows);
}
