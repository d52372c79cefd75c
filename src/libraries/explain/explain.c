/* Explanations: opening what is explained, and what all families share. */
#include "libraries/explain/explain.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- steps ---- */

void tutti_explain_step(struct explaining *explaining, size_t at, const char *format, ...)
{
  tutti_explanation *answer = explaining->answer;
  tutti_explained_step step = {0}, *steps;
  va_list arguments;
  if (explaining->silent)
    return;
  if (at != NO_PLACE)
    tutti_lint_place(explaining->tuning->lint.text, explaining->tuning->lint.length, at, &step.line, &step.column);
  va_start(arguments, format);
  int written = vasprintf(&step.text, format, arguments);
  va_end(arguments);
  steps = tutti_lint_grow(answer->steps, answer->step_count, &answer->step_capacity, sizeof *steps);
  if (written < 0 || !steps) {
    explaining->out_of_memory = true;
    if (written >= 0)
      free(step.text);
    return;
  }
  answer->steps = steps;
  steps[answer->step_count++] = step;
}

void tutti_explain_at_least(struct explaining *explaining, uint64_t bytes)
{
  if (bytes > explaining->answer->least)
    explaining->answer->least = bytes;
}

void tutti_explain_at_most(struct explaining *explaining, uint64_t bytes)
{
  if (bytes < explaining->answer->most)
    explaining->answer->most = bytes;
}

void tutti_explanation_free(tutti_explanation *explanation)
{
  for (size_t i = 0; i < explanation->step_count; i++)
    free(explanation->steps[i].text);
  free(explanation->steps);
  *explanation = (tutti_explanation){0};
}

/* ---- calls ---- */

uint64_t tutti_explain_type_bytes(const tutti_explained_call *call)
{
  if (call->type_bytes)
    return call->type_bytes;
  return call->rank_bytes % 8 == 0 ? 8 : call->rank_bytes % 4 == 0 ? 4 : 1;
}

tutti_question tutti_explain_question(const tutti_explained_call *call)
{
  return (tutti_question){.collective = call->collective,
                          .ranks = call->ranks,
                          .ranks_per_node = call->ranks_per_node,
                          .rank_bytes = call->rank_bytes};
}

/* ---- files ---- */

static tutti_tuning *create(tutti_error *error)
{
  tutti_tuning *tuning = calloc(1, sizeof *tuning);
  if (!tuning)
    tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for an explanation");
  else
    tuning->mpich.top = -1;
  return tuning;
}

/* The first fault for which the library gives the whole file up. */
static void keep_fault(tutti_tuning *tuning, const tutti_findings *findings)
{
  for (size_t i = 0; i < findings->count && !tuning->fault; i++) {
    const tutti_finding *finding = &findings->items[i];
    if (finding->code->severity == TUTTI_ERROR &&
        asprintf(&tuning->fault, "%d:%d: %s: %s [%s]", finding->line, finding->column, finding->code->title,
                 finding->message, finding->code->name) < 0)
      tuning->lint.out_of_memory = true;
  }
}

static tutti_status read_tuning(tutti_tuning *tuning, tutti_error *error)
{
  tutti_findings findings = {0};
  tutti_status status = TUTTI_OK;
  if (tuning->lint.version.family == TUTTI_FAMILY_TUTTI) {
    status = tutti_decision_read(tuning->path, &tuning->own, error);
    tuning->decision = &tuning->own;
    return status;
  }
  tuning->lint.findings = &findings;
  if (tuning->lint.version.family == TUTTI_FAMILY_OPENMPI)
    tutti_openmpi_read_rules(&tuning->lint, &tuning->openmpi);
  else
    tutti_mpich_read(&tuning->lint, &tuning->mpich);
  keep_fault(tuning, &findings);
  tuning->lint.findings = NULL;
  tutti_findings_free(&findings);
  return tuning->lint.out_of_memory ? tutti_fail(error, TUTTI_ERR_MEMORY, "%s: out of memory", tuning->path) : status;
}

tutti_status tutti_tuning_open(const char *path, const tutti_library_version *version, tutti_tuning **tuning,
                               tutti_error *error)
{
  size_t length = 0;
  *tuning = create(error);
  if (!*tuning)
    return TUTTI_ERR_MEMORY;
  (*tuning)->path = strdup(path);
  tutti_status status = (*tuning)->path ? tutti_lint_slurp(path, &(*tuning)->text, &length, error)
                                        : tutti_fail(error, TUTTI_ERR_MEMORY, "%s: out of memory", path);
  (*tuning)->has_file = true;
  (*tuning)->lint =
      (struct lint){.path = (*tuning)->path, .text = (*tuning)->text, .length = length, .version = *version};
  if (status == TUTTI_OK)
    status = read_tuning(*tuning, error);
  if (status != TUTTI_OK) {
    tutti_tuning_close(*tuning);
    *tuning = NULL;
  }
  return status;
}

