/**
 * @file collectives.h
 * @ingroup mpi
 * The collectives on MPI, each in three forms: blocking, nonblocking and persistent.
 *
 * Arguments are those of the MPI call of the same name, with a view in place of the communicator and the method in
 * front. The same is allowed as in MPI: MPI_IN_PLACE, MPI_BOTTOM, derived datatypes with gaps and negative lower
 * bounds, different datatypes of the same signature on different ranks, user-defined operations, counts of zero,
 * messages and totals above 2^31 bytes. Only members of the view may call.
 *
 * Data that is only moved is sent as bytes: a datatype that is not consecutive bytes in order is packed before the
 * operation and unpacked after it, into memory of the operation. Data that is reduced keeps its datatype. An input in
 * place is copied first.
 *
 * tutti_NAME() returns when the operation is complete at the calling rank. tutti_iNAME() and tutti_NAME_init() need a
 * view with a tutti_progress, which a program sets once (run.h); they return a request to be completed, or
 * started, by the functions below. Buffers follow the rules of MPI: they must not be accessed before completion. Arrays
 * are copied at once and datatypes kept (not under SMPI 3.32, whose duplicates end too early), so both may be freed; a
 * program's operation sees the datatype of the call. Operations, which MPI cannot duplicate, must live as long as the
 * request. If all tags of a view are in use a nonblocking operation waits for the oldest and a persistent one is
 * refused. A persistent operation keeps its schedule: after its first start Tutti allocates no memory.
 *
 * All return TUTTI_ERR_ARGUMENT (method of another collective, root or rank out of range, a view without progress or
 * tags), TUTTI_ERR_UNSUPPORTED (outside the domain of the method), TUTTI_ERR_MEMORY, TUTTI_ERR_MPI.
 *
 * **Messages** between the ranks of a view, and probes: the point-to-point part of range communicators (Axtmann,
 * Wiebigke, Sanders 2018, table I and section V-C). Arguments are those of the MPI call of the same name, with a view
 * in place of the communicator; a source in a status is a rank of the view. A message travels on the base communicator
 * with the given tag; no agreement is needed before. Two things keep views apart:
 *  - the sender: a receive from MPI_ANY_SOURCE, or such a probe, takes messages of members of the view only. If
 * messages of others with the tag came first, it probes for those of each member in turn, so that processes outside the
 * view cannot block it;
 *  - the tag, where two views share more than one process (tutti_view_overlap()).
 *
 * Tags: 0 .. the upper bound of the MPI library, except the base communicator's tag range of views
 * (TUTTI_FIRST_TAG .. TUTTI_FIRST_TAG + TUTTI_TAG_COUNT - 1), which collectives use; MPI_ANY_TAG is refused, as it
 * could take their messages. A view may have tags of its own for messages (tutti_view.message_tag). Ranks: members of
 * the view; MPI_PROC_NULL is allowed.
 *
 * A sort (sort.h) that is under way on a view of the base communicator takes the eight tags below that tag range.
 *
 * Nonblocking messages need a view with a tutti_progress, and complete like nonblocking collectives. All return
 * TUTTI_ERR_ARGUMENT (rank, tag, count), TUTTI_ERR_MEMORY, TUTTI_ERR_MPI; TUTTI_ERR_FAULT if tutti_irecv_exclusive()
 * took the message of a process outside the view.
 */
#ifndef TUTTI_COLLECTIVES_H
#define TUTTI_COLLECTIVES_H

#include "tutti/algorithm.h"
#include "tutti/run.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A nonblocking or persistent operation. Opaque; owned by the caller until completed or freed. */
typedef struct tutti_request tutti_request;

/* ---- the collectives ---- */

/** MPI_Bcast. @{ */
tutti_status tutti_bcast(const tutti_method *method, void *buffer, uint64_t count, MPI_Datatype type, int root,
                         const tutti_view *view, tutti_error *error);
tutti_status tutti_ibcast(const tutti_method *method, void *buffer, uint64_t count, MPI_Datatype type, int root,
                          tutti_view *view, tutti_request **request, tutti_error *error);
tutti_status tutti_bcast_init(const tutti_method *method, void *buffer, uint64_t count, MPI_Datatype type, int root,
                              tutti_view *view, tutti_request **request, tutti_error *error);
/** @} */

/** MPI_Barrier. @{ */
tutti_status tutti_barrier(const tutti_method *method, const tutti_view *view, tutti_error *error);
tutti_status tutti_ibarrier(const tutti_method *method, tutti_view *view, tutti_request **request, tutti_error *error);
tutti_status tutti_barrier_init(const tutti_method *method, tutti_view *view, tutti_request **request,
                                tutti_error *error);
