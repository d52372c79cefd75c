/* A decision named on the command line: a method or a file. */
#include "cli/decision_argument.h"

#include <string.h>

#include "tutti/decision_tree.h"

bool decision_argument_names_method(const char *name)
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

tutti_status decision_argument_read(const char *name, tutti_decision *decision, tutti_error *error)
{
  tutti_method method;
  if (!decision_argument_names_method(name))
    return tutti_decision_read(name, decision, error);
  tutti_status status = tutti_method_parse(name, &method, error);
  return status == TUTTI_OK ? tutti_decision_single(&method, decision, error) : status;
}
