#include "groups/directory.h"

#include <stdint.h>
#include <string.h>

struct directory_entry {
  int color, rank;
  int id;        /* of the process with this rank, or -1 */
  int size;      /* of the group */
  int missing;   /* children that have not registered yet */
  int count;     /* children */
  int *children; /* [count] ids; NULL once all were informed */
};

enum { ENTER, ASK, PARENT_IS, CHILDREN_ARE, RANK_IS, ENTERED };
enum { ENTER_OP, ENTER_POSITION, ENTER_COLOR, ENTER_SIZE, ENTER_RANK, ENTER_CHILD, ENTER_ID, ENTER_WORDS };
enum { ANSWER_OP, ANSWER_RANK, ANSWER_ID, ANSWER_WORDS };

/* The last questions and answers, the latest first. */
enum { ANSWERS = 16, ASKED = -2 };
struct answers {
  int count;
  int rank[ANSWERS], id[ANSWERS]; /* [count] */
};

/* ---- numbering ---- */

struct tree_place tutti_place_by_level(int size, int k, int rank)
{
  int64_t first = (int64_t)k * rank + 1;
  int64_t children = size - first < k ? size - first : k;
  return (struct tree_place){.parent = rank == 0 ? -1 : (rank - 1) / k,
                             .child_count = children > 0 ? (int)children : 0,
                             .first_child = children > 0 ? (int)first : 0,
                             .step = 1};
}

static struct tree_place subtree(int first, int size, int k, int parent)
{
  return (struct tree_place){.parent = parent,
                             .child_count = size - 1 < k ? size - 1 : k,
                             .first_child = first + 1,
                             .step = (size - 1) / k,
                             .longer = (size - 1) % k};
}

int tutti_place_child(const struct tree_place *place, int index)
{
  return place->first_child + index * place->step + (index < place->longer ? index : place->longer);
}

/* By range: the child in whose subtree the rank is. */
static int child_index(const struct tree_place *place, int rank)
{
  int offset = rank - place->first_child, in_longer = place->longer * (place->step + 1);
  return offset < in_longer ? offset / (place->step + 1) : place->longer + (offset - in_longer) / place->step;
}

static struct tree_place place_by_range(int size, int k, int rank)
{
  int first = 0;
  struct tree_place place = subtree(first, size, k, -1);
  while (first != rank) {
    int child = child_index(&place, rank);
    int parent = first;
    first = tutti_place_child(&place, child);
    size = place.step + (child < place.longer);
    place = subtree(first, size, k, parent);
  }
  return place;
}

static struct tree_place place_of(const struct group_protocol *c, int size, int rank)
{
  return c->request.sizes ? place_by_range(size, c->request.branching, rank)
                          : tutti_place_by_level(size, c->request.branching, rank);
}

/* ---- where the intermediary is ---- */

