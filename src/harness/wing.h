/* Headers of the harness that the command uses beside the public ones. The test rooms.includes reads the list. */
#ifndef TUTTI_HARNESS_WING_H
#define TUTTI_HARNESS_WING_H

/* The engine */
#include "harness/engine/machine/bounds.h"
#include "harness/engine/machine/loads.h"
#include "harness/engine/riders/jobs.h"
#include "harness/engine/riders/link_slopes.h"
#include "harness/engine/riders/measure.h"
#include "harness/engine/riders/method_slopes.h"
#include "harness/engine/riders/replay.h"
#include "harness/engine/search/search.h"

/* Fitting a platform to measured points, and predictions by it */
#include "harness/experiments/calibrate/budget.h"
#include "harness/experiments/calibrate/calls.h"
#include "harness/experiments/calibrate/choices.h"
#include "harness/experiments/calibrate/evidence_rows.h"
#include "harness/experiments/calibrate/fit.h"
#include "harness/experiments/calibrate/spread.h"

/* Experiments, their jobs and launchers */
#include "harness/experiments/file/bench_command.h"
#include "harness/experiments/file/experiment_list.h"
#include "harness/experiments/jobs/job.h"
#include "harness/experiments/launch/installation.h"
#include "harness/experiments/launch/launcher.h"
#include "harness/experiments/launch/packages.h"
#include "harness/experiments/plan/plan.h"
#include "harness/experiments/plan/simulation.h"
#include "harness/experiments/plan/work.h"
#include "harness/experiments/settings/settings.h"

/* Platforms */
#include "harness/platforms/node_list.h"
#include "harness/platforms/parameters.h"
#include "harness/platforms/platform_private.h"

#endif
