/* MPI_Comm_split as MPICH does it (src/mpi/comm/comm_split.c, contextid.c of its versions 3 and 4), on schedules of our
   own: allgather of (colour, key) of all processes; the own colour is picked out of the table of all; allreduce of the
   mask of context ids that are free, 64 words and a flag; the members are sorted by key, then by rank. What MPICH does
   behind that to make the communicator fit for use (who is on the same node) is left out.

   In simulation the computing costs what the options say: `scan` for each entry of the table, and `compare` for each of
   the m log2(m) comparisons of a sort of m members. Beyond MOST_TABLES processes they share one table there, which
   holds the same for all, and the members are counted, not sorted: 32,768 tables of 32,768 entries are 8.6 GB. */
#include <math.h>
#include <stdlib.h>

#include "groups/runtime_cost.h"
#include "split.h"

enum { MOST_TABLES = 4096, MASK_WORDS = 64 };

/* MPICH's defaults: MPIR_CVAR_ALLGATHER_SHORT_MSG_SIZE and MPIR_CVAR_ALLGATHER_LONG_MSG_SIZE, in bytes of all. */
enum { SHORT_BYTES = 81920, LONG_BYTES = 524288 };

struct entry {
  int colour, key;
};

struct member {
  int key, rank;
};

#ifdef SMPI_HELPERS_H
static struct entry *table_of_all(int size)
{
  static struct entry shared[1 << 17];
  return size > MOST_TABLES && (size_t)size <= sizeof shared / sizeof *shared ? shared : NULL;
}
#else
static struct entry *table_of_all(int size)
{
  (void)size;
  return NULL;
}
#endif

/* ---- methods ---- */

static const char *pick_allgather(int size)
{
  size_t total = (size_t)size * sizeof(struct entry);
  if (total < LONG_BYTES && (size & (size - 1)) == 0)
    return "recursive-doubling";
  return total < SHORT_BYTES ? "bruck" : "ring";
}

tutti_status gathering_prepare(struct gathering *how, const struct split_options *options, tutti_error *error)
{
  how->scan = options->scan;
  how->compare = options->compare;
  how->allgather = tutti_method_default(tutti_algorithm_find(TUTTI_COLL_ALLGATHER, pick_allgather(how->view->size)));
  /* Up to MPIR_CVAR_ALLREDUCE_SHORT_MSG_SIZE, 2048 bytes. */
  how->allreduce = tutti_method_default(tutti_algorithm_find(TUTTI_COLL_ALLREDUCE, "recursive-doubling"));
  return options->allgather ? tutti_method_parse(options->allgather, &how->allgather, error) : TUTTI_OK;
}

/* ---- steps ---- */

static bool comes_before(int key, int rank, int other_key, int other_rank)
{
  return key != other_key ? key < other_key : rank < other_rank;
}

/* Pick the own colour out of the table. `members` has room for all, or is NULL. */
static void filter(const struct entry *table, const tutti_view *view, struct member *members, struct place *place)
{
  const struct entry own = table[view->rank];
  *place = (struct place){.size = 0};
  for (int i = 0; i < view->size; i++) {
    if (table[i].colour != own.colour)
      continue;
    if (members)
      members[place->size] = (struct member){table[i].key, i};
    place->size++;
    place->rank += comes_before(table[i].key, i, own.key, view->rank);
  }
}

static tutti_status agree_on_context(const struct gathering *how, tutti_error *error)
{
  uint32_t free_here[MASK_WORDS + 1], free_everywhere[MASK_WORDS + 1];
  for (int i = 0; i <= MASK_WORDS; i++)
    free_here[i] = UINT32_MAX;
  tutti_status status = tutti_allreduce(&how->allreduce, free_here, free_everywhere, MASK_WORDS + 1, MPI_UINT32_T,
                                        MPI_BAND, how->view, error);
  if (status == TUTTI_OK && free_everywhere[0] != UINT32_MAX)
    return tutti_fail(error, TUTTI_ERR_FAULT, "rank %d: no context id is free", how->view->rank);
  return status;
}

static int compare_members(const void *left, const void *right)
{
  const struct member *a = left, *b = right;
  return comes_before(a->key, a->rank, b->key, b->rank) ? -1 : 1;
}

/* Sort, and find oneself in the list. */
static void sort(const struct gathering *how, struct member *members, struct place *place)
{
  tutti_runtime_pause(how->compare * place->size * log2(place->size));
  if (!members)
    return;
  qsort(members, (size_t)place->size, sizeof *members, compare_members);
  for (place->rank = 0; members[place->rank].rank != how->view->rank;)
    place->rank++;
}

/* The keys are the ranks: the list ascends. */
static int count_faults(const struct gathering *how, const struct member *members, const struct place *place)
{
  int faults = 0, colour = tutti_draw_colour(how->draw, how->view->rank);
  for (int i = 0; members && i < place->size; i++)
    faults +=
        tutti_draw_colour(how->draw, members[i].rank) != colour || (i > 0 && members[i - 1].rank >= members[i].rank);
  return faults;
}

/* ---- all of it ---- */

static tutti_status gather(const struct gathering *how, const struct entry *own, struct entry *table,
                           struct member *members, struct place *place, tutti_error *error)
{
  tutti_status status = tutti_allgather(&how->allgather, own, 2, MPI_INT, table, 2, MPI_INT, how->view, error);
  if (status != TUTTI_OK)
    return status;
  filter(table, how->view, members, place);
  tutti_runtime_pause(how->scan * how->view->size);
  status = agree_on_context(how, error);
  if (status != TUTTI_OK)
    return status;
  sort(how, members, place);
  place->faults = how->view->size <= MOST_TABLES ? count_faults(how, members, place) : 0;
  return status;
}

tutti_status split_by_gathering(const struct gathering *how, int colour, int key, struct place *place,
                                tutti_error *error)
{
  size_t size = (size_t)how->view->size;
  struct entry own = {colour, key}, *shared = table_of_all(how->view->size);
  struct entry *table = shared ? shared : malloc(size * sizeof *table);
  struct member *members = shared ? NULL : malloc(size * sizeof *members);
  tutti_status status = table && (shared || members)
                            ? gather(how, &own, table, members, place, error)
                            : tutti_fail(error, TUTTI_ERR_MEMORY, "rank %d: out of memory for a table of %zu processes",
                                         how->view->rank, size);
  free(members);
  if (table != shared)
    free(table);
  return status;
}
