/* The fixed decisions of Open MPI 4.1, made into functions that read like the library's own ladders, and into others
   that remember the bounds they passed. */
#include "libraries/openmpi/openmpi.h"

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
#include "libraries/openmpi/defaults_4_1.def"
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
#include "libraries/openmpi/defaults_4_1.def"
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
#include "libraries/openmpi/defaults_4_1.def"
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
  return ladders[question->collective].decide ? tutti_openmpi_method(tutti_openmpi_decision_4_1, question, method)
                                              : pick_linear(question, method);
}
