/**
 * @file view.h
 * A view: the group that a collective runs on, without a communicator of its own.
 *
 * A view has a size, the own rank, a map from its ranks to the ranks of a base communicator, and a window of tags. The
 * identity view of a communicator and the views of ranges of it are made in constant time without a message (Axtmann,
 * Wiebigke, Sanders 2018). The base communicator is not duplicated: nobody else may send on it with tags of the window,
 * or receive from it with MPI_ANY_TAG, while operations run; and of two views that share more than one process only one
 * may run a blocking operation at a time. Duplicate the communicator once where that is too strict.
 */
#ifndef TUTTI_VIEW_H
#define TUTTI_VIEW_H

#include <mpi.h>

#include "tutti/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Tags that views use unless told otherwise; below the 32767 that MPI guarantees. */
#define TUTTI_FIRST_TAG 28672
#define TUTTI_TAG_COUNT 4096

/** A view. A value of constant size: copy freely; it owns nothing. */
typedef struct tutti_view {
  MPI_Comm comm; /**< base communicator */
  int size;
  int rank;      /**< own rank in the view, or -1 if the calling process is not in it */
  int first;     /**< rank r of the view is rank first + r * stride of the base communicator */
  int stride;    /**< != 0 */
  int first_tag; /**< blocking operations use this tag; the order of calls keeps them apart. A range inherits it. */
  int tag_count; /**< tags first_tag .. first_tag + tag_count - 1 belong to the view */
} tutti_view;

/** The view of all ranks of @p comm. TUTTI_ERR_MPI if it is not a valid intracommunicator. */
tutti_status tutti_view_of(MPI_Comm comm, tutti_view *view, tutti_error *error);

/**
 * The view of the ranks first, first + stride, ... up to @p last of @p parent (ranks of the parent; stride may be
 * negative, then last <= first). Constant time, no message; every process may call it, member or not.
 * @return TUTTI_ERR_ARGUMENT if the range is empty, leaves the parent or stride is 0.
 */
tutti_status tutti_view_range(const tutti_view *parent, int first, int last, int stride, tutti_view *view,
                              tutti_error *error);

/** Rank in the base communicator of rank @p rank of the view (0 <= rank < size). */
static inline int tutti_view_base_rank(const tutti_view *view, int rank)
{
  return view->first + rank * view->stride;
}

#ifdef __cplusplus
}
#endif
#endif
