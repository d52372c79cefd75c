/* The steps of a schedule, where it has such. */
#include <limits.h>
#include <string.h>

#include "algorithms/mpi/steps.h"

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
  tutti_vertex_id ready[3]; /* more at a time do not form a step */
  uint32_t ready_count;
  bool possible;
};

static void make_ready(struct walk *walk, tutti_vertex_id v)
{
  walk->possible = walk->possible && walk->ready_count < sizeof walk->ready / sizeof *walk->ready;
  if (walk->possible)
    walk->ready[walk->ready_count++] = v;
}

static void remove_first(struct walk *walk, uint32_t count)
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

static int peer_in(const tutti_view *view, int rank)
{
  return view->lookup ? rank : tutti_view_base_rank(view, rank);
}

static struct step_end end_of(struct run *run, tutti_vertex_id v, tutti_buffer buffer, uint64_t first)
{
  const tutti_vertex *vertex = &run->schedule->vertices[v];
  const struct bound_buffer *place = buffer == TUTTI_INPUT ? &run->input : &run->output;
  return (struct step_end){.base = buffer >= TUTTI_FIRST_TEMPORARY ? &run->temporaries[buffer - TUTTI_FIRST_TEMPORARY]
                                                                   : &place->base,
                           .offset = vertex->count ? (MPI_Aint)first * place->extent : 0,
                           .count = (int)vertex->count,
                           .peer = is_message(vertex) ? peer_in(&run->view, (int)vertex->peer) : 0,
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

static enum step_kind kind_of_work(const struct run *run, const tutti_vertex *vertex)
{
  if (vertex->count == 0 || vertex->count > INT_MAX)
    return STEP_WORK;
  if (vertex->kind == TUTTI_REDUCE)
    return STEP_REDUCE;
  return run->plain ? STEP_COPY : STEP_WORK;
}

static void add_work(struct walk *walk, tutti_vertex_id v)
{
  const tutti_vertex *vertex = &walk->run->schedule->vertices[v];
  struct step *step = &walk->steps[walk->count++];
  step->kind = kind_of_work(walk->run, vertex);
  step->out = end_of(walk->run, v, vertex->buffer, vertex->first);
  step->in = end_of(walk->run, v, (tutti_buffer)vertex->peer, vertex->target_first);
}

/* Whether a message can be a step. Posting it must make no other vertex ready. */
static bool is_step(const struct run *run, tutti_vertex_id v)
{
  const tutti_vertex *vertex = &run->schedule->vertices[v];
  return is_message(vertex) && vertex->count <= INT_MAX && run->schedule->channel_next[v] == TUTTI_NO_VERTEX;
}

/* One message each way, both ready. */
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
    remove_first(walk, 1);
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
  remove_first(walk, count);
  complete(walk, v);
  if (count == 2)
    complete(walk, w);
}

void tutti_run_find_steps(struct run *run, tutti_arena *arena)
{
  enum { MAX_VERTICES = 256 };
  const tutti_schedule *s = run->schedule;
  if (s->vertex_count > MAX_VERTICES || run->view.noise_hook)
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
