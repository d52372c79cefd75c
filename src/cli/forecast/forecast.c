/* tutti forecast: one command for what another machine, other methods and more ranks would bring a program. */
#include "cli/forecast/forecast.h"

#include <math.h>

#include "base/input.h"
#include "cli/command.h"

static void check(void *values)
{
  const struct forecast_options *chosen = values;
  if (chosen->engine && !tutti_flavor_is_engine(chosen->engine))
    die("--engine: a forecast is simulated by fast or flow; tutti replay --engine smpi simulates a trace on one "
        "machine");
}

static const struct option_row options[] = {
    OPTION_STRING("platform", "NAME", struct forecast_options, platform, "the machine, by name or its file"),
    OPTION_STRINGS(
        "set", "EDIT", struct forecast_options, edits,
        "change the platform, as for tutti whatif; may be given several times: each alone, and all together"),
    OPTION_TABLE(struct forecast_options, setting, replay_table),
    OPTION_ENGINE(struct forecast_options, engine, "fast"),
    OPTION_SIZE("most-messages", "N", struct forecast_options, most_messages,
                "pass over methods with more messages a call than about so many; 0: none", .initial = "1000000"),
    OPTION_FLAG("sensitivity", struct forecast_options, sensitivity,
                "of a trace: how the time depends on latency, bandwidth, overhead and computation, and how far each "
                "can rise until it is 1, 2 and 5 % longer"),
    OPTION_STRING("output", "FILE", struct forecast_options, output,
                  "write the rules of the best methods to FILE, for TUTTI_DECISION and tutti export", .letter = 'o',
                  .writes = WRITES_TEXT),
    OPTION_FORMAT(struct forecast_options, format),
    ARGUMENT_STRING("TRACE|PROFILE", struct forecast_options, subject),
    OPTION_REQUIRED("platform", "on which platform? --platform NAME (tutti platform list)"),
    OPTION_CHECK(check),
    OPTION_END};

struct forecast_scenario *forecast_add(struct forecast *forecast, enum forecast_kind kind,
                                       const struct forecast_machine *machine, char *name)
{
  tutti_xpush(&forecast->scenarios, ((struct forecast_scenario){.name = name, .kind = kind, .machine = machine}));
  return &forecast->scenarios.items[forecast->scenarios.count - 1];
}

/* ---- twice the ranks ---- */

/* How much longer the calls of a collective take; those on a part of the ranks stay as they are. */
static double ratio_of(struct forecast *forecast, tutti_collective collective)
{
  struct forecast_machine *machine = &forecast->machines.items[0];
  double before = 0, after = 0;
  for (size_t i = 0; i < forecast->calls.items.count; i++) {
    const struct profile_calls *calls = &forecast->calls.items.items[i];
    if (calls->collective != collective || !calls->known)
      continue;
    const bool grows = calls->ranks == forecast->ranks;
    const double then = grows ? forecast_time(forecast, machine, calls, 2 * calls->ranks) : calls->untuned_s;
    before += (double)calls->calls * calls->untuned_s;
    after += (double)calls->calls * (then > 0 ? then : calls->untuned_s);
  }
  return before > 0 ? after / before : 1;
}

void forecast_add_twice(struct forecast *forecast)
{
  const struct forecast_machine *machine = &forecast->machines.items[0];
  const long room = (long)machine->hosts * machine->machine.ranks_per_node;
  if (room < 2L * forecast->ranks) {
    tutti_xpush(&forecast->notes,
                tutti_xprintf("On twice the ranks nothing is said: %s has room for %ld", machine->name, room));
    return;
  }
  double parts[FORECAST_PARTS], seconds = 0;
  memcpy(parts, forecast->scenarios.items[0].parts, sizeof parts);
  for (int c = 0; c < TUTTI_COLL_COUNT; c++)
    if (parts[c] > 0)
      parts[c] *= ratio_of(forecast, (tutti_collective)c);
  for (int p = 0; p < FORECAST_PARTS; p++)
    seconds += parts[p];
  if (forecast->too_many) {
    tutti_xpush(&forecast->notes,
                tutti_xprintf("On twice the ranks nothing is said: a method that runs has more than %llu messages a "
                              "call, here or there (--most-messages)",
                              (unsigned long long)forecast->options->most_messages));
    return;
  }
  struct forecast_scenario *twice =
      forecast_add(forecast, FORECAST_TWICE, machine, tutti_xprintf("%d ranks", 2 * forecast->ranks));
  memcpy(twice->parts, parts, sizeof parts);
  twice->seconds = seconds;
}

/* ---- reading ---- */

/* Whether the file begins as records do. */
static bool begins_as_profile(const char *path)
{
  static const char word[] = "tutti-run ";
  char begin[sizeof word] = "";
  FILE *file = tutti_input_open(path, UINT64_MAX, NULL);
  const bool is = file && fread(begin, 1, strlen(word), file) == strlen(word) && strcmp(begin, word) == 0;
  if (file)
    fclose(file);
  return is;
}

/* A profile, also one that the ranks of a program that was cut have left; false: it is none. The flavor says whose
   rules its own calls follow. */
