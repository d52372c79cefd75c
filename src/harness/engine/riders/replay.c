#include "harness/engine/riders/replay.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "harness/engine/riders/replay_meet.h"
#include "harness/engine/riders/replay_program.h"
#include "harness/engine/riders/script.h"
#include "harness/engine/riders/start.h"

struct replay_rank {
  struct workload_cursor cursor;
  const struct workload_shape *call; /* the call it is in or about to begin; NULL: none */
  double began;                      /* the call, or the segment */
  double work;                       /* seconds of it that are computation */
  uint64_t meeting;                  /* number of the call on its communicator */
  uint64_t duration;                 /* of it, as recorded */
  bool inside, segment, started, over;
  double seconds[WORKLOAD_PARTS]; /* in calls */
};

struct replay {
  const struct workload *workload;
  int ranks_per_node;
  const struct replay_question *question;
  struct replay_answer *answer;
  struct replay_rank *ranks;
  tutti_method *methods;     /* of each shape; without an algorithm: not decided yet */
  int **nodes;               /* of each communicator; NULL: not known yet */
  struct meetings *meetings; /* of each communicator */
  tutti_arena arena;
  bool computes; /* the rank that is asked */
};

/* ---- a call ---- */

static const int *nodes_of(struct replay *replay, uint32_t communicator)
{
  const struct workload_communicator *c = &replay->workload->communicators.items[communicator];
  int **nodes = &replay->nodes[communicator];
  if (!*nodes) {
    *nodes = tutti_xcalloc(c->size, sizeof **nodes);
    for (uint32_t r = 0; r < c->size; r++)
      (*nodes)[r] = (int)workload_member(replay->workload, communicator, r) / replay->ranks_per_node;
  }
  return *nodes;
}

static const tutti_method *method_of(struct replay *replay, const struct workload_shape *shape)
{
  tutti_method *method = &replay->methods[shape - replay->workload->shapes.items];
  struct replay_chosen chosen;
  if (method->algorithm)
    return method;
  if (!tutti_replay_choose(replay->question, shape, &chosen))
    return NULL;
  *method = chosen.method;
  return method;
}

static void count_message(const struct replay *replay, struct replay_part *part, uint32_t from, uint32_t to,
                          uint64_t bytes)
{
  const uint32_t per_node = (uint32_t)replay->ranks_per_node;
  part->messages++;
  part->across += from / per_node != to / per_node;
  part->bytes += (double)bytes;
}

static void count_messages(const struct replay *replay, struct replay_part *part, uint32_t rank,
                           const struct program *program)
{
  for (uint32_t v = 0; v < program->count; v++)
    if (program->vertices[v].kind == TUTTI_SEND)
      count_message(replay, part, rank, program->vertices[v].peer, program->vertices[v].bytes);
}

static uint64_t come(const struct replay *replay, const struct workload_shape *shape, double now)
{
  return tutti_meetings_come(&replay->meetings[shape->communicator],
                             replay->workload->communicators.items[shape->communicator].size, shape->rank, now);
}

static double go(const struct replay *replay, const struct workload_shape *shape, uint64_t meeting, double began,
                 double now)
{
  return tutti_meetings_go(&replay->meetings[shape->communicator],
                           replay->workload->communicators.items[shape->communicator].size, meeting, began, now);
}

/* From ranks of the communicator to those of all. */
static void translate(const struct workload_communicator *communicator, uint32_t channel, struct program *program)
{
  program->channel = channel;
  for (uint32_t v = 0; communicator->members && v < program->count; v++)
    if (program->vertices[v].kind == TUTTI_SEND || program->vertices[v].kind == TUTTI_RECV)
      program->vertices[v].peer = communicator->members[program->vertices[v].peer];
}

static bool build(struct replay *replay, uint32_t rank, const struct workload_shape *shape, struct program *program,
                  tutti_error *error)
{
  tutti_error reason;
  tutti_call call = shape->call;
  const tutti_method *method = method_of(replay, shape);
  if (!method) {
    tutti_fail(error, TUTTI_ERR_ARGUMENT, REPLAY_UNDECIDED, tutti_collective_name(shape->collective),
               (unsigned long long)shape->bytes, call.size);
    return false;
  }
  if (method->algorithm->domain & (TUTTI_NEEDS_NODES | TUTTI_NEEDS_LEVELS)) { /* as calls of MPI know them */
    call.nodes = nodes_of(replay, shape->communicator);
    call.levels[call.level_count++].ids = call.nodes;
  }
  if (tutti_program_build(method, &call, &replay->arena, program, &reason) != TUTTI_OK) {
    tutti_fail(error, TUTTI_ERR_ARGUMENT, "rank %u: %s", (unsigned)rank, reason.message);
    return false;
  }
  translate(&replay->workload->communicators.items[shape->communicator], shape->communicator, program);
  count_messages(replay, &replay->answer->parts[shape->collective], rank, program);
  return true;
}

