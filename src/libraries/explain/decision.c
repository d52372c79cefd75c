/* A tuning file as a decision function: what the library that reads it would run. */
#include <stdlib.h>
#include <string.h>

#include "tutti/explain.h"

static bool decide(const tutti_decision *decision, const tutti_question *question, tutti_method *method)
{
  const tutti_explained_call call = {.collective = question->collective,
                                     .ranks = question->ranks,
                                     .ranks_per_node = question->ranks_per_node,
                                     .rank_bytes = question->rank_bytes};
  tutti_explanation explanation = {0};
  tutti_error error;
  bool known =
      tutti_explain(decision->data, &call, &explanation, &error) == TUTTI_OK && explanation.known && !explanation.fails;
  if (known)
    *method = explanation.method;
  tutti_explanation_free(&explanation);
  return known;
}

static void free_data(void *data)
{
  tutti_tuning_close(data);
}

tutti_status tutti_decision_tuning(const char *path, const tutti_library_version *version, tutti_decision *decision,
                                   tutti_error *error)
{
  tutti_tuning *tuning;
  *decision = (tutti_decision){.name = NULL};
  tutti_status status = tutti_tuning_open(path, version, &tuning, error);
  if (status != TUTTI_OK)
    return status;
  *decision = (tutti_decision){
      .name = strdup(path), .collective = TUTTI_COLL_COUNT, .decide = decide, .free_data = free_data, .data = tuning};
  if (decision->name)
    return TUTTI_OK;
  tutti_tuning_close(tuning);
  return tutti_fail(error, TUTTI_ERR_MEMORY, "%s: out of memory", path);
}
