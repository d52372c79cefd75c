#include "groups/group_protocol.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "base/words.h"
#include "groups/directory.h"

/* ---- the original tree ---- */

/* The position of the child if children ascend cyclically from the first one: those of a k-ary tree with any root do,
   and those of nodes; those of a built group may not. */
static int search(const tutti_tree *tree, int id)
{
  unsigned first = (unsigned)tutti_tree_child(tree, 0), distance = (unsigned)id - first;
  return TUTTI_PARTITION_POINT(int, i, 1, tree->child_count, (unsigned)tutti_tree_child(tree, i) - first <= distance) -
         1;
}

int tutti_group_protocol_child_index(const struct group_protocol *protocol, int id)
{
  const tutti_tree *tree = protocol->request.tree;
  int found = tree->child_count > 0 ? search(tree, id) : 0;
  if (tree->child_count > 0 && tutti_tree_child(tree, found) == id)
    return found;
  for (int c = 0; c < tree->child_count; c++)
    if (tutti_tree_child(tree, c) == id)
      return c;
  tutti_actor_fail((tutti_actor *)protocol, TUTTI_ERR_FAULT, "process %d: a message from %d, which is not a child",
                   protocol->actor.id, id);
  return 0;
}

static int processes_below(const tutti_group_request *request)
{
  int sum = 0;
  for (int c = 0; c < request->tree->child_count; c++)
    sum += request->sizes[c];
  return sum;
}

/* ---- the beginning: down the original tree ---- */

enum { START_DEPTH, START_ROOT, START_POSITION, START_TOTAL, START_WORDS };

static void pass_start(struct group_protocol *c)
{
  const tutti_tree *tree = c->request.tree;
  int position = c->position + 1;
  for (int i = 0; i < tree->child_count; i++) {
    int words[START_WORDS] = {c->depth + 1, c->root, position, c->total};
    group_protocol_send(c, tutti_tree_child(tree, i), TUTTI_MESSAGE_START, words, START_WORDS);
    position += c->request.sizes ? c->request.sizes[i] : 0;
  }
}

static void start_protocol(struct group_protocol *c, const int *words)
{
  c->depth = words[START_DEPTH];
  c->root = words[START_ROOT];
  c->position = words[START_POSITION];
  c->total = words[START_TOTAL];
  pass_start(c);
  c->request.builder->begin(c);
}

void tutti_group_protocol_start(tutti_actor *actor)
{
  struct group_protocol *c = group_protocol_of(actor);
  const tutti_group_request *request = &c->request;
  if (request->tree->parent >= 0)
    return;
  int total = request->sizes ? 1 + processes_below(request) : request->tree->size;
  int words[START_WORDS] = {0, actor->id, 0, total};
  start_protocol(c, words);
}

/* ---- the end: down the original tree ---- */

enum { FINISH_OP, FINISH_ENTRANTS, FINISH_WORDS };
enum { GROUP_STANDS, ALL_STAND };

/* It may overtake a rank on its way to its intermediary, which therefore waits for it. */
static void finish(struct group_protocol *c, int entrants)
{
  const tutti_tree *tree = c->request.tree;
  const tutti_group_builder *builder = c->request.builder;
  int words[FINISH_WORDS] = {ALL_STAND, entrants};
  c->finished = true;
  for (int i = 0; i < tree->child_count; i++)
    group_protocol_send(c, tutti_tree_child(tree, i), TUTTI_MESSAGE_FINISH, words, FINISH_WORDS);
  if (builder->directory)
    c->busy = tutti_directory_is_owed(c, builder->directory(c), entrants);
  if (tutti_group_protocol_is_member(c) && !c->reduced)
    tutti_actor_fail(&c->actor, TUTTI_ERR_FAULT, "process %d: the construction ends without it", c->actor.id);
  c->actor.done = !c->busy;
}

void tutti_group_protocol_idle(struct group_protocol *c)
{
  c->busy = false;
  c->actor.done = c->finished;
}

static void check_groups(struct group_protocol *c)
{
  if (c->groups_awaited == c->groups_standing)
    finish(c, c->entrants);
}

void tutti_group_protocol_expect(struct group_protocol *c, int groups, int entrants)
{
  c->groups_awaited = groups;
  c->entrants = entrants;
  check_groups(c);
}

static void group_stands(struct group_protocol *c)
{
  c->groups_standing++;
  check_groups(c);
}

/* ---- the reduction over the new tree ---- */

enum { REPORT_ID, REPORT_SIZE, REPORT_HEIGHT, REPORT_DEGREE, REPORT_WORDS };

static int by_id(const void *a, const void *b)
{
  int left = ((const int *)a)[REPORT_ID], right = ((const int *)b)[REPORT_ID];
  return THREE_WAY(left, right);
}

