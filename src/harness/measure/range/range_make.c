/* Making groups of processes, in every way. */
#include "algorithms/mpi/simulation.h"
#include "groups/mpich.h"
#include "harness/measure/range/range.h"

/* ---- which groups a process makes ---- */

static struct range_plan plan_of_one(const struct range_point *point, const tutti_view *all)
{
  int size = tutti_range_point_size(point, all->size);
  bool in_first = all->rank < size, has_second = point->operation == RANGE_CREATE;
  struct range_creation creation = {in_first || !has_second ? 0 : size,
                                    in_first || !has_second ? size - 1 : all->size - 1, in_first ? 0 : 1,
                                    in_first || has_second};
  if (!creation.member)
    creation.color = MPI_UNDEFINED;
  return (struct range_plan){1, {creation}};
}

/* Group number g of groups that share a process each; it may be cut short by the last process. */
static struct range_creation overlapping_group(int g, int size, const tutti_view *all)
{
  int step = size - 1, last = all->size - 1;
  struct range_creation group = {g * step, last - g * step < step ? last : (g + 1) * step, MPI_UNDEFINED, false};
  group.member = g >= 0 && group.first < last && all->rank >= group.first && all->rank <= group.last;
  if (group.member)
    group.color = g;
  return group;
}

/* The groups that the process is in, from left to right. */
static struct range_plan overlapping_groups(int size, const tutti_view *all)
{
  struct range_plan plan = {0};
  int own = all->rank / (size - 1);
  for (int g = own - 1; g <= own; g++) {
    struct range_creation group = overlapping_group(g, size, all);
    if (group.member)
      plan.creations[plan.count++] = group;
  }
  return plan;
}

/* Two splits: by the first one every other group is made, from the leftmost on. */
static struct range_plan as_two_splits(const struct range_plan *groups)
{
  struct range_plan plan = {2, {{.color = MPI_UNDEFINED}, {.color = MPI_UNDEFINED}}};
  for (int i = 0; i < groups->count; i++)
    plan.creations[groups->creations[i].color % 2] = groups->creations[i];
  return plan;
}

static struct range_plan plan_of_overlapping(const struct range_point *point, const tutti_view *all)
{
  struct range_plan plan = overlapping_groups(tutti_range_point_size(point, all->size), all);
  if (point->way == WAY_SPLIT || point->way == WAY_SPLIT_MPICH)
    return as_two_splits(&plan);
  if (plan.count == 2 && point->order == ORDER_ALTERNATING && plan.creations[0].color % 2 == 1) {
    struct range_creation left = plan.creations[0];
    plan.creations[0] = plan.creations[1];
    plan.creations[1] = left;
  }
  return plan;
}

struct range_plan range_plan_of(const struct range_point *point, const tutti_view *all)
{
  struct range_plan plan =
      point->operation == RANGE_OVERLAPPING ? plan_of_overlapping(point, all) : plan_of_one(point, all);
  bool splits = point->way == WAY_SPLIT || point->way == WAY_SPLIT_MPICH;
  if (!splits && !plan.creations[0].member)
    plan.count = 0;
  return plan;
}

/* ---- making ---- */

static tutti_status check_mpi(int code, const char *call, const tutti_view *all, tutti_error *error)
{
  if (code == MPI_SUCCESS)
    return TUTTI_OK;
  return tutti_fail(error, TUTTI_ERR_MPI, "rank %d: %s returned %d", all->rank, call, code);
}

static tutti_status make_by_group(const struct range_parent *parent, const struct range_creation *creation,
                                  MPI_Comm *comm, tutti_error *error)
{
  int range[1][3] = {{creation->first, creation->last, 1}};
  MPI_Group group;
  tutti_status status =
      check_mpi(MPI_Group_range_incl(parent->group, 1, range, &group), "MPI_Group_range_incl", parent->all, error);
  if (status != TUTTI_OK)
    return status;
  status =
      check_mpi(MPI_Comm_create_group(parent->all->comm, group, 0, comm), "MPI_Comm_create_group", parent->all, error);
  MPI_Group_free(&group);
  return status;
}

/* Our own view of the group, which takes nothing beside what MPICH does for it. */
static tutti_status make_view(const struct range_parent *parent, const struct range_creation *creation,
                              tutti_view *view, tutti_error *error)
{
  return creation->member ? tutti_view_range(parent->all, creation->first, creation->last, 1, view, error) : TUTTI_OK;
}

static tutti_status make_as_mpich(const struct range_parent *parent, enum range_way way,
                                  const struct range_creation *creation, tutti_view *view, tutti_error *error)
{
  const struct mpich_cost cost = {parent->points->costs.entry, parent->points->costs.compare};
  tutti_status status = make_view(parent, creation, view, error);
  if (status != TUTTI_OK)
    return status;
  if (way == WAY_CREATE_GROUP_MPICH)
    return tutti_mpich_create_group(&cost, view, error);
  return tutti_mpich_split(&cost, parent->all, creation->color, parent->all->rank, error);
}

tutti_status range_make(const struct range_parent *parent, enum range_way way, const struct range_creation *creation,
                        struct range_made *made, tutti_error *error)
{
  const tutti_view *all = parent->all;
  made->comm = MPI_COMM_NULL;
  switch (way) {
  case WAY_CREATE_GROUP:
    return make_by_group(parent, creation, &made->comm, error);
  case WAY_SPLIT:
    return check_mpi(MPI_Comm_split(all->comm, creation->color, all->rank, &made->comm), "MPI_Comm_split", all, error);
  case WAY_CREATE_GROUP_MPICH:
  case WAY_SPLIT_MPICH:
    return make_as_mpich(parent, way, creation, &made->view, error);
  default:
    tutti_runtime_pause(parent->points->costs.range);
    return make_view(parent, creation, &made->view, error);
  }
}

/* ---- afterwards ---- */

tutti_status range_made_view(struct range_made *made, const tutti_view *all, tutti_error *error)
{
  tutti_status status = made->comm == MPI_COMM_NULL ? TUTTI_OK : tutti_view_of(made->comm, &made->view, error);
  if (status == TUTTI_OK)
    made->view.progress = all->progress;
  return status;
}

void range_made_free(struct range_made *made)
{
  if (made->comm != MPI_COMM_NULL)
    MPI_Comm_free(&made->comm);
}
