/* TUTTI_REPRODUCIBLE=CLASS: reductions that round and were left to the MPI library all the same. */
#ifndef TUTTI_INTERPOSE_UNKEPT_H
#define TUTTI_INTERPOSE_UNKEPT_H

struct call;
struct process;

enum { UNKEPT_FORMS = 3 }; /* blocking, nonblocking, persistent */

/* A call is left to the library. */
void tutti_unkept_note(struct process *process, const struct call *call);

/* Rank 0 names them on standard error, if there are any. Collective. */
void tutti_unkept_end(struct process *process);

#endif
