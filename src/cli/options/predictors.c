#include "cli/options/predictors.h"

#include <unistd.h>

#include "base/words.h"
#include "cli/options/common.h"

static void begin(void *values)
{
  *(struct predictor_options *)values = (struct predictor_options){.gamma = -1, .delta = -1};
}

static void read_by(void *values, const char *text)
{
  struct predictor_options *options = values;
  options->both = strcmp(text, "both") == 0;
  options->by = strcmp(text, "schedule") == 0 ? TUTTI_BY_SCHEDULE : TUTTI_BY_FORMULA;
  if (options->both || strcmp(text, tutti_predict_by_name(options->by)) == 0)
    return;
  static const char *const words[] = {"formula", "schedule", "both"};
  char meant[2 * TUTTI_GUESS_LENGTH];
  die("'%.80s'%s is none of formula, schedule, both", text, tutti_word_meant(words, 3, text, meant));
}

/* One model, as given on the command line. */
static tutti_status read_given(const char *text, struct predictors *predictors, tutti_error *error)
{
  tutti_model model = {0};
  tutti_parameter_set *set = &predictors->set;
  if (!strchr(text, ':')) {
    static const char *const words[] = {"measured", "published", "fitted", "hockney:alpha=TIME,beta=TIME",
                                        "loggp:L=TIME,o=TIME,g=TIME,G=TIME"};
    int word;
    return tutti_word_parse(words, sizeof words / sizeof *words, "parameters", text, &word, error);
  }
  tutti_status status = model_parse(text, &model, error);
  if (status != TUTTI_OK)
    return status;
  *set = (tutti_parameter_set){.origin = TUTTI_PARAMETERS_PUBLISHED};
  set->has[model.kind] = true;
  if (model.kind == TUTTI_MODEL_HOCKNEY)
    set->hockney = model.network.hockney;
  else
    set->loggp = model.network.loggp;
  predictors->given = true;
  snprintf(predictors->source, sizeof predictors->source, "parameters as given");
  return TUTTI_OK;
}

static void check(void *values)
{
  const struct predictor_options *options = values;
  const char *from = options->parameters;
  struct predictors ignored;
  tutti_error reason;
  if (from && strchr(from, ':') && read_given(from, &ignored, &reason) != TUTTI_OK)
    die("--parameters %.200s: %s", from, reason.message);
  if (options->formula == TUTTI_FORMULA_PRINTED && options->by == TUTTI_BY_SCHEDULE)
    die("--printed is about formulas, not --by schedule");
}

const struct option_row predictor_table[] = {
    OPTION_BEGIN(begin),
    OPTION_PARSE_ALL("by", "formula|schedule|both", read_by,
                     "predict by published formulas, by pricing the schedules, which works for every algorithm, or "
                     "(tutti predict) both",
                     .otherwise = "formula"),
    OPTION_STRING("parameters", "measured|published|MODEL", struct predictor_options, parameters,
                  "measured by tutti params, as the platform file says they were published, fitted to collectives, or "
                  "hockney:alpha=TIME,beta=TIME, loggp:L=TIME,o=TIME,g=TIME,G=TIME, which say nothing of gamma and "
                  "delta",
                  .otherwise = "measured if the store has them"),
    OPTION_TIME("gamma", struct predictor_options, gamma, "what reducing a byte costs, such as 3.2ns",
                .otherwise = "that of the parameters, or 0"),
    OPTION_TIME("delta", struct predictor_options, delta, "what copying a byte costs",
                .otherwise = "that of the parameters, or 0"),
    OPTION_SET("printed", struct predictor_options, formula, TUTTI_FORMULA_PRINTED,
               "take formulas to the letter of the tables, without corrections"),
    OPTION_NUMBER("jobs", "N", struct predictor_options, jobs, "build the schedules of N ranks at a time",
                  .letter = 'j', .min = 1, .max = 64, .otherwise = "processors online"),
    OPTION_SIZE("element", "BYTES", struct predictor_options, element, "bytes of an element, which is never split",
                .min = 1, .otherwise = "1"),
    OPTION_CHECK(check),
    OPTION_END};

/* ---- parameters ---- */

/* Parameters of the store; where they are not demanded it may have none. */
static tutti_status read_from(tutti_store *store, const tutti_selection *selection, bool demanded,
                              tutti_parameter_set *set, bool *found, tutti_error *error)
{
  tutti_parameter *parameters;
  size_t count;
  *found = demanded;
  if (!demanded) {
    tutti_status status = tutti_store_read_parameters(store, selection, &parameters, &count, NULL, error);
    if (status != TUTTI_OK)
      return status;
    free(parameters);
    *found = count > 0;
  }
  return *found ? tutti_parameters_read(store, selection, set, error) : TUTTI_OK;
}