/** @} */

/** MPI_Scatter. Input counts are elements for each rank; the input is significant at the root only, where @p output may
 * be MPI_IN_PLACE. @{ */
tutti_status tutti_scatter(const tutti_method *method, const void *input, uint64_t input_count, MPI_Datatype input_type,
                           void *output, uint64_t output_count, MPI_Datatype output_type, int root,
                           const tutti_view *view, tutti_error *error);
tutti_status tutti_iscatter(const tutti_method *method, const void *input, uint64_t input_count,
                            MPI_Datatype input_type, void *output, uint64_t output_count, MPI_Datatype output_type,
                            int root, tutti_view *view, tutti_request **request, tutti_error *error);
tutti_status tutti_scatter_init(const tutti_method *method, const void *input, uint64_t input_count,
                                MPI_Datatype input_type, void *output, uint64_t output_count, MPI_Datatype output_type,
                                int root, tutti_view *view, tutti_request **request, tutti_error *error);
/** @} */

/** MPI_Scatterv. @{ */
tutti_status tutti_scatterv(const tutti_method *method, const void *input, const int *input_counts,
                            const int *displacements, MPI_Datatype input_type, void *output, uint64_t output_count,
                            MPI_Datatype output_type, int root, const tutti_view *view, tutti_error *error);
tutti_status tutti_iscatterv(const tutti_method *method, const void *input, const int *input_counts,
                             const int *displacements, MPI_Datatype input_type, void *output, uint64_t output_count,
                             MPI_Datatype output_type, int root, tutti_view *view, tutti_request **request,
                             tutti_error *error);
tutti_status tutti_scatterv_init(const tutti_method *method, const void *input, const int *input_counts,
                                 const int *displacements, MPI_Datatype input_type, void *output, uint64_t output_count,
                                 MPI_Datatype output_type, int root, tutti_view *view, tutti_request **request,
                                 tutti_error *error);
/** @} */

/** MPI_Gather. Output counts are elements from each rank; the output is significant at the root only, where @p input
 * may be MPI_IN_PLACE. @{ */
tutti_status tutti_gather(const tutti_method *method, const void *input, uint64_t input_count, MPI_Datatype input_type,
                          void *output, uint64_t output_count, MPI_Datatype output_type, int root,
                          const tutti_view *view, tutti_error *error);
tutti_status tutti_igather(const tutti_method *method, const void *input, uint64_t input_count, MPI_Datatype input_type,
                           void *output, uint64_t output_count, MPI_Datatype output_type, int root, tutti_view *view,
                           tutti_request **request, tutti_error *error);
tutti_status tutti_gather_init(const tutti_method *method, const void *input, uint64_t input_count,
                               MPI_Datatype input_type, void *output, uint64_t output_count, MPI_Datatype output_type,
                               int root, tutti_view *view, tutti_request **request, tutti_error *error);
/** @} */

/** MPI_Gatherv. @{ */
tutti_status tutti_gatherv(const tutti_method *method, const void *input, uint64_t input_count, MPI_Datatype input_type,
                           void *output, const int *output_counts, const int *displacements, MPI_Datatype output_type,
                           int root, const tutti_view *view, tutti_error *error);
tutti_status tutti_igatherv(const tutti_method *method, const void *input, uint64_t input_count,
                            MPI_Datatype input_type, void *output, const int *output_counts, const int *displacements,
                            MPI_Datatype output_type, int root, tutti_view *view, tutti_request **request,
                            tutti_error *error);
tutti_status tutti_gatherv_init(const tutti_method *method, const void *input, uint64_t input_count,
                                MPI_Datatype input_type, void *output, const int *output_counts,
                                const int *displacements, MPI_Datatype output_type, int root, tutti_view *view,
                                tutti_request **request, tutti_error *error);
/** @} */

/** MPI_Allgather. @p input may be MPI_IN_PLACE. @{ */
tutti_status tutti_allgather(const tutti_method *method, const void *input, uint64_t input_count,
                             MPI_Datatype input_type, void *output, uint64_t output_count, MPI_Datatype output_type,
                             const tutti_view *view, tutti_error *error);
tutti_status tutti_iallgather(const tutti_method *method, const void *input, uint64_t input_count,
                              MPI_Datatype input_type, void *output, uint64_t output_count, MPI_Datatype output_type,
                              tutti_view *view, tutti_request **request, tutti_error *error);
