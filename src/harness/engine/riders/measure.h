/* Measuring a point as tutti-bench, tutti-group and tutti-range do under SMPI, in a launch of its own: with the same
   messages before, around and after it, as these decide the order in which ranks start and the traffic they meet. */
#ifndef TUTTI_ENGINE_MEASURE_H
#define TUTTI_ENGINE_MEASURE_H

#include "decision/results/range_point.h"
#include "groups/mpich_methods.h"
#include "harness/engine/riders/start.h"
#include "tutti/arrival.h"
#include "tutti/group_run.h"
#include "tutti/measurement.h"
#include "tutti/noise.h"

/*
 * The seconds of one call, from the last arrival on. Of @p point method, scheme, ranks, root, count, type_size,
 * arrival, noise and launch are read; @p trace is that of its arrival, or NULL. The ranks start in the order in which
 * they do under SMPI, in any launch but the first, 0, in an order drawn by its number. @p start is what points of the
 * machine share: in and out. Infinite seconds: the run was ended by machine->stops_at.
 * @return TUTTI_ERR_UNSUPPORTED for a method of a library; TUTTI_ERR_ARGUMENT for more ranks than places, or a call
 *         outside the domain of the method; TUTTI_ERR_FAULT for ranks that wait for ever
 */
tutti_status tutti_engine_measure(const struct engine_machine *machine, const tutti_measurement *point,
                                  const tutti_trace *trace, struct engine_start *start, double *seconds,
                                  tutti_error *error);

/*
 * The seconds of one build of groups, from the start until the last group is complete, or until rank 0 knows that no
 * group exists; and the counts of the actors.
 * @return TUTTI_ERR_ARGUMENT for more ranks than places; TUTTI_ERR_FAULT if the construction goes wrong; as
 *         tutti_group_point_check()
 */
tutti_status tutti_engine_measure_group(const struct engine_machine *machine, const tutti_group_point *point,
                                        struct engine_start *start, double *seconds, tutti_group_counts *counts,
                                        tutti_error *error);

/* Computing costs of making groups: a range, and as MPICH makes groups. */
struct engine_range_cost {
  double range; /* seconds */
  struct mpich_cost mpich;
};

/*
 * The seconds of making groups of @p ranks ranks and of what moves on them, from the start until the last rank is done
 * (tutti-range): ranges, and as MPICH makes groups, whose collectives are schedules of ours.
 * @return TUTTI_ERR_UNSUPPORTED for a way that is not tutti_range_is_scheduled(); TUTTI_ERR_ARGUMENT for more ranks
 * than places, or a call outside the domain of the method; TUTTI_ERR_FAULT for ranks that wait for ever
 */
tutti_status tutti_engine_measure_range(const struct engine_machine *machine, const struct range_point *point,
                                        int ranks, const struct engine_range_cost *cost, struct engine_start *start,
                                        double *seconds, tutti_error *error);

#endif
