/* MPI_Comm_split and MPI_Comm_create_group as MPICH does them. */
#include "groups/mpich.h"

#include <stdlib.h>
#include <string.h>

#include "algorithms/mpi/clock.h"
#include "algorithms/mpi/simulation.h"
#include "tutti/algorithm.h"
#include "tutti/collectives.h"
#include "tutti/view.h"

enum { MAX_OWN_TABLES = 64 };

struct mpich_entry {
  int color, key;
};

_Static_assert(sizeof(struct mpich_entry) == MPICH_ENTRY_BYTES, "what is sent of a process");

/* The table of the colors and keys of all processes, which a split searches.

   On a real machine every process has its own. The processes of a simulation share one from MAX_OWN_TABLES + 1 ranks
   on: 32,768 tables of 32,768 entries take 8.6 GB. Each writes its entry into it, and the messages of the allgather,
   whose times do not change, carry arbitrary content of another shared memory. */
struct mpich_table {
  struct mpich_entry *entries; /* [size], to be read until the processes next agree on something */
  struct mpich_shared *shared; /* NULL: the process's own */
};

static tutti_status out_of_memory(const tutti_view *view, tutti_error *error)
{
  return tutti_fail(error, TUTTI_ERR_MEMORY, "rank %d: out of memory for a table of %d processes", view->rank,
                    view->size);
}

#ifdef SMPI_HELPERS_H

#include <smpi/smpi.h>

#include "tutti/run.h"

/* ---- tables that are shared ---- */

/* Views of the same processes have the same: those of communicators of all processes, which are taken to number them
   alike. */
struct identity {
  int first, stride, size, tag;
};

struct mpich_shared {
  struct mpich_shared *next;
  struct identity identity;
  int users;
  char *payload;                /* [2 * size] entries: the output of the allgather, and its temporary */
  struct mpich_entry entries[]; /* [size] */
};

/* All that are in use. */
struct registry {
  struct mpich_shared *first;
};

/* SMPI keeps results that ranks share (SMPI_SHARED_CALL): the one place for them where libraries have no globals. */
static struct registry *find_registry(void)
{
  static const char name[] = "tutti_mpich_tables";
  if (smpi_shared_known_call(name, ""))
    return smpi_shared_get_call(name, "");
  struct registry *made = calloc(1, sizeof *made);
  return made ? smpi_shared_set_call(name, "", made) : NULL;
}

static bool is_shareable(const tutti_view *view)
{
  int processes, size;
  return view->size > MAX_OWN_TABLES && !view->lookup && MPI_Comm_size(MPI_COMM_WORLD, &processes) == MPI_SUCCESS &&
         MPI_Comm_size(view->comm, &size) == MPI_SUCCESS && size == processes;
}

static struct mpich_shared *add_shared(struct registry *registry, const struct identity *identity)
{
  size_t bytes = (size_t)identity->size * sizeof(struct mpich_entry);
  struct mpich_shared *made = calloc(1, sizeof *made + bytes);
  if (made && !(made->payload = malloc(2 * bytes))) {
    free(made);
    return NULL;
  }
  if (!made)
    return NULL;
  made->identity = *identity;
  made->next = registry->first;
  registry->first = made;
  return made;
}

static struct mpich_shared *take_shared(const tutti_view *view)
{
  const struct identity identity = {view->first, view->stride, view->size, view->first_tag};
  struct registry *registry = find_registry();
  struct mpich_shared *found = registry ? registry->first : NULL;
  while (found && memcmp(&found->identity, &identity, sizeof identity) != 0)
    found = found->next;
  if (!found && registry)
    found = add_shared(registry, &identity);
  if (found)
    found->users++;
  return found;
}

static void leave_shared(struct mpich_shared *shared)
{
  if (--shared->users > 0)
    return;
  struct mpich_shared **link = &find_registry()->first;
  while (*link != shared)
    link = &(*link)->next;
  *link = shared->next;
  free(shared->payload);
  free(shared);
}

/* ---- messages of the right sizes ---- */

/* The schedule, with its temporaries after the output. */
static tutti_status fold(tutti_schedule *schedule, uint64_t behind, tutti_arena *arena, tutti_error *error)
{
  tutti_vertex *vertices = tutti_arena_alloc(arena, schedule->vertex_count * sizeof *vertices);
  if (!vertices)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "rank %d: out of memory for a schedule", schedule->rank);
  memcpy(vertices, schedule->vertices, schedule->vertex_count * sizeof *vertices);
  for (tutti_vertex *v = vertices; v < vertices + schedule->vertex_count; v++) {
    if (v->buffer >= TUTTI_FIRST_TEMPORARY) {
      v->buffer = TUTTI_OUTPUT;
      v->first += behind;
    }
    if (v->kind == TUTTI_COPY && v->peer >= TUTTI_FIRST_TEMPORARY) {
      v->peer = TUTTI_OUTPUT;
      v->target_first += behind;
    }
  }
  schedule->vertices = vertices;
  schedule->temporary_count = 0;
  return TUTTI_OK;
}

