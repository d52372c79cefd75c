/* Single values: NAME VALUE, and what a value of that name reads back as once it is printed; points of all kinds of
   rows; the environment. */
#include "base/text.h"
#include "decision/results/pattern.h"
#include "decision/results/range_point.h"
#include "decision/results/row.h"
#include "harness/experiments/file/experiment_list.h"
#include "interpose/serve/policy.h"
#include "kinds.h"
#include "tutti/baseline.h"
#include "tutti/decision_map.h"
#include "tutti/import.h"
#include "tutti/library.h"
#include "tutti/map.h"
#include "tutti/pattern.h"
#include "tutti/sort.h"

/* ---- values ---- */

static tutti_status read_size(const fuzz_trial *trial, const char *text, tutti_error *error)
{
  uint64_t bytes, again;
  char room[32];
  tutti_status status = tutti_size_parse(text, &bytes, error);
  if (status == TUTTI_OK) {
    fuzz_good(trial, "reading back", tutti_size_parse(tutti_size_format(bytes, room), &again, error), error);
    if (again != bytes)
      fuzz_fail(trial, "%s is another size", room);
  }
  return status;
}

static tutti_status read_arrival(const fuzz_trial *trial, const char *text, tutti_error *error)
{
  tutti_arrival arrival, again;
  char room[TUTTI_ARRIVAL_LENGTH];
  tutti_status status = tutti_arrival_parse(text, &arrival, error);
  if (status != TUTTI_OK)
    return status;
  fuzz_good(trial, "reading back", tutti_arrival_parse(tutti_arrival_format(&arrival, room), &again, error), error);
  if (tutti_arrival_compare(&arrival, &again) != 0)
    fuzz_fail(trial, "%s is another pattern", room);
  if (arrival.kind != TUTTI_ARRIVAL_TRACE)
    for (int rank = 0; rank < 5; rank++)
      tutti_arrival_delay(&arrival, NULL, rank, 5);
  return status;
}

static tutti_status read_noise(const fuzz_trial *trial, const char *text, tutti_error *error)
{
  tutti_noise noise, again;
  char room[TUTTI_NOISE_LENGTH];
  tutti_status status = tutti_noise_parse(text, &noise, error);
  if (status != TUTTI_OK)
    return status;
  fuzz_good(trial, "reading back", tutti_noise_parse(tutti_noise_format(&noise, room), &again, error), error);
  if (tutti_noise_compare(&noise, &again) != 0)
    fuzz_fail(trial, "%s is another noise", room);
  return status;
}

static tutti_status read_patterns(const fuzz_trial *trial, const char *text, tutti_error *error)
{
  tutti_patterns patterns;
  tutti_status status = tutti_patterns_read(text, text, ",", trial->folder, &patterns, error);
  if (status == TUTTI_OK)
    tutti_patterns_free(&patterns);
  return status;
}

static tutti_status read_duration(const fuzz_trial *trial, const char *text, tutti_error *error)
{
  double seconds;
  if (!tutti_duration_parse(text, &seconds))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "no duration");
  if (!(isfinite(seconds) && seconds >= 0))
    fuzz_fail(trial, "a duration of %g s", seconds);
  return TUTTI_OK;
}

static tutti_status read_nanoseconds(const fuzz_trial *trial, const char *text, tutti_error *error)
{
  uint64_t nanoseconds;
  (void)trial;
  return tutti_pattern_parse_duration(text, strlen(text), &nanoseconds)
             ? TUTTI_OK
             : tutti_fail(error, TUTTI_ERR_ARGUMENT, "no duration");
}

/* Ascending, each once. */
static tutti_status read_list(const fuzz_trial *trial, const char *text, experiment_number *parse, tutti_error *error)
{
  uint64_t *values = NULL;
  int count = 0;
  tutti_status status = tutti_experiment_parse_list(text, parse, &values, &count, error);
  for (int i = 1; status == TUTTI_OK && i < count; i++)
    if (values[i - 1] >= values[i])
      fuzz_fail(trial, "%llu stands before %llu", (unsigned long long)values[i - 1], (unsigned long long)values[i]);
  free(values);
  return status;
}

