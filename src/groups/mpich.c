#include "groups/mpich.h"

#include <math.h>
#include <stdlib.h>

#include "groups/mpich_table.h"
#include "mpi/runtime_cost.h"
#include "tutti/collectives.h"

/* Words of the mask of context ids (MPIR_MAX_CONTEXT_MASK). */
enum { MASK_WORDS = 64 };

/* In bytes of all: MPIR_CVAR_ALLGATHER_SHORT_MSG_SIZE, MPIR_CVAR_ALLGATHER_LONG_MSG_SIZE. */
enum { SHORT_BYTES = 81920, LONG_BYTES = 524288 };

#ifdef SMPI_HELPERS_H
static const char long_allgather[] = "bruck"; /* see mpich.h */
#else
static const char long_allgather[] = "ring";
#endif

struct member {
  int key, rank;
};

/* ---- methods ---- */

tutti_method tutti_mpich_allgather(int size)
{
  size_t total = (size_t)size * sizeof(struct mpich_entry);
  const char *name = total < SHORT_BYTES ? "bruck" : long_allgather;
  if (total < LONG_BYTES && (size & (size - 1)) == 0)
    name = "recursive-doubling";
  return tutti_method_default(tutti_algorithm_find(TUTTI_COLL_ALLGATHER, name));
}

/* ---- the context id ---- */

/* The mask and a flag: less than MPIR_CVAR_ALLREDUCE_SHORT_MSG_SIZE, 2048 bytes. */
static tutti_status agree_on_context(const tutti_view *view, tutti_error *error)
{
  tutti_method method = tutti_method_default(tutti_algorithm_find(TUTTI_COLL_ALLREDUCE, "recursive-doubling"));
  uint32_t free_here[MASK_WORDS + 1], free_everywhere[MASK_WORDS + 1];
  for (int i = 0; i <= MASK_WORDS; i++)
    free_here[i] = UINT32_MAX;
  tutti_status status =
      tutti_allreduce(&method, free_here, free_everywhere, MASK_WORDS + 1, MPI_UINT32_T, MPI_BAND, view, error);
  if (status == TUTTI_OK && free_everywhere[0] != UINT32_MAX)
    return tutti_fail(error, TUTTI_ERR_FAULT, "rank %d: no context id is free", view->rank);
  return status;
}

tutti_status tutti_mpich_create_group(const struct mpich_cost *cost, const tutti_view *group, tutti_error *error)
{
  tutti_runtime_pause(cost->entry * group->size);
  return agree_on_context(group, error);
}

/* ---- the members ---- */

static bool comes_before(int key, int rank, int other_key, int other_rank)
{
  return key != other_key ? key < other_key : rank < other_rank;
}

static int compare_members(const void *left, const void *right)
{
  const struct member *a = left, *b = right;
  return comes_before(a->key, a->rank, b->key, b->rank) ? -1 : 1;
}

/* Pick the own color out of the table. `members` has room for all, or is NULL. */
static void filter(const struct mpich_entry *table, const tutti_view *view, struct member *members,
                   struct mpich_group *group)
{
  const struct mpich_entry own = table[view->rank];
  *group = (struct mpich_group){.rank = own.color == MPI_UNDEFINED ? -1 : 0};
  for (int i = 0; i < view->size && own.color != MPI_UNDEFINED; i++) {
    if (table[i].color != own.color)
      continue;
    if (members)
      members[group->size] = (struct member){table[i].key, i};
    group->size++;
    group->rank += comes_before(table[i].key, i, own.key, view->rank);
  }
}

/* Sort, find oneself in the list, and write it down. */
static tutti_status list(const tutti_view *view, struct member *members, struct mpich_group *group, tutti_error *error)
{
  qsort(members, (size_t)group->size, sizeof *members, compare_members);
  group->members = malloc((size_t)group->size * sizeof *group->members);
  if (!group->members)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "rank %d: out of memory for %d members", view->rank, group->size);
  for (int i = 0; i < group->size; i++) {
    group->members[i] = members[i].rank;
    if (members[i].rank == view->rank)
      group->rank = i;
  }
  return TUTTI_OK;
}

/* ---- the split ---- */

/* The members are picked before the processes agree on a context: after that a shared table may be that of the next. */
static tutti_status pick(const struct mpich_cost *cost, const struct mpich_table *table, const tutti_view *parent,
                         struct member *members, struct mpich_group *group, tutti_error *error)
{
  filter(table->entries, parent, members, group);
  tutti_runtime_pause(cost->entry * parent->size);
  tutti_status status = agree_on_context(parent, error);
  if (status != TUTTI_OK || group->size == 0)
    return status;
  tutti_runtime_pause(cost->compare * group->size * log2(group->size));
  return members ? list(parent, members, group, error) : TUTTI_OK;
}

tutti_status tutti_mpich_split_group(const struct mpich_cost *cost, const tutti_method *allgather,
                                     const tutti_view *parent, int color, int key, struct mpich_group *group,
                                     tutti_error *error)
{
  const struct mpich_entry own = {color, key};
  struct mpich_table table;
  struct member *members = NULL;
  tutti_status status = tutti_mpich_table_gather(allgather, parent, &own, &table, error);
  if (status == TUTTI_OK && !table.shared && !(members = malloc((size_t)parent->size * sizeof *members)))
    status = tutti_fail(error, TUTTI_ERR_MEMORY, "rank %d: out of memory for %d members", parent->rank, parent->size);
  if (status == TUTTI_OK)
    status = pick(cost, &table, parent, members, group, error);
  free(members);
  tutti_mpich_table_free(&table);
  return status;
}

tutti_status tutti_mpich_split(const struct mpich_cost *cost, const tutti_view *parent, int color, int key,
                               tutti_error *error)
{
  const tutti_method allgather = tutti_mpich_allgather(parent->size);
  struct mpich_group group = {.members = NULL};
  tutti_status status = tutti_mpich_split_group(cost, &allgather, parent, color, key, &group, error);
  free(group.members);
  return status;
}
