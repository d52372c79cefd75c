/* A rank of a replay by SMPI: programs of the engine, run call by call as tutti_run() runs schedules, so that both
   engines simulate the same calls. No data is read: all messages of a rank share one buffer. */
#include <limits.h>
#include <mpi.h>
#include <simgrid/engine.h>
#include <stdlib.h>

#include "algorithms/mpi/elements.h"
#include "algorithms/mpi/simulation.h"
#include "base/memory.h"
#include "harness/measure/replay/replay.h"

enum { FEW_MESSAGES = 8 }; /* as tutti_run_needs_all() */

struct flights {
  TUTTI_VECTOR(uint32_t); /* vertices */
};

struct player {
  struct program *program;
  uint32_t ready_first, ready_last, started;
  struct flights flights;
  struct {
    TUTTI_VECTOR(MPI_Request);
  } requests; /* of flights */
  struct {
    TUTTI_VECTOR(void *);
  } buffers; /* the last one is the largest; messages may be in the others */
  size_t room;
  double next_received; /* tutti_keep_receive_gap() */
  int result;           /* MPI_SUCCESS, or the first code of a failure */
};

/* ---- ready vertices ---- */

static void enqueue(struct player *player, uint32_t v)
{
  struct program_vertex *vertices = player->program->vertices;
  vertices[v].pending = ENGINE_NONE;
  if (player->ready_first == ENGINE_NONE)
    player->ready_first = v;
  else
    vertices[player->ready_last].pending = v;
  player->ready_last = v;
}

static void release(struct player *player, uint32_t v)
{
  if (--player->program->vertices[v].pending == 0)
    enqueue(player, v);
}

static void complete(struct player *player, uint32_t v)
{
  const struct program *program = player->program;
  for (uint32_t s = program->vertices[v].successors; s < program->vertices[v + 1].successors; s++)
    release(player, program->successors[s]);
}

/* ---- vertices ---- */

static void *buffer_of(struct player *player, size_t bytes)
{
  if (bytes > player->room || player->buffers.count == 0) {
    player->room = bytes > 2 * player->room ? bytes : 2 * player->room;
    tutti_xpush(&player->buffers, tutti_xmalloc(player->room + 1));
  }
  return player->buffers.items[player->buffers.count - 1];
}

/* MPI_Send() and MPI_Ssend() have other overheads than posted sends. */
static bool send_blocking(struct player *player, uint32_t v)
{
  const struct program *program = player->program;
  const struct program_vertex *vertex = &program->vertices[v];
  if (!vertex->blocking || vertex->bytes > INT_MAX)
    return false;
  const uint32_t tag = program->channels ? program->channels[v] : program->channel;
  player->result = (vertex->synchronous ? MPI_Ssend : MPI_Send)(buffer_of(player, vertex->bytes), (int)vertex->bytes,
                                                                MPI_BYTE, (int)vertex->peer, (int)tag, MPI_COMM_WORLD);
  if (vertex->channel_next != ENGINE_NONE)
    release(player, vertex->channel_next);
  complete(player, v);
  return true;
}

static void post(struct player *player, uint32_t v)
{
  const struct program *program = player->program;
  const struct program_vertex *vertex = &program->vertices[v];
  const struct transfer transfer = {.buffer = buffer_of(player, vertex->bytes),
                                    .count = vertex->bytes,
                                    .type = MPI_BYTE,
                                    .peer = (int)vertex->peer,
                                    .tag = (int)(program->channels ? program->channels[v] : program->channel),
                                    .receive = vertex->kind == TUTTI_RECV};
  MPI_Request request = MPI_REQUEST_NULL;
  if (vertex->synchronous && transfer.count <= INT_MAX) /* no longer one is eager */
    player->result = MPI_Issend(transfer.buffer, (int)transfer.count, MPI_BYTE, transfer.peer, transfer.tag,
                                MPI_COMM_WORLD, &request);
  else
    player->result = tutti_post(&transfer, MPI_COMM_WORLD, &request);
  tutti_xpush(&player->requests, request);
  tutti_xpush(&player->flights, v);
  if (vertex->channel_next != ENGINE_NONE)
    release(player, vertex->channel_next);
}

static void sleep_for(double seconds)
{
  const double now = simgrid_get_clock();
  tutti_runtime_pause(now + seconds - now); /* computed as the engine does */
}

