/* The collectives and algorithms of UCC's TL/UCP (ucc_info -A of 1.9.0), and which of the catalogue they are: those
   whose messages are the same (src/components/tl/ucp). Knomial exchanges and scatters are ours on powers of the radix;
   on other numbers UCC folds ranks in its own way. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/numbers.h"
#include "decision/libraries/export/export.h"
#include "decision/libraries/ucc/ucc.h"

static const char one_ring[] = "REDUCE_SCATTER_RING_BIDIRECTIONAL=n";
static const char one_ring_v[] = "REDUCE_SCATTERV_RING_BIDIRECTIONAL=n";

static const struct ucc_algorithm allgather[] = {
    {.name = "knomial", .ours = "recursive-exchange", .radix = "ALLGATHER_KN_RADIX", .powers = true},
    {.name = "ring", .ours = "ring"},
    {.name = "neighbor", .ours = "neighbor-exchange"},
    {.name = "bruck", .ours = "bruck"},
    {.name = "sparbit", .ours = "sparbit"},
    {.name = "linear", .ours = "direct-messaging"},
    {.name = "batched"},
    {0}};
static const struct ucc_algorithm allgatherv[] = {
    {.name = "ring", .ours = "ring"}, {.name = "knomial"} /* its radix is that of allgather */, {0}};
static const struct ucc_algorithm allreduce[] = {
    {.name = "knomial", .ours = "recursive-exchange", .radix = "ALLREDUCE_KN_RADIX", .powers = true},
    {.name = "sra_knomial", .ours = "rabenseifner", .radix = "ALLREDUCE_SRA_KN_RADIX", .fixed = 2, .powers = true},
    {.name = "sliding_window"},
    {.name = "dbt", .ours = "two-tree"},
    {.name = "ring", .ours = "ring", .setting = one_ring},
    {0}};
static const struct ucc_algorithm alltoall[] = {
    {.name = "pairwise", .ours = "pairwise", .setting = "ALLTOALL_PAIRWISE_NUM_POSTS=1"},
    {.name = "bruck", .ours = "bruck"},
    {.name = "onesided"},
    {0}};
static const struct ucc_algorithm alltoallv[] = {
    {.name = "pairwise", .ours = "pairwise", .setting = "ALLTOALLV_PAIRWISE_NUM_POSTS=1"},
    {.name = "hybrid"},
    {.name = "onesided"},
    {0}};
static const struct ucc_algorithm bcast[] = {
    {.name = "knomial", .ours = "k-nomial", .radix = "BCAST_KN_RADIX", .default_radix = 4},
    {.name = "sag_knomial",
     .ours = "scatter-recursive-doubling",
     .radix = "BCAST_SAG_KN_RADIX",
     .fixed = 2,
     .powers = true},
    {.name = "dbt", .ours = "two-tree"},
    {0}};
static const struct ucc_algorithm reduce[] = {
    {.name = "knomial", .ours = "k-nomial", .radix = "REDUCE_KN_RADIX", .default_radix = 4},
    {.name = "dbt", .ours = "two-tree"},
    {.name = "srg", .ours = "rabenseifner", .radix = "REDUCE_SRG_KN_RADIX", .fixed = 2, .powers = true},
    {0}};
static const struct ucc_algorithm reduce_scatter[] = {{.name = "ring", .ours = "ring", .setting = one_ring},
                                                      {.name = "knomial",
                                                       .ours = "recursive-exchange",
                                                       .radix = "REDUCE_SCATTER_KN_RADIX",
                                                       .default_radix = 4,
                                                       .powers = true},
                                                      {0}};
static const struct ucc_algorithm reduce_scatterv[] = {{.name = "ring", .ours = "ring", .setting = one_ring_v}, {0}};

/* Sizes as ucc_coll_args_msgsize() has them: those of the blocks of all ranks together; sizes that a rank does not know
   count as 0. UCC's reduce_scatter has equal blocks. */
