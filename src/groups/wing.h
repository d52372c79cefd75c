/* Headers of the groups that other wings use beside the public ones. The test rooms.includes reads the list. */
#ifndef TUTTI_GROUPS_WING_H
#define TUTTI_GROUPS_WING_H

/* MPICH's ways to make communicators, which are measured beside ours */
#include "groups/mpich.h"
#include "groups/mpich_methods.h"

/* The format of a message between actors on the wire, for the engine */
#include "groups/wire.h"

#endif
