/* From the buffers of an MPI call to those of a schedule, collective by collective. */
#include "algorithms/mpi/collectives/arguments.h"

#include "algorithms/mpi/collectives/operation.h"

/* A call being prepared. */
struct preparation {
  const struct arguments *arguments;
  const tutti_view *view;
  struct pack_memory *memory;
  struct pack *input, *output;
  tutti_call *call;
  tutti_error *error;
};

static bool in_place(const struct user_buffer *user_buffer)
{
  return user_buffer->base == MPI_IN_PLACE;
}

static bool at_root(const struct preparation *p)
{
  return p->view->rank == p->arguments->root;
}

static const struct pack_options one_block_in = {.blocks = 1, .load = true};
static const struct pack_options one_block_out = {.blocks = 1, .store = true};

static tutti_status pack_input(const struct preparation *p, const struct user_buffer *user_buffer,
                               const struct pack_options *wanted)
{
  return tutti_pack_bytes(p->input, user_buffer, wanted, p->memory, p->error);
}

static tutti_status pack_output(const struct preparation *p, const struct user_buffer *user_buffer,
                                const struct pack_options *wanted)
{
  return tutti_pack_bytes(p->output, user_buffer, wanted, p->memory, p->error);
}

/* Note the blocks that a rank sends to itself and receives from itself: a call whose two blocks differ in length fails
   before any data is moved (operation.c). Only if neither is in place. */
static tutti_status note_own_blocks(const struct preparation *p)
{
  const struct user_buffer *from = &p->arguments->input, *to = &p->arguments->output;
  struct user_buffer own;
  if (in_place(from) || in_place(to))
    return TUTTI_OK;
  tutti_status status = tutti_user_buffer_block(from, p->view->rank, &own, &p->input->own, p->error);
  return status == TUTTI_OK ? tutti_user_buffer_block(to, p->view->rank, &own, &p->output->own, p->error) : status;
}

/* The own block of a buffer that has a block for each rank is what the call counts. */
static tutti_status count_own_block(const struct preparation *p, const struct user_buffer *user_buffer,
                                    struct user_buffer *own)
{
  return tutti_user_buffer_block(user_buffer, p->view->rank, own, &p->call->count, p->error);
}

static tutti_status prepare_bcast(const struct preparation *p)
{
  const struct user_buffer *user_buffer = &p->arguments->output;
  struct pack_options wanted = {.blocks = 1, .load = at_root(p), .store = !at_root(p)};
  tutti_status status = tutti_user_buffer_bytes(user_buffer, &p->call->count, p->error);
  return status == TUTTI_OK ? pack_output(p, user_buffer, &wanted) : status;
}

/* At the root, in place means that the own block stays where it is: its copy goes nowhere. */
static tutti_status prepare_scatter(const struct preparation *p)
{
  const struct user_buffer *from = &p->arguments->input, *to = &p->arguments->output;
  const struct pack_options blocks = {.blocks = p->view->size, .load = true};
  const struct pack_options nowhere = {.blocks = 1, .apart = true};
  struct user_buffer own = *to;
  tutti_status status = TUTTI_OK;
  bool stays = at_root(p) && in_place(to);
  status = at_root(p) ? count_own_block(p, from, &own) : tutti_user_buffer_bytes(to, &p->call->count, p->error);
  if (status == TUTTI_OK)
    status = pack_output(p, stays ? &own : to, stays ? &nowhere : &one_block_out);
  if (status == TUTTI_OK && at_root(p))
    status = pack_input(p, from, &blocks);
  if (status == TUTTI_OK && at_root(p))
    status = note_own_blocks(p);
  p->call->input = p->input->layout;
  return status;
}

/* In place, the own contribution is where the result will be. Who has the result counts by that. */
static tutti_status pack_contribution(const struct preparation *p, const struct user_buffer *from,
                                      const struct user_buffer *to, bool receives)
{
  static const struct pack_options moved = {.blocks = 1, .apart = true, .load = true};
  struct user_buffer own = *from;
  bool there = in_place(from);
  tutti_status status = TUTTI_OK;
  if (receives)
    status = count_own_block(p, to, &own);
  else
    status = tutti_user_buffer_bytes(from, &p->call->count, p->error);
  if (status == TUTTI_OK)
    status = pack_input(p, there ? &own : from, there ? &moved : &one_block_in);
  p->input->of_output = there;
  return status;
}

