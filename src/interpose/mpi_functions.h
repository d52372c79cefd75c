/* The functions of the MPI library that the interposer wraps, and their callers. */
#ifndef TUTTI_INTERPOSE_MPI_FUNCTIONS_H
#define TUTTI_INTERPOSE_MPI_FUNCTIONS_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

/* Where the program, in Fortran, calls a collective (fortran.c), while the calling thread is in it; else NULL. */
extern __thread const void *tutti_fortran_site __attribute__((visibility("hidden"), tls_model("initial-exec")));

/* The place of a call: that one, or its return address. */
static inline const void *tutti_site(const void *return_address)
{
#ifndef SMPI_HELPERS_H /* all ranks are in one thread */
  if (__builtin_expect(tutti_fortran_site != NULL, 0))
    return tutti_fortran_site;
#endif
  return return_address;
}

/* Whether the address is in the Fortran bindings of the MPI library. */
bool tutti_is_fortran_binding(const void *address);

/* The MPI library's own function with that name, which the interposer has, too. `number` is that of the name among
   these: those of calls.c come first, then those of forms.c, requests.c, messages.c, unrecorded.c and
   fortran.c. */
enum {
  TUTTI_SERVED_FUNCTIONS = 48,
  TUTTI_FORMS = 160,
  TUTTI_REQUESTS = 184,
  TUTTI_MESSAGES = 240,
  TUTTI_FUNCTIONS = 256, /* and those of fortran.c */
  TUTTI_FORTRAN_FUNCTIONS = 132
};
void (*tutti_library_function(int number, const char *name))(void);

/* Those that were asked for; else NULL. */
extern void (*_Atomic tutti_functions[TUTTI_FUNCTIONS + TUTTI_FORTRAN_FUNCTIONS])(void)
    __attribute__((visibility("hidden")));

#endif
