/* The functions of the MPI library that the interposer wraps, and their callers. */
#ifndef TUTTI_INTERPOSE_MPI_FUNCTIONS_H
#define TUTTI_INTERPOSE_MPI_FUNCTIONS_H

#include <stdbool.h>

/* Whether the address is in the Fortran bindings of the MPI library. */
bool tutti_is_fortran_binding(const void *address);

/* The MPI library's own function with that name, which the interposer has, too. `number` is that of the name among
   these: those of calls.c come first, then those of forms.c, requests.c, messages.c and unrecorded.c. */
enum {
  TUTTI_SERVED_FUNCTIONS = 48,
  TUTTI_FORMS = 160,
  TUTTI_REQUESTS = 184,
  TUTTI_MESSAGES = 240,
  TUTTI_FUNCTIONS = 256
};
void (*tutti_library_function(int number, const char *name))(void);

/* [TUTTI_FUNCTIONS] those that were asked for; else NULL. */
extern void (*_Atomic tutti_functions[TUTTI_FUNCTIONS])(void) __attribute__((visibility("hidden")));

#endif
