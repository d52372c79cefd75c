/* tutti explain --sensitivity: how the time of what runs depends on each parameter of the models. */
#include <math.h>

#include "cli/explain/explain.h"

/* What runs and what could, each once, as ours: the same messages. */
struct methods {
  TUTTI_VECTOR(tutti_method);
  int chosen; /* -1: it is not known */
};

static int add_method(struct methods *methods, const tutti_method *method)
{
  const tutti_method ours = tutti_method_as(method, TUTTI_IMPLEMENTATION_TUTTI);
  for (size_t i = 0; i < methods->count; i++)
    if (tutti_method_compare(&methods->items[i], &ours) == 0)
      return (int)i;
  tutti_xpush(methods, ours);
  return (int)methods->count - 1;
}

static struct methods collect(const struct explained_times *times)
{
  struct methods methods = {.chosen = -1};
  for (int i = 0; i < times->count; i++) {
    const int at = tutti_method_is_native(&times->rows[i].method) ? -1 : add_method(&methods, &times->rows[i].method);
    if (times->rows[i].chosen)
      methods.chosen = at;
  }
  return methods;
}

static void add_row(const char *model, const struct methods *methods, double seconds, const tutti_sensitivity *from,
                    struct sensitivity_rows *rows)
{
  struct sensitivity_row row = {.model = model,
                                .unit = from->slope.unit,
                                .value = from->slope.value,
                                .slope = from->slope.slope,
                                .share_percent = 100 * from->slope.value * from->slope.slope / seconds,
                                .from = from->interval.from,
                                .to = from->interval.to};
  snprintf(row.parameter, sizeof row.parameter, "%s", from->slope.name);
  memcpy(row.more, from->more, sizeof row.more);
  if (!isnan(row.from) && from->interval.below >= 0)
    row.below = methods->items[from->interval.below];
  if (!isnan(row.from) && from->interval.above >= 0)
    row.above = methods->items[from->interval.above];
  tutti_xpush(rows, row);
}

/* Another method is the best as things are. */
static void note_better(const char *model, const struct methods *methods, const tutti_sensitivity *from, int count,
                        struct sensitivity_rows *rows)
{
  char names[2][TUTTI_METHOD_LENGTH];
  for (int i = 0; i < count; i++) {
    const tutti_interval *interval = &from[i].interval;
    if (!isnan(interval->from) || interval->above < 0)
      continue;
    tutti_xpush(&rows->notes, tutti_xprintf("%s: %s is not the best now, %s is", model,
                                            tutti_method_format(&methods->items[methods->chosen], names[0]),
                                            tutti_method_format(&methods->items[interval->above], names[1])));
    return;
  }
}

static void add_model(const struct explain_options *options, const tutti_predictor *predictor,
                      const struct methods *methods, struct sensitivity_rows *rows)
{
  const char *model = tutti_model_kind_name(predictor->model.kind);
  tutti_sensitivity found[TUTTI_MAX_SLOPES];
  double seconds;
  int count;
  tutti_error reason;
  if (tutti_predict_sensitivities(predictor, methods->items, (int)methods->count, methods->chosen, options->call.ranks,
                                  options->call.rank_bytes, &seconds, found, &count, &reason) != TUTTI_OK) {
    tutti_xpush(&rows->notes, tutti_xprintf("%s: %s", model, reason.message));
    return;
  }
  for (int i = 0; i < count; i++)
    add_row(model, methods, seconds, &found[i], rows);
  note_better(model, methods, found, count, rows);
}

void explain_gather_sensitivity(const struct explain_options *options, const struct explained_times *times,
                                struct sensitivity_rows *rows)
{
  const struct predictors *predictors = &times->predictors;
  struct methods methods = collect(times);
  unsigned seen = 0;
  if (methods.chosen < 0)
    tutti_xpush(&rows->notes, tutti_xstrdup("nothing is said of how the time depends on parameters: what runs is not "
                                            "known"));
  else if (predictors->count == 0)
    tutti_xpush(&rows->notes,
                tutti_xprintf("nothing is said of how the time depends on parameters: %s", times->why_unpredicted));
  for (int p = 0; p < predictors->count && methods.chosen >= 0; p++) {
    patience_at("vary the parameters", (double)p / predictors->count);
    const unsigned kind = 1u << predictors->items[p].model.kind;
    if (!(seen & kind)) /* by formula and by schedule the model is the same */
      add_model(options, &predictors->items[p], &methods, rows);
    seen |= kind;
  }
  if (methods.chosen >= 0)
    explain_add_platform(options, methods.items, (int)methods.count, methods.chosen, rows);
  patience_at(NULL, 1);
  tutti_vector_free(&methods);
}
