#include "algorithms/parts.h"

tutti_vertex_id tutti_build_part(tutti_builder *builder, const tutti_call *call, int index, tutti_scope *scope,
                                 tutti_call own)
{
  tutti_method method = tutti_method_part(&call->parameters, index);
  own.size = scope->size;
  own.rank = scope->rank;
  own.type_size = call->type_size;
  own.commutative = call->commutative;
  own.parameters = method.parameters;
  tutti_builder_enter(builder, scope);
  method.algorithm->build(builder, &own);
  return tutti_builder_leave(builder);
}
