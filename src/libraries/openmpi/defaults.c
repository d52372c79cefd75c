/* From ids of Open MPI's coll/tuned to methods: what coll/base does with an id where it does not simply run it. */
#include "libraries/openmpi/openmpi.h"

/* The line of the catalogue with that id; two_proc of allreduce's cousins has none of its own. */
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

/* two_proc is an exchange, as pairwise and recursive doubling are on two ranks; linear_nb posts all of linear's sends,
   as our schedules do anyway. */
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
  case TUTTI_COLL_ALLTOALL:
    return pick->id == 5 ? 2 : pick->id;
  case TUTTI_COLL_BARRIER:
    return pick->id == 5 ? 3 : pick->id;
  case TUTTI_COLL_SCATTER:
    return pick->id == 3 ? 1 : pick->id;
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

static void set_part(tutti_method *method, int index, const tutti_method *part)
{
  method->parameters.parts[index] = (tutti_part){.algorithm = part->algorithm,
                                                 .segment_bytes = part->parameters.segment_bytes,
                                                 .k = part->parameters.k,
                                                 .outstanding = part->parameters.outstanding};
}

/* Bytes that the part of a collective moves: reduce_scatter and allgatherv, done by parts, move all blocks at once. */
static uint64_t part_bytes(const tutti_question *question, tutti_collective part)
{
  bool whole = question->collective != TUTTI_COLL_ALLREDUCE && (part == TUTTI_COLL_REDUCE || part == TUTTI_COLL_BCAST);
  return whole ? question->rank_bytes * (uint64_t)question->ranks : question->rank_bytes;
}

static void pick_parts(openmpi_decision decision, const tutti_question *question, tutti_method *method)
{
  for (int i = 0; i < TUTTI_MAX_PARTS && method->algorithm->parts[i].name; i++) {
    tutti_collective collective = method->algorithm->parts[i].collective;
    tutti_question asked = *question;
    tutti_method part;
    asked.collective = collective;
    asked.rank_bytes = part_bytes(question, collective);
    struct openmpi_pick pick = decision(collective, asked.ranks, asked.rank_bytes);
    const tutti_algorithm *algorithm = pick.id ? algorithm_of(collective, tutti_openmpi_served(&asked, &pick)) : NULL;
    if (!algorithm)
      continue;
    part = tutti_method_default(algorithm);
    set_parameters(&asked, pick.segment, &part);
    set_part(method, i, &part);
  }
}

/* allreduce 1, basic_linear: both parts are linear, whatever their rules. */
static void linear_parts(tutti_method *method)
{
  for (int i = 0; i < TUTTI_MAX_PARTS && method->algorithm->parts[i].name; i++) {
    tutti_method part = tutti_method_default(tutti_algorithm_find(method->algorithm->parts[i].collective, "linear"));
    set_part(method, i, &part);
  }
}

bool tutti_openmpi_picked(openmpi_decision decision, const tutti_question *question, const struct openmpi_pick *pick,
                          tutti_method *method)
{
  int id = tutti_openmpi_served(question, pick);
  bool linear = question->collective == TUTTI_COLL_ALLREDUCE && id == 1;
  const tutti_algorithm *algorithm = algorithm_of(question->collective, linear ? 2 : id);
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

bool tutti_openmpi_method(openmpi_decision decision, const tutti_question *question, tutti_method *method)
{
  uint64_t factor = question->collective == TUTTI_COLL_REDUCE_SCATTER ? (uint64_t)question->ranks : 1;
  struct openmpi_pick pick = decision(question->collective, question->ranks, question->rank_bytes * factor);
  return pick.id != 0 && tutti_openmpi_picked(decision, question, &pick, method);
}
