/* Copying elements within a process, as MPI sees them. */
#ifndef TUTTI_SCHEDULE_COPY_H
#define TUTTI_SCHEDULE_COPY_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "tutti/counted_memory.h"

/* Copy `count` elements; the two types have the same number of bytes of data an element. No message is sent, so that
   nothing can get between. Returns an MPI error code. */
int tutti_copy_local(const void *source, MPI_Datatype source_type, void *target, MPI_Datatype target_type,
                     uint64_t count, MPI_Comm comm);

/* Is an element of the type consecutive bytes, and the next one right behind it? *size is its bytes of data. Copies
   between two buffers of such a type are memcpy(). */
bool tutti_type_is_plain(MPI_Datatype type, int *size);

/* Memory for `count` elements: element 0 is at the returned address plus *before, since the data of a type may begin
   before or after it. NULL if there is none, or the type is not valid. */
char *tutti_elements_alloc(tutti_arena *arena, uint64_t count, MPI_Datatype type, MPI_Aint *before);

#endif
