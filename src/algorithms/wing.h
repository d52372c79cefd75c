/* Headers of the algorithms that other wings use beside the public ones. The test rooms.includes reads the list. */
#ifndef TUTTI_ALGORITHMS_WING_H
#define TUTTI_ALGORITHMS_WING_H

/* Group builders send along the same trees */
#include "algorithms/catalogue/builders.h"

/* The name of a method in a file of MSCCL, and what it has of that */
#include "algorithms/catalogue/msccl/load.h"

/* The terms of a model, for predictions */
#include "algorithms/models/terms.h"

/* Time on the machine or in the simulation */
#include "algorithms/mpi/clock.h"

/* Sizes and operations of datatypes */
#include "algorithms/mpi/elements.h"

/* How a rank of an MPI program fails */
#include "algorithms/mpi/failure.h"

/* The levels of the machine in a view */
#include "algorithms/mpi/levels.h"

/* Which library this process runs in */
#include "algorithms/mpi/library.h"

/* A schedule that runs, for range communicators */
#include "algorithms/mpi/run_state.h"

/* Calls to the simulator */
#include "algorithms/mpi/simulation.h"

/* Arguments of MPI calls, for the interposer */
#include "algorithms/mpi/collectives/arguments.h"
#include "algorithms/mpi/collectives/operation.h"
#include "algorithms/mpi/collectives/operation_cache.h"
#include "algorithms/mpi/collectives/request.h"

#endif
