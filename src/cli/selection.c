/* Which measurements: from options to a decision map. */
#include "cli/selection.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cli/selection_points.h"

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

static size_t keep_root(tutti_measurement *measurements, size_t count, int root)
{
  size_t kept = 0;
  for (size_t i = 0; i < count; i++)
    if (root < 0 || measurements[i].root == root)
      measurements[kept++] = measurements[i];
  return kept;
}

static tutti_status read_rows(const struct selection_options *selected, const tutti_selection *selection,
                              tutti_measurement **measurements, size_t *count, tutti_error *error)
{
  tutti_store *store;
  tutti_status status = tutti_store_open_existing(selected->database, &store, error);
  if (status != TUTTI_OK)
    return status;
  status = tutti_store_read(store, selection, measurements, count, error);
  tutti_store_close(store);
  return status;
}

/* The platform file of the experiment as it is now; a real machine has none. */
static tutti_status take_hash(struct selection *chosen, tutti_error *error)
{
  tutti_platform platform;
  if (!chosen->experiment.platform_path || chosen->store.platform_hash)
    return TUTTI_OK;
  tutti_status status = tutti_platform_read(chosen->experiment.platform_path, &platform, error);
  if (status != TUTTI_OK)
    return status;
  memcpy(chosen->hash, platform.hash, sizeof chosen->hash);
  chosen->store.platform_hash = chosen->hash;
  tutti_platform_free(&platform);
  return TUTTI_OK;
}

tutti_status selection_open(const struct selection_options *selected, tutti_collective collective, int pair,
                            struct selection *chosen, tutti_error *error)
{
  *chosen = (struct selection){.store = selected->selection};
  chosen->store.platform = selected->platform;
  chosen->store.collective = collective;
  selection_patterns_pair(&selected->patterns, pair, &chosen->store);
  if (!selected->points)
    return TUTTI_OK;
  tutti_status status = tutti_experiment_read(selected->points, &chosen->experiment, error);
  if (status != TUTTI_OK)
    return status;
  if (chosen->store.scheme < 0)
    chosen->store.scheme = (int)chosen->experiment.measure.scheme;
  if (!chosen->store.flavor)
    chosen->store.flavor = chosen->experiment.flavor;
  return take_hash(chosen, error);
}

void selection_close(struct selection *chosen)
{
  tutti_experiment_free(&chosen->experiment);
}

static tutti_status read_measurements(const struct selection_options *selected, tutti_collective collective, int pair,
                                      tutti_measurement **measurements, size_t *count, tutti_error *error)
{
  struct selection chosen;
  tutti_status status = selection_open(selected, collective, pair, &chosen, error);
  if (status == TUTTI_OK)
    status = read_rows(selected, &chosen.store, measurements, count, error);
  if (status == TUTTI_OK && selected->points)
    *count = selection_keep_points(&chosen.experiment, *measurements, *count);
  selection_close(&chosen);
  return status;
}

tutti_status selection_read_all(const struct selection_options *selected, tutti_measurement **measurements,
                                size_t *count, tutti_error *error)
{
  tutti_status status = read_measurements(selected, TUTTI_COLL_COUNT, 0, measurements, count, error);
  if (status != TUTTI_OK)
    return status;
  size_t kept = 0;
  for (size_t i = 0; i < *count; i++) {
    const tutti_measurement *measurement = &(*measurements)[i];
    bool rooted = tutti_collective_traits(measurement->method.algorithm->collective) & TUTTI_HAS_ROOT;
    if (selected->root < 0 || !rooted || measurement->root == selected->root)
      (*measurements)[kept++] = *measurement;
  }
  *count = kept;
  return TUTTI_OK;
}

static tutti_status fail_empty(const struct selection_options *selected, tutti_collective collective, int pair,
                               tutti_error *error)
{
  char arrival[TUTTI_ARRIVAL_LENGTH], noise[TUTTI_NOISE_LENGTH];
  tutti_selection selection = selected->selection;
  selection_patterns_pair(&selected->patterns, pair, &selection);
  bool plain = selection.arrival.kind == TUTTI_ARRIVAL_NONE && selection.noise.kind == TUTTI_NOISE_NONE;
  return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                    "%s: no measurement of %s on platform %s%s%s%s%s matches (tutti bench makes one)",
                    selected->database, tutti_collective_name(collective), selected->platform,
                    plain ? "" : " under arrival ", plain ? "" : tutti_arrival_format(&selection.arrival, arrival),
                    plain ? "" : " and noise ", plain ? "" : tutti_noise_format(&selection.noise, noise));
}

/* The map of one pair of an arrival pattern and a noise, into measured with what it was measured under. */
static tutti_status read_pair(const struct selection_options *selected, tutti_collective collective, int pair,
                              struct measured_map *measured, tutti_error *error)
{
  tutti_measurement *measurements;
  size_t count;
  tutti_status status = read_measurements(selected, collective, pair, &measurements, &count, error);
  if (status != TUTTI_OK)
    return status;
  count = keep_root(measurements, count, selected->root);
  if (count == 0)
    status = fail_empty(selected, collective, pair, error);
  else {
    measured->scheme = measurements[0].scheme;
    measured->root = measurements[0].root;
    measured->ranks_per_node = measurements[0].ranks_per_node;
    status = tutti_decision_map_create(measurements, count, &measured->map, error);
    if (status == TUTTI_OK && selected->natives)
      tutti_decision_map_choose(&measured->map, true);
  }
  free(measurements);
  return status;
}

static tutti_status read_all_pairs(const struct selection_options *selected, tutti_collective collective, int pairs,
                                   tutti_decision_map *maps, struct measured_map *measured, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  for (int pair = 0; pair < pairs && status == TUTTI_OK; pair++) {
    tutti_scheme before = measured->scheme;
    status = read_pair(selected, collective, pair, measured, error);
    if (status != TUTTI_OK)
      return status;
    maps[pair] = measured->map;
    if (pair > 0 && measured->scheme != before)
      status = tutti_fail(error, TUTTI_ERR_ARGUMENT,
                          "%s: the patterns were measured under several schemes: choose one with --scheme",
                          selected->database);
  }
  return status;
}

static tutti_status read_joint(const struct selection_options *selected, tutti_collective collective,
                               struct measured_map *measured, tutti_error *error)
{
  int pairs = selection_patterns_count(&selected->patterns);
  tutti_decision_map *maps = calloc((size_t)pairs, sizeof *maps);
  tutti_status status = maps ? read_all_pairs(selected, collective, pairs, maps, measured, error)
                             : tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for %d decision maps", pairs);
  measured->map = (tutti_decision_map){0};
  if (status == TUTTI_OK)
    status = tutti_decision_map_join(maps, pairs, selected->patterns.robust, &measured->map, error);
  if (status == TUTTI_OK && selected->natives)
    tutti_decision_map_choose(&measured->map, true);
  for (int i = 0; maps && i < pairs; i++)
    tutti_decision_map_free(&maps[i]);
  free(maps);
  return status;
}

const char *selection_basis_name(const struct selection_options *selected, tutti_scheme scheme)
{
  return selected->patterns.basis[scheme];
}

tutti_status selection_read_map(const struct selection_options *selected, tutti_collective collective,
                                struct measured_map *measured, tutti_error *error)
{
  *measured = (struct measured_map){.platform = selected->platform, .basis = "scheme"};
  tutti_status status = selected->patterns.joins ? read_joint(selected, collective, measured, error)
                                                 : read_pair(selected, collective, 0, measured, error);
  measured->basis_name = selection_basis_name(selected, measured->scheme);
  return status;
}
