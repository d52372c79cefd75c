/* A set of places (small numbers) with fast access to the smallest. */
#ifndef TUTTI_ENGINE_PLACES_H
#define TUTTI_ENGINE_PLACES_H

#include <stdbool.h>
#include <stdint.h>

/* Zero-initialize it; free with tutti_places_free(). */
struct engine_places {
  uint64_t *more; /* [words] of 64 places, once there was one above the first 64: `few` is not used then */
  uint64_t few;
  uint32_t words, count;
};

void tutti_places_free(struct engine_places *places);

/* One that is not in the set. */
void tutti_places_add(struct engine_places *places, uint32_t place);

/* Take one out. False if it was not in the set. */
bool tutti_places_remove(struct engine_places *places, uint32_t place);

/* The smallest of the set, which is not empty. */
uint32_t tutti_places_least(const struct engine_places *places);

#endif