const struct ucc_collective tutti_ucc_collectives[UCC_COLLECTIVES] = {
    {"allgather", TUTTI_COLL_ALLGATHER, TUTTI_UNIT_TOTAL, allgather},
    {"allgatherv", TUTTI_COLL_ALLGATHERV, TUTTI_UNIT_TOTAL, allgatherv},
    {"allreduce", TUTTI_COLL_ALLREDUCE, TUTTI_UNIT_RANK, allreduce},
    {"alltoall", TUTTI_COLL_ALLTOALL, TUTTI_UNIT_TOTAL, alltoall},
    {"alltoallv", TUTTI_COLL_ALLTOALLV, TUTTI_UNIT_NONE, alltoallv},
    {"barrier", TUTTI_COLL_COUNT, TUTTI_UNIT_ABSENT, NULL},
    {"bcast", TUTTI_COLL_BCAST, TUTTI_UNIT_RANK, bcast},
    {"fanin", TUTTI_COLL_COUNT, TUTTI_UNIT_ABSENT, NULL},
    {"fanout", TUTTI_COLL_COUNT, TUTTI_UNIT_ABSENT, NULL},
    {"gather", TUTTI_COLL_COUNT, TUTTI_UNIT_ABSENT, NULL},
    {"gatherv", TUTTI_COLL_COUNT, TUTTI_UNIT_ABSENT, NULL},
    {"reduce", TUTTI_COLL_REDUCE, TUTTI_UNIT_RANK, reduce},
    {"reduce_scatter", TUTTI_COLL_REDUCE_SCATTER_BLOCK, TUTTI_UNIT_RANK, reduce_scatter},
    {"reduce_scatterv", TUTTI_COLL_REDUCE_SCATTER, TUTTI_UNIT_TOTAL, reduce_scatterv},
    {"scatter", TUTTI_COLL_COUNT, TUTTI_UNIT_ABSENT, NULL},
    {"scatterv", TUTTI_COLL_COUNT, TUTTI_UNIT_ABSENT, NULL},
};

const struct ucc_collective *tutti_ucc_collective(tutti_collective collective)
{
  for (int i = 0; i < UCC_COLLECTIVES; i++)
    if (tutti_ucc_collectives[i].ours == collective && collective < TUTTI_COLL_COUNT)
      return &tutti_ucc_collectives[i];
  return NULL;
}

const struct ucc_algorithm *tutti_ucc_algorithm(const struct ucc_collective *collective, const char *id, size_t length)
{
  uint64_t number = 0;
  size_t digits = 0;
  for (; digits < length && isdigit((unsigned char)id[digits]) && number < UCC_COLLECTIVES; digits++)
    number = 10 * number + (uint64_t)(id[digits] - '0');
  for (const struct ucc_algorithm *algorithm = collective->algorithms; algorithm && algorithm->name; algorithm++)
    if (digits == length ? number == (uint64_t)(algorithm - collective->algorithms)
                         : strlen(algorithm->name) == length && strncasecmp(algorithm->name, id, length) == 0)
      return algorithm;
  return NULL;
}

/* ---- methods ---- */

static bool is_power_of(int ranks, int radix)
{
  while (radix > 1 && ranks % radix == 0)
    ranks /= radix;
  return ranks == 1;
}

bool tutti_ucc_method(const struct ucc_collective *collective, const struct ucc_algorithm *algorithm, int radix,
                      int ranks, tutti_method *method)
{
  const tutti_algorithm *ours = algorithm->ours ? tutti_algorithm_find(collective->ours, algorithm->ours) : NULL;
  if (!ours || (algorithm->radix && radix < 2) || (algorithm->fixed && radix != algorithm->fixed) ||
      (algorithm->powers && !is_power_of(ranks, radix)))
    return false;
  *method = tutti_method_default(ours);
  if (algorithm->radix && !algorithm->fixed)
    method->parameters.k = radix;
  return true;
}

int tutti_ucc_radix(const struct ucc_algorithm *algorithm, const tutti_method *method)
{
  return !algorithm->radix ? 0 : algorithm->fixed ? algorithm->fixed : method->parameters.k;
}

const struct ucc_algorithm *tutti_ucc_told(const tutti_method *method, int ranks, bool default_radix)
{
  const struct ucc_collective *collective = tutti_ucc_collective(method->algorithm->collective);
  tutti_method run;
  if (!collective || !tutti_target_applies(method, ranks))
    return NULL;
  for (const struct ucc_algorithm *algorithm = collective->algorithms; algorithm->name; algorithm++) {
    const int radix = tutti_ucc_radix(algorithm, method);
    if (tutti_ucc_method(collective, algorithm, radix, ranks, &run) && tutti_method_compare(&run, method) == 0 &&
        (!default_radix || (radix == algorithm->default_radix && !algorithm->setting)))
      return algorithm;
  }
  return NULL;
}
