/* What other wings use of the groups beside the public headers. The test rooms.includes reads the list. */
#ifndef TUTTI_GROUPS_WING_H
#define TUTTI_GROUPS_WING_H

/* The ways of MPICH to make communicators, which are measured beside ours */
#include "groups/mpich.h"
#include "groups/mpich_methods.h"

/* What a message between actors is on the wire, for the engine */
#include "groups/wire.h"

#endif
