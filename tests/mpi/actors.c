/* Actors over MPI: every process sends messages of all lengths to any process, itself included, under several topics at
   once, some of which are taken late; what a process has to get follows from the seed. Then faults of use. */
#include "check.h"
#include "tutti/group.h"
#include "unit/base/random.h"

enum { TOPICS = 3, MESSAGES = 40, LONGEST = 3000, MAX_HOPS = 3 };

/* Receiver, length and number of hops of a message with a number from a process. */
struct plan {
  int to, count, hops;
};

static struct plan plan_of(int size, int topic, int from, int number, int hop)
{
  uint64_t seed = (uint64_t)topic << 48 ^ (uint64_t)from << 24 ^ (uint64_t)number << 8 ^ (uint64_t)hop;
  random_next(&seed);
  struct plan plan = {.to = (int)random_below(&seed, (uint64_t)size)};
  plan.count = 4 + (int)random_below(&seed, random_below(&seed, 4) ? 60 : LONGEST);
  plan.hops = 1 + (int)random_below(&seed, MAX_HOPS);
  return plan;
}

enum { WORD_ORIGIN, WORD_NUMBER, WORD_HOP, WORD_SEED };

struct gossip {
  tutti_actor actor;
  int size, wrong;
  long awaited;
};

static void pass_on(struct gossip *self, int origin, int number, int hop)
{
  struct plan plan = plan_of(self->size, self->actor.topic, origin, number, hop);
  int *words = malloc((size_t)plan.count * sizeof *words);
  if (!tutti_actor_need(&self->actor, words))
    return;
  int head[4] = {origin, number, hop, (int)(origin * 77 + number)};
  memcpy(words, head, sizeof head);
  for (int i = 4; i < plan.count; i++)
    words[i] = head[WORD_SEED] + i;
  tutti_actor_send(&self->actor, plan.to, TUTTI_MESSAGE_BALANCE, words, plan.count);
  free(words);
}

static void start(tutti_actor *actor)
{
  for (int m = 0; m < MESSAGES; m++)
    pass_on((struct gossip *)actor, actor->id, m, 0);
}

static bool is_right(const struct gossip *self, const tutti_message *message, struct plan plan)
{
  bool right = message->count == plan.count && message->to == self->actor.id && plan.to == message->to &&
               message->topic == self->actor.topic && message->kind == TUTTI_MESSAGE_BALANCE &&
               message->depth == message->words[WORD_HOP] + 1;
  for (int i = 4; right && i < plan.count; i++)
    right = message->words[i] == message->words[WORD_SEED] + i;
  return right;
}

static void receive(tutti_actor *actor, const tutti_message *message)
{
  struct gossip *self = (struct gossip *)actor;
  int origin = message->words[WORD_ORIGIN], number = message->words[WORD_NUMBER], hop = message->words[WORD_HOP];
  self->wrong += !is_right(self, message, plan_of(self->size, actor->topic, origin, number, hop));
  actor->tally.depth = hop + 1; /* of this message's own chain, so that it can be foretold */
  actor->done = --self->awaited == 0;
  if (hop + 1 < plan_of(self->size, actor->topic, origin, number, 0).hops)
    pass_on(self, origin, number, hop + 1);
}

static void free_nothing(tutti_actor *actor)
{
  (void)actor;
}

static const tutti_protocol protocol = {
    .name = "gossip", .size = sizeof(struct gossip), .start = start, .receive = receive, .free = free_nothing};

static long messages_to(int rank, int size, int topic)
{
  long count = 0;
  for (int from = 0; from < size; from++)
    for (int m = 0; m < MESSAGES; m++)
      for (int hop = 0; hop < plan_of(size, topic, from, m, 0).hops; hop++)
        count += plan_of(size, topic, from, m, hop).to == rank;
  return count;
}

static tutti_actor *create(tutti_endpoint *endpoint, const tutti_view *view, int topic)
{
  tutti_actor *actor = tutti_actor_create(&protocol, tutti_endpoint_transport(endpoint), view->rank, topic, NULL);
  if (!actor)
    MPI_Abort(MPI_COMM_WORLD, 1);
  struct gossip *self = (struct gossip *)actor;
  self->size = view->size;
  self->awaited = messages_to(view->rank, view->size, topic);
  actor->done = self->awaited == 0;
  return actor;
}

