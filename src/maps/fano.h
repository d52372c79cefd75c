/* A sequence of numbers that do not descend, in about 2 + log2(bound / count) bits each (Elias 1974; Fano 1971). A
 * number is cut into low bits, kept as they are, and a high part h, kept as a string of bits in which number i is the
 * one at place h + i: h zeros and i ones come before it.
 *
 *   0 1 4 10 with two low bits: low 0 1 0 2, high 0 0 1 2, string 11 0 1 0 1 0 */
#ifndef TUTTI_GROUPS_MAPS_FANO_H
#define TUTTI_GROUPS_MAPS_FANO_H

#include "maps/bits.h"

struct map_fano {
  int count;
  int width;            /* low bits of a number */
  struct map_bits high; /* ends with a 0 */
  bool attached;        /* low is memory of others */
  uint64_t *low;        /* packed, with a word behind that is read but has no bits */
};

/* For numbers 0 .. bound - 1, which follow by tutti_map_fano_put(); then tutti_map_fano_seal(). False: no memory. */
bool tutti_map_fano_create(struct map_fano *fano, int count, int64_t bound);
void tutti_map_fano_put(struct map_fano *fano, int i, uint64_t number);
void tutti_map_fano_seal(struct map_fano *fano);
void tutti_map_fano_free(struct map_fano *fano);

/* What the arrays take. */
size_t tutti_map_fano_bytes(const struct map_fano *fano);

static inline uint64_t map_fano_low(const struct map_fano *fano, int i)
{
  uint64_t at = (uint64_t)i * (uint64_t)fano->width;
  uint64_t bits = fano->low[at / 64] >> at % 64 | fano->low[at / 64 + 1] << 1 << (63 - at % 64);
  return bits & ((UINT64_C(1) << fano->width) - 1);
}

/* Number @p i, whose one is at a place of the string; wide enough for whatever was read. */
static inline int64_t map_fano_at(const struct map_fano *fano, int i, uint64_t place)
{
  return (int64_t)((place - (uint64_t)i) << fano->width | map_fano_low(fano, i));
}

/* Number @p i. */
int64_t tutti_map_fano_get(const struct map_fano *fano, int i);

/* How many numbers are below @p number, 0 <= number < bound. */
int tutti_map_fano_below(const struct map_fano *fano, uint64_t number);

void tutti_map_fano_write(const struct map_fano *fano, FILE *stream);

/* TUTTI_ERR_ARGUMENT if the bytes end, or bits are set that must not be. */
tutti_status tutti_map_fano_read(struct map_fano *fano, tutti_map_kind kind, struct map_reader *reader, int count,
                                 int64_t bound, tutti_error *error);

#endif
