/* Which measurements: the options. */
#include "cli/options/selection.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"
#include "base/words.h"
#include "cli/options/common.h"
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

static void read_arrivals(void *values, const char *text)
{
  struct selection_patterns *patterns = values;
  tutti_patterns list;
  must(tutti_patterns_read(text, NULL, ",", NULL, &list, &failure));
  for (size_t i = 0; i < list.arrival_count && patterns->arrival_count < SELECTION_PATTERNS; i++)
    patterns->arrivals[patterns->arrival_count++] = list.arrivals[i];
  tutti_patterns_free(&list);
}

static void read_noises(void *values, const char *text)
{
  struct selection_patterns *patterns = values;
  tutti_patterns list;
  must(tutti_patterns_read(NULL, text, ",", NULL, &list, &failure));
  for (size_t i = 0; i < list.noise_count && patterns->noise_count < SELECTION_PATTERNS; i++)
    patterns->noises[patterns->noise_count++] = list.noises[i];
  tutti_patterns_free(&list);
}

static void read_robust(void *member, const char *text)
{
  must(tutti_robust_parse(text, member, &failure));
}

/* A report has a map for each. */
#define PATTERN_ROWS(otherwise_)                                                                                       \
  OPTION_PARSE_ALL("arrival", "PATTERN", read_arrivals,                                                                \
                   "measurements under this arrival pattern; again, or with commas, for several",                      \
                   .otherwise = (otherwise_)),                                                                         \
      OPTION_PARSE_ALL("noise", "NOISE", read_noises, "measurements under this noise; likewise",                       \
                       .otherwise = (otherwise_))

static void check_count(void *values)
{
  const struct selection_patterns *patterns = values;
  if (patterns->arrival_count == SELECTION_PATTERNS || patterns->noise_count == SELECTION_PATTERNS)
    die("no more than %d patterns are taken", SELECTION_PATTERNS - 1);
}

const struct option_row every_pattern_table[] = {PATTERN_ROWS("each, apart"), OPTION_CHECK(check_count), OPTION_END};

static void check_patterns(void *values)
{
  struct selection_patterns *patterns = values;
  check_count(values);
  if (!patterns->joins && selection_patterns_count(patterns) > 1)
    die("several patterns: --robust mean or --robust worst says how they are joined");
  for (int scheme = 0; scheme < TUTTI_SCHEME_COUNT; scheme++)
    describe(patterns, scheme);
}

static const struct option_row patterns_table[] = {
    PATTERN_ROWS("none"),
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
  selected->implementation = -1;
}

/* A platform is stored under its name; a path of its file is understood too. */
static tutti_status take_platform(struct selection_options *selected, const char *text, tutti_error *error)
{
  selected->platform_argument = text;
  size_t stem = tutti_stem_length(text, ".xml"), length = stem ? stem : strlen(text);
  const char *slash = stem ? strrchr(text, '/') : NULL;
  if (slash) {
    length -= (size_t)(slash + 1 - text);
    text = slash + 1;
  }
  if (length == 0 || length >= sizeof selected->platform)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "the name '%s' is empty or too long", text);
  memcpy(selected->platform, text, length);
  selected->platform[length] = '\0';
  return TUTTI_OK;
}

static void read_platform(void *values, const char *text)
{
  must(take_platform(values, text, &failure));
}

static void read_scheme(void *member, const char *text)
{
  tutti_scheme scheme;
  must(tutti_scheme_parse(text, &scheme, &failure));
  *(int *)member = (int)scheme;
}

static const char *implementation_name(int implementation)
{
  const char *name = tutti_implementation_name((tutti_implementation)implementation);
  return name ? name : "tutti";
}

static void read_implementation(void *member, const char *text)
{
  const char *names[TUTTI_IMPLEMENTATION_COUNT];
  for (int i = 0; i < TUTTI_IMPLEMENTATION_COUNT; i++)
    names[i] = implementation_name(i);
  must(tutti_word_parse(names, TUTTI_IMPLEMENTATION_COUNT, "implementation", text, member, &failure));
}

static void read_environment(void *member, const char *text)
{
  uint64_t number;
  if (!tutti_parse_integer(text, 1, INT64_MAX, &number))
    die("'%s' is not the number of an environment, from 1 on", text);
  *(int64_t *)member = (int64_t)number;
}

/* Whether the store has rows of several files of the platform, this one among them, and none of a real machine. */
static bool has_several_files(const struct selection_options *selected, const char *hash)
{
  return selection_number(selected,
                          "SELECT sum(platform_hash = ?2) > 0 AND sum(platform_hash <> ?2) > 0"
                          " AND sum(platform_hash = '') = 0 FROM environment WHERE platform = ?1",
                          selected->platform, hash) > 0;
}

/* The file that is meant; NULL: any of that name. */
static char *find_file(const struct selection_options *selected)
{
  char *path = NULL;
  const char *argument = selected->platform_argument;
  if (!selected->selection.platform_hash && !selected->selection.environment)
    (void)tutti_platform_find(argument, &path, NULL);
  if (path && access(path, F_OK) == 0)
    return path;
  free(path);
  return NULL;
}

/* The path of a platform file means the file as it is now, and so does its name where the store has rows of it as it
   was before, too. A path of which the file is no longer there is a name. */