/* ---- operations of a graph ---- */

/* The rank whose program is built. */
struct builder {
  struct replay *replay;
  uint32_t rank;
  double now;
};

static bool build_shape(void *context, size_t number, struct program *program, tutti_error *error)
{
  const struct builder *builder = context;
  struct replay *replay = builder->replay;
  const struct workload_shape *shape = &replay->workload->shapes.items[number];
  replay->answer->parts[shape->collective].calls++;
  /* how long it waits is not told from the messages around it */
  (void)go(replay, shape, come(replay, shape, builder->now), builder->now, builder->now);
  return build(replay, builder->rank, shape, program, error);
}

static enum script_next begin_segment(struct replay *replay, uint32_t rank, size_t segment, double now,
                                      struct program *program, tutti_error *error)
{
  const struct workload_graph *graph = &replay->workload->ranks[rank].graph;
  struct replay_part *part = &replay->answer->parts[WORKLOAD_MESSAGES];
  struct replay_rank *r = &replay->ranks[rank];
  struct builder builder = {replay, rank, now};
  const struct replay_programs programs = {build_shape, &builder};
  r->segment = false;
  r->began = now;
  r->work = 0;
  for (size_t o = workload_segment_begin(graph, segment).ops; o < graph->segments.items[segment].ops; o++) {
    const struct workload_op *op = &graph->ops.items[o];
    r->segment |= op->kind != WORKLOAD_WORK; /* else it computes */
    if (op->kind == WORKLOAD_WORK)
      r->work += (double)op->amount * 1e-9 * replay->question->compute;
    else if (op->kind != WORKLOAD_COLLECTIVE)
      part->calls++;
    if (op->kind == WORKLOAD_SEND)
      count_message(replay, part, rank, op->peer, op->amount);
  }
  return tutti_replay_build(graph, segment, replay->question->compute, &programs, program, error) ? SCRIPT_PROGRAM
                                                                                                  : SCRIPT_FAILS;
}

/* ---- what a rank does next ---- */

static enum script_next begin_call(struct replay *replay, uint32_t rank, double now, double *seconds,
                                   struct program *program, tutti_error *error)
{
  struct replay_rank *r = &replay->ranks[rank];
  r->inside = true;
  r->began = now;
  replay->answer->parts[r->call->collective].calls++;
  if (r->call->communicator != WORKLOAD_UNKNOWN) {
    r->meeting = come(replay, r->call, now);
    return build(replay, rank, r->call, program, error) ? SCRIPT_PROGRAM : SCRIPT_FAILS;
  }
  *seconds = (double)r->duration * 1e-9;
  return SCRIPT_SLEEPS;
}

static enum script_next compute(struct replay *replay, uint64_t nanoseconds, double *seconds)
{
  *seconds = (double)nanoseconds * 1e-9 * replay->question->compute;
  replay->answer->compute += *seconds;
  replay->computes = true;
  return SCRIPT_SLEEPS;
}

static void end_call(struct replay *replay, const struct replay_rank *r, double now)
{
  if (r->call->communicator != WORKLOAD_UNKNOWN)
    replay->answer->parts[r->call->collective].waiting += go(replay, r->call, r->meeting, r->began, now);
}

/* Computation of a segment, of which some may have been at the same time as some other. */
static double computed(const struct replay_rank *r, double now)
{
  const double passed = now - r->began;
  return r->work * (1 - 1e-9) > passed ? passed : r->work; /* a rounding is none */
}