static tutti_status prepare_gather(const struct preparation *p)
{
  const struct user_buffer *to = &p->arguments->output;
  const struct pack_options blocks = {.blocks = p->view->size, .store = true};
  const bool receives = !(tutti_collective_traits(p->arguments->collective) & TUTTI_HAS_ROOT) || at_root(p);
  tutti_status status = pack_contribution(p, &p->arguments->input, to, receives);
  if (status == TUTTI_OK && receives)
    status = pack_output(p, to, &blocks);
  if (status == TUTTI_OK && receives)
    status = note_own_blocks(p);
  p->call->output = p->output->layout;
  return status;
}

static tutti_status prepare_alltoall(const struct preparation *p)
{
  const struct user_buffer *from = &p->arguments->input, *to = &p->arguments->output;
  const struct pack_options out = {.blocks = p->view->size, .store = true};
  const struct pack_options in = {.blocks = p->view->size, .apart = in_place(from), .load = true};
  struct user_buffer own;
  tutti_status status = count_own_block(p, to, &own);
  if (status == TUTTI_OK)
    status = pack_output(p, to, &out);
  if (status == TUTTI_OK)
    status = pack_input(p, in_place(from) ? to : from, &in);
  if (status == TUTTI_OK)
    status = note_own_blocks(p);
  p->input->of_output = in_place(from);
  p->call->input = p->input->layout;
  p->call->output = p->output->layout;
  return status;
}

/* ---- neighbors ---- */

/* Offsets of blocks of one length. */
static tutti_status set_offsets(const struct preparation *p, const struct user_buffer *user_buffer, int blocks,
                                struct pack *pack)
{
  uint64_t bytes = 0;
  if (pack->layout.offsets)
    return TUTTI_OK;
  uint64_t *offsets = tutti_arena_alloc(p->memory->arena, ((size_t)blocks + 1) * sizeof *offsets);
  if (!offsets)
    return tutti_fail(p->error, TUTTI_ERR_MEMORY, "out of memory for the blocks of %d neighbors", blocks);
  tutti_status status = blocks > 0 ? tutti_user_buffer_bytes(user_buffer, &bytes, p->error) : TUTTI_OK;
  for (int b = 0; b <= blocks; b++)
    offsets[b] = (uint64_t)b * bytes;
  pack->layout.offsets = offsets;
  return status;
}

/* A block that no neighbor sends keeps what it holds, also where the data is packed. */
static tutti_status prepare_neighbors(const struct preparation *p)
{
  const tutti_neighbors *near = p->arguments->near;
  const struct user_buffer *from = &p->arguments->input, *to = &p->arguments->output;
  const bool gathers =
      p->arguments->collective == TUTTI_COLL_ALLGATHER || p->arguments->collective == TUTTI_COLL_ALLGATHERV;
  const struct pack_options in = {.blocks = gathers ? 1 : near->out, .load = true};
  const struct pack_options out = {.blocks = near->in, .load = true, .store = true};
  tutti_status status = TUTTI_OK;
  if (in.blocks > 0)
    status = pack_input(p, from, &in);
  if (status == TUTTI_OK && out.blocks > 0)
    status = pack_output(p, to, &out);
  if (status == TUTTI_OK && !from->counts)
    status = tutti_user_buffer_bytes(from, &p->call->count, p->error);
  if (status == TUTTI_OK && !gathers)
    status = set_offsets(p, from, in.blocks, p->input);
  if (status == TUTTI_OK)
    status = set_offsets(p, to, out.blocks, p->output);
  if (!gathers)
    p->call->input = p->input->layout;
  p->call->output = p->output->layout;
  p->call->near = near;
  return status;
}

/* ---- reductions ---- */

