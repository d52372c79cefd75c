/* Rows of groups: what belongs together beyond the columns. */
#include <string.h>

#include "results/kinds.h"

tutti_status tutti_group_check_keys(const void *row, tutti_error *error)
{
  return tutti_group_point_check(&((const tutti_group_run *)row)->point, error);
}

void tutti_group_complete(void *row)
{
  tutti_group_run *build = row;
  uint64_t members = build->counts.sums[TUTTI_GROUP_MEMBERS];
  if (build->point.sample.members >= 0 && members <= (uint64_t)build->point.sample.size)
    build->point.sample.members = (int)members;
}

/* A fraction or a number of members was asked for. */
bool tutti_group_applies(const void *row, const struct tutti_row_column *column)
{
  bool exact = ((const tutti_group_run *)row)->point.sample.members >= 0;
  return column->type == TUTTI_ROW_COLUMN_EXACT ? exact : column->type != TUTTI_ROW_COLUMN_FRACTION || !exact;
}

int tutti_group_compare(const void *left_row, const void *right_row)
{
  const tutti_group_run *left = left_row, *right = right_row;
  int order = tutti_group_point_compare(&left->point, &right->point);
  return order ? order
               : (left->ranks_per_node > right->ranks_per_node) - (left->ranks_per_node < right->ranks_per_node);
}
