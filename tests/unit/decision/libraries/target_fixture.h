/* Decisions and questions for tests of targets. */
#ifndef TUTTI_TESTS_TARGET_FIXTURE_H
#define TUTTI_TESTS_TARGET_FIXTURE_H

#include "tutti/target.h"
#include "tutti/tuning.h"
#include "unit/base/random.h"
#include "unit/base/scratch_file.h"
#include "unit/test.h"

static inline void close_tuning(tutti_tuning **tuning)
{
  tutti_tuning_close(*tuning);
}

/* The rules, which must be good. */
static inline tutti_decision fixture_rules(const char *text)
{
  tutti_decision decision;
  assert_ok(tutti_decision_parse_rules(text, "rules", &decision, &error), error);
  return decision;
}

static inline const tutti_target *fixture_target(const char *name)
{
  const tutti_target *target;
  assert_ok(tutti_target_find(name, &target, &error), error);
  return target;
}

static inline tutti_export_part fixture_take(const char *target, const tutti_decision *decision,
                                             tutti_collective collective, const tutti_range *range)
{
  tutti_export_part handover;
  if (tutti_export_part_create(fixture_target(target), decision, collective, range, NULL, 0, &handover, &error) !=
      TUTTI_OK)
    fail_msg("%s", error.message);
  return handover;
}

/* The file of a target, to be freed. */
static inline char *fixture_write(const char *target, const tutti_export_part *parts, int count)
{
  char *text;
  size_t length;
  FILE *stream = open_memstream(&text, &length);
  assert_ok(fixture_target(target)->write(parts, count, "a comment\nof two lines\n", stream, &error), error);
  fclose(stream);
  return text;
}

/* The method of the decision, or its substitute if it needs other numbers of ranks. False: none. */
static inline bool fixture_wanted(const tutti_decision *decision, tutti_collective collective, int ranks,
                                  uint64_t bytes, tutti_method *method)
{
  const int node = 0;
  tutti_question question = {collective, ranks, 0, bytes};
  tutti_call call = {.size = ranks, .count = (uint64_t)ranks, .type_size = 1, .commutative = true, .nodes = &node};
  if (!decision->decide(decision, &question, method))
    return false;
  *method = tutti_method_serving(method, &call);
  return true;
}

/* Numbers of bytes of all magnitudes, 0 and powers of two with their neighbors among them. */
static inline uint64_t fixture_bytes(uint64_t *state)
{
  uint64_t bytes = random_next(state) >> (20 + random_below(state, 44));
  return random_below(state, 4) ? bytes : (UINT64_C(1) << random_below(state, 40)) + random_below(state, 3) - 1;
}

/* A number of ranks from 2 to max, small ones more often. */
static inline int fixture_ranks(uint64_t *state, int max)
{
  return 2 + (int)random_below(state, 1 + random_below(state, (uint64_t)max - 1));
}

/* A file for a library with its version. */
static inline tutti_tuning *fixture_open(const char *target, const char *text)
{
  tutti_library_version version;
  tutti_tuning *tuning;
  SCRATCH_FILE(file, "tuning", text);
  assert_int_equal(tutti_library_version_parse(target, &version, &error), TUTTI_OK);
  assert_ok(tutti_tuning_open(file.path, &version, &tuning, &error), error);
  return tuning;
}

#endif
