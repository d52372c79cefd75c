/* The time of one call that all ranks begin together, and how it depends on the machine. */
#ifndef TUTTI_ENGINE_METHOD_SLOPES_H
#define TUTTI_ENGINE_METHOD_SLOPES_H

#include "harness/engine/core/slopes.h"
#include "harness/engine/machine/machine.h"
#include "tutti/algorithm.h"

/* Simulate the schedules of a method for call->size ranks, host after host, on the machine with its change. @p slopes
   may be NULL. Infinite seconds: machine->stops_at ended it. TUTTI_ERR_ARGUMENT if they do not fit, or are outside the
   domain of the method; TUTTI_ERR_FAULT for ranks that wait for ever. */
tutti_status tutti_method_slopes(const struct engine_machine *machine, const tutti_method *method,
                                 const tutti_call *call, double *seconds, struct engine_slope *slopes,
                                 tutti_error *error);

/* The factor of a parameter below which times do not follow it: of ENGINE_OVERHEAD that at which the shortest overhead
   is an instant, as shorter ones take as long; of others 0. */
double tutti_method_slopes_least(const struct engine_machine *machine, int parameter);

#endif
