#include "groups/maps/bits.h"

#include <stdlib.h>

/* Functions called by a clone for processors that count bits must be inlined into it. */
#define PART_OF_CLONE static inline __attribute__((always_inline))

static uint64_t blocks_of(uint64_t length)
{
  return (length + MAP_BLOCK_BITS - 1) / MAP_BLOCK_BITS;
}

bool tutti_map_bits_create(struct map_bits *bits, uint64_t length)
{
  *bits = (struct map_bits){.length = length,
                            .words = calloc(map_bits_words(length), sizeof *bits->words),
                            .counts = malloc((blocks_of(length) + 1) * sizeof *bits->counts)};
  if (bits->words && bits->counts)
    return true;
  tutti_map_bits_free(bits);
  return false;
}

void tutti_map_bits_free(struct map_bits *bits)
{
  if (!bits->attached)
    free(bits->words);
  free(bits->counts);
  *bits = (struct map_bits){.length = 0};
}

MAP_WITH_POPCNT void tutti_map_bits_count(struct map_bits *bits)
{
  uint64_t words = map_bits_words(bits->length), ones = 0;
  for (uint64_t i = 0; i < words; i++) {
    if (i % MAP_BLOCK_WORDS == 0)
      bits->counts[i / MAP_BLOCK_WORDS] = (uint32_t)ones;
    ones += (uint64_t)__builtin_popcountll(bits->words[i]);
  }
  uint64_t blocks = blocks_of(bits->length);
  bits->counts[blocks] = (uint32_t)ones;
  bits->blocks_per_one = ones ? (double)blocks / (double)ones : 0;
  bits->blocks_per_zero = ones < bits->length ? (double)blocks / (double)(bits->length - ones) : 0;
}

size_t tutti_map_bits_bytes(const struct map_bits *bits)
{
  uint64_t words = bits->attached ? 0 : map_bits_words(bits->length);
  return words * sizeof *bits->words + (blocks_of(bits->length) + 1) * sizeof *bits->counts;
}

/* Ones, or zeros, before a block. The end of the string counts as zeros up to the end of the block. */
PART_OF_CLONE uint64_t before(const struct map_bits *bits, uint64_t block, bool zeros)
{
  return zeros ? block * MAP_BLOCK_BITS - bits->counts[block] : bits->counts[block];
}

/* The last of `count` blocks with at most k ones, or zeros, before it. Without jumps that depend on the bits: a wrong
   guess of the processor takes longer than a step. */
PART_OF_CLONE uint64_t search_blocks(const struct map_bits *bits, uint64_t k, bool zeros, uint64_t low, uint64_t count)
{
  for (uint64_t half; count > 1; count -= half) {
    half = count / 2;
    low += before(bits, low + half, zeros) <= k ? half : 0;
  }
  return low;
}

/* Four blocks around the one where bits that are spread evenly would be, else all. */
PART_OF_CLONE uint64_t block_of(const struct map_bits *bits, uint64_t k, bool zeros)
{
  uint64_t blocks = blocks_of(bits->length);
  uint64_t guess = (uint64_t)((double)k * (zeros ? bits->blocks_per_zero : bits->blocks_per_one));
  guess = guess > 1 ? guess - 1 : 0;
  if (guess + 4 > blocks || before(bits, guess, zeros) > k || before(bits, guess + 4, zeros) <= k)
    return search_blocks(bits, k, zeros, 0, blocks);
  return guess + (before(bits, guess + 1, zeros) <= k) + (before(bits, guess + 2, zeros) <= k) +
         (before(bits, guess + 3, zeros) <= k);
}

uint64_t tutti_map_bits_block_of(const struct map_bits *bits, uint64_t k)
{
  return block_of(bits, k, false);
}

/*
 * The place of the one of @p word that follows @p k others (Vigna 2008, section 4): ones up to each byte at once, the
 * bytes with at most k of them are skipped, then the same with the bits of the byte.
 */
PART_OF_CLONE uint64_t select_in_word(uint64_t word, uint64_t k)
{
  const uint64_t each = UINT64_C(0x0101010101010101), top = each << 7, diagonal = UINT64_C(0x8040201008040201);
  uint64_t sums = word - (word >> 1 & 0x55 * each);
  sums = (sums & 0x33 * each) + (sums >> 2 & 0x33 * each);
  sums = ((sums + (sums >> 4)) & 0x0f * each) * each;
  uint64_t place = (((k * each | top) - sums) >> 7 & each) * each >> 56 << 3;
  uint64_t left = k - (sums << 8 >> place & 0xff);
  uint64_t spread = (word >> place & 0xff) * each & diagonal;
  uint64_t bits = (((spread | top) - each) | spread) >> 7 & each; /* 1 where the byte is not 0 */
  return place + ((((left * each | top) - bits * each) >> 7 & each) * each >> 56);
}

/* Every word of the block is counted: one jump less that depends on the bits. With `deposit` the processor has an
   instruction for the place in the word. */
PART_OF_CLONE uint64_t find(const struct map_bits *bits, uint64_t k, bool zeros,
                            uint64_t (*in_word)(uint64_t word, uint64_t k))
{
  uint64_t block = block_of(bits, k, zeros), flip = zeros ? ~UINT64_C(0) : 0;
  uint64_t left = k - before(bits, block, zeros), seen = 0, passed = 0, at = block * MAP_BLOCK_WORDS, word = at;
  uint64_t words = map_bits_words(bits->length), end = at + MAP_BLOCK_WORDS < words ? at + MAP_BLOCK_WORDS : words;
  for (uint64_t i = at; i < end; i++) {
    seen += (uint64_t)__builtin_popcountll(bits->words[i] ^ flip);
    passed = seen <= left ? seen : passed;
    word += seen <= left;
  }
  return 64 * word + in_word(bits->words[word] ^ flip, left - passed);
}

