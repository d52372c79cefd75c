/* Which measurements: the options. */
#include "cli/options/selection.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "tutti/pattern.h"

/* ---- under which arrival patterns and noises ---- */

bool selection_patterns_are_none(const struct selection_patterns *patterns)
{
  return selection_patterns_count(patterns) == 1 &&
         (patterns->arrival_count == 0 || patterns->arrivals[0].kind == TUTTI_ARRIVAL_NONE) &&
         (patterns->noise_count == 0 || patterns->noises[0].kind == TUTTI_NOISE_NONE);
}

static void describe(struct selection_patterns *patterns, int scheme)
{
  char text[TUTTI_ARRIVAL_LENGTH + TUTTI_NOISE_LENGTH], *basis = patterns->basis[scheme];
  size_t used = (size_t)snprintf(basis, SELECTION_BASIS, "%s", tutti_scheme_name((tutti_scheme)scheme));
  if (selection_patterns_are_none(patterns))
    return;
  if (patterns->joins)
    used += (size_t)snprintf(basis + used, SELECTION_BASIS - used, ", %s of", tutti_robust_name(patterns->robust));
  for (int i = 0; i < patterns->arrival_count && used < SELECTION_BASIS; i++)
    used += (size_t)snprintf(basis + used, SELECTION_BASIS - used, "%s %s",
                             i                 ? ","
                             : patterns->joins ? " arrival"
                                               : ", arrival",
                             tutti_arrival_format(&patterns->arrivals[i], text));
  for (int i = 0; i < patterns->noise_count && used < SELECTION_BASIS; i++)
    used += (size_t)snprintf(basis + used, SELECTION_BASIS - used, "%s %s",
                             i                                             ? ","
                             : patterns->joins && !patterns->arrival_count ? " noise"
                                                                           : ", noise",
                             tutti_noise_format(&patterns->noises[i], text));
}

static tutti_status read_arrivals(void *values, const char *text, tutti_error *error)
{
  struct selection_patterns *patterns = values;
  tutti_patterns list;
  tutti_status status = tutti_patterns_read(text, NULL, ",", NULL, &list, error);
  if (status != TUTTI_OK)
    return status;
  for (size_t i = 0; i < list.arrival_count && patterns->arrival_count < SELECTION_PATTERNS; i++)
    patterns->arrivals[patterns->arrival_count++] = list.arrivals[i];
  tutti_patterns_free(&list);
  return TUTTI_OK;
}

static tutti_status read_noises(void *values, const char *text, tutti_error *error)
{
  struct selection_patterns *patterns = values;
  tutti_patterns list;
  tutti_status status = tutti_patterns_read(NULL, text, ",", NULL, &list, error);
  if (status != TUTTI_OK)
    return status;
  for (size_t i = 0; i < list.noise_count && patterns->noise_count < SELECTION_PATTERNS; i++)
    patterns->noises[patterns->noise_count++] = list.noises[i];
  tutti_patterns_free(&list);
  return TUTTI_OK;
}

static tutti_status read_robust(void *member, const char *text, tutti_error *error)
{
  return tutti_robust_parse(text, member, error);
}

static tutti_status check_patterns(void *values, tutti_error *error)
{
  struct selection_patterns *patterns = values;
  if (patterns->arrival_count == SELECTION_PATTERNS || patterns->noise_count == SELECTION_PATTERNS)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "no more than %d patterns are joined", SELECTION_PATTERNS - 1);
  if (!patterns->joins && selection_patterns_count(patterns) > 1)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                      "several patterns: --robust mean or --robust worst says how they are joined");
  for (int scheme = 0; scheme < TUTTI_SCHEME_COUNT; scheme++)
    describe(patterns, scheme);
  return TUTTI_OK;
}

static const struct option_row patterns_table[] = {
    OPTION_PARSE_ALL("arrival", "PATTERN", read_arrivals,
                     "measurements under this arrival pattern; again, or with commas, for several",
                     .otherwise = "none"),
    OPTION_PARSE_ALL("noise", "NOISE", read_noises, "measurements under this noise; likewise", .otherwise = "none"),
    OPTION_PARSE("robust", "mean|worst", struct selection_patterns, robust, read_robust,
                 "join several patterns: of each method the mean, or the worst, of its times relative to the best of "
                 "each pattern",
                 OPTION_GIVEN(struct selection_patterns, joins)),
    OPTION_CHECK(check_patterns), OPTION_END};

int selection_patterns_count(const struct selection_patterns *patterns)
{
  int noises = patterns->noise_count ? patterns->noise_count : 1;
  return (patterns->arrival_count ? patterns->arrival_count : 1) * noises;
}

void selection_patterns_pair(const struct selection_patterns *patterns, int pair, tutti_selection *selection)
{
  int noises = patterns->noise_count ? patterns->noise_count : 1;
  if (patterns->arrival_count)
    selection->arrival = patterns->arrivals[pair / noises];
  if (patterns->noise_count)
    selection->noise = patterns->noises[pair % noises];
}

/* ---- which measurements ---- */

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
    OPTION_TABLE(struct selection_options, patterns, patterns_table),
    OPTION_CHECK(check),
    OPTION_END};
