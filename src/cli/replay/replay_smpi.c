/* A replay by SMPI: smpirun starts tutti-replay, which reads what it has to do from a plan. */
#include <math.h>
#include <stdlib.h>

#include "base/folder.h"
#include "base/input.h"
#include "base/memory.h"
#include "cli/output/output.h"
#include "cli/replay/replay.h"
#include "harness/experiments/simulation.h"

enum { OUTPUT_LENGTH = 1 << 16, LONGEST_SECONDS = 7 * 24 * 3600 };

static tutti_status simulate(const tutti_platform *platform, const struct workload *workload, const char *program,
                             char *plan, struct replay_answer *answer, tutti_error *error)
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
  tutti_status status = tutti_simulation_run(&simulation, output, OUTPUT_LENGTH, error);
  patience_at(NULL, NAN);
  if (status == TUTTI_OK)
    status = tutti_replay_answer_read(output, answer, error);
  free(output);
  return status;
}

tutti_status replay_by_smpi(const struct workload *workload, const char *trace, const tutti_platform *platform,
                            const struct replay_question *question, const char *program, struct replay_answer *answer,
                            tutti_error *error)
{
  struct replay_plan plan = {.compute = question->compute, .ranks_per_node = platform->ranks_per_node};
  snprintf(plan.trace, sizeof plan.trace, "%s", trace);
  if (tutti_input_permit_handing_on(trace, error) != TUTTI_OK)
    return TUTTI_ERR_IO;
  char *folder = tutti_simulation_folder(error);
  if (!folder)
    return TUTTI_ERR_IO;
  char *path = tutti_xprintf("%s/plan", folder);
  tutti_status status = tutti_replay_plan_write(path, &plan, workload, question, error);
  if (status == TUTTI_OK)
    status = simulate(platform, workload, program, path, answer, error);
  tutti_folder_remove(folder);
  free(path);
  free(folder);
  return status;
}