#ifdef MAP_DEPOSITS
__attribute__((target("bmi,bmi2,popcnt"), always_inline)) static inline uint64_t deposit(uint64_t word, uint64_t k)
{
  return (uint64_t)__builtin_ctzll(__builtin_ia32_pdep_di(UINT64_C(1) << k, word));
}

__attribute__((target("bmi,bmi2,popcnt"))) static uint64_t find_depositing(const struct map_bits *bits, uint64_t k,
                                                                           bool zeros)
{
  return zeros ? find(bits, k, true, deposit) : find(bits, k, false, deposit);
}

static bool deposits(void)
{
  return __builtin_cpu_supports("bmi2");
}
#else
static uint64_t find_depositing(const struct map_bits *bits, uint64_t k, bool zeros)
{
  return find(bits, k, zeros, select_in_word);
}

static bool deposits(void)
{
  return false;
}
#endif

MAP_WITH_POPCNT static uint64_t find_counting(const struct map_bits *bits, uint64_t k, bool zeros)
{
  return find(bits, k, zeros, select_in_word);
}

uint64_t tutti_map_bits_select(const struct map_bits *bits, uint64_t k)
{
  return deposits() ? find_depositing(bits, k, false) : find_counting(bits, k, false);
}

uint64_t tutti_map_bits_select_zero(const struct map_bits *bits, uint64_t k)
{
  return deposits() ? find_depositing(bits, k, true) : find_counting(bits, k, true);
}

MAP_WITH_POPCNT uint64_t tutti_map_bits_rank(const struct map_bits *bits, uint64_t at)
{
  uint64_t block = at / MAP_BLOCK_BITS, ones = bits->counts[block];
  for (uint64_t i = block * MAP_BLOCK_WORDS; i < at / 64; i++)
    ones += (uint64_t)__builtin_popcountll(bits->words[i]);
  uint64_t rest = at % 64 ? bits->words[at / 64] & ((UINT64_C(1) << at % 64) - 1) : 0;
  return ones + (uint64_t)__builtin_popcountll(rest);
}

void tutti_map_bits_write(const struct map_bits *bits, FILE *stream)
{
  tutti_map_write_words(bits->words, map_bits_words(bits->length), stream);
}

static bool attach(struct map_bits *bits, uint64_t length, const unsigned char *words)
{
  *bits = (struct map_bits){.length = length,
                            .words = tutti_map_words_in_place(words),
                            .attached = true,
                            .counts = malloc((blocks_of(length) + 1) * sizeof *bits->counts)};
  return bits->counts;
}

tutti_status tutti_map_bits_read(struct map_bits *bits, const tutti_map *map, struct map_reader *reader,
                                 uint64_t length, int ones, tutti_error *error)
{
  uint64_t words = map_bits_words(length);
  const unsigned char *from = tutti_map_read_bytes(reader, (size_t)(8 * words));
  if (!from)
    return tutti_map_malformed(map, "bytes end before the last bit", error);
  if (!(reader->attach ? attach(bits, length, from) : tutti_map_bits_create(bits, length)))
    return tutti_map_no_memory(map, error);
  if (!reader->attach)
    tutti_map_take_words(bits->words, words, from);
  tutti_map_bits_count(bits);
  bool above = length % 64 && bits->words[words - 1] >> length % 64;
  if (!above && bits->counts[blocks_of(length)] == (uint64_t)ones)
    return TUTTI_OK;
  return tutti_map_malformed(map, above ? "bits above the last are set" : "bits are not as many as members", error);
}

enum { FAR = 2 * MAP_BLOCK_WORDS /* words to walk before the counts are faster */ };

/* The place of the index-th one of a word that has more: the byte by comparing all prefix sums at once (Vigna 2008),
 * the bit by halves; nothing to predict. */
static inline unsigned select_bit(uint64_t word, unsigned index)
{
  const uint64_t low = UINT64_C(0x0101010101010101), high = UINT64_C(0x8080808080808080);
  uint64_t sums = word - (word >> 1 & UINT64_C(0x5555555555555555));
  sums = (sums & UINT64_C(0x3333333333333333)) + (sums >> 2 & UINT64_C(0x3333333333333333));
  sums = ((sums + (sums >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f)) * low; /* sums of each byte and those below */
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

MAP_WITH_POPCNT uint64_t tutti_map_bits_window_select(const struct map_bits *bits, bool bit, uint64_t index,
                                                      uint64_t from, uint64_t to)
{
  uint64_t low = from / MAP_BLOCK_BITS, high = (to - 1) / MAP_BLOCK_BITS;
  uint64_t block = search_blocks(bits, index, !bit, low, high - low + 1);
  uint64_t word = block * MAP_BLOCK_WORDS, left = index - before(bits, block, !bit);
  for (;; word++) {
    uint64_t bits_here = word_of(bits, bit, word);
    unsigned ones = (unsigned)__builtin_popcountll(bits_here);
    if (left < ones)
      return word * 64 + select_bit(bits_here, (unsigned)left);
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
      return word * 64 + select_bit(here, (unsigned)steps - 1);
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