tutti_status tutti_allgather_init(const tutti_method *method, const void *input, uint64_t input_count,
                                  MPI_Datatype input_type, void *output, uint64_t output_count,
                                  MPI_Datatype output_type, tutti_view *view, tutti_request **request,
                                  tutti_error *error);
/** @} */

/** MPI_Allgatherv. @p input may be MPI_IN_PLACE. @{ */
tutti_status tutti_allgatherv(const tutti_method *method, const void *input, uint64_t input_count,
                              MPI_Datatype input_type, void *output, const int *output_counts, const int *displacements,
                              MPI_Datatype output_type, const tutti_view *view, tutti_error *error);
tutti_status tutti_iallgatherv(const tutti_method *method, const void *input, uint64_t input_count,
                               MPI_Datatype input_type, void *output, const int *output_counts,
                               const int *displacements, MPI_Datatype output_type, tutti_view *view,
                               tutti_request **request, tutti_error *error);
tutti_status tutti_allgatherv_init(const tutti_method *method, const void *input, uint64_t input_count,
                                   MPI_Datatype input_type, void *output, const int *output_counts,
                                   const int *displacements, MPI_Datatype output_type, tutti_view *view,
                                   tutti_request **request, tutti_error *error);
/** @} */

/** MPI_Alltoall. @p input may be MPI_IN_PLACE. @{ */
tutti_status tutti_alltoall(const tutti_method *method, const void *input, uint64_t input_count,
                            MPI_Datatype input_type, void *output, uint64_t output_count, MPI_Datatype output_type,
                            const tutti_view *view, tutti_error *error);
tutti_status tutti_ialltoall(const tutti_method *method, const void *input, uint64_t input_count,
                             MPI_Datatype input_type, void *output, uint64_t output_count, MPI_Datatype output_type,
                             tutti_view *view, tutti_request **request, tutti_error *error);
tutti_status tutti_alltoall_init(const tutti_method *method, const void *input, uint64_t input_count,
                                 MPI_Datatype input_type, void *output, uint64_t output_count, MPI_Datatype output_type,
                                 tutti_view *view, tutti_request **request, tutti_error *error);
/** @} */

/** MPI_Alltoallv. @p input may be MPI_IN_PLACE. @{ */
tutti_status tutti_alltoallv(const tutti_method *method, const void *input, const int *input_counts,
                             const int *input_displacements, MPI_Datatype input_type, void *output,
                             const int *output_counts, const int *output_displacements, MPI_Datatype output_type,
                             const tutti_view *view, tutti_error *error);
tutti_status tutti_ialltoallv(const tutti_method *method, const void *input, const int *input_counts,
                              const int *input_displacements, MPI_Datatype input_type, void *output,
                              const int *output_counts, const int *output_displacements, MPI_Datatype output_type,
                              tutti_view *view, tutti_request **request, tutti_error *error);
tutti_status tutti_alltoallv_init(const tutti_method *method, const void *input, const int *input_counts,
                                  const int *input_displacements, MPI_Datatype input_type, void *output,
                                  const int *output_counts, const int *output_displacements, MPI_Datatype output_type,
                                  tutti_view *view, tutti_request **request, tutti_error *error);
/** @} */

/** MPI_Alltoallw: displacements are in bytes. @p input may be MPI_IN_PLACE. @{ */
tutti_status tutti_alltoallw(const tutti_method *method, const void *input, const int *input_counts,
                             const int *input_displacements, const MPI_Datatype *input_types, void *output,
                             const int *output_counts, const int *output_displacements,
                             const MPI_Datatype *output_types, const tutti_view *view, tutti_error *error);
tutti_status tutti_ialltoallw(const tutti_method *method, const void *input, const int *input_counts,
                              const int *input_displacements, const MPI_Datatype *input_types, void *output,
                              const int *output_counts, const int *output_displacements,
                              const MPI_Datatype *output_types, tutti_view *view, tutti_request **request,
                              tutti_error *error);
tutti_status tutti_alltoallw_init(const tutti_method *method, const void *input, const int *input_counts,
                                  const int *input_displacements, const MPI_Datatype *input_types, void *output,
                                  const int *output_counts, const int *output_displacements,
                                  const MPI_Datatype *output_types, tutti_view *view, tutti_request **request,
                                  tutti_error *error);
/** @} */

/** MPI_Reduce. @p output is significant at the root only, where @p input may be MPI_IN_PLACE. @{ */
tutti_status tutti_reduce(const tutti_method *method, const void *input, void *output, uint64_t count,
                          MPI_Datatype type, MPI_Op op, int root, const tutti_view *view, tutti_error *error);
