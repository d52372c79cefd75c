/* Explanations: opening what is explained, and what all libraries share. */
#include "decision/libraries/libraries.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "tutti/decision_tree.h"

/* ---- steps ---- */

void tutti_explain_step(struct explaining *explaining, size_t at, const char *format, ...)
{
  tutti_explanation *answer = explaining->answer;
  tutti_explained_step step = {0};
  va_list arguments;
  if (explaining->silent)
    return;
  if (at != NO_PLACE) {
    tutti_tuning_move(&explaining->tuning->file, at, &explaining->last);
    step.line = explaining->last.line;
    step.column = explaining->last.column;
  }
  va_start(arguments, format);
  step.text = tutti_xvprintf(format, arguments);
  va_end(arguments);
  answer->steps = tutti_xroom(answer->steps, answer->step_count, sizeof step);
  answer->steps[answer->step_count++] = step;
}

void tutti_explain_name(struct explaining *explaining, const char *format, ...)
{
  char *name = explaining->answer->algorithm;
  va_list arguments;
  va_start(arguments, format);
  if (vsnprintf(name, TUTTI_METHOD_LENGTH, format, arguments) >= TUTTI_METHOD_LENGTH)
    strcpy(name + TUTTI_METHOD_LENGTH - sizeof "...", "...");
  va_end(arguments);
}

void tutti_explain_at_least(struct explaining *explaining, uint64_t bytes)
{
  if (bytes > explaining->answer->min)
    explaining->answer->min = bytes;
}

void tutti_explain_at_most(struct explaining *explaining, uint64_t bytes)
{
  if (bytes < explaining->answer->max)
    explaining->answer->max = bytes;
}

void tutti_explanation_select(tutti_explanation *answer, tutti_collective collective)
{
  if (!answer->selector)
    return;
  answer->known = true;
  answer->method = tutti_method_default(tutti_algorithm_find(collective, "native"));
  answer->method.parameters.k = answer->selector;
}

void tutti_explain_selector(struct explaining *explaining, const char *name)
{
  explaining->answer->selector = tutti_selector_find(name);
  if (!explaining->answer->known)
    tutti_explanation_select(explaining->answer, explaining->call->collective);
}

