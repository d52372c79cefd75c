/* The libraries by name, as decision functions. */
#include <stdlib.h>
#include <string.h>

#include "libraries/library/library.h"

static const struct library {
  const char *name;
  library_pick pick;
} libraries[] = {
    {"library:openmpi-4.1", tutti_library_openmpi_4_1},
    {"library:openmpi-1.x", tutti_library_openmpi_1_x},
    {"library:mpich-4.0", tutti_library_mpich_4_0},
    {"library:mpich2-1.0", tutti_library_mpich2_1_0},
};

enum { LIBRARIES = sizeof libraries / sizeof *libraries };

const char *tutti_library_name(size_t index)
{
  return index < LIBRARIES ? libraries[index].name : NULL;
}

bool tutti_library_named(const char *name)
{
  return strncmp(name, "library:", strlen("library:")) == 0;
}

static bool decide(const tutti_decision *decision, const tutti_question *question, tutti_method *method)
{
  const struct library *library = decision->data;
  return question->ranks >= 1 && library->pick(question, method);
}

static const struct library *find(const char *name, tutti_error *error)
{
  char known[200] = "";
  for (int i = 0; i < LIBRARIES; i++) {
    if (strcmp(libraries[i].name, name) == 0)
      return &libraries[i];
    strncat(known, i ? ", " : "", sizeof known - strlen(known) - 1);
    strncat(known, libraries[i].name, sizeof known - strlen(known) - 1);
  }
  tutti_fail(error, TUTTI_ERR_ARGUMENT, "unknown library '%.80s': known are %s", name, known);
  return NULL;
}

tutti_status tutti_decision_library(const char *name, tutti_collective collective, tutti_decision *decision,
                                    tutti_error *error)
{
  *decision = (tutti_decision){.name = NULL};
  const struct library *library = find(name, error);
  tutti_question question = {.collective = collective, .ranks = 4, .rank_bytes = 8};
  tutti_method method;
  if (!library)
    return TUTTI_ERR_ARGUMENT;
  if (!library->pick(&question, &method))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s has no rule for %s", name, tutti_collective_name(collective));
  *decision = (tutti_decision){
      .name = strdup(name), .collective = collective, .decide = decide, .data = (void *)(uintptr_t)library};
  return decision->name ? TUTTI_OK : tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for %s", name);
}