/* reduce_scatter: *total is the sum of the counts. */
static tutti_status lay_out_results(const struct preparation *p, const struct user_buffer *to, uint64_t *total)
{
  const int size = p->view->size;
  uint64_t *offsets = tutti_arena_alloc(p->memory->arena, ((size_t)size + 1) * sizeof *offsets);
  if (!offsets)
    return tutti_fail(p->error, TUTTI_ERR_MEMORY, "out of memory for the counts of %d ranks", size);
  offsets[0] = 0;
  for (int r = 0; r < size; r++)
    offsets[r + 1] = offsets[r] + (uint64_t)tutti_count_at(to, r);
  p->call->input = (tutti_layout){offsets};
  p->call->count = tutti_layout_count(&p->call->input, p->view->rank);
  *total = offsets[size];
  return TUTTI_OK;
}

static tutti_status describe_reduction(const struct preparation *p, const struct user_buffer *to)
{
  int size, commutative;
  if (MPI_Type_size(to->type, &size) != MPI_SUCCESS ||
      MPI_Op_commutative(p->arguments->op, &commutative) != MPI_SUCCESS)
    return tutti_fail(p->error, TUTTI_ERR_MPI, "the datatype or the operation of a reduction is not valid");
  p->call->type_size = (uint64_t)size;
  p->call->commutative = commutative;
  return TUTTI_OK;
}

static tutti_status prepare_reduction(const struct preparation *p)
{
  struct user_buffer from = p->arguments->input, to = p->arguments->output;
  bool shared = from.base && from.base == to.base; /* MPI does not allow it, but the answer is obvious */
  struct pack_options in = {.blocks = 1, .apart = in_place(&from) || shared};
  const struct pack_options out = {.blocks = 1};
  uint64_t total = to.count;
  tutti_status status = describe_reduction(p, &to);
  p->call->count = to.count;
  if (status == TUTTI_OK && p->arguments->collective == TUTTI_COLL_REDUCE_SCATTER)
    status = lay_out_results(p, &to, &total);
  if (p->arguments->collective == TUTTI_COLL_REDUCE_SCATTER_BLOCK &&
      __builtin_mul_overflow(total, (uint64_t)p->view->size, &total))
    return tutti_fail(p->error, TUTTI_ERR_ARGUMENT, "%llu elements a rank are more than memory can hold",
                      (unsigned long long)to.count);
  from.base = in_place(&from) ? to.base : from.base;
  from.type = to.type;
  if (status == TUTTI_OK)
    status = tutti_pack_elements(p->input, &from, total, &in, p->memory, p->error);
  p->input->of_output = in_place(&p->arguments->input);
  return status == TUTTI_OK ? tutti_pack_elements(p->output, &to, to.count, &out, p->memory, p->error) : status;
}

static tutti_status prepare_by_collective(const struct preparation *p)
{
  if (p->arguments->near)
    return prepare_neighbors(p);
  switch (p->arguments->collective) {
  case TUTTI_COLL_BARRIER:
    return TUTTI_OK;
  case TUTTI_COLL_BCAST:
    return prepare_bcast(p);
  case TUTTI_COLL_SCATTER:
  case TUTTI_COLL_SCATTERV:
    return prepare_scatter(p);
  case TUTTI_COLL_GATHER:
  case TUTTI_COLL_GATHERV:
  case TUTTI_COLL_ALLGATHER:
  case TUTTI_COLL_ALLGATHERV:
    return prepare_gather(p);
  case TUTTI_COLL_ALLTOALL:
  case TUTTI_COLL_ALLTOALLV:
  case TUTTI_COLL_ALLTOALLW:
    return prepare_alltoall(p);
  default:
    return prepare_reduction(p);
  }
}

/* Numbers of the ranks of the base communicator by those of the view; a range that is not one of consecutive ranks
   needs a table of its own. */
static const int *by_rank(const tutti_view *view, const int *of_base, tutti_arena *arena)
{
  if (!of_base || (view->stride == 1 && !view->lookup))
    return of_base ? of_base + view->first : NULL;
  int *own = tutti_arena_alloc(arena, (size_t)view->size * sizeof *own);
  for (int r = 0; own && r < view->size; r++)
    own[r] = of_base[tutti_view_base_rank(view, r)];
  return own;
}

