/* Names of measuring schemes. */
#include <string.h>

#include "tutti/measurement.h"

static const char *const names[TUTTI_SCHEME_COUNT] = {
    [TUTTI_SCHEME_OCC] = "occ", [TUTTI_SCHEME_WINDOW] = "window", [TUTTI_SCHEME_OSU] = "osu",
    [TUTTI_SCHEME_IMB] = "imb", [TUTTI_SCHEME_REPRO] = "repro",
};

const char *tutti_scheme_name(tutti_scheme scheme)
{
  return (unsigned)scheme < TUTTI_SCHEME_COUNT ? names[scheme] : NULL;
}

static bool find(const char *name, int count, tutti_scheme *scheme)
{
  for (int i = 0; i < count; i++)
    if (strcmp(names[i], name) == 0) {
      *scheme = (tutti_scheme)i;
      return true;
    }
  return false;
}

tutti_status tutti_scheme_parse(const char *name, tutti_scheme *scheme, tutti_error *error)
{
  if (find(name, TUTTI_SCHEME_COUNT, scheme))
    return TUTTI_OK;
  return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                    "unknown measuring scheme '%s': known are occ, window, and of imports osu, imb, repro", name);
}

tutti_status tutti_scheme_parse_ours(const char *name, tutti_scheme *scheme, tutti_error *error)
{
  if (find(name, TUTTI_SCHEME_OURS, scheme))
    return TUTTI_OK;
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "unknown measuring scheme '%s': known are occ, window", name);
}
