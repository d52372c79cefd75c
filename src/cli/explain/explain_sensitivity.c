/* tutti explain --sensitivity: how the time of what runs depends on each parameter of the models. */
#include <math.h>

#include "cli/explain/explain.h"

/* What runs and what could, each once, as ours: the same messages. */
struct methods {
  TUTTI_VECTOR(tutti_method);
  int chosen;   /* -1: it is not known */
  int measured; /* the best one of those that were measured; -1: none was */
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

/* Those that a decision may choose, as in a map; rows are fastest first. */
static struct methods collect(const struct explain_options *options, const struct explained_times *times)
{
  struct methods methods = {.chosen = -1, .measured = -1};
  for (int i = 0; i < times->count; i++) {
    const struct explained_time *row = &times->rows[i];
    const bool apart = tutti_method_rounds_apart(&row->method) && !options->selection.rounds_apart;
    if (tutti_method_is_native(&row->method) || (apart && !row->chosen))
      continue;
    const int at = add_method(&methods, &row->method);
    if (row->chosen)
      methods.chosen = at;
    if (!isnan(row->measured) && (methods.measured < 0 || (row->chosen && row->penalty == 0)))
      methods.measured = at;
  }
  return methods;
}

void explain_note_better(const char *model, const tutti_method *chosen, const tutti_method *best,
                         const tutti_method *measured, struct sensitivity_rows *rows)
{
  char name[TUTTI_METHOD_LENGTH], other[TUTTI_METHOD_LENGTH];
  tutti_method_format(best, name);
  if (tutti_method_compare(chosen, best) != 0)
    tutti_xpush(&rows->notes,
                tutti_xprintf("%s: %s is not the best now, %s is", model, tutti_method_format(chosen, other), name));
  if (measured && tutti_method_compare(measured, best) != 0)
    tutti_xpush(&rows->notes, tutti_xprintf("%s disagrees with the measurements: of what was measured %s is the best",
                                            model, tutti_method_format(measured, other)));
}

static const tutti_method *measured_of(const struct methods *methods)
{
  return methods->measured < 0 ? NULL : &methods->items[methods->measured];
}

static void add_row(const char *model, const struct methods *methods, double seconds, const tutti_sensitivity *from,
                    struct sensitivity_rows *rows)
{
  struct sensitivity_row row = {.model = model,
                                .unit = from->slope.unit,
                                .value = from->slope.value,
                                .slope = from->slope.slope,
                                .share_percent = 100 * from->slope.value * from->slope.slope / seconds,
                                .jump = from->jump,
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

/* Which method is the best as things are. */
static void note_better(const char *model, const struct methods *methods, const tutti_sensitivity *from, int count,
                        struct sensitivity_rows *rows)
{
  int best = methods->chosen;
  for (int i = 0; i < count && best == methods->chosen; i++)
    if (isnan(from[i].interval.from) && from[i].interval.above >= 0)
      best = from[i].interval.above;
  explain_note_better(model, &methods->items[methods->chosen], &methods->items[best], measured_of(methods), rows);
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
  struct methods methods = collect(options, times);
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
    explain_add_platform(options, methods.items, (int)methods.count, methods.chosen, measured_of(&methods), rows);
  patience_at(NULL, 1);
  tutti_vector_free(&methods);
}
