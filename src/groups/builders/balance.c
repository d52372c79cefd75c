/* Shrink-and-Balance (Langer, Venkataraman, Kale 2012, section V): the upward pass leaves a tree of members (shrink.h),
   which a pass downward balances. O(log^2 n) time, O(log n) memory.

   A vertex learns how many levels its subtree may have. It keeps its largest subtrees as children and ensures that none
   exceeds the size of one level less: suppliers, subtrees that are too large or in excess, are matched with consumers,
   children with free space, or places for children that are missing. A subtree that a child can take whole goes along
   in the message with the child's place. A subtree that must be split is requested from the root of the supplier, which
   sends subtrees of its own directly to the consumer and forwards the rest of the request downward. Vertices for a
   missing child, whose id is unknown, go to the parent, which makes the root of the largest subtree that child and
   gives it the others.

       supplier A: 9 members, space for 7       A --transfer (2 members)--> B
       consumer B: 4 members, space for 7       B waits for them before it balances its own subtree

   Suppliers never wait for consumers, so no cycle of waiting processes arises. */
#include "groups/group_protocol.h"
#include "groups/shrink.h"

/* A place for a child that is missing. */
struct vacancy {
  int expected;          /* members that were requested for it; 0: not wanted, or given away */
  struct forest arrived; /* their subtrees */
};

struct balance {
  struct group_protocol protocol;
  struct shrink shrink;
  bool placed;  /* has received its place in the new tree */
  bool matched; /* has children, or has requested them */
  int height;   /* levels that the subtree may have */
  int pending;  /* members that others will send for this subtree */
  int requests, served;
  tutti_int_vector waiting;  /* requests that came before their turn: each with its length first */
  struct forest imports;     /* subtrees that came with the place or afterwards; joined with shrink.below */
  int imported;              /* members that others have sent */
  int places;                /* places for children: k, or all members below */
  struct vacancy *vacancies; /* [places], or NULL before the match and once none waits */
  int vacant;                /* vacancies that wait */
};

enum { LEAF = 1 };
enum { PLACE_SIZE, PLACE_HEIGHT, PLACE_RELOCATIONS, PLACE_REQUESTS, PLACE_PENDING, PLACE_USED, PLACE_WORDS };
enum { REQUEST, TRANSFER };
enum { REQUEST_OP, REQUEST_TURN, REQUEST_RELOCATIONS, REQUEST_USED, REQUEST_WORDS };
enum { ORDER_CONSUMER, ORDER_VACANCY, ORDER_AMOUNT, ORDER_WORDS };
enum { TRANSFER_OP, TRANSFER_VACANCY, TRANSFER_WORDS };
enum { NO_VACANCY = -1 };

static struct balance *balance_of(struct group_protocol *c)
{
  return (struct balance *)c;
}

static void advance(struct group_protocol *c);

/* ---- a child receives its place ---- */

static void place_child(struct group_protocol *c, const struct subtree *child, int pending,
                        const struct forest *imports)
{
  tutti_counted_memory *memory = &c->actor.memory;
  tutti_int_vector words = {0};
  int head[PLACE_WORDS] = {c->size, balance_of(c)->height - 1, child->relocations, child->requests,
                           pending, child->used.count};
  tutti_actor_need(&c->actor, tutti_int_vector_append(memory, &words, head, PLACE_WORDS) &&
                                  tutti_int_vector_append(memory, &words, child->used.items, child->used.count) &&
                                  tutti_int_vector_add(memory, &c->children, child->id));
  for (int i = 0; i < imports->count; i++)
    tutti_subtree_write(c, &words, &imports->trees[i]);
  group_protocol_send(c, child->id, TUTTI_MESSAGE_DOWNWARD, words.items, words.count);
  tutti_int_vector_free(memory, &words);
}

/* ---- requests ---- */

