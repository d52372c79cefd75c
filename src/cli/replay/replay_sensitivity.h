/* How the time of a replayed program depends on the machine: tutti forecast, tutti whatif --trace. */
#ifndef TUTTI_CLI_REPLAY_SENSITIVITY_H
#define TUTTI_CLI_REPLAY_SENSITIVITY_H

#include "cli/output/sensitivity.h"
#include "cli/replay/replay.h"

/* Add the rows of a scenario, whose name must live as long. */
void replay_add_sensitivity(const char *scenario, const struct workload *workload, const struct engine_machine *machine,
                            const struct replay_question *question, struct sensitivity_rows *rows);

/* In text. */
void replay_print_sensitivity(const struct sensitivity_rows *rows);

#endif
