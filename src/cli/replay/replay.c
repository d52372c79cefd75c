/* tutti replay: a program, as its trace has it, on a simulated machine. */
#include <math.h>

#include "base/input.h"
#include "cli/command.h"
#include "cli/replay/replay.h"
#include "decision/results/trace_format.h"
#include "harness/experiments/plan/simulation.h"

struct replay_options {
  const char *trace, *platform;
  struct option_strings edits;
  struct replay_setting setting;
  bool strict, verbose;
  double compute;
  const char *engine; /* NULL: the fast one */
  struct program_options launch;
  tutti_format format;
};

static const struct option_row options[] = {
    OPTION_STRING("platform", "NAME", struct replay_options, platform, "the machine, by name or its file"),
    OPTION_STRINGS("set", "EDIT", struct replay_options, edits,
                   "change the platform first, as for tutti whatif; may be given several times", .everyday = true),
    OPTION_TABLE(struct replay_options, setting, replay_table),
    OPTION_REAL("compute", "FACTOR", struct replay_options, compute,
                "computation takes FACTOR times as long as recorded", .low = 0, .initial = "1"),
    OPTION_FLAG("strict", struct replay_options, strict, "refuse a trace with a line or call that is not understood"),
    OPTION_FLAG("verbose", struct replay_options, verbose, "name all that is passed over", .letter = 'v'),
    OPTION_ENGINE(struct replay_options, engine, "fast"),
    OPTION_PROGRAM(struct replay_options, launch.program),
    OPTION_BUILD_DIR(struct replay_options, launch.build_dir),
    OPTION_FORMAT(struct replay_options, format),
    ARGUMENT_STRING("TRACE", struct replay_options, trace),
    OPTION_REQUIRED("platform", "on which platform? --platform NAME (tutti platform list)"),
    OPTION_END};

/* A replay has failed, or not; what the trace does not have may be why. */
static void must_end(tutti_status status, const struct workload *workload)
{
  for (int kind = 0, said = 0; status != TUTTI_OK && kind < TRACE_UNRECORDED_KINDS; kind++)
    if (workload->unrecorded & 1u << kind)
      text_append(failure.message, sizeof failure.message, "%s%s",
                  said++ ? ", " : "; the program used what a trace does not record: ", trace_unrecorded_name(kind));
  must(status);
}

/* ---- by SMPI: smpirun starts tutti-replay, which reads what it has to do from a plan ---- */

enum { OUTPUT_LENGTH = 1 << 16, LONGEST_SECONDS = 7 * 24 * 3600 };

static void simulate_program(const tutti_platform *platform, const struct workload *workload, const char *program,
                             char *plan, struct replay_answer *answer)
{
  char *output = tutti_xmalloc(OUTPUT_LENGTH), *words[] = {plan, NULL};
  const struct simulation simulation = {.platform = platform,
                                        .name = platform->path,
                                        .program = program,
                                        .words = words,
                                        .ranks = (int)workload->rank_count,
                                        .seconds = LONGEST_SECONDS,
                                        .shares_variables = true};
  patience_at("simulate the program by SMPI", NAN);
  must_end(tutti_simulation_run(&simulation, output, OUTPUT_LENGTH, &failure), workload);
  patience_at(NULL, NAN);
  must(tutti_replay_answer_read(output, answer, &failure));
  free(output);
}

/* tutti_replay() by SMPI: `program` is the path of tutti-replay, and `trace` that of the workload. Die with what
   smpirun said; that the ranks fit is checked. */
static void replay_by_smpi(const struct workload *workload, const char *trace, const tutti_platform *platform,
                           const struct replay_question *question, const char *program, struct replay_answer *answer)
{
  struct replay_plan plan = {.compute = question->compute, .ranks_per_node = platform->ranks_per_node};
  snprintf(plan.trace, sizeof plan.trace, "%s", trace);
  if (workload->streams)
    die("%s: ranks do several things at once (streams, \"cpu N\"), which --engine fast runs alone", trace);
  must(tutti_input_permit_handing_on(trace, &failure));
  char *path = simulation_file_begin("plan");
  must(tutti_replay_plan_write(path, &plan, workload, question, &failure));
  simulate_program(platform, workload, program, path, answer);
  simulation_file_end(path);
  free(path);
}

/* ---- the replay ---- */

