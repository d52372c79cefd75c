/* Whether the best method of a point is proven optimal: by the lower bound, or under the round model (tutti/optimum.h)
   with latency and bandwidth of the platform. */
#include <math.h>

#include "base/memory.h"
#include "cli/map/map_report.h"
#include "harness/engine/machine/bounds.h"
#include "tutti/model.h"
#include "tutti/optimum.h"

/* Blocks of the schedules that are searched, and states of a search: far less than a second. */
enum { BLOCKS = 4, STATES = 1000000 };

struct gap_proofs {
  const struct machine_bounds *bounds;
  tutti_collective collective;
  int searched; /* blocks up to these; -1: not yet */
  tutti_optima optima[BLOCKS];
};

struct gap_proofs *map_gap_proofs_new(const struct machine_bounds *bounds, tutti_collective collective)
{
  struct gap_proofs *proofs = tutti_xcalloc(1, sizeof *proofs);
  *proofs = (struct gap_proofs){.bounds = bounds, .collective = collective, .searched = -1};
  return proofs;
}

static bool search(struct gap_proofs *proofs)
{
  if (proofs->searched < 0)
    for (proofs->searched = 0; proofs->searched < BLOCKS; proofs->searched++) {
      tutti_optima *optima = &proofs->optima[proofs->searched];
      if (tutti_optima_find(proofs->collective, proofs->bounds->ranks, proofs->searched + 1, STATES, optima, NULL) !=
              TUTTI_OK ||
          !optima->proven)
        break;
    }
  return proofs->searched == BLOCKS;
}

/* Of the optima that were searched. NaN: they were not. */
static double least_searched(struct gap_proofs *proofs, const tutti_hockney *h, uint64_t bytes)
{
  double least = NAN;
  if (search(proofs))
    for (int b = 0; b < BLOCKS; b++)
      for (int i = 0; i < proofs->optima[b].count; i++) {
        const tutti_optimum *o = &proofs->optima[b].items[i];
        least = fmin(least, o->rounds * h->alpha + o->volume * h->beta * (double)bytes / o->blocks);
      }
  return least;
}

/* NaN: not known. Where all blocks are of one rank each, bounds of rounds and of volume are met at once. */
static double least_seconds(struct gap_proofs *proofs, const tutti_hockney *h, uint64_t bytes)
{
  const int ranks = proofs->bounds->ranks;
  const tutti_demand demand = {proofs->collective, ranks, 1, 0, bytes};
  const double rounds = tutti_demand_rounds(&demand, 1) * h->alpha;
  switch (tutti_optima_kind_of(proofs->collective)) {
  case TUTTI_OPTIMA_SEARCHED:
    return least_searched(proofs, h, bytes);
  case TUTTI_OPTIMA_BOUNDED:
    return proofs->collective == TUTTI_COLL_BARRIER ? rounds : rounds + (ranks - 1) * h->beta * (double)bytes;
  default:
    return NAN;
  }
}

static double price_of(const tutti_method *method, const struct machine_bounds *b, uint64_t bytes,
                       const tutti_hockney *hockney)
{
  const tutti_model model = {.kind = TUTTI_MODEL_HOCKNEY, .network.hockney = *hockney};
  const tutti_costs costs = tutti_model_costs(&model);
  const tutti_call call = {.size = b->ranks, .root = b->root, .count = bytes, .type_size = 1, .commutative = true};
  tutti_price price;
  if (tutti_price_method(method, &call, &costs, NULL, &price, NULL) != TUTTI_OK)
    return NAN;
  tutti_price_free(&price);
  return price.seconds;
}

/* A time below what the round model allows refutes the model there. */
static bool is_least(struct gap_proofs *proofs, const struct gap_point *point, double fastest)
{
  const struct machine_bounds *b = proofs->bounds;
  const double alpha = tutti_bounds_message(b, 0), message = tutti_bounds_message(b, (double)point->size);
  if (b->nodes < b->ranks || !(alpha > 0))
    return false;
  const tutti_hockney hockney = {alpha, point->size > 0 ? fmax(message - alpha, 0) / (double)point->size : 0};
  const double least = least_seconds(proofs, &hockney, point->size);
  return least > 0 && fastest >= least * (1 - 1e-9) &&
         price_of(&point->best, b, point->size, &hockney) <= least * (1 + 1e-9);
}

const char *map_gap_prove(struct gap_proofs *proofs, const struct gap_point *point, double fastest)
{
  return point->percent <= MAP_GAP_OPTIMAL ? "bound" : is_least(proofs, point, fastest) ? "model" : "";
}
