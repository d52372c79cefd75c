/* A decision named on the command line: a method, a library's own choice, or a file. */
#include "cli/options/decision_argument.h"

#include <stdlib.h>
#include <string.h>

#include "tutti/decision_tree.h"
#include "tutti/library.h"
#include "tutti/tuning.h"

/* A name that begins with a collective is a method, anything else a file ("./bcast/rules" is one too). */
static bool names_method(const char *name)
{
  char collective[32];
  size_t length = strcspn(name, "/");
  tutti_collective parsed;
  if (name[length] != '/' || length >= sizeof collective)
    return false;
  memcpy(collective, name, length);
  collective[length] = '\0';
  return tutti_collective_parse(collective, &parsed, NULL) == TUTTI_OK;
}

static tutti_status read_method(const char *name, const char *collective, tutti_decision *decision, tutti_error *error)
{
  tutti_method method;
  tutti_status status = tutti_method_parse(name, &method, error);
  if (status != TUTTI_OK)
    return status;
  if (collective && strcmp(collective, tutti_collective_name(method.algorithm->collective)) != 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "the method %s is not one of the collective %s", name, collective);
  return tutti_decision_single(&method, decision, error);
}

/* A decision of ours, or a tuning file of a library, by what the text looks like. */
static tutti_status read_any(const char *path, tutti_decision *decision, tutti_error *error)
{
  char *text;
  size_t length;
  tutti_status status = tutti_tuning_load(path, &text, &length, error);
  if (status != TUTTI_OK)
    return status;
  tutti_library_version version = tutti_tuning_guess(text, length);
  free(text);
  return tutti_decision_tuning(path, &version, decision, error);
}

static tutti_status read_file(const char *name, const char *collective, tutti_decision *decision, tutti_error *error)
{
  tutti_status status = read_any(name, decision, error);
  if (status == TUTTI_OK && collective)
    status = tutti_collective_parse(collective, &decision->collective, error);
  return status;
}

static tutti_status read_library(const char *name, const char *collective, tutti_decision *decision, tutti_error *error)
{
  tutti_collective parsed;
  if (!collective)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s decides for any collective: say which with --collective", name);
  tutti_status status = tutti_collective_parse(collective, &parsed, error);
  return status == TUTTI_OK ? tutti_decision_library(name, parsed, decision, error) : status;
}

tutti_status decision_argument_read(const char *name, const char *collective, tutti_decision *decision,
                                    tutti_error *error)
{
  if (tutti_library_named(name))
    return read_library(name, collective, decision, error);
  return names_method(name) ? read_method(name, collective, decision, error)
                            : read_file(name, collective, decision, error);
}
