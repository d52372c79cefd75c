/* The library's own choice without a file, and its method in our catalogue. */
#include "decision/libraries/libraries.h"

#include <string.h>

/* Whether the choice of this version without a file is known. */
static bool is_own_choice_known(const tutti_library_version *version)
{
  const int until = version->library->own_choice_until;
  return until != 0 && tutti_library_between(version, 0, until);
}

tutti_status tutti_untuned_open(const tutti_library_version *version, tutti_tuning **untuned, tutti_error *error)
{
  *untuned = NULL;
  if (!is_own_choice_known(version))
    return TUTTI_OK;
  return tutti_tuning_of_parts(tutti_target_of_version(version), NULL, 0, untuned, error);
}

/* NAME=VALUE names a file to read, or an algorithm. */
static bool is_told(const tutti_library *library, const char *name, const char *equals)
{
  static const char *const endings[] = {"_algorithm", "_ALGORITHM"};
  static const char *const none[] = {"", "0", "auto", "ignore"};
  const size_t length = (size_t)(equals - name), value = strcspn(equals + 1, " ");
  for (int i = 0; i < 4; i++)
    if (strlen(none[i]) == value && strncmp(none[i], equals + 1, value) == 0)
      return false;
  for (const struct library_variable *variable = library->variables; variable && variable->name; variable++)
    if ((!variable->tuned || !*variable->tuned) && strlen(variable->name) == length &&
        strncmp(variable->name, name, length) == 0)
      return true;
  for (int i = 0; i < 2; i++)
    if (length > strlen(endings[i]) && strncmp(equals - strlen(endings[i]), endings[i], strlen(endings[i])) == 0)
      return true;
  return false;
}

bool tutti_untuned_under(const tutti_library *library, const char *settings)
{
  for (const char *word = settings; *word;) {
    const size_t length = strcspn(word, " ");
    const char *equals = memchr(word, '=', length);
    if (equals && is_told(library, word, equals))
      return false;
    word += length + (word[length] == ' ');
  }
  return true;
}

/* A segment as large as the message has no effect. */
static tutti_method without_idle_segment(const tutti_method *method, uint64_t bytes)
{
  tutti_method plain = *method;
  tutti_collective collective = method->algorithm->collective;
  if ((collective == TUTTI_COLL_BCAST || collective == TUTTI_COLL_REDUCE) && plain.parameters.segment_bytes >= bytes)
    plain.parameters.segment_bytes = 0;
  return plain;
}

bool tutti_untuned_same(const tutti_explanation *left, const tutti_explanation *right, uint64_t bytes)
{
  if (left->fails || right->fails || left->known != right->known)
    return false;
  if (!left->known)
    return strcmp(left->algorithm, right->algorithm) == 0;
  const tutti_method a = without_idle_segment(&left->method, bytes), b = without_idle_segment(&right->method, bytes);
  return tutti_method_compare(&a, &b) == 0;
}

/* ---- under two files ---- */

tutti_status tutti_tuning_pair_open(const tutti_library_version *version, const char *const paths[2],
                                    struct tuning_pair *pair, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  *pair = (struct tuning_pair){.known = is_own_choice_known(version)};
  for (int side = 0; side < 2 && status == TUTTI_OK; side++)
    status = paths[side] ? tutti_tuning_open(paths[side], version, &pair->sides[side], error)
                         : tutti_untuned_open(version, &pair->sides[side], error);
  return status;
}

void tutti_tuning_pair_close(struct tuning_pair *pair)
{
  tutti_tuning_close(pair->sides[0]);
  tutti_tuning_close(pair->sides[1]);
}

bool tutti_tuning_pair_same(const struct tuning_pair *pair, const tutti_explained_call *call)
{
  tutti_explanation answers[2] = {{.own_choice = true}, {.own_choice = true}};
  for (int side = 0; side < 2; side++)
    if (pair->sides[side] && tutti_explain_answer(pair->sides[side], call, &answers[side], NULL) != TUTTI_OK)
      return false;
  if (answers[0].own_choice || answers[1].own_choice) /* the unknown name of an own choice means nothing */
    if (!pair->known || (answers[0].own_choice && answers[1].own_choice))
      return answers[0].own_choice && answers[1].own_choice;
  return tutti_untuned_same(&answers[0], &answers[1], call->rank_bytes);
}

/* ---- in a map ---- */

struct marking {
  tutti_decision_map *map;
  const tutti_target *target;
  tutti_tuning *untuned, *told; /* told: the current method; NULL: not yet */
  int method;
  tutti_error *error;
};

/* The library runs the method under other names, too: told to run it, it may run the same as untold. */
static tutti_status mark_told(struct marking *marking, const tutti_explained_call *call, const tutti_explanation *own,
                              int i, int j)
{
  const tutti_method ours = tutti_method_as(&marking->map->methods[marking->method], TUTTI_IMPLEMENTATION_TUTTI);
  tutti_explanation told;
  tutti_status status =
      marking->told ? TUTTI_OK : tutti_tuning_of_method(marking->target, &ours, &marking->told, marking->error);
  if (status == TUTTI_OK)
    status = tutti_explain_answer(marking->told, call, &told, marking->error);
  if (status == TUTTI_OK && tutti_untuned_same(own, &told, call->rank_bytes))
    tutti_decision_map_mark_own_choice(marking->map, i, j, marking->method);
  return status;
}

static tutti_status mark_point(struct marking *marking, int i, int j)
{
  const tutti_question question = tutti_decision_map_question(marking->map, i, j);
  const tutti_explained_call call = tutti_explained_call_of(&question);
  const tutti_method *method = &marking->map->methods[marking->method];
  tutti_explanation own;
  if (!tutti_target_supports(marking->target, method, question.ranks))
    return TUTTI_OK;
  tutti_status status = tutti_explain_answer(marking->untuned, &call, &own, marking->error);
  bool possible = status == TUTTI_OK && own.known && own.method.algorithm == method->algorithm;
  return possible ? mark_told(marking, &call, &own, i, j) : status;
}

static tutti_status mark_method(struct marking *marking)
{
  const tutti_decision_map *map = marking->map;
  tutti_status status = TUTTI_OK;
  for (int i = 0; i < map->ranks_count; i++)
    for (int j = 0; j < map->size_count && status == TUTTI_OK; j++)
      status = mark_point(marking, i, j);
  tutti_tuning_close(marking->told);
  marking->told = NULL;
  return status;
}

static void mark_native(tutti_decision_map *map)
{
  const int native = tutti_decision_map_native(map);
  for (int i = 0; i < map->ranks_count && native >= 0; i++)
    for (int j = 0; j < map->size_count; j++)
      tutti_decision_map_mark_own_choice(map, i, j, native);
}

tutti_status tutti_untuned_mark(const tutti_library_version *version, tutti_decision_map *map, tutti_error *error)
{
  const tutti_implementation library = tutti_library_implementation(version->library);
  struct marking marking = {.map = map, .target = tutti_target_of_version(version), .error = error};
  tutti_status status = tutti_untuned_open(version, &marking.untuned, error);
  mark_native(map);
  for (int m = 0; m < map->method_count && marking.untuned && status == TUTTI_OK; m++) {
    marking.method = m;
    if (map->methods[m].implementation == library && !tutti_method_is_native(&map->methods[m]))
      status = mark_method(&marking);
  }
  tutti_tuning_close(marking.untuned);
  tutti_decision_map_choose(map, map->candidates);
  return status;
}
