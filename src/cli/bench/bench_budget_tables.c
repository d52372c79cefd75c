/* tutti bench --budget: what is decided, as a table and maps, as rules, and as a store of expected times. */
#include <ctype.h>
#include <math.h>

#include "base/numbers.h"
#include "cli/bench/bench.h"
#include "cli/command.h"
#include "cli/options/selection.h"
#include "cli/output/output.h"
#include "harness/experiments/calibrate/budget.h"

/* ---- what is decided ---- */

struct decided {
  tutti_collective collective;
  int ranks;
  uint64_t size; /* bytes of the message, or of one rank's block */
  tutti_method method;
  const char *how;     /* "measured", "inferred" */
  const char *verdict; /* "decided", "too close to call" or "open" */
  double seconds;      /* expected of it */
  double loss, own;    /* percent expected, of the choice and of the library's own; NaN: it is no candidate */
  double sure;         /* percent that it is faster than that; NaN: likewise, or it is that */
};

struct decisions {
  TUTTI_VECTOR(struct decided);
};

static struct decided decide(const struct budget *budget, size_t call)
{
  const tutti_point *point = &budget->samples[call];
  const struct sampler_choice choice = tutti_budget_decide(budget, call);
  const bool any_own = choice.own < budget->rows.count, is_own = choice.own == choice.chosen;
  return (struct decided){.collective = point->method.algorithm->collective,
                          .ranks = point->ranks,
                          .size = point->count * point->type_size,
                          .method = budget->rows.items[choice.chosen].call.found.method,
                          .how = budget->measured[choice.chosen] > 0 ? "measured" : "inferred",
                          .verdict = tutti_budget_is_decided(budget, &choice) ? "decided" : "open",
                          .seconds = exp(budget->sampler.mean[choice.chosen]),
                          .loss = 100 * choice.loss,
                          .own = 100 * choice.own_loss,
                          .sure = any_own && !is_own ? 100 * choice.confidence : NAN};
}

static int compare(const void *left, const void *right)
{
  const struct decided *a = left, *b = right;
  int order = THREE_WAY(a->collective, b->collective);
  if (order == 0)
    order = THREE_WAY(a->ranks, b->ranks);
  return order ? order : THREE_WAY(a->size, b->size);
}

#define PERCENT(member) TUTTI_FIELD(struct decided, member), .unit = "%", .decimals = 1

static const tutti_column columns[] = {
    {"collective", "collective", TUTTI_FIELD(struct decided, collective), .get = cell_collective},
    {"ranks", "ranks", TUTTI_FIELD(struct decided, ranks)},
    {"size", "size_B", TUTTI_FIELD(struct decided, size), .get = cell_size, .alignment = TUTTI_ALIGN_RIGHT},
    {"method", "method", .at = offsetof(struct decided, method), .get = cell_method},
    {"time", "expected_s", CELL_MICROSECONDS(struct decided, seconds)},
    {"", "how", TUTTI_FIELD(struct decided, how)},
    {"", "verdict", TUTTI_FIELD(struct decided, verdict)},
    {"loss", "expected_loss_percent", PERCENT(loss)},
    {"own choice", "own_choice_expected_loss_percent", PERCENT(own)},
    {"sure", "faster_than_own_choice_percent", PERCENT(sure)},
};

static const char *const reasons[] = {[BUDGET_USED_UP] = "the budget is used up",
                                      [BUDGET_WORTHLESS] = "more would save too little",
                                      [BUDGET_MEASURED] = "all that matters is measured",
                                      [BUDGET_EXHAUSTED] = "measured as often as it can be",
                                      [BUDGET_STUCK] = "the last run measured nothing"};

/* More time could save more, unless the calls lose no more than they may. */
static const char *reason_of(const struct budget *budget)
{
  const bool by_time = budget->most_points == 0 && budget->loss >= budget->worth;
  return budget->end == BUDGET_WORTHLESS && by_time ? "more would save too little in the time left"
                                                    : reasons[budget->end];
}

struct budget_facts {
  size_t points, measured, again, calls, decided;
  double loss;
  const char *end;
};

static const tutti_column fact_columns[] = {
    {NULL, "points", TUTTI_FIELD(struct budget_facts, points)},
    {NULL, "measured_points", TUTTI_FIELD(struct budget_facts, measured)},
    {NULL, "measured_again", TUTTI_FIELD(struct budget_facts, again)},
    {NULL, "calls", TUTTI_FIELD(struct budget_facts, calls)},
    {NULL, "decided_calls", TUTTI_FIELD(struct budget_facts, decided)},
    {NULL, "mean_expected_loss_percent", TUTTI_FIELD(struct budget_facts, loss)},
    {NULL, "end", TUTTI_FIELD(struct budget_facts, end)},
};

/* ---- maps of what is decided ---- */

/* Of the decisions of a collective one of their sizes. */
struct map_line {
  uint64_t size;
  const struct decided *items;
  size_t count;
};