tutti_status tutti_ireduce(const tutti_method *method, const void *input, void *output, uint64_t count,
                           MPI_Datatype type, MPI_Op op, int root, tutti_view *view, tutti_request **request,
                           tutti_error *error);
tutti_status tutti_reduce_init(const tutti_method *method, const void *input, void *output, uint64_t count,
                               MPI_Datatype type, MPI_Op op, int root, tutti_view *view, tutti_request **request,
                               tutti_error *error);
/** @} */

/** MPI_Reduce_scatter_block. @p count is that of one block. @p input may be MPI_IN_PLACE. @{ */
tutti_status tutti_reduce_scatter_block(const tutti_method *method, const void *input, void *output, uint64_t count,
                                        MPI_Datatype type, MPI_Op op, const tutti_view *view, tutti_error *error);
tutti_status tutti_ireduce_scatter_block(const tutti_method *method, const void *input, void *output, uint64_t count,
                                         MPI_Datatype type, MPI_Op op, tutti_view *view, tutti_request **request,
                                         tutti_error *error);
tutti_status tutti_reduce_scatter_block_init(const tutti_method *method, const void *input, void *output,
                                             uint64_t count, MPI_Datatype type, MPI_Op op, tutti_view *view,
                                             tutti_request **request, tutti_error *error);
/** @} */

/** MPI_Reduce_scatter. @p input may be MPI_IN_PLACE. @{ */
tutti_status tutti_reduce_scatter(const tutti_method *method, const void *input, void *output, const int *counts,
                                  MPI_Datatype type, MPI_Op op, const tutti_view *view, tutti_error *error);
tutti_status tutti_ireduce_scatter(const tutti_method *method, const void *input, void *output, const int *counts,
                                   MPI_Datatype type, MPI_Op op, tutti_view *view, tutti_request **request,
                                   tutti_error *error);
tutti_status tutti_reduce_scatter_init(const tutti_method *method, const void *input, void *output, const int *counts,
                                       MPI_Datatype type, MPI_Op op, tutti_view *view, tutti_request **request,
                                       tutti_error *error);
/** @} */

/** MPI_Allreduce. @p input may be MPI_IN_PLACE. @{ */
tutti_status tutti_allreduce(const tutti_method *method, const void *input, void *output, uint64_t count,
                             MPI_Datatype type, MPI_Op op, const tutti_view *view, tutti_error *error);
tutti_status tutti_iallreduce(const tutti_method *method, const void *input, void *output, uint64_t count,
                              MPI_Datatype type, MPI_Op op, tutti_view *view, tutti_request **request,
                              tutti_error *error);
tutti_status tutti_allreduce_init(const tutti_method *method, const void *input, void *output, uint64_t count,
                                  MPI_Datatype type, MPI_Op op, tutti_view *view, tutti_request **request,
                                  tutti_error *error);
/** @} */

/**
 * Combine numbers in a row, of which each rank holds some, to one: the same bits on any number of ranks and for any
 * parts of the row that they hold (reproducible.h). Blocking. The schedule is built in each call, in time and memory
 * that grow with the own numbers.
 * @param method  of reduce or allreduce, by an algorithm that distributes: reduce/fixed-tree, allreduce/fixed-tree
 * @param input   the own numbers, one after the other, each of @p count elements
 * @param leaves  [size + 1] rank r has numbers leaves[r] to leaves[r + 1] - 1; leaves[0] is 0; the same on all ranks
 * @param output  count elements, of reduce significant at the root only; left alone if there are no numbers
 * @param root    not read for an allreduce
 */
tutti_status tutti_combine_row(const tutti_method *method, const void *input, const uint64_t *leaves, void *output,
                               uint64_t count, MPI_Datatype type, MPI_Op op, int root, const tutti_view *view,
                               tutti_error *error);

/** MPI_Scan. @p input may be MPI_IN_PLACE. @{ */
tutti_status tutti_scan(const tutti_method *method, const void *input, void *output, uint64_t count, MPI_Datatype type,
                        MPI_Op op, const tutti_view *view, tutti_error *error);
tutti_status tutti_iscan(const tutti_method *method, const void *input, void *output, uint64_t count, MPI_Datatype type,
                         MPI_Op op, tutti_view *view, tutti_request **request, tutti_error *error);
tutti_status tutti_scan_init(const tutti_method *method, const void *input, void *output, uint64_t count,
                             MPI_Datatype type, MPI_Op op, tutti_view *view, tutti_request **request,
                             tutti_error *error);
/** @} */