static bool read_profile(struct forecast *forecast)
{
  tutti_error reason;
  const tutti_status status = tutti_profile_read(forecast->options->subject, &forecast->calls, &reason);
  if (status != TUTTI_OK && begins_as_profile(forecast->options->subject))
    die("%s", reason.message);
  if (status != TUTTI_OK) {
    tutti_profile_free(&forecast->calls);
    forecast->calls = (struct program_profile){.ranks = 0};
    return false;
  }
  snprintf(forecast->workload.flavor, sizeof forecast->workload.flavor, "%s", forecast->calls.flavor);
  forecast->ranks = forecast->calls.ranks;
  forecast->recorded = forecast->calls.elapsed;
  if (forecast->options->setting.decisions.count > 0)
    die("--decision goes with a trace: a profile is priced by the methods that ran, and by the best ones");
  if (forecast->options->sensitivity)
    die("--sensitivity goes with a trace: a profile does not say what waits for what");
  return true;
}

static void read_trace(struct forecast *forecast)
{
  forecast->is_trace = true;
  must(tutti_workload_read(forecast->options->subject, &forecast->workload, &forecast->passed, &failure));
  forecast->ranks = (int)forecast->workload.rank_count;
  forecast->recorded = forecast->workload.seconds;
}

/* Where the recording had its ranks on another number of nodes. */
static void warn_recorded(struct forecast *forecast, int ranks_per_node)
{
  const int then = forecast->is_trace ? forecast->workload.ranks_per_node : forecast->calls.ranks_per_node;
  if (then > 0 && (forecast->ranks + then - 1) / then != (forecast->ranks + ranks_per_node - 1) / ranks_per_node)
    tutti_xpush(&forecast->notes, tutti_xprintf("It was recorded with %d rank%s a node, and is forecast with %d", then,
                                                tutti_plural((uint64_t)then), ranks_per_node));
}

static void warn_layout(struct forecast *forecast)
{
  const struct forecast_machine *machine = &forecast->machines.items[0];
  const struct replay_traffic traffic = {.platform = machine->name,
                                         .ranks = forecast->ranks,
                                         .ranks_per_node = machine->machine.ranks_per_node,
                                         .hosts = machine->hosts};
  replay_warn_layout(&forecast->notes, &traffic, "forecast", forecast->options->subject, forecast->options->format);
  replay_warn_few(&forecast->notes, &traffic);
  warn_recorded(forecast, machine->machine.ranks_per_node);
  bool neighbors = false; /* SMPI has no collectives of them */
  for (size_t i = 0; i < forecast->calls.items.count; i++)
    neighbors =
        neighbors || strncmp(forecast->calls.items.items[i].method, "neighborhood", strlen("neighborhood")) == 0;
  if (!forecast->is_trace)
    replay_warn_turns(&forecast->notes, forecast->calls.ranks_per_node, forecast->calls.cores, neighbors);
}

/* Calls of which each rank knows its own size only, of other forms, or of methods that nobody knows. */
static void note_unpriced(struct forecast *forecast)
{
  size_t kinds = 0;
  double seconds = 0;
  for (size_t i = 0; i < forecast->calls.items.count; i++) {
    const struct profile_calls *calls = &forecast->calls.items.items[i];
    kinds += !calls->known;
    seconds += calls->known ? 0 : calls->total / forecast->ranks;
  }
  if (kinds > 0 && forecast->is_trace)
    tutti_xpush(
        &forecast->notes,
        tutti_xprintf("No other method was tried for %zu of %zu kinds of calls: their sizes differ between ranks, "
                      "they are among the rarest, or their method has too many messages (--most-messages)",
                      kinds, forecast->calls.items.count));
  else if (kinds > 0)
    tutti_xpush(
        &forecast->notes,
        tutti_xprintf("%.1f %% of the time as recorded is in calls that are not priced, and stays: their sizes "
                      "differ between ranks, their method is not known or has too many messages (--most-messages), or "
                      "they are among the rarest",
                      100 * seconds / forecast->recorded));
}

static void write_rules(const struct forecast *forecast)
{
  struct tutti_output output;
  struct tuning_rules rules = tutti_tuning_rules(&forecast->calls, 100);
  output_begin(forecast->options->output, &output);
  for (size_t r = 0; r < rules.count; r++)
    tutti_tuning_rule_print(output.stream, &rules.items[r]);
  output_end(&output);
  tutti_vector_free(&rules);
}

static void free_forecast(struct forecast *forecast)
{
  for (size_t i = 0; i < forecast->scenarios.count; i++)
    free(forecast->scenarios.items[i].name);
  tutti_vector_free(&forecast->scenarios);
  tutti_profile_free(&forecast->calls);
  replay_decisions_free(&forecast->decisions);
  if (forecast->is_trace)
    tutti_workload_free(&forecast->workload);
  tutti_passed_free(&forecast->passed);
  forecast_free_machines(forecast);
  sensitivity_free(&forecast->sensitivity);
  notes_free(&forecast->notes);
}

static int run(void *values)
{
  const struct forecast_options *chosen = values;
  struct forecast forecast = {.options = chosen};
  if (chosen->output)
    must(tutti_output_test(chosen->output, &failure));
  if (!read_profile(&forecast))
    read_trace(&forecast);
  forecast_read_machines(&forecast);
  for (size_t i = 0; i < forecast.machines.count; i++)
    must(tutti_start_check_room(&forecast.machines.items[i].machine, (uint32_t)forecast.ranks, &failure));
  replay_decisions_read(&chosen->setting, &forecast.workload, &forecast.decisions);
  warn_layout(&forecast);
  if (forecast.is_trace)
    forecast_by_trace(&forecast);
  else
    forecast_by_profile(&forecast);
  note_unpriced(&forecast);
  forecast_print(&forecast);
  if (chosen->output)
    write_rules(&forecast);
  free_forecast(&forecast);
  return EXIT_DONE;
}

DEFINE_COMMAND(forecast, "forecast", options, struct forecast_options, run);
