/* All kinds of creations are splits: a rank has a color, and a key that orders the ranks of a color. */
#include "harness/engine/trace/workload_groups.h"

#include <stdlib.h>

#include "base/memory.h"

/* What is known of a communicator besides its members. */
struct node {
  uint32_t *own;          /* [size] its number on each member */
  struct group_list dims; /* of a grid */
};

struct entry {
  int64_t color, key;
  uint32_t rank; /* in the parent */
  uint32_t size; /* that its color must have; 0: any */
};

struct resolver {
  struct workload_groups *groups;
  struct workload *workload;
  uint32_t **next; /* [rank][own number]: the creation there that comes next; WORKLOAD_UNKNOWN: none */
  struct {
    TUTTI_VECTOR(struct node);
  } nodes; /* as workload.communicators */
  uint32_t parent;
  struct entry *entries; /* [rank_count] */
};

/* The creation that comes next on a rank of the parent; NULL: none. */
static struct creation *next_of(const struct resolver *resolver, uint32_t rank)
{
  const uint32_t world = workload_member(resolver->workload, resolver->parent, rank);
  const uint32_t place = resolver->next[world][resolver->nodes.items[resolver->parent].own[rank]];
  return place == WORKLOAD_UNKNOWN ? NULL : &resolver->groups->ranks[world].items[place];
}

/* ---- colors and keys of one rank; false: not known ---- */

static bool color_group(const struct resolver *resolver, const struct creation *creation, struct entry *entry)
{
  const uint32_t world = workload_member(resolver->workload, resolver->parent, entry->rank);
  uint32_t base = creation->base;
  if (base != 0 && base != WORKLOAD_UNKNOWN)
    base = resolver->groups->ranks[world].items[base - 1].communicator;
  if (base == WORKLOAD_UNKNOWN)
    return false;
  const uint32_t size = resolver->workload->communicators.items[base].size;
  const bool all = creation->list.count == WORKLOAD_UNKNOWN;
  const uint32_t *list = all ? NULL : resolver->groups->numbers.items + creation->list.first;
  const uint32_t count = all ? size : creation->list.count;
  entry->color = -1;
  entry->size = count;
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t rank = all ? i : list[i];
    if (rank >= size)
      return false;
    if (workload_member(resolver->workload, base, rank) == world) {
      entry->color = workload_member(resolver->workload, base, all ? 0 : list[0]);
      entry->key = i;
    }
  }
  return true;
}

static bool color_grid(const struct resolver *resolver, const struct creation *creation, struct entry *entry)
{
  const uint32_t size = resolver->workload->communicators.items[resolver->parent].size;
  uint64_t places = creation->list.count > 0 ? 1 : size;
  for (uint32_t d = 0; d < creation->list.count; d++) {
    places *= resolver->groups->numbers.items[creation->list.first + d];
    if (places == 0 || places > size)
      return false;
  }
  entry->color = entry->rank < places ? 0 : -1;
  entry->key = entry->rank;
  return true;
}

/* The last dimension is that of neighboring ranks. */
static bool color_part(const struct resolver *resolver, const struct creation *creation, struct entry *entry)
{
  const struct group_list dims = resolver->nodes.items[resolver->parent].dims;
  const uint32_t *numbers = resolver->groups->numbers.items;
  int64_t strides[2] = {1, 1};
  uint32_t left = entry->rank;
  if (dims.count == 0 || dims.count != creation->list.count)
    return false;
  entry->color = entry->key = 0;
  for (uint32_t d = dims.count; d-- > 0; left /= numbers[dims.first + d]) {
    const uint32_t size = numbers[dims.first + d];
    const bool remains = numbers[creation->list.first + d] != 0;
    *(remains ? &entry->key : &entry->color) += left % size * strides[remains];
    strides[remains] *= size;
  }
  return true;
}

static bool color(const struct resolver *resolver, const struct creation *creation, struct entry *entry)
{
  switch (creation->kind) {
  case CREATION_COPY:
    entry->color = 0;
    entry->key = entry->rank;
    return true;
  case CREATION_SPLIT:
    entry->color = creation->color;
    entry->key = creation->key;
    return true;
  case CREATION_GROUP:
    return color_group(resolver, creation, entry);
  case CREATION_GRID:
    return color_grid(resolver, creation, entry);
  case CREATION_GRID_PART:
    return color_part(resolver, creation, entry);
  default:
    return false;
  }
}

/* ---- the communicators of one creation ---- */

static int compare_entries(const void *a, const void *b)
{
  const struct entry *x = a, *y = b;
  if (x->color != y->color)
    return x->color < y->color ? -1 : 1;
  if (x->key != y->key)
    return x->key < y->key ? -1 : 1;
  return x->rank < y->rank ? -1 : x->rank > y->rank;
}

/* The dimensions that remain. */
static struct group_list dims_of_part(struct resolver *resolver, struct group_list dims, struct group_list remain)
{
  struct group_list kept = {(uint32_t)resolver->groups->numbers.count, 0};
  for (uint32_t d = 0; d < dims.count; d++)
    if (resolver->groups->numbers.items[remain.first + d] != 0) {
      const uint32_t size = resolver->groups->numbers.items[dims.first + d];
      tutti_xpush(&resolver->groups->numbers, size);
      kept.count++;
    }
  return kept;
}

