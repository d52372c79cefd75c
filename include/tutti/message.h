/**
 * @file message.h
 * @ingroup mpi
 * Messages between the ranks of a view, and probes: the point-to-point part of range communicators (Axtmann, Wiebigke,
 * Sanders 2018, table I and section V-C).
 *
 * Arguments are those of the MPI call of the same name, with a view in place of the communicator; a source in a status
 * is a rank of the view. Nothing is agreed on beforehand: a message travels on the base communicator with the tag that
 * is given. What keeps views apart is therefore
 *  - who sends: a receive from MPI_ANY_SOURCE, or such a probe, takes messages of members of the view only. If messages
 *    of others with the tag came first, it looks for those of each member in turn, so strangers cannot block it;
 *  - the tag, where two views share more than one process (tutti_view_overlap()).
 *
 * Tags: 0 .. the upper bound of the MPI library, but none of the base communicator's window of views
 * (TUTTI_FIRST_TAG .. TUTTI_FIRST_TAG + TUTTI_TAG_COUNT - 1), in which collectives travel; MPI_ANY_TAG, which could
 * take their messages, is refused. A view may have tags of its own for messages (tutti_view.message_tag). Ranks:
 * members of the view; MPI_PROC_NULL is allowed.
 *
 * A sort (sort.h) that is under way on a view of the base communicator takes the eight tags below that window.
 *
 * Requests are those of collectives.h, and complete by the functions there; nonblocking calls need a view with a
 * tutti_progress. All return TUTTI_ERR_ARGUMENT (rank, tag, count), TUTTI_ERR_MEMORY, TUTTI_ERR_MPI; TUTTI_ERR_FAULT
 * if tutti_irecv_exclusive() took the message of a stranger.
 */
#ifndef TUTTI_MESSAGE_H
#define TUTTI_MESSAGE_H

#include "tutti/collectives.h"

#ifdef __cplusplus
extern "C" {
#endif

/** MPI_Send and MPI_Isend; in simulation the synchronous forms, as in run.h. @{ */
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

/** The same as tutti_irecv() from MPI_ANY_SOURCE, posted at once: for a tag with which nobody outside the view sends to
    this process while the receive is pending. */
tutti_status tutti_irecv_exclusive(void *buffer, uint64_t count, MPI_Datatype type, int tag, const tutti_view *view,
                                   tutti_request **request, tutti_error *error);

/** MPI_Probe and MPI_Iprobe. @{ */
tutti_status tutti_probe(int rank, int tag, const tutti_view *view, MPI_Status *status, tutti_error *error);
tutti_status tutti_iprobe(int rank, int tag, const tutti_view *view, bool *found, MPI_Status *status,
                          tutti_error *error);
/** @} */

/** As tutti_wait() and tutti_test(); @p status tells source (rank of the view), tag and count of a message that was
    received, and is empty for other operations. @{ */
tutti_status tutti_wait_message(tutti_request **request, MPI_Status *status, tutti_error *error);
tutti_status tutti_test_message(tutti_request **request, bool *done, MPI_Status *status, tutti_error *error);
/** @} */

#ifdef __cplusplus
}
#endif
#endif