/* M: measured, I: inferred; small letters are open. */
static void get_mark(tutti_cell *cell, const void *row)
{
  const struct map_line *line = row;
  for (size_t i = 0; i < line->count; i++)
    if (line->items[i].ranks == cell->column->index && line->items[i].size == line->size)
      tutti_cell_format(cell, "%c",
                        strcmp(line->items[i].verdict, "decided") == 0 ? toupper(*line->items[i].how)
                                                                       : *line->items[i].how);
}

static int compare_lines(const void *left, const void *right)
{
  const struct map_line *a = left, *b = right;
  return THREE_WAY(a->size, b->size);
}

static void print_map(const struct decided *items, size_t count)
{
  struct map_line *lines = tutti_xcalloc(count, sizeof *lines);
  tutti_column *columns = tutti_xcalloc(count + 1, sizeof *columns);
  int ranks = 0;
  columns[0] = (tutti_column){"size", NULL, TUTTI_FIELD(struct map_line, size), .get = cell_size, .width = 8};
  for (size_t i = 0; i < count; i++) {
    lines[i] = (struct map_line){items[i].size, items, count};
    if (i == 0 || items[i].ranks != items[i - 1].ranks)
      columns[++ranks] = (tutti_column){tutti_xprintf("%d", items[i].ranks), NULL, .get = get_mark,
                                        .index = items[i].ranks, .alignment = TUTTI_ALIGN_RIGHT};
  }
  qsort(lines, count, sizeof *lines, compare_lines);
  size_t sizes = 0;
  for (size_t i = 0; i < count; i++)
    if (sizes == 0 || lines[i].size != lines[sizes - 1].size)
      lines[sizes++] = lines[i];
  const tutti_table table = {.columns = columns, .column_count = ranks + 1, TUTTI_ROWS(lines, sizes), .indent = 2};
  printf("\n%s by ranks\n\n", tutti_collective_name(items->collective));
  must(tutti_table_print(&table, stdout, &failure));
  for (int i = 1; i <= ranks; i++)
    free((char *)columns[i].heading);
  free(columns);
  free(lines);
}

static void print_maps(const struct decisions *decisions)
{
  for (size_t i = 0, end; i < decisions->count; i = end) {
    for (end = i; end < decisions->count && decisions->items[end].collective == decisions->items[i].collective;)
      end++;
    print_map(&decisions->items[i], end - i);
  }
  printf("\nM: measured, I: inferred; small letters are open\n");
}

static void print_all(const struct bench_options *options, const struct budget *budget,
                      const struct decisions *decisions)
{
  const struct budget_facts facts = {.points = budget->rows.count,
                                     .measured = budget->known,
                                     .again = budget->spent - budget->known,
                                     .calls = budget->calls,
                                     .decided = budget->calls - budget->undecided,
                                     .loss = 100 * budget->loss,
                                     .end = reason_of(budget)};
  const tutti_table tables[] = {
      {.key = "budget", TUTTI_COLUMNS(fact_columns), TUTTI_ROWS(&facts, 1)},
      {.key = "decisions", TUTTI_COLUMNS(columns), TUTTI_ROWS(decisions->items, decisions->count), .keys = 3}};
  const bool text = options->format == TUTTI_FORMAT_TEXT;
  const tutti_document document = {.tables = text ? &tables[1] : tables, .table_count = text ? 1 : 2};
  must(tutti_document_print(&document, options->format, stdout, &failure));
  if (!text)
    return;
  print_maps(decisions);
  if (budget->only)
    print_sentence(0,
                   "Each number of ranks has one method of a reduction for all sizes, or methods that combine in one "
                   "order: its loss is over the fastest of each size");
  tutti_say(stdout,
            "\n%zu of %zu points measured, %zu times again, %zu of %zu calls decided, expected loss %.1f %%: %s\n",
            facts.measured, facts.points, facts.again, facts.decided, facts.calls, facts.loss, facts.end);
}

/* ---- rules ---- */

/* Between two numbers that were asked for a rule reaches to their geometric mean. */
static uint64_t middle(uint64_t low, uint64_t high)
{
  return (uint64_t)sqrt((double)low * (double)high);
}

/* What a rule is about, and its neighbors below and above: NULL where it has no bound. */
struct bounds {
  const uint64_t *below, *above;
  uint64_t first, last;
};

static void write_bounds(FILE *stream, const char *name, const struct bounds *bounds)
{
  if (!bounds->below && !bounds->above)
    return;
  fprintf(stream, " %s=", name);
  if (bounds->below)
    fprintf(stream, "%llu", (unsigned long long)middle(*bounds->below, bounds->first) + 1);
  fputs("..", stream);
  if (bounds->above)
    fprintf(stream, "%llu", (unsigned long long)middle(bounds->last, *bounds->above));
}

static bool has_ranks_of(const struct decided *left, const struct decided *right)
{
  return left->collective == right->collective && left->ranks == right->ranks;
}

/* The end of the decisions of one collective and number of ranks. */
static size_t end_of_ranks(const struct decisions *decisions, size_t first)
{
  size_t end = first;
  while (end < decisions->count && has_ranks_of(&decisions->items[first], &decisions->items[end]))
    end++;
  return end;
}

