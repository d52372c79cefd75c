/* Open MPI's own decisions as ids of coll/tuned, and the methods that they are: what coll/base does with an id where it
   does not simply run it. */
#include "decision/libraries/openmpi/openmpi.h"

/* The line of the catalogue with that id. */
static const tutti_algorithm *algorithm_of(tutti_collective collective, int id)
{
  for (size_t i = 0; i < tutti_algorithm_count(); i++) {
    const tutti_algorithm *algorithm = tutti_algorithm_at(i);
    if (algorithm->collective == collective && algorithm->openmpi_id == id)
      return algorithm;
  }
  return NULL;
}

/* ---- what is run instead ---- */

/* Both gathers have neighbor exchange for an even number of ranks, allgather recursive doubling for powers of two. */
static int allgather_id(const tutti_question *question, int id)
{
  if (id == 3 && library_power_below(question->ranks) != (uint64_t)question->ranks)
    return 2;
  return id == 5 && question->ranks % 2 ? 4 : id;
}

static int allgatherv_id(const tutti_question *question, int id)
{
  return id == 4 && question->ranks % 2 ? 3 : id;
}

/* Rings want an element per rank, Rabenseifner's algorithm one per rank of the power of two, else basic_linear runs; a
   segmented ring without segments is a ring. */
static int allreduce_id(const tutti_question *question, const struct openmpi_pick *pick)
{
  uint64_t elements = library_elements(question->rank_bytes);
  int id = pick->id == 5 && pick->segment == 0 ? 4 : pick->id;
  if ((id == 4 || id == 5) && elements < (uint64_t)question->ranks)
    return 3;
  return id == 6 && elements < library_power_below(question->ranks) ? 1 : id;
}

/* Scatter and allgather want an element per rank, else basic_linear runs. */
static int bcast_id(const tutti_question *question, int id)
{
  bool few = library_elements(question->rank_bytes) < (uint64_t)question->ranks;
  return (id == 8 || id == 9) && few ? 1 : id;
}

static int reduce_id(const tutti_question *question, int id)
{
  bool few = library_elements(question->rank_bytes) < library_power_below(question->ranks);
  return id == 7 && (few || question->ranks < 2) ? 1 : id;
}

int tutti_openmpi_served(const tutti_question *question, const struct openmpi_pick *pick)
{
  switch (question->collective) {
  case TUTTI_COLL_ALLGATHER:
    return allgather_id(question, pick->id);
  case TUTTI_COLL_ALLGATHERV:
    return allgatherv_id(question, pick->id);
  case TUTTI_COLL_ALLREDUCE:
    return allreduce_id(question, pick);
  case TUTTI_COLL_BCAST:
    return bcast_id(question, pick->id);
  case TUTTI_COLL_REDUCE:
    return reduce_id(question, pick->id);
  default:
    return pick->id;
  }
}

/* ---- parameters and parts ---- */

/* A chain of fan-out 0 is one of 1; linear_sync without a limit has all requests under way. */
static void set_parameters(const tutti_question *question, int segment, tutti_method *method)
{
  const tutti_algorithm *algorithm = method->algorithm;
  bool chain = (algorithm->collective == TUTTI_COLL_BCAST || algorithm->collective == TUTTI_COLL_REDUCE) &&
               algorithm->openmpi_id == 2;
  if (chain)
    method->parameters.k = 1;
  if (algorithm->collective == TUTTI_COLL_ALLTOALL && algorithm->openmpi_id == 4)
    method->parameters.k = question->ranks > 2 ? question->ranks - 1 : 1;
  if (algorithm->parameters & TUTTI_TAKES_SEGMENT)
    method->parameters.segment_bytes = (uint64_t)segment;
}

/* Reduce_scatter and allgatherv, done by parts, move all blocks at once. */
uint64_t tutti_openmpi_part_factor(tutti_collective collective, int ranks, tutti_collective part)
{
  bool whole = collective != TUTTI_COLL_ALLREDUCE && (part == TUTTI_COLL_REDUCE || part == TUTTI_COLL_BCAST);
  return whole ? (uint64_t)ranks : 1;
}