static tutti_status read_sizes(const fuzz_trial *trial, const char *text, tutti_error *error)
{
  return read_list(trial, text, tutti_size_parse, error);
}

static tutti_status read_ranks(const fuzz_trial *trial, const char *text, tutti_error *error)
{
  return read_list(trial, text, tutti_experiment_parse_rank_count, error);
}

static tutti_status read_tolerance(const fuzz_trial *trial, const char *text, tutti_error *error)
{
  tutti_tolerance tolerance = {.percent = {0}};
  tutti_status status = tutti_tolerance_parse(text, &tolerance, error);
  for (int m = 0; status == TUTTI_OK && m < TUTTI_ASPECTS; m++)
    if (!(tolerance.percent[m] >= 0))
      fuzz_fail(trial, "a tolerance of %g %%", tolerance.percent[m]);
  return status;
}

static tutti_status read_version(const fuzz_trial *trial, const char *text, tutti_error *error)
{
  tutti_library_version version;
  (void)trial;
  return tutti_library_version_parse(text, &version, error);
}

/* The word of an enumeration; a way is one of the first operation. */
#define READ_WORD(type, name)                                                                                          \
  static tutti_status read_##name(const fuzz_trial *trial, const char *text, tutti_error *error)                       \
  {                                                                                                                    \
    type value = {0};                                                                                                  \
    (void)trial;                                                                                                       \
    return tutti_##name##_parse(text, &value, error);                                                                  \
  }
READ_WORD(tutti_collective, collective)
READ_WORD(tutti_robust, robust)
READ_WORD(tutti_import_format, import_format)
READ_WORD(tutti_map_kind, map_kind)
READ_WORD(tutti_map_strategy, map_strategy)
READ_WORD(tutti_scheme, scheme)
READ_WORD(tutti_quantity, quantity)
READ_WORD(tutti_sort_algorithm, sort_algorithm)
READ_WORD(struct range_point, range_way)
READ_WORD(enum range_operation, range_operation)

static const struct {
  const char *name;
  tutti_status (*read)(const fuzz_trial *trial, const char *text, tutti_error *error);
} values[] = {{"size", read_size},
              {"sizes", read_sizes},
              {"ranks", read_ranks},
              {"arrival", read_arrival},
              {"noise", read_noise},
              {"patterns", read_patterns},
              {"duration", read_duration},
              {"nanoseconds", read_nanoseconds},
              {"tolerance", read_tolerance},
              {"version", read_version},
              {"collective", read_collective},
              {"robust", read_robust},
              {"format", read_import_format},
              {"map", read_map_kind},
              {"strategy", read_map_strategy},
              {"scheme", read_scheme},
              {"quantity", read_quantity},
              {"sort", read_sort_algorithm},
              {"range", read_range_way},
              {"operation", read_range_operation}};

bool fuzz_feed_value(const fuzz_trial *trial)
{
  const char *text = trial->text->bytes;
  size_t length = strcspn(text, " ");
  for (size_t i = 0; i < sizeof values / sizeof *values; i++)
    if (text[length] == ' ' && strlen(values[i].name) == length && memcmp(values[i].name, text, length) == 0) {
      tutti_error error = {0};
      return fuzz_taken(trial, values[i].read(trial, text + length + 1, &error), &error, NULL);
    }
  return false;
}

/* ---- points of rows ---- */

union row {
  tutti_measurement measurement;
  tutti_group_run group;
  tutti_parameter parameter;
  tutti_result result;
};

