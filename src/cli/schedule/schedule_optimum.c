/* tutti schedule --optimum: the best schedules that there can be under the round model, and whether the method is one.
 */
#include <inttypes.h>
#include <math.h>

#include "cli/output/output.h"
#include "cli/schedule/schedule.h"
#include "tutti/optimum.h"

/* States of a search of about a minute. */
enum { LIMIT = 200000000 };

struct optimum_row {
  int rounds;
  double volume;  /* blocks */
  char sizes[48]; /* of the rounds */
  bool is_method; /* the method takes no more of either */
};

static const tutti_column columns[] = {
    {"rounds", "rounds", TUTTI_FIELD(struct optimum_row, rounds)},
    {"volume", "volume_blocks", TUTTI_FIELD(struct optimum_row, volume)},
    {"blocks of the rounds", "round_blocks", TUTTI_FIELD(struct optimum_row, sizes)},
    {"by the method", "by_method", TUTTI_FIELD(struct optimum_row, is_method)},
};

/* By Hockney's model: rounds are its time if bytes take none, volume if messages take none. */
static double price_of(const tutti_method *method, const tutti_call *call, double alpha, double beta)
{
  const tutti_model model = {.kind = TUTTI_MODEL_HOCKNEY, .network.hockney = {alpha, beta}};
  const tutti_costs costs = tutti_model_costs(&model);
  tutti_price price;
  must(tutti_price_method(method, call, &costs, NULL, &price, &failure));
  tutti_price_free(&price);
  return price.seconds;
}

static void check(const tutti_method *method, const tutti_call *call, uint64_t blocks)
{
  const tutti_collective collective = method->algorithm->collective;
  if (collective != TUTTI_COLL_BCAST && collective != TUTTI_COLL_REDUCE)
    die("--optimum: optima are searched for bcast and reduce, not %s", tutti_collective_name(collective));
  if (call->root != 0)
    die("--optimum: root 0, which is like any other");
  if (call->count == 0 || call->count % blocks != 0)
    die("--optimum: %" PRIu64 " elements are no %" PRIu64 " equal blocks", call->count, blocks);
}

static tutti_table list(const tutti_optima *optima, const tutti_method *method, const tutti_call *call, double rounds,
                        double volume)
{
  tutti_table table = {.key = "optima", TUTTI_COLUMNS(columns), .row_size = sizeof(struct optimum_row), .indent = 2};
  for (int i = 0; i < optima->count; i++) {
    const tutti_optimum *o = &optima->items[i];
    struct optimum_row row = {.rounds = o->rounds, .volume = o->volume};
    row.is_method = rounds < o->rounds + 1e-9 && volume < o->volume + 1e-9;
    for (int r = 0, length = 0; r < o->rounds; r++)
      length += snprintf(row.sizes + length, sizeof row.sizes - (size_t)length, "%s%d", r ? "+" : "", o->sizes[r]);
    must(tutti_optimum_prove(o, method->algorithm->collective, call->count, &failure));
    must(tutti_table_add(&table, &row, &failure));
  }
  return table;
}

void schedule_optimum_print(const tutti_method *method, const tutti_call *call, uint64_t blocks, tutti_format format)
{
  tutti_optima optima;
  char name[TUTTI_METHOD_LENGTH];
  check(method, call, blocks);
  must(tutti_optima_find(call->size, (int)blocks, LIMIT, &optima, &failure));
  const double rounds = price_of(method, call, 1, 0),
               volume = price_of(method, call, 0, 1) * (double)blocks / (double)(call->count * call->type_size);
  tutti_table table = list(&optima, method, call, rounds, volume);
  if (format != TUTTI_FORMAT_TEXT) {
    const tutti_document document = {.tables = &table, .table_count = 1};
    must(tutti_document_print(&document, format, stdout, &failure));
    tutti_table_free(&table);
    return;
  }
  printf("\n");
  print_sentence(0,
                 "Optima of %" PRIu64
                 " block%s under the round model: a rank sends a message at most and receives one in "
                 "a round. %s %" PRIu64 " states; each is proven as a schedule.",
                 blocks, tutti_plural(blocks),
                 optima.proven ? "There are no others, by a search of" : "There may be better ones than those found in",
                 optima.states);
  must(tutti_table_print(&table, stdout, &failure));
  print_sentence(0, "%s takes %.6g round%s and a volume of %.6g block%s.", tutti_method_format(method, name), rounds,
                 rounds > 1 ? "s" : "", volume, volume > 1 ? "s" : "");
  tutti_table_free(&table);
}
