/* Cases written as text, for tests of learners: as ARFF. */
#ifndef TUTTI_TESTS_CASES_FIXTURE_H
#define TUTTI_TESTS_CASES_FIXTURE_H

#include "tutti/learners.h"
#include "unit/base/scratch_file.h"
#include "unit/decision/arff.h"

/* The printed form of a tree; the caller frees it. */
static inline char *tree_text(const tutti_classifier *tree)
{
  char *text = NULL;
  size_t length = 0;
  FILE *stream = open_memstream(&text, &length);
  tutti_error error;
  if (!stream || tutti_classifier_print(tree, stream, &error) != TUTTI_OK || fclose(stream) != 0)
    abort();
  return text;
}

static inline tutti_cases cases_of(const char *arff)
{
  char *text = strdup(arff);
  tutti_cases cases = arff_read(text);
  free(text);
  return cases;
}

/* The 14 days of Quinlan 1993, table 1-2. */
#define GOLF_HEAD                                                                                                      \
  "@relation golf\n@attribute outlook {sunny,overcast,rain}\n@attribute temperature numeric\n"                         \
  "@attribute humidity numeric\n@attribute windy {true,false}\n@attribute class {Play,\"Don't Play\"}\n@data\n"
#define GOLF_BUT_ONE                                                                                                   \
  "sunny,75,70,true,Play\nsunny,80,90,true,\"Don't Play\"\nsunny,85,85,false,\"Don't Play\"\n"                         \
  "sunny,72,95,false,\"Don't Play\"\nsunny,69,70,false,Play\novercast,83,78,false,Play\n"                              \
  "overcast,64,65,true,Play\novercast,81,75,false,Play\nrain,71,80,true,\"Don't Play\"\n"                              \
  "rain,65,70,true,\"Don't Play\"\nrain,75,80,false,Play\nrain,68,80,false,Play\nrain,70,96,false,Play\n"

#endif
