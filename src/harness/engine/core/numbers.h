/* Numbers of ranks, hosts, links, flows: small ones from 0. */
#ifndef TUTTI_ENGINE_NUMBERS_H
#define TUTTI_ENGINE_NUMBERS_H

#include <stdint.h>

#include "base/memory.h"
#include "base/vector.h"

#define ENGINE_NONE UINT32_MAX

/* The same as tutti_xpush(), without a call while the capacity suffices. */
#define engine_push(vector, ...)                                                                                       \
  ((vector)->count < (vector)->capacity ? (void)((vector)->items[(vector)->count++] = (__VA_ARGS__))                   \
                                        : tutti_xpush((vector), __VA_ARGS__))

struct engine_numbers {
  TUTTI_VECTOR(uint32_t);
};

#endif