/* KIND POINT, one line: what can be measured is printed, and reads back the same. */
bool fuzz_feed_row(const fuzz_trial *trial)
{
  const char *text = trial->text->bytes;
  size_t length = strcspn(text, " ");
  if (strchr(text, '\n'))
    return false;
  for (int k = TUTTI_ROW_GROUP; k < TUTTI_ROW_KINDS && text[length] == ' '; k++) {
    const struct tutti_row_kind *kind = tutti_kind_of((enum tutti_row)k);
    union row row, again;
    tutti_error error = {0};
    char point[TUTTI_ROW_POINT];
    if (k == TUTTI_ROW_PARAMETER || strlen(kind->keyword) != length || memcmp(kind->keyword, text, length) != 0)
      continue;
    tutti_row_clear((enum tutti_row)k, &row);
    if (!fuzz_taken(trial, tutti_row_parse_point(kind, text + length + 1, 8, &row, &error), &error, NULL))
      return false;
    tutti_row_set_integer(kind, &row, "ranks_per_node", 1);
    if (!fuzz_taken(trial, tutti_row_validate_keys(kind, &row, &error), &error, NULL))
      return false;
    tutti_row_clear((enum tutti_row)k, &again);
    tutti_row_format_point(kind, &row, point);
    fuzz_good(trial, point, tutti_row_parse_point(kind, point, 8, &again, &error), &error);
    tutti_row_set_integer(kind, &again, "ranks_per_node", 1);
    if (tutti_row_compare(kind, &row, &again) != 0)
      fuzz_fail(trial, "printed and read back, %s is another point", point);
    return true;
  }
  return false;
}

/* ---- the environment of the interposer ---- */

static void set_variables(const fuzz_trial *trial, const char *text, const char *file)
{
  char name[TUTTI_VARIABLE_LENGTH], *copy = strdup(text), *rest = NULL;
  (void)trial;
  for (char *line = strtok_r(copy, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
    char *value = line;
    const char *variable = strsep(&value, "=");
    bool known = strcmp(variable, "TUTTI_VERBOSE") == 0;
    for (int c = 0; c < TUTTI_COLL_COUNT; c++)
      known = known || strcmp(variable, tutti_interposer_variable((tutti_collective)c, name)) == 0;
    if (value && known)
      setenv(variable, value, 1);
    if (value && strcmp(variable, "TUTTI_DECISION") == 0)
      setenv(variable, file, 1);
  }
  free(copy);
}

static void unset_variables(void)
{
  char name[TUTTI_VARIABLE_LENGTH];
  for (int c = 0; c < TUTTI_COLL_COUNT; c++)
    unsetenv(tutti_interposer_variable((tutti_collective)c, name));
  unsetenv("TUTTI_DECISION");
  unsetenv("TUTTI_VERBOSE");
}

static void ask(const fuzz_trial *trial, const struct policy *policy)
{
  for (int c = 0; c < TUTTI_COLL_COUNT; c++)
    for (int ranks = 1; ranks < 1 << 20; ranks *= 7) {
      tutti_method method = {0};
      tutti_question question = {(tutti_collective)c, ranks, 0, (uint64_t)ranks};
      if (tutti_policy_decide(policy, &question, &method) &&
          (!method.algorithm || (int)method.algorithm->collective != c))
        fuzz_fail(trial, "asked about %s, they answer otherwise", tutti_collective_name((tutti_collective)c));
    }
}

/* Lines NAME=VALUE, and after a line "---- decision" the file that TUTTI_DECISION names. */
bool fuzz_feed_policy(const fuzz_trial *trial)
{
  static const char part[] = "---- decision\n";
  struct policy policy;
  tutti_error error = {0};
  char *variables = strdup(trial->text->bytes), *found = strstr(variables, part);
  const char *decision = found ? found + sizeof part - 1 : "";
  char *file = fuzz_file(trial, "input.decision", decision, strlen(decision));
  if (found)
    *found = '\0';
  set_variables(trial, variables, file);
  bool taken = fuzz_taken(trial, tutti_policy_read(&policy, &error), &error, NULL);
  if (taken) {
    ask(trial, &policy);
    tutti_policy_free(&policy);
  }
  unset_variables();
  free(variables);
  free(file);
  return taken;
}
