/* The collectives, each in three forms. */
#include "algorithms/mpi/collectives/operation.h"

#define ALL_OF(...) __VA_ARGS__

/* tutti_NAME(), tutti_iNAME() and tutti_NAME_init(): `parameters` ends with a comma unless there are none. */
#define THREE_FORMS(name, parameters, ...)                                                                             \
  tutti_status tutti_##name(const tutti_method *method, ALL_OF parameters const tutti_view *view, tutti_error *error)  \
  {                                                                                                                    \
    struct arguments arguments = __VA_ARGS__;                                                                          \
    return tutti_run_blocking(method, &arguments, view, error);                                                        \
  }                                                                                                                    \
  tutti_status tutti_i##name(const tutti_method *method, ALL_OF parameters tutti_view *view, tutti_request **request,  \
                             tutti_error *error)                                                                       \
  {                                                                                                                    \
    struct arguments arguments = __VA_ARGS__;                                                                          \
    return tutti_run_nonblocking(method, &arguments, view, request, error);                                            \
  }                                                                                                                    \
  tutti_status tutti_##name##_init(const tutti_method *method, ALL_OF parameters tutti_view *view,                     \
                                   tutti_request **request, tutti_error *error)                                        \
  {                                                                                                                    \
    struct arguments arguments = __VA_ARGS__;                                                                          \
    return tutti_run_persistent(method, &arguments, view, request, error);                                             \
  }

/* Parameters for a buffer of equal blocks, of blocks of own lengths (V), and of own types, too (W), and what they are
   among the arguments; of a reduction for its operand and its result. @{ */
#define INPUT    const void *input, uint64_t input_count, MPI_Datatype input_type,
#define OUTPUT   void *output, uint64_t output_count, MPI_Datatype output_type,
#define INPUT_V  const void *input, const int *input_counts, const int *input_displacements, MPI_Datatype input_type,
#define OUTPUT_V void *output, const int *output_counts, const int *output_displacements, MPI_Datatype output_type,
#define INPUT_W                                                                                                        \
  const void *input, const int *input_counts, const int *input_displacements, const MPI_Datatype *input_types,
#define OUTPUT_W                                                                                                       \
  void *output, const int *output_counts, const int *output_displacements, const MPI_Datatype *output_types,
#define REDUCED       const void *input, void *output, uint64_t count, MPI_Datatype type, MPI_Op op,
#define EQUAL(buffer) .buffer = {.base = (void *)buffer, .count = buffer##_count, .type = buffer##_type}
#define OWN(buffer)                                                                                                    \
  .buffer = {.base = (void *)buffer,                                                                                   \
             .type = buffer##_type,                                                                                    \
             .counts = buffer##_counts,                                                                                \
             .displacements = buffer##_displacements}
#define TYPED(buffer)                                                                                                  \
  .buffer = {.base = (void *)buffer,                                                                                   \
             .counts = buffer##_counts,                                                                                \
             .types = buffer##_types,                                                                                  \
             .displacements = buffer##_displacements}
#define REDUCES                                                                                                        \
  .input = {.base = (void *)input, .type = type}, .output = {.base = output, .count = count, .type = type}, .op = op
/* @} */

THREE_FORMS(bcast, (void *buffer, uint64_t count, MPI_Datatype type, int root, ),
            {.collective = TUTTI_COLL_BCAST, .output = {.base = buffer, .count = count, .type = type}, .root = root})
THREE_FORMS(barrier, (), {.collective = TUTTI_COLL_BARRIER})
THREE_FORMS(scatter, (INPUT OUTPUT int root, ),
            {.collective = TUTTI_COLL_SCATTER, EQUAL(input), EQUAL(output), .root = root})
THREE_FORMS(scatterv, (INPUT_V OUTPUT int root, ),
            {.collective = TUTTI_COLL_SCATTERV, OWN(input), EQUAL(output), .root = root})
THREE_FORMS(gather, (INPUT OUTPUT int root, ),
            {.collective = TUTTI_COLL_GATHER, EQUAL(input), EQUAL(output), .root = root})
THREE_FORMS(gatherv, (INPUT OUTPUT_V int root, ),
            {.collective = TUTTI_COLL_GATHERV, EQUAL(input), OWN(output), .root = root})
THREE_FORMS(allgather, (INPUT OUTPUT), {.collective = TUTTI_COLL_ALLGATHER, EQUAL(input), EQUAL(output)})
THREE_FORMS(allgatherv, (INPUT OUTPUT_V), {.collective = TUTTI_COLL_ALLGATHERV, EQUAL(input), OWN(output)})
THREE_FORMS(alltoall, (INPUT OUTPUT), {.collective = TUTTI_COLL_ALLTOALL, EQUAL(input), EQUAL(output)})
THREE_FORMS(alltoallv, (INPUT_V OUTPUT_V), {.collective = TUTTI_COLL_ALLTOALLV, OWN(input), OWN(output)})
THREE_FORMS(alltoallw, (INPUT_W OUTPUT_W), {.collective = TUTTI_COLL_ALLTOALLW, TYPED(input), TYPED(output)})
THREE_FORMS(reduce, (REDUCED int root, ), {.collective = TUTTI_COLL_REDUCE, REDUCES, .root = root})
THREE_FORMS(reduce_scatter_block, (REDUCED), {.collective = TUTTI_COLL_REDUCE_SCATTER_BLOCK, REDUCES})
THREE_FORMS(reduce_scatter, (const void *input, void *output, const int *counts, MPI_Datatype type, MPI_Op op, ),
            {.collective = TUTTI_COLL_REDUCE_SCATTER,
             .input = {.base = (void *)input, .type = type},
             .output = {.base = output, .counts = counts, .type = type},
             .op = op})
THREE_FORMS(allreduce, (REDUCED), {.collective = TUTTI_COLL_ALLREDUCE, REDUCES})
THREE_FORMS(scan, (REDUCED), {.collective = TUTTI_COLL_SCAN, REDUCES})
THREE_FORMS(exscan, (REDUCED), {.collective = TUTTI_COLL_EXSCAN, REDUCES})