void tutti_explain_failure(struct explaining *explaining)
{
  explaining->answer->fails = true;
  snprintf(explaining->answer->algorithm, TUTTI_METHOD_LENGTH, "none");
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

/* The first fault for which the library gives the whole file up. */
static void keep_fault(tutti_tuning *tuning, const tutti_findings *findings)
{
  for (size_t i = 0; i < findings->count && !tuning->fault; i++) {
    const tutti_finding *finding = &findings->items[i];
    if (finding->code->severity == TUTTI_ERROR)
      tuning->fault = tutti_xprintf("%d:%d: %s: %s [%s]", finding->line, finding->column, finding->code->title,
                                    finding->message, finding->code->name);
  }
}

static tutti_status read_rules(tutti_tuning *tuning, tutti_error *error)
{
  const tutti_library *library = tuning->file.version.library;
  tutti_findings findings = {0};
  tuning->rules = tutti_xcalloc(1, library->rules_bytes);
  tuning->file.findings = &findings;
  tutti_status status = library->read(&tuning->file, tuning->rules, error);
  keep_fault(tuning, &findings);
  tuning->file.findings = NULL;
  tutti_findings_free(&findings);
  if (status == TUTTI_OK && library == &tutti_library_tutti)
    tuning->decision = tuning->rules;
  return status;
}

/* A tuning of a text, which it owns from then on. */
static tutti_tuning *tuning_of_text(const char *path, char *text, size_t length, const tutti_library_version *version)
{
  tutti_tuning *tuning = tutti_xcalloc(1, sizeof *tuning);
  tuning->path = tutti_xstrdup(path);
  tuning->text = text;
  tuning->file = (struct tuning_file){.path = tuning->path, .text = text, .length = length, .version = *version};
  return tuning;
}

/* Read the rules; the tuning is closed if that fails. */
static tutti_status finish_tuning(tutti_tuning *tuning, tutti_tuning **opened, tutti_error *error)
{
  tutti_status status = read_rules(tuning, error);
  if (status == TUTTI_OK)
    *opened = tuning;
  else
    tutti_tuning_close(tuning);
  return status;
}

tutti_status tutti_tuning_open(const char *path, const tutti_library_version *version, tutti_tuning **opened,
                               tutti_error *error)
{
  char *text;
  size_t length = 0;
  *opened = NULL;
  tutti_status status = tutti_input_read(path, TUTTI_INPUT_TEXT, &text, &length, error);
  if (status != TUTTI_OK)
    return status;
  tutti_tuning *tuning = tuning_of_text(path, text, length, version);
  status = tutti_untuned_open(version, &tuning->untuned, error);
  if (status == TUTTI_OK)
    return finish_tuning(tuning, opened, error);
  tutti_tuning_close(tuning);
  return status;
}

tutti_status tutti_tuning_of_parts(const tutti_target *target, const tutti_export_part *parts, int count,
                                   tutti_tuning **opened, tutti_error *error)
{
  const tutti_library_version version = tutti_library_version_of_target(target);
  struct tutti_text_stream text;
  *opened = NULL;
  if (!version.library->read || version.library == &tutti_library_tutti)
    return TUTTI_OK;
  tutti_xopen_text(&text);
  tutti_status status = target->write(parts, count, NULL, text.stream, error);
  tutti_xclose_text(&text);
  if (status == TUTTI_OK)
    return finish_tuning(tuning_of_text(target->name, text.text, text.length, &version), opened, error);
  free(text.text);
  return status;
}

tutti_tuning *tutti_tuning_of_decision(const tutti_decision *decision)
{
  tutti_tuning *tuning = tutti_xcalloc(1, sizeof *tuning);
  tuning->decision = decision;
  tuning->file.version.library = &tutti_library_tutti;
  return tuning;
}

void tutti_tuning_close(tutti_tuning *tuning)
{
  if (!tuning)
    return;
  tutti_tuning_close(tuning->untuned);
  if (tuning->rules)
    tuning->file.version.library->free_rules(tuning->rules);
  free(tuning->rules);
  free(tuning->text);
  free(tuning->path);
  free(tuning->fault);
  free(tuning);
}

/* ---- parts of methods ---- */

/* The sizes of a part with the same answer as sizes of the whole call. */
static void narrow_to_part(struct explaining *explaining, const tutti_explanation *part, uint64_t factor)
{
  tutti_explain_at_least(explaining, part->min / factor + (part->min % factor != 0));
  if (part->max != UINT64_MAX)
    tutti_explain_at_most(explaining, part->max / factor);
}

bool tutti_explain_part(struct explaining *explaining, const tutti_explained_call *call, uint64_t factor, int index,
                        tutti_method *method, tutti_error *error)
{
  tutti_explained_call asked = *call;
  tutti_explanation answer = {.max = UINT64_MAX};
  struct explaining part = {.tuning = explaining->tuning, .call = &asked, .answer = &answer, .silent = true};
  char name[TUTTI_METHOD_LENGTH];
  asked.type_bytes = tutti_explain_type_bytes(call);
  asked.rank_bytes = call->rank_bytes > UINT64_MAX / factor ? UINT64_MAX : call->rank_bytes * factor;
  bool known = explaining->tuning->file.version.library->explain(&part, error) == TUTTI_OK && answer.known;
  if (!known || answer.fails)
    return false;
  narrow_to_part(explaining, &answer, factor);
  library_set_part(method, index, &answer.method);
  tutti_explain_step(explaining, NO_PLACE, "its %s, of %" PRIu64 " byte%s on %d rank%s, is a call like any other: %s%s",
                     method->algorithm->parts[index].name, asked.rank_bytes, tutti_plural(asked.rank_bytes),
                     asked.ranks, tutti_plural((uint64_t)asked.ranks), tutti_method_format(&answer.method, name),
                     answer.own_choice ? ", the library's own choice" : "");
  return true;
}

bool tutti_tuning_runs(const tutti_tuning *tuning, const tutti_explained_call *call, const tutti_method *method)
{
  tutti_explanation answer = {.max = UINT64_MAX};
  struct explaining explaining = {.tuning = tuning, .call = call, .answer = &answer, .silent = true};
  tutti_method run = *method;
  return tuning->file.version.library->pick_parts(&explaining, &run, NULL) && tutti_method_compare(&run, method) == 0;
}

/* Whether the library runs the method when a file selects only that; for a method made of others, with the parts that
   the library picks. */
static bool runs(const tutti_target *target, const tutti_method *method, const tutti_question *question)
{
  const tutti_explained_call call = tutti_explained_call_of(question);
  tutti_tuning *tuning;
  bool ours = method->implementation == TUTTI_IMPLEMENTATION_TUTTI;
  if (!tutti_target_supports(target, method, question->ranks))
    return false;
  if (!ours || !method->algorithm->parts[0].name || !tutti_library_version_of_target(target).library->pick_parts)
    return true;
  if (tutti_tuning_of_parts(target, NULL, 0, &tuning, NULL) != TUTTI_OK)
    return false;
  bool same = tutti_tuning_runs(tuning, &call, method);
  tutti_tuning_close(tuning);
  return same;
}

void tutti_target_forget_parts(const tutti_target *target, tutti_decision_map *map)
{
  for (int i = 0; i < map->ranks_count; i++)
    for (int j = 0; j < map->size_count; j++)
      for (int m = 0; m < map->method_count; m++) {
        const tutti_question question = tutti_decision_map_question(map, i, j);
        if (map->methods[m].algorithm->parts[0].name && !runs(target, &map->methods[m], &question))
          map->times[tutti_decision_map_cell(map, i, j, m)] = NAN;
      }
  tutti_decision_map_choose(map, map->candidates);
}

/* ---- the answer ---- */

tutti_status tutti_tuning_of_method(const tutti_target *target, const tutti_method *method, tutti_tuning **tuning,
                                    tutti_error *error)
{
  tutti_method methods[] = {*method};
  tutti_step step = {0, 0};
  tutti_step_row row = {.ranks = 2, .count = 1, .steps = &step};
  const tutti_export_part part = {.table = {.collective = method->algorithm->collective,
                                            .row_count = 1,
                                            .rows = &row,
                                            .method_count = 1,
                                            .methods = methods}};
  return tutti_tuning_of_parts(target, &part, 1, tuning, error);
}

tutti_status tutti_explain_constant(const tutti_target *target, const tutti_method *method,
                                    const tutti_question *question, tutti_explanation *explanation, tutti_error *error)
{
  const tutti_explained_call call = tutti_explained_call_of(question);
  tutti_tuning *tuning;
  *explanation = (tutti_explanation){.max = UINT64_MAX};
  tutti_status status = tutti_tuning_of_method(target, method, &tuning, error);
  if (status == TUTTI_OK && tuning) {
    status = tutti_explain(tuning, &call, explanation, error);
    tutti_tuning_close(tuning);
  }
  return status;
}

/* A rule may equal the library's own choice. */
static tutti_status step_own_choice(struct explaining *explaining, tutti_error *error)
{
  const tutti_tuning *untuned = explaining->tuning->untuned;
  tutti_explanation own;
  if (!untuned)
    return TUTTI_OK;
  tutti_status status = tutti_explain_answer(untuned, explaining->call, &own, error);
  if (status == TUTTI_OK && tutti_untuned_same(&own, explaining->answer, explaining->call->rank_bytes))
    tutti_explain_step(explaining, NO_PLACE, "this is the library's own choice: it runs the same without the file");
  return status;
}

static tutti_status answer(struct explaining *explaining, tutti_error *error)
{
  const tutti_explained_call *call = explaining->call;
  *explaining->answer = (tutti_explanation){.max = UINT64_MAX};
  if (call->ranks < 1)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%d ranks", call->ranks);
  tutti_status status = explaining->tuning->file.version.library->explain(explaining, error);
  if (status == TUTTI_OK && !explaining->silent && !explaining->answer->own_choice && !explaining->unlike)
    status = step_own_choice(explaining, error);
  if (status != TUTTI_OK)
    tutti_explanation_free(explaining->answer);
  return status;
}

tutti_status tutti_explain(const tutti_tuning *tuning, const tutti_explained_call *call, tutti_explanation *explanation,
                           tutti_error *error)
{
  return answer(&(struct explaining){.tuning = tuning, .call = call, .answer = explanation}, error);
}

tutti_status tutti_explain_answer(const tutti_tuning *tuning, const tutti_explained_call *call,
                                  tutti_explanation *explanation, tutti_error *error)
{
  return answer(&(struct explaining){.tuning = tuning, .call = call, .answer = explanation, .silent = true}, error);
}

static bool same(const tutti_explanation *left, const tutti_explanation *right)
{
  return strcmp(left->algorithm, right->algorithm) == 0 && left->fails == right->fails && left->known == right->known &&
         (!left->known || tutti_method_compare(&left->method, &right->method) == 0);
}

enum { MAX_SKIPS = 1000 };

/* From one range of sizes to the next until the answer is another, at *bytes, which is next to a size with the same
   one. The range that the other answer knows for itself may reach over the call: parts of methods are asked about one
   by one. */
static tutti_status walk(const tutti_tuning *tuning, const tutti_explained_call *call, bool larger,
                         const tutti_explanation *here, bool *found, uint64_t *bytes, tutti_explanation *other,
                         tutti_error *error)
{
  tutti_explained_call next = *call;
  uint64_t end = larger ? here->max : here->min;
  next.type_bytes = tutti_explain_type_bytes(call);
  for (int i = 0; i < MAX_SKIPS && end != (larger ? UINT64_MAX : 0); i++) {
    *bytes = next.rank_bytes = larger ? end + 1 : end - 1;
    tutti_status status = tutti_explain_answer(tuning, &next, other, error);
    if (status != TUTTI_OK)
      return status;
    end = larger ? other->max : other->min;
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
  tutti_status status = tutti_explain_answer(tuning, call, &here, error);
  if (status != TUTTI_OK)
    return status;
  uint64_t end = 0;
  status = walk(tuning, call, larger, &here, found, &end, other, error);
  if (*found)
    *bytes = end;
  tutti_explanation_free(&here);
  return status;
}

tutti_status tutti_explain_ranks(const tutti_tuning *tuning, const tutti_explained_call *call, int max, bool *found,
                                 int *ranks, tutti_explanation *other, tutti_error *error)
{
  tutti_explanation here;
  tutti_explained_call next = *call;
  *found = false;
  *other = (tutti_explanation){0};
  tutti_status status = tutti_explain_answer(tuning, call, &here, error);
  while (status == TUTTI_OK && !*found && next.ranks < max) {
    next.ranks++;
    status = tutti_explain_answer(tuning, &next, other, error);
    *found = status == TUTTI_OK && !same(&here, other);
  }
  *ranks = next.ranks;
  return status;
}

/* ---- as a decision function ---- */

static bool decide(const tutti_decision *decision, const tutti_question *question, tutti_method *method)
{
  const tutti_explained_call call = tutti_explained_call_of(question);
  tutti_explanation explanation = {0};
  tutti_error error;
  bool answered = tutti_explain_answer(decision->data, &call, &explanation, &error) == TUTTI_OK && !explanation.fails;
  bool native = answered && decision->own_choice_is_native && explanation.own_choice;
  tutti_explanation_select(&explanation, question->collective);
  answered = native || (answered && explanation.known);
  if (native)
    *method = tutti_method_default(tutti_algorithm_find(question->collective, "native"));
  else if (answered)
    *method = explanation.method;
  return answered;
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
  if (version->library == &tutti_library_tutti)
    return tutti_decision_read(path, decision, error);
  tutti_status status = tutti_tuning_open(path, version, &tuning, error);
  if (status != TUTTI_OK)
    return status;
  *decision = tutti_tuning_decision(tuning, path);
  decision->free_data = free_data;
  return TUTTI_OK;
}

tutti_decision tutti_tuning_decision(tutti_tuning *tuning, const char *name)
{
  return (tutti_decision){.name = tutti_xstrdup(name),
                          .collective = TUTTI_COLL_COUNT,
                          .decide = decide,
                          .data = tuning,
                          .implementation = tutti_library_implementation(tuning->file.version.library)};
}
