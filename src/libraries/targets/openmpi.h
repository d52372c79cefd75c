/* What coll/tuned of Open MPI can be told. */
#ifndef TUTTI_DECISION_TARGETS_OPENMPI_H
#define TUTTI_DECISION_TARGETS_OPENMPI_H

#include "libraries/targets/targets.h"

/* A cell of a rules file. Algorithm 0: Open MPI's own choice. */
struct openmpi_cell {
  int algorithm, faninout, max_requests;
  uint64_t segment_bytes;
};

/* The cell of a method; false if coll/tuned cannot run it as it is. `requests`: can limits of requests be told? */
bool tutti_openmpi_cell_of(const tutti_method *method, int ranks, bool requests, struct openmpi_cell *cell);

/* COLLTYPE of coll_base_functions.h; -1 if coll/tuned has no choice. */
int tutti_openmpi_collective(tutti_collective collective);

/* What coll_tuned_decision_dynamic.c compares. */
tutti_size_unit tutti_openmpi_unit(tutti_collective collective);

/* Print the environment that activates a rules file. */
void tutti_openmpi_print_use(const char *path, FILE *stream);

/* From 5.0 on coll/han goes before coll/tuned and hides it. */
void tutti_openmpi_print_no_han(FILE *stream);

#endif