static tutti_status read_hash(struct selection_options *selected, tutti_error *error)
{
  tutti_platform platform;
  char *path = find_file(selected);
  const bool named = !tutti_platform_is_path(selected->platform_argument);
  tutti_status status = path ? tutti_platform_read(path, &platform, error) : TUTTI_OK;
  if (path && status == TUTTI_OK) {
    if (!named || has_several_files(selected, platform.hash)) {
      memcpy(selected->hash, platform.hash, sizeof selected->hash);
      selected->selection.platform_hash = selected->hash;
    }
    tutti_platform_free(&platform);
  }
  free(path);
  return named ? TUTTI_OK : status;
}

tutti_status selection_read_platform(struct selection_options *selected, const char *text, tutti_error *error)
{
  tutti_status status = take_platform(selected, text, error);
  return status == TUTTI_OK ? read_hash(selected, error) : status;
}

void selection_need_platform(struct selection_options *selected)
{
  if (*selected->platform)
    return;
  tutti_store *store = store_open_existing(selected->database);
  store_close(store);
  selection_only_platform(selected->database, selected->selection.flavor, selected->platform);
  selected->platform_argument = selected->platform;
  if (!*selected->platform)
    selection_fail_platform(selected->database);
}

static void check(void *values)
{
  struct selection_options *selected = values;
  const char *flavor = selected->selection.flavor;
  if (selected->engine && flavor && strcmp(selected->engine, flavor) != 0)
    die("--engine and --flavor: %s or %s?", selected->engine, flavor);
  if (selected->engine)
    selected->selection.flavor = selected->engine;
  if (*selected->platform)
    must(read_hash(selected, &failure));
  else if (!selected->optional)
    selection_need_platform(selected);
}

const struct option_row environment_table[] = {
    OPTION_PARSE("library", "NAME", tutti_selection, library, option_library, "MPI library and its version"),
    OPTION_STRING("tutti-version", "VERSION", tutti_selection, tutti, "version of Tutti that measured"),
    OPTION_WORDS("setting", "NAME=VALUE", tutti_selection, setting,
                 "measured with this setting, such as OMPI_MCA_coll=^han; 'NAME=': without it; again for others"),
    OPTION_PARSE("environment", "N", tutti_selection, environment, read_environment,
                 "the environment with this number, as messages and reports name it"),
    OPTION_END};

const struct option_row measured_table[] = {OPTION_PARSE("scheme", "occ|window|osu|imb|repro", tutti_selection, scheme,
                                                         read_scheme, "scheme of measurement, if there are several"),
                                            OPTION_STRING("platform-hash", "HASH", tutti_selection, platform_hash,
                                                          "SHA-256 of the platform file, or its beginning"),
                                            OPTION_PARSE("flavor", "smpi|fast|flow|mpich|openmpi", tutti_selection,
                                                         flavor, option_flavor, "kind of MPI library, or the engine"),
                                            {.kind = OPTION_KIND_TABLE, .table = environment_table},
                                            OPTION_NUMBER("ranks-per-node", "N", tutti_selection, ranks_per_node,
                                                          "ranks on a node, if there are several numbers", .min = 1),
                                            OPTION_END};

const struct option_row maps_table[] = {
    OPTION_NUMBER("root", "RANK", struct selection_options, root, "root of the operation, if there are several"),
    OPTION_FLAG("native", struct selection_options, natives,
                "native methods, what the MPI library does by itself, can be best, too"),
    OPTION_FLAG("rounds-apart", struct selection_options, rounds_apart,
                "methods whose ranks may get sums that differ in their last bits (swing-latency, census, "
                "trivance-latency and its form on a torus) can be best, too"),
    OPTION_PARSE(
        "reproducible", "CLASS", struct selection_options, reproducible, option_reproducible,
        "of reductions only methods with this class, or several with commas, can be best: ranks, arrival, nodes, size, "
        "aligned (tutti algorithms --reproducible)"),
    OPTION_PARSE("of", "tutti|openmpi|mpich|smpi", struct selection_options, implementation, read_implementation,
                 "whose code can be best, and runs what is decided: Tutti's, or a library's own algorithms "
                 "(bcast/binomial@openmpi)",
                 .otherwise = "the library's for its own files and targets if they were measured, else Tutti's if "
                              "these were"),
    OPTION_END};

const struct option_row selection_table[] = {
    OPTION_BEGIN(begin),
    OPTION_PARSE_ALL("platform", "NAME|FILE", read_platform,
                     "platform that was measured; the path of its file means the file as it is now",
                     .otherwise = "the only one of the store, where one is needed"),
    OPTION_STRING("db", "FILE", struct selection_options, database, "store of measurements", .initial = "results.db",
                  OPTION_GIVEN(struct selection_options, database_given)),
    OPTION_PARSE("engine", "smpi|fast|flow", struct selection_options, engine, option_engine,
                 "simulated by this engine"),
    OPTION_TABLE(struct selection_options, selection, measured_table),
    {.kind = OPTION_KIND_TABLE, .table = maps_table},
    OPTION_STRING("points", "EXPERIMENT.xml", struct selection_options, points,
                  "only the points and methods that this experiment asks for, by its scheme"),
    OPTION_TABLE(struct selection_options, patterns, patterns_table),
    OPTION_CHECK(check),
    OPTION_END};

static void begin_optional(void *values)
{
  ((struct selection_options *)values)->optional = true;
}

const struct option_row optional_selection_table[] = {
    {.kind = OPTION_KIND_TABLE, .table = selection_table}, OPTION_BEGIN(begin_optional), OPTION_END};
