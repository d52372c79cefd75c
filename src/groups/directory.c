#include "groups/directory.h"

#include <stdint.h>
#include <string.h>

struct directory_entry {
  int colour, rank;
  int id;        /* of the process with this rank, or -1 */
  int missing;   /* children that have not registered yet */
  int count;     /* children */
  int *children; /* [count] ids; NULL once all were told */
};

enum { ENTER, PARENT_IS, CHILDREN_ARE };
enum { ENTER_OP, ENTER_POSITION, ENTER_COLOUR, ENTER_SIZE, ENTER_RANK, ENTER_CHILD, ENTER_ID, ENTER_WORDS };

static struct place place_of(const struct construction *c, int size, int rank)
{
  return c->enrolment.sizes ? tutti_place_by_range(size, c->enrolment.branching, rank)
                            : tutti_place_by_level(size, c->enrolment.branching, rank);
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
   sends neighbours far apart. */
static int spread(int processes)
{
  int step = (int)(0.6180339887 * processes);
  while (step > 1 && common_divisor(step, processes) != 1)
    step--;
  return step > 0 ? step : 1;
}

/* Position of the intermediary of rank `rank` of the own colour among the processes of the parent group. */
static int intermediary(const struct construction *c, const struct seeker *seeker, int rank)
{
  int64_t index = seeker->offset + rank;
  if (c->enrolment.sizes)
    return (int)(index * c->total / seeker->everyone);
  return (int)((index * spread(c->total) + c->actor.topic) % c->total);
}

/* ---- getting there ---- */

static void enter(struct construction *c, struct directory *directory, const int *words);

/* Whose subtree is the position in? Positions count the parent group's tree in preorder. */
static int next_on_the_way(const struct construction *c, int position)
{
  const tutti_tree *tree = c->enrolment.tree;
  int first = c->position + 1;
  if (position < first)
    return tree->parent;
  for (int i = 0; i < tree->child_count; i++) {
    first += c->enrolment.sizes[i];
    if (position < first)
      return tutti_tree_child(tree, i);
  }
  return tree->parent;
}

static void forward(struct construction *c, struct directory *directory, const int *words)
{
  int position = words[ENTER_POSITION];
  if (!c->enrolment.sizes)
    construction_send(c, position, TUTTI_MAIL_HASH, words, ENTER_WORDS);
  else if (position == c->position)
    enter(c, directory, words);
  else
    construction_send(c, next_on_the_way(c, position), TUTTI_MAIL_HASH, words, ENTER_WORDS);
}

/* ---- the member that looks for its neighbours ---- */

static void stand_if_all_known(struct construction *c, const struct seeker *seeker)
{
  if (seeker->parent_known && seeker->children_known && !c->standing)
    tutti_construction_stands(c);
}

void tutti_directory_seek(struct construction *c, struct directory *directory, struct seeker *seeker)
{
  struct place place = place_of(c, c->size, c->rank);
  seeker->parent_known = place.parent < 0;
  seeker->children_known = place.child_count == 0;
  int words[ENTER_WORDS] = {ENTER,      intermediary(c, seeker, c->rank), c->enrolment.colour, c->size, c->rank, -1,
                            c->actor.id};
  forward(c, directory, words);
  if (place.parent >= 0) {
    words[ENTER_POSITION] = intermediary(c, seeker, place.parent);
    words[ENTER_RANK] = place.parent;
    words[ENTER_CHILD] = c->rank;
    forward(c, directory, words);
  }
  stand_if_all_known(c, seeker);
}

/* ---- the intermediary ---- */

static struct directory_entry *find(const struct directory *directory, int colour, int rank)
{
  for (int e = 0; e < directory->count; e++)
    if (directory->entries[e].colour == colour && directory->entries[e].rank == rank)
      return &directory->entries[e];
  return NULL;
}

static bool make_room(tutti_heap *heap, struct directory *directory)
{
  if (directory->count < directory->capacity)
    return true;
  int capacity = 2 * directory->capacity + 1;
  struct directory_entry *entries = tutti_heap_alloc(heap, (size_t)capacity * sizeof *entries);
  if (!entries)
    return false;
  if (directory->count > 0)
    memcpy(entries, directory->entries, (size_t)directory->count * sizeof *entries);
  tutti_heap_free(heap, directory->entries, (size_t)directory->capacity * sizeof *entries);
  directory->entries = entries;
  directory->capacity = capacity;
  return true;
}

static struct directory_entry *add(struct construction *c, struct directory *directory, int colour, int rank,
                                   int children)
{
  if (!tutti_actor_need(&c->actor, make_room(&c->actor.heap, directory)))
    return NULL;
  struct directory_entry *entry = &directory->entries[directory->count];
  *entry = (struct directory_entry){.colour = colour, .rank = rank, .id = -1, .missing = children, .count = children};
  if (children > 0)
    entry->children = tutti_heap_alloc(&c->actor.heap, (size_t)children * sizeof(int));
  if (children > 0 && !tutti_actor_need(&c->actor, entry->children))
    return NULL;
  directory->count++;
  return entry;
}

/* What stays is who has the rank. */
static void forget_children(struct construction *c, struct directory_entry *entry)
{
  tutti_heap_free(&c->actor.heap, entry->children, (size_t)entry->count * sizeof(int));
  entry->children = NULL;
}

static void introduce(struct construction *c, struct directory_entry *entry)
{
  tutti_words words = {0};
  int parent[] = {PARENT_IS, entry->id};
  for (int i = 0; i < entry->count; i++)
    construction_send(c, entry->children[i], TUTTI_MAIL_HASH, parent, 2);
  bool good = tutti_words_add(&c->actor.heap, &words, CHILDREN_ARE) &&
              tutti_words_append(&c->actor.heap, &words, entry->children, entry->count);
  if (tutti_actor_need(&c->actor, good))
    construction_send(c, entry->id, TUTTI_MAIL_HASH, words.items, words.count);
  tutti_words_free(&c->actor.heap, &words);
  forget_children(c, entry);
}

static void enter(struct construction *c, struct directory *directory, const int *words)
{
  struct place place = place_of(c, words[ENTER_SIZE], words[ENTER_RANK]);
  struct directory_entry *entry = find(directory, words[ENTER_COLOUR], words[ENTER_RANK]);
  if (!entry)
    entry = add(c, directory, words[ENTER_COLOUR], words[ENTER_RANK], place.child_count);
  if (!entry)
    return;
  if (words[ENTER_CHILD] < 0) {
    entry->id = words[ENTER_ID];
  } else {
    entry->children[tutti_place_child_index(&place, words[ENTER_CHILD])] = words[ENTER_ID];
    entry->missing--;
  }
  if (entry->id >= 0 && entry->missing == 0 && entry->children)
    introduce(c, entry);
}

void tutti_directory_receive(struct construction *c, struct directory *directory, struct seeker *seeker,
                             const tutti_mail *mail)
{
  const int *words = mail->words;
  if (words[0] == ENTER) {
    if (c->enrolment.sizes && words[ENTER_POSITION] != c->position)
      forward(c, directory, words);
    else
      enter(c, directory, words);
    return;
  }
  if (words[0] == PARENT_IS) {
    c->parent = words[1];
    seeker->parent_known = true;
  } else {
    tutti_actor_need(&c->actor, tutti_words_append(&c->actor.heap, &c->children, words + 1, mail->count - 1));
    seeker->children_known = true;
  }
  stand_if_all_known(c, seeker);
}

void tutti_directory_free(struct construction *c, struct directory *directory)
{
  for (int e = 0; e < directory->count; e++)
    forget_children(c, &directory->entries[e]);
  tutti_heap_free(&c->actor.heap, directory->entries, (size_t)directory->capacity * sizeof *directory->entries);
}
