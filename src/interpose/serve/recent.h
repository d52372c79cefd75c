/* The last calls from each place of the program: one that differs from its predecessor only in addresses is done in the
   same way, without further checks. That saves most of the cost of serving a small call. Only for programs whose
   threads are in MPI one after the other, and not in a simulation, whose time does not depend on it. */
#ifndef TUTTI_INTERPOSE_RECENT_H
#define TUTTI_INTERPOSE_RECENT_H

#include "interpose/serve/communicator.h"
#include "interpose/serve/serve.h"

#ifdef SMPI_HELPERS_H
enum { RECENT_CALLS = 1, RECENT_WAYS = 1 };
#else
/* By hash. A call that finds its place taken takes it, and the one before moves to the other place of the pair. */
enum { RECENT_CALLS = 128, RECENT_WAYS = 2 };
#endif

struct recent_call {
  const void *site; /* NULL: the place is free */
  MPI_Comm comm;
  struct arguments given; /* by the program; addresses do not count, except for the traits, nor do those of arrays */
  unsigned traits;        /* tutti_key_traits() */
  uint64_t dropped;       /* operations, and communicators, that were gone then */
  struct communicator *communicator;
  struct cached_operation *cached; /* NULL: passed through */
  bool simple;                     /* nothing is to be done but to run it: tutti_serve_again() */
  const char *reason;              /* why */
  struct adapted_class *adapted;   /* NULL: it is always done so; else only where the candidate is picked again */
  const tutti_method *candidate;
  /* Buffers that are not significant, or in place, where `moves` is false. */
  bool input_moves, output_moves;
  const void *input, *output;
  struct profile_row *row; /* as in struct call, and so are the next members */
  uint64_t shape;
  int ranks;
  uint64_t bytes;
  bool sized;
};

/* So that arguments stay in registers: no function takes their address. */
#define TUTTI_IN_REGISTERS __attribute__((always_inline)) static inline

struct recent_calls {
  struct recent_call calls[RECENT_CALLS];
};

/* The place where a call is kept, or the other place of the pair. */
TUTTI_IN_REGISTERS uint32_t tutti_recent_place(const void *site, const struct arguments *a)
{
  const uint64_t key =
      ((uint64_t)(uintptr_t)site ^ (uint64_t)(unsigned)a->root) + 3 * a->input.count + 5 * a->output.count;
  return (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32) % RECENT_CALLS;
}

/* Compares all except arrays, whose addresses alone are in the arguments. */
TUTTI_IN_REGISTERS bool tutti_recent_is_like(const struct recent_call *found, const struct communicators *known,
                                             const void *site, const struct arguments *a, MPI_Comm comm)
{
  if (found->site != site || found->comm != comm || found->given.collective != a->collective ||
      found->given.root != a->root || found->dropped != known->budget.dropped)
    return false;
  if (found->given.input.count != a->input.count || found->given.output.count != a->output.count ||
      found->given.output.type != a->output.type)
    return false;
  if (found->given.op !=
      a->op) /* not beside the root: both would be written, and then read as one word, which is slow */
    return false;
  return found->given.input.type == a->input.type && found->traits == tutti_key_traits(a);
}

/* The recent call, or NULL. The arguments are as the program gave them. */
static inline const struct recent_call *tutti_recent_find(const struct recent_calls *recent,
                                                          const struct communicators *known, const struct call *call,
                                                          MPI_Comm comm)
{
  uint32_t place = tutti_recent_place(call->site, call->arguments);
  for (int way = 0; way < RECENT_WAYS; way++, place ^= 1) {
    const struct recent_call *found = &recent->calls[place];
    if (tutti_recent_is_like(found, known, call->site, call->arguments, comm) &&
        (!(found->traits & TUTTI_KEY_IRREGULAR) || tutti_cache_fits_arrays(found->cached, call->arguments)))
      return found;
  }
  return NULL;
}

/* Note a call that was done, whose arguments have been normalized: by `cached`, or passed through for a reason that
   stays. `counted`: such calls are counted. */
void tutti_recent_note(struct recent_calls *recent, const struct communicators *known, const struct call *call,
                       struct cached_operation *cached, bool counted);

#endif
