#include "tutti/actor.h"

#include <string.h>

const char *tutti_message_kind_name(tutti_message_kind kind)
{
  static const char *const names[TUTTI_MESSAGE_KINDS] = {
      [TUTTI_MESSAGE_START] = "start",
      [TUTTI_MESSAGE_UPWARD] = "upward",
      [TUTTI_MESSAGE_RELOCATION] = "relocation",
      [TUTTI_MESSAGE_DOWNWARD] = "downward",
      [TUTTI_MESSAGE_BALANCE] = "balance",
      [TUTTI_MESSAGE_HASH] = "hash",
      [TUTTI_MESSAGE_SCAN] = "scan",
      [TUTTI_MESSAGE_REDUCTION] = "reduction",
      [TUTTI_MESSAGE_FINISH] = "finish",
      [TUTTI_MESSAGE_LOOKUP] = "lookup",
  };
  return (unsigned)kind < TUTTI_MESSAGE_KINDS ? names[kind] : "unknown";
}

void tutti_tally_add(tutti_tally *tally, const tutti_tally *other)
{
  for (int kind = 0; kind < TUTTI_MESSAGE_KINDS; kind++)
    tally->sent[kind] += other->sent[kind];
  tally->received += other->received;
  tally->bytes += other->bytes;
  if (tally->largest < other->largest)
    tally->largest = other->largest;
  if (tally->depth < other->depth)
    tally->depth = other->depth;
}

tutti_actor *tutti_actor_create(const tutti_protocol *protocol, tutti_transport *transport, int id, int topic,
                                tutti_error *error)
{
  tutti_counted_memory memory = {0};
  tutti_actor *actor = tutti_counted_alloc(&memory, protocol->size);
  if (!actor) {
    tutti_fail(error, TUTTI_ERR_MEMORY, "process %d: out of memory", id);
    return NULL;
  }
  memset(actor, 0, protocol->size);
  actor->protocol = protocol;
  actor->transport = transport;
  actor->id = id;
  actor->topic = topic;
  actor->error = error;
  actor->memory = memory;
  return actor;
}

void tutti_actor_free(tutti_actor *actor)
{
  if (!actor)
    return;
  actor->protocol->free(actor);
  tutti_counted_memory memory = actor->memory;
  tutti_counted_free(&memory, actor, actor->protocol->size);
}

void tutti_actor_start(tutti_actor *actor)
{
  actor->protocol->start(actor);
}

void tutti_actor_receive(tutti_actor *actor, const tutti_message *message)
{
  if (actor->status != TUTTI_OK)
    return;
  actor->tally.received++;
  if (actor->tally.depth < message->depth)
    actor->tally.depth = message->depth;
  actor->protocol->receive(actor, message);
}

void tutti_actor_fail(tutti_actor *actor, tutti_status status, const char *format, ...)
{
  va_list arguments;
  if (actor->status != TUTTI_OK)
    return;
  va_start(arguments, format);
  actor->status = tutti_vfail(actor->error, status, format, arguments);
  va_end(arguments);
}

bool tutti_actor_need(tutti_actor *actor, bool good)
{
  if (!good)
    tutti_actor_fail(actor, TUTTI_ERR_MEMORY, "process %d: out of memory while a group is built", actor->id);
  return good;
}

void tutti_actor_send(tutti_actor *actor, int to, tutti_message_kind kind, const int *words, int count)
{
  if (actor->status != TUTTI_OK)
    return;
  tutti_tally *tally = &actor->tally;
  size_t bytes = tutti_message_bytes(count);
  tally->sent[kind]++;
  tally->bytes += bytes;
  if (tally->largest < bytes)
    tally->largest = bytes;
  tutti_message message = {.from = actor->id,
                           .to = to,
                           .topic = actor->topic,
                           .kind = kind,
                           .depth = tally->depth + 1,
                           .count = count,
                           .words = words};
  actor->status = actor->transport->send(actor->transport, &message, actor->error);
}

void tutti_actor_work(tutti_actor *actor, tutti_work work, int count)
{
  if (actor->transport->work)
    actor->transport->work(actor->transport, work, count);
}