static void pick_parts(openmpi_decision decision, const tutti_question *question, tutti_method *method)
{
  for (int i = 0; i < TUTTI_MAX_PARTS && method->algorithm->parts[i].name; i++) {
    tutti_collective collective = method->algorithm->parts[i].collective;
    tutti_question asked = *question;
    tutti_method part;
    asked.collective = collective;
    asked.rank_bytes = library_product(
        question->rank_bytes, (int)tutti_openmpi_part_factor(question->collective, question->ranks, collective));
    struct openmpi_pick pick = decision(collective, asked.ranks, asked.rank_bytes);
    const tutti_algorithm *algorithm = pick.id ? algorithm_of(collective, tutti_openmpi_served(&asked, &pick)) : NULL;
    if (!algorithm)
      continue;
    part = tutti_method_default(algorithm);
    set_parameters(&asked, pick.segment, &part);
    library_set_part(method, i, &part);
  }
}

/* allreduce 1, basic_linear: both parts are linear, whatever their rules. */
static void linear_parts(tutti_method *method)
{
  for (int i = 0; i < TUTTI_MAX_PARTS && method->algorithm->parts[i].name; i++) {
    tutti_method part = tutti_method_default(tutti_algorithm_find(method->algorithm->parts[i].collective, "linear"));
    library_set_part(method, i, &part);
  }
}

bool tutti_openmpi_picked(openmpi_decision decision, const tutti_question *question, const struct openmpi_pick *pick,
                          tutti_method *method)
{
  int id = tutti_openmpi_served(question, pick);
  bool linear = question->collective == TUTTI_COLL_ALLREDUCE && id == OPENMPI_BASIC_LINEAR;
  const tutti_algorithm *algorithm = algorithm_of(question->collective, linear ? OPENMPI_NONOVERLAPPING : id);
  if (!algorithm)
    return false;
  *method = tutti_method_default(algorithm);
  set_parameters(question, pick->segment, method);
  if (linear)
    linear_parts(method);
  else
    pick_parts(decision, question, method);
  return true;
}

/* The method that coll/tuned runs for the pick of a decision, which is called again for the parts. */
static bool method_of(openmpi_decision decision, const tutti_question *question, tutti_method *method)
{
  int factor = question->collective == TUTTI_COLL_REDUCE_SCATTER ? question->ranks : 1;
  uint64_t bytes = library_product(question->rank_bytes, factor);
  struct openmpi_pick pick = decision(question->collective, question->ranks, bytes);
  return pick.id != 0 && tutti_openmpi_picked(decision, question, &pick, method);
}

/* ---- the fixed decisions of Open MPI 4.1 ---- */

/* Made into functions that read like the library's own ladders, and into others
   that remember the bounds they passed. */

#define MORE(...) __VA_ARGS__
#define ELSE(id)  return (id);
#define END       }

