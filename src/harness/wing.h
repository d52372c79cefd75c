/* Headers of the harness that the command uses beside the public ones. The test rooms.includes reads the list. */
#ifndef TUTTI_HARNESS_WING_H
#define TUTTI_HARNESS_WING_H

/* The engine */
#include "harness/engine/machine/loads.h"
#include "harness/engine/machine/machine.h"
#include "harness/engine/riders/measure.h"
#include "harness/engine/riders/replay.h"
#include "harness/engine/riders/start.h"

/* Experiments, their jobs and launchers */
#include "harness/experiments/bench_command.h"
#include "harness/experiments/experiment_list.h"
#include "harness/experiments/job.h"
#include "harness/experiments/launcher.h"
#include "harness/experiments/packages.h"
#include "harness/experiments/settings.h"
#include "harness/experiments/simulation.h"
#include "harness/experiments/work.h"

/* Platforms */
#include "harness/platforms/node_list.h"
#include "harness/platforms/parameters.h"
#include "harness/platforms/platform_private.h"

/* The table of methods that PICO measured */
#include "harness/store/import_pico.h"

#endif
