/* Steps: the part of a rank in an algorithm where it can never do anything but wait for one message, or for one each
   way. MPI's blocking functions do that in less time than posting and waiting, and what comes next is known beforehand.
   So small operations that are repeated cost little more than their messages. In simulation sends are synchronous, and
   those functions are not. */
#include <limits.h>
#include <string.h>

#include "mpi/elements.h"
#include "mpi/run_state.h"

enum step_kind { STEP_SEND, STEP_RECEIVE, STEP_BOTH, STEP_COPY, STEP_WORK };

/* What one vertex sends, receives or copies. */
struct step_end {
  char *const *base; /* of its buffer */
  MPI_Aint offset;
  int count, peer; /* a rank of the view: its map may have changed when the run is repeated */
  MPI_Datatype type;
  uint64_t bytes;
  tutti_vertex_id vertex;
};

struct step {
  enum step_kind kind;
  struct step_end out, in; /* of a copy: from, to */
};

/* ---- the steps of a schedule ---- */

#ifdef SMPI_HELPERS_H

void tutti_run_find_steps(struct run *run, tutti_arena *arena)
{
  (void)run, (void)arena;
}

#else

/* A schedule whose vertices are taken in the order of tutti_run_start_ready(), as far as they are steps. */
struct walk {
  struct run *run;
  struct step *steps;
  uint32_t count;
  tutti_vertex_id ready[3]; /* more at a time are no step */
  uint32_t ready_count;
  bool possible;
};

static void make_ready(struct walk *walk, tutti_vertex_id v)
{
  walk->possible = walk->possible && walk->ready_count < sizeof walk->ready / sizeof *walk->ready;
  if (walk->possible)
    walk->ready[walk->ready_count++] = v;
}

static void take_first(struct walk *walk, uint32_t count)
{
  walk->ready_count -= count;
  memmove(walk->ready, walk->ready + count, walk->ready_count * sizeof *walk->ready);
}

static void complete(struct walk *walk, tutti_vertex_id v)
{
  const tutti_schedule *s = walk->run->schedule;
  for (uint32_t i = s->successor_first[v]; i < s->successor_first[v + 1]; i++)
    if (--walk->run->pending[s->successors[i]] == 0)
      make_ready(walk, s->successors[i]);
}

static bool is_message(const tutti_vertex *vertex)
{
  return vertex->kind == TUTTI_SEND || vertex->kind == TUTTI_RECV;
}

static struct step_end end_of(struct run *run, tutti_vertex_id v, tutti_buffer buffer, uint64_t first)
{
  const tutti_vertex *vertex = &run->schedule->vertices[v];
  const struct bound_buffer *place = buffer == TUTTI_INPUT ? &run->input : &run->output;
  return (struct step_end){.base = buffer >= TUTTI_FIRST_TEMPORARY ? &run->temporaries[buffer - TUTTI_FIRST_TEMPORARY]
                                                                   : &place->base,
                           .offset = vertex->count ? (MPI_Aint)first * place->extent : 0,
                           .count = (int)vertex->count,
                           .peer = is_message(vertex) ? (int)vertex->peer : 0,
                           .type = vertex->count ? place->type : MPI_BYTE,
                           .bytes = vertex->count * (uint64_t)run->type_size,
                           .vertex = v};
}

static void add_message(struct walk *walk, tutti_vertex_id v)
{
  const tutti_vertex *vertex = &walk->run->schedule->vertices[v];
  struct step *step = &walk->steps[walk->count++];
  step->kind = vertex->kind == TUTTI_SEND ? STEP_SEND : STEP_RECEIVE;
  *(step->kind == STEP_SEND ? &step->out : &step->in) = end_of(walk->run, v, vertex->buffer, vertex->first);
}

static void add_work(struct walk *walk, tutti_vertex_id v)
{
  const tutti_vertex *vertex = &walk->run->schedule->vertices[v];
  struct step *step = &walk->steps[walk->count++];
  step->kind = vertex->kind == TUTTI_COPY && walk->run->plain ? STEP_COPY : STEP_WORK;
  step->out = end_of(walk->run, v, vertex->buffer, vertex->first);
  step->in = end_of(walk->run, v, (tutti_buffer)vertex->peer, vertex->target_first);
}

/* Can a message be a step? Nothing may become ready by its being posted. */
static bool is_step(const struct run *run, tutti_vertex_id v)
{
  const tutti_vertex *vertex = &run->schedule->vertices[v];
  return is_message(vertex) && vertex->count <= INT_MAX && run->schedule->channel_next[v] == TUTTI_NO_VERTEX;
}

/* One message each way, both of which are ready. */
static bool add_both(struct walk *walk, tutti_vertex_id v, tutti_vertex_id w)
{
  const tutti_vertex *vertices = walk->run->schedule->vertices;
  if (!is_step(walk->run, w) || vertices[v].kind == vertices[w].kind)
    return false;
  bool sends_first = vertices[v].kind == TUTTI_SEND;
  tutti_vertex_id send = sends_first ? v : w, receive = sends_first ? w : v;
  struct step *step = &walk->steps[walk->count++];
  step->kind = STEP_BOTH;
  step->out = end_of(walk->run, send, vertices[send].buffer, vertices[send].first);
  step->in = end_of(walk->run, receive, vertices[receive].buffer, vertices[receive].first);
  return true;
}

