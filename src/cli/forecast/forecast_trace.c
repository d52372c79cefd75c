/* The scenarios of a trace: replays. */
#include <math.h>

#include "cli/forecast/forecast.h"

/* Decides by the best methods of priced calls, else as the other question does. */
struct best_choice {
  const struct program_profile *calls;
  const struct replay_question *otherwise;
};

static bool decide_best(void *context, const struct replay_choice *choice, tutti_method *method)
{
  const struct best_choice *best = context;
  for (size_t i = 0; i < best->calls->items.count; i++) {
    const struct profile_calls *calls = &best->calls->items.items[i];
    if (calls->known && calls->gain > 0 && calls->collective == choice->collective && calls->ranks == choice->ranks &&
        calls->size == choice->bytes) {
      *method = calls->best;
      return true;
    }
  }
  return best->otherwise->decide(best->otherwise->context, choice, method);
}

static struct replay_question question_on(const struct forecast *forecast, const struct forecast_machine *machine)
{
  const struct workload *workload = &forecast->workload;
  const double factor = workload->flops ? 1 : forecast->machines.items[0].speed / machine->speed;
  return replay_question_of(&forecast->decisions, &machine->places, replay_compute(workload, factor, machine->speed));
}

static void fill(const struct forecast *forecast, const struct replay_answer *answer,
                 struct forecast_scenario *scenario)
{
  const struct workload *workload = &forecast->workload;
  for (int p = 0; p < WORKLOAD_PARTS; p++)
    scenario->parts[p] = replay_mean(workload, replay_without(answer->parts[p].seconds, answer->parts[p].waiting));
  scenario->parts[FORECAST_COMPUTATION] = replay_mean(workload, answer->compute);
  scenario->parts[FORECAST_WAITING] = replay_mean(workload, answer->all.waiting);
  scenario->parts[FORECAST_REST] = replay_rest(workload, answer);
  scenario->seconds = answer->seconds;
}

static void replay_on(struct forecast *forecast, const struct forecast_machine *machine,
                      const struct program_profile *best, enum forecast_kind kind, char *name,
                      struct replay_answer *answer)
{
  const struct replay_question plain = question_on(forecast, machine);
  const struct best_choice choice = {best, &plain};
  struct replay_question question = plain;
  if (best) {
    question.decide = decide_best;
    question.context = (void *)(uintptr_t)&choice;
  }
  patience_at("replay the program", NAN);
  must(tutti_replay(&forecast->workload, &machine->machine, &question, answer, &failure));
  patience_at(NULL, NAN);
  fill(forecast, answer, forecast_add(forecast, kind, machine, name));
}

/* With the best methods of a machine; of what is gained by no method nothing is said. */
static void replay_best(struct forecast *forecast, struct forecast_machine *machine, enum forecast_kind kind,
                        char *name, struct program_profile *calls)
{
  struct replay_answer answer;
  forecast_collect(&forecast->workload, calls);
  forecast_price(forecast, machine, calls, true);
  replay_on(forecast, machine, calls, kind, name, &answer);
}

static void replay_edits(struct forecast *forecast, const struct replay_answer *here)
{
  for (size_t i = 1; i < forecast->machines.count; i++) {
    const struct forecast_machine *machine = &forecast->machines.items[i];
    struct replay_answer answer;
    replay_on(forecast, machine, NULL, FORECAST_EDIT, tutti_xstrdup(machine->change), &answer);
    if (i <= forecast->options->edits.count) /* all together: each was warned of */
      replay_warn_unchanged(&forecast->notes, here, &answer, machine->change);
  }
}

static void add_sensitivity(struct forecast *forecast, const struct forecast_machine *machine)
{
  const struct replay_question question = question_on(forecast, machine);
  replay_add_sensitivity(machine->change ? machine->change : "as it is", &forecast->workload, &machine->machine,
                         &question, &forecast->sensitivity);
}

void forecast_by_trace(struct forecast *forecast)
{
  struct forecast_machine *machine = &forecast->machines.items[0];
  struct replay_answer here;
  replay_on(forecast, machine, NULL, FORECAST_HERE, tutti_xstrdup("as it is"), &here);
  replay_warn_recording(&forecast->notes, &forecast->workload, &here);
  replay_edits(forecast, &here);
  replay_best(forecast, machine, FORECAST_METHODS, tutti_xstrdup("best methods"), &forecast->calls);
  if (forecast->machines.count > 1) {
    struct program_profile calls;
    replay_best(forecast, &forecast->machines.items[forecast->machines.count - 1], FORECAST_BOTH, tutti_xstrdup("both"),
                &calls);
    tutti_profile_free(&calls);
  }
  if (forecast->options->sensitivity)
    add_sensitivity(forecast, machine);
  if (forecast->options->sensitivity && forecast->machines.count > 1)
    add_sensitivity(forecast, forecast_edited(forecast));
  forecast_add_twice(forecast);
  tutti_xpush(
      &forecast->notes,
      tutti_xstrdup("A trace says what its ranks did, and cannot be replayed on more of them: on twice the ranks "
                    "the collectives are priced, and each rank computes, waits and sends other messages as "
                    "before"));
}