/* orders[count][ORDER_WORDS] to the root of `supplier`, whose size is that without what is ordered from now on. */
static void request(struct group_protocol *c, struct subtree *supplier, const tutti_int_vector *orders)
{
  tutti_counted_memory *memory = &c->actor.memory;
  tutti_int_vector words = {0};
  int head[REQUEST_WORDS] = {REQUEST, supplier->requests++, supplier->relocations, supplier->used.count};
  for (int o = 0; o < orders->count; o += ORDER_WORDS)
    supplier->size -= orders->items[o + ORDER_AMOUNT];
  tutti_actor_need(&c->actor, tutti_int_vector_append(memory, &words, head, REQUEST_WORDS) &&
                                  tutti_int_vector_append(memory, &words, supplier->used.items, supplier->used.count) &&
                                  tutti_int_vector_append(memory, &words, orders->items, orders->count));
  group_protocol_send(c, supplier->id, TUTTI_MESSAGE_BALANCE, words.items, words.count);
  tutti_int_vector_free(memory, &words);
}

static void add_order(struct group_protocol *c, tutti_int_vector *orders, int consumer, int vacancy, int amount)
{
  int order[ORDER_WORDS] = {consumer, vacancy, amount};
  group_protocol_append(c, orders, order, ORDER_WORDS);
}

/* Whole subtrees that fit, the largest first; returns how many members are still wanted. */
static int transfer(struct group_protocol *c, const int *order)
{
  struct forest *pool = &balance_of(c)->shrink.below;
  tutti_int_vector words = {0};
  int head[TRANSFER_WORDS] = {TRANSFER, order[ORDER_VACANCY]}, left = order[ORDER_AMOUNT];
  tutti_forest_sort(pool);
  group_protocol_append(c, &words, head, TRANSFER_WORDS);
  for (int i = 0; i < pool->count && left > 0;) {
    struct subtree *tree = &pool->trees[i];
    if (tree->size > left) {
      i++;
      continue;
    }
    left -= tree->size;
    tutti_subtree_write(c, &words, tree);
    tutti_int_vector_free(&c->actor.memory, &tree->used);
    tutti_forest_remove(pool, i);
  }
  if (words.count > TRANSFER_WORDS)
    group_protocol_send(c, order[ORDER_CONSUMER], TUTTI_MESSAGE_BALANCE, words.items, words.count);
  tutti_int_vector_free(&c->actor.memory, &words);
  return left;
}

/* The rest is smaller than any subtree: the largest one gets the rest of the order. */
static void hand_down(struct group_protocol *c, const int *order, int left)
{
  struct forest *pool = &balance_of(c)->shrink.below;
  tutti_int_vector orders = {0};
  if (pool->count == 0) {
    tutti_actor_fail(&c->actor, TUTTI_ERR_FAULT, "process %d: asked for %d members more than it has", c->actor.id,
                     left);
    return;
  }
  tutti_forest_sort(pool);
  add_order(c, &orders, order[ORDER_CONSUMER], order[ORDER_VACANCY], left);
  request(c, &pool->trees[0], &orders);
  tutti_int_vector_free(&c->actor.memory, &orders);
}

static void serve(struct group_protocol *c, const int *orders, int count)
{
  for (int o = 0; o < count; o += ORDER_WORDS) {
    int left = transfer(c, orders + o);
    if (left > 0)
      hand_down(c, orders + o, left);
  }
  balance_of(c)->served++;
}

/* Serves the request whose turn it is, if it is here. */
static bool serve_next(struct group_protocol *c)
{
  struct balance *self = balance_of(c);
  const int *waiting = self->waiting.items;
  for (int at = 0; at < self->waiting.count; at += 1 + waiting[at]) {
    const int *words = waiting + at + 1;
    int first = REQUEST_WORDS + words[REQUEST_USED];
    if (words[REQUEST_TURN] == self->served) {
      serve(c, words + first, waiting[at] - first);
      return true;
    }
  }
  return false;
}

/* ---- matchmaking ---- */

