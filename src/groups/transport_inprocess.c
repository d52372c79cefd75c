#include "tutti/actor.h"

#include <stdlib.h>
#include <string.h>

#include "base/splitmix64.h"

struct wire_message {
  tutti_message message; /* its words are those below */
  int words[];
};

/* Letters under way. In the order of sending from `first` on; the random orders move the last one into the gap. */
struct bag {
  struct wire_message **queue; /* [capacity], a ring */
  size_t first, count, capacity;
};

struct tutti_inprocess {
  tutti_transport transport;
  int size;
  tutti_actor **actors; /* [size] */
  tutti_delivery delivery;
  uint64_t random;
  int starved;            /* process, or -1 */
  struct bag queue, held; /* held: those to the starved process */
};

/* ---- the bag ---- */

static struct wire_message **slot(const struct bag *bag, size_t index)
{
  return &bag->queue[(bag->first + index) % bag->capacity];
}

static bool make_room(struct bag *bag)
{
  if (bag->count < bag->capacity)
    return true;
  size_t capacity = bag->capacity ? 2 * bag->capacity : 64;
  struct wire_message **queue = malloc(capacity * sizeof(struct wire_message *));
  if (!queue)
    return false;
  for (size_t i = 0; i < bag->count; i++)
    queue[i] = *slot(bag, i);
  free(bag->queue);
  *bag = (struct bag){.queue = queue, .count = bag->count, .capacity = capacity};
  return true;
}

static struct wire_message *remove_first(struct bag *bag)
{
  struct wire_message *wire = *slot(bag, 0);
  bag->first = (bag->first + 1) % bag->capacity;
  bag->count--;
  return wire;
}

static struct wire_message *remove_last(struct bag *bag)
{
  return *slot(bag, --bag->count);
}

static struct wire_message *remove_any(struct bag *bag, uint64_t *random)
{
  struct wire_message **chosen = slot(bag, tutti_splitmix64_next(random) % bag->count);
  struct wire_message *wire = *chosen;
  *chosen = *slot(bag, --bag->count);
  return wire;
}

static struct wire_message *next_message(tutti_inprocess *processes)
{
  struct bag *bag = processes->queue.count > 0 ? &processes->queue : &processes->held;
  if (bag->count == 0)
    return NULL;
  switch (processes->delivery) {
  case TUTTI_DELIVERY_FIFO:
    return remove_first(bag);
  case TUTTI_DELIVERY_LIFO:
    return remove_last(bag);
  default:
    return remove_any(bag, &processes->random);
  }
}

static void empty(struct bag *bag)
{
  while (bag->count > 0)
    free(remove_last(bag));
  free(bag->queue);
}

/* ---- sending ---- */

static tutti_status send_letter(tutti_transport *transport, const tutti_message *message, tutti_error *error)
{
  tutti_inprocess *processes = (tutti_inprocess *)transport;
  if (message->to < 0 || message->to >= processes->size)
    return tutti_fail(error, TUTTI_ERR_FAULT, "process %d: a message (%s) to process %d, which does not exist",
                      message->from, tutti_message_kind_name(message->kind), message->to);
  struct bag *bag = message->to == processes->starved ? &processes->held : &processes->queue;
  struct wire_message *wire = malloc(sizeof *wire + (size_t)message->count * sizeof(int));
  if (!wire || !make_room(bag)) {
    free(wire);
    return tutti_fail(error, TUTTI_ERR_MEMORY, "process %d: out of memory for a message", message->from);
  }
  wire->message = *message;
  wire->message.words = wire->words;
  if (message->count > 0)
    memcpy(wire->words, message->words, (size_t)message->count * sizeof(int));
  bag->count++;
  *slot(bag, bag->count - 1) = wire;
  return TUTTI_OK;
}

/* ---- the processes ---- */

tutti_inprocess *tutti_inprocess_create(int size, tutti_delivery delivery, uint64_t seed)
{
  tutti_inprocess *processes = calloc(1, sizeof *processes);
  if (!processes)
    return NULL;
  processes->transport.send = send_letter;
  processes->size = size;
  processes->delivery = delivery;
  processes->random = seed;
  processes->starved =
      delivery == TUTTI_DELIVERY_STARVE ? (int)(tutti_splitmix64_next(&processes->random) % (uint64_t)size) : -1;
  processes->actors = calloc((size_t)size, sizeof(tutti_actor *));
  if (processes->actors)
    return processes;
  free(processes);
  return NULL;
}

void tutti_inprocess_free(tutti_inprocess *processes)
{
  if (!processes)
    return;
  empty(&processes->queue);
  empty(&processes->held);
  for (int i = 0; i < processes->size; i++)
    tutti_actor_free(processes->actors[i]);
  free(processes->actors);
  free(processes);
}

tutti_transport *tutti_inprocess_transport(tutti_inprocess *processes)
{
  return &processes->transport;
}

void tutti_inprocess_settle(tutti_inprocess *processes, tutti_actor *actor)
{
  processes->actors[actor->id] = actor;
}

tutti_actor *tutti_inprocess_actor(const tutti_inprocess *processes, int id)
{
  return processes->actors[id];
}

static tutti_status deliver(tutti_inprocess *processes, const tutti_message *message, tutti_error *error)
{
  tutti_actor *actor = processes->actors[message->to];
  if (!actor)
    return tutti_fail(error, TUTTI_ERR_FAULT, "process %d: a message (%s) to process %d, which has no actor",
                      message->from, tutti_message_kind_name(message->kind), message->to);
  actor->error = error;
  tutti_actor_receive(actor, message);
  return actor->status;
}

tutti_status tutti_inprocess_deliver(tutti_inprocess *processes, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  struct wire_message *wire;
  while (status == TUTTI_OK && (wire = next_message(processes))) {
    status = deliver(processes, &wire->message, error);
    free(wire);
  }
  return status;
}

static tutti_status start_all(tutti_inprocess *processes, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  for (int i = 0; i < processes->size && status == TUTTI_OK; i++)
    if (processes->actors[i]) {
      processes->actors[i]->error = error;
      tutti_actor_start(processes->actors[i]);
      status = processes->actors[i]->status;
    }
  return status;
}

tutti_status tutti_inprocess_run(tutti_inprocess *processes, tutti_error *error)
{
  tutti_status status = start_all(processes, error);
  if (status == TUTTI_OK)
    status = tutti_inprocess_deliver(processes, error);
  for (int i = 0; i < processes->size && status == TUTTI_OK; i++)
    if (processes->actors[i] && !processes->actors[i]->done)
      status = tutti_fail(error, TUTTI_ERR_FAULT, "process %d waits (%s), and no message is under way", i,
                          processes->actors[i]->protocol->name);
  return status;
}

tutti_tally tutti_inprocess_tally(const tutti_inprocess *processes, size_t *memory)
{
  tutti_tally sum = {0};
  *memory = 0;
  for (int i = 0; i < processes->size; i++) {
    if (!processes->actors[i])
      continue;
    tutti_tally_add(&sum, &processes->actors[i]->tally);
    if (*memory < processes->actors[i]->memory.peak)
      *memory = processes->actors[i]->memory.peak;
  }
  return sum;
}
