/* TUTTI_NEIGHBORS=linear|combining: neighborhood collectives are served, nonblocking and persistent ones with
   TUTTI_NONBLOCKING=1. A communicator with a topology is made ready for that when it is made, where all its ranks are:
   later a rank may wait for its neighbors only. */
#ifndef TUTTI_INTERPOSE_NEAR_H
#define TUTTI_INTERPOSE_NEAR_H

#include "interpose/serve/serve.h"

/* The communicator `made` was made from `comm`. Collective. */
void tutti_near_welcome(struct process *process, MPI_Comm comm, MPI_Comm made);

/* The method for a noted call, whose arguments get its neighbors. Returns why it is to be passed through; NULL: it is
   to be served by *method. */
const char *tutti_near_choose(struct process *process, struct call *call, tutti_method *method);

/* Serve a blocking call, as tutti_serve_nonblocking(). */
bool tutti_serve_near(struct call *call, MPI_Comm comm, const char *form, int *result);

#endif