static void add_level(tutti_call *call, const int *ids)
{
  if (ids)
    call->levels[call->level_count++].ids = ids;
}

/* The nodes, and as the lowest of the levels. */
static void set_levels(const tutti_view *view, tutti_arena *arena, tutti_call *call)
{
  call->nodes = by_rank(view, view->nodes, arena);
  add_level(call, call->nodes);
  for (int i = 0; view->levels && i < view->levels->count; i++)
    add_level(call, by_rank(view, view->levels->ids[i], arena));
}

tutti_status tutti_arguments_pack(const struct arguments *arguments, const tutti_view *view, struct pack_memory *memory,
                                  struct pack *input, struct pack *output, tutti_call *call, tutti_error *error)
{
  const struct preparation p = {arguments, view, memory, input, output, call, error};
  *input = *output = (struct pack){.type = MPI_BYTE};
  *call = (tutti_call){
      .size = view->size, .rank = view->rank, .root = arguments->root, .type_size = 1, .commutative = true};
  set_levels(view, memory->arena, call);
  if (arguments->root < 0 || arguments->root >= view->size) /* the buffers at the root are unknown */
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "root %d is not in a group of %d ranks", arguments->root, view->size);
  return prepare_by_collective(&p);
}

/* ---- what is significant ---- */

static const struct user_buffer nothing = {.type = MPI_DATATYPE_NULL};

static void normalize_in_place(struct user_buffer *user_buffer)
{
  *user_buffer = nothing;
  user_buffer->base = MPI_IN_PLACE;
}

void tutti_arguments_normalize(struct arguments *a, int rank)
{
  bool root = rank == a->root;
  switch (a->collective) {
  case TUTTI_COLL_SCATTER:
  case TUTTI_COLL_SCATTERV:
    if (!root)
      a->input = nothing;
    else if (in_place(&a->output))
      normalize_in_place(&a->output);
    break;
  case TUTTI_COLL_GATHER:
  case TUTTI_COLL_GATHERV:
    if (!root)
      a->output = nothing;
    else if (in_place(&a->input))
      normalize_in_place(&a->input);
    break;
  case TUTTI_COLL_REDUCE:
    if (!root)
      a->output.base = NULL;
    break;
  case TUTTI_COLL_EXSCAN:
    if (rank == 0 && !in_place(&a->input) && a->output.base != a->input.base) /* MPICH looks whether they are one */
      a->output.base = NULL;
    break;
  default:
    if (in_place(&a->input))
      normalize_in_place(&a->input);
    break;
  }
}

/* ---- the size that decides ---- */

static uint64_t sum_of(const struct user_buffer *user_buffer, int size)
{
  uint64_t sum = 0;
  for (int r = 0; r < size; r++)
    sum += (uint64_t)tutti_count_at(user_buffer, r);
  return sum;
}

tutti_status tutti_arguments_bytes(const struct arguments *arguments, int size, bool root, uint64_t *bytes,
                                   tutti_error *error)
{
  struct user_buffer user_buffer = arguments->output;
  unsigned traits = tutti_collective_traits(arguments->collective);
  *bytes = 0;
  if (arguments->collective == TUTTI_COLL_BARRIER || traits & TUTTI_COUNTS_ARE_LOCAL)
    return TUTTI_OK;
  if (arguments->collective == TUTTI_COLL_SCATTER && root)
    user_buffer = arguments->input; /* the output may be in place */
  if (arguments->collective == TUTTI_COLL_GATHER && !root)
    user_buffer = arguments->input;
  if (traits & TUTTI_IS_IRREGULAR)
    user_buffer.count = sum_of(&user_buffer, size);
  tutti_status status = tutti_user_buffer_bytes(&user_buffer, bytes, error);
  if (traits & TUTTI_IS_IRREGULAR) /* last: ranks may count the same bytes in elements of another size */
    *bytes /= (uint64_t)size;
  return status;
}