/* Work first: it never waits. Then one message, or two. */
static void add_step(struct walk *walk)
{
  for (uint32_t i = 0; i < walk->ready_count; i++) {
    tutti_vertex_id v = walk->ready[i];
    if (is_message(&walk->run->schedule->vertices[v]))
      continue;
    walk->ready[i] = walk->ready[0];
    take_first(walk, 1);
    add_work(walk, v);
    complete(walk, v);
    return;
  }
  tutti_vertex_id v = walk->ready[0], w = walk->ready_count > 1 ? walk->ready[1] : TUTTI_NO_VERTEX;
  uint32_t count = walk->ready_count;
  walk->possible = count <= 2 && is_step(walk->run, v) && (count == 1 || add_both(walk, v, w));
  if (!walk->possible)
    return;
  if (count == 1)
    add_message(walk, v);
  take_first(walk, count);
  complete(walk, v);
  if (count == 2)
    complete(walk, w);
}

void tutti_run_find_steps(struct run *run, tutti_arena *arena)
{
  enum { MOST_VERTICES = 256 };
  const tutti_schedule *s = run->schedule;
  if (s->vertex_count > MOST_VERTICES || run->view.noise_hook)
    return;
  struct walk walk = {.run = run, .possible = true};
  walk.steps = tutti_arena_alloc(arena, s->vertex_count * sizeof *walk.steps);
  if (!walk.steps)
    return;
  for (tutti_vertex_id v = 0; v < s->vertex_count; v++)
    run->pending[v] = s->prerequisites[v];
  for (tutti_vertex_id v = 0; v < s->vertex_count; v++)
    if (s->prerequisites[v] == 0)
      make_ready(&walk, v);
  while (walk.possible && walk.ready_count > 0)
    add_step(&walk);
  if (!walk.possible)
    return;
  run->steps = walk.steps;
  run->step_count = walk.count;
}

#endif

/* ---- running them ---- */

static char *address_of(const struct step_end *end)
{
  return *end->base + end->offset;
}

/* Has MPI done its part, though it may have failed? */
static bool is_done(int result)
{
  int class = MPI_ERR_OTHER;
  return result == MPI_SUCCESS || (MPI_Error_class(result, &class) == MPI_SUCCESS && class == MPI_ERR_TRUNCATE);
}

static int peer_of(const struct run *run, const struct step_end *end)
{
  return tutti_view_base_rank(&run->view, end->peer);
}

static int send(const struct run *run, const struct step_end *out)
{
  return MPI_Send(address_of(out), out->count, out->type, peer_of(run, out), run->tag, run->view.comm);
}

static int receive(const struct run *run, const struct step_end *in, MPI_Status *status)
{
  return MPI_Recv(address_of(in), in->count, in->type, peer_of(run, in), run->tag, run->view.comm, status);
}

static int send_and_receive(const struct run *run, const struct step *step, MPI_Status *status)
{
  const struct step_end *out = &step->out, *in = &step->in;
  return MPI_Sendrecv(address_of(out), out->count, out->type, peer_of(run, out), run->tag, address_of(in), in->count,
                      in->type, peer_of(run, in), run->tag, run->view.comm, status);
}

static int transfer(const struct run *run, const struct step *step, MPI_Status *status)
{
  if (step->kind == STEP_SEND)
    return send(run, &step->out);
  return step->kind == STEP_RECEIVE ? receive(run, &step->in, status) : send_and_receive(run, step, status);
}

static struct step_end without_data(const struct step_end *end)
{
  struct step_end empty = *end;
  empty.count = 0;
  empty.type = MPI_BYTE;
  return empty;
}

/* After a failure nothing is sent but that, and what MPI did not take to be received goes without data, too. */
static void exchange_after_failure(struct run *run, const struct step *step, bool receives)
{
  MPI_Status status;
  const struct step empty = {
      .kind = step->kind, .out = without_data(&step->out), .in = receives ? step->in : without_data(&step->in)};
  const int result = transfer(run, &empty, &status);
  if (is_done(result))
    return;
  if (receives)
    exchange_after_failure(run, step, false);
  else
    run->broken = true;
}

static void exchange(struct run *run, const struct step *step)
{
  MPI_Status status;
  if (run->status != TUTTI_OK) {
    exchange_after_failure(run, step, true);
    return;
  }
  const int result = transfer(run, step, &status);
  if (result == MPI_SUCCESS) {
    if (step->kind != STEP_SEND)
      tutti_run_check_length(run, step->in.vertex, &status);
    return;
  }
  tutti_run_fail(run, "a message", result);
  if (!is_done(result))
    exchange_after_failure(run, step, false);
}

void tutti_run_steps(struct run *run)
{
  for (uint32_t i = 0; i < run->step_count && !run->broken; i++) {
    const struct step *step = &run->steps[i];
    if (step->kind < STEP_COPY)
      exchange(run, step);
    else if (step->kind == STEP_WORK)
      tutti_run_perform(run, step->out.vertex);
    else if (run->status == TUTTI_OK && step->in.bytes > 0)
      memcpy(address_of(&step->in), address_of(&step->out), step->in.bytes);
  }
}