#define RULE(upper, collective)                                                                                        \
  int tutti_openmpi41_##collective(int ranks, uint64_t bytes)                                                          \
  {                                                                                                                    \
    (void)bytes;
#define RANKS(below, ...)                                                                                              \
  if (ranks < (below)) {                                                                                               \
    __VA_ARGS__                                                                                                        \
  }
#define IF(below, id)                                                                                                  \
  if (bytes < (below))                                                                                                 \
    return (id);
#include "decision/libraries/openmpi/defaults_4_1.def"
#undef RULE
#undef RANKS
#undef IF

#define RULE(upper, collective)                                                                                        \
  static int climb_##collective(int ranks, uint64_t bytes, struct openmpi_rung *rung)                                  \
  {                                                                                                                    \
    (void)bytes;
#define RANKS(below, ...)                                                                                              \
  if (ranks < (below)) {                                                                                               \
    rung->max_ranks = (below)-1;                                                                                       \
    __VA_ARGS__                                                                                                        \
  }                                                                                                                    \
  rung->min_ranks = (below);
#define IF(below, id)                                                                                                  \
  if (bytes < (below)) {                                                                                               \
    rung->max_bytes = (below)-1;                                                                                       \
    return (id);                                                                                                       \
  }                                                                                                                    \
  rung->min_bytes = (below);
#include "decision/libraries/openmpi/defaults_4_1.def"
#undef RULE
#undef RANKS
#undef MORE
#undef IF
#undef ELSE
#undef END

static const struct {
  int (*decide)(int ranks, uint64_t bytes);
  int (*climb)(int ranks, uint64_t bytes, struct openmpi_rung *rung);
} ladders[TUTTI_COLL_COUNT] = {
#define RULE(upper, collective) [TUTTI_COLL_##upper] = {tutti_openmpi41_##collective, climb_##collective},
#define RANKS(...)
#define MORE(...)
#define END
#include "decision/libraries/openmpi/defaults_4_1.def"
};

int tutti_openmpi_ladder(tutti_collective collective, int ranks, uint64_t bytes, struct openmpi_rung *rung)
{
  *rung = (struct openmpi_rung){.max_ranks = INT_MAX, .max_bytes = UINT64_MAX};
  return ladders[collective].climb ? ladders[collective].climb(ranks, bytes, rung) : 0;
}

struct openmpi_pick tutti_openmpi_decision_4_1(tutti_collective collective, int ranks, uint64_t bytes)
{
  return (struct openmpi_pick){.id = ladders[collective].decide ? ladders[collective].decide(ranks, bytes) : 0};
}

/* coll/tuned leaves these to coll/basic, where all of them are linear. */
static bool pick_linear(const tutti_question *question, tutti_method *method)
{
  const tutti_algorithm *algorithm = tutti_algorithm_find(question->collective, "linear");
  if (algorithm)
    *method = tutti_method_default(algorithm);
  return algorithm;
}

bool tutti_openmpi_decide_4_1(const tutti_question *question, tutti_method *method)
{
  return ladders[question->collective].decide ? method_of(tutti_openmpi_decision_4_1, question, method)
                                              : pick_linear(question, method);
}

/* ---- the fixed decisions of Open MPI 1.2 and 1.3 ---- */

/* Rules at the time of the dissertation (ompi/mca/coll/tuned/ coll_tuned_decision_fixed.c of 2007 and 2008): made from
   MX measurements on Grig with up to 64 nodes. */

enum { KB = 1024 };

/* A straight line over the message size, in ranks. */
static bool below_line(int ranks, uint64_t bytes, double per_byte, double constant)
{
  return ranks < per_byte * (double)bytes + constant;
}

static bool above_line(int ranks, uint64_t bytes, double per_kilobyte, double constant)
{
  return ranks > per_kilobyte / KB * (double)bytes + constant;
}

static int choose(int id, int segment, int *chosen)
{
  *chosen = segment;
  return id;
}

/* From 370,728 bytes on: the more ranks, the smaller the segments of a pipeline. */
static int bcast_large(int ranks, uint64_t bytes, int *segment)
{
  if (below_line(ranks, bytes, 1.6134e-6, 2.1102))
    return choose(3, 128 * KB, segment);
  if (ranks < 13)
    return choose(4, 8 * KB, segment);
  if (below_line(ranks, bytes, 2.3679e-6, 1.1787))
    return choose(3, 64 * KB, segment);
  if (below_line(ranks, bytes, 3.2118e-6, 8.7936))
    return choose(3, 16 * KB, segment);
  return choose(3, 8 * KB, segment);
}

int tutti_openmpi1x_bcast(int ranks, uint64_t bytes, int *segment)
{
  if (bytes < 2048)
    return choose(6, 0, segment);
  if (bytes < 370728)
    return choose(4, 1 * KB, segment);
  return bcast_large(ranks, bytes, segment);
}

/* The third step was to be a binary tree by its comment, but called the pipeline. */
static int reduce_large(int ranks, uint64_t bytes, int *segment)
{
  if (above_line(ranks, bytes, 0.6016, 1.3496))
    return choose(4, 1 * KB, segment);
  if (above_line(ranks, bytes, 0.0410, 9.7128))
    return choose(3, 1 * KB, segment);
  if (above_line(ranks, bytes, 0.0422, 1.1614) || above_line(ranks, bytes, 0.0033, 1.6761))
    return choose(3, 32 * KB, segment);
  return choose(3, 64 * KB, segment);
}

int tutti_openmpi1x_reduce(int ranks, uint64_t bytes, int *segment)
{
  if (ranks < 8 && bytes < 512)
    return choose(1, 0, segment);
  if (ranks < 8 && bytes < 20480)
    return choose(5, 0, segment);
  if (bytes < 2048)
    return choose(4, 0, segment);
  return reduce_large(ranks, bytes, segment);
}

int tutti_openmpi1x_allreduce(int ranks, uint64_t bytes, int *segment)
{
  if (bytes < 10000)
    return choose(3, 0, segment);
  if (library_elements(bytes) <= (uint64_t)ranks)
    return choose(2, 0, segment);
  return (uint64_t)ranks * KB * KB >= bytes ? choose(4, 0, segment) : choose(5, KB * KB, segment);
}

int tutti_openmpi1x_allgather(int ranks, uint64_t bytes, int *segment)
{
  *segment = 0;
  if (ranks == 2)
    return 6;
  if (library_product(bytes, ranks) < 50000)
    return library_power_below(ranks) == (uint64_t)ranks ? 3 : 2;
  return ranks % 2 ? 4 : 5;
}

int tutti_openmpi1x_alltoall(int ranks, uint64_t bytes, int *segment)
{
  *segment = 0;
  if (ranks == 2)
    return 5;
  if (bytes < 200 && ranks > 12)
    return 3;
  return bytes < 3000 ? 1 : 2;
}

int tutti_openmpi1x_barrier(int ranks, uint64_t bytes, int *segment)
{
  (void)bytes;
  *segment = 0;
  if (ranks == 2)
    return 5;
  return library_power_below(ranks) == (uint64_t)ranks ? 3 : 4;
}

int tutti_openmpi1x_reduce_scatter(int ranks, uint64_t bytes, int *segment)
{
  bool power = library_power_below(ranks) == (uint64_t)ranks;
  bool halving = bytes <= 12 * KB || (bytes <= 256 * KB && power) || ranks >= 0.0012 * (double)bytes + 8.0;
  return choose(halving ? 2 : 3, 0, segment);
}

static int linear(int ranks, uint64_t bytes, int *segment)
{
  (void)ranks, (void)bytes;
  return choose(1, 0, segment);
}

static int (*const rules[TUTTI_COLL_COUNT])(int, uint64_t, int *) = {
    [TUTTI_COLL_BCAST] = tutti_openmpi1x_bcast,
    [TUTTI_COLL_REDUCE] = tutti_openmpi1x_reduce,
    [TUTTI_COLL_ALLREDUCE] = tutti_openmpi1x_allreduce,
    [TUTTI_COLL_ALLGATHER] = tutti_openmpi1x_allgather,
    [TUTTI_COLL_ALLTOALL] = tutti_openmpi1x_alltoall,
    [TUTTI_COLL_BARRIER] = tutti_openmpi1x_barrier,
    [TUTTI_COLL_REDUCE_SCATTER] = tutti_openmpi1x_reduce_scatter,
    [TUTTI_COLL_GATHER] = linear,
    [TUTTI_COLL_SCATTER] = linear,
};

static struct openmpi_pick decision(tutti_collective collective, int ranks, uint64_t bytes)
{
  struct openmpi_pick pick = {0};
  if (rules[collective])
    pick.id = rules[collective](ranks, bytes, &pick.segment);
  return pick;
}

bool tutti_openmpi_decide_1_x(const tutti_question *question, tutti_method *method)
{
  return method_of(decision, question, method);
}