/* The children to be, and what is to be done with the others. */
struct match {
  int chosen;             /* this many first trees of the pool become children */
  int *room;              /* [places] members that fit into each child, or vacancy, besides what it has or will get */
  int *pending;           /* [places] members that others will send there */
  struct forest *imports; /* [places] */
};

/* Where everything fits, the fullest such; else the emptiest. Children before vacancies. */
static int choose_consumer(const struct group_protocol *c, const struct match *match, int amount)
{
  int best = -1, most = 0, places = balance_of((struct group_protocol *)c)->places;
  for (int j = 0; j < places; j++) {
    if (match->room[j] >= amount && (best < 0 || match->room[j] < match->room[best]) && (best < 0 || j < match->chosen))
      best = j;
    if (match->room[j] > match->room[most])
      most = j;
  }
  return best >= 0 ? best : most;
}

static void order_for(struct group_protocol *c, struct match *match, int consumer, int amount, tutti_int_vector *orders)
{
  const struct forest *pool = &balance_of(c)->shrink.below;
  bool vacant = consumer >= match->chosen;
  add_order(c, orders, vacant ? c->actor.id : pool->trees[consumer].id, vacant ? consumer : NO_VACANCY, amount);
  match->pending[consumer] += amount;
  match->room[consumer] -= amount;
}

/* A tree too many goes below a child, whole or what is left of it. */
static int import(struct group_protocol *c, struct match *match, int supplier, int consumer)
{
  const struct subtree *tree = &balance_of(c)->shrink.below.trees[supplier];
  int amount = tree->size < match->room[consumer] ? tree->size : match->room[consumer];
  match->room[consumer] -= amount;
  return amount;
}

static void supply(struct group_protocol *c, struct match *match, int supplier, int excess)
{
  struct forest *pool = &balance_of(c)->shrink.below;
  bool extra = supplier >= match->chosen;
  int home = -1;
  tutti_int_vector orders = {0};
  if (extra) {
    home = choose_consumer(c, match, excess);
    excess -= import(c, match, supplier, home);
  }
  while (excess > 0 && c->actor.status == TUTTI_OK) {
    int consumer = choose_consumer(c, match, excess);
    int amount = excess < match->room[consumer] ? excess : match->room[consumer];
    if (amount <= 0)
      tutti_actor_fail(&c->actor, TUTTI_ERR_FAULT, "process %d: no room for %d members", c->actor.id, excess);
    order_for(c, match, consumer, amount, &orders);
    excess -= amount;
  }
  if (orders.count > 0)
    request(c, &pool->trees[supplier], &orders);
  if (extra) {
    tutti_forest_add(c, &match->imports[home], &pool->trees[supplier]);
    pool->trees[supplier].used = (tutti_int_vector){0};
  }
  tutti_int_vector_free(&c->actor.memory, &orders);
}

static int excess_of(const struct group_protocol *c, const struct match *match, int supplier, int capacity)
{
  int size = balance_of((struct group_protocol *)c)->shrink.below.trees[supplier].size;
  if (supplier >= match->chosen)
    return size;
  return size > capacity ? size - capacity : 0;
}

static void await_vacancies(struct group_protocol *c, const struct match *match)
{
  struct balance *self = balance_of(c);
  for (int j = match->chosen; j < self->places; j++)
    if (match->pending[j] > 0) {
      self->vacancies[j].expected = match->pending[j];
      self->vacant++;
    }
}

/* Suppliers in the order of the pool, largest first. The excess of a vertex that is too large fits below the capacity
   of its consumers together, as all members fit into the remaining levels. */
static void make_match(struct group_protocol *c, struct match *match)
{
  struct balance *self = balance_of(c);
  struct forest *pool = &self->shrink.below;
  int places = self->places, capacity = tutti_balanced_capacity(self->height - 1, c->request.branching);
  match->chosen = pool->count < places ? pool->count : places;
  for (int j = 0; j < places; j++) {
    int size = j < match->chosen ? pool->trees[j].size : 0;
    match->room[j] = size < capacity ? capacity - size : 0;
    match->pending[j] = 0;
    match->imports[j] = (struct forest){0};
  }
  for (int s = 0; s < pool->count && c->actor.status == TUTTI_OK; s++) {
    int excess = excess_of(c, match, s, capacity);
    if (excess > 0)
      supply(c, match, s, excess);
  }
  await_vacancies(c, match);
  for (int j = 0; j < match->chosen; j++)
    place_child(c, &pool->trees[j], match->pending[j], &match->imports[j]);
  for (int j = 0; j < places; j++)
    tutti_forest_free(c, &match->imports[j]);
}