static struct group_list dims_of(struct resolver *resolver, const struct creation *creation)
{
  const struct group_list dims = resolver->nodes.items[resolver->parent].dims;
  if (creation->kind == CREATION_GRID)
    return creation->list;
  if (creation->kind == CREATION_GRID_PART)
    return dims_of_part(resolver, dims, creation->list);
  return creation->kind == CREATION_COPY ? dims : (struct group_list){0, 0};
}

/* All ranks of a group name the same group. */
static bool agree(const struct entry *entries, uint32_t count)
{
  bool same = true;
  for (uint32_t e = 0; e < count && same; e++)
    same = entries[e].size == 0 || entries[e].size == count;
  return same;
}

static void add(struct resolver *resolver, const struct entry *entries, uint32_t count)
{
  const uint32_t number = (uint32_t)resolver->workload->communicators.count;
  struct workload_communicator made = {.size = count, .members = tutti_xcalloc(count, sizeof *made.members)};
  struct node node = {.own = tutti_xcalloc(count, sizeof *node.own),
                      .dims = dims_of(resolver, next_of(resolver, entries[0].rank))};
  bool in_order = true;
  for (uint32_t e = 0; e < count; e++) {
    struct creation *creation = next_of(resolver, entries[e].rank);
    const uint32_t world = workload_member(resolver->workload, resolver->parent, entries[e].rank);
    creation->communicator = number;
    creation->rank = e;
    made.members[e] = world;
    node.own[e] = (uint32_t)(creation - resolver->groups->ranks[world].items) + 1;
    in_order &= world == e;
  }
  if (in_order) {
    free(made.members);
    made.members = NULL;
  }
  tutti_xpush(&resolver->workload->communicators, made);
  tutti_xpush(&resolver->nodes, node);
}

static void add_all(struct resolver *resolver, uint32_t size)
{
  qsort(resolver->entries, size, sizeof *resolver->entries, compare_entries);
  for (uint32_t first = 0, end; first < size; first = end) {
    for (end = first + 1; end < size && resolver->entries[end].color == resolver->entries[first].color;)
      end++;
    if (resolver->entries[first].color >= 0 && agree(resolver->entries + first, end - first))
      add(resolver, resolver->entries + first, end - first);
  }
}

/* Whether all ranks of the parent call one more creation, of one kind where that is known. */
static bool has_next(const struct resolver *resolver, uint32_t size)
{
  enum creation_kind kind = CREATION_UNKNOWN;
  for (uint32_t r = 0; r < size; r++) {
    const struct creation *creation = next_of(resolver, r);
    if (!creation || (kind != CREATION_UNKNOWN && creation->kind != CREATION_UNKNOWN && creation->kind != kind))
      return false;
    kind = creation->kind == CREATION_UNKNOWN ? kind : creation->kind;
  }
  return true;
}

static void resolve_parent(struct resolver *resolver)
{
  const uint32_t size = resolver->workload->communicators.items[resolver->parent].size;
  while (has_next(resolver, size)) {
    bool known = true;
    for (uint32_t r = 0; r < size && known; r++) {
      resolver->entries[r] = (struct entry){.rank = r};
      known = color(resolver, next_of(resolver, r), &resolver->entries[r]);
    }
    if (known)
      add_all(resolver, size);
    for (uint32_t r = 0; r < size; r++) {
      const uint32_t world = workload_member(resolver->workload, resolver->parent, r);
      resolver->next[world][resolver->nodes.items[resolver->parent].own[r]] = next_of(resolver, r)->next;
    }
  }
}

/* ---- all ---- */

/* Chain the creations of a rank by their parent. */
static void chain(struct resolver *resolver, uint32_t rank)
{
  struct creations *creations = &resolver->groups->ranks[rank];
  uint32_t *next = tutti_xcalloc(creations->count + 1, sizeof *next);
  for (size_t c = 0; c <= creations->count; c++)
    next[c] = WORKLOAD_UNKNOWN;
  for (size_t c = creations->count; c-- > 0;) {
    struct creation *creation = &creations->items[c];
    creation->communicator = creation->next = WORKLOAD_UNKNOWN;
    if (creation->parent == WORKLOAD_UNKNOWN)
      continue;
    creation->next = next[creation->parent];
    next[creation->parent] = (uint32_t)c;
  }
  resolver->next[rank] = next;
}

void tutti_groups_resolve(struct workload_groups *groups, struct workload *workload)
{
  const uint32_t ranks = workload->rank_count;
  struct resolver resolver = {.groups = groups,
                              .workload = workload,
                              .next = tutti_xcalloc(ranks, sizeof *resolver.next),
                              .entries = tutti_xcalloc(ranks, sizeof *resolver.entries)};
  tutti_xpush(&resolver.nodes, ((struct node){.own = tutti_xcalloc(ranks, sizeof(uint32_t))}));
  for (uint32_t r = 0; r < ranks; r++)
    chain(&resolver, r);
  for (; resolver.parent < workload->communicators.count; resolver.parent++)
    resolve_parent(&resolver);
  for (uint32_t r = 0; r < ranks; r++)
    free(resolver.next[r]);
  for (size_t n = 0; n < resolver.nodes.count; n++)
    free(resolver.nodes.items[n].own);
  tutti_vector_free(&resolver.nodes);
  free(resolver.next);
  free(resolver.entries);
}

void tutti_groups_free(struct workload_groups *groups, uint32_t rank_count)
{
  for (uint32_t r = 0; groups->ranks && r < rank_count; r++)
    tutti_vector_free(&groups->ranks[r]);
  free(groups->ranks);
  tutti_vector_free(&groups->numbers);
}
