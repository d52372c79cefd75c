/* tutti schedule --optimum: the best schedules that there can be under the round model, and whether the method is one.
 */
#include <inttypes.h>
#include <math.h>

#include "cli/output/output.h"
#include "cli/schedule/schedule.h"
#include "tutti/certificate.h"
#include "tutti/optimum.h"

/* States of a search of about a minute, and ranks whose methods are priced and proven in seconds. */
enum { LIMIT = 200000000, MAX_RANKS = 256 };

struct optimum_row {
  int rounds;
  double volume;       /* blocks */
  char sizes[48];      /* of the rounds; empty: those of the method that meets it */
  bool is_method;      /* the method takes no more of either */
  bool complete;       /* there are no others */
  tutti_method met_by; /* the first one of the catalogue, with default parameters, that takes no more of either */
};

TUTTI_GETTER(get_sizes, struct optimum_row, row->sizes[0] ? row->sizes : (const char *)NULL)

static const tutti_column columns[] = {
    {"rounds", "rounds", TUTTI_FIELD(struct optimum_row, rounds)},
    {"volume", "volume_blocks", TUTTI_FIELD(struct optimum_row, volume)},
    {"blocks of the rounds", "round_blocks", .get = get_sizes},
    {"by the method", "by_method", TUTTI_FIELD(struct optimum_row, is_method)},
    {"met by", "met_by", .at = offsetof(struct optimum_row, met_by), .get = cell_method},
    {NULL, "complete", TUTTI_FIELD(struct optimum_row, complete)},
};

static void check(tutti_collective collective, const tutti_call *call, uint64_t blocks)
{
  const tutti_optima_kind kind = tutti_optima_kind_of(collective);
  if (kind == TUTTI_OPTIMA_UNKNOWN)
    die("--optimum: optima of %s are neither searched nor known", tutti_collective_name(collective));
  if (call->root != 0)
    die("--optimum: root 0, which is like any other");
  if (collective != TUTTI_COLL_BARRIER && (call->count == 0 || call->count % blocks != 0))
    die("--optimum: %" PRIu64 " elements are no %" PRIu64 " equal blocks", call->count, blocks);
  if (kind == TUTTI_OPTIMA_BOUNDED && (call->size < 2 || call->size > MAX_RANKS))
    die("--optimum: of %s for 2 to %d ranks, not %d", tutti_collective_name(collective), MAX_RANKS, call->size);
}

/* ---- methods ---- */

/* By Hockney's model: rounds are its time if bytes take none, volume if messages take none. NaN: it has no schedule for
   the call. */
static double price_of(const tutti_method *method, const tutti_call *call, double alpha, double beta)
{
  const tutti_model model = {.kind = TUTTI_MODEL_HOCKNEY, .network.hockney = {alpha, beta}};
  const tutti_costs costs = tutti_model_costs(&model);
  tutti_price price;
  if (tutti_price_method(method, call, &costs, NULL, &price, &failure) != TUTTI_OK)
    return NAN;
  tutti_price_free(&price);
  return price.seconds;
}

static double volume_of(const tutti_method *method, const tutti_call *call, uint64_t blocks)
{
  const double bytes = (double)(call->count * call->type_size);
  return bytes > 0 ? price_of(method, call, 0, 1) * (double)blocks / bytes : 0;
}

static bool meets(double rounds, double volume, const struct optimum_row *row)
{
  return rounds < row->rounds + 1e-9 && volume < row->volume + 1e-9;
}

static void find_met_by(tutti_collective collective, const tutti_call *call, uint64_t blocks, struct optimum_row *row)
{
  for (size_t i = 0; i < tutti_algorithm_count(); i++) {
    const tutti_method method = tutti_method_default(tutti_algorithm_at(i));
    if (method.algorithm->collective != collective || tutti_method_needs_places(&method) ||
        tutti_method_fault(&method, call) ||
        !meets(price_of(&method, call, 1, 0), volume_of(&method, call, blocks), row))
      continue;
    must(tutti_verify_method(&method, call, &failure));
    row->met_by = method;
    return;
  }
}

/* ---- optima ---- */

