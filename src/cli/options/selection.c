/* Which measurements: the options. */
#include "cli/options/selection.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static void begin(void *values)
{
  struct selection_options *selected = values;
  selected->selection.scheme = -1;
  selected->root = -1;
}

/* A platform is stored under its name; a path of its file is understood too. */
static tutti_status read_platform(void *values, const char *text, tutti_error *error)
{
  struct selection_options *selected = values;
  selected->platform_argument = text;
  size_t length = strlen(text);
  if (length > 4 && strcmp(text + length - 4, ".xml") == 0) {
    const char *slash = strrchr(text, '/');
    length -= 4 + (slash ? (size_t)(slash + 1 - text) : 0);
    text = slash ? slash + 1 : text;
  }
  if (length == 0 || length >= sizeof selected->platform)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "the name '%s' is empty or too long", text);
  memcpy(selected->platform, text, length);
  selected->platform[length] = '\0';
  return TUTTI_OK;
}

static tutti_status read_scheme(void *member, const char *text, tutti_error *error)
{
  tutti_scheme scheme;
  tutti_status status = tutti_scheme_parse(text, &scheme, error);
  if (status == TUTTI_OK)
    *(int *)member = (int)scheme;
  return status;
}

static tutti_status check(void *values, tutti_error *error)
{
  const struct selection_options *selected = values;
  if (*selected->platform || selected->optional)
    return TUTTI_OK;
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "--platform NAME is missing");
}

const struct option_row selection_table[] = {
    OPTION_BEGIN(begin),
    OPTION_PARSE_ALL("platform", "NAME", read_platform, "platform that was measured"),
    OPTION_PARSE("scheme", "occ|window|osu|imb|repro", struct selection_options, selection.scheme, read_scheme,
                 "scheme of measurement, if there are several"),
    OPTION_STRING("db", "FILE", struct selection_options, database, "store of measurements", .initial = "results.db",
                  OPTION_GIVEN(struct selection_options, database_given)),
    OPTION_STRING("platform-hash", "HASH", struct selection_options, selection.platform_hash,
                  "SHA-256 of the platform file, or its beginning"),
    OPTION_STRING("flavor", "smpi|mpich|openmpi", struct selection_options, selection.flavor, "kind of MPI library"),
    OPTION_STRING("library", "NAME", struct selection_options, selection.library, "MPI library and its version"),
    OPTION_STRING("tutti-version", "VERSION", struct selection_options, selection.tutti,
                  "version of Tutti that measured"),
    OPTION_NUMBER("ranks-per-node", "N", struct selection_options, selection.ranks_per_node,
                  "ranks on a node, if there are several numbers", .min = 1),
    OPTION_FLAG("native", struct selection_options, natives,
                "native methods, what the MPI library does by itself, can be best, too"),
    OPTION_STRING("points", "EXPERIMENT.xml", struct selection_options, points,
                  "only the points and methods that this experiment asks for, by its scheme"),
    OPTION_NUMBER("root", "RANK", struct selection_options, root, "root of the operation, if there are several"),
    OPTION_TABLE(struct selection_options, patterns, selection_patterns_table),
    OPTION_CHECK(check),
    OPTION_END};
