#include "groups/mpich_table.h"

#include <stdlib.h>
#include <string.h>

#include "tutti/collectives.h"

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
  return view->size > MOST_OWN_TABLES && !view->lookup && MPI_Comm_size(MPI_COMM_WORLD, &processes) == MPI_SUCCESS &&
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

/* The schedule with its temporaries behind the output. */
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

tutti_status tutti_mpich_table_gather(const tutti_method *allgather, const tutti_view *view,
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

void tutti_mpich_table_free(struct mpich_table *table)
{
  if (table->shared)
    leave_shared(table->shared);
  else
    free(table->entries);
  *table = (struct mpich_table){.entries = NULL};
}
