/* The other forms of collectives: nonblocking and persistent ones, which are served if the policy asks for it
   (started.h), and neighborhood collectives, likewise (near.h); else counted and passed through. */
#include "interpose/calls.h"
#include "interpose/serve/near.h"
#include "interpose/serve/started.h"

#define FUNCTIONS_BEFORE TUTTI_SERVED_FUNCTIONS

#ifdef OPEN_MPI
#include <mpi-ext.h>
#endif

/* A nonblocking or persistent collective of all ranks: `serve` serves it if it can be. */
#define STARTED(function, serve, form, persistent, parameters, list, ...)                                              \
  STANDS_IN_FRONT(function, parameters, list)                                                                          \
  int function parameters                                                                                              \
  {                                                                                                                    \
    SET_CALL(tutti_site(__builtin_return_address(0)), __VA_ARGS__);                                                    \
    int result;                                                                                                        \
    if (serve(&call, comm, form, request, &result))                                                                    \
      return result;                                                                                                   \
    call.prepares = (persistent);                                                                                      \
    call.request = request;                                                                                            \
    return tutti_passed(&call, comm, library_##function list);                                                         \
  }

#define NONBLOCKING(function, parameters, list, ...)                                                                   \
  STARTED(function, tutti_serve_nonblocking, "nonblocking", false, (ITEMS parameters, MPI_Request * request),          \
          (ITEMS list, request), __VA_ARGS__)
#define PERSISTENT(function, parameters, list, ...)                                                                    \
  STARTED(function, tutti_serve_persistent, "persistent", true,                                                        \
          (ITEMS parameters, MPI_Info info, MPI_Request * request), (ITEMS list, info, request), __VA_ARGS__)

/* The three forms of a neighborhood collective. */
#define NEAR(function, parameters, list, ...)                                                                          \
  STANDS_IN_FRONT(function, parameters, list)                                                                          \
  int function parameters                                                                                              \
  {                                                                                                                    \
    SET_CALL(tutti_site(__builtin_return_address(0)), __VA_ARGS__);                                                    \
    int result;                                                                                                        \
    if (tutti_serve_near(&call, comm, "neighborhood", &result))                                                        \
      return result;                                                                                                   \
    return tutti_passed(&call, comm, library_##function list);                                                         \
  }
#define NEAR_NONBLOCKING(function, parameters, list, ...)                                                              \
  STARTED(function, tutti_serve_near_nonblocking, "neighborhood, nonblocking", false,                                  \
          (ITEMS parameters, MPI_Request * request), (ITEMS list, request), __VA_ARGS__)
#define NEAR_PERSISTENT(function, parameters, list, ...)                                                               \
  STARTED(function, tutti_serve_near_persistent, "neighborhood, persistent", true,                                     \
          (ITEMS parameters, MPI_Info info, MPI_Request * request), (ITEMS list, info, request), __VA_ARGS__)

#define COUNT        int
#define DISPLACEMENT int
#define WIDE         false

#define COLLECTIVE(Name, name, ...) NONBLOCKING(MPI_I##name, __VA_ARGS__)
#define NEIGHBORS(Name, name, ...)  NEAR(MPI_##Name, __VA_ARGS__) NEAR_NONBLOCKING(MPI_I##name, __VA_ARGS__)
#include "interpose/calls.def"

#if MPI_VERSION >= 4 || (defined OMPI_MAJOR_VERSION && OMPI_MAJOR_VERSION >= 5)
#define COLLECTIVE(Name, name, ...) PERSISTENT(MPI_##Name##_init, __VA_ARGS__)
#define NEIGHBORS(Name, name, ...)  NEAR_PERSISTENT(MPI_##Name##_init, __VA_ARGS__)
#include "interpose/calls.def"
#endif

#ifdef OMPI_HAVE_MPI_EXT_PCOLLREQ /* Open MPI had them before MPI 4 */
#define COLLECTIVE(Name, name, ...) PERSISTENT(MPIX_##Name##_init, __VA_ARGS__)
#define NEIGHBORS(Name, name, ...)  NEAR_PERSISTENT(MPIX_##Name##_init, __VA_ARGS__)
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
  NONBLOCKING(MPI_I##name##_c, __VA_ARGS__) PERSISTENT(MPI_##Name##_init_c, __VA_ARGS__)
#define NEIGHBORS(Name, name, ...)                                                                                     \
  NEAR(MPI_##Name##_c, __VA_ARGS__)                                                                                    \
  NEAR_NONBLOCKING(MPI_I##name##_c, __VA_ARGS__)                                                                       \
  NEAR_PERSISTENT(MPI_##Name##_init_c, __VA_ARGS__)
#include "interpose/calls.def"

#endif

#ifndef SMPI_HELPERS_H
_Static_assert(FUNCTIONS_BEFORE + __COUNTER__ <= TUTTI_FORMS, "the table of functions is too short");
#endif
