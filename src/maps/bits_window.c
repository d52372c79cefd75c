#include "maps/bits_window.h"

enum { FAR = 2 * MAP_BLOCK_WORDS /* words to walk before the counts are faster */ };

/* The place of the index-th one of a word that has more: the byte by comparing all prefix sums at once (Vigna 2008),
 * the bit by halves; nothing to predict. */
static inline unsigned select_in_word(uint64_t word, unsigned index)
{
  const uint64_t low = UINT64_C(0x0101010101010101), high = UINT64_C(0x8080808080808080);
  uint64_t sums = word - (word >> 1 & UINT64_C(0x5555555555555555));
  sums = (sums & UINT64_C(0x3333333333333333)) + (sums >> 2 & UINT64_C(0x3333333333333333));
  sums = ((sums + (sums >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f)) * low; /* of each byte and those below */
  unsigned place = 8 * (unsigned)__builtin_popcountll(((index * low | high) - sums) & high);
  index -= (unsigned)(sums << 8 >> place & 0xff);
  unsigned byte = (unsigned)(word >> place & 0xff);
  for (unsigned width = 4; width > 0; width /= 2) {
    unsigned ones = (unsigned)__builtin_popcount(byte & ((1U << width) - 1)), skip = -(unsigned)(index >= ones);
    index -= ones & skip;
    byte >>= width & skip;
    place += width & skip;
  }
  return place;
}

/* A word with a one where the vector has @p bit. */
static inline uint64_t word_of(const struct map_bits *bits, bool bit, uint64_t word)
{
  return bit ? bits->words[word] : ~bits->words[word];
}

/* Bits equal to @p bit before a block. */
static inline uint64_t before(const struct map_bits *bits, bool bit, uint64_t block)
{
  return bit ? bits->counts[block] : block * MAP_BLOCK_BITS - bits->counts[block];
}

/* The last block in low .. high with at most @p index before it. */
static inline uint64_t find_block(const struct map_bits *bits, bool bit, uint64_t index, uint64_t low, uint64_t high)
{
  for (uint64_t count = high - low + 1, half; count > 1; count -= half) {
    half = count / 2;
    low += before(bits, bit, low + half) <= index ? half : 0; /* no jump to predict */
  }
  return low;
}

MAP_WITH_POPCNT uint64_t tutti_map_bits_window_select(const struct map_bits *bits, bool bit, uint64_t index,
                                                      uint64_t from, uint64_t to)
{
  uint64_t block = find_block(bits, bit, index, from / MAP_BLOCK_BITS, (to - 1) / MAP_BLOCK_BITS);
  uint64_t word = block * MAP_BLOCK_WORDS, left = index - before(bits, bit, block);
  for (;; word++) {
    uint64_t bits_here = word_of(bits, bit, word);
    unsigned ones = (unsigned)__builtin_popcountll(bits_here);
    if (left < ones)
      return word * 64 + select_in_word(bits_here, (unsigned)left);
    left -= ones;
  }
}

/* The place of the steps-th bit equal to @p bit after @p at, or 0 if it is far. */
static inline uint64_t walk(const struct map_bits *bits, bool bit, uint64_t at, uint64_t steps)
{
  uint64_t word = at / 64, here = word_of(bits, bit, word) & (~UINT64_C(1) << at % 64);
  for (uint64_t end = word + FAR;;) {
    if (steps == 1 && here)
      return word * 64 + (unsigned)__builtin_ctzll(here);
    unsigned ones = (unsigned)__builtin_popcountll(here);
    if (steps <= ones)
      return word * 64 + select_in_word(here, (unsigned)steps - 1);
    steps -= ones;
    if (++word == end || steps > (end - word) * 64)
      return 0;
    here = word_of(bits, bit, word); /* there is one more to come */
  }
}

MAP_WITH_POPCNT void tutti_map_bits_window_ascending(const struct map_bits *bits, bool bit, uint64_t from, uint64_t to,
                                                     uint64_t *indices, int count)
{
  uint64_t place = 0, last = 0;
  for (int i = 0; i < count; i++) {
    uint64_t index = indices[i];
    place = i > 0 ? walk(bits, bit, place, index - last) : 0;
    if (place == 0)
      place = tutti_map_bits_window_select(bits, bit, index, from, to);
    last = index;
    indices[i] = place;
  }
}
