/* What MPICH's making of a communicator costs a simulated processor. No MPI. */
#ifndef TUTTI_GROUPS_MPICH_COST_H
#define TUTTI_GROUPS_MPICH_COST_H

/* In simulation, seconds: for each entry of a table that is written or looked at, and for each comparison of a sort. */
struct mpich_cost {
  double entry, compare;
};

/* As usual: 4 and 17 cycles of the 2.3 GHz of SuperMUC's thin nodes: what docs/explanation/split.md reckons with, too.
 */
#define MPICH_ENTRY_SECONDS   1.7e-9
#define MPICH_COMPARE_SECONDS 7.4e-9

#endif