static tutti_status exchange_in(const tutti_method *allgather, const tutti_view *view, const struct mpich_entry *own,
                                char *payload, tutti_arena *arena, tutti_error *error)
{
  const tutti_call call = {
      .size = view->size, .rank = view->rank, .count = sizeof *own, .type_size = 1, .commutative = true};
  const tutti_bindings bindings = {
      .input = own, .input_type = MPI_BYTE, .output = payload, .output_type = MPI_BYTE, .op = MPI_OP_NULL};
  tutti_schedule schedule;
  tutti_method method = tutti_method_serving(allgather, &call);
  tutti_status status = tutti_method_schedule(&method, &call, arena, &schedule, error);
  if (status == TUTTI_OK)
    status = fold(&schedule, (uint64_t)view->size * sizeof *own, arena, error);
  return status == TUTTI_OK ? tutti_run(&schedule, view, &bindings, arena, error) : status;
}

static tutti_status gather_shared(const tutti_method *allgather, const tutti_view *view, const struct mpich_entry *own,
                                  struct mpich_table *table, tutti_error *error)
{
  tutti_arena arena;
  table->shared = take_shared(view);
  if (!table->shared)
    return out_of_memory(view, error);
  table->entries = table->shared->entries;
  table->entries[view->rank] = *own;
  tutti_arena_init(&arena);
  tutti_status status = exchange_in(allgather, view, own, table->shared->payload, &arena, error);
  if (status == TUTTI_OK)
    tutti_arena_release(&arena);
  return status;
}

#else

static bool is_shareable(const tutti_view *view)
{
  (void)view;
  return false;
}

static void leave_shared(struct mpich_shared *shared)
{
  (void)shared;
}

static tutti_status gather_shared(const tutti_method *allgather, const tutti_view *view, const struct mpich_entry *own,
                                  struct mpich_table *table, tutti_error *error)
{
  (void)allgather, (void)own, (void)table;
  return out_of_memory(view, error);
}

#endif

/* ---- tables of each process ---- */

static tutti_status mpich_table_gather(const tutti_method *allgather, const tutti_view *view,
                                       const struct mpich_entry *own, struct mpich_table *table, tutti_error *error)
{
  *table = (struct mpich_table){.entries = NULL};
  if (is_shareable(view))
    return gather_shared(allgather, view, own, table, error);
  table->entries = malloc((size_t)view->size * sizeof *table->entries);
  if (!table->entries)
    return out_of_memory(view, error);
  return tutti_allgather(allgather, own, 2, MPI_INT, table->entries, 2, MPI_INT, view, error);
}

static void mpich_table_free(struct mpich_table *table)
{
  if (table->shared)
    leave_shared(table->shared);
  else
    free(table->entries);
  *table = (struct mpich_table){.entries = NULL};
}

struct member {
  int key, rank;
};

/* ---- the context id ---- */

static tutti_status agree_on_context(const tutti_view *view, tutti_error *error)
{
  tutti_method method = tutti_mpich_agreement();
  uint32_t free_here[MPICH_MASK_WORDS + 1], free_everywhere[MPICH_MASK_WORDS + 1];
  for (int i = 0; i <= MPICH_MASK_WORDS; i++)
    free_here[i] = UINT32_MAX;
  tutti_status status =
      tutti_allreduce(&method, free_here, free_everywhere, MPICH_MASK_WORDS + 1, MPI_UINT32_T, MPI_BAND, view, error);
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
  tutti_runtime_pause(tutti_mpich_sort_seconds(cost, group->size));
  return members ? list(parent, members, group, error) : TUTTI_OK;
}

tutti_status tutti_mpich_split_group(const struct mpich_cost *cost, const tutti_method *allgather,
                                     const tutti_view *parent, int color, int key, struct mpich_group *group,
                                     tutti_error *error)
{
  const struct mpich_entry own = {color, key};
  struct mpich_table table;
  struct member *members = NULL;
  tutti_status status = mpich_table_gather(allgather, parent, &own, &table, error);
  if (status == TUTTI_OK && !table.shared && !(members = malloc((size_t)parent->size * sizeof *members)))
    status = tutti_fail(error, TUTTI_ERR_MEMORY, "rank %d: out of memory for %d members", parent->rank, parent->size);
  if (status == TUTTI_OK)
    status = pick(cost, &table, parent, members, group, error);
  free(members);
  mpich_table_free(&table);
  return status;
}

tutti_status tutti_mpich_split(const struct mpich_cost *cost, const tutti_view *parent, int color, int key,
                               tutti_error *error)
{
  const tutti_method allgather = tutti_mpich_allgather(parent->size, tutti_clock_is_simulated());
  struct mpich_group group = {.members = NULL};
  tutti_status status = tutti_mpich_split_group(cost, &allgather, parent, color, key, &group, error);
  free(group.members);
  return status;
}