static void sort_reports(struct group_protocol *c)
{
  size_t count = (size_t)c->reports.count / REPORT_WORDS;
  if (count > 1)
    qsort(c->reports.items, count, REPORT_WORDS * sizeof(int), by_id);
}

/* The report of a child; the reports have been sorted. */
static const int *report_of(const struct group_protocol *c, int child)
{
  int key[REPORT_WORDS] = {[REPORT_ID] = child};
  size_t count = (size_t)c->reports.count / REPORT_WORDS;
  return count > 0 ? bsearch(key, c->reports.items, count, sizeof key, by_id) : NULL;
}

/* Take in the reports of the children: sizes in their order, height and degree. Returns the size of the subtree. */
static int gather_reports(struct group_protocol *c)
{
  int size = 1;
  c->height = 1;
  c->degree = c->children.count;
  sort_reports(c);
  for (int i = 0; i < c->children.count; i++) {
    const int *report = report_of(c, c->children.items[i]);
    if (!report) {
      tutti_actor_fail(&c->actor, TUTTI_ERR_FAULT,
                       "process %d: another process than its child %d takes it for a parent", c->actor.id,
                       c->children.items[i]);
      return size;
    }
    if (!group_protocol_add(c, &c->sizes, report[REPORT_SIZE]))
      return size;
    size += report[REPORT_SIZE];
    if (c->height < report[REPORT_HEIGHT] + 1)
      c->height = report[REPORT_HEIGHT] + 1;
    if (c->degree < report[REPORT_DEGREE])
      c->degree = report[REPORT_DEGREE];
  }
  return size;
}

static void complete(struct group_protocol *c, int size)
{
  int words[FINISH_WORDS] = {GROUP_STANDS, 0};
  c->complete = true;
  c->critical_path = c->actor.tally.depth;
  if (size != c->size)
    tutti_actor_fail(&c->actor, TUTTI_ERR_FAULT, "process %d: root of a group of %d whose tree has %d", c->actor.id,
                     c->size, size);
  if (c->actor.id == c->root)
    group_stands(c);
  else
    group_protocol_send(c, c->root, TUTTI_MESSAGE_FINISH, words, FINISH_WORDS);
}

static void reduce(struct group_protocol *c)
{
  if (!c->standing || c->reduced || c->reports.count != c->children.count * REPORT_WORDS)
    return;
  c->reduced = true;
  int size = gather_reports(c);
  tutti_int_vector_free(&c->actor.memory, &c->reports);
  if (c->parent == TUTTI_NO_PROCESS) {
    complete(c, size);
    return;
  }
  int words[REPORT_WORDS] = {c->actor.id, size, c->height, c->degree};
  group_protocol_send(c, c->parent, TUTTI_MESSAGE_REDUCTION, words, REPORT_WORDS);
}

void tutti_group_protocol_stands(struct group_protocol *c)
{
  c->standing = true;
  reduce(c);
}

/* ---- the actor ---- */

static void receive_finish(struct group_protocol *c, const tutti_message *message)
{
  if (message->words[FINISH_OP] == GROUP_STANDS)
    group_stands(c);
  else
    finish(c, message->words[FINISH_ENTRANTS]);
}

static void receive_report(struct group_protocol *c, const tutti_message *message)
{
  if (group_protocol_append(c, &c->reports, message->words, REPORT_WORDS))
    reduce(c);
}

void tutti_group_protocol_receive(tutti_actor *actor, const tutti_message *message)
{
  struct group_protocol *c = group_protocol_of(actor);
  if (actor->done && message->kind != TUTTI_MESSAGE_LOOKUP)
    tutti_actor_fail(actor, TUTTI_ERR_FAULT, "process %d: a message (%s) from %d after the end of the construction",
                     actor->id, tutti_message_kind_name(message->kind), message->from);
  else if (message->kind == TUTTI_MESSAGE_START)
    start_protocol(c, message->words);
  else if (message->kind == TUTTI_MESSAGE_REDUCTION)
    receive_report(c, message);
  else if (message->kind == TUTTI_MESSAGE_FINISH)
    receive_finish(c, message);
  else
    c->request.builder->receive(c, message);
}

void tutti_group_protocol_free(tutti_actor *actor)
{
  struct group_protocol *c = group_protocol_of(actor);
  c->request.builder->free(c);
  tutti_int_vector_free(&actor->memory, &c->children);
  tutti_int_vector_free(&actor->memory, &c->reports);
  tutti_int_vector_free(&actor->memory, &c->sizes);
}

/* ---- made ---- */

