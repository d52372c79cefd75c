/* tutti forecast: what of a program's time would be another one, on a changed machine, by other methods, on twice the
   ranks. */
#ifndef TUTTI_CLI_FORECAST_H
#define TUTTI_CLI_FORECAST_H

#include "cli/replay/replay_sensitivity.h"
#include "decision/tuning/tuning.h"
#include "harness/engine/riders/measure.h"

struct forecast_options {
  const char *subject; /* a trace or a profile */
  const char *platform;
  struct option_strings edits;
  struct replay_setting setting;
  const char *engine; /* NULL: the fast one */
  uint64_t most_messages;
  bool sensitivity;   /* of the time to the machine */
  const char *output; /* rules; NULL: none */
  tutti_format format;
};

/* ---- machines ---- */

/* The platform as it is, or with edits. */
struct forecast_machine {
  char *change; /* "latency=/2"; NULL: as it is; owned */
  char name[TUTTI_PLATFORM_NAME_LENGTH];
  struct engine_machine machine;
  struct engine_start start; /* what its calls share */
  uint32_t started;          /* ranks of that */
  tutti_places places;
  double speed; /* flop/s */
  int hosts;
};

/* ---- scenarios: where the time goes in each ---- */

/* Parts of a time, after those of the collectives (tutti_collective). They add up to the whole. */
enum { FORECAST_MESSAGES = TUTTI_COLL_COUNT, FORECAST_COMPUTATION, FORECAST_WAITING, FORECAST_REST, FORECAST_PARTS };

enum forecast_kind { FORECAST_HERE, FORECAST_EDIT, FORECAST_METHODS, FORECAST_BOTH, FORECAST_TWICE };

struct forecast_scenario {
  char *name; /* "latency=/2"; owned */
  enum forecast_kind kind;
  const struct forecast_machine *machine;
  double parts[FORECAST_PARTS]; /* seconds of a rank in the mean */
  double seconds;               /* of the program */
};

struct forecast {
  const struct forecast_options *options;
  struct {
    TUTTI_VECTOR(struct forecast_machine); /* as it is, each edit alone, all of several */
  } machines;
  struct {
    TUTTI_VECTOR(struct forecast_scenario); /* the first is as it is */
  } scenarios;
  struct program_profile calls;      /* of the first machine, priced */
  struct replay_decisions decisions; /* what the library's own calls run */
  struct workload workload;          /* of a trace */
  bool is_trace;
  tutti_passed passed;
  int ranks;
  double recorded; /* seconds; NaN: not known */
  bool too_many;   /* a method that runs has more messages than options->most_messages, here or on twice the ranks */
  struct notes notes;
  struct sensitivity_rows sensitivity; /* of a trace, where it is wanted: as it is, and with all edits */
};

/* ---- forecast_machines.c ---- */

/* Read the platform, and what the edits make of it. */
void forecast_read_machines(struct forecast *forecast);
void forecast_free_machines(struct forecast *forecast);

/* That with all edits; the platform itself without any. */
const struct forecast_machine *forecast_edited(const struct forecast *forecast);

/* ---- forecast_prices.c: calls, each alone on a machine ---- */

/* Price what ran for all calls, and the best method where `best`. */
void forecast_price(struct forecast *forecast, struct forecast_machine *machine, struct program_profile *calls,
                    bool best);

/* Seconds of the calls of a kind by what runs on so many ranks; NaN: not known. */
double forecast_time(struct forecast *forecast, struct forecast_machine *machine, const struct profile_calls *calls,
                     int ranks);

/* The calls of a workload, without times. */
void forecast_collect(const struct workload *workload, struct program_profile *calls);

/* ---- forecast_trace.c, forecast_profile.c: the scenarios ---- */

void forecast_by_trace(struct forecast *forecast);
void forecast_by_profile(struct forecast *forecast);

/* An empty one, at the end. */
struct forecast_scenario *forecast_add(struct forecast *forecast, enum forecast_kind kind,
                                       const struct forecast_machine *machine, char *name);

/* The first scenario on twice the ranks: its collectives become as much longer as their calls. */
void forecast_add_twice(struct forecast *forecast);

/* ---- forecast_table.c ---- */

void forecast_print(const struct forecast *forecast);

#endif
