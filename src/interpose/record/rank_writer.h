/* FILE.RANK (results/rank_file.h) as its rank writes it: mapped, so that nothing is to be done when the process ends,
   and no handler of signals is needed. Room on the disk is made before it is written to, for a full disk ends a process
   that writes to a mapping. A file is made anew: no link is followed. */
#ifndef TUTTI_INTERPOSE_RANK_WRITER_H
#define TUTTI_INTERPOSE_RANK_WRITER_H

#include <mpi.h>
#include <stddef.h>

#include "decision/results/rank_file.h"

struct rank_writer {
  char *path;                  /* FILE.RANK; NULL: no file */
  struct rank_file_head *head; /* its first page; NULL: no file */
  size_t length;               /* bytes of the file that have room on the disk */
};

/* Begin, on all ranks of `comm`: the head is written. Without a file where none can be made. Collective. */
void tutti_rank_writer_open(struct rank_writer *writer, const char *path, const char *kind, MPI_Comm comm,
                            int ranks_per_node);

/* Reserve space for the first `length` bytes; false, with errno set, without space. */
bool tutti_rank_writer_reserve(struct rank_writer *writer, size_t length);

/* Map a part of the file, which begins at a page; only reserved bytes may be written; NULL, with errno set. */
void *tutti_rank_writer_map(const struct rank_writer *writer, size_t offset, size_t length);

/* Turn a mapped part into private memory: its first `used` bytes stay in both, later writes do not reach the file. */
void tutti_rank_writer_forget(void *part, size_t used, size_t length);

/* Bytes of the file, for the end; returns how many there were. */
size_t tutti_rank_writer_read(const struct rank_writer *writer, size_t offset, void *bytes, size_t length);

/* Remove the file. */
void tutti_rank_writer_close(struct rank_writer *writer);

/* ---- the ranks of a communicator that share memory ---- */

/* For each of the `size` ranks of `comm` the lowest rank on its node, to be freed; NULL: unknown. Collective. */
int *tutti_find_leaders(MPI_Comm comm, int size);

/* The maximum number of ranks of a node; 1 if the leaders are unknown. */
int tutti_ranks_per_node(const int *leaders, int size);

#endif
