/* The table of the colors and keys of all processes that a split looks through.

   On a real machine every process has its own. The processes of a simulation share one from MOST_OWN_TABLES + 1 ranks
   on: 32,768 tables of 32,768 entries are 8.6 GB. Each writes its entry into it, and the messages of the allgather, of
   which nothing differs in time, carry what happens to lie in a memory that they share, too. */
#ifndef TUTTI_GROUPS_MPICH_TABLE_H
#define TUTTI_GROUPS_MPICH_TABLE_H

#include "tutti/algorithm.h"
#include "tutti/view.h"

enum { MOST_OWN_TABLES = 64 };

struct mpich_entry {
  int color, key;
};

struct mpich_table {
  struct mpich_entry *entries; /* [size], to be read until the processes next agree on something */
  struct mpich_shared *shared; /* NULL: the process's own */
};

/* Gather the entries of all by a method of allgather. Collective. Free with tutti_mpich_table_free() in any case. */
tutti_status tutti_mpich_table_gather(const tutti_method *allgather, const tutti_view *view,
                                      const struct mpich_entry *own, struct mpich_table *table, tutti_error *error);
void tutti_mpich_table_free(struct mpich_table *table);

#endif
