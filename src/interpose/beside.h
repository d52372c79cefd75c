/* Calls that bypass the interposer, for a note in its summary: by the names PMPI_..., as tools call, and by the address
   of the library's function, which dlsym() gives for a handle of it, as bindings of other languages call. Calls by name
   are seen, and counted; for the others it is only seen that MPI began without Tutti. */
#ifndef TUTTI_INTERPOSE_BESIDE_H
#define TUTTI_INTERPOSE_BESIDE_H

#include <stdbool.h>

struct process;

/* Whether the program, or one of its libraries, calls PMPI_NAME from this address: not Tutti, nor the MPI library with
   its plug-ins and bindings. */
bool tutti_is_caller_of_program(const void *address);

/* Count such a call, which was passed through. */
void tutti_count_beside(const void *address);

/* MPI_Init() reached Tutti. MPI_Finalize() will, by whatever name or address it is called. */
void tutti_beside_begin(void);

/* If calls are counted: on rank 0 of MPI_COMM_WORLD, print on standard error the number of calls of all ranks that
   passed by, and, in the report, whether no collective reached Tutti. Collective. */
void tutti_beside_end(struct process *process);

#endif
