/* A string of bits with the number of ones before every block of 1,024 (Jacobson 1989, one level): SELECT by a search
 * among the blocks, which begins where the block would be if bits were spread evenly, and population counts of the 16
 * words of one, RANK by the latter. */
#ifndef TUTTI_MAPS_BITS_H
#define TUTTI_MAPS_BITS_H

#include "groups/maps/map_private.h"

/* A processor that counts bits is asked to; the others are served. */
#if defined __x86_64__ && defined __GLIBC__ && defined __GNUC__ && !defined __clang__
#define MAP_WITH_POPCNT __attribute__((target_clones("popcnt", "default")))
#define MAP_DEPOSITS
#else
#define MAP_WITH_POPCNT
#endif

enum { MAP_BLOCK_WORDS = 16, MAP_BLOCK_BITS = 64 * MAP_BLOCK_WORDS };

struct map_bits {
  uint64_t length; /* bits; those of the last word above are 0 */
  uint64_t *words;
  bool attached;    /* words are memory of others */
  uint32_t *counts; /* [blocks + 1] ones before each block, at last all; fewer than 2^32 ones */
  double blocks_per_one, blocks_per_zero;
};

/* All 0. False: no memory; nothing is to be freed. */
bool tutti_map_bits_create(struct map_bits *bits, uint64_t length);

/* Nothing is to be freed afterwards, nor in a struct that is 0. */
void tutti_map_bits_free(struct map_bits *bits);

/* After the last bit is set. */
void tutti_map_bits_count(struct map_bits *bits);

/* Size of words and counts. */
size_t tutti_map_bits_bytes(const struct map_bits *bits);

/* The block of the one before which there are @p k; there is one. */
uint64_t tutti_map_bits_block_of(const struct map_bits *bits, uint64_t k);

/* The place of the one (zero) before which there are @p k; there is one. @{ */
uint64_t tutti_map_bits_select(const struct map_bits *bits, uint64_t k);
uint64_t tutti_map_bits_select_zero(const struct map_bits *bits, uint64_t k);
/* @} */

/* Ones before a place. */
uint64_t tutti_map_bits_rank(const struct map_bits *bits, uint64_t at);

static inline uint64_t map_bits_words(uint64_t length)
{
  return (length + 63) / 64;
}

static inline void map_bits_set(struct map_bits *bits, uint64_t at)
{
  bits->words[at / 64] |= UINT64_C(1) << at % 64;
}

static inline bool map_bits_get(const struct map_bits *bits, uint64_t at)
{
  return bits->words[at / 64] >> at % 64 & 1;
}

/* Walk through the ones from a place on to the end. */
struct map_bits_walk {
  const uint64_t *words;
  uint64_t i, rest; /* word, and its ones that are not passed */
};

static inline struct map_bits_walk map_bits_walk(const struct map_bits *bits, uint64_t from)
{
  return (struct map_bits_walk){bits->words, from / 64, bits->words[from / 64] & ~UINT64_C(0) << from % 64};
}

static inline uint64_t map_bits_next(struct map_bits_walk *walk)
{
  while (!walk->rest)
    walk->rest = walk->words[++walk->i];
  uint64_t at = 64 * walk->i + (uint64_t)__builtin_ctzll(walk->rest);
  walk->rest &= walk->rest - 1;
  return at;
}

/* The first zero at or after a place; there is one. */
static inline uint64_t map_bits_next_zero(const struct map_bits *bits, uint64_t from)
{
  uint64_t i = from / 64, zeros = ~bits->words[i] & ~UINT64_C(0) << from % 64;
  while (!zeros)
    zeros = ~bits->words[++i];
  return 64 * i + (uint64_t)__builtin_ctzll(zeros);
}

void tutti_map_bits_write(const struct map_bits *bits, FILE *stream);

/* TUTTI_ERR_ARGUMENT if bytes are missing, bits above the length are set, or there are not @p ones. To be freed even
 * then. */
tutti_status tutti_map_bits_read(struct map_bits *bits, const tutti_map *map, struct map_reader *reader,
                                 uint64_t length, int ones, tutti_error *error);

/* ---- SELECT in a stretch of a bit vector, where it is known to be, and for many at once ---- */

/* The place of the index-th (from 0, counted from bit 0 on) bit equal to @p bit, which must be in from .. to - 1;
 * O(log((to - from) / MAP_BLOCK_BITS)). */
uint64_t tutti_map_bits_window_select(const struct map_bits *bits, bool bit, uint64_t index, uint64_t from,
                                      uint64_t to);

/* The same for indices[0] < ... < indices[count - 1] in turn, replaced by the places; bits between near ones are looked
 * at only once. */
void tutti_map_bits_window_ascending(const struct map_bits *bits, bool bit, uint64_t from, uint64_t to,
                                     uint64_t *indices, int count);

/* ---- sequences of numbers ---- */

/* A sequence of numbers that do not descend, in about 2 + log2(bound / count) bits each (Elias 1974; Fano 1971). A
 * number is cut into low bits, kept as they are, and a high part h, kept as a string of bits in which number i is the
 * one at place h + i: h zeros and i ones come before it.
 *
 *   0 1 4 10 with two low bits: low 0 1 0 2, high 0 0 1 2, string 11 0 1 0 1 0 */
struct map_fano {
  int count;
  int width;            /* low bits of a number */
  struct map_bits high; /* ends with a 0 */
  bool attached;        /* low is memory of others */
  uint64_t *low;        /* packed, followed by a word that is read but has no bits */
};

/* For numbers 0 .. bound - 1, which follow by tutti_map_fano_put(); then tutti_map_fano_seal(). False: no memory. */
bool tutti_map_fano_create(struct map_fano *fano, int count, int64_t bound);
void tutti_map_fano_put(struct map_fano *fano, int i, uint64_t number);
void tutti_map_fano_seal(struct map_fano *fano);
void tutti_map_fano_free(struct map_fano *fano);

/* Size of the arrays. */
size_t tutti_map_fano_bytes(const struct map_fano *fano);

static inline uint64_t map_fano_low(const struct map_fano *fano, int i)
{
  uint64_t at = (uint64_t)i * (uint64_t)fano->width;
  uint64_t bits = fano->low[at / 64] >> at % 64 | fano->low[at / 64 + 1] << 1 << (63 - at % 64);
  return bits & ((UINT64_C(1) << fano->width) - 1);
}

/* Number @p i, whose one is at a place of the string; the type holds any value read. */
static inline int64_t map_fano_at(const struct map_fano *fano, int i, uint64_t place)
{
  return (int64_t)((place - (uint64_t)i) << fano->width | map_fano_low(fano, i));
}

/* Number @p i. */
int64_t tutti_map_fano_get(const struct map_fano *fano, int i);

/* How many numbers are below @p number, 0 <= number < bound. */
int tutti_map_fano_below(const struct map_fano *fano, uint64_t number);

void tutti_map_fano_write(const struct map_fano *fano, FILE *stream);

/* TUTTI_ERR_ARGUMENT if the bytes end, or bits are set that must not be. To be freed even then. */
tutti_status tutti_map_fano_read(struct map_fano *fano, const tutti_map *map, struct map_reader *reader, int count,
                                 int64_t bound, tutti_error *error);

#endif
