/* Elements of MPI datatypes within a process: copied, packed, classified; and messages of any number of them. */
#ifndef TUTTI_MPI_ELEMENTS_H
#define TUTTI_MPI_ELEMENTS_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Copy `count` elements; the two types have the same number of bytes of data an element. No message is sent, so that
   nothing can get between. Returns an MPI error code. */
int tutti_copy_local(const void *source, MPI_Datatype source_type, void *target, MPI_Datatype target_type,
                     uint64_t count, MPI_Comm comm);

/* Whether an element of the type is consecutive bytes, directly followed by the next one. *size is its bytes of data.
   Copies between two buffers of such a type are memcpy(). */
bool tutti_type_is_plain(MPI_Datatype type, int *size);

/* The memory that `count` elements need: *bytes, aligned for any type. Element 0 is at its address plus *before, since
   the data of a type may begin before or after it. False if that is more than there can be, or the type is not valid.
 */
bool tutti_elements_room(uint64_t count, MPI_Datatype type, size_t *bytes, MPI_Aint *before);

/* ---- MPI_Pack() and MPI_Unpack() as they should be ---- */

/* Pack elements into exactly `bytes` bytes, or unpack them from there; the address of the elements may be 0. Returns an
   MPI error code. */
int tutti_pack_or_unpack(char *element, int count, MPI_Datatype type, char *packed, int bytes, bool load,
                         MPI_Comm comm);

/* ---- which datatypes are nothing but consecutive bytes ---- */

/* Whether `count` elements of the type are consecutive bytes, in the order of its type map. Then *lower is where they
   begin relative to the address of the buffer. A datatype that MPI does not explain is not dense. */
bool tutti_type_is_dense(MPI_Datatype type, uint64_t count, MPI_Aint *lower);

/* ---- which handles are MPI's own, so that they are never freed and mean the same for ever ---- */

bool tutti_type_is_predefined(MPI_Datatype type);
bool tutti_operation_is_predefined(MPI_Op op);

/* ---- messages of any number of elements, more than an int counts included ---- */

/* The data to send or receive. Rank and tag are those of MPI, or MPI_ANY_SOURCE, MPI_PROC_NULL. */
struct transfer {
  void *buffer;
  uint64_t count;
  MPI_Datatype type;
  int peer, tag;
  bool receive;
};

/* Bytes of data that were received. False if the MPI library does not say. Where its own function takes as long as
   sending a small message, the member that it reads is read: those of MPICH are part of the ABI that it shares with
   Intel MPI and MVAPICH, and MPICH 5 has others. */
static inline bool tutti_status_bytes(const MPI_Status *status, uint64_t *bytes)
{
#if defined SMPI_HELPERS_H /* its MPI_Get_elements() counts in an int */
  *bytes = (uint64_t)status->count;
  return true;
#elif defined OMPI_MAJOR_VERSION && OMPI_MAJOR_VERSION <= 5
  *bytes = status->_ucount;
  return true;
#elif defined MPICH_NUMVERSION && MPICH_NUMVERSION < 50000000
  *bytes = (uint64_t)(unsigned)status->count_lo | (uint64_t)((unsigned)status->count_hi_and_cancelled >> 1) << 32;
  return true;
#else
  MPI_Count count;
#if MPI_VERSION < 4 /* its name before */
  const int result = MPI_Get_elements_x(status, MPI_BYTE, &count);
#else
  const int result = MPI_Get_elements_c(status, MPI_BYTE, &count);
#endif
  *bytes = (uint64_t)count;
  return result == MPI_SUCCESS && count >= 0;
#endif
}

/* Post it, nonblocking. Returns an MPI error class. */
int tutti_post(const struct transfer *transfer, MPI_Comm comm, MPI_Request *request);

#endif