static tutti_status check_request(const tutti_group_request *request, tutti_error *error)
{
  const tutti_group_builder *builder = request->builder;
  bool vectors = request->colors != 1 || request->ranks_per_node > 1;
  if (request->branching < 2)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "branching factor %d: at least 2 is needed", request->branching);
  if (request->colors < 1 || request->color < -1 || request->color >= request->colors)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "process %d: colour %d is not among the %d colours",
                      request->tree->rank, request->color, request->colors);
  if (vectors && strcmp(tutti_group_builder_name(builder), "shrink-hash/no-filler") != 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "builder %s: several colours, or nodes, take shrink-hash/no-filler",
                      tutti_group_builder_name(builder));
  if (request->ranks_per_node > 1 && (request->colors != 1 || request->sizes))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "nodes are for one colour, and for splits of a whole view");
  if (builder->whole_only && request->sizes)
    return tutti_fail(error, TUTTI_ERR_UNSUPPORTED, "builder %s does not split a group that was itself built",
                      tutti_group_builder_name(builder));
  return TUTTI_OK;
}

tutti_actor *tutti_group_protocol_create(const tutti_group_request *request, tutti_transport *transport, int id,
                                         int topic, tutti_error *error)
{
  if (check_request(request, error) != TUTTI_OK)
    return NULL;
  const tutti_group_builder *builder = request->ranks_per_node > 1 ? &tutti_hash_nodes : request->builder;
  tutti_actor *actor = tutti_actor_create(&builder->protocol, transport, id, topic, error);
  if (!actor)
    return NULL;
  struct group_protocol *c = group_protocol_of(actor);
  c->request = *request;
  c->request.builder = builder;
  c->groups_awaited = -1;
  c->rank = -1;
  c->parent = TUTTI_NO_PROCESS;
  if (!builder->prepare || builder->prepare(c))
    return actor;
  tutti_fail(error, TUTTI_ERR_MEMORY, "process %d: out of memory", id);
  tutti_actor_free(actor);
  return NULL;
}

tutti_membership tutti_group_protocol_membership(const tutti_actor *actor)
{
  const struct group_protocol *c = (const struct group_protocol *)actor;
  return (tutti_membership){.size = tutti_group_protocol_is_member(c) ? c->size : 0,
                            .rank = c->rank,
                            .parent = c->parent,
                            .child_count = c->children.count,
                            .children = c->children.items,
                            .sizes = c->sizes.items,
                            .height = c->height,
                            .degree = c->degree};
}

bool tutti_group_protocol_complete(const tutti_actor *actor)
{
  return ((const struct group_protocol *)actor)->complete;
}

int tutti_group_protocol_critical_path(const tutti_actor *actor)
{
  return ((const struct group_protocol *)actor)->critical_path;
}

/* ---- equations (4) and (7) ---- */

int tutti_balanced_height(int64_t size, int k)
{
  int height = 0;
  int64_t capacity = 0;
  for (; capacity < size; height++)
    capacity = capacity * k + 1;
  return height;
}

int tutti_balanced_capacity(int height, int k)
{
  int64_t capacity = 0;
  for (; height > 0 && capacity < INT_MAX; height--)
    capacity = capacity * k + 1;
  return capacity < INT_MAX ? (int)capacity : INT_MAX;
}

/* ---- builders ---- */

static const tutti_group_builder *const builders[] = {
    &tutti_centralized, &tutti_balance_child, &tutti_balance_leaf, &tutti_hash_none,
    &tutti_hash_child,  &tutti_hash_leaf,     &tutti_chain,
};

enum { BUILDERS = sizeof builders / sizeof builders[0] };

const tutti_group_builder *tutti_group_builder_at(int index)
{
  return index >= 0 && index < BUILDERS ? builders[index] : NULL;
}

const char *tutti_group_builder_name(const tutti_group_builder *builder)
{
  return builder->protocol.name;
}

bool tutti_group_builder_ranks(const tutti_group_builder *builder)
{
  return builder != &tutti_balance_child && builder != &tutti_balance_leaf;
}

bool tutti_group_builder_hashes(const tutti_group_builder *builder)
{
  return builder->hashes;
}

const tutti_group_builder *tutti_group_builder_find(const char *name, tutti_error *error)
{
  char known[256] = "", meant[2 * TUTTI_GUESS_LENGTH];
  tutti_guess guess = {.word = name};
  for (int b = 0; b < BUILDERS; b++) {
    if (strcmp(builders[b]->protocol.name, name) == 0)
      return builders[b];
    tutti_guess_try(&guess, builders[b]->protocol.name);
    size_t used = strlen(known);
    snprintf(known + used, sizeof known - used, "%s%s", b > 0 ? ", " : "", builders[b]->protocol.name);
  }
  tutti_fail(error, TUTTI_ERR_ARGUMENT, "unknown builder '%.80s'%s: known are %s", name,
             tutti_guess_text(&guess, meant), known);
  return NULL;
}
