/**
 * @file noise.h
 * @ingroup results
 * Noise: what interrupts the ranks while a collective operation runs. No MPI.
 *
 * A noise is a word, such as "detour/10ms/25us/seed=1": docs/reference/patterns.md has the words, and what is delayed.
 * Source: Petrini, Kerbyson, Pakin 2003; Ferreira, Bridges, Brightwell 2008; Hoefler, Schneider, Lumsdaine 2010.
 */
#ifndef TUTTI_NOISE_H
#define TUTTI_NOISE_H

#include <stdbool.h>
#include <stdint.h>

#include "tutti/algorithm.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum tutti_noise_kind {
  TUTTI_NOISE_NONE,
  TUTTI_NOISE_DETOUR,
  TUTTI_NOISE_EXPONENTIAL,
  TUTTI_NOISE_SPREAD, /**< nothing is interrupted: measured times vary */
  TUTTI_NOISE_KINDS
} tutti_noise_kind;

/** A noise. A value; zero-initialized it is `none`. */
typedef struct tutti_noise {
  tutti_noise_kind kind;
  uint64_t period;   /**< DETOUR: nanoseconds */
  uint64_t duration; /**< DETOUR: of an interruption, EXPONENTIAL: the mean delay, nanoseconds */
  double spread;     /**< SPREAD: standard deviation of the logarithm of a time */
  double outliers;   /**< SPREAD: share of the times that are longer ... */
  double by;         /**< ... by this factor */
  uint64_t seed;
} tutti_noise;

/** Longest noise as text, terminating zero included. */
#define TUTTI_NOISE_LENGTH 64

/** TUTTI_ERR_ARGUMENT naming the word and what is wrong with it. */
tutti_status tutti_noise_parse(const char *text, tutti_noise *noise, tutti_error *error);

/** The canonical word; returns @p text. */
char *tutti_noise_format(const tutti_noise *noise, char text[TUTTI_NOISE_LENGTH]);

/** A total order, `none` first; 0 for the same noise. */
int tutti_noise_compare(const tutti_noise *left, const tutti_noise *right);

/** Whether it interrupts ranks. */
static inline bool tutti_noise_interrupts(const tutti_noise *noise)
{
  return noise->kind == TUTTI_NOISE_DETOUR || noise->kind == TUTTI_NOISE_EXPONENTIAL;
}

/** Check that the method can be measured under it. TUTTI_ERR_UNSUPPORTED for native ones if it interrupts. */
tutti_status tutti_noise_check(const tutti_noise *noise, const tutti_method *method, tutti_error *error);

/** DETOUR: nanoseconds into its period at which a rank's detours begin. */
uint64_t tutti_noise_phase(const tutti_noise *noise, int rank);

/** DETOUR: nanoseconds until a rank that has something to do at @p now (since the start) gets the processor. */
uint64_t tutti_noise_pause(const tutti_noise *noise, uint64_t phase, uint64_t now);

/** DETOUR: when work is done that was begun at @p begin, outside of detours, and takes @p work nanoseconds without
    noise. */
uint64_t tutti_noise_finish(const tutti_noise *noise, uint64_t phase, uint64_t begin, uint64_t work);

/** EXPONENTIAL: nanoseconds by which the vertex number @p index of a rank is delayed. */
uint64_t tutti_noise_jitter(const tutti_noise *noise, int rank, uint64_t index);

/** SPREAD: the factor of a time measured in simulation, the same each time; 1 for any other noise. */
double tutti_noise_factor(const tutti_noise *noise, const tutti_method *method, int ranks, int root, uint64_t bytes);

#ifdef __cplusplus
}
#endif
#endif