tutti_status tutti_tuning_of_decision(const tutti_decision *decision, tutti_tuning **tuning, tutti_error *error)
{
  *tuning = create(error);
  if (!*tuning)
    return TUTTI_ERR_MEMORY;
  (*tuning)->decision = decision;
  (*tuning)->lint.version.family = TUTTI_FAMILY_TUTTI;
  return TUTTI_OK;
}

void tutti_tuning_close(tutti_tuning *tuning)
{
  if (!tuning)
    return;
  tutti_openmpi_rules_free(&tuning->openmpi);
  tutti_mpich_selection_free(&tuning->mpich);
  tutti_decision_free(&tuning->own);
  free(tuning->text);
  free(tuning->path);
  free(tuning->fault);
  free(tuning);
}

/* ---- the answer ---- */

static tutti_status answer(const tutti_tuning *tuning, const tutti_explained_call *call, bool silent,
                           tutti_explanation *explanation, tutti_error *error)
{
  struct explaining explaining = {.tuning = tuning, .call = call, .answer = explanation, .silent = silent};
  tutti_status status = TUTTI_OK;
  *explanation = (tutti_explanation){.most = UINT64_MAX};
  if (call->ranks < 1)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%d ranks", call->ranks);
  if (tuning->decision)
    status = tutti_explain_tutti(&explaining, error);
  else if (tuning->lint.version.family == TUTTI_FAMILY_OPENMPI)
    tutti_explain_openmpi(&explaining);
  else
    tutti_explain_mpich(&explaining);
  if (status == TUTTI_OK && explaining.out_of_memory)
    status = tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for an explanation");
  if (status != TUTTI_OK)
    tutti_explanation_free(explanation);
  return status;
}

tutti_status tutti_explain(const tutti_tuning *tuning, const tutti_explained_call *call, tutti_explanation *explanation,
                           tutti_error *error)
{
  return answer(tuning, call, false, explanation, error);
}

static bool same(const tutti_explanation *left, const tutti_explanation *right)
{
  return strcmp(left->algorithm, right->algorithm) == 0 && left->fails == right->fails && left->known == right->known &&
         (!left->known || tutti_method_compare(&left->method, &right->method) == 0);
}

enum { MOST_SKIPS = 1000 };

/* From one range of sizes to the next until the answer is another. */
static tutti_status walk(const tutti_tuning *tuning, const tutti_explained_call *call, bool larger,
                         const tutti_explanation *here, bool *found, tutti_explanation *other, tutti_error *error)
{
  tutti_explained_call next = *call;
  uint64_t end = larger ? here->most : here->least;
  next.type_bytes = tutti_explain_type_bytes(call);
  for (int i = 0; i < MOST_SKIPS && end != (larger ? UINT64_MAX : 0); i++) {
    next.rank_bytes = larger ? end + 1 : end - 1;
    tutti_status status = answer(tuning, &next, true, other, error);
    if (status != TUTTI_OK)
      return status;
    end = larger ? other->most : other->least;
    *found = !same(here, other);
    if (*found)
      return TUTTI_OK;
    tutti_explanation_free(other);
  }
  return TUTTI_OK;
}

tutti_status tutti_explain_next(const tutti_tuning *tuning, const tutti_explained_call *call, bool larger, bool *found,
                                uint64_t *bytes, tutti_explanation *other, tutti_error *error)
{
  tutti_explanation here;
  *found = false;
  *other = (tutti_explanation){0};
  tutti_status status = answer(tuning, call, true, &here, error);
  if (status != TUTTI_OK)
    return status;
  status = walk(tuning, call, larger, &here, found, other, error);
  if (*found)
    *bytes = larger ? other->least : other->most;
  tutti_explanation_free(&here);
  return status;
}

tutti_status tutti_explain_ranks(const tutti_tuning *tuning, const tutti_explained_call *call, int most, bool *found,
                                 int *ranks, tutti_explanation *other, tutti_error *error)
{
  tutti_explanation here;
  tutti_explained_call next = *call;
  *found = false;
  *other = (tutti_explanation){0};
  tutti_status status = answer(tuning, call, true, &here, error);
  while (status == TUTTI_OK && !*found && next.ranks < most) {
    next.ranks++;
    status = answer(tuning, &next, true, other, error);
    *found = status == TUTTI_OK && !same(&here, other);
  }
  *ranks = next.ranks;
  return status;
}
