/* Which measurements: the options. */
#include "cli/options/selection.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum {
  KEY_PLATFORM = 0x100,
  KEY_SCHEME,
  KEY_DATABASE,
  KEY_HASH,
  KEY_FLAVOR,
  KEY_LIBRARY,
  KEY_TUTTI,
  KEY_RANKS_PER_NODE,
  KEY_ROOT,
  KEY_NATIVE,
  KEY_POINTS,
};

static const struct argp_option options[] = {
    {"platform", KEY_PLATFORM, "NAME", 0, "platform that was measured", 0},
    {"scheme", KEY_SCHEME, "occ|window|osu|imb|repro", 0, "scheme of measurement, if there are several", 0},
    {"db", KEY_DATABASE, "FILE", 0, "store of measurements (default: results.db)", 0},
    {"platform-hash", KEY_HASH, "HASH", 0, "SHA-256 of the platform file, or its beginning", 0},
    {"flavor", KEY_FLAVOR, "smpi|mpich|openmpi", 0, "kind of MPI library", 0},
    {"library", KEY_LIBRARY, "NAME", 0, "MPI library and its version", 0},
    {"tutti-version", KEY_TUTTI, "VERSION", 0, "version of Tutti that measured", 0},
    {"ranks-per-node", KEY_RANKS_PER_NODE, "N", 0, "ranks on a node, if there are several numbers", 0},
    {"native", KEY_NATIVE, 0, 0, "native methods, what the MPI library does by itself, can be best, too", 0},
    {"points", KEY_POINTS, "EXPERIMENT.xml", 0,
     "only the points and methods that this experiment asks for, by its scheme", 0},
    {"root", KEY_ROOT, "RANK", 0, "root of the operation, if there are several", 0},
    {0},
};

struct selection_options selection_defaults(void)
{
  return (struct selection_options){.database = "results.db", .selection = {.scheme = -1}, .root = -1};
}

static int parse_number(struct argp_state *state, const char *option, const char *text, int least)
{
  char *end;
  long number = strtol(text, &end, 10);
  if (end == text || *end || number < least || number > INT_MAX)
    argp_error(state, "--%s: '%s' is not a whole number of at least %d", option, text, least);
  return (int)number;
}

/* A platform is stored under its name; a path of its file is understood too. */
static void take_platform(struct argp_state *state, struct selection_options *selected, const char *text)
{
  selected->platform_argument = text;
  size_t length = strlen(text);
  if (length > 4 && strcmp(text + length - 4, ".xml") == 0) {
    const char *slash = strrchr(text, '/');
    length -= 4 + (slash ? (size_t)(slash + 1 - text) : 0);
    text = slash ? slash + 1 : text;
  }
  if (length == 0 || length >= sizeof selected->platform)
    argp_error(state, "--platform: the name '%s' is empty or too long", text);
  memcpy(selected->platform, text, length);
  selected->platform[length] = '\0';
}

static void take_scheme(struct argp_state *state, struct selection_options *selected, const char *text)
{
  tutti_error error;
  tutti_scheme scheme;
  if (tutti_scheme_parse(text, &scheme, &error) != TUTTI_OK)
    argp_error(state, "--scheme: %s", error.message);
  else
    selected->selection.scheme = (int)scheme;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
  struct selection_options *selected = state->input;
  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = &selected->patterns;
    break;
  case KEY_PLATFORM:
    take_platform(state, selected, text);
    break;
  case KEY_SCHEME:
    take_scheme(state, selected, text);
    break;
  case KEY_DATABASE:
    selected->database = text;
    selected->database_given = true;
    break;
  case KEY_HASH:
    selected->selection.platform_hash = text;
    break;
  case KEY_FLAVOR:
    selected->selection.flavor = text;
    break;
  case KEY_LIBRARY:
    selected->selection.library = text;
    break;
  case KEY_TUTTI:
    selected->selection.tutti = text;
    break;
  case KEY_RANKS_PER_NODE:
    selected->selection.ranks_per_node = parse_number(state, "ranks-per-node", text, 1);
    break;
  case KEY_ROOT:
    selected->root = parse_number(state, "root", text, 0);
    break;
  case KEY_POINTS:
    selected->points = text;
    break;
  case KEY_NATIVE:
    selected->natives = true;
    break;
  case ARGP_KEY_END:
    if (!*selected->platform && !selected->optional)
      argp_error(state, "--platform NAME is missing");
    break;
  default:
    return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

static const struct argp_child children[] = {{&selection_patterns_argp, 0, NULL, 0}, {0}};

const struct argp selection_argp = {.options = options, .parser = parse, .children = children};

/* ---- by table ---- */

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