/* A store that was neither demanded nor named may be missing; all other errors are reported. */
static tutti_status read_measured(const struct selection_options *selected, bool demanded,
                                  struct predictors *predictors, bool *found, tutti_error *error)
{
  tutti_store *store;
  tutti_selection selection = selected->selection;
  selection.platform = selected->platform;
  if (selection.flavor && tutti_flavor_is_simulated(selection.flavor))
    selection.flavor = "smpi"; /* which measures them for either engine */
  *found = false;
  if (!demanded && !selected->database_given && access(selected->database, F_OK) != 0)
    return TUTTI_OK;
  tutti_status status = tutti_store_open_existing(selected->database, &store, error);
  if (status != TUTTI_OK)
    return status;
  status = read_from(store, &selection, demanded, &predictors->set, found, error);
  tutti_store_close(store);
  if (status == TUTTI_OK)
    selection_note_older(selected, TUTTI_ENTRY_PARAMETERS, TUTTI_COLL_COUNT);
  if (status == TUTTI_OK && *found)
    snprintf(predictors->source, sizeof predictors->source, "parameters measured by %s", predictors->set.library);
  return status;
}

static tutti_status read_published(const struct selection_options *selected, struct predictors *predictors,
                                   tutti_error *error)
{
  tutti_platform platform;
  tutti_status status = platform_load(selected->platform_argument, &platform, error);
  if (status != TUTTI_OK)
    return status;
  status = tutti_parameter_set_published(&platform, &predictors->set, error);
  tutti_platform_free(&platform);
  snprintf(predictors->source, sizeof predictors->source, "published parameters");
  return status;
}

static tutti_status read_parameters(const struct predictor_options *options, const struct selection_options *selected,
                                    struct predictors *predictors, tutti_error *error)
{
  const char *from = options->parameters;
  bool found, fitted = from && strcmp(from, "fitted") == 0,
              measured = fitted || (from && strcmp(from, "measured") == 0);
  if (from && strcmp(from, "published") == 0)
    return read_published(selected, predictors, error);
  if (from && !measured)
    return read_given(from, predictors, error);
  tutti_status status = read_measured(selected, measured, predictors, &found, error);
  if (status == TUTTI_OK && fitted) {
    status = predictors_fit(selected, &predictors->set, error);
    snprintf(predictors->source, sizeof predictors->source, "parameters fitted to barriers and broadcasts");
  }
  if (status != TUTTI_OK || found)
    return status;
  status = read_published(selected, predictors, error);
  if (status != TUTTI_OK && error) {
    tutti_error cause = *error;
    char *platform = tutti_xshell_word(selected->platform);
    tutti_fail(error, status, "no parameters were measured (tutti params %s), and %s", platform, cause.message);
    free(platform);
  }
  return status;
}

/* ---- models and weights ---- */

static tutti_status add(const struct predictor_options *options, struct predictors *predictors, tutti_model_kind kind,
                        double weight, tutti_error *error)
{
  const struct program_options launch = {.jobs = options->jobs};
  tutti_predictor predictor = {.by = options->by,
                               .formula = options->formula,
                               .element = options->element,
                               .weight = weight,
                               .threads = program_jobs(&launch)};
  if (predictors->count == TUTTI_MAX_VOTERS / 2)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "more than %d models", TUTTI_MAX_VOTERS / 2);
  if (predictors->given && !predictors->set.has[kind])
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "--parameters %s: not the model %s", options->parameters,
                      tutti_model_kind_name(kind));
  tutti_status status = tutti_parameter_set_model(&predictors->set, kind, &predictor.model, error);
  if (options->gamma >= 0)
    predictor.model.gamma = options->gamma;
  if (options->delta >= 0)
    predictor.model.delta = options->delta;
  if (status == TUTTI_OK)
    predictors->items[predictors->count++] = predictor;
  return status;
}

/* "hockney" or "loggp=2". */
static tutti_status add_word(const struct predictor_options *options, struct predictors *predictors, char *word,
                             tutti_error *error)
{
  char *weight = strchr(word, '='), *end = NULL;
  double value = 1;
  if (weight) {
    *weight++ = '\0';
    value = strtod(weight, &end);
  }
  if (weight && (end == weight || *end || !(value > 0 && value <= 1e6)))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "the weight '%s' of the model %s is not a number above 0, at most 1e6",
                      weight, word);
  for (int kind = 0; kind < TUTTI_MODEL_KINDS; kind++)
    if (strcmp(word, tutti_model_kind_name((tutti_model_kind)kind)) == 0)
      return add(options, predictors, (tutti_model_kind)kind, value, error);
  char meant[2 * TUTTI_GUESS_LENGTH];
  tutti_guess guess = {.word = word};
  for (int kind = 0; kind < TUTTI_MODEL_KINDS; kind++)
    tutti_guess_try(&guess, tutti_model_kind_name((tutti_model_kind)kind));
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "'%.80s'%s is none of the models hockney, loggp, plogp", word,
                    tutti_guess_text(&guess, meant));
}