static void simulate(const struct replay_options *chosen, const tutti_platform *platform,
                     const struct workload *workload, const struct replay_question *question,
                     struct replay_answer *answer)
{
  struct engine_machine machine = {.processor.cores = 0};
  if (chosen->engine && !tutti_flavor_is_engine(chosen->engine)) {
    char *program = program_find(&chosen->launch, chosen->engine, "tutti-replay");
    replay_by_smpi(workload, chosen->trace, platform, question, program, answer);
    free(program);
    return;
  }
  must(tutti_machine_read_or_smpi(platform->path, &machine, &failure));
  machine.ranks_per_node = platform->ranks_per_node;
  machine.tolerance = tutti_flavor_tolerance(chosen->engine);
  must_end(tutti_replay(workload, &machine, question, answer, &failure), workload);
  tutti_machine_free(&machine);
}

static double speed_of(const tutti_platform *platform)
{
  struct engine_machine machine = {.processor.cores = 0};
  double speed;
  must(tutti_machine_read(platform->path, &machine, &failure));
  must(tutti_machine_speed(&machine, &speed, &failure));
  tutti_machine_free(&machine);
  return speed;
}

/* What is replayed, and where; `plain`: the platform without the edits, NULL: there are none. */
struct replay_case {
  const struct replay_options *chosen;
  tutti_platform platform, *plain;
  struct workload workload;
  struct replay_decisions decisions;
  tutti_passed passed;
};

static struct replay_question question_on(const struct replay_case *of, const tutti_platform *platform)
{
  const tutti_places places = tutti_platform_places(platform);
  const double compute =
      replay_compute(&of->workload, of->chosen->compute, of->workload.flops ? speed_of(platform) : 1);
  return replay_question_of(&of->decisions, &places, compute);
}

/* By an engine, as SMPI takes too long to ask twice. */
static void warn_of_edits(const struct replay_case *of, const struct replay_answer *answer, struct notes *notes)
{
  if (!of->plain || (of->chosen->engine && !tutti_flavor_is_engine(of->chosen->engine)))
    return;
  const struct replay_question question = question_on(of, of->plain);
  struct replay_answer before;
  char *edits = replay_edits_text(&of->chosen->edits);
  simulate(of->chosen, of->plain, &of->workload, &question, &before);
  replay_warn_unchanged(notes, &before, answer, edits);
  free(edits);
}

static void warn(const struct replay_case *of, const struct replay_answer *answer, struct notes *notes)
{
  const struct replay_traffic traffic = {.platform = of->platform.name,
                                         .ranks = (int)of->workload.rank_count,
                                         .ranks_per_node = of->platform.ranks_per_node};
  replay_warn_layout(notes, &traffic, "replay", of->chosen->trace, of->chosen->format);
  replay_warn_recording(notes, &of->workload, answer);
  warn_of_edits(of, answer, notes);
}

static void run_and_print(const struct replay_case *of)
{
  const struct replay_question question = question_on(of, &of->platform);
  struct replay_answer answer;
  simulate(of->chosen, &of->platform, &of->workload, &question, &answer);
  struct notes notes = replay_make_notes(&of->workload, &question);
  warn(of, &answer, &notes);
  replay_print(of->chosen->trace, of->chosen->format, of->platform.name, &of->workload, &answer, &notes, &of->passed);
  notes_free(&notes);
}

static int replay(void *values)
{
  const struct replay_options *chosen = values;
  struct replay_case of = {.chosen = chosen, .passed = {.strict = chosen->strict, .all = chosen->verbose}};
  tutti_platform plain;
  char *edited = NULL;
  must(platform_load(chosen->platform, &plain, &failure));
  if (chosen->edits.count > 0) {
    of.plain = &plain;
    platform_spread(&plain, chosen->setting.ranks_per_node);
    edited = replay_edited_begin(plain.path, chosen->edits.items, chosen->edits.count);
    must(platform_load(edited, &of.platform, &failure));
  } else
    of.platform = plain;
  platform_spread(&of.platform, chosen->setting.ranks_per_node);
  must(tutti_workload_read(chosen->trace, &of.workload, &of.passed, &failure));
  replay_decisions_read(&chosen->setting, &of.workload, &of.decisions);
  run_and_print(&of);
  tutti_passed_free(&of.passed);
  replay_decisions_free(&of.decisions);
  tutti_workload_free(&of.workload);
  tutti_platform_free(&of.platform);
  if (edited) {
    tutti_platform_free(&plain);
    simulation_file_end(edited);
  }
  free(edited);
  return EXIT_DONE;
}

DEFINE_COMMAND(replay, "replay", options, struct replay_options, replay);
