/* What the rules of libraries have in common. */
#ifndef TUTTI_DECISION_LIBRARY_H
#define TUTTI_DECISION_LIBRARY_H

#include "tutti/library.h"

/* The method that a library picks; false if it has no rule. */
typedef bool (*library_pick)(const tutti_question *question, tutti_method *method);

bool tutti_library_openmpi_4_1(const tutti_question *question, tutti_method *method);
bool tutti_library_openmpi_1_x(const tutti_question *question, tutti_method *method);
bool tutti_library_mpich_4_0(const tutti_question *question, tutti_method *method);
bool tutti_library_mpich2_1_0(const tutti_question *question, tutti_method *method);

/* Elements of a message or block, and the largest power of two that is not above the number of ranks. */
static inline uint64_t library_element(uint64_t bytes)
{
  return bytes % 8 == 0 ? 8 : bytes % 4 == 0 ? 4 : 1;
}

static inline uint64_t library_elements(uint64_t bytes)
{
  return bytes / library_element(bytes);
}

static inline uint64_t library_power_below(int ranks)
{
  uint64_t power = 1;
  while (2 * power <= (uint64_t)ranks)
    power *= 2;
  return power;
}

/* An id of coll/tuned and a segment size; id 0: no rule. */
struct openmpi_pick {
  int id;
  int segment;
};

typedef struct openmpi_pick (*openmpi_rule)(tutti_collective collective, int ranks, uint64_t bytes);

/* The method that coll/tuned runs for what a rule picks, which is asked again for the parts. */
bool tutti_library_openmpi_method(openmpi_rule rule, const tutti_question *question, tutti_method *method);

/* The same for an algorithm that was picked otherwise. */
bool tutti_library_openmpi_picked(openmpi_rule rule, const tutti_question *question, const struct openmpi_pick *pick,
                                  tutti_method *method);

/* The id that coll/base runs for a pick: another one where the algorithm does not serve the call. */
int tutti_library_openmpi_served(const tutti_question *question, const struct openmpi_pick *pick);

/* Open MPI 4.1's own rule. */
struct openmpi_pick tutti_library_openmpi_4_1_rule(tutti_collective collective, int ranks, uint64_t bytes);

#endif
