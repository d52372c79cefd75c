/* The collectives of Intel MPI and their algorithms, as its references list them (2019 update 0 for those with numbers
   up to 12; 4.1 for the reductions to one rank, scatters and gathers), which later ones extend, and those of the
   catalogue with the same name. The library is closed: what it sends is not compared. Sizes are those of its table of
   message sizes (3.5-2 of the reference of 4.1). */
#include <ctype.h>
#include <string.h>

#include "decision/libraries/export/export.h"
#include "decision/libraries/intelmpi/intelmpi.h"

static const struct intelmpi_collective collectives[] = {
    {TUTTI_COLL_ALLGATHER,
     TUTTI_UNIT_RANK,
     {NULL, "recursive doubling", "Bruck's", "ring", "topology aware gatherv + bcast", "knomial"},
     {NULL, "recursive-doubling", "bruck", "ring"}},
    {TUTTI_COLL_ALLGATHERV,
     TUTTI_UNIT_TOTAL,
     {NULL, "recursive doubling", "Bruck's", "ring", "topology aware gatherv + bcast"},
     {NULL, "recursive-doubling", "bruck", "ring"}},
    {TUTTI_COLL_ALLREDUCE,
     TUTTI_UNIT_RANK,
     {NULL, "recursive doubling", "Rabenseifner's", "reduce + bcast", "topology aware reduce + bcast",
      "binomial gather + scatter", "topology aware binomial gather + scatter", "Shumilin's ring", "ring", "knomial",
      "topology aware SHM-based flat", "topology aware SHM-based knomial", "topology aware SHM-based knary"},
     {NULL, "recursive-doubling", "rabenseifner", [8] = "ring"}},
    {TUTTI_COLL_ALLTOALL,
     TUTTI_UNIT_RANK,
     {NULL, "Bruck's", "isend/irecv + waitall", "pairwise exchange", "Plum's"},
     {NULL, "bruck", "linear", "pairwise"}},
    {TUTTI_COLL_ALLTOALLV, TUTTI_UNIT_NONE, {NULL, "isend/irecv + waitall", "Plum's"}, {NULL, "linear"}},
    {TUTTI_COLL_BARRIER,
     TUTTI_UNIT_NONE,
     {NULL, "dissemination", "recursive doubling", "topology aware dissemination", "topology aware recursive doubling",
      "binomial gather + scatter", "topology aware binomial gather + scatter"},
     {NULL, "bruck", "recursive-doubling", [5] = "tree"}},
    {TUTTI_COLL_BCAST,
     TUTTI_UNIT_RANK,
     {NULL, "binomial", "recursive doubling", "ring", "topology aware binomial", "topology aware recursive doubling",
      "topology aware ring", "Shumilin's", "knomial", "topology aware SHM-based flat",
      "topology aware SHM-based knomial", "topology aware SHM-based knary", "NUMA aware SHM-based (SSE4.2)",
      "NUMA aware SHM-based (AVX2)", "NUMA aware SHM-based (AVX512)"},
     {NULL, "binomial", "scatter-recursive-doubling", "scatter-ring"}},
    {TUTTI_COLL_REDUCE,
     TUTTI_UNIT_RANK,
     {NULL, "Shumilin's", "binomial", "topology aware Shumilin's", "topology aware binomial", "Rabenseifner's",
      "topology aware Rabenseifner's"},
     {NULL, NULL, "binomial", [5] = "rabenseifner"}},
    {TUTTI_COLL_REDUCE_SCATTER,
     TUTTI_UNIT_TOTAL,
     {NULL, "recursive halving", "pairwise exchange", "recursive doubling", "reduce + scatterv",
      "topology aware reduce + scatterv"},
     {NULL, "recursive-halving", "pairwise", "recursive-doubling"}},
    {TUTTI_COLL_SCATTER,
     TUTTI_UNIT_RANK,
     {NULL, "binomial", "topology aware binomial", "Shumilin's"},
     {NULL, "binomial"}},
};

enum { COLLECTIVES = sizeof collectives / sizeof *collectives };

const struct intelmpi_collective *tutti_intelmpi_collective(tutti_collective collective)
{
  for (int i = 0; i < COLLECTIVES; i++)
    if (collectives[i].ours == collective)
      return &collectives[i];
  return NULL;
}

const struct intelmpi_collective *tutti_intelmpi_variable(const char *name)
{
  static const char prefix[] = "ADJUST_";
  char text[40];
  for (int i = 0; i < COLLECTIVES; i++) {
    snprintf(text, sizeof text, "%s%s", prefix, tutti_collective_name(collectives[i].ours));
    for (char *letter = text; *letter; letter++)
      *letter = (char)toupper((unsigned char)*letter);
    if (strcmp(text, name) == 0)
      return &collectives[i];
  }
  return NULL;
}

int tutti_intelmpi_id(const tutti_method *method, int ranks)
{
  const struct intelmpi_collective *collective = tutti_intelmpi_collective(method->algorithm->collective);
  const tutti_method plain = tutti_method_default(method->algorithm);
  if (!collective || tutti_method_compare(&plain, method) != 0 || !tutti_target_applies(method, ranks))
    return 0;
  for (int id = 1; id < INTELMPI_IDS; id++)
    if (collective->methods[id] && strcmp(collective->methods[id], method->algorithm->name) == 0)
      return id;
  return 0;
}