/* Whether the next number of ranks, from `next` on, has the same sizes and methods as the one that ends there. */
static bool goes_on(const struct decisions *decisions, size_t first, size_t next)
{
  const struct decided *here = &decisions->items[first], *there = &decisions->items[next];
  const size_t count = next - first;
  if (next >= decisions->count || here->collective != there->collective ||
      end_of_ranks(decisions, next) - next != count)
    return false;
  for (size_t i = 0; i < count; i++)
    if (here[i].size != there[i].size || tutti_method_compare(&here[i].method, &there[i].method) != 0)
      return false;
  return true;
}

/* The lines of numbers of ranks that have the same methods: one for sizes in a row that have the same one. */
static void write_ranks(const struct decided *items, size_t first, size_t end, const struct bounds *ranks, FILE *stream)
{
  for (size_t i = first, next; i < end; i = next) {
    char name[TUTTI_METHOD_LENGTH];
    for (next = i + 1; next < end && tutti_method_compare(&items[next].method, &items[i].method) == 0;)
      next++;
    const struct bounds sizes = {.below = i > first ? &items[i - 1].size : NULL,
                                 .above = next < end ? &items[next].size : NULL,
                                 .first = items[i].size,
                                 .last = items[next - 1].size};
    fputs(tutti_method_format(&items[i].method, name), stream);
    write_bounds(stream, "ranks", ranks);
    write_bounds(stream, "bytes", &sizes);
    fputc('\n', stream);
  }
}

static void write_rules(const char *path, const struct decisions *decisions)
{
  const struct decided *items = decisions->items;
  struct tutti_output output;
  output_begin(path, &output);
  for (size_t i = 0, last, end; i < decisions->count; i = end) {
    for (last = i, end = end_of_ranks(decisions, i); goes_on(decisions, last, end); end = end_of_ranks(decisions, end))
      last = end;
    const uint64_t below = i > 0 ? (uint64_t)items[i - 1].ranks : 0,
                   above = end < decisions->count ? (uint64_t)items[end].ranks : 0;
    const struct bounds ranks = {
        .below = i > 0 && items[i - 1].collective == items[i].collective ? &below : NULL,
        .above = end < decisions->count && items[end].collective == items[i].collective ? &above : NULL,
        .first = (uint64_t)items[i].ranks,
        .last = (uint64_t)items[last].ranks};
    write_ranks(items, last, end, &ranks, output.stream);
  }
  output_end(&output);
}

/* ---- a store ---- */

/* A point as if it had been measured; what is not known of it is its noise. */
static tutti_measurement expect(const struct budget *budget, size_t row)
{
  static const double DEVIATIONS = 1.96, MOST = 99;
  const tutti_point *point = &budget->samples[budget->rows.items[row].cell];
  const double seconds = exp(budget->sampler.mean[row]), deviation = sqrt(fmax(0, budget->sampler.variance[row]));
  tutti_measurement expected = {.method = budget->rows.items[row].call.found.method,
                                .scheme = budget->experiment->measure.scheme,
                                .ranks = point->ranks,
                                .ranks_per_node = 1,
                                .root = point->root,
                                .count = point->count,
                                .type_size = point->type_size,
                                .arrival = point->arrival,
                                .noise = point->noise,
                                .rank_bytes = point->count * point->type_size,
                                .spread = fmin(MOST, 100 * DEVIATIONS * deviation)};
  tutti_measurement_set_time(&expected, seconds);
  return expected;
}

/* Of the flavor "model", as what tutti predict stores. */
static void store_expected(const char *path, const struct budget *budget)
{
  char library[64];
  int64_t id;
  const tutti_environment environment = {.platform = budget->experiment->platform_name,
                                         .platform_hash = "",
                                         .flavor = "model",
                                         .library = library,
                                         .tutti = TUTTI_VERSION};
  tutti_measurement *expected = tutti_xcalloc(budget->rows.count + 1, sizeof *expected);
  tutti_store *store = store_open(path);
  snprintf(library, sizeof library, "%.24s, budget", budget->experiment->flavor);
  for (size_t i = 0; i < budget->rows.count; i++)
    expected[i] = expect(budget, i);
  must(tutti_store_environment(store, &environment, &id, &failure));
  must(tutti_store_add(store, id, expected, budget->rows.count, &failure));
  store_close(store);
  free(expected);
}

/* ---- all ---- */

void bench_report_budget(const struct bench_options *options, const struct budget *budget)
{
  struct decisions decisions = {.count = 0};
  for (size_t c = 0; c < budget->rows.cells.count; c++)
    tutti_xpush(&decisions, decide(budget, c));
  tutti_vector_sort(&decisions, compare);
  print_all(options, budget, &decisions);
  if (options->budget.rules)
    write_rules(options->budget.rules, &decisions);
  if (options->budget.store)
    store_expected(options->budget.store, budget);
  tutti_vector_free(&decisions);
}
