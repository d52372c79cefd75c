/* Collectives by the names that a program in Fortran calls them by, in front of the library's bindings: where in the
   program the call stands, which the bindings hide. All arguments are addresses, whose number is all that counts: of
   mpif.h and the module mpi (mpi_bcast_), of mpi_f08 (mpi_bcast_f08_ of Open MPI, and of MPICH where there is no
   buffer, else mpi_bcast_f08ts_, whose buffers are addresses of descriptors). */
#include "interpose/mpi_functions.h"

#define FUNCTIONS_BEFORE TUTTI_FUNCTIONS

/* The outermost call counts: bindings may call each other. */
#define IN_FRONT(symbol, parameters, list)                                                                             \
  void symbol parameters;                                                                                              \
  void symbol parameters                                                                                               \
  {                                                                                                                    \
    const void *outer = tutti_fortran_site;                                                                            \
    void (*next)(void) = tutti_library_function(FUNCTIONS_BEFORE + __COUNTER__, #symbol);                              \
    if (!outer)                                                                                                        \
      tutti_fortran_site = __builtin_return_address(0);                                                                \
    ((void(*) parameters)next) list;                                                                                   \
    tutti_fortran_site = outer;                                                                                        \
  }

#define PARAMETERS_2  void *a, void *b
#define PARAMETERS_3  PARAMETERS_2, void *c
#define PARAMETERS_6  PARAMETERS_3, void *d, void *e, void *f
#define PARAMETERS_7  PARAMETERS_6, void *g
#define PARAMETERS_8  PARAMETERS_7, void *h
#define PARAMETERS_9  PARAMETERS_8, void *i
#define PARAMETERS_10 PARAMETERS_9, void *j
#define PARAMETERS_11 PARAMETERS_10, void *k
#define LIST_2        a, b
#define LIST_3        LIST_2, c
#define LIST_6        LIST_3, d, e, f
#define LIST_7        LIST_6, g
#define LIST_8        LIST_7, h
#define LIST_9        LIST_8, i
#define LIST_10       LIST_9, j
#define LIST_11       LIST_10, k

#define NAMES(name, n)                                                                                                 \
  IN_FRONT(mpi_##name##_, (PARAMETERS_##n), (LIST_##n))                                                                \
  IN_FRONT(mpi_##name##_f08_, (PARAMETERS_##n), (LIST_##n))                                                            \
  IN_FRONT(mpi_##name##_f08ts_, (PARAMETERS_##n), (LIST_##n))

/* The arguments, the error among them, of the blocking form; the nonblocking one has a request, too. */
#define COLLECTIVE(name, n, more) NAMES(name, n) NAMES(i##name, more)

COLLECTIVE(barrier, 2, 3)
COLLECTIVE(bcast, 6, 7)
COLLECTIVE(scatter, 9, 10)
COLLECTIVE(scatterv, 10, 11)
COLLECTIVE(gather, 9, 10)
COLLECTIVE(gatherv, 10, 11)
COLLECTIVE(allgather, 8, 9)
COLLECTIVE(allgatherv, 9, 10)
COLLECTIVE(alltoall, 8, 9)
COLLECTIVE(alltoallv, 10, 11)
COLLECTIVE(alltoallw, 10, 11)
COLLECTIVE(reduce, 8, 9)
COLLECTIVE(reduce_scatter_block, 7, 8)
COLLECTIVE(reduce_scatter, 7, 8)
COLLECTIVE(allreduce, 7, 8)
COLLECTIVE(scan, 7, 8)
COLLECTIVE(exscan, 7, 8)
COLLECTIVE(neighbor_allgather, 8, 9)
COLLECTIVE(neighbor_allgatherv, 9, 10)
COLLECTIVE(neighbor_alltoall, 8, 9)
COLLECTIVE(neighbor_alltoallv, 10, 11)
COLLECTIVE(neighbor_alltoallw, 10, 11)

_Static_assert(__COUNTER__ <= TUTTI_FORTRAN_FUNCTIONS, "too few numbers of functions");
