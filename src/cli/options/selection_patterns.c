/* Under which arrival patterns and noises the measurements of a selection were taken. */
#include "cli/options/selection.h"

#include <stdlib.h>
#include <string.h>

#include "tutti/pattern.h"

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

static tutti_status check(void *values, tutti_error *error)
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

const struct option_row selection_patterns_table[] = {
    OPTION_PARSE_ALL("arrival", "PATTERN", read_arrivals,
                     "measurements under this arrival pattern; again, or with commas, for several",
                     .otherwise = "none"),
    OPTION_PARSE_ALL("noise", "NOISE", read_noises, "measurements under this noise; likewise", .otherwise = "none"),
    OPTION_PARSE("robust", "mean|worst", struct selection_patterns, robust, read_robust,
                 "join several patterns: of each method the mean, or the worst, of its times relative to the best of "
                 "each pattern",
                 OPTION_GIVEN(struct selection_patterns, joins)),
    OPTION_CHECK(check), OPTION_END};

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