static enum script_next next(void *context, uint32_t rank, double now, double *seconds, struct program *program,
                             tutti_error *error)
{
  struct replay *replay = context;
  struct replay_rank *r = &replay->ranks[rank];
  replay->computes = false;
  if (!r->started) {
    r->started = true;
    *seconds = (double)replay->workload->ranks[rank].start * 1e-9;
    return SCRIPT_SLEEPS;
  }
  if (r->call && !r->inside)
    return begin_call(replay, rank, now, seconds, program, error);
  if (r->call) {
    r->seconds[r->call->collective] += now - r->began;
    end_call(replay, r, now);
  }
  if (r->segment)
    r->seconds[WORKLOAD_MESSAGES] += fmax(0, now - r->began - r->work);
  if (r->work > 0)
    replay->answer->compute += computed(r, now);
  r->work = 0;
  r->call = NULL;
  r->inside = r->segment = false;
  if (r->over) {
    replay->answer->seconds = fmax(replay->answer->seconds, now);
    return SCRIPT_IS_OVER;
  }
  const struct workload_event event = tutti_workload_next(replay->workload, rank, &r->cursor);
  if (event.kind == WORKLOAD_OPERATIONS)
    return begin_segment(replay, rank, event.segment, now, program, error);
  r->over = event.kind == WORKLOAD_END;
  r->call = event.shape;
  r->duration = event.duration;
  return compute(replay, event.compute, seconds);
}

/* ---- all ---- */

static void sum_up(const struct replay *replay)
{
  struct replay_answer *answer = replay->answer;
  for (uint32_t r = 0; r < replay->workload->rank_count; r++) {
    double all = 0;
    for (int c = 0; c < WORKLOAD_PARTS; c++) {
      all += replay->ranks[r].seconds[c];
      answer->parts[c].seconds += replay->ranks[r].seconds[c];
      answer->parts[c].slowest = fmax(answer->parts[c].slowest, replay->ranks[r].seconds[c]);
    }
    answer->all.slowest = fmax(answer->all.slowest, all);
  }
  for (int c = 0; c < WORKLOAD_PARTS; c++) {
    answer->all.calls += answer->parts[c].calls;
    answer->all.messages += answer->parts[c].messages;
    answer->all.across += answer->parts[c].across;
    answer->all.waiting += answer->parts[c].waiting;
    answer->all.bytes += answer->parts[c].bytes;
    answer->all.seconds += answer->parts[c].seconds;
  }
}

tutti_status tutti_replay_open(const struct workload *workload, int ranks_per_node,
                               const struct replay_question *question, struct replay_answer *answer,
                               struct replay **opened, tutti_error *error)
{
  *answer = (struct replay_answer){.seconds = 0};
  *opened = NULL;
  if (workload->channel_count > MATCHING_CHANNELS)
    return tutti_fail(error, TUTTI_ERR_UNSUPPORTED, "%u communicators and tags: at most %d are simulated",
                      (unsigned)workload->channel_count, MATCHING_CHANNELS);
  struct replay *replay = *opened = tutti_xmalloc(sizeof *replay);
  *replay = (struct replay){.workload = workload,
                            .ranks_per_node = ranks_per_node,
                            .question = question,
                            .answer = answer,
                            .ranks = tutti_xcalloc(workload->rank_count, sizeof *replay->ranks),
                            .methods = tutti_xcalloc(workload->shapes.count + 1, sizeof *replay->methods),
                            .nodes = tutti_xcalloc(workload->communicators.count, sizeof *replay->nodes),
                            .meetings = tutti_xcalloc(workload->communicators.count, sizeof *replay->meetings)};
  tutti_arena_init(&replay->arena);
  return TUTTI_OK;
}

struct script_source tutti_replay_source(struct replay *replay)
{
  return (struct script_source){next, replay, &replay->computes};
}

void tutti_replay_close(struct replay *replay)
{
  if (!replay)
    return;
  sum_up(replay);
  for (size_t c = 0; c < replay->workload->communicators.count; c++) {
    free(replay->nodes[c]);
    tutti_meetings_free(&replay->meetings[c]);
  }
  free(replay->nodes);
  free(replay->meetings);
  free(replay->methods);
  free(replay->ranks);
  free(replay);
}

tutti_status tutti_replay(const struct workload *workload, const struct engine_machine *machine,
                          const struct replay_question *question, struct replay_answer *answer, tutti_error *error)
{
  struct replay *replay;
  struct replay_question changed = *question;
  changed.compute *= machine->change ? machine->change->of[ENGINE_COMPUTATION] : 1;
  tutti_status status = tutti_start_check_room(machine, workload->rank_count, error);
  if (status == TUTTI_OK)
    status = tutti_replay_open(workload, machine->ranks_per_node, &changed, answer, &replay, error);
  if (status != TUTTI_OK)
    return status;
  const struct script_source source = tutti_replay_source(replay);
  struct script script = {.machine = machine,
                          .rank_count = workload->rank_count,
                          .source = &source,
                          .now = machine->initialization,
                          .slopes = question->slopes ? &answer->slopes : NULL};
  status = tutti_script_run(&script, error);
  tutti_replay_close(replay);
  return status;
}
