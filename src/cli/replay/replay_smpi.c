/* A replay by SMPI: smpirun starts tutti-replay, which reads what it has to do from a plan. */
#include <math.h>
#include <stdlib.h>

#include "base/input.h"
#include "base/memory.h"
#include "base/output.h"
#include "cli/output/output.h"
#include "cli/replay/replay.h"
#include "harness/experiments/plan/simulation.h"

enum { OUTPUT_LENGTH = 1 << 16, LONGEST_SECONDS = 7 * 24 * 3600 };

static void simulate(const tutti_platform *platform, const struct workload *workload, const char *program, char *plan,
                     struct replay_answer *answer)
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
  must(tutti_simulation_run(&simulation, output, OUTPUT_LENGTH, &failure));
  patience_at(NULL, NAN);
  must(tutti_replay_answer_read(output, answer, &failure));
  free(output);
}

static void remove_folder(void *folder)
{
  tutti_folder_remove(folder);
}

void replay_by_smpi(const struct workload *workload, const char *trace, const tutti_platform *platform,
                    const struct replay_question *question, const char *program, struct replay_answer *answer)
{
  struct replay_plan plan = {.compute = question->compute, .ranks_per_node = platform->ranks_per_node};
  snprintf(plan.trace, sizeof plan.trace, "%s", trace);
  must(tutti_input_permit_handing_on(trace, &failure));
  char *folder = tutti_simulation_folder(&failure);
  must(folder ? TUTTI_OK : TUTTI_ERR_IO);
  failure_undo(remove_folder, folder);
  char *path = tutti_xprintf("%s/plan", folder);
  must(tutti_replay_plan_write(path, &plan, workload, question, &failure));
  simulate(platform, workload, program, path, answer);
  failure_forget();
  remove_folder(folder);
  free(path);
  free(folder);
}
