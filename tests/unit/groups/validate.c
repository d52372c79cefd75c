/* What must hold of every group. */
#include "unit/groups/tests.h"

/* By the table of builders in README.md. */
void validate_ranks(const struct trial *trial, const struct built *built)
{
  bool ranks = strncmp(tutti_group_builder_name(trial->builder), "shrink-balance/", 15) != 0;
  assert_int_equal(tutti_group_builder_ranks(trial->builder), ranks);
  for (int i = 0; i < trial->processes; i++)
    if ((built->memberships[i].rank >= 0) != (ranks && trial->color[i] >= 0))
      fail_msg("%s: process %d with colour %d has rank %d", tutti_group_builder_name(trial->builder), i,
               trial->color[i], built->memberships[i].rank);
}

void validate(const struct trial *trial, const struct built *built)
{
  int branching = is_chain(trial->builder) ? 2 : trial->branching;
  int children = is_chain(trial->builder) ? 31 : trial->branching;
  if (tutti_groups_validate(built->memberships, trial->color, trial->processes, branching, children, 0, &error) !=
      TUTTI_OK)
    fail_at(trial, &error);
  validate_ranks(trial, built);
}