static void match_all(struct group_protocol *c)
{
  struct balance *self = balance_of(c);
  size_t places = (size_t)self->places;
  tutti_counted_memory *memory = &c->actor.memory;
  struct match match = {.room = tutti_counted_alloc(memory, places * sizeof(int)),
                        .pending = tutti_counted_alloc(memory, places * sizeof(int)),
                        .imports = tutti_counted_alloc(memory, places * sizeof(struct forest))};
  self->vacancies = tutti_counted_alloc(memory, places * sizeof *self->vacancies);
  for (size_t j = 0; self->vacancies && j < places; j++)
    self->vacancies[j] = (struct vacancy){0};
  if (tutti_actor_need(&c->actor, match.room && match.pending && match.imports && self->vacancies)) {
    tutti_forest_sort(&self->shrink.below);
    make_match(c, &match);
  }
  tutti_counted_free(memory, match.room, places * sizeof(int));
  tutti_counted_free(memory, match.pending, places * sizeof(int));
  tutti_counted_free(memory, match.imports, places * sizeof(struct forest));
}

/* Each place that is taken has a member of its own, the first places first: more of them than members are not needed.
 */
static void match_children(struct group_protocol *c)
{
  struct balance *self = balance_of(c);
  int k = c->request.branching, members = tutti_forest_size(&self->shrink.below);
  self->matched = true;
  self->places = members < k ? members : k;
  if (self->places > 0)
    match_all(c);
  tutti_forest_free(c, &self->shrink.below);
}

/* ---- vacancies ---- */

static void drop_vacancies(struct group_protocol *c)
{
  struct balance *self = balance_of(c);
  for (int j = 0; self->vacancies && j < self->places; j++)
    tutti_forest_free(c, &self->vacancies[j].arrived);
  tutti_counted_free(&c->actor.memory, self->vacancies, (size_t)self->places * sizeof *self->vacancies);
  self->vacancies = NULL;
}

static void fill_vacancy(struct group_protocol *c, struct vacancy *vacancy)
{
  struct forest *arrived = &vacancy->arrived;
  if (vacancy->expected == 0 || tutti_forest_size(arrived) < vacancy->expected)
    return;
  tutti_forest_sort(arrived);
  struct subtree root = arrived->trees[0];
  tutti_forest_remove(arrived, 0);
  place_child(c, &root, 0, arrived);
  tutti_int_vector_free(&c->actor.memory, &root.used);
  tutti_forest_free(c, arrived);
  vacancy->expected = 0;
  balance_of(c)->vacant--;
}

/* ---- the vertex ---- */

/* Joins what it has and what it was given. */
static void join_imports(struct group_protocol *c)
{
  struct balance *self = balance_of(c);
  for (int i = 0; i < self->imports.count; i++) {
    tutti_forest_add(c, &self->shrink.below, &self->imports.trees[i]);
    self->imports.trees[i].used = (tutti_int_vector){0};
  }
  tutti_forest_free(c, &self->imports);
}

static void become_root(struct group_protocol *c)
{
  struct balance *self = balance_of(c);
  self->placed = true;
  c->size = self->shrink.group_size;
  self->height = tutti_balanced_height(c->size, c->request.branching);
}