/** MPI_Exscan. @p input may be MPI_IN_PLACE. The output of rank 0 is left alone. @{ */
tutti_status tutti_exscan(const tutti_method *method, const void *input, void *output, uint64_t count,
                          MPI_Datatype type, MPI_Op op, const tutti_view *view, tutti_error *error);
tutti_status tutti_iexscan(const tutti_method *method, const void *input, void *output, uint64_t count,
                           MPI_Datatype type, MPI_Op op, tutti_view *view, tutti_request **request, tutti_error *error);
tutti_status tutti_exscan_init(const tutti_method *method, const void *input, void *output, uint64_t count,
                               MPI_Datatype type, MPI_Op op, tutti_view *view, tutti_request **request,
                               tutti_error *error);
/** @} */

/* ---- completing and starting ---- */

/**
 * Wait for an operation, driving all that share its progress. A nonblocking one is freed and *request becomes NULL; a
 * persistent one becomes inactive. NULL, or an inactive request, is complete. The status is that of the operation; its
 * request cannot be used again if it failed.
 */
tutti_status tutti_wait(tutti_request **request, tutti_error *error);

/** The same without waiting: *done is whether the operation was complete. */
tutti_status tutti_test(tutti_request **request, bool *done, tutti_error *error);

/** Wait for all of @p count requests. Returns the first failure, having completed those it could. */
tutti_status tutti_waitall(size_t count, tutti_request **requests, tutti_error *error);

/** Wait until one of @p count requests of the same progress is complete, treat it as tutti_wait() does, and return its
 *index, the lowest of several. NULL and inactive requests are ignored; *index is @p count without others. */
tutti_status tutti_waitany(size_t count, tutti_request **requests, size_t *index, tutti_error *error);

/** *done if all are complete; then all are treated as by tutti_wait(), else none is. */
tutti_status tutti_testall(size_t count, tutti_request **requests, bool *done, tutti_error *error);

/** Start a persistent operation that is inactive: TUTTI_ERR_ARGUMENT if it is not. */
tutti_status tutti_start(tutti_request *request, tutti_error *error);

/** Start @p count persistent operations. */
tutti_status tutti_startall(size_t count, tutti_request **requests, tutti_error *error);

/** Free an inactive persistent request; *request becomes NULL. TUTTI_ERR_ARGUMENT if it is active. */
tutti_status tutti_request_free(tutti_request **request, tutti_error *error);

/** MPI_Send and MPI_Isend. @{ */
tutti_status tutti_send(const void *buffer, uint64_t count, MPI_Datatype type, int rank, int tag,
                        const tutti_view *view, tutti_error *error);
tutti_status tutti_isend(const void *buffer, uint64_t count, MPI_Datatype type, int rank, int tag,
                         const tutti_view *view, tutti_request **request, tutti_error *error);
/** @} */

/** MPI_Recv and MPI_Irecv. @p rank may be MPI_ANY_SOURCE; a nonblocking one then looks for a message at each test, and
    posts its receive when one is there. @p status may be MPI_STATUS_IGNORE. @{ */
tutti_status tutti_recv(void *buffer, uint64_t count, MPI_Datatype type, int rank, int tag, const tutti_view *view,
                        MPI_Status *status, tutti_error *error);
tutti_status tutti_irecv(void *buffer, uint64_t count, MPI_Datatype type, int rank, int tag, const tutti_view *view,
                         tutti_request **request, tutti_error *error);
/** @} */

/** The same as tutti_irecv() from MPI_ANY_SOURCE, posted at once: for a tag with which no process outside the view
   sends to this process while the receive is pending. */
tutti_status tutti_irecv_exclusive(void *buffer, uint64_t count, MPI_Datatype type, int tag, const tutti_view *view,
                                   tutti_request **request, tutti_error *error);

/** MPI_Probe and MPI_Iprobe. @{ */
tutti_status tutti_probe(int rank, int tag, const tutti_view *view, MPI_Status *status, tutti_error *error);
tutti_status tutti_iprobe(int rank, int tag, const tutti_view *view, bool *found, MPI_Status *status,
                          tutti_error *error);
/** @} */

/** As tutti_wait() and tutti_test(); @p status has source (rank of the view), tag and count of a message that was
    received, and is empty for other operations. @{ */
tutti_status tutti_wait_message(tutti_request **request, MPI_Status *status, tutti_error *error);
tutti_status tutti_test_message(tutti_request **request, bool *done, MPI_Status *status, tutti_error *error);
/** @} */

#ifdef __cplusplus
}
#endif
#endif
