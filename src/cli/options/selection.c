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