static void advance(struct group_protocol *c)
{
  struct balance *self = balance_of(c);
  if (c->actor.status != TUTTI_OK)
    return;
  if (self->shrink.is_root && !self->placed)
    become_root(c);
  if (!tutti_shrink_is_ready(c, &self->shrink))
    return;
  while (!self->matched && serve_next(c))
    ;
  if (!self->placed || c->standing)
    return;
  if (!self->matched) {
    if (self->served < self->requests || self->imported < self->pending)
      return;
    tutti_int_vector_free(&c->actor.memory, &self->waiting);
    join_imports(c);
    match_children(c);
  }
  for (int j = 0; j < self->places && c->actor.status == TUTTI_OK; j++)
    fill_vacancy(c, &self->vacancies[j]);
  if (self->vacant == 0 && c->actor.status == TUTTI_OK) {
    drop_vacancies(c);
    tutti_group_protocol_stands(c);
  }
}

/* ---- messages ---- */

static void receive_place(struct group_protocol *c, const tutti_message *message)
{
  struct balance *self = balance_of(c);
  const int *words = message->words;
  int first = PLACE_WORDS + words[PLACE_USED];
  c->size = words[PLACE_SIZE];
  c->parent = message->from;
  self->height = words[PLACE_HEIGHT];
  self->requests = words[PLACE_REQUESTS];
  self->pending = words[PLACE_PENDING];
  self->placed = true;
  tutti_shrink_told(c, &self->shrink, words[PLACE_RELOCATIONS], words + PLACE_WORDS, words[PLACE_USED]);
  tutti_forest_read(c, &self->imports, words + first, message->count - first);
}

static void receive_request(struct group_protocol *c, const tutti_message *message)
{
  struct balance *self = balance_of(c);
  tutti_shrink_told(c, &self->shrink, message->words[REQUEST_RELOCATIONS], message->words + REQUEST_WORDS,
                    message->words[REQUEST_USED]);
  int before = self->waiting.count;
  if (!tutti_actor_need(&c->actor,
                        tutti_int_vector_add(&c->actor.memory, &self->waiting, message->count) &&
                            tutti_int_vector_append(&c->actor.memory, &self->waiting, message->words, message->count)))
    self->waiting.count = before;
}

static void receive_transfer(struct group_protocol *c, const tutti_message *message)
{
  struct balance *self = balance_of(c);
  int vacancy = message->words[TRANSFER_VACANCY];
  struct forest *forest = vacancy == NO_VACANCY ? &self->imports : &self->vacancies[vacancy].arrived;
  int before = tutti_forest_size(forest);
  tutti_forest_read(c, forest, message->words + TRANSFER_WORDS, message->count - TRANSFER_WORDS);
  if (vacancy == NO_VACANCY)
    self->imported += tutti_forest_size(forest) - before;
}

static void start_balance(struct group_protocol *c)
{
  tutti_shrink_begin(c, &balance_of(c)->shrink, c->request.builder->variant == LEAF);
  advance(c);
}

static void receive(struct group_protocol *c, const tutti_message *message)
{
  if (message->kind == TUTTI_MESSAGE_DOWNWARD)
    receive_place(c, message);
  else if (message->kind != TUTTI_MESSAGE_BALANCE)
    tutti_shrink_receive(c, &balance_of(c)->shrink, message);
  else if (message->words[0] == REQUEST)
    receive_request(c, message);
  else
    receive_transfer(c, message);
  advance(c);
}

static void release(struct group_protocol *c)
{
  struct balance *self = balance_of(c);
  tutti_shrink_free(c, &self->shrink);
  tutti_int_vector_free(&c->actor.memory, &self->waiting);
  tutti_forest_free(c, &self->imports);
  drop_vacancies(c);
}

#define BALANCE(name_, variant_)                                                                                       \
  {                                                                                                                    \
    .protocol = GROUP_PROTOCOL(name_, struct balance), .variant = (variant_), .begin = start_balance,                  \
    .receive = receive, .free = release                                                                                \
  }

const tutti_group_builder tutti_balance_child = BALANCE("shrink-balance/child-as-filler", 0);
const tutti_group_builder tutti_balance_leaf = BALANCE("shrink-balance/leaf-as-filler", LEAF);
