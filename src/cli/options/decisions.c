/* Decisions on the command line: a method, what a library itself chooses, or a file. */
#include <unistd.h>

#include "base/input.h"
#include "cli/options/common.h"
#include "tutti/decision_tree.h"
#include "tutti/tuning.h"

static tutti_status read_method(const char *name, tutti_collective collective, tutti_decision *decision,
                                tutti_error *error)
{
  tutti_method method;
  tutti_status status = tutti_method_parse(name, &method, error);
  if (status != TUTTI_OK)
    return status;
  if (collective != TUTTI_COLL_COUNT && collective != method.algorithm->collective)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "the method %s is not one of the collective %s", name,
                      tutti_collective_name(collective));
  *decision = tutti_decision_single(&method);
  return TUTTI_OK;
}

/* @p beside: files for another reader than the main one, too, if export writes such. */
static tutti_status guess(const char *path, bool beside, tutti_library_version *version, tutti_error *error)
{
  char *text;
  size_t length;
  const tutti_tuning_kind *kind;
  tutti_status status = tutti_input_read(path, TUTTI_INPUT_TEXT, &text, &length, error);
  if (status == TUTTI_OK)
    status = tutti_tuning_identify(path, text, length, NULL, &kind, version, error);
  if (status == TUTTI_OK && kind && kind->use && !(beside && tutti_target_of_kind(kind->name)))
    status = tutti_fail(error, TUTTI_ERR_ARGUMENT, TUTTI_TUNING_BESIDE, path, kind->what);
  free(text);
  return status;
}

tutti_status tuning_file_guess(const char *path, tutti_library_version *version, tutti_error *error)
{
  return guess(path, false, version, error);
}

static void read_steps(const char *path, bool beside, tutti_collective collective, tutti_step_table *table)
{
  tutti_library_version version;
  tutti_tuning *tuning = NULL;
  must(guess(path, beside, &version, &failure));
  must(tutti_tuning_open(path, &version, &tuning, &failure));
  must(tutti_tuning_steps(tuning, collective, 0, table, &failure));
  tutti_tuning_close(tuning);
}

void tuning_file_steps(const char *path, tutti_collective collective, tutti_step_table *table)
{
  read_steps(path, false, collective, table);
}

bool tuning_file_decides(const char *path, tutti_collective collective)
{
  tutti_step_table table = {.row_count = 0};
  read_steps(path, true, collective, &table);
  const bool decides = tutti_step_table_answers(&table);
  tutti_step_table_free(&table);
  return decides;
}

/* A decision of ours, or a tuning file of a library, by what the text looks like. */
static tutti_status read_any(const char *path, tutti_decision *decision, tutti_error *error)
{
  tutti_library_version version;
  tutti_status status = guess(path, true, &version, error);
  return status == TUTTI_OK ? tutti_decision_tuning(path, &version, decision, error) : status;
}

static tutti_status read_decision_file(const char *name, tutti_collective collective, tutti_decision *decision,
                                       tutti_error *error)
{
  tutti_status status = read_any(name, decision, error);
  if (status == TUTTI_OK && collective != TUTTI_COLL_COUNT)
    decision->collective = collective;
  return status;
}

/* ---- the library's own choice: what it is known to do, or COLLECTIVE/native, what it did ---- */

/* "native", "native/selector=ompi" */
static bool names_native(const char *name)
{
  return strcmp(name, "native") == 0 || strncmp(name, "native/", strlen("native/")) == 0;
}

bool decision_is_own_choice(const char *name)
{
  return strcmp(name, "untuned") == 0 || names_native(name);
}

static tutti_status read_own_choice(const char *name, tutti_collective collective, tutti_decision *decision,
                                    tutti_error *error)
{
  char text[TUTTI_METHOD_LENGTH];
  if (collective == TUTTI_COLL_COUNT)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s decides for any collective: say which with --collective", name);
  if (tutti_library_named(name))
    return tutti_decision_library(name, collective, decision, error);
  snprintf(text, sizeof text, "%s/%s", tutti_collective_name(collective), name);
  return read_method(text, collective, decision, error);
}

/* "bine", "binomial/8KB": a method but for its collective. */
static bool is_algorithm(const char *name)
{
  const size_t length = strcspn(name, "/");
  const tutti_algorithm *algorithm;
  for (size_t i = 0; (algorithm = tutti_algorithm_at(i)); i++)
    if (strncmp(algorithm->name, name, length) == 0 && !algorithm->name[length])
      return true;
  return false;
}

/* A word that is no file: the library or the collective that has the name; an algorithm of the collective is read. */
static tutti_status read_word(const char *name, tutti_collective collective, tutti_decision *decision,
                              tutti_error *error)
{
  tutti_decision library = {0};
  tutti_collective named;
  const bool any = collective == TUTTI_COLL_COUNT;
  char *whole = tutti_xprintf("library:%s", name),
       *method = tutti_xprintf("%s/%s", any ? "" : tutti_collective_name(collective), name),
       *algorithm = tutti_xprintf("%.*s", (int)strcspn(name, "/"), name);
  tutti_status status = TUTTI_ERR_ARGUMENT;
  if (tutti_decision_library(whole, TUTTI_COLL_BCAST, &library, NULL) == TUTTI_OK)
    tutti_fail(error, status, "%.80s: no such file (did you mean '%.80s'?)", name, whole);
  else if (tutti_collective_parse(name, &named, NULL) == TUTTI_OK)
    tutti_fail(error, status, "'%s' is a collective: say a method (%s/ALGORITHM), library:NAME or a file", name, name);
  else if (!any && is_algorithm(name))
    status = read_method(method, collective, decision, error);
  else if (is_algorithm(name))
    status = tutti_method_parse(algorithm, &(tutti_method){0}, error);
  else if (strcmp(name, "-") == 0)
    status = read_decision_file(name, collective, decision, error);
  else
    tutti_fail(error, status,
               "%.80s: No such file or directory; a method is written COLLECTIVE/ALGORITHM, such as bcast/binomial",
               name);
  tutti_decision_free(&library);
  free(whole);
  free(method);
  free(algorithm);
  return status;
}

tutti_status decision_argument_read(const char *name, tutti_collective collective, tutti_decision *decision,
                                    tutti_error *error)
{
  if (tutti_library_named(name) || decision_is_own_choice(name))
    return read_own_choice(name, collective, decision, error);
  tutti_collective named; /* anything else is a file ("./bcast/rules" is one too) */
  if (access(name, F_OK) != 0 &&
      (!strchr(name, '/') || (is_algorithm(name) && !tutti_method_names_collective(name, &named))))
    return read_word(name, collective, decision, error);
  return tutti_method_names_collective(name, &named) ? read_method(name, collective, decision, error)
                                                     : read_decision_file(name, collective, decision, error);
}

/* ---- for one collective of several ---- */

tutti_status decision_argument_read_for(const char *name, tutti_collective collective, tutti_decision *decision,
                                        bool *decides, tutti_error *error)
{
  tutti_status status;
  *decides = true;
  if (!tutti_library_named(name))
    return decision_argument_read(name, decision_is_own_choice(name) ? collective : TUTTI_COLL_COUNT, decision, error);
  status = tutti_decision_library(name, collective, decision, error);
  if (status != TUTTI_ERR_ARGUMENT)
    return status;
  /* Does the library not exist, or only not know the collective? All know the broadcast. */
  status = tutti_decision_library(name, TUTTI_COLL_BCAST, decision, error);
  if (status == TUTTI_OK)
    tutti_decision_free(decision);
  *decides = false;
  return status;
}
