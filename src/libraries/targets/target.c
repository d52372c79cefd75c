/* The targets. */
#include <string.h>

#include "libraries/targets/targets.h"

static const tutti_target *const targets[] = {
    &tutti_target_c,        &tutti_target_openmpi_41, &tutti_target_openmpi_5, &tutti_target_openmpi_6,
    &tutti_target_mpich_40, &tutti_target_mpich_41,   &tutti_target_smpi,      &tutti_target_tutti,
};

const tutti_target *tutti_target_at(size_t index)
{
  return index < sizeof targets / sizeof *targets ? targets[index] : NULL;
}

/* The versions of Debian 12. */
static const char *version_of(const char *name)
{
  if (strcmp(name, "openmpi") == 0)
    return tutti_target_openmpi_41.name;
  return strcmp(name, "mpich") == 0 ? tutti_target_mpich_40.name : name;
}

tutti_status tutti_target_find(const char *name, const tutti_target **target, tutti_error *error)
{
  char known[200] = "";
  for (size_t i = 0; (*target = tutti_target_at(i)); i++) {
    if (strcmp((*target)->name, version_of(name)) == 0)
      return TUTTI_OK;
    strcat(strcat(known, i ? ", " : ""), (*target)->name); /* a dozen short names of ours */
  }
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "nothing is written for '%.80s', only for openmpi, mpich, %s", name,
                    known);
}

char *tutti_target_known(const tutti_target *target, tutti_collective collective, int ranks, char *text, size_t size)
{
  const tutti_algorithm *algorithm;
  size_t length = 0;
  *text = '\0';
  for (size_t i = 0; (algorithm = tutti_algorithm_at(i)); i++) {
    tutti_method method = tutti_method_default(algorithm);
    if (algorithm->collective != collective || !target->knows(&method, ranks))
      continue;
    int more = snprintf(text + length, size - length, "%s%s", length ? ", " : "", algorithm->name);
    length = more < (int)(size - length) ? length + (size_t)more : size - 1;
  }
  return text;
}
