#include "algorithms/alltoall/direct.h"

tutti_vertex_id tutti_alltoall_send(tutti_builder *builder, const tutti_call *call, int distance)
{
  int to = (int)(((int64_t)call->rank + distance) % call->size);
  tutti_block block = tutti_input_block(call, to);
  return block.count > 0 ? tutti_add_send(builder, to, block) : TUTTI_NO_VERTEX;
}

tutti_vertex_id tutti_alltoall_recv(tutti_builder *builder, const tutti_call *call, int distance)
{
  int from = (int)(((int64_t)call->rank + call->size - distance) % call->size);
  tutti_block block = tutti_output_block(call, from);
  return block.count > 0 ? tutti_add_recv(builder, from, block) : TUTTI_NO_VERTEX;
}

void tutti_alltoall_keep(tutti_builder *builder, const tutti_call *call)
{
  tutti_block own = tutti_input_block(call, call->rank);
  if (own.count > 0)
    tutti_add_copy(builder, own, tutti_output_block(call, call->rank));
}
