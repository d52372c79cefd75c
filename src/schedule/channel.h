/* Channels: the vertices of one kind and peer, in vertex order. */
#ifndef TUTTI_SCHEDULE_CHANNEL_H
#define TUTTI_SCHEDULE_CHANNEL_H

#include "tutti/schedule.h"

/* For each send or receive the next one of the same kind and peer (else TUTTI_NO_VERTEX), and one more prerequisite for
   each that has a predecessor. Linear time. False if out of memory. */
bool tutti_link_channels(const tutti_vertex *vertices, uint32_t count, tutti_vertex_id *next, uint32_t *prerequisites);

#endif
