/* The functions of MPI that wrap the library's own: the blocking collectives, the beginning and the end. */
#include "interpose/calls.h"

#define FUNCTIONS_BEFORE 0

#define COUNT                                         int
#define DISPLACEMENT                                  int
#define WIDE                                          false
#define COLLECTIVE(Name, name, parameters, list, ...) SERVED(MPI_##Name, parameters, list, __VA_ARGS__)
#include "interpose/calls.def"
#undef COUNT
#undef DISPLACEMENT
#undef WIDE

#if MPI_VERSION >= 4

#define COUNT        MPI_Count
#define DISPLACEMENT MPI_Aint
#define WIDE         true
#define COUNTLESS(Name, name, parameters, list, ...)
#define COLLECTIVE(Name, name, parameters, list, ...) SERVED(MPI_##Name##_c, parameters, list, __VA_ARGS__)
#include "interpose/calls.def"

#endif

/* ---- the beginning and the end ---- */

#define BEGINS(function, parameters, list)                                                                             \
  BEGINS_OR_ENDS(function, parameters, list)                                                                           \
  int function parameters                                                                                              \
  {                                                                                                                    \
    int result = library_##function list;                                                                              \
    if (result == MPI_SUCCESS)                                                                                         \
      tutti_process_begin();                                                                                           \
    return result;                                                                                                     \
  }

BEGINS(MPI_Init, (int *argc, char ***argv), (argc, argv))
BEGINS(MPI_Init_thread, (int *argc, char ***argv, int required, int *provided), (argc, argv, required, provided))

#if MPI_VERSION >= 4

STANDS_IN_FRONT(MPI_Session_init, (MPI_Info info, MPI_Errhandler handler, MPI_Session *session),
                (info, handler, session))

int MPI_Session_init(MPI_Info info, MPI_Errhandler handler, MPI_Session *session)
{
  int result = library_MPI_Session_init(info, handler, session);
  if (result == MPI_SUCCESS)
    tutti_session_begin(*session);
  return result;
}

STANDS_IN_FRONT(MPI_Session_finalize, (MPI_Session * session), (session))

int MPI_Session_finalize(MPI_Session *session)
{
  tutti_session_end(*session);
  return library_MPI_Session_finalize(session);
}

#endif

BEGINS_OR_ENDS(MPI_Finalize, (void), ())

int MPI_Finalize(void)
{
  tutti_process_end();
  return library_MPI_Finalize();
}

#ifndef SMPI_HELPERS_H
_Static_assert(__COUNTER__ <= TUTTI_SERVED_FUNCTIONS, "the functions of this file have numbers of the next one");
#endif
