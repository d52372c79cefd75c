/* MPI_Comm_split as MPICH does it (src/groups/mpich.h), and whether its list of members is right.

   In simulation the computing costs what the options say: `scan` for each entry of the table, and `compare` for each of
   the m log2(m) comparisons of a sort of m members. */
#include <stdlib.h>

#include "algorithms/mpi/clock.h"
#include "groups/mpich.h"
#include "split.h"

tutti_status gathering_prepare(struct gathering *how, const struct split_options *options, tutti_error *error)
{
  how->scan = options->scan;
  how->compare = options->compare;
  how->allgather = tutti_mpich_allgather(how->view->size, tutti_clock_is_simulated());
  return options->allgather ? tutti_method_parse(options->allgather, &how->allgather, error) : TUTTI_OK;
}

/* The keys are the ranks: the list ascends. */
static int count_faults(const struct gathering *how, const struct mpich_group *group)
{
  int faults = 0, color = tutti_group_sample_color(how->sample, how->view->rank);
  const int *members = group->members;
  for (int i = 0; members && i < group->size; i++)
    faults += tutti_group_sample_color(how->sample, members[i]) != color || (i > 0 && members[i - 1] >= members[i]);
  return faults;
}

tutti_status split_by_gathering(const struct gathering *how, int color, int key, struct place *place,
                                tutti_error *error)
{
  const struct mpich_cost cost = {.entry = how->scan, .compare = how->compare};
  struct mpich_group group = {.members = NULL};
  tutti_status status = tutti_mpich_split_group(&cost, &how->allgather, how->view, color, key, &group, error);
  if (status == TUTTI_OK)
    *place = (struct place){.size = group.size, .rank = group.rank, .faults = count_faults(how, &group)};
  free(group.members);
  return status;
}