static int common_divisor(int a, int b)
{
  while (b != 0) {
    int rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/* Near the golden section of the processes and coprime to their number: i -> i * step is a permutation of them that
   sends neighbors far apart. */
static int spread(int processes)
{
  int step = (int)(0.6180339887 * processes);
  while (step > 1 && common_divisor(step, processes) != 1)
    step--;
  return step > 0 ? step : 1;
}

static int stride_of(const struct directory *directory)
{
  return directory->stride > 0 ? directory->stride : 1;
}

/* The number of processes that can be intermediaries. */
static int processes_of(const struct group_protocol *c, const struct directory *directory)
{
  return (c->total - 1) / stride_of(directory) + 1;
}

/* Constructions under way at the same time use different ones. */
static int shift_of(const struct group_protocol *c, int processes)
{
  int shift = c->actor.topic % processes;
  return shift < 0 ? shift + processes : shift;
}

/* Position of the intermediary of rank `rank` of the own color among the processes of the parent group. */
static int intermediary(const struct group_protocol *c, const struct directory *directory, int rank)
{
  int64_t index = directory->seeker.offset + rank;
  int processes = processes_of(c, directory);
  if (c->request.sizes)
    return (int)(index * c->total / directory->seeker.everyone);
  return (int)((index * spread(processes) + shift_of(c, processes)) % processes) * stride_of(directory);
}

/* x with x * a = 1 modulo m, by Euclid's algorithm. */
static int64_t inverse(int64_t a, int64_t m)
{
  int64_t x = 1, y = 0, rest = m;
  while (a > 1 && rest > 0) {
    int64_t quotient = a / rest, next = a % rest, before = y;
    y = x - quotient * y;
    x = before;
    a = rest;
    rest = next;
  }
  return (x % m + m) % m;
}

bool tutti_directory_is_owed(const struct group_protocol *c, const struct directory *directory, int entrants)
{
  int processes = processes_of(c, directory), stride = stride_of(directory), id = c->actor.id;
  if (c->request.sizes || id % stride != 0)
    return false;
  int64_t from = (id / stride - shift_of(c, processes) + processes) % processes;
  if (from * inverse(spread(processes), processes) % processes >= entrants)
    return false;
  for (int e = 0; e < directory->count; e++)
    if (directory->entries[e].id >= 0)
      return false;
  return true;
}

/* ---- getting there ---- */

static void serve(struct group_protocol *c, struct directory *directory, const int *words);

/* The child whose subtree contains the position, or the parent. Positions count the parent group's tree in preorder. */
static int next_on_the_way(const struct group_protocol *c, int position)
{
  const tutti_tree *tree = c->request.tree;
  int first = c->position + 1;
  if (position < first)
    return tree->parent;
  for (int i = 0; i < tree->child_count; i++) {
    first += c->request.sizes[i];
    if (position < first)
      return tutti_tree_child(tree, i);
  }
  return tree->parent;
}

/* Towards the intermediary; inside a group that was built, this process may be it. */
static void forward(struct group_protocol *c, struct directory *directory, const int *words)
{
  int position = words[ENTER_POSITION];
  tutti_message_kind kind = words[ENTER_OP] == ASK ? TUTTI_MESSAGE_LOOKUP : TUTTI_MESSAGE_HASH;
  if (!c->request.sizes)
    group_protocol_send(c, position, kind, words, ENTER_WORDS);
  else if (position == c->position)
    serve(c, directory, words);
  else
    group_protocol_send(c, next_on_the_way(c, position), kind, words, ENTER_WORDS);
}

/* ---- the member that looks for its neighbors ---- */

static void stand_if_all_known(struct group_protocol *c, const struct seeker *seeker)
{
  if (seeker->parent_known && seeker->children_known && seeker->entered && !c->standing)
    tutti_group_protocol_stands(c);
}

void tutti_directory_seek(struct group_protocol *c, struct directory *directory, int size, int rank)
{
  struct seeker *seeker = &directory->seeker;
  struct tree_place place = place_of(c, size, rank);
  seeker->parent_known = place.parent < 0;
  seeker->children_known = place.child_count == 0;
  seeker->entered = !c->request.sizes || place.child_count > 0;
  int words[ENTER_WORDS] = {ENTER, intermediary(c, directory, rank), c->request.color, size, rank, -1, c->actor.id};
  forward(c, directory, words);
  if (place.parent >= 0) {
    words[ENTER_POSITION] = intermediary(c, directory, place.parent);
    words[ENTER_RANK] = place.parent;
    words[ENTER_CHILD] = rank;
    forward(c, directory, words);
  }
  stand_if_all_known(c, seeker);
}

/* ---- the intermediary ---- */

static struct directory_entry *find(const struct directory *directory, int color, int rank)
{
  for (int e = 0; e < directory->count; e++)
    if (directory->entries[e].color == color && directory->entries[e].rank == rank)
      return &directory->entries[e];
  return NULL;
}

static bool make_room(tutti_counted_memory *memory, struct directory *directory)
{
  if (directory->count < directory->capacity)
    return true;
  int capacity = 2 * directory->capacity + 1;
  struct directory_entry *entries = tutti_counted_enlarge(
      memory, directory->entries, (size_t)directory->capacity * sizeof *entries, (size_t)capacity * sizeof *entries);
  if (!entries)
    return false;
  directory->entries = entries;
  directory->capacity = capacity;
  return true;
}

static struct directory_entry *add_entry(struct group_protocol *c, struct directory *directory, const int *words,
                                         int children)
{
  if (!tutti_actor_need(&c->actor, make_room(&c->actor.memory, directory)))
    return NULL;
  struct directory_entry *entry = &directory->entries[directory->count];
  *entry = (struct directory_entry){.color = words[ENTER_COLOR],
                                    .rank = words[ENTER_RANK],
                                    .id = -1,
                                    .size = words[ENTER_SIZE],
                                    .missing = children,
                                    .count = children};
  if (children > 0)
    entry->children = tutti_counted_alloc(&c->actor.memory, (size_t)children * sizeof(int));
  if (children > 0 && !tutti_actor_need(&c->actor, entry->children))
    return NULL;
  directory->count++;
  return entry;
}

/* Only the process with the rank is remembered. */
static void forget_children(struct group_protocol *c, struct directory_entry *entry)
{
  tutti_counted_free(&c->actor.memory, entry->children, (size_t)entry->count * sizeof(int));
  entry->children = NULL;
}

static void introduce(struct group_protocol *c, struct directory_entry *entry)
{
  tutti_int_vector words = {0};
  int parent[] = {PARENT_IS, entry->id};
  for (int i = 0; i < entry->count; i++)
    group_protocol_send(c, entry->children[i], TUTTI_MESSAGE_HASH, parent, 2);
  bool good = tutti_int_vector_add(&c->actor.memory, &words, CHILDREN_ARE) &&
              tutti_int_vector_append(&c->actor.memory, &words, entry->children, entry->count);
  if (tutti_actor_need(&c->actor, good))
    group_protocol_send(c, entry->id, TUTTI_MESSAGE_HASH, words.items, words.count);
  tutti_int_vector_free(&c->actor.memory, &words);
  forget_children(c, entry);
}

static void answer(struct group_protocol *c, const struct directory_entry *entry, int asker)
{
  int words[ANSWER_WORDS] = {RANK_IS, entry->rank, entry->id};
  group_protocol_send(c, asker, TUTTI_MESSAGE_LOOKUP, words, ANSWER_WORDS);
}

/* Lookups that came before the rank had registered. */
static void answer_waiting(struct group_protocol *c, struct directory *directory, const struct directory_entry *entry)
{
  tutti_int_vector *asked = &directory->asked;
  for (int at = 0; at < asked->count;) {
    int *words = asked->items + at;
    if (words[ENTER_COLOR] != entry->color || words[ENTER_RANK] != entry->rank) {
      at += ENTER_WORDS;
      continue;
    }
    answer(c, entry, words[ENTER_ID]);
    asked->count -= ENTER_WORDS;
    memmove(words, words + ENTER_WORDS, (size_t)(asked->count - at) * sizeof *words);
  }
}

/* Enter the rank itself. A rank without children needs no answer: its parent's does, or, inside a built group, where
   its message passes through others, the rank gets one. */
static void enter_rank(struct group_protocol *c, struct directory *directory, struct directory_entry *entry, int id)
{
  int word = ENTERED;
  entry->id = id;
  answer_waiting(c, directory, entry);
  if (c->request.sizes && entry->count == 0)
    group_protocol_send(c, id, TUTTI_MESSAGE_HASH, &word, 1);
  if (c->busy)
    tutti_group_protocol_idle(c);
}

static void enter(struct group_protocol *c, struct directory *directory, const int *words)
{
  struct tree_place place = place_of(c, words[ENTER_SIZE], words[ENTER_RANK]);
  struct directory_entry *entry = find(directory, words[ENTER_COLOR], words[ENTER_RANK]);
  if (!entry)
    entry = add_entry(c, directory, words, place.child_count);
  if (!entry)
    return;
  if (entry->size != words[ENTER_SIZE]) {
    tutti_actor_fail(&c->actor, TUTTI_ERR_FAULT, "process %d: rank %d is of a group of %d, and of one of %d",
                     c->actor.id, entry->rank, entry->size, words[ENTER_SIZE]);
    return;
  }
  if (words[ENTER_CHILD] < 0) {
    enter_rank(c, directory, entry, words[ENTER_ID]);
  } else {
    entry->children[child_index(&place, words[ENTER_CHILD])] = words[ENTER_ID];
    entry->missing--;
  }
  if (entry->id >= 0 && entry->missing == 0 && entry->children)
    introduce(c, entry);
}

static void serve(struct group_protocol *c, struct directory *directory, const int *words)
{
  if (words[ENTER_OP] == ENTER) {
    enter(c, directory, words);
    return;
  }
  const struct directory_entry *entry = find(directory, words[ENTER_COLOR], words[ENTER_RANK]);
  if (entry && entry->id >= 0)
    answer(c, entry, words[ENTER_ID]);
  else
    group_protocol_append(c, &directory->asked, words, ENTER_WORDS);
}

/* ---- lookups ---- */

static bool make_cache(struct group_protocol *c, struct directory *directory)
{
  if (directory->cache)
    return true;
  directory->cache = tutti_counted_alloc(&c->actor.memory, sizeof *directory->cache);
  if (directory->cache)
    directory->cache->count = 0;
  return directory->cache;
}

static int slot_of(const struct answers *cache, int rank)
{
  for (int slot = 0; slot < cache->count; slot++)
    if (cache->rank[slot] == rank)
      return slot;
  return -1;
}

static void put_first(struct answers *cache, int slot, int rank, int id)
{
  memmove(cache->rank + 1, cache->rank, (size_t)slot * sizeof(int));
  memmove(cache->id + 1, cache->id, (size_t)slot * sizeof(int));
  cache->rank[0] = rank;
  cache->id[0] = id;
}

/* The least recently used slot that is not in flight, or -1. */
static int slot_to_fill(struct answers *cache)
{
  if (cache->count < ANSWERS)
    return cache->count++;
  int slot = ANSWERS - 1;
  while (slot >= 0 && cache->id[slot] == ASKED)
    slot--;
  return slot;
}

static void take_answer(struct directory *directory, const int *words)
{
  int slot = slot_of(directory->cache, words[ANSWER_RANK]);
  if (slot >= 0)
    directory->cache->id[slot] = words[ANSWER_ID];
}

static void ask(struct group_protocol *c, struct directory *directory, int rank)
{
  int words[ENTER_WORDS] = {ASK, intermediary(c, directory, rank), c->request.color, c->size, rank, -1, c->actor.id};
  int slot = slot_to_fill(directory->cache);
  if (slot < 0)
    return;
  put_first(directory->cache, slot, rank, ASKED);
  forward(c, directory, words);
}

static int recall(struct answers *cache, int slot)
{
  int id = cache->id[slot];
  put_first(cache, slot, cache->rank[slot], id);
  return id == ASKED ? TUTTI_NO_PROCESS : id;
}

tutti_status tutti_group_protocol_find(tutti_actor *actor, int rank, int *id, tutti_error *error)
{
  struct group_protocol *c = group_protocol_of(actor);
  *id = TUTTI_NO_PROCESS;
  if (!c->request.builder->hashes)
    return tutti_fail(error, TUTTI_ERR_UNSUPPORTED, "builder %s: ranks cannot be looked up",
                      tutti_group_builder_name(c->request.builder));
  if (rank < 0 || rank >= c->size)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "process %d: no rank %d in a group of %d", actor->id, rank, c->size);
  struct directory *directory = c->request.builder->directory(c);
  if (!make_cache(c, directory))
    return tutti_fail(error, TUTTI_ERR_MEMORY, "process %d: out of memory for a lookup", actor->id);
  int slot = slot_of(directory->cache, rank);
  if (rank == c->rank)
    *id = actor->id;
  else if (slot < 0)
    ask(c, directory, rank);
  else
    *id = recall(directory->cache, slot);
  return actor->status;
}

/* ---- messages ---- */

static void take_children(struct group_protocol *c, const int *children, int count)
{
  tutti_counted_memory *memory = &c->actor.memory;
  tutti_int_vector all = {0};
  tutti_actor_need(&c->actor, tutti_int_vector_append(memory, &all, children, count) &&
                                  tutti_int_vector_append(memory, &all, c->children.items, c->children.count));
  tutti_int_vector_free(memory, &c->children);
  c->children = all;
}

static void take_neighbors(struct group_protocol *c, struct seeker *seeker, const tutti_message *message)
{
  if (message->words[0] == ENTERED) {
    seeker->entered = true;
  } else if (message->words[0] == PARENT_IS) {
    c->parent = message->words[1];
    seeker->parent_known = true;
  } else {
    take_children(c, message->words + 1, message->count - 1);
    seeker->children_known = true;
  }
  stand_if_all_known(c, seeker);
}

void tutti_directory_receive(struct group_protocol *c, struct directory *directory, const tutti_message *message)
{
  const int *words = message->words;
  bool request = words[0] == ENTER || words[0] == ASK;
  if (request && c->request.sizes && words[ENTER_POSITION] != c->position)
    forward(c, directory, words);
  else if (request)
    serve(c, directory, words);
  else if (words[0] == RANK_IS)
    take_answer(directory, words);
  else
    take_neighbors(c, &directory->seeker, message);
}

void tutti_directory_free(struct group_protocol *c, struct directory *directory)
{
  for (int e = 0; e < directory->count; e++)
    forget_children(c, &directory->entries[e]);
  tutti_counted_free(&c->actor.memory, directory->entries, (size_t)directory->capacity * sizeof *directory->entries);
  tutti_int_vector_free(&c->actor.memory, &directory->asked);
  tutti_counted_free(&c->actor.memory, directory->cache, sizeof *directory->cache);
}
