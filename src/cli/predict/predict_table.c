/* What methods take for one call: a table of methods and predictors, the best of each predictor, and their votes. */
#include <math.h>

#include "cli/output/output.h"
#include "cli/predict/predict.h"

enum { NAME_LENGTH = 32, TIME_DIGITS = 17 };

/* What is printed: a prediction, and how its predictors are called. */
struct predicted_call {
  const struct predict_options *options;
  const struct predictors *predictors;
  const struct prediction *prediction;
  char (*names)[NAME_LENGTH]; /* [predictors] */
  const char *platform, *source;
  int ranks;
  uint64_t bytes;
};

static double time_of(const struct predicted_call *call, int method, int predictor)
{
  return call->prediction->times[method * call->predictors->count + predictor];
}

/* ---- methods ---- */

struct method_row {
  const struct predicted_call *call;
  int index;
  tutti_method method;
};

TUTTI_GETTER(get_time, struct method_row, time_of(row->call, row->index, cell->column->index))

/* The method, and its time by each predictor; columns, keys and rows are the caller's to free. */
static tutti_table method_table(const struct predicted_call *call)
{
  int predictors = call->predictors->count, methods = (int)call->prediction->count;
  tutti_column *columns = tutti_xcalloc(1 + (size_t)predictors, sizeof *columns);
  struct method_row *rows = tutti_xcalloc((size_t)methods, sizeof *rows);
  columns[0] =
      (tutti_column){"method", "method", .at = offsetof(struct method_row, method), .get = cell_method, .unit = "us"};
  for (int i = 0; i < predictors; i++)
    columns[1 + i] = (tutti_column){.heading = call->names[i],
                                    .key = tutti_xprintf("time_s.%s", call->names[i]),
                                    .get = get_time,
                                    .index = i,
                                    .scale = 1e6,
                                    .decimals = 3,
                                    .digits = TIME_DIGITS,
                                    .width = 20,
                                    .alignment = TUTTI_ALIGN_RIGHT};
  for (int m = 0; m < methods; m++)
    rows[m] = (struct method_row){call, m, call->prediction->items[m]};
  return (tutti_table){.key = "methods",
                       .columns = columns,
                       .column_count = 1 + predictors,
                       TUTTI_ROWS(rows, methods),
                       .owned = rows,
                       .indent = 2,
                       .gap = 1};
}

static void free_method_table(tutti_table *table)
{
  for (int i = 1; i < table->column_count; i++)
    free((char *)table->columns[i].key);
  free((tutti_column *)table->columns);
  tutti_table_free(table);
}

/* ---- text ---- */

static void print_title(const struct predicted_call *call)
{
  tutti_collective collective = call->options->collective;
  char size[24];
  tutti_say(stdout, "%s on %d rank%s of %s", tutti_collective_name(collective), call->ranks,
            tutti_plural((uint64_t)call->ranks), call->platform);
  if (collective != TUTTI_COLL_BARRIER)
    tutti_say(stdout, ", %s%s", tutti_collective_traits(collective) & TUTTI_HAS_BLOCKS ? "blocks of " : "",
              tutti_size_format(call->bytes, size));
  tutti_say(stdout, "; %s\n\n", call->source);
}

static int find_vote(const struct predicted_call *call, double *weight)
{
  return tutti_votes_count(call->prediction->best, call->predictors->items, call->predictors->count, weight);
}

static void print_best(const struct predicted_call *call)
{
  const struct prediction *p = call->prediction;
  char text[TUTTI_METHOD_LENGTH];
  double weight, all = 0;
  int vote = find_vote(call, &weight);
  printf("\n");
  for (int i = 0; i < call->predictors->count; i++)
    if (p->best[i] >= 0) {
      tutti_say(stdout, "  best, %s: %s, %.3f us\n", call->names[i], tutti_method_format(&p->items[p->best[i]], text),
                1e6 * time_of(call, p->best[i], i));
      all += call->predictors->items[i].weight;
    }
  if (call->predictors->count > 1 && vote >= 0)
    tutti_say(stdout, "  most votes: %s, %g of %g\n", tutti_method_format(&p->items[vote], text), weight, all);
}

/* ---- JSON ---- */

static void write_name(tutti_json *json, const char *key, const struct prediction *p, int method)
{
  char text[TUTTI_METHOD_LENGTH];
  tutti_json_string(json, key, method < 0 ? NULL : tutti_method_format(&p->items[method], text));
}

static void write_best(tutti_json *json, const void *row, const tutti_column *column)
{
  const struct predicted_call *call = row;
  tutti_json_object(json, column->key);
  for (int i = 0; i < call->predictors->count; i++)
    write_name(json, call->names[i], call->prediction, call->prediction->best[i]);
  tutti_json_end(json);
}

static void get_candidates(tutti_cell *cell, const void *row)
{
  const tutti_candidates candidates = {.rounds_apart =
                                           ((const struct predicted_call *)row)->options->selection.rounds_apart};
  tutti_cell_text(cell, tutti_candidates_format(&candidates, cell->buffer));
}

static void get_vote(tutti_cell *cell, const void *row)
{
  const struct predicted_call *call = row;
  double weight;
  int vote = find_vote(call, &weight);
  if (vote >= 0)
    tutti_cell_text(cell, tutti_method_format(&call->prediction->items[vote], cell->buffer));
}

static const tutti_column facts[] = {
    {NULL, "collective", TUTTI_FIELD_THROUGH(struct predicted_call, options, struct predict_options, collective),
     .get = cell_collective},
    {NULL, "platform", TUTTI_FIELD(struct predicted_call, platform)},
    {NULL, "parameters", TUTTI_FIELD(struct predicted_call, source)},
    {NULL, "ranks", TUTTI_FIELD(struct predicted_call, ranks)},
    {NULL, "size_B", TUTTI_FIELD(struct predicted_call, bytes)},
    {NULL, "candidates", .get = get_candidates},
    {NULL, "best", .list = write_best},
    {NULL, "most_votes", .get = get_vote},
};

void predict_print(const struct predict_options *options, const struct predictors *predictors,
                   const struct prediction *prediction)
{
  struct predicted_call call = {options,
                                predictors,
                                prediction,
                                tutti_xcalloc((size_t)predictors->count, sizeof *call.names),
                                options->selection.platform,
                                predictors->source,
                                prediction->ranks,
                                prediction->bytes};
  for (int i = 0; i < predictors->count; i++)
    predictor_name(&predictors->items[i], call.names[i]);
  tutti_table methods = method_table(&call);
  const tutti_document document = {TUTTI_FACTS(facts, &call), .tables = &methods, .table_count = 1};
  if (options->format == TUTTI_FORMAT_TEXT)
    print_title(&call);
  must(tutti_document_print(&document, options->format, stdout, &failure));
  if (options->format == TUTTI_FORMAT_TEXT)
    print_best(&call);
  free_method_table(&methods);
  free(call.names);
}
