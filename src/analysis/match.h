/* Matching the sends of all ranks with the receives of all ranks. */
#ifndef TUTTI_SCHEDULE_MATCH_H
#define TUTTI_SCHEDULE_MATCH_H

#include "analysis/ensemble.h"

/* Fill in ensemble->partner. TUTTI_ERR_FAULT on a send without receive, a receive without send, unequal counts. */
tutti_status tutti_match(struct ensemble *ensemble, tutti_error *error);

#endif
