/* Telling who waits for whom when an execution comes to a halt. */
#ifndef TUTTI_SCHEDULE_CYCLE_H
#define TUTTI_SCHEDULE_CYCLE_H

#include "analysis/ensemble.h"

enum vertex_state { VERTEX_WAITING, VERTEX_POSTED, VERTEX_COMPLETE };

/* Fill in @p error with a cycle of waiting vertices; state[vertices] is that of the halted execution. Returns
   TUTTI_ERR_FAULT. */
tutti_status tutti_report_cycle(const struct ensemble *ensemble, const unsigned char *state, tutti_error *error);

#endif