static tutti_status add_words(const struct predictor_options *options, struct predictors *predictors,
                              const char *models, tutti_error *error)
{
  char *copy = tutti_xstrdup(models), *rest = copy;
  tutti_status status = TUTTI_OK;
  for (char *word; status == TUTTI_OK && (word = strsep(&rest, ","));)
    status = add_word(options, predictors, word, error);
  free(copy);
  return status;
}

static tutti_status add_known(const struct predictor_options *options, struct predictors *predictors,
                              tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  for (int kind = 0; kind < TUTTI_MODEL_KINDS && status == TUTTI_OK; kind++)
    if (predictors->set.has[kind])
      status = add(options, predictors, (tutti_model_kind)kind, 1, error);
  return status;
}

static void repeat_by_schedule(struct predictors *predictors)
{
  for (int i = 0; i < predictors->count; i++) {
    predictors->items[predictors->count + i] = predictors->items[i];
    predictors->items[predictors->count + i].by = TUTTI_BY_SCHEDULE;
  }
  predictors->count *= 2;
}

/* A model has messages of its own only: whether others meet them on a link of the platform it does not know. */
static void note_contention(const char *name)
{
  tutti_platform platform;
  if (!name || !*name || platform_load(name, &platform, NULL) != TUTTI_OK)
    return;
  if (tutti_platform_contends(&platform))
    tutti_say(
        stderr,
        "tutti: note: %s: links of the platform lose throughput when many messages meet, which models do not know: "
        "tutti bench simulates that\n",
        platform.name);
  tutti_platform_free(&platform);
}

tutti_status predictors_read(const struct predictor_options *options, const char *models,
                             const struct selection_options *selected, struct predictors *predictors,
                             tutti_error *error)
{
  *predictors = (struct predictors){0};
  tutti_status status = read_parameters(options, selected, predictors, error);
  if (status == TUTTI_OK)
    status = models ? add_words(options, predictors, models, error) : add_known(options, predictors, error);
  if (status == TUTTI_OK && options->both)
    repeat_by_schedule(predictors);
  if (status == TUTTI_OK)
    note_contention(selected->platform_argument);
  if (status != TUTTI_OK)
    predictors_free(predictors);
  return status;
}

void predictors_free(struct predictors *predictors)
{
  tutti_parameter_set_free(&predictors->set);
}

/* ---- decisions made of models ---- */

static const char prefix[] = "model:";

bool names_models(const char *name)
{
  return strncmp(name, prefix, sizeof prefix - 1) == 0;
}

struct candidates {
  TUTTI_VECTOR(tutti_method);
};

static void add_candidates(struct candidates *candidates, const tutti_algorithm *algorithm)
{
  static const uint64_t segments[] = {0, 1 << 10, 8 << 10, 32 << 10, 128 << 10};
  const size_t count = algorithm->parameters & TUTTI_TAKES_SEGMENT ? sizeof segments / sizeof *segments : 1;
  tutti_method method = tutti_method_default(algorithm);
  for (size_t i = 0; i < count; i++) {
    if (count > 1)
      method.parameters.segment_bytes = segments[i];
    tutti_xpush(candidates, method);
  }
}

void predictors_decide(const struct predictor_options *options, const char *name, tutti_collective collective,
                       const tutti_method *candidates, int candidate_count, const struct selection_options *selected,
                       struct predictors *predictors, tutti_decision *decision)
{
  struct candidates all = {0};
  if (options->both)
    die("--by both: a model decides by formula or by schedule");
  must(predictors_read(options, name + sizeof prefix - 1, selected, predictors, &failure));
  for (size_t i = 0; candidate_count == 0 && i < tutti_algorithm_count(); i++)
    if (tutti_algorithm_at(i)->collective == collective)
      add_candidates(&all, tutti_algorithm_at(i));
  must(tutti_decision_models(name, collective, candidate_count > 0 ? candidates : all.items,
                             candidate_count > 0 ? candidate_count : (int)all.count, predictors->items,
                             predictors->count, decision, &failure));
  tutti_vector_free(&all);
}