static void start(struct player *player, uint32_t v)
{
  const struct program_vertex *vertex = &player->program->vertices[v];
  player->started++;
  if (vertex->kind == TUTTI_SEND || vertex->kind == TUTTI_RECV) {
    if (!send_blocking(player, v))
      post(player, v);
    return;
  }
  if (vertex->kind == PROGRAM_WORK)
    sleep_for((double)vertex->bytes * 1e-9);
  else
    tutti_charge((tutti_kind)vertex->kind, vertex->bytes);
  complete(player, v);
}

static void start_ready(struct player *player)
{
  while (player->result == MPI_SUCCESS && player->ready_first != ENGINE_NONE) {
    const uint32_t v = player->ready_first;
    player->ready_first = player->program->vertices[v].pending;
    start(player, v);
  }
}

/* ---- waiting ---- */

static bool needs_all(const struct player *player)
{
  const struct program *program = player->program;
  const uint32_t active = (uint32_t)player->flights.count;
  if (tutti_has_receive_gap())
    return false;
  if (player->started == program->count)
    return true;
  if (active > FEW_MESSAGES)
    return false;
  for (uint32_t i = 0; i < active; i++) {
    const struct program_vertex *vertex = &program->vertices[player->flights.items[i]];
    for (uint32_t s = vertex[0].successors; s < vertex[1].successors; s++)
      if (program->vertices[program->successors[s]].pending < active)
        return false;
  }
  return true;
}

static void wait_for_all(struct player *player)
{
  player->result = MPI_Waitall((int)player->requests.count, player->requests.items, MPI_STATUSES_IGNORE);
  for (size_t i = 0; i < player->flights.count; i++)
    complete(player, player->flights.items[i]);
  player->flights.count = player->requests.count = 0;
}

static void wait_for_any(struct player *player)
{
  int index = MPI_UNDEFINED;
  player->result = MPI_Waitany((int)player->requests.count, player->requests.items, &index, MPI_STATUS_IGNORE);
  if (player->result != MPI_SUCCESS || index < 0)
    return;
  const uint32_t v = player->flights.items[index];
  player->flights.items[index] = player->flights.items[--player->flights.count];
  player->requests.items[index] = player->requests.items[--player->requests.count];
  if (player->program->vertices[v].kind == TUTTI_RECV)
    tutti_keep_receive_gap(&player->next_received);
  complete(player, v);
}

static void start_program(struct player *player, struct program *program)
{
  player->program = program;
  player->ready_first = player->ready_last = ENGINE_NONE;
  player->started = 0;
  player->next_received = 0;
  for (uint32_t v = 0; v < program->count; v++)
    if (program->vertices[v].pending == 0)
      enqueue(player, v);
  tutti_touch_fresh(program->fresh);
  for (start_ready(player); player->result == MPI_SUCCESS && player->flights.count > 0; start_ready(player))
    if (needs_all(player))
      wait_for_all(player);
    else
      wait_for_any(player);
  tutti_program_free(program);
}

/* ---- all ---- */

static enum script_next play(struct player *player, const struct script_source *source, uint32_t rank,
                             tutti_error *error)
{
  struct program program;
  double seconds = 0;
  const enum script_next next = source->next(source->context, rank, simgrid_get_clock(), &seconds, &program, error);
  if (next == SCRIPT_SLEEPS)
    sleep_for(seconds);
  else if (next == SCRIPT_PROGRAM)
    start_program(player, &program);
  return next;
}

tutti_status tutti_replay_rank(const struct script_source *source, uint32_t rank, tutti_error *error)
{
  struct player player = {.result = MPI_SUCCESS};
  enum script_next next = SCRIPT_SLEEPS;
  while (player.result == MPI_SUCCESS && next != SCRIPT_IS_OVER && next != SCRIPT_FAILS)
    next = play(&player, source, rank, error);
  for (size_t b = 0; b < player.buffers.count; b++)
    free(player.buffers.items[b]);
  tutti_vector_free(&player.buffers);
  tutti_vector_free(&player.requests);
  tutti_vector_free(&player.flights);
  if (player.result == MPI_ERR_COUNT)
    return tutti_fail(error, TUTTI_ERR_UNSUPPORTED,
                      "rank %u: a message of more than %d bytes, which SMPI counts in an int: --engine fast replays it",
                      (unsigned)rank, INT_MAX);
  if (player.result != MPI_SUCCESS)
    return tutti_fail(error, TUTTI_ERR_MPI, "rank %u: a message failed", (unsigned)rank);
  return next == SCRIPT_FAILS ? TUTTI_ERR_ARGUMENT : TUTTI_OK;
}
