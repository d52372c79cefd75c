/* The other forms of collectives, which are counted and passed through: nonblocking and persistent ones, because MPI
   lets a rank that has started one stay in any other function of MPI, such as MPI_Recv(), until others have completed
   it: only the library can go on with it there. Neighborhood collectives, because Tutti has no methods for them. */
#include "interpose/calls.h"

#define FUNCTIONS_BEFORE TUTTI_SERVED_FUNCTIONS

#ifdef OPEN_MPI
#include <mpi-ext.h>
#endif

/* The three forms of a collective: of all ranks, or, with a prefix, of neighbors. */
#define NONBLOCKING(function, prefix, parameters, list, ...)                                                           \
  COUNTED(function, prefix "nonblocking", (ITEMS parameters, MPI_Request * request), (ITEMS list, request), __VA_ARGS__)
#define PERSISTENT(function, prefix, parameters, list, ...)                                                            \
  COUNTED(function, prefix "persistent", (ITEMS parameters, MPI_Info info, MPI_Request * request),                     \
          (ITEMS list, info, request), __VA_ARGS__)
#define BLOCKING(function, parameters, list, ...) COUNTED(function, "neighborhood", parameters, list, __VA_ARGS__)
#define BESIDE                                    "neighborhood, "

#define COUNT        int
#define DISPLACEMENT int
#define WIDE         false

#define COLLECTIVE(Name, name, ...) NONBLOCKING(MPI_I##name, "", __VA_ARGS__)
#define NEIGHBORS(Name, name, ...)  BLOCKING(MPI_##Name, __VA_ARGS__) NONBLOCKING(MPI_I##name, BESIDE, __VA_ARGS__)
#include "interpose/calls.def"

#if MPI_VERSION >= 4 || (defined OMPI_MAJOR_VERSION && OMPI_MAJOR_VERSION >= 5)
#define COLLECTIVE(Name, name, ...) PERSISTENT(MPI_##Name##_init, "", __VA_ARGS__)
#define NEIGHBORS(Name, name, ...)  PERSISTENT(MPI_##Name##_init, BESIDE, __VA_ARGS__)
#include "interpose/calls.def"
#endif

#ifdef OMPI_HAVE_MPI_EXT_PCOLLREQ /* Open MPI had them before MPI 4 */
#define COLLECTIVE(Name, name, ...) PERSISTENT(MPIX_##Name##_init, "", __VA_ARGS__)
#define NEIGHBORS(Name, name, ...)  PERSISTENT(MPIX_##Name##_init, BESIDE, __VA_ARGS__)
#include "interpose/calls.def"
#endif

#if MPI_VERSION >= 4

#undef COUNT
#undef DISPLACEMENT
#undef WIDE
#define COUNT        MPI_Count
#define DISPLACEMENT MPI_Aint
#define WIDE         true

#define COUNTLESS(Name, name, ...)
#define COLLECTIVE(Name, name, ...)                                                                                    \
  NONBLOCKING(MPI_I##name##_c, "", __VA_ARGS__) PERSISTENT(MPI_##Name##_init_c, "", __VA_ARGS__)
#define NEIGHBORS(Name, name, ...)                                                                                     \
  BLOCKING(MPI_##Name##_c, __VA_ARGS__)                                                                                \
  NONBLOCKING(MPI_I##name##_c, BESIDE, __VA_ARGS__)                                                                    \
  PERSISTENT(MPI_##Name##_init_c, BESIDE, __VA_ARGS__)
#include "interpose/calls.def"

#endif

#ifndef SMPI_HELPERS_H
_Static_assert(FUNCTIONS_BEFORE + __COUNTER__ <= TUTTI_FUNCTIONS, "the table of functions is too short");
#endif
