/**
 * @file collectives.h
 * The collectives on MPI: build the schedule of a method and run it, blocking.
 *
 * Arguments are those of the MPI call of the same name, with a view in place of the communicator and the method in
 * front. Count, datatype and root must be the same on all ranks of the view: messages are cut into segments of whole
 * elements. Only members of the view may call.
 */
#ifndef TUTTI_COLLECTIVES_H
#define TUTTI_COLLECTIVES_H

#include "tutti/algorithm.h"
#include "tutti/run.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * MPI_Bcast by @p method.
 * @return TUTTI_ERR_ARGUMENT (method of another collective, root or rank out of range), TUTTI_ERR_UNSUPPORTED (outside
 *         the domain of the method), TUTTI_ERR_MEMORY, TUTTI_ERR_MPI. The same holds for the functions below.
 */
tutti_status tutti_bcast(const tutti_method *method, void *buffer, uint64_t count, MPI_Datatype type, int root,
                         const tutti_view *view, tutti_error *error);

/** MPI_Barrier by @p method. */
tutti_status tutti_barrier(const tutti_method *method, const tutti_view *view, tutti_error *error);

/** MPI_Reduce by @p method, not in place. @p output is significant at the root only. */
tutti_status tutti_reduce(const tutti_method *method, const void *input, void *output, uint64_t count,
                          MPI_Datatype type, MPI_Op op, int root, const tutti_view *view, tutti_error *error);

#ifdef __cplusplus
}
#endif
#endif
