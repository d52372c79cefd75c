/* tutti predict: what methods take under models, the best of them, the best segment sizes. */
#include <stdio.h>
#include <stdlib.h>

#include "cli/command.h"
#include "cli/predict/predict.h"

const char *predictor_name(const tutti_predictor *predictor, char *text)
{
  snprintf(text, 32, "%s by %s", tutti_model_kind_name(predictor->model.kind), tutti_predict_by_name(predictor->by));
  return text;
}

static tutti_status predict_one(const struct predict_options *options, const struct predictors *predictors,
                                tutti_error *error)
{
  struct prediction prediction;
  tutti_status status =
      predict_call(options, predictors, (int)options->ranks[0], options->sizes[0], &prediction, error);
  if (status == TUTTI_OK)
    status = predict_print(options, predictors, &prediction, error);
  prediction_free(&prediction);
  return status;
}

static tutti_status predict(const struct predict_options *options, tutti_error *error)
{
  struct predictors predictors;
  tutti_status status = predictors_read(&options->predictor, options->models, &options->selection, &predictors, error);
  if (status != TUTTI_OK)
    return status;
  bool one = options->ranks_count == 1 && options->size_count == 1 && !options->plot && !options->store;
  status = one ? predict_one(options, &predictors, error) : predict_maps(options, &predictors, error);
  predictors_free(&predictors);
  return status;
}

static int predict_main(int argc, char **argv)
{
  struct predict_options options = {.selection = selection_defaults(), .predictor = predictor_defaults()};
  tutti_error error;
  predict_options_read(argc, argv, &options);
  tutti_status status = predict(&options, &error);
  predict_options_free(&options);
  return status == TUTTI_OK ? EXIT_DONE : complain(&error);
}

const struct command command_predict = {
    .name = "predict",
    .summary = "predict times, best methods and segment sizes by performance models",
    .main = predict_main,
};
