/* Messages of any number of elements, more than an int counts included. */
#ifndef TUTTI_SCHEDULE_LARGE_H
#define TUTTI_SCHEDULE_LARGE_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

/* Simulated time must not hinge on the thresholds of SMPI: run.h. */
#ifdef SMPI_HELPERS_H
#define TUTTI_POST_SEND MPI_Issend
#else
#define TUTTI_POST_SEND MPI_Isend
#endif

/* A committed type of `count` consecutive elements of `type`. Returns an MPI error class. */
int tutti_large_type(uint64_t count, MPI_Datatype type, MPI_Datatype *large);

/* What is sent or received. Rank and tag are those of MPI, or MPI_ANY_SOURCE, MPI_PROC_NULL. */
struct transfer {
  void *buffer;
  uint64_t count;
  MPI_Datatype type;
  int peer, tag;
  bool receive;
};

/* Post it, nonblocking; in simulation a send is synchronous: run.h. Returns an MPI error class. */
int tutti_post(const struct transfer *transfer, MPI_Comm comm, MPI_Request *request);

#endif
