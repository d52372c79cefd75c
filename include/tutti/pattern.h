/**
 * @file pattern.h
 * @ingroup results
 * Lists of arrival patterns and of noise, with points measured or read under all combinations. No MPI.
 */
#ifndef TUTTI_PATTERN_H
#define TUTTI_PATTERN_H

#include <stdio.h>

#include "tutti/arrival.h"
#include "tutti/noise.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Patterns in the given order, each once. Arrays are owned: tutti_patterns_free(). Zero-initialized lists: `none`. */
typedef struct tutti_patterns {
  size_t arrival_count;
  tutti_arrival *arrivals;
  tutti_trace *traces; /**< [arrival_count] of those that are traces; the others have an empty one */
  size_t noise_count;
  tutti_noise *noises;
} tutti_patterns;

/**
 * Read two lists of words; traces are read from their files.
 * @param arrivals, noises  NULL: "none"
 * @param separators  characters between words, any number of them
 * @param directory   as in tutti_arrival_read()
 * @return as tutti_arrival_read(), tutti_noise_parse(); TUTTI_ERR_ARGUMENT if a list is empty. The lists are empty
 * then.
 */
tutti_status tutti_patterns_read(const char *arrivals, const char *noises, const char *separators,
                                 const char *directory, tutti_patterns *patterns, tutti_error *error);

void tutti_patterns_free(tutti_patterns *patterns);

/** Write " arrival=..." and " noise=...", but not those that are `none`. */
void tutti_pattern_write(const tutti_arrival *arrival, const tutti_noise *noise, FILE *stream);

/** Write the line of a points file with the delays of a trace. */
void tutti_trace_write(const tutti_trace *trace, FILE *stream);

#ifdef __cplusplus
}
#endif
#endif
