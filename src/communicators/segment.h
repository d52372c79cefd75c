/* Segments of POSIX shared memory that hold a serialized map. Not in simulation. */
#ifndef TUTTI_COMMUNICATORS_SEGMENT_H
#define TUTTI_COMMUNICATORS_SEGMENT_H

#include "communicators/pool.h"

enum { SEGMENT_NAME = 96 };

/* The name of the segment for a key: that of nobody else, by the random number of the pool. */
void tutti_segment_name(const struct pool *pool, const struct pool_key *key, char name[SEGMENT_NAME]);

/* Make a segment of these bytes, and map it. NULL: it cannot be had; nothing is left behind then. */
void *tutti_segment_make(const char *name, const unsigned char *bytes, size_t length);

/* Map a segment that is there, to be read. NULL: it is not. */
void *tutti_segment_open(const char *name, size_t length);

/* Let nobody find it any more: it is gone when the last that has mapped it unmaps it, or ends. */
void tutti_segment_forget(const char *name);

void tutti_segment_close(void *segment, size_t length);

/* What it takes: whole pages. */
size_t tutti_segment_bytes(size_t length);

#endif