static void list_searched(const tutti_optima *optima, tutti_collective collective, const tutti_call *call,
                          tutti_table *table)
{
  for (int i = 0; i < optima->count; i++) {
    const tutti_optimum *o = &optima->items[i];
    struct optimum_row row = {.rounds = o->rounds, .volume = o->volume, .complete = optima->proven};
    for (int r = 0, length = 0; r < o->rounds; r++)
      length += snprintf(row.sizes + length, sizeof row.sizes - (size_t)length, "%s%d", r ? "+" : "", o->sizes[r]);
    must(tutti_optimum_prove(o, collective, call->count, &failure));
    must(tutti_table_add(table, &row, &failure));
  }
}

/* The fewest rounds and the least volume, whether or not a schedule has both. */
static void list_bound(tutti_collective collective, const tutti_call *call, uint64_t blocks, tutti_table *table)
{
  const tutti_demand demand = {collective, call->size, 1, 0, blocks};
  const struct optimum_row row = {.rounds = tutti_demand_rounds(&demand, 1),
                                  .volume = fmax(tutti_demand_out(&demand, 0, 1), tutti_demand_in(&demand, 0, 1))};
  must(tutti_table_add(table, &row, &failure));
}

static void say_what(tutti_collective collective, const tutti_optima *optima, uint64_t blocks, const tutti_table *table)
{
  const struct optimum_row *first = table->rows;
  char others[96] = "There are no others, as these meet lower bounds";
  static const char round[] = "under the round model: a rank sends a message at most and receives one in a round";
  if (optima->states > 0)
    snprintf(others, sizeof others, "%s %" PRIu64 " states",
             optima->proven ? "There are no others, by a search of" : "There may be better ones than those found in",
             optima->states);
  if (tutti_optima_kind_of(collective) == TUTTI_OPTIMA_BOUNDED && !first->met_by.algorithm)
    print_sentence(0,
                   "Lower bounds %s. No method of the catalogue with default parameters meets both; there may be no "
                   "schedule that does.",
                   round);
  else if (tutti_optima_kind_of(collective) == TUTTI_OPTIMA_BOUNDED)
    print_sentence(0, "The optimum %s. Both are lower bounds, and a method meets both, proven as a schedule.", round);
  else
    print_sentence(0, "Optima of %" PRIu64 " block%s %s%s. %s; each is proven as a schedule.", blocks,
                   tutti_plural(blocks), round,
                   collective == TUTTI_COLL_ALLREDUCE ? ", with one partial result of a block at most" : "", others);
}

void schedule_optimum_print(const tutti_method *method, const tutti_call *call, uint64_t blocks, tutti_format format)
{
  const tutti_collective collective = method->algorithm->collective;
  tutti_table table = {.key = "optima", TUTTI_COLUMNS(columns), .row_size = sizeof(struct optimum_row), .indent = 2};
  tutti_optima optima = {.count = 0};
  char name[TUTTI_METHOD_LENGTH];
  check(collective, call, blocks);
  if (tutti_optima_kind_of(collective) == TUTTI_OPTIMA_SEARCHED) {
    must(tutti_optima_find(collective, call->size, (int)blocks, LIMIT, &optima, &failure));
    list_searched(&optima, collective, call, &table);
  } else
    list_bound(collective, call, blocks, &table);
  const double rounds = price_of(method, call, 1, 0), volume = volume_of(method, call, blocks);
  if (isnan(rounds))
    die("%s", failure.message);
  for (size_t i = 0; i < table.row_count; i++) {
    struct optimum_row *row = (struct optimum_row *)table.owned + i;
    row->is_method = meets(rounds, volume, row);
    find_met_by(collective, call, blocks, row);
    row->complete =
        row->complete || (tutti_optima_kind_of(collective) == TUTTI_OPTIMA_BOUNDED && row->met_by.algorithm);
  }
  if (format != TUTTI_FORMAT_TEXT) {
    const tutti_document document = {.tables = &table, .table_count = 1};
    must(tutti_document_print(&document, format, stdout, &failure));
    tutti_table_free(&table);
    return;
  }
  printf("\n");
  say_what(collective, &optima, blocks, &table);
  must(tutti_table_print(&table, stdout, &failure));
  print_sentence(0, "%s takes %.6g round%s and a volume of %.6g block%s.", tutti_method_format(method, name), rounds,
                 rounds > 1 ? "s" : "", volume, volume > 1 ? "s" : "");
  tutti_table_free(&table);
}
