/* Linear: a message to each destination and from each source. Cost (Hockney): alpha + the bytes of a rank times beta,
   if messages overlap. */
#include "algorithms/catalogue/neighbor/neighbor.h"

/* The k-th block for the rank itself is the k-th from it. */
static void add_own_blocks(tutti_builder *builder, const tutti_call *call)
{
  const tutti_neighbors *near = call->near;
  int to = 0;
  for (int i = 0; i < near->in; i++) {
    const int from = tutti_source_at(near, i);
    if (near->sources[from] != call->rank)
      continue;
    while (to < near->out && near->destinations[to] != call->rank)
      to++;
    if (to == near->out)
      return;
    tutti_add_copy(builder, tutti_block_to(call, to++), tutti_output_block(call, from));
  }
}

void tutti_build_neighbor_linear(tutti_builder *builder, const tutti_call *call)
{
  const tutti_neighbors *near = call->near;
  for (int i = 0; i < near->in; i++) {
    const int from = tutti_source_at(near, i);
    if (near->sources[from] >= 0 && near->sources[from] != call->rank)
      tutti_add_recv(builder, near->sources[from], tutti_output_block(call, from));
  }
  for (int to = 0; to < near->out; to++)
    if (near->destinations[to] >= 0 && near->destinations[to] != call->rank)
      tutti_add_send(builder, near->destinations[to], tutti_block_to(call, to));
  add_own_blocks(builder, call);
}

/* ---- the algorithms ---- */

#define LINEAR(which)                                                                                                  \
  {                                                                                                                    \
    .collective = TUTTI_COLL_##which, .name = "neighbor-linear", .build = tutti_build_neighbor_linear,                 \
    .source = "MPI 4.1, 8.6"                                                                                           \
  }
#define COMBINING(which)                                                                                               \
  {                                                                                                                    \
    .collective = TUTTI_COLL_##which, .name = "neighbor-combining", .build = tutti_build_neighbor_combining,           \
    .source = "Traff, Cartesian Collective Communication"                                                              \
  }

static const tutti_algorithm algorithms[] = {LINEAR(ALLGATHER),  LINEAR(ALLGATHERV), LINEAR(ALLTOALL),
                                             LINEAR(ALLTOALLV),  LINEAR(ALLTOALLW),  COMBINING(ALLGATHER),
                                             COMBINING(ALLTOALL)};

const tutti_algorithm *tutti_neighbor_algorithm(tutti_collective collective, tutti_neighbor_kind kind)
{
  const tutti_build_function build =
      kind == TUTTI_NEIGHBOR_LINEAR ? tutti_build_neighbor_linear : tutti_build_neighbor_combining;
  for (size_t a = 0; a < sizeof algorithms / sizeof *algorithms; a++)
    if (algorithms[a].collective == collective && algorithms[a].build == build)
      return &algorithms[a];
  return NULL;
}