static bool is_done(const void *actor)
{
  return ((const tutti_actor *)actor)->done;
}

static void must(struct checks *checks, tutti_status status, const tutti_error *error)
{
  check(checks, status == TUTTI_OK, "%s", error->message);
  if (status != TUTTI_OK)
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static void finish(struct checks *checks, tutti_endpoint *endpoint, tutti_actor *actor)
{
  tutti_error error = {.message = ""};
  must(checks, tutti_endpoint_wait(endpoint, is_done, actor, &error), &error);
  check(checks, ((struct gossip *)actor)->wrong == 0, "rank %d, topic %d: %d messages are wrong", actor->id,
        actor->topic, ((struct gossip *)actor)->wrong);
}

/* Each rank attaches the topics in an order of its own, the last one when the first two are done. */
static void gossip(struct checks *checks, const tutti_view *view)
{
  tutti_endpoint *endpoint;
  tutti_error error = {.message = ""};
  tutti_actor *actors[TOPICS];
  must(checks, tutti_endpoint_open(view, &endpoint, &error), &error);
  for (int i = 0; i < TOPICS; i++) {
    actors[i] = create(endpoint, view, (i + view->rank) % TOPICS);
    if (i == TOPICS - 1)
      must(checks, tutti_endpoint_poll(endpoint, &error), &error);
    must(checks, tutti_endpoint_attach(endpoint, actors[i], &error), &error);
    tutti_actor_start(actors[i]);
  }
  for (int i = TOPICS - 1; i >= 0; i--)
    finish(checks, endpoint, actors[i]);
  check(checks, tutti_endpoint_attach(endpoint, actors[0], &error) == TUTTI_ERR_ARGUMENT, "a topic is taken twice");
  check(checks, tutti_endpoint_close(endpoint, &error) == TUTTI_ERR_FAULT, "closed with an actor attached");
  for (int i = 0; i < TOPICS; i++) {
    tutti_endpoint_detach(endpoint, actors[i]);
    tutti_actor_free(actors[i]);
  }
  check(checks, tutti_endpoint_memory(endpoint) > 1000, "no memory is counted");
  must(checks, tutti_endpoint_close(endpoint, &error), &error);
}

/* A message that nobody takes has to be noticed by the process that it is for. */
static void leave_undelivered(struct checks *checks, const tutti_view *view)
{
  static const int words[3];
  tutti_endpoint *endpoint;
  tutti_error error = {.message = ""};
  tutti_status status;
  int next = (view->rank + 1) % view->size;
  must(checks, tutti_endpoint_open(view, &endpoint, &error), &error);
  tutti_transport *transport = tutti_endpoint_transport(endpoint);
  tutti_message message = {.from = view->rank, .to = next, .topic = 9, .count = 3, .words = words};
  must(checks, transport->send(transport, &message, &error), &error);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < 10; i++) /* until it is here */
    must(checks, tutti_endpoint_poll(endpoint, &error), &error);
  message.to = view->size;
  check(checks, transport->send(transport, &message, &error) == TUTTI_ERR_FAULT, "a message to nobody was sent");
  status = tutti_endpoint_close(endpoint, &error);
  check(checks, status == TUTTI_ERR_FAULT, "rank %d: an undelivered message was lost silently", view->rank);
}

/* A view of half of the processes, backwards, whose ids are not their ranks. */
static void gossip_on_range(struct checks *checks, const tutti_view *world)
{
  tutti_view range;
  tutti_error error = {.message = ""};
  must(checks, tutti_view_range(world, world->size - 1, world->size > 1, -2 + (world->size == 1), &range, &error),
       &error);
  if (range.rank >= 0)
    gossip(checks, &range);
}

int main(int argc, char **argv)
{
  struct checks checks = {0, 0};
  tutti_view world;
  check_begin(&argc, &argv, &world);
  gossip(&checks, &world);
  MPI_Barrier(MPI_COMM_WORLD); /* the endpoints that follow have the same tags */
  gossip_on_range(&checks, &world);
  MPI_Barrier(MPI_COMM_WORLD);
  leave_undelivered(&checks, &world);
  return check_end(&checks);
}
