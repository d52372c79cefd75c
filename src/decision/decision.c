/* Decision functions: what they have in common, and the simplest of them. */
#include "tutti/decision.h"

#include <stdlib.h>
#include <string.h>

void tutti_decision_free(tutti_decision *decision)
{
  if (decision->free_data)
    decision->free_data(decision->data);
  free(decision->name);
  memset(decision, 0, sizeof *decision);
}

static bool decide_single(const tutti_decision *decision, const tutti_question *question, tutti_method *method)
{
  *method = *(const tutti_method *)decision->data;
  return method->algorithm->collective == question->collective;
}

tutti_status tutti_decision_single(const tutti_method *method, tutti_decision *decision, tutti_error *error)
{
  char name[TUTTI_METHOD_LENGTH];
  tutti_method *copy = malloc(sizeof *copy);
  *decision = (tutti_decision){.name = strdup(tutti_method_format(method, name)),
                               .collective = method->algorithm->collective,
                               .decide = decide_single,
                               .free_data = free,
                               .data = copy};
  if (!copy || !decision->name) {
    tutti_decision_free(decision);
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for the decision function %s", name);
  }
  *copy = *method;
  return TUTTI_OK;
}
