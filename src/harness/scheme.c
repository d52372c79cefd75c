/* Names of measuring schemes. */
#include <string.h>

#include "tutti/experiment.h"

static const char *const names[TUTTI_SCHEME_COUNT] = {
    [TUTTI_SCHEME_OCC] = "occ",
    [TUTTI_SCHEME_WINDOW] = "window",
};

const char *tutti_scheme_name(tutti_scheme scheme)
{
  return (unsigned)scheme < TUTTI_SCHEME_COUNT ? names[scheme] : NULL;
}

tutti_status tutti_scheme_parse(const char *name, tutti_scheme *scheme, tutti_error *error)
{
  for (int i = 0; i < TUTTI_SCHEME_COUNT; i++)
    if (strcmp(names[i], name) == 0) {
      *scheme = (tutti_scheme)i;
      return TUTTI_OK;
    }
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "unknown measuring scheme '%s': known are occ, window", name);
}
