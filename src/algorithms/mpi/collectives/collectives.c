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

THREE_FORMS(bcast, (void *buffer, uint64_t count, MPI_Datatype type, int root, ),
            {.collective = TUTTI_COLL_BCAST, .output = {.base = buffer, .count = count, .type = type}, .root = root})

THREE_FORMS(barrier, (), {.collective = TUTTI_COLL_BARRIER})

THREE_FORMS(scatter,
            (const void *input, uint64_t input_count, MPI_Datatype input_type, void *output, uint64_t output_count,
             MPI_Datatype output_type, int root, ),
            {.collective = TUTTI_COLL_SCATTER,
             .input = {.base = (void *)input, .count = input_count, .type = input_type},
             .output = {.base = output, .count = output_count, .type = output_type},
             .root = root})

THREE_FORMS(
    scatterv,
    (const void *input, const int *input_counts, const int *displacements, MPI_Datatype input_type, void *output,
     uint64_t output_count, MPI_Datatype output_type, int root, ),
    {.collective = TUTTI_COLL_SCATTERV,
     .input = {.base = (void *)input, .type = input_type, .counts = input_counts, .displacements = displacements},
     .output = {.base = output, .count = output_count, .type = output_type},
     .root = root})

THREE_FORMS(gather,
            (const void *input, uint64_t input_count, MPI_Datatype input_type, void *output, uint64_t output_count,
             MPI_Datatype output_type, int root, ),
            {.collective = TUTTI_COLL_GATHER,
             .input = {.base = (void *)input, .count = input_count, .type = input_type},
             .output = {.base = output, .count = output_count, .type = output_type},
             .root = root})

THREE_FORMS(gatherv,
            (const void *input, uint64_t input_count, MPI_Datatype input_type, void *output, const int *output_counts,
             const int *displacements, MPI_Datatype output_type, int root, ),
            {.collective = TUTTI_COLL_GATHERV,
             .input = {.base = (void *)input, .count = input_count, .type = input_type},
             .output = {.base = output, .type = output_type, .counts = output_counts, .displacements = displacements},
             .root = root})

THREE_FORMS(allgather,
            (const void *input, uint64_t input_count, MPI_Datatype input_type, void *output, uint64_t output_count,
             MPI_Datatype output_type, ),
            {.collective = TUTTI_COLL_ALLGATHER,
             .input = {.base = (void *)input, .count = input_count, .type = input_type},
             .output = {.base = output, .count = output_count, .type = output_type}})

THREE_FORMS(allgatherv,
            (const void *input, uint64_t input_count, MPI_Datatype input_type, void *output, const int *output_counts,
             const int *displacements, MPI_Datatype output_type, ),
            {.collective = TUTTI_COLL_ALLGATHERV,
             .input = {.base = (void *)input, .count = input_count, .type = input_type},
             .output = {.base = output, .type = output_type, .counts = output_counts, .displacements = displacements}})

THREE_FORMS(alltoall,
            (const void *input, uint64_t input_count, MPI_Datatype input_type, void *output, uint64_t output_count,
             MPI_Datatype output_type, ),
            {.collective = TUTTI_COLL_ALLTOALL,
             .input = {.base = (void *)input, .count = input_count, .type = input_type},
             .output = {.base = output, .count = output_count, .type = output_type}})

THREE_FORMS(
    alltoallv,
    (const void *input, const int *input_counts, const int *input_displacements, MPI_Datatype input_type, void *output,
     const int *output_counts, const int *output_displacements, MPI_Datatype output_type, ),
    {.collective = TUTTI_COLL_ALLTOALLV,
     .input = {.base = (void *)input, .type = input_type, .counts = input_counts, .displacements = input_displacements},
     .output = {.base = output, .type = output_type, .counts = output_counts, .displacements = output_displacements}})

THREE_FORMS(
    alltoallw,
    (const void *input, const int *input_counts, const int *input_displacements, const MPI_Datatype *input_types,
     void *output, const int *output_counts, const int *output_displacements, const MPI_Datatype *output_types, ),
    {.collective = TUTTI_COLL_ALLTOALLW,
     .input =
         {.base = (void *)input, .counts = input_counts, .types = input_types, .displacements = input_displacements},
     .output = {.base = output, .counts = output_counts, .types = output_types, .displacements = output_displacements}})

THREE_FORMS(reduce, (const void *input, void *output, uint64_t count, MPI_Datatype type, MPI_Op op, int root, ),
            {.collective = TUTTI_COLL_REDUCE,
             .input = {.base = (void *)input, .type = type},
             .output = {.base = output, .count = count, .type = type},
             .op = op,
             .root = root})

THREE_FORMS(reduce_scatter_block, (const void *input, void *output, uint64_t count, MPI_Datatype type, MPI_Op op, ),
            {.collective = TUTTI_COLL_REDUCE_SCATTER_BLOCK,
             .input = {.base = (void *)input, .type = type},
             .output = {.base = output, .count = count, .type = type},
             .op = op})

THREE_FORMS(reduce_scatter, (const void *input, void *output, const int *counts, MPI_Datatype type, MPI_Op op, ),
            {.collective = TUTTI_COLL_REDUCE_SCATTER,
             .input = {.base = (void *)input, .type = type},
             .output = {.base = output, .counts = counts, .type = type},
             .op = op})

THREE_FORMS(allreduce, (const void *input, void *output, uint64_t count, MPI_Datatype type, MPI_Op op, ),
            {.collective = TUTTI_COLL_ALLREDUCE,
             .input = {.base = (void *)input, .type = type},
             .output = {.base = output, .count = count, .type = type},
             .op = op})

THREE_FORMS(scan, (const void *input, void *output, uint64_t count, MPI_Datatype type, MPI_Op op, ),
            {.collective = TUTTI_COLL_SCAN,
             .input = {.base = (void *)input, .type = type},
             .output = {.base = output, .count = count, .type = type},
             .op = op})

THREE_FORMS(exscan, (const void *input, void *output, uint64_t count, MPI_Datatype type, MPI_Op op, ),
            {.collective = TUTTI_COLL_EXSCAN,
             .input = {.base = (void *)input, .type = type},
             .output = {.base = output, .count = count, .type = type},
             .op = op})
