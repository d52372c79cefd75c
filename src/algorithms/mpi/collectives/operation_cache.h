/* Prepared operations that are kept, because programs repeat their collectives, and preparing one takes longer than
   many a small message. What is kept does not depend on addresses, which are bound at each call. */
#ifndef TUTTI_COLLECTIVES_OPERATION_CACHE_H
#define TUTTI_COLLECTIVES_OPERATION_CACHE_H

#include <string.h>

#include "algorithms/mpi/collectives/operation.h"

/* Arguments that two calls must have in common, except arrays, to be served by the same operation. */
enum { KEY_WORDS = 6 };
struct operation_key {
  uint64_t words[KEY_WORDS];
};

/* An operation that can be run again. */
struct cached_operation {
  struct operation *operation;
  bool used;                   /* since it was put into the order in which they give way */
  uint64_t bytes;              /* bytes by which the method was picked */
  uint64_t kind;               /* for who keeps it */
  tutti_method wanted, method; /* requested, and used (the substitute outside its domain) */
  bool may_be_aliased;         /* for who keeps it: with this distance from output to input the call is another one */
  MPI_Aint alias_distance;
  /* The rest is private. */
  struct arguments arguments; /* of the call that it was prepared for; arrays are copies in its arena */
  struct operation_key key;
  uint32_t hash;
  tutti_view view;
  size_t memory;                          /* size of its memory */
  struct cached_operation *next;          /* of the same slot */
  struct cached_operation *newer, *older; /* in the order in which they give way */
};

/* Bytes that all caches of a process may take together. Threads share it. */
struct cache_budget {
  _Atomic size_t used;
  _Atomic uint64_t dropped; /* cached operations that were dropped */
};

/* Zero-initialize. The operations of one cache run one after the other, so they share scratch memory. */
struct operation_cache {
  struct cache_budget *budget; /* NULL: the cache has one of its own */
  struct cache_budget own;
  struct cached_operation **slots; /* by hash; NULL: empty */
  struct cached_operation *newest, *oldest;
  size_t memory; /* of the operations */
  char *scratch;
  size_t scratch_bytes;
};

/* Properties that must stay the same though addresses may change. */
enum {
  TUTTI_KEY_INPUT_IN_PLACE = 1,
  TUTTI_KEY_OUTPUT_IN_PLACE = 2,
  TUTTI_KEY_NO_INPUT = 4,
  TUTTI_KEY_NO_OUTPUT = 8,
  TUTTI_KEY_SAME_BUFFER = 16,
  TUTTI_KEY_IRREGULAR = 32,
  TUTTI_KEY_WIDE = 64
};

__attribute__((always_inline)) static inline unsigned tutti_key_traits(const struct arguments *a)
{
  const void *input = a->input.base, *output = a->output.base;
  return (input == MPI_IN_PLACE ? TUTTI_KEY_INPUT_IN_PLACE : 0) |
         (output == MPI_IN_PLACE ? TUTTI_KEY_OUTPUT_IN_PLACE : 0) | (!input ? TUTTI_KEY_NO_INPUT : 0) |
         (!output ? TUTTI_KEY_NO_OUTPUT : 0) | (input == output ? TUTTI_KEY_SAME_BUFFER : 0) |
         (a->input.counts || a->output.counts ? TUTTI_KEY_IRREGULAR : 0) |
         (a->input.wide || a->output.wide ? TUTTI_KEY_WIDE : 0);
}

static inline struct operation_key tutti_operation_key(const struct arguments *a)
{
  struct operation_key key = {
      {(uint64_t)a->collective + 64 * (uint64_t)tutti_key_traits(a) + ((uint64_t)(unsigned)a->root << 32),
       a->input.count, a->output.count}};
  memcpy(&key.words[3], &a->input.type, sizeof a->input.type);
  memcpy(&key.words[4], &a->output.type, sizeof a->output.type);
  memcpy(&key.words[5], &a->op, sizeof a->op);
  return key;
}

/* A cached operation with these arguments, which have been normalized, or NULL. With `method` and `view` the same of
   them, too. Its buffers are those of the arguments from now on. */
struct cached_operation *tutti_cache_find(struct operation_cache *cache, const struct arguments *arguments,
                                          const tutti_method *method, const tutti_view *view);

/* Whether an operation may be cached: nothing about it can change behind its handles. Datatypes and operations of the
   program can be freed, and their handles reused. */
bool tutti_operation_is_cacheable(const struct arguments *arguments, const tutti_view *view);

/* Prepare an operation and keep it, in the place of others that were not used for longest. A call outside the domain of
   the method is refused, or served by its substitute if `serving` says so. *cached is NULL, and TUTTI_OK is returned,
   if it is too large to be kept. */
tutti_status tutti_cache_prepare(struct operation_cache *cache, const tutti_method *method,
                                 const struct arguments *arguments, uint64_t bytes, const tutti_view *view,
                                 bool serving, struct cached_operation **cached, tutti_error *error);

/* Whether the cached operation, whose key is the same, has the same arrays. */
bool tutti_cache_fits_arrays(const struct cached_operation *cached, const struct arguments *arguments);

/* A kept operation will be used, with these buffers. */
static inline void tutti_cache_use(const struct operation_cache *cache, struct cached_operation *cached,
                                   const void *input, const void *output)
{
  const struct operation_place *bound = &cached->operation->place;
  cached->used = true;
  if (bound->input != input || bound->output != output || bound->scratch != cache->scratch)
    tutti_operation_bind(cached->operation, &(struct operation_place){input, output, cache->scratch});
}

/* It was run: after a failure it is not kept any longer. Returns the status. */
tutti_status tutti_cache_end(struct operation_cache *cache, struct cached_operation *cached, tutti_status status);

/* Run it once more. */
static inline tutti_status tutti_cache_run(struct operation_cache *cache, struct cached_operation *cached,
                                           tutti_error *error)
{
  cached->operation->run.error = error;
  const tutti_status status = tutti_operation_repeat(cached->operation);
  return status == TUTTI_OK ? status : tutti_cache_end(cache, cached, status);
}

void tutti_cache_free(struct operation_cache *cache);

/* Have the views the same ranks? A map is the same if its lookup is, so it must be alive. */
bool tutti_same_ranks(const tutti_view *left, const tutti_view *right);

#endif
